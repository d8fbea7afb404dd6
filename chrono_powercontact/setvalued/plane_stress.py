"""Compliance of a rectangular block in plane stress at pads on its lower corners, by finite elements (scikit-fem)."""

from __future__ import annotations

from dataclasses import dataclass
from importlib.util import find_spec
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy.sparse.linalg import splu

from ..errors import ParameterError, positive
from .contact_set import Vector
from .elastic import Compliance

POISSON = 0.3
YOUNG = 2.1e11
"""Steel: Poisson's ratio and Young's modulus in N/m^2."""


def missing_library() -> str | None:
    """How to get scikit-fem where it is missing, in one sentence; None where it is there."""
    if find_spec("skfem") is None:
        return "finite elements need scikit-fem: pip install scikit-fem"
    return None


@dataclass(frozen=True)
class PlaneBlock:
    """A block of a width, height and thickness in m on pads at both ends of its lower edge.

    It is pulled at a third pad, on its right face just below the upper corner.

    Attributes:
        width, height, thickness: in m. pad: width of all pads in m.
        cells: finite elements over the height; pads are as wide as whole elements.
        young: in N/m^2.
    """

    width: float
    height: float
    thickness: float
    pad: float
    cells: int = 20
    young: float = YOUNG

    def __post_init__(self) -> None:
        for name in ("width", "height", "thickness", "pad", "young"):
            positive(name, getattr(self, name))
        if self.cells < 2:
            raise ParameterError(f"cells must be at least 2, got {self.cells}")
        edge = self.height / self.cells
        if not edge * (1.0 - 1e-9) <= self.pad < min(0.5 * self.width, self.height):
            raise ParameterError(
                f"pad must be from one element of {edge:g} m to below the height of {self.height:g} m and half the "
                f"width of {self.width:g} m, got {self.pad:g} m"
            )


class Mesh(NamedTuple):
    """A meshed block: nodes by pairs of unknowns, their positions in m, and the stiffness matrix in N/m."""

    x: Vector
    y: Vector
    along: Any
    up: Any
    stiffness: Any


def meshed(block: PlaneBlock) -> Mesh:
    """Quadrilateral elements of second order."""
    if missing_library() is not None:
        raise ParameterError(str(missing_library()))
    from skfem import Basis, ElementQuad2, ElementVector, MeshQuad, asm
    from skfem.models.elasticity import linear_elasticity

    edge = block.height / block.cells
    across = max(round(block.width / edge), 2)
    mesh = MeshQuad.init_tensor(
        np.linspace(0.0, block.width, across + 1), np.linspace(0.0, block.height, block.cells + 1)
    )
    basis = Basis(mesh, ElementVector(ElementQuad2()))
    law = linear_elasticity(block.young * POISSON / (1.0 - POISSON**2), 0.5 * block.young / (1.0 + POISSON))
    stiffness = (asm(law, basis) * block.thickness).tocsc()
    along, up = (np.concatenate([basis.nodal_dofs[i], basis.facet_dofs[i], basis.interior_dofs[i]]) for i in range(2))
    x, y = basis.doflocs[:, along]
    return Mesh(x, y, along, up, stiffness)


def _pad(block: PlaneBlock, mesh: Mesh, right: bool) -> NDArray[np.int64]:
    """Nodes of a pad."""
    begin = block.width - block.pad if right else 0.0
    beside = (mesh.x >= begin - 1e-9) & (mesh.x <= begin + block.pad + 1e-9)
    return np.flatnonzero((np.abs(mesh.y) < 1e-9) & beside)


def _pull(block: PlaneBlock, mesh: Mesh) -> Vector:
    """A horizontal load of 1 N, spread evenly over the pad on the right face."""
    pad = np.flatnonzero((mesh.x > block.width - 1e-9) & (mesh.y > block.height - block.pad - 1e-9))
    load = np.zeros(mesh.stiffness.shape[0])
    load[mesh.along[pad]] = _weights(mesh.y[pad])
    return load


def pinned_share(block: PlaneBlock) -> float:
    """Fraction of a horizontal load on the upper right pad that the left one of two pinned pads takes."""
    mesh = meshed(block)
    left = _pad(block, mesh, False)
    right = _pad(block, mesh, True)
    fixed = np.concatenate([mesh.along[left], mesh.up[left], mesh.along[right], mesh.up[right]])
    free = np.setdiff1d(np.arange(mesh.stiffness.shape[0]), fixed)
    load = _pull(block, mesh)
    moved = np.zeros(load.size)
    moved[free] = splu(mesh.stiffness[free][:, free]).solve(load[free])
    reaction = mesh.stiffness @ moved - load
    return float(-reaction[mesh.along[left]].sum())


def block_compliance(block: PlaneBlock, pull: float, weight: float) -> Compliance:
    """Compliance of the pads in the order T_A, N_A, T_B, N_B, with forces spread evenly over each of them.

    Args:
        pull: horizontal force in N on the upper right pad. weight: in N, spread over the block.

    Displacements are those of a block on a statically determinate support; for forces in balance any such support gives
    the same strain energy.
    """
    mesh = meshed(block)
    size = mesh.stiffness.shape[0]
    loads = np.zeros((size, 5))
    column = 0
    for right in (False, True):
        pad = _pad(block, mesh, right)
        spread = _weights(mesh.x[pad])
        loads[mesh.along[pad], column] = spread
        loads[mesh.up[pad], column + 1] = spread
        column += 2
    loads[:, column] = pull * _pull(block, mesh)
    loads[mesh.up, column] -= weight * _areas(mesh)
    middle = int(np.argmin(np.hypot(mesh.x - 0.5 * block.width, mesh.y - 0.5 * block.height)))
    beside = int(np.argmin(np.hypot(mesh.x - 0.5 * block.width, mesh.y - block.height)))
    support = [mesh.along[middle], mesh.up[middle], mesh.along[beside]]
    free = np.setdiff1d(np.arange(size), support)
    moved = np.zeros_like(loads)
    moved[free] = splu(mesh.stiffness[free][:, free]).solve(loads[free])
    seen = loads[:, :4].T @ moved
    return Compliance(0.5 * (seen[:, :4] + seen[:, :4].T), seen[:, 4])


def _weights(x: Vector) -> Vector:
    """Parts of an even load that nodes of elements of second order take (Simpson's rule)."""
    order = np.argsort(x)
    parts = np.ones(x.size)
    parts[order[1:-1:2]] = 4.0
    parts[order[2:-1:2]] = 2.0
    return parts / parts.sum()


def _areas(mesh: Mesh) -> Vector:
    """Parts of the weight that the nodes take."""
    return _line_parts(mesh.x) * _line_parts(mesh.y)


def _line_parts(values: Vector) -> Vector:
    """Simpson's weight of each node along one axis."""
    lines, place = np.unique(np.round(values, 9), return_inverse=True)
    return _weights(lines)[place]
