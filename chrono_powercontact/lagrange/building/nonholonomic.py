"""Constraints on velocities that no coordinate can remove: rolling, blades, wheels (3.47).

The builder integrates as many quasi-velocities u as there are freedoms left, q' = N u: every q' that N allows meets the
constraints, and their forces do no work in it, so the projection by N^T (d'Alembert) removes them.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import sympy as sp

from ...errors import ModelError
from ..model import TIME, coordinates, velocities

Expr = Any
"""A SymPy expression."""


def quasi_velocities(
    q: Sequence[sp.Symbol], named: Mapping[str, Expr], constraints: Sequence[Expr] = ()
) -> tuple[tuple[sp.Symbol, ...], sp.Matrix]:
    """Symbols of the quasi-velocities and the matrix N of q' = N u, for `Model(u=..., kinematics=...)`.

    Args:
        q: coordinates.
        named: each quasi-velocity by its name, linear in the coordinate velocities.
        constraints: what must vanish, linear in the coordinate velocities, in m/s or rad/s.
    """
    rates = velocities(tuple(q))
    rows = [*constraints, *named.values()]
    if len(rows) != len(rates):
        raise ModelError(
            f"{len(rates)} coordinates with {len(constraints)} constraints on their velocities need "
            f"{len(rates) - len(constraints)} quasi-velocities, got {len(named)}"
        )
    table = sp.Matrix([sp.sympify(row) for row in rows])
    matrix = table.jacobian(list(rates))
    rest = (table - matrix * sp.Matrix(rates)).applyfunc(sp.simplify)
    if matrix.has(*rates) or not rest.is_zero_matrix:
        raise ModelError(f"constraints and quasi-velocities must be linear in {list(rates)}, without other terms")
    if matrix.has(TIME):
        raise ModelError("constraints on velocities must not contain the time")
    if sp.simplify(matrix.det()) == 0:
        raise ModelError(f"the constraints and the quasi-velocities {list(named)} do not determine {list(rates)}")
    inverse = matrix.inv().applyfunc(sp.simplify)
    return coordinates(" ".join(named)), inverse[:, len(constraints) :]
