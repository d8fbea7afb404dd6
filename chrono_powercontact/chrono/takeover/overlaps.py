"""Bodies that overlap deeply when they first meet, as at the start of a script, are parted gently.

The law of a contact would store the energy of the whole overlap and throw them apart. Until such a pair has parted, all
its contacts therefore push with a bounded force up to a low speed, each along its axis of least overlap.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..api.telling import Once
from ..contact.contact_table import Instant
from ..contact.readings import body_name
from ..contact.records import REPORT, TOTALS, empty, flat
from .frozen import FrozenContacts
from .materials.designed_materials import DesignedMaterials
from .near_list import NearList

DEEP = 10.0
PARTED = 2.0
"""Overlaps, relative to the penetration at rest, from which on a pair is parted, and below which it has parted."""
OVERLAP = "overlap"

Touching = NearList | FrozenContacts


def pairs_of(elements: NDArray[Any]) -> NDArray[np.int64]:
    """A number for the two bodies of each element."""
    return (np.minimum(elements["a"], elements["b"]) << 32) | np.maximum(elements["a"], elements["b"])


class Overlaps:
    """The pairs of bodies that are being parted."""

    def __init__(self, materials: DesignedMaterials, once: Once) -> None:
        self._materials = materials
        self._once = once
        self._pairs = np.zeros(0, np.int64)
        self._met = np.zeros(0, np.int64)
        self._due = True
        self._rebuilds = -1
        self._designed = np.zeros(0, np.int64)

    def look_again(self) -> None:
        """Bodies or shapes may have come: look for new overlaps at the next step."""
        self._due = True

    def part(self, near: NearList, frozen: FrozenContacts, bodies: list[Any], at: Instant) -> None:
        """Give the contacts of overlapping pairs the material that parts them."""
        if not (self._due or self._pairs.size):
            return
        near.follow(at)
        frozen.follow(at)
        if near.rebuilds != self._rebuilds:
            self._rebuilds = near.rebuilds
            self._designed = near.elements["material"].copy()
        lists: tuple[tuple[Touching, NDArray[np.int64]], ...] = (
            (near, self._designed),
            (frozen, frozen.elements["material"].copy()),
        )
        pairs = [pairs_of(table.elements) for table, _ in lists]
        depths = [self._depths(table, designed, at) for table, designed in lists]
        if self._due:
            self._begin(np.concatenate(pairs), np.concatenate(depths), bodies)
        before = self._pairs
        deep = [own[depth > PARTED] for own, depth in zip(pairs, depths, strict=True)]
        self._pairs = np.intersect1d(before, np.concatenate(deep))
        for (table, designed), own in zip(lists, pairs, strict=True):
            self._set(table, designed, np.isin(own, before), np.isin(own, self._pairs))

    def _depths(self, table: Touching, designed: NDArray[np.int64], at: Instant) -> NDArray[np.float64]:
        """Overlap of each element, relative to the penetration of its material at rest."""
        lines = empty(REPORT, len(table.elements))
        table.report(replace(at, commit=False), np.zeros(at.w.size), flat(empty(TOTALS, 1)), lines)
        penetration = self._materials.penetrations()[designed]
        known = penetration > 0.0
        return np.divide(-lines["gap"], penetration, out=np.zeros(known.size), where=known)

    def _begin(self, pairs: NDArray[np.int64], depth: NDArray[np.float64], bodies: list[Any]) -> None:
        """Take up the pairs that overlap deeply and were not near before."""
        self._due = False
        found = np.unique(pairs[(depth > DEEP) & ~np.isin(pairs, self._met)])
        self._met = np.union1d(self._met, pairs)
        self._pairs = np.union1d(self._pairs, found)
        if found.size:
            first, second = (body_name(bodies[number]) for number in (found[0] >> 32, found[0] & 0xFFFFFFFF))
            self._once.tell(
                OVERLAP,
                f"{found.size} pairs of bodies overlap by more than {DEEP:g} times the penetration at rest, such as "
                f"{first!r} and {second!r}: they are parted gently",
            )

    def _set(
        self, table: Touching, designed: NDArray[np.int64], before: NDArray[np.bool_], now: NDArray[np.bool_]
    ) -> None:
        """Set the materials of the elements that are parted, and those of elements that have parted."""
        material = table.elements["material"]
        material[before & ~now] = designed[before & ~now]
        for slot in np.unique(designed[now]).tolist():
            material[now & (designed == slot)] = self._materials.parting(slot)
        table.flatten()


def overlaps(materials: Any, once: Once) -> Overlaps | None:
    """The overlaps of a take-over with designed materials."""
    return Overlaps(materials, once) if isinstance(materials, DesignedMaterials) else None
