"""Vectors and matrices of PyChrono in which contacts are handed to a callback of the script, step after step the same.

Chrono itself hands out objects that exist during the call only. To make new ones for each contact would take longer
than to solve for it. Their numbers are written by one kernel, where a check shows that this is possible.
"""

from __future__ import annotations

from functools import cache
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ...kernel import kernel
from ..api.bridge import pychrono
from ..contact.addresses import doubles_at

Array = Any


class Shown(NamedTuple):
    """What a callback is shown of a contact, as PyChrono's objects: see `ContactReport`."""

    point_a: Any
    point_b: Any
    plane: Any
    force: Any
    torque: Any


ON_A, ON_B, PLANE, FORCE, TORQUE = range(5)
"""Places of the objects of a contact, in the order of `Shown`."""


@kernel
def write_shown(places: Array, seen: Array) -> None:
    """Write contacts, records of SEEN, to the objects at some addresses."""
    for i in range(seen.size):
        contact = seen[i]
        on_a = doubles_at(places[i, ON_A], 3)
        on_b = doubles_at(places[i, ON_B], 3)
        plane = doubles_at(places[i, PLANE], 9)
        force = doubles_at(places[i, FORCE], 3)
        torque = doubles_at(places[i, TORQUE], 3)
        for k in range(3):
            on_a[k] = contact.on_a[k]
            on_b[k] = contact.on_b[k]
            force[k] = contact.force[k]
            torque[k] = contact.torque[k]
            for j in range(3):
                plane[3 * k + j] = contact.plane[k, j]


def new_shown() -> Shown:
    """New objects for a contact."""
    chrono = pychrono()
    vector = chrono.ChVector3d
    return Shown(vector(), vector(), chrono.ChMatrix33d(), vector(), vector())


def places_of(shown: Shown) -> list[int]:
    """Where the numbers of the objects are."""
    return [int(thing.this) for thing in shown]


@cache
def can_be_written() -> bool:
    """Whether vectors and matrices of PyChrono are in memory what `write_shown` takes them for: set and read back."""
    shown = new_shown()
    shown.point_a.Set(1.5, -2.25, 3.125)
    shown.plane.SetFromAxisX(pychrono().ChVector3d(0.6, 0.8, 0.0), pychrono().VECT_Y)
    vector = doubles_at(int(shown.point_a.this), 3)
    matrix = doubles_at(int(shown.plane.this), 9)
    return bool(vector.tolist() == [1.5, -2.25, 3.125] and np.allclose(matrix, [0.6, -0.8, 0, 0.8, 0.6, 0, 0, 0, 1]))


class ReportPool:
    """Objects for as many contacts as there ever were in a step."""

    def __init__(self) -> None:
        self._shown: list[Shown] = []
        self._places = np.zeros((0, len(Shown._fields)), np.int64)

    def show(self, seen: NDArray[Any]) -> list[Shown]:
        """The objects of the first contacts, with the numbers of these, records of SEEN."""
        if len(seen) > len(self._shown):
            self._shown += [new_shown() for _ in range(2 * len(seen) - len(self._shown))]
            self._places = np.array([places_of(shown) for shown in self._shown], np.int64)
        write_shown(self._places, seen)
        return self._shown
