"""Contact elements of pairs of shapes with a surface of many triangles: only those of near triangles are made.

The rules are those of `narrowphase`, applied to the near part of a surface. An element keeps its name, and with it its
friction memory, as long as its corner, edge or region stays in the list.
"""

from __future__ import annotations

import ctypes
from collections.abc import Mapping
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ...contact.bodies import STATE_WIDTH
from ...contact.geometry import EDGE_EDGE
from ...contact.records import ELEMENT, GEOMETRY
from ...contact.solids import probes as pr
from ..broadphase import TRAITS
from ..narrowphase import NAMES, PLACES, make_elements
from .feature_numbers import Feature, FeatureNumbers
from .large_surface import LargeSurface
from .patch_contacts import PatchNames, touched_patches
from .solid_pairs import PROBE, PROBE_WORDS, SHAPE, SPHERE
from .triangle_tree import Pose, outline_of

Array = Any
Floats = NDArray[np.float64]
Ints = NDArray[np.int64]
Elements = tuple[NDArray[Any], NDArray[Any], Ints]
"""Heads, geometry and keys."""

ON_FACETS = pr.TARGETS * pr.POINT + pr.FACETS
"""Kind of an element of a point and triangles."""

BY_FIRST, BY_SECOND, BY_EDGES = range(3)
"""Whose probe makes an element: that of the first shape, of the second, or an edge of each."""

AWAY = 1e6
"""Gap in m of an element that is out of reach."""


class Nearby(NamedTuple):
    """A shape of a pair as far as it is near the other one.

    Attributes:
        shape: its number in the table of shapes. record: of SHAPE, with its near probes and triangles.
        names: lasting numbers of these probes. large, triangles: the surface and the numbers of its near triangles,
            None for other shapes.
    """

    shape: int
    record: Any
    names: Ints
    large: LargeSurface | None = None
    triangles: Ints | None = None


class Looking(NamedTuple):
    """The states in which elements are looked for: packed states, rotation matrices, room of each body to move in m."""

    x: Floats
    r: Floats
    rooms: Floats

    def room(self, a: int, b: int) -> float:
        """Distance in m by which two bodies may approach each other."""
        return float(self.rooms[a] + self.rooms[b])

    def pose(self, body: int) -> Pose:
        """The pose of a body's centre of mass."""
        start = STATE_WIDTH * body
        return Pose(self.x[start : start + 3], self.r[body])


