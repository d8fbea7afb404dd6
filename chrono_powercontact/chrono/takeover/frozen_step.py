"""Contacts that Chrono found, taken over in a step without Python: what `FrozenContacts.follow` does, compiled.

It leaves a step to Python if there are so many contacts that they are thinned out, if a material must be designed, or
if bodies are so deep in each other that they are to be parted.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from ...kernel import kernel
from ..contact.addresses import Directory, doubles, integers
from ..contact.bodies import SPEED_WIDTH
from ..implicit import step_context as on
from ..implicit import step_kernel as step
from .contact_patch import DIRECTIONS, FOUND
from .found_contacts import COUNT, FRESH, STEP
from .frozen import BEFORE, FROZEN_IN, HEAD, LISTED, REMEMBERED, ROW, TABLE, FrozenContacts, freeze_found
from .materials.designed_materials import PairTable
from .materials.pair_keys import lighter_of, pair_key

Array = Any

(
    STATUS, LIMITS, FOUND_STATUS, NOTED, MASSES, KEYS, MADE, SLOTS, TURNS, ROOM, SPARE, SIZE,
) = (0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 12, 15)  # fmt: skip
"""Arrays in a directory: status and limits; status and records of contacts that Chrono found; masses of the bodies in
kg; keys and numbers of the materials that are made; space for numbers of materials and for rotation matrices; three
arrays of elements, geometry and memory in use, and three of the step before."""

CONTACT = FOUND.itemsize // 8
"""Words of a contact that Chrono found."""

REACH, SPAN, GRAVITY, DEEPEST, NUMBERS = range(5)
"""Limits: gap in m up to which a material acts, largest distance in m of a point from the centre of its body, gravity
in m/s^2, and the depth in m beyond which bodies may have to be parted."""


@kernel
def widest_gap(limits: Array, w: Array, h: float) -> float:
    """Gap in m up to which a contact may act in a step h that begins with packed velocities w."""
    fast = 0.0
    turning = 0.0
    for i in range(0, w.size, SPEED_WIDTH):
        for k in range(3):
            fast = max(fast, abs(w[i + k]))
            turning = max(turning, abs(w[i + 3 + k]))
    return limits[REACH] + h * (6.0 * (fast + limits[SPAN] * turning) + 2.0 * h * limits[GRAVITY])


@kernel
def made_for(own: Array, contact: Any) -> int:
    """Number of the material of a contact, -1 if none is made yet."""
    keys = integers(own, KEYS)
    mass = lighter_of(doubles(own, MASSES), contact.a, contact.b)
    key = pair_key(mass, contact.surfaces[0], contact.surfaces[1])
    place = np.searchsorted(keys, key)
    if place == keys.size or keys[place] != key:
        return -1
    return integers(own, MADE)[place]


@kernel
def may_act(own: Array, contact: Any, gap: float) -> bool:
    """Whether the gap of a contact is at most a limit in m, and one of its bodies moves."""
    return contact.gap <= gap and lighter_of(doubles(own, MASSES), contact.a, contact.b) < np.inf


@kernel
def choose(own: Array, count: int, gap: float) -> int:
    """Find the materials of contacts that may act up to a gap in m; returns how many there are, -1 for Python."""
    found = doubles(own, NOTED).view(FOUND)
    slots = integers(own, SLOTS)
    deepest = doubles(own, LIMITS)[DEEPEST]
    chosen = 0
    for i in range(count):
        if not may_act(own, found[i], gap):
            continue
        slots[chosen] = made_for(own, found[i])
        if slots[chosen] < 0 or -found[i].gap > deepest:
            return -1
        chosen += 1
    return chosen


@kernel
def keep_near(own: Array, count: int, gap: float) -> None:
    """Move the contacts that may act up to a gap in m to the front."""
    found = doubles(own, NOTED).view(FOUND)
    kept = 0
    for i in range(count):
        if may_act(own, found[i], gap):
            found[kept] = found[i]
            kept += 1


@kernel
def enter_count(own: Array, directory: Array, count: int) -> None:
    """Enter so many elements into the arrays of a step."""
    first = step.FIRST_TABLE + step.PER_TABLE * integers(own, STATUS)[TABLE]
    for i, part, width in ((0, 0, HEAD), (1, 1, ROW), (3, 2, REMEMBERED)):
        directory[2 * (first + i)] = own[2 * (ROOM + part)]
        directory[2 * (first + i) + 1] = width * count


@kernel
def freeze_in_step(own: Array, directory: Array, number: int, h: float) -> int:
    """Use the contacts that Chrono found in a step h, by its number; returns SAME, CHANGED or LEAVES."""
    status = integers(own, STATUS)
    found = integers(own, FOUND_STATUS)
    count = found[COUNT] if found[FRESH] != 0 else 0
    if count == 0 and status[LISTED] == 0:
        found[FRESH] = 0
        status[FROZEN_IN] = number
        return on.SAME
    gap = widest_gap(doubles(own, LIMITS), doubles(directory, step.SPEEDS), h)
    near = choose(own, count, gap) if count <= DIRECTIONS else -1
    if near < 0:
        return on.LEAVES
    keep_near(own, count, gap)
    r = doubles(own, TURNS)
    freeze_found(
        doubles(own, NOTED)[: CONTACT * near], integers(own, SLOTS)[:near], doubles(directory, step.STATE),
        r.reshape(r.size // 9, 3, 3), integers(own, ROOM), doubles(own, ROOM + 1), doubles(own, ROOM + 2),
        integers(own, SPARE), doubles(own, SPARE + 1), doubles(own, SPARE + 2), status[LISTED],
    )  # fmt: skip
    found[FRESH] = 0
    status[FROZEN_IN] = number
    status[BEFORE] = status[LISTED]
    status[LISTED] = near
    enter_count(own, directory, near)
    return on.CHANGED


class FrozenStep:
    """Lets steps without Python use the contacts that Chrono finds.

    Attributes:
        directory: its arrays.
    """

    def __init__(self, frozen: FrozenContacts, context: int) -> None:
        self._frozen = frozen
        self._context = context
        self._limits = np.zeros(NUMBERS)
        self.directory = Directory(SIZE)
        self.directory.put(STATUS, frozen.status)
        self.directory.put(LIMITS, self._limits)
        self.directory.put(FOUND_STATUS, frozen.found.status)
        self.directory.put(SLOTS, np.zeros(DIRECTIONS, np.int64))
        self._turns = np.zeros(0)
        self._records: Any = None

    @property
    def is_possible(self) -> bool:
        """Whether compiled code can do what Python would, with all that was known in the last step of Python's."""
        return self._records is self._frozen.materials.records

    def follow(self, table: int, pairs: PairTable | None, limits: Sequence[float]) -> None:
        """A step is computed in Python: know what the next one needs.

        Args:
            table: number of the contacts' table in the arrays of a step. pairs: what materials are chosen by, None if
                compiled code cannot. limits: see REACH.
        """
        frozen = self._frozen
        frozen.found.status[STEP] = 0
        self._records = None
        if pairs is None or not frozen.found.is_led or not frozen.is_home:
            return
        frozen.found.status[STEP] = self._context
        self._records = frozen.materials.records
        put = self.directory.put
        frozen.status[TABLE] = table
        self._limits[:] = limits
        put(NOTED, frozen.found.records)
        for i, array in enumerate(pairs):
            put(MASSES + i, array)
        for i, array in enumerate(frozen.room):
            put(ROOM + i, array)
        if self._turns.size != 9 * len(pairs.masses):
            self._turns = np.zeros(9 * len(pairs.masses))
            put(TURNS, self._turns)
