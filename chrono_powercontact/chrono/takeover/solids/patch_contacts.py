"""Which patches of a surface of many triangles a point can touch, under names that last.

A point with a radius touches every patch that is near. One without a radius only touches the nearest triangles: behind
a hollow edge it would be behind no patch.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ...contact.solids.faceted import FACET
from .feature_numbers import Feature
from .large_surface import LargeSurface
from .surface_patches import distances, find_patches

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]

FLAT = 1e-9
"""Height by which a triangle of a patch may rise over the plane of its first one, relative to the size of the whole."""

WHOLE = -1
"""Name of the patch of a point that touches the nearest triangles only."""

MOST_TRIANGLES = 2**40
"""More than a surface has; names of patches that would be equal differ by this."""


class PatchNames:
    """Lasting names of the patches that points touch: that which the nearest triangle of a patch had before."""

    def __init__(self) -> None:
        self._before: dict[Feature, dict[int, int]] = {}
        self._now: dict[Feature, dict[int, int]] = {}

    def begin(self) -> None:
        """A new list is made: only the names of the last one count."""
        self._before = self._now
        self._now = {}

    def of(self, features: Sequence[Feature]) -> Callable[[int, list[int], list[Ints]], list[int]]:
        """Gives names for the patches of one of these points, see `name`."""
        return lambda number, seeds, parts: self.name(features[number], seeds, parts)

    def name(self, feature: Feature, seeds: list[int], parts: list[Ints]) -> list[int]:
        """Names of the patches of a point, from their nearest triangles and all their triangles."""
        before = self._before.get(feature, {})
        now: dict[int, int] = {}
        names: list[int] = []
        for seed, triangles in zip(seeds, parts, strict=True):
            name = before.get(seed, seed)
            while name in names:
                name += MOST_TRIANGLES
            names.append(name)
            now.update(dict.fromkeys(triangles.tolist(), name))
        self._now[feature] = now
        return names


class Touched(NamedTuple):
    """The patches that points can touch.

    Attributes:
        owners: the point of each patch. patches: its name. places: address and number of its triangles.
        facets: these triangles, records of FACET, which must live as long as their addresses are used.
    """

    owners: Ints
    patches: Ints
    places: Floats
    facets: NDArray[Any]


def near_seeds(apart: Floats, patch: Ints, limit: float) -> list[int]:
    """The patches that a round probe can touch, from the signed distances in m of its core from triangles.

    Those that are nearer than a limit in m and that it is not behind, and the nearest one, which it may be behind.
    """
    seeds = np.unique(patch)
    nearest = apart[seeds]
    wanted = (nearest >= 0.0) & (nearest < limit)
    wanted[np.abs(nearest).argmin()] = True
    order = np.argsort(np.abs(nearest[wanted]))
    return [int(seed) for seed in seeds[wanted][order]]


class NearPatches:
    """The near triangles of a large surface, sorted into patches around points.

    Args:
        near: numbers of the near triangles.
    """

    def __init__(self, large: LargeSurface, near: Ints) -> None:
        number = np.full(len(large.surface.triangles), -1)
        number[near] = np.arange(len(near))
        self.near = near
        self.whole = large.surface.facets[near]
        self._cut = large.cut[near]
        across = large.neighbours.across[near]
        self._across = np.where(across < 0, -1, number[across])
        self._hollow = np.ascontiguousarray(large.neighbours.hollow[near])
        self._slack = FLAT * float(np.ptp(large.surface.vertices, axis=0).max())
        self._patch = np.zeros(len(near), np.int64)

    def of_round(self, signed: Floats, limit: float, room: float) -> tuple[list[int], list[Ints], list[NDArray[Any]]]:
        """Nearest triangles of the patches that a round probe can touch, all their triangles, and those that matter.

        Args:
            signed: distances in m of its core from the triangles. limit: of these, in m. room: see `touched_patches`.
        """
        off = np.abs(signed)
        find_patches(off, self._cut, self._across, self._hollow, self._slack, self._patch)
        seeds = near_seeds(signed, self._patch, limit)
        parts = [self._patch == seed for seed in seeds]
        facets = [self._cut[part & (off <= off[seed] + 2.0 * room)] for seed, part in zip(seeds, parts, strict=True)]
        return self.near[seeds].tolist(), [self.near[part] for part in parts], facets

    def of_sharp(self, signed: Floats, room: float) -> NDArray[Any]:
        """The triangles that can become the nearest to a point without a radius."""
        off = np.abs(signed)
        return self.whole[off <= off.min() + 2.0 * room]


def touched_patches(
    large: LargeSurface, near: Ints, points: Floats, radii: Floats, limit: float, room: float,
    names_of: Callable[[int, list[int], list[Ints]], list[int]],
) -> Touched:  # fmt: skip
    """The patches of a surface that points with radii in m can touch.

    Args:
        near: numbers of the near triangles. limit: largest gap in m. room: distance in m by which the points may
            move: triangles that cannot become the nearest of their patch meanwhile are left out.
        names_of: gives lasting names for the patches of a point.
    """
    patches = NearPatches(large, near)
    apart = np.zeros((len(points), len(near)))
    distances(points, patches.whole, apart)
    owners: list[int] = []
    names: list[int] = []
    chosen: list[NDArray[Any]] = []
    for point, signed in enumerate(apart):
        if radii[point] > 0.0:
            seeds, parts, facets = patches.of_round(signed, radii[point] + limit, room)
            names += names_of(point, seeds, parts)
        else:
            facets = [patches.of_sharp(signed, room)]
            names.append(WHOLE)
        owners += [point] * len(facets)
        chosen += facets
    table = np.concatenate(chosen)
    counts = np.array([len(part) for part in chosen])
    starts = table.ctypes.data + FACET.itemsize * (np.cumsum(counts) - counts)
    return Touched(np.array(owners), np.array(names), np.column_stack([starts, counts]).astype(float), table)
