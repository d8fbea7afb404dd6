"""Rigid bodies as mass, centre and inertia, and what statics does with forces: lecture notes, 3.1 to 3.3.

Every function takes numbers or symbols. Vectors are columns of three in m, N or N m, all in one frame.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import sympy as sp

from ...errors import ModelError

Expr = Any
"""A SymPy expression."""
Vector = Sequence[Expr]
"""Three components, as a column of SymPy or any sequence."""


def _column(values: Vector) -> sp.Matrix:
    column = sp.Matrix(list(values))
    if column.shape != (3, 1):
        raise ModelError(f"a vector must have 3 components, got {len(column)}")
    return column


@dataclass(frozen=True)
class Solid:
    """A rigid body at rest in a frame.

    Attributes:
        mass: in kg. centre: centre of mass in m.
        inertia: tensor about the centre of mass in kg m^2; products of inertia with their sign (3.30b).
    """

    mass: Expr
    centre: sp.Matrix
    inertia: sp.Matrix

    def about(self, point: Vector) -> sp.Matrix:
        """The inertia tensor about another point, by Steiner (3.35)-(3.41)."""
        lever = self.centre - _column(point)
        return self.inertia + self.mass * (lever.dot(lever) * sp.eye(3) - lever * lever.T)


def solid_box(density: Expr, corner: Vector, size: Vector) -> Solid:
    """A box of a density in kg/m^3 from its corner with the least coordinates, edges along the axes."""
    a, b, c = edges = _column(size)
    mass = density * a * b * c
    inertia = mass / 12 * sp.diag(b**2 + c**2, a**2 + c**2, a**2 + b**2)
    return Solid(mass, _column(corner) + edges / 2, inertia)


def composite_solid(solids: Sequence[Solid]) -> Solid:
    """Several solids as one: centre (3.14), (3.15), and the inertia about it (3.35)-(3.41)."""
    if not solids:
        raise ModelError("a composite body needs at least one part, got none")
    mass = sum(solid.mass for solid in solids)
    centre = sum((solid.mass * solid.centre for solid in solids), sp.zeros(3, 1)) / mass
    inertia = sum((solid.about(centre) for solid in solids), sp.zeros(3))
    return Solid(mass, centre, inertia)


def reduce_forces(forces: Sequence[Vector], points: Sequence[Vector], about: Vector) -> tuple[sp.Matrix, sp.Matrix]:
    """Force and moment about a point of some forces at their points (3.1)-(3.3), (3.7); both zero in equilibrium."""
    if len(forces) != len(points):
        raise ModelError(f"every force needs its point, got {len(forces)} forces and {len(points)} points")
    total = sp.zeros(3, 1)
    moment = sp.zeros(3, 1)
    for force, point in zip(forces, points, strict=True):
        total += _column(force)
        moment += (_column(point) - _column(about)).cross(_column(force))
    return total, moment
