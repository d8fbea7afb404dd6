"""Directions in which points move and bodies turn: J_v and J_w (3.72), (3.73)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import sympy as sp

Expr = Any
"""A SymPy expression."""


def skew(v: Sequence[Expr] | sp.Matrix) -> sp.Matrix:
    """S(v) with S(v) w = v x w."""
    x, y, z = v
    return sp.Matrix([[0, -z, y], [z, 0, -x], [-y, x, 0]])


def axial(matrix: sp.Matrix) -> sp.Matrix:
    """The vector v of a skew-symmetric matrix S(v)."""
    return sp.Matrix([matrix[2, 1], matrix[0, 2], matrix[1, 0]])


def point_jacobian(position: sp.Matrix, q: Sequence[sp.Symbol]) -> sp.Matrix:
    """J_v of a point given by its position in m (3.72): its velocity is J_v q' plus what a moving base adds."""
    return sp.Matrix(position).jacobian(list(q))


def turning_jacobian(rotation: sp.Matrix, q: Sequence[sp.Symbol]) -> sp.Matrix:
    """J_w of a body given by its rotation matrix, in inertial components (3.73)."""
    columns = [axial(rotation.diff(c) * rotation.T).applyfunc(sp.simplify) for c in q]
    return sp.Matrix.hstack(*columns)
