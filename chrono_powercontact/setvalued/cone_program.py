"""The largest value of a linear function of contact forces that meet a balance within their cones, by Clarabel.

    maximise c lambda   where   A lambda = b,   lambda in a product of cones

In a plane this is a linear program, in space a second-order cone program. It is solved through its dual, which has an
unknown for each velocity y of the bodies instead of one for each force:

    minimise b y   where   A' y - c   in the dual cones.

Only c changes from one bound to the next, so that the program is set up once.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import clarabel
import numpy as np
from scipy.sparse import block_diag, csc_array, csc_matrix

from ..errors import DivergedError, NoFeasibleForceError
from .contact_set import Matrix, Touching, Vector

NOTHING_HOLDS = "no force within the friction cones keeps the balance: the bodies must move"

REACHED = ("Solved", "AlmostSolved")
WITHOUT_LIMIT = ("PrimalInfeasible", "AlmostPrimalInfeasible")
WITHOUT_FORCE = ("DualInfeasible", "AlmostDualInfeasible")
"""How Clarabel ends where there is a largest value, where there is none, and where no force meets the balance."""


class Cones(NamedTuple):
    """Friction cones of some contacts, over what they span.

    Attributes:
        spread: components of the forces as functions of what the cones span.
        sides: from what the cones span to rows (normal, mu times tangential) of unit second-order cones: of the dual
            cones. sizes: rows of each.
    """

    spread: Matrix
    sides: csc_array
    sizes: list[int]


def cones_of(contacts: Sequence[Touching]) -> Cones:
    """The cones of contacts; where a contact slides or has no friction, its normal force spans a ray."""
    blocks = [contact.directions for contact in contacts]
    sides = []
    for contact, block in zip(contacts, blocks, strict=True):
        side = np.roll(np.eye(block.shape[1]), 1, axis=0)
        side[1:] *= contact.mu
        sides.append(side)
    return Cones(block_diag(blocks).toarray(), csc_array(block_diag(sides)), [len(side) for side in sides])


def clarabel_cones(sizes: Sequence[int]) -> list[Any]:
    """Cones of Clarabel: half-lines, and second-order cones of two or three rows."""
    return [clarabel.NonnegativeConeT(1) if size == 1 else clarabel.SecondOrderConeT(size) for size in sizes]


def quiet_settings(refined: bool) -> Any:
    """Settings of Clarabel; without refinement of its linear solutions it is nearly twice as fast."""
    settings = clarabel.DefaultSettings()
    settings.verbose = False
    settings.presolve_enable = False
    settings.iterative_refinement_enable = refined
    return settings


class ConeProgram:
    """Bounds of linear functions over the forces of some contacts."""

    def __init__(self, cones: Cones, a: Matrix, b: Vector) -> None:
        self.cones = cones
        self.scale = max(float(np.abs(b).max(initial=0.0)), 1e-300)
        self.b = b / self.scale
        self.rows = csc_matrix(-(cones.sides @ csc_array(a.T)))
        self.solvers: dict[bool, Any] = {}

    def _solver(self, refined: bool) -> Any:
        """A solver that is ready for any objective."""
        if refined not in self.solvers:
            size = self.b.size
            self.solvers[refined] = clarabel.DefaultSolver(
                csc_matrix((size, size)), self.b, self.rows, np.zeros(self.rows.shape[0]),
                clarabel_cones(self.cones.sizes), quiet_settings(refined),
            )  # fmt: skip
        return self.solvers[refined]

    def largest(self, objective: Vector) -> float:
        """Largest value of a function of what the cones span, in the unit of b; inf where it has no limit."""
        status = ""
        for refined in (False, True):
            solver = self._solver(refined)
            solver.update(b=-(self.cones.sides @ objective))
            found = solver.solve()
            status = str(found.status)
            if status in REACHED:
                return float(found.obj_val) * self.scale
            if status in WITHOUT_LIMIT:
                return np.inf
            if status in WITHOUT_FORCE:
                raise NoFeasibleForceError(NOTHING_HOLDS)
        raise DivergedError(f"the bounds of the contact forces were not found: Clarabel ended with {status}")