class SurfacePairs:
    """The elements of all pairs with a large surface, and the tables of triangles on which their geometry relies.

    Attributes:
        surfaces: large surfaces by their number in the table of shapes.
    """

    def __init__(self) -> None:
        self.surfaces: Mapping[int, LargeSurface] = {}
        self._numbers = FeatureNumbers(PLACES)
        self._patches = PatchNames()
        self._tables: list[NDArray[Any]] = []

    def among(self, pairs: Ints) -> NDArray[np.bool_]:
        """Which pairs of shapes have a large surface."""
        return np.asarray(np.isin(pairs, list(self.surfaces)).any(axis=1))

    def elements(
        self, pairs: Ints, slots: Ints, reaches: Floats, shapes: Any, looking: Looking, present: Ints
    ) -> Elements:
        """Elements of pairs whose gap is below a limit, see `make_elements`; `present` are the keys that are listed."""
        self._tables = []
        self._patches.begin()
        made = [empty_elements()]
        for pair, slot in zip(pairs.tolist(), slots.tolist(), strict=True):
            first, second = self._ordered(pair, shapes.traits)
            limit = reaches[slot] + looking.room(*shapes.traits["body"][[first, second]])
            bodies = self._near(first, second, limit, shapes, looking)
            if bodies is not None:
                found = between(bodies, slot, reaches, shapes.traits, looking)
                made.append(self._named(bodies, *found, limit, shapes.traits, looking, present))
        heads, rows, keys = (np.concatenate(parts) for parts in zip(*made, strict=True))
        return heads, rows, keys

    def retire(self, rows: NDArray[Any], heads: NDArray[Any], shapes: Any) -> None:
        """Let elements that stay from an older list be out of reach: they are not near, and their triangles are gone.

        Only their memory stays, for the case that the state returns to where it was.
        """
        facets = {int(shapes.traits["body"][number]): large.surface.facets for number, large in self.surfaces.items()}
        kinds = heads["kind"]
        for number in np.flatnonzero((kinds > EDGE_EDGE) & (kinds % pr.TARGETS == pr.FACETS)):
            body = int(heads["b"][number])
            if body in facets:
                rows["b_out"][number] = facets[body].ctypes.data, 1.0, 0.0
                rows["b_radius"][number] = -AWAY

    def _ordered(self, pair: list[int], traits: NDArray[Any]) -> tuple[int, int]:
        """The two shapes of a pair: a large surface comes first, of two that of the lower name."""
        first, second = sorted(pair, key=lambda number: (number not in self.surfaces, int(traits["name"][number])))
        return first, second

    def _near(
        self, first: int, second: int, limit: float, shapes: Any, looking: Looking
    ) -> tuple[Nearby, Nearby] | None:
        """Both shapes of a pair as far as they are near each other; None if they are not."""
        surfaces = [self.surfaces.get(number) for number in (first, second)]
        room = looking.room(*shapes.traits["body"][[first, second]])
        margin = limit + 2.0 * room + sum(large.radius for large in surfaces if large is not None)
        here, there = (looking.pose(shapes.traits["body"][number]) for number in (first, second))
        one, other = surfaces
        assert one is not None
        if other is not None:
            mine, theirs = one.tree.near_each_other(here, other.tree, there, margin)
            if not mine.size:
                return None
            return self._part(first, one, mine, shapes), self._part(second, other, theirs, shapes)
        outline = outline_of(int(shapes.traits["kind"][second]), shapes.records[second])
        found = one.tree.near(here, outline, there, margin)
        if not found.size:
            return None
        centre = there.turn.T @ (here.origin + here.turn @ shapes.records["centre"][first] - there.origin)
        reach = float(shapes.records["bound"][first]) + margin
        return self._part(first, one, found, shapes), self._simple(second, shapes, centre, reach)

    def _part(self, number: int, large: LargeSurface, triangles: Ints, shapes: Any) -> Nearby:
        """The near part of a large surface."""
        part = large.part(triangles)
        self._tables += [part.probes, part.facets]
        record = shapes.records[number].copy()
        record["probes"] = part.probes.ctypes.data, len(part.probes)
        record["facets"] = part.facets.ctypes.data, len(part.facets), 0.0
        return Nearby(number, record, part.names, large, triangles)

    def _simple(self, number: int, shapes: Any, centre: Floats, reach: float) -> Nearby:
        """Another shape without those of its edges that are farther than a reach in m from a point on its body."""
        record = shapes.records[number].copy()
        probes = probes_at(record)
        names = np.flatnonzero((probes["probe"] != pr.EDGE) | (distances_from(probes, centre) < reach))
        kept = probes[names]
        self._tables.append(kept)
        record["probes"] = kept.ctypes.data, len(kept)
        return Nearby(number, record, names)

    def _named(
        self, bodies: tuple[Nearby, Nearby], heads: NDArray[Any], rows: NDArray[Any], places: Ints, limit: float,
        traits: NDArray[Any], looking: Looking, present: Ints,
    ) -> Elements:  # fmt: skip
        """Elements of a pair with their lasting keys; those of points and triangles are split by patches."""
        name = int(traits["name"][bodies[0].shape]) * NAMES + int(traits["name"][bodies[1].shape])
        features = features_of(bodies, places, bool(traits["kind"][bodies[1].shape] == SPHERE))
        for side, target in ((BY_SECOND, bodies[0]), (BY_FIRST, bodies[1])):
            if target.large is not None:
                of_side = np.array([feature[0] == side for feature in features], bool)
                chosen = np.flatnonzero(of_side & (heads["kind"] == ON_FACETS))
                heads, rows, features = self._split(target, heads, rows, features, chosen, name, limit, looking)
        used = present[present // PLACES == name] % PLACES
        return heads, rows, name * PLACES + self._numbers.of(name, features, used)

    def _split(
        self, target: Nearby, heads: NDArray[Any], rows: NDArray[Any], features: list[Feature], chosen: Ints,
        name: int, limit: float, looking: Looking,
    ) -> tuple[NDArray[Any], NDArray[Any], list[Feature]]:  # fmt: skip
        """Replace the chosen elements, of points and triangles, by those of the patches that the points can touch."""
        if not chosen.size:
            return heads, rows, features
        assert target.large is not None
        assert target.triangles is not None
        points = points_on(heads[chosen], rows[chosen], looking)
        radii = rows["a_radius"][chosen] + rows["b_radius"][chosen]
        whose = [(name, *features[number]) for number in chosen.tolist()]
        room = looking.room(heads["a"][chosen[0]], heads["b"][chosen[0]])
        near = touched_patches(target.large, target.triangles, points, radii, limit, room, self._patches.of(whose))
        self._tables.append(near.facets)
        copies = rows[chosen][near.owners]
        copies["b_out"][:, :2] = near.places
        owners = chosen[near.owners]
        split_features = [
            (*features[owner], patch) for owner, patch in zip(owners.tolist(), near.patches.tolist(), strict=True)
        ]
        stays = np.setdiff1d(np.arange(len(heads)), chosen)
        kept = [features[number] for number in stays.tolist()]
        return np.append(heads[stays], heads[owners]), np.append(rows[stays], copies), kept + split_features


def empty_elements() -> Elements:
    """No elements."""
    return np.zeros(0, ELEMENT), np.zeros(0, GEOMETRY), np.zeros(0, np.int64)


def between(
    bodies: tuple[Nearby, Nearby], slot: int, reaches: Floats, traits: NDArray[Any], looking: Looking
) -> Elements:
    """Heads, geometry and places of the elements of two shapes as far as they are near."""
    records = np.array([body.record for body in bodies], SHAPE)
    local = np.array([traits[body.shape] for body in bodies], TRAITS)
    local["name"] = 0
    pairs = np.array([[0, 1]])
    slots = np.array([slot])
    room = 1024
    while True:
        heads = np.zeros(room, ELEMENT)
        rows = np.zeros(room, GEOMETRY)
        places = np.zeros(room, np.int64)
        count = make_elements(
            pairs, slots, reaches, looking.rooms, records, local, looking.x, looking.r, heads, rows, places
        )
        if count <= room:
            return heads[:count], rows[:count], places[:count]
        room = count


def features_of(bodies: tuple[Nearby, Nearby], places: Ints, is_sphere: bool) -> list[Feature]:
    """What touches what in the elements of a pair, from their places among those of the near parts."""
    first, second = bodies
    if is_sphere:
        return [(BY_SECOND, 0)] * len(places)
    mine, theirs = first.names.tolist(), second.names.tolist()
    named: list[Feature] = []
    for place in places.tolist():
        edges = place - len(mine) - len(theirs)
        if place < len(mine):
            named.append((BY_FIRST, mine[place]))
        elif edges < 0:
            named.append((BY_SECOND, theirs[place - len(mine)]))
        else:
            named.append((BY_EDGES, mine[edges // len(theirs)], theirs[edges % len(theirs)]))
    return named


def probes_at(record: Any) -> NDArray[Any]:
    """The probes of a shape, records of PROBE, from their address in its record."""
    place, count = (int(number) for number in record["probes"])
    if not count:
        return np.zeros(0, PROBE)
    words = (ctypes.c_double * (count * PROBE_WORDS)).from_address(place)
    return np.ctypeslib.as_array(words).view(PROBE)


def distances_from(probes: NDArray[Any], point: Floats) -> Floats:
    """Distances in m of the segments of probes from a point."""
    along = probes["a1"] - probes["a0"]
    square = np.maximum((along**2).sum(axis=1), 1e-300)
    share = np.clip(((point - probes["a0"]) * along).sum(axis=1) / square, 0.0, 1.0)
    apart: Floats = np.linalg.norm(probes["a0"] + share[:, None] * along - point, axis=1)
    return apart


def points_on(heads: NDArray[Any], rows: NDArray[Any], looking: Looking) -> Floats:
    """The points of elements in the frames of their partners B, in m."""
    x = looking.x.reshape(-1, STATE_WIDTH)[:, :3]
    world = x[heads["a"]] + np.einsum("eij,ej->ei", looking.r[heads["a"]], rows["a0"])
    points: Floats = np.einsum("eji,ej->ei", looking.r[heads["b"]], world - x[heads["b"]])
    return np.ascontiguousarray(points)
