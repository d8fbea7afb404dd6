"""Numbers of a model that a filter estimates: which they are by name, and where they are in its p."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..errors import ParameterError, UnknownNameError
from ..lagrange.system import System
from ..laws.friction.friction_table import FRICTION
from ..laws.friction.friction_table import SLOTS as FRICTION_SLOTS
from ..laws.normal.normal_table import NORMAL
from ..laws.normal.normal_table import SLOTS as NORMAL_SLOTS
from .system_rate import HEAD_WIDTH, NORMAL_WIDTH, POINT_WIDTH

DOUBLE = 8
"""Bytes of a number."""

ALSO = {"c": ("mu_c", "f_c")}
"""Fields of a record that users know by another name: the Coulomb amplitude of a dissipation function. What stiction
adds to it stays."""


def field_index(kind: np.dtype[np.void], path: str) -> int:
    """Index of a number in a record that is taken as a plain vector, by the path of its field: `knee.restriction.r_c`.

    An entry of a field that is a vector has its number at the end: `patient.0`.
    """
    offset = 0
    here: np.dtype[np.void] = kind
    for word in path.split("."):
        if here.subdtype is not None and word.isdecimal() and int(word) < here.shape[0]:
            offset += int(word) * here.base.itemsize
            here = here.base
        elif here.names is not None and word in here.names:
            fields: Any = here.fields
            offset += fields[word][1]
            here = here[word]
        else:
            raise UnknownNameError(f"number on the way {path!r}:", word, here.names or ())
    if here != np.float64:
        raise ParameterError(f"{path!r} is no single number of the record")
    return offset // DOUBLE


def _law_slots(
    names: list[str], kind: np.dtype[np.void], slots: tuple[str, ...], laws: NDArray[np.void]
) -> Iterator[tuple[str, int]]:
    """`POINT.FIELD` and its index from the first record on, for the fields of each point's own law."""
    width = kind.itemsize // 8
    for i, (name, law) in enumerate(zip(names, laws, strict=True)):
        if not 0 <= law["kind"] < len(slots):
            continue
        family = slots[int(law["kind"])]
        for field in kind[family].names or ():
            for word in (field, *ALSO.get(field, ())):
                yield f"{name}.{word}", i * width + field_index(kind, f"{family}.{field}")


def number_slots(system: System, states: int, inputs: int) -> dict[str, int]:
    """Index in p of every number of a system, by name: a parameter's, or `POINT.FIELD` of a law."""
    tables = system.arguments
    model = system.model
    at = HEAD_WIDTH + states + inputs + len(tables.points) * POINT_WIDTH
    found = {symbol.name: at + i for i, symbol in enumerate(model.parameters)}
    at += tables.parameters.size
    contacts = [contact.name for contact in model.contacts]
    found |= {name: at + i for name, i in _law_slots(contacts, NORMAL, NORMAL_SLOTS, tables.normal)}
    at += len(contacts) * NORMAL_WIDTH
    rubbing = [name for name in model.slip_names if system.rubs(name)]
    found |= {name: at + i for name, i in _law_slots(rubbing, FRICTION, FRICTION_SLOTS, tables.friction)}
    return found


def slot_of(name: str, slots: dict[str, int]) -> int:
    """Index of a number by its name; the point may be left out where only one has such a number."""
    if name in slots:
        return slots[name]
    meant = [full for full in slots if full.endswith(f".{name}")]
    if len(meant) == 1:
        return slots[meant[0]]
    if meant:
        raise ParameterError(f"{name!r} is a number of several points, name one of them: {', '.join(meant)}")
    raise UnknownNameError("parameter", name, slots)
