"""Finite elements of a planar Euler-Bernoulli beam: cubic across the axis, linear along it.

Each node has three displacements (u, w, theta). Every integral over the beam is a sum over Gauss points; four per
element make all of them exact: mass, stiffness, and the shape integrals of the floating frame.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ...errors import ParameterError
from .beams import COMPONENTS, Beam

Matrix = NDArray[np.float64]
Held = Mapping[float, Sequence[str]]
"""Components held at zero, by station in m."""

CLAMPED: Held = {0.0: COMPONENTS}
"""Held at station 0 like a cantilever: the frame is the tangent there."""


@dataclass(frozen=True)
class Rows:
    """Shape functions at points of the axis, one row per point and one column per displacement of the nodes.

    Attributes:
        u, w: displacements along and across the axis. slope: dw/dx. strain: du/dx, in 1/m. curvature: d2w/dx2, in 1/m.
    """

    u: Matrix
    w: Matrix
    slope: Matrix
    strain: Matrix
    curvature: Matrix


@dataclass(frozen=True)
class GaussPoints:
    """Points of a quadrature over the beam.

    Attributes:
        x: stations in m. weight: in m. element: number of the element of each. rows: shape functions there.
    """

    x: Matrix
    weight: Matrix
    element: NDArray[np.int64]
    rows: Rows


def size(beam: Beam) -> int:
    """Number of displacements of all nodes."""
    return len(COMPONENTS) * len(beam.stations)


def shape_rows(beam: Beam, x: ArrayLike) -> Rows:
    """Shape functions at stations x in m."""
    x = np.atleast_1d(np.asarray(x, float))
    element = np.clip(np.searchsorted(beam.stations, x, side="right") - 1, 0, len(beam.sections) - 1)
    return _rows(beam, x, element)


def _rows(beam: Beam, x: Matrix, element: NDArray[np.int64]) -> Rows:
    nodes = np.array(beam.stations)
    length = np.diff(nodes)[element]
    s = (x - nodes[element]) / length
    out = {name: np.zeros((x.size, size(beam))) for name in ("u", "w", "slope", "strain", "curvature")}
    for name, first, values in _hermite(s, length):
        out[name][np.arange(x.size), 3 * element + first] = values
    return Rows(**out)


def _hermite(s: Matrix, length: Matrix) -> list[tuple[str, int, Matrix]]:
    """Shape functions of one element at s in 0 to 1: name, column within the element, values."""
    along = [("u", 0, 1 - s), ("u", 3, s), ("strain", 0, -1 / length), ("strain", 3, 1 / length)]
    value = (1 - 3 * s**2 + 2 * s**3, length * (s - 2 * s**2 + s**3), 3 * s**2 - 2 * s**3, length * (s**3 - s**2))
    slope = (6 * (s**2 - s) / length, 1 - 4 * s + 3 * s**2, 6 * (s - s**2) / length, 3 * s**2 - 2 * s)
    bend = ((12 * s - 6) / length**2, (6 * s - 4) / length, (6 - 12 * s) / length**2, (6 * s - 2) / length)
    across = [
        (name, column, values)
        for name, four in (("w", value), ("slope", slope), ("curvature", bend))
        for column, values in zip((1, 2, 4, 5), four, strict=True)
    ]
    return along + across


def gauss_points(beam: Beam, until: float | None = None) -> GaussPoints:
    """Four points per element from station 0 to the end, or to the station `until` in m."""
    nodes = np.minimum(np.array(beam.stations), beam.length if until is None else until)
    node, weight = np.polynomial.legendre.leggauss(4)
    lengths = np.diff(nodes)
    x = (nodes[:-1, None] + lengths[:, None] * (node + 1.0) / 2.0).ravel()
    element = np.repeat(np.arange(len(lengths)), node.size)
    return GaussPoints(x, (lengths[:, None] * weight / 2.0).ravel(), element, _rows(beam, x, element))


def of_sections(beam: Beam, name: str, points: GaussPoints) -> Matrix:
    """A property of the section at each Gauss point; a missing axial stiffness counts as zero."""
    return np.array([getattr(section, name) or 0.0 for section in beam.sections])[points.element]


def gram(left: Matrix, weight: Matrix, right: Matrix) -> Matrix:
    """Sum over the points of left^T weight right."""
    return left.T @ (weight[:, None] * right)


def stiffness_matrix(beam: Beam) -> Matrix:
    """Stiffness in N/m, N and N m: K = int EI w''^2 + EA u'^2 (2.50)."""
    points = gauss_points(beam)
    bending, axial = (points.weight * of_sections(beam, name, points) for name in ("bending", "axial"))
    rows = points.rows
    return gram(rows.curvature, bending, rows.curvature) + gram(rows.strain, axial, rows.strain)


def mass_matrix(beam: Beam) -> Matrix:
    """Consistent mass matrix in kg, kg m and kg m^2, with rotary inertia and rigid masses (2.37)."""
    points = gauss_points(beam)
    mass, rotary = (points.weight * of_sections(beam, name, points) for name in ("mass", "rotary"))
    rows = points.rows
    total = gram(rows.u, mass, rows.u) + gram(rows.w, mass, rows.w) + gram(rows.slope, rotary, rows.slope)
    for body in beam.masses:
        first = 3 * (beam.node(body.at) or 0)
        total[range(first, first + 3), range(first, first + 3)] += (body.mass, body.mass, body.inertia)
    return total


def columns(beam: Beam, held: Held) -> list[int]:
    """Columns of the components that are named per station."""
    found = []
    for at, components in held.items():
        for component in components:
            if component not in COMPONENTS:
                raise ParameterError(f"a component must be one of {', '.join(COMPONENTS)}, got {component!r}")
            found.append(3 * beam.stations.index(beam.node_at(at)) + COMPONENTS.index(component))
    return found


def free_columns(beam: Beam, held: Held) -> list[int]:
    """Columns that the supports and an inextensible axis leave free."""
    fixed = set(columns(beam, held))
    return [c for c in range(size(beam)) if c not in fixed and (beam.extensible or c % 3 != 0)]
