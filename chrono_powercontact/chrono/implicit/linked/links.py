"""Links of a Chrono system as rows of their Jacobian over the bodies on the load, and the velocities they demand.

Chrono's step demands C v' = -(C_pos/h + C_t): the position error over the step, up to a speed, and the motion of
motors; of a limit, which pushes only, C v' >= that. A row of C comes from `LoadResidual_CqL` with a unit multiplier.
Rows that share no body come from one call, see `row_plan`.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ...api.bridge import body_key, pychrono
from ..island import LOOSE
from .row_plan import RowPlan, SystemRows

Floats = NDArray[np.float64]


def bodies_of(link: Any) -> list[Any]:
    """The bodies that a link connects; none for a link between other things."""
    chrono = pychrono()
    between = chrono.CastToChLink(link)
    if between is None:
        return []
    frames = (between.GetBody1(), between.GetBody2())
    found = [chrono.CastToChBody(frame) for frame in frames if frame is not None]
    return [body for body in found if body is not None]


def linked(system: Any, bodies: Sequence[Any]) -> list[Any]:
    """Bodies that links connect to the given ones, over any number of links; fixed bodies connect nothing."""
    known = {body_key(body) for body in bodies}
    more: list[Any] = []
    pairs = [pair for pair in (bodies_of(link) for link in system.GetLinks()) if len(pair) == 2]
    grown = True
    while grown:
        grown = False
        for first, second in pairs:
            for here, there in ((first, second), (second, first)):
                if body_key(here) in known and not here.IsFixed() and body_key(there) not in known:
                    known.add(body_key(there))
                    more.append(there)
                    grown = True
    return more


class LinkRows:
    """The links between bodies on the load, with room behind them for rows of springs.

    Attributes:
        jacobian: a row for each constraint, over the packed velocities. demanded: velocities in m/s or rad/s.
        bodies: for each row the numbers of its moving bodies, -1 for none. softness: zero for a link.
        one_sided: 1 for a row that pushes only. impulse: of each row in the last step, in N s or N m s.
        plan: how the rows are read, None if there are none.
    """

    def __init__(self) -> None:
        self._rows: SystemRows | None = None
        self.clear()

    def clear(self) -> None:
        """No links; they are found anew at the next step."""
        self.plan: RowPlan | None = None
        self._known: tuple[int, ...] = ()
        self._make_room(0, 0)

    @property
    def numbers(self) -> NDArray[np.int64]:
        """Numbers of the links' rows among Chrono's constraints."""
        return self.plan.numbers if self.plan is not None else np.zeros(0, np.int64)

    def clamp(self, system: Any) -> float:
        """Largest speed in m/s or rad/s at which Chrono's step corrects what a link misses; 0 if it is any."""
        return self._rows.clamp(system) if self._rows is not None else 0.0

    def _make_room(self, rows: int, width: int) -> None:
        self.jacobian = np.zeros((rows, width))
        self.demanded = np.zeros(rows)
        self.bodies = np.full((rows, 2), -1, np.int64)
        self.softness = np.zeros(rows)
        self.one_sided = np.zeros(rows, np.int64)
        self.impulse = np.zeros(rows)

    def read(self, system: Any, places: NDArray[np.int64], h: float, springs: int = 0) -> bool:
        """Read all rows at the present state, for a step of h; `places` are those of `Inertias`.

        Returns whether the arrays are others than before.
        """
        if self._rows is None:
            self._rows = SystemRows(type(system))
        known = (*self._rows.sizes(system), places.size, springs)
        if known == self._known and (self.plan is None or self.plan.read(system, h, self.jacobian, self.demanded)):
            return False
        self._known = known
        self.plan = RowPlan(system, self._rows, places) if self._rows.count(system) > 0 else None
        rows = len(self.plan.bodies) if self.plan is not None else 0
        self._make_room(rows + springs, places.size)
        if self.plan is not None:
            self.bodies[:rows] = self.plan.bodies
            self.one_sided[:rows] = self.plan.one_sided
            self.softness[:rows] = LOOSE * self.plan.one_sided
            self.plan.read(system, h, self.jacobian, self.demanded)
        return True
