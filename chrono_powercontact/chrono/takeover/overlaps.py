"""Bodies that overlap deeply when they first meet, as at the start of a script, are parted gently.

Bodies with foreign shapes may also meet later on without a warning: Chrono finds a mesh only where it is almost
touched, and other points than before where two shapes are deep inside each other.

The law of a contact would store the energy of the whole overlap and throw them apart. Instead, such a pair begins as
if its surfaces just touched: its gap is taken larger by an allowance, the depth at the start. The allowance then
shrinks at a low speed, and only as long as the bodies follow. Meanwhile the contact is soft and without friction. Once
the bodies overlap no more than they do at rest, the designed law acts. Two boxes are parted along their axis of least
overlap, all other pairs along the normals of their contacts. Bodies whose relative motion a link prescribes cannot
part: contact between shapes of theirs that overlap is left out.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ...laws.normal.restriction import SmoothRestriction
from ..api.telling import Once
from ..contact.bodies import STATE_WIDTH, rotations
from ..contact.contact_table import Instant
from ..contact.readings import body_name
from ..contact.records import ELEMENT, GEOMETRY, MEMORY, empty
from .box_overlap import BOX_OVERLAP, put_overlaps
from .contact_patch import FOUND
from .frozen import FrozenContacts, body_pairs, freeze
from .materials.designed_materials import DesignedMaterials, Easing
from .narrowphase import NAMES, PLACES
from .near_list import NearList
from .solids.solid_pairs import BOX

DEEP = 3.0
PARTED = 2.0
"""Overlaps, relative to the penetration at rest, from which on a pair is parted, and below which it has parted. At
three times the penetration a contact pushes with 20 weights."""
LATER = 5.0
"""The same for foreign shapes that meet later on: the energy of 400 weights over such a depth is still small."""
PRESSED = 2.0
"""Depth, relative to the penetration at rest of the soft law, beyond which the bodies do not follow the allowance."""
SQUEEZED = 3.0
"""Largest depth, relative to the same, from which such a contact may push: 20 weights. Where the overlap grows or
jumps, because another pair of faces has become the nearest, the allowance grows with it."""
LARGE_PART = 0.49
"""Part of the largest force of a law up to which its depth is known by its load: the elastic force is half of it."""
LEAST = -5.0
"""Least allowance, relative to the same: it presses out what a body sinks into a soft contact."""
SILENT = 1e3
"""Allowance in sizes that no body exceeds: contacts at corners of boxes that are parted otherwise."""
OVERLAP = "overlap"
LINKED = "linked"

Array = Any
Floats = NDArray[np.float64]
Ints = NDArray[np.int64]
Boxes = dict[int, Any]
"""Overlaps of pairs of boxes, records of BOX_OVERLAP by the key of the pair."""
Touching = NearList | FrozenContacts


@dataclass
class Parting:
    """A pair that is being parted: allowance and depth in m, number of its designed material, easing of its contact."""

    allowance: float
    depth: float
    material: int
    easing: Easing

    @property
    def parted(self) -> bool:
        """Whether the bodies overlap no more than at rest."""
        return self.depth <= PARTED * self.easing.at_rest

    def shrink(self, step: float) -> None:
        """Shrink the allowance over a step in s, if the bodies follow."""
        soft = self.easing.penetration
        self.allowance = max(self.allowance, self.depth - SQUEEZED * soft)
        if self.depth - self.allowance < PRESSED * soft:
            self.allowance = max(self.allowance - self.easing.speed * step, LEAST * soft)


class Overlaps:
    """The pairs that are being parted: of two shapes in our list, of two bodies among Chrono's contacts."""

    def __init__(self, materials: DesignedMaterials, once: Once) -> None:
        self._materials = materials
        self._once = once
        self._pairs: dict[int, Parting] = {}
        self._met = np.zeros(0, np.int64)
        self._due = True
        self._lately = False
        self._rebuilds = -1
        self._given = np.zeros(0)
        self._designed = np.zeros(0, np.int64)
        self._rests: list[float] = []
        self._least = np.inf

    def parted_lately(self) -> bool:
        """Whether bodies were being parted since this was last asked."""
        lately = self._lately or bool(self._pairs)
        self._lately = False
        return lately

    @property
    def are_done(self) -> bool:
        """Whether no pair is being parted, and there is no need to look for others."""
        return not (self._due or self._pairs or self._given.size)

    @property
    def is_idle(self) -> bool:
        """Whether nothing was given to the list in this step."""
        return not self._given.any()

    @property
    def deepest(self) -> float:
        """Depth in m up to which contacts that Chrono finds need no look; below all depths if that is not known."""
        known = self._rests and len(self._rests) == len(self._materials.records)
        return LATER * self._least if known else -np.inf

    def look_again(self) -> None:
        """Bodies or shapes may have come: look for new overlaps at the next step."""
        self._due = True

    def part(self, near: NearList, frozen: FrozenContacts, bodies: list[Any], at: Instant) -> None:
        """Give the contacts of overlapping pairs their allowance and a soft material, once a step after `take_back`."""
        frozen.follow(at)
        new = self._begin_deep(frozen)
        if not (self._due or self._pairs or new):
            return
        near.follow(at)
        self._designed = near.elements["material"].copy()
        keys = near.keys // PLACES, body_pairs(frozen.elements)
        designed = self._designed, frozen.elements["material"].copy()
        gaps = _gaps(near, at), _gaps(frozen, at)
        boxes = self._boxes(near, keys[0], at)
        depths = _depths(np.concatenate(keys), np.concatenate(gaps), boxes)
        if self._due and self._begin(depths, np.concatenate(keys), np.concatenate(designed), near, frozen, bodies):
            self.part(near, frozen, bodies, at)
            return
        self._lately = self._lately or bool(self._pairs)
        self._go_on(depths, max(at.since, at.ahead))
        self._give_near(near, keys[0], boxes)
        self._give_frozen(frozen, keys[1])
        self._add_boxes(near, frozen, boxes, at)
        self._rebuilds = near.rebuilds

    def _begin_deep(self, frozen: FrozenContacts) -> bool:
        """Take up pairs with foreign shapes that begin to touch deep inside each other; whether there are any."""
        if self._due or not frozen.gaps.size or -frozen.gaps.min() <= LATER * self._least_rest():
            return False
        depths = -frozen.gaps
        slots = frozen.elements["material"][: depths.size]
        deep = np.flatnonzero(depths > LATER * self._at_rest(slots))
        if not deep.size:
            return False
        keys = body_pairs(frozen.elements[deep])
        found = False
        for key, depth, slot in zip(keys.tolist(), depths[deep].tolist(), slots[deep].tolist(), strict=True):
            easing = self._materials.easing(slot)
            if easing is None or (key in self._pairs and depth <= self._pairs[key].depth):
                continue
            if key in self._pairs or depth > self._expected(slot, frozen.before.get(key, 0.0)) + LATER * easing.at_rest:
                self._pairs[key] = Parting(depth, depth, slot, easing)
                found = True
        return found

    def _expected(self, slot: int, load: float) -> float:
        """Depth in m at which a material carries a load in N; 0 if there was none."""
        if load == 0.0:
            return 0.0
        law = self._materials.laws[slot].normal
        if not isinstance(law, SmoothRestriction):
            return np.inf
        return max(-law.rest_distance(min(load, LARGE_PART * law.r_f)), 0.0)

    def _at_rest(self, slots: Ints) -> Floats:
        """Penetration at rest in m of designed materials by number; infinite for those that a user gave."""
        self._know_rests()
        return np.array(self._rests)[slots]

    def _least_rest(self) -> float:
        """The least of all of them in m."""
        if len(self._rests) != len(self._materials.records):
            self._know_rests()
        return self._least

    def _know_rests(self) -> None:
        """Find the penetration at rest of materials that are new."""
        for slot in range(len(self._rests), len(self._materials.records)):
            easing = self._materials.easing(slot) if self._materials.surface_at(slot) is not None else None
            self._rests.append(np.inf if easing is None else easing.at_rest)
        self._least = min(self._rests)

    def take_back(self, near: NearList) -> None:
        """Undo what was given to the list in the last step, unless it has been built anew since."""
        if not self._given.size:
            return
        if self._rebuilds == near.rebuilds and self._given.size == len(near.elements):
            near.geometry["a_radius"] += self._given
            near.elements["material"] = self._designed
        self._given = np.zeros(0)

    def _boxes(self, near: NearList, keys: Ints, at: Instant) -> Boxes:
        """Overlaps of the pairs of boxes that matter: new ones if it is time to look, else those being parted."""
        chosen = np.unique(keys) if self._due else np.array([key for key in self._pairs if key >= 0], np.int64)
        if not chosen.size:
            return {}
        traits = near.shapes.traits
        names = np.stack(np.divmod(chosen, NAMES), axis=1)
        present = np.isin(names, traits["name"]).all(axis=1)
        order = np.argsort(traits["name"])
        pairs = order[np.searchsorted(traits["name"], names[present], sorter=order)]
        boxes = (traits["kind"][pairs] == BOX).all(axis=1)
        found = np.zeros(np.count_nonzero(boxes), BOX_OVERLAP)
        put_overlaps(pairs[boxes], near.shapes.records, traits, at.x, _rotations(at), found)
        return dict(zip(chosen[present][boxes].tolist(), found, strict=True))

    def _begin(
        self, depths: dict[int, float], keys: Ints, designed: Ints, near: NearList, frozen: FrozenContacts,
        bodies: list[Any],
    ) -> bool:  # fmt: skip
        """Take up the pairs that overlap deeply and were not near before; whether some of them were left out."""
        self._due = False
        different, where = np.unique(keys, return_index=True)
        new = ~np.isin(different, self._met)
        self._met = np.union1d(self._met, different)
        elements = np.concatenate([near.elements, frozen.elements])
        parted = []
        linked = {}
        for key, place in zip(different[new].tolist(), where[new].tolist(), strict=True):
            easing = self._materials.easing(int(designed[place]))
            if easing is None or depths[key] <= DEEP * easing.at_rest:
                continue
            pair = bodies[elements["a"][place]], bodies[elements["b"][place]]
            if self._materials.are_locked(*pair):
                linked[key] = pair
                continue
            self._pairs[key] = Parting(depths[key], depths[key], int(designed[place]), easing)
            parted.append(pair)
        self._tell(parted, list(linked.values()))
        near.leave_out([key for key in linked if key >= 0])
        frozen.leave_out([key for key in linked if key < 0])
        return bool(linked)

    def _tell(self, parted: list[tuple[Any, Any]], linked: list[tuple[Any, Any]]) -> None:
        """Warn of pairs of bodies that are parted, and of those that cannot part."""
        for pairs, kind, what in (
            (parted, OVERLAP, "they are parted gently"),
            (linked, LINKED, "a link prescribes how they move relative to each other, so they do not touch"),
        ):
            if pairs:
                first, second = map(body_name, pairs[0])
                self._once.tell(
                    kind,
                    f"{len(pairs)} pairs of bodies overlap by more than {DEEP:g} times the penetration at rest, such "
                    f"as {first!r} and {second!r}: {what}",
                )

    def _go_on(self, depths: dict[int, float], step: float) -> None:
        """Let go of pairs that have parted or are out of reach; shrink the allowances of the others."""
        for key, pair in list(self._pairs.items()):
            pair.depth = depths.get(key, -np.inf)
            if pair.parted:
                del self._pairs[key]
                continue
            pair.easing = self._materials.easing(pair.material, step) or pair.easing
            pair.shrink(step)

    def _give_near(self, near: NearList, keys: Ints, boxes: Boxes) -> None:
        """Give the contacts of our list their allowance; those of two boxes none that could act."""
        own, pairs = self._parting(keys)
        silent = SILENT * near.shapes.size
        self._given = np.zeros(len(keys))
        self._given[own] = [silent if key in boxes else pair.allowance for key, pair in pairs]
        near.elements["material"][own] = [pair.easing.material for _, pair in pairs]
        near.geometry["a_radius"] -= self._given
        near.flatten()

    def _give_frozen(self, frozen: FrozenContacts, keys: Ints) -> None:
        """Give the contacts that Chrono found their allowance."""
        own, pairs = self._parting(keys)
        frozen.geometry["a_radius"][own] = [-pair.allowance for _, pair in pairs]
        frozen.elements["material"][own] = [pair.easing.material for _, pair in pairs]
        frozen.flatten()

    def _parting(self, keys: Ints) -> tuple[Ints, list[tuple[int, Parting]]]:
        """Numbers of the elements whose pairs are being parted, from the keys of their pairs, and these pairs."""
        own = np.flatnonzero(np.isin(keys, list(self._pairs)))
        return own, [(key, self._pairs[key]) for key in keys[own].tolist()]

    def _add_boxes(self, near: NearList, frozen: FrozenContacts, boxes: Boxes, at: Instant) -> None:
        """Add a contact between two boxes along their axis of least overlap to those that Chrono found."""
        traits = near.shapes.traits
        bodies = dict(zip(traits["name"].tolist(), traits["body"].tolist(), strict=True))
        rows = []
        pairs = [(key, pair) for key, pair in self._pairs.items() if key in boxes]
        for key, _ in pairs:
            rows.append(_found(boxes[key], *(bodies[name] for name in divmod(key, NAMES))))
        if not rows:
            return
        elements = empty(ELEMENT, len(rows))
        geometry = empty(GEOMETRY, len(rows))
        freeze(np.array(rows, FOUND), at.x, _rotations(at), elements, geometry)
        geometry["a_radius"] = [-pair.allowance for _, pair in pairs]
        elements["material"] = [pair.easing.material for _, pair in pairs]
        frozen.elements = np.append(frozen.elements, elements)
        frozen.geometry = np.append(frozen.geometry, geometry)
        frozen.memory = np.append(frozen.memory, empty(MEMORY, len(rows)))
        frozen.flatten()


