"""Forces and moments at points of bodies: the builder finds the generalised forces J_v^T f and J_w^T tau (3.70)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import sympy as sp

from ...errors import ModelError
from .jacobians import point_jacobian, turning_jacobian

Expr = Any
"""A SymPy expression."""


@dataclass(frozen=True)
class PointForce:
    """A force on a point of a body.

    Attributes:
        position: of the point in m, in inertial components; 2 of them in a plane, else 3.
        force: its components in N, in the same frame.
    """

    position: tuple[Expr, ...]
    force: tuple[Expr, ...]

    def __post_init__(self) -> None:
        if len(self.position) != len(self.force) or len(self.force) not in (2, 3):
            raise ModelError(
                f"a force and its point must both have 2 or 3 components, got {len(self.force)} and "
                f"{len(self.position)}"
            )

    def generalised(self, q: Sequence[sp.Symbol]) -> sp.Matrix:
        """J_v^T f along the coordinates."""
        return point_jacobian(sp.Matrix(self.position), q).T * sp.Matrix(self.force)


@dataclass(frozen=True)
class BodyMoment:
    """A moment on a body.

    Attributes:
        rotation: matrix that maps components in the body's frame to inertial ones, 3 by 3.
        moment: its three inertial components in N m.
    """

    rotation: sp.Matrix
    moment: tuple[Expr, ...]

    def __post_init__(self) -> None:
        if self.rotation.shape != (3, 3) or len(self.moment) != 3:
            raise ModelError(
                f"a moment needs 3 components and a rotation matrix of shape (3, 3), got {len(self.moment)} and "
                f"{self.rotation.shape}"
            )

    def generalised(self, q: Sequence[sp.Symbol]) -> sp.Matrix:
        """J_w^T tau along the coordinates."""
        return turning_jacobian(self.rotation, q).T * sp.Matrix(self.moment)


Load = PointForce | BodyMoment
