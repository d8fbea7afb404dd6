"""Contacts of all frames in slots, so that a contact that stays keeps its place from frame to frame."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float32]

MOST = 1500
"""Slots that are drawn; of more contacts only those with the largest forces."""


class Slots(NamedTuple):
    """Contacts by frame and slot: whether there is one, its point in m, normal force and friction in N, and whether it
    slides; and how many contacts were left out."""

    present: NDArray[np.bool_]
    point: Floats
    normal: Floats
    friction: Floats
    sliding: NDArray[np.bool_]
    left_out: int


def slots_of(frames: Sequence[NDArray[Any]], most: int = MOST) -> Slots:
    """Contacts of frames, records of CONTACT, in slots."""
    places = _places(frames)
    count = max((int(place.max()) + 1 for place in places if place.size), default=0)
    shape = (len(frames), count)
    whole = Slots(
        np.zeros(shape, bool), np.zeros((*shape, 3), np.float32), np.zeros((*shape, 3), np.float32),
        np.zeros((*shape, 3), np.float32), np.zeros(shape, bool), 0,
    )  # fmt: skip
    for i, (contacts, place) in enumerate(zip(frames, places, strict=True)):
        whole.present[i, place] = True
        for name in ("point", "normal", "friction", "sliding"):
            getattr(whole, name)[i, place] = contacts[name]
    return _strongest(_resting(whole), most)


def roomy(slots: Slots, count: int) -> Slots:
    """Slots with empty ones behind: at least so many, and a power of two where there must be more."""
    used = slots.present.shape[1]
    more = (count if used <= count else 1 << (used - 1).bit_length()) - used
    behind = ((0, 0), (0, more))
    vectors = (*behind, (0, 0))
    return Slots(
        np.pad(slots.present, behind), np.pad(slots.point, vectors), np.pad(slots.normal, vectors),
        np.pad(slots.friction, vectors), np.pad(slots.sliding, behind), slots.left_out,
    )  # fmt: skip


def _places(frames: Sequence[NDArray[Any]]) -> list[NDArray[np.int64]]:
    """The slot of each contact of each frame: that of its pair of bodies and its number among the contacts of it."""
    slots: dict[tuple[int, int, int], int] = {}
    free: list[int] = []
    size = 0
    found = []
    for contacts in frames:
        seen: dict[tuple[int, int], int] = defaultdict(int)
        keys = []
        for pair in zip(contacts["a"].tolist(), contacts["b"].tolist(), strict=True):
            keys.append((*pair, seen[pair]))
            seen[pair] += 1
        for gone in slots.keys() - set(keys):
            free.append(slots.pop(gone))
        for key in keys:
            if key not in slots:
                slots[key] = free.pop() if free else size
                size += slots[key] == size
        found.append(np.array([slots[key] for key in keys], np.int64))
    return found


def _resting(whole: Slots) -> Slots:
    """Empty slots keep the last point, so that nothing changes where nothing is drawn."""
    for i in range(1, len(whole.point)):
        empty = ~whole.present[i]
        whole.point[i, empty] = whole.point[i - 1, empty]
    return whole


def _strongest(whole: Slots, most: int) -> Slots:
    """The slots with the largest forces."""
    count = whole.present.shape[1]
    if count <= most:
        return whole
    largest = np.linalg.norm(whole.normal, axis=2).max(axis=0)
    kept = np.sort(np.argsort(largest)[count - most :])
    return Slots(
        whole.present[:, kept], whole.point[:, kept], whole.normal[:, kept], whole.friction[:, kept],
        whole.sliding[:, kept], count - most,
    )  # fmt: skip
