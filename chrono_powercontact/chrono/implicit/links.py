"""Links of a Chrono system as rows of their Jacobian over the bodies on the load, and the velocities they demand.

Chrono's step demands C v' = -(C_pos/h + C_t): the position error over the step, and the motion of motors. A row of C
comes from `LoadResidual_CqL` with a unit multiplier.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..api.bridge import body_key, pychrono
from ..api.views import Mirror
from ..contact.bodies import SPEED_WIDTH

Floats = NDArray[np.float64]

NEGLIGIBLE = 1e-12
"""Largest entry of a row that counts as none: the row of a link that does not act."""


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
    """The links between bodies on the load.

    Attributes:
        jacobian: a row for each constraint, over the packed velocities. demanded: velocities in m/s or rad/s.
        bodies: for each row the numbers of its moving bodies, -1 for none.
    """

    def __init__(self) -> None:
        self.clear()

    def clear(self) -> None:
        """No links."""
        self._sizes = (-1, -1)
        self._width = -1
        self._empty(0)

    def _empty(self, width: int) -> None:
        self._width = width
        self.jacobian = np.zeros((0, width))
        self.demanded = np.zeros(0)
        self.bodies = np.zeros((0, 2), np.int64)

    def read(self, system: Any, places: NDArray[np.int64], h: float) -> bool:
        """Read all rows at the present state, for a step of h; `places` are those of `Inertias`.

        Returns whether there may be other rows than before.
        """
        count = system.GetNumConstraintsBilateral()
        if count == 0:
            if self._width == places.size and not len(self.demanded):
                return False
            self._empty(places.size)
            return True
        self._resize(system)
        system.LoadConstraintJacobians()
        rows = np.array(list(self._rows(system, count)))
        demanded = self._demands(system, h)[:count]
        own = np.where(places >= 0, rows[:, np.maximum(places, 0)], 0.0)
        acting = np.abs(own).max(axis=1, initial=0.0) > NEGLIGIBLE
        self._width = places.size
        self.jacobian = np.ascontiguousarray(own[acting])
        self.demanded = demanded[acting]
        self.bodies = _bodies_of_rows(self.jacobian)
        return True

    def _resize(self, system: Any) -> None:
        """Vectors of Chrono for its numbers of velocities and constraints."""
        sizes = (system.GetNumCoordsVelLevel(), system.GetNumConstraints())
        if sizes != self._sizes:
            vector = pychrono().ChVectorDynamicd
            self._sizes = sizes
            self._pull = Mirror(vector(sizes[0]), sizes[0])
            self._unit = Mirror(vector(sizes[1]), sizes[1])
            self._missing = Mirror(vector(sizes[1]), sizes[1])

    def _rows(self, system: Any, count: int) -> Iterator[Floats]:
        """Rows of the Jacobian over all velocities of the system."""
        for i in range(count):
            self._pull.data[:] = 0.0
            self._unit.data[:] = 0.0
            self._unit.data[i] = 1.0
            self._pull.write()
            self._unit.write()
            system.LoadResidual_CqL(self._pull.vector, self._unit.vector, 1.0)
            yield self._pull.read().copy()

    def _demands(self, system: Any, h: float) -> Floats:
        """Velocities that the constraints demand over a step of h."""
        self._missing.data[:] = 0.0
        self._missing.write()
        system.LoadConstraint_C(self._missing.vector, 1.0 / h, False, 0.0)
        system.LoadConstraint_Ct(self._missing.vector, 1.0)
        return -self._missing.read()


def _bodies_of_rows(jacobian: Floats) -> NDArray[np.int64]:
    """For each row the first and last body with an entry; the second is -1 if there is only one."""
    bodies = jacobian.shape[1] // SPEED_WIDTH
    size = np.abs(jacobian.reshape(len(jacobian), bodies, SPEED_WIDTH)).max(axis=2)
    result = np.full((len(jacobian), 2), -1, np.int64)
    for row, entries in zip(result, size, strict=True):
        found = np.flatnonzero(entries > NEGLIGIBLE)
        row[: min(len(found), 2)] = found[:2]
    return result