def _rotations(at: Instant) -> Floats:
    """Rotation matrices of all bodies at a state."""
    r = np.empty((at.x.size // STATE_WIDTH, 3, 3))
    rotations(at.x, r)
    return r


def _found(overlap: Any, a: int, b: int) -> tuple[Any, ...]:
    """An overlap of two bodies, a record of BOX_OVERLAP, as a contact that Chrono might have found, see FOUND."""
    sign = 1.0 if a < b else -1.0
    axis = sign * overlap["axis"]
    depth = float(overlap["depth"])
    return overlap["middle"] - 0.5 * depth * axis, axis, -depth, min(a, b), max(a, b), (0, 0)


def _gaps(table: Touching, at: Instant) -> Floats:
    """Gap of each element in m."""
    gaps: Floats = table.reported(at)["gap"]
    return gaps


def _depths(keys: Ints, gaps: Floats, boxes: Boxes) -> dict[int, float]:
    """Largest overlap of each pair in m."""
    different, back = np.unique(keys, return_inverse=True)
    deepest = np.full(different.size, -np.inf)
    np.maximum.at(deepest, back, -gaps)
    return dict(zip(different.tolist(), deepest.tolist(), strict=True)) | {
        key: float(overlap["depth"]) for key, overlap in boxes.items()
    }


def overlaps(materials: Any, once: Once) -> Overlaps | None:
    """The overlaps of a system whose materials are designed; None with a given material, whose law is the user's."""
    return Overlaps(materials, once) if isinstance(materials, DesignedMaterials) else None
