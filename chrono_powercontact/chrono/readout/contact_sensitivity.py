"""Derivatives of contact forces by the numbers of their laws: the laws asked with dual numbers, at the present state.

Bodies, gaps and the memory at the last commit are held; only the laws vary.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numba import njit, types
from numpy.typing import NDArray

from ...errors import ParameterError, UnknownNameError
from ...laws.law_numbers import PARTS, is_user_law, material_numbers, with_number
from ...laws.material import Material
from ...numerics.dual import dual_arithmetic as dual_arithmetic  # teaches numba the arithmetic of dual numbers
from ...numerics.dual.dual_arrays import (
    as_dual_records,
    as_duals,
    floats_of,
    from_floats,
    lift,
    put_direction,
    rows_of,
)
from ...numerics.dual.dual_type import DIRECTIONS, WIDTH
from ...numerics.slopes import slopes
from ...numerics.vectors import dot, minus, times
from ..contact.bodies import Bodies, rotations, velocity_at
from ..contact.contact_kernel import Clock, ask_laws, carry_memory
from ..contact.contact_table import ContactTable, Instant, material_record
from ..contact.geometry import locate
from ..contact.records import ELEMENT, GEOMETRY, MATERIAL, MEMORY

Array = Any

FORCE = 0
FRICTION = slice(1, 4)
MOMENT = slice(4, 7)
REPORTED = 7
"""What is reported of an element: normal force, friction and moment by components, and how many numbers that is."""

SLOPES = np.dtype([("pair", "i8"), ("force", "f8"), ("friction", "f8", 3), ("moment", "f8", 3)])
"""Derivatives of the forces of an element, as `forces` gives these: of the normal force, and in world components of the
friction force and of the moment on body A; with the number of its pair."""

_FLAT = types.float64[::1]
_TABLE = types.float64[:, ::1]


@njit(
    types.void(_FLAT, _FLAT, types.float64[:, :, ::1], types.int64[::1], _FLAT, _TABLE, _FLAT, types.float64,
               types.boolean, types.float64[:, :, ::1]),
    cache=True, error_model="numpy",
)  # fmt: skip
def force_slopes(
    x: Array, w: Array, r: Array, elements: Array, geometry: Array, materials: Array, memory: Array,
    h: float, once: bool, out: Array,
) -> None:  # fmt: skip
    """Normal force, friction and moment of each element as dual numbers; `materials` are rows of lifted records."""
    rotations(x, r)
    bodies = Bodies(x, w, r)
    clock = Clock(h, False, once)
    heads = elements.view(ELEMENT)
    shapes = geometry.view(GEOMETRY)
    laws = as_dual_records(materials, MATERIAL)
    memories = memory.view(MEMORY)
    found = as_duals(out)
    for e in range(heads.size):
        element = heads[e]
        material = laws[element.material]
        gap = locate(x, r, element, shapes[e])
        if gap.gap > material.reach or gap.weight == 0.0:
            continue
        v = minus(velocity_at(bodies, element.a, gap.point), velocity_at(bodies, element.b, gap.point))
        speed = dot(v, gap.normal)
        slip = minus(v, times(speed, gap.normal))
        carried = carry_memory(bodies, element, material, memories[e], gap, slip, clock)
        acting = ask_laws(material, memories[e], gap, speed, slip, carried, clock)
        found[e, 0] = acting.force
        for i in range(3):
            found[e, 1 + i] = -acting.friction[i]
            found[e, 4 + i] = -acting.moment[i]


def meant_by(materials: Sequence[Material], name: str) -> list[tuple[int, str, str, float]]:
    """Materials, parts, fields and values that a name means: `r_d`, or `friction.k` where two laws have a k."""
    found = []
    known: set[str] = set()
    for number, material in enumerate(materials):
        numbers = material_numbers(material)
        known |= {field for _, field in numbers}
        own = [(part, field) for part, field in numbers if name in (field, f"{part}.{field}")]
        if len(own) > 1:
            full = ", ".join(f"{part}.{field}" for part, field in own)
            raise ParameterError(f"parameter {name!r} is in several laws of a contact: name one of {full}")
        found += [(number, part, field, numbers[part, field]) for part, field in own]
    if not found:
        raise UnknownNameError("parameter to differentiate by", name, known)
    return found


def material_slopes(materials: Sequence[Material], name: str) -> NDArray[Any]:
    """Derivatives of the records of materials by a number of their laws; zero where a material does not have it."""
    out = np.zeros(len(materials), MATERIAL)
    for number, part, field, value in meant_by(materials, name):
        material = materials[number]

        def numbers(at: float, material: Material = material, part: str = part, field: str = field) -> Any:
            return floats_of(np.array([material_record(with_number(material, part, field, at))], MATERIAL))

        like = np.zeros(1, MATERIAL)
        out[number] = from_floats(slopes(numbers, value), like)[0]
    return out


def contact_sensitivities(table: ContactTable, at: Instant, names: Sequence[str]) -> dict[str, NDArray[Any]]:
    """Derivatives of the forces of all elements by numbers of their laws, records of SLOPES by the name."""
    if isinstance(names, str):
        raise ParameterError(f"sensitivities must be a list of names, got {names!r}")
    _check_laws(table.laws)
    found: dict[str, NDArray[Any]] = {}
    for begin in range(0, len(names), DIRECTIONS):
        some = names[begin : begin + DIRECTIONS]
        records = lift(table.materials)
        for direction, name in enumerate(some):
            put_direction(records, direction, material_slopes(table.laws, name))
        out = np.zeros((len(table), REPORTED, WIDTH))
        space, elements, geometry, _, memory = table.arguments
        force_slopes(at.x, at.w, space, elements, geometry, rows_of(records), memory, at.since, at.once, out)
        found |= {name: _lines(table, out[:, :, 1 + i]) for i, name in enumerate(some)}
    return found


def _check_laws(materials: Sequence[Material]) -> None:
    """Raise where a law is a user's function."""
    for material in materials:
        for part in PARTS:
            if is_user_law(getattr(material, part)):
                raise ParameterError(
                    f"law {getattr(material, part)!r} is a user's function, which has no exact derivatives"
                )


def _lines(table: ContactTable, slopes: NDArray[np.float64]) -> NDArray[Any]:
    """Records of SLOPES, one for each element."""
    lines = np.zeros(len(table), SLOPES)
    lines["pair"] = [number for number, _ in table.keys]
    lines["force"] = slopes[:, FORCE]
    lines["friction"] = slopes[:, FRICTION]
    lines["moment"] = slopes[:, MOMENT]
    return lines
