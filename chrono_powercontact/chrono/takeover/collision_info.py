"""Chrono's ChCollisionInfo: what its collision detection says about a contact, as it is laid out in memory.

It is read and written there only if a check shows that it is laid out as expected; through SWIG otherwise.
"""

from __future__ import annotations

import ctypes
from functools import cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ...kernel import kernel
from ..api.bridge import address, pychrono
from ..contact.bodies import STATE_WIDTH, rotations
from ..contact.records import ELEMENT, GEOMETRY, MATERIAL
from ..contact.solids.locating import is_beyond, locate_any

Array = Any

POINTS = np.dtype(
    [("on_a", np.float64, (3,)), ("on_b", np.float64, (3,)), ("normal", np.float64, (3,)), ("gap", np.float64)]
)
"""Points of a contact on both bodies and its normal from A to B, in the world in m, and its gap in m."""

INFO = np.dtype(
    [
        ("model_a", np.int64), ("model_b", np.int64), ("shape_a", np.int64), ("shape_b", np.int64),
        ("on_a", np.float64, (3,)), ("on_b", np.float64, (3,)), ("normal", np.float64, (3,)), ("gap", np.float64),
    ]
)  # fmt: skip
"""ChCollisionInfo as far as it is needed: addresses of models and shapes, then POINTS."""

INFO_WORDS = INFO.itemsize // 8
"""Length of INFO in words."""


def records_at(place: int, dtype: np.dtype[Any]) -> NDArray[Any]:
    """The record at an address, as an array of one, without a copy."""
    words = np.ctypeslib.as_array(ctypes.cast(place, ctypes.POINTER(ctypes.c_double)), (dtype.itemsize // 8,))
    return words.view(dtype)


@cache
def laid_out_as_expected() -> bool:
    """Whether ChCollisionInfo is in memory what INFO says: written through SWIG and read back."""
    chrono = pychrono()
    info = chrono.ChCollisionInfo()
    start = int(info.this)
    models = chrono.ChCollisionModel(), chrono.ChCollisionModel()
    shapes = [chrono.ChCollisionShapeSphere(chrono.ChContactMaterialNSC(), 1.0) for _ in models]
    info.modelA, info.modelB = models
    info.shapeA, info.shapeB = shapes
    info.distance = -1.25
    places = INFO.fields
    members = {"on_a": info.vpA, "on_b": info.vpB, "normal": info.vN}
    if places is None or any(int(member.this) - start != places[name][1] for name, member in members.items()):
        return False
    seen = records_at(start, INFO)[0]
    pointers = [int(seen[name]) for name in ("model_a", "model_b", "shape_a", "shape_b")]
    return pointers == [address(proxy) for proxy in (*models, *shapes)] and float(seen["gap"]) == -1.25


@kernel
def contacts_within(
    x: Array, elements: Array, geometry: Array, materials: Array, ways: Array, numbers: Array, points: Array
) -> int:
    """Find the elements whose gap is at most the reach of their material and the ways of their bodies; their number.

    Args:
        ways: distance in m by which each body may move. elements, geometry, materials: flat.
        numbers, points: receive the elements' numbers, and records of POINTS.
    """
    r = np.empty((x.size // STATE_WIDTH, 3, 3))
    rotations(x, r)
    heads = elements.view(ELEMENT)
    shapes = geometry.view(GEOMETRY)
    laws = materials.view(MATERIAL)
    count = 0
    for e in range(heads.size):
        near = laws[heads[e].material].reach + ways[heads[e].a] + ways[heads[e].b]
        if is_beyond(x, r, heads[e], shapes[e], near):
            continue
        gap = locate_any(x, r, heads[e], shapes[e])
        if gap.gap <= near and gap.weight > 0.0:
            numbers[count] = e
            points[count].gap = gap.gap
            for k in range(3):
                half = 0.5 * gap.gap * gap.normal[k]
                points[count].on_a[k] = gap.point[k] + half
                points[count].on_b[k] = gap.point[k] - half
                points[count].normal[k] = -gap.normal[k]
            count += 1
    return count
