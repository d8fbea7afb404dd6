"""Fewer coordinates for a beam: Guyan's static condensation and Craig and Bampton's fixed-interface modes.

The basis is T = [I 0; -K_SS^-1 K_SM  Phi] (2.86) with M_red = T^T M T and K_red = T^T K T (2.66). Constraint modes make
the deflection under loads at the interfaces exact for any number of dynamic modes, none included (Guyan, 2.74).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from ...errors import ModelError, ParameterError, UnknownNameError
from .beam_elements import (
    CLAMPED,
    Held,
    Matrix,
    columns,
    free_columns,
    gauss_points,
    gram,
    mass_matrix,
    shape_rows,
    size,
    stiffness_matrix,
)
from .beam_modes import eigenpairs
from .beams import COMPONENTS, Beam


@dataclass(frozen=True)
class Interface:
    """A point of a beam where forces act: a joint, a lug, a contact.

    Attributes:
        at: station in m.
        components: displacements that carry force there: u along, w across, theta for moments.
    """

    at: float
    components: tuple[str, ...] = ("w", "theta")


@dataclass(frozen=True)
class ReducedBeam:
    """A beam in few coordinates.

    Attributes:
        beam: with a node at each support and interface.
        interfaces: by name.
        names: of the coordinates.
        basis: displacements of the nodes per unit of each coordinate.
        boundary: number of coordinates that the interfaces need.
    """

    beam: Beam
    interfaces: Mapping[str, Interface]
    names: tuple[str, ...]
    basis: Matrix = field(repr=False)
    boundary: int

    @cached_property
    def mass(self) -> Matrix:
        """Reduced mass matrix m_ff (2.66)."""
        return _symmetric(self.basis.T @ mass_matrix(self.beam) @ self.basis)

    @cached_property
    def stiffness(self) -> Matrix:
        """Reduced stiffness matrix K_ff (2.66)."""
        return _symmetric(self.basis.T @ stiffness_matrix(self.beam) @ self.basis)

    @cached_property
    def frequencies(self) -> NDArray[np.float64]:
        """Angular frequencies in rad/s of the reduced beam in its frame."""
        return np.sqrt(eigenpairs(self.stiffness, self.mass)[0])

    @cached_property
    def orthonormal(self) -> ReducedBeam:
        """The same space in modes of unit mass: m_ff = 1, K_ff = diag(w^2). Nothing is lost."""
        _, vectors = eigenpairs(self.stiffness, self.mass)
        return replace(self, names=tuple(f"mode_{i + 1}" for i in range(len(self.names))), basis=self.basis @ vectors)

    def truncated(self, keep: int) -> ReducedBeam:
        """The `keep` slowest orthonormal modes. Deflections at the interfaces are exact only if all are kept."""
        if not isinstance(keep, int) or not self.boundary <= keep <= len(self.names):
            raise ParameterError(
                f"keep must be a whole number between {self.boundary}, which the interfaces need, and "
                f"{len(self.names)}, which there are, got {keep!r}: too few modes cannot carry the boundary"
            )
        whole = self.orthonormal
        return replace(whole, names=whole.names[:keep], basis=whole.basis[:, :keep])

    def station(self, place: str | float) -> float:
        """Station in m of an interface by its name, or of a point on the beam."""
        if isinstance(place, str):
            if place not in self.interfaces:
                raise UnknownNameError("interface", place, self.interfaces)
            return self.interfaces[place].at
        if not self.beam.reaches(place):
            raise ParameterError(f"a station must lie between 0 and {self.beam.length:g} m, got {place:g} m")
        return float(place)

    def displacement(self, place: str | float) -> Matrix:
        """Rows u in m, w in m and theta in rad at a station or interface, per unit of each coordinate."""
        rows = shape_rows(self.beam, self.station(place))
        return np.vstack([rows.u, rows.w, rows.slope]) @ self.basis

    def bending_moment(self, place: str | float) -> NDArray[np.float64]:
        """Bending moment EI w'' in N m at a station or interface, per unit of each coordinate.

        Over the section modulus it is the stress at the outer fibre.
        """
        at = self.station(place)
        element = min(int(np.searchsorted(self.beam.stations, at, side="right")) - 1, len(self.beam.sections) - 1)
        curvature = shape_rows(self.beam, at).curvature[0] @ self.basis
        return np.asarray(self.beam.sections[element].bending * curvature, float)

    def shortening(self, place: str | float) -> Matrix:
        """H in 1/m with which bending draws a station towards station 0, by q^T H q/2: H = int_0^x w'^T w' dx."""
        points = gauss_points(self.beam, self.station(place))
        slope = points.rows.slope @ self.basis
        return _symmetric(gram(slope, points.weight, slope))

    def static(self, loads: Mapping[tuple[str | float, str], float]) -> NDArray[np.float64]:
        """Coordinates at rest under loads in N or N m, by (place, component)."""
        force = np.zeros(len(self.names))
        for (place, component), load in loads.items():
            force += load * self.displacement(place)[_component(component)]
        return np.asarray(np.linalg.solve(self.stiffness, force), float)


def reduce_beam(
    beam: Beam, interfaces: Mapping[str, float | Interface], modes: int = 0, held: Held = CLAMPED
) -> ReducedBeam:
    """Guyan (modes = 0) or Craig-Bampton reduction of a beam in its frame.

    Args:
        beam: the finite elements; interfaces get nodes of their own.
        interfaces: points where forces act, by name; a number is a station with w and theta.
        modes: number of fixed-interface modes that are kept.
        held: components that are zero in the frame, by station; by default the frame is the tangent at station 0.
    """
    named = {name: i if isinstance(i, Interface) else Interface(i) for name, i in interfaces.items()}
    if not named:
        raise ParameterError("a reduced beam needs at least one interface, got none")
    beam = beam.with_node(*held, *(_on_beam(beam, name, i) for name, i in named.items()))
    free = free_columns(beam, held)
    masters = _masters(beam, named, free)
    block = np.ix_(free, free)
    order = [free.index(c) for c in masters]
    basis = np.zeros((size(beam), len(masters) + modes if isinstance(modes, int) else 0))
    basis[free] = craig_bampton(stiffness_matrix(beam)[block], mass_matrix(beam)[block], order, modes)
    names = [f"{name}_{component}" for name, i in named.items() for component in i.components]
    return ReducedBeam(beam, named, (*names, *(f"mode_{i + 1}" for i in range(modes))), basis, len(masters))


def guyan(stiffness: Matrix, masters: list[int]) -> Matrix:
    """Constraint modes [1; -K_SS^-1 K_SM] (2.74), rows in the order of the matrix."""
    slaves = [i for i in range(len(stiffness)) if i not in masters]
    basis = np.zeros((len(stiffness), len(masters)))
    basis[masters] = np.eye(len(masters))
    if slaves:
        inner = stiffness[np.ix_(slaves, slaves)]
        _check_held(inner)
        basis[slaves] = -np.linalg.solve(inner, stiffness[np.ix_(slaves, masters)])
    return basis


def craig_bampton(stiffness: Matrix, mass: Matrix, masters: list[int], modes: int) -> Matrix:
    """Constraint modes and the slowest fixed-interface modes (2.86), the latter of unit mass (2.82)."""
    slaves = [i for i in range(len(stiffness)) if i not in masters]
    if not isinstance(modes, int) or not 0 <= modes <= len(slaves):
        raise ParameterError(
            f"modes must be a whole number between 0 and {len(slaves)}, the displacements inside, got {modes!r}"
        )
    basis = np.zeros((len(stiffness), len(masters) + modes))
    basis[:, : len(masters)] = guyan(stiffness, masters)
    if modes:
        inner = np.ix_(slaves, slaves)
        basis[slaves, len(masters) :] = eigenpairs(stiffness[inner], mass[inner])[1][:, :modes]
    return basis


def _on_beam(beam: Beam, name: str, interface: Interface) -> float:
    if not beam.reaches(interface.at):
        raise ParameterError(
            f"interface {name!r} must lie on the beam, between 0 and {beam.length:g} m, got {interface.at:g} m"
        )
    return interface.at


def _masters(beam: Beam, named: Mapping[str, Interface], free: list[int]) -> list[int]:
    """Columns of the interfaces' components, each of them once and free to move."""
    masters: list[int] = []
    for name, interface in named.items():
        for component, column in zip(
            interface.components, columns(beam, {interface.at: interface.components}), strict=True
        ):
            if column not in free:
                raise ParameterError(f"component {component!r} of interface {name!r} is held and cannot carry a load")
            if column in masters:
                raise ParameterError(f"component {component!r} at {interface.at:g} m belongs to two interfaces")
            masters.append(column)
    return masters


def _check_held(inner: Matrix) -> None:
    """Raise where the supports leave the beam a rigid motion; judged without units."""
    scale = 1.0 / np.sqrt(np.diag(inner))
    if np.linalg.eigvalsh(inner * np.outer(scale, scale))[0] < 1e-11:
        raise ModelError("the held components leave the beam a rigid motion in its frame: hold w and theta, or w twice")


def _component(name: str) -> int:
    if name not in COMPONENTS:
        raise UnknownNameError("component", name, COMPONENTS)
    return COMPONENTS.index(name)


def _symmetric(matrix: Matrix) -> Matrix:
    return (matrix + matrix.T) / 2.0
