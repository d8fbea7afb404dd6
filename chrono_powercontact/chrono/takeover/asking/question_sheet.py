"""What a callback of the script is shown of contacts, and what it answers: filled in and read by compiled code.

Chrono asks an AddContactCallback about each contact by two objects: a ChCollisionInfo, and a composed material that the
callback may change. Here there are such objects for as many contacts as there ever were in a step. Their numbers are
written and read in memory, where a check shows that this is possible, and through SWIG otherwise. A step without Python
then calls Python once, for the questions themselves.
"""

from __future__ import annotations

import ctypes
from collections.abc import Callable, Iterator, Sequence
from functools import cache
from typing import Any

import numpy as np
from numba import types
from numpy.typing import NDArray

from ....kernel import kernel
from ...api.bridge import address, pychrono
from ...api.members import places_of
from ...api.native import calling
from ...contact.addresses import Directory, doubles, doubles_at, integers
from ...contact.records import ELEMENT
from ...implicit.step_context import CHANGED, LEAVES, SAME
from ..collision_info import INFO, INFO_WORDS, POINTS, contacts_within, laid_out_as_expected

Array = Any

(
    STATUS, HEADS, ROWS, LAWS, NUMBERS, FOUND_POINTS, MODELS, INFOS, COMPOSED, MEMBERS, GIVEN, SAID, KNOWN, CHOSEN,
    SIZE,
) = range(15)  # fmt: skip
"""Arrays in the directory of a sheet: its status; elements, geometry and materials of the list; numbers and records of
POINTS of the contacts that are asked about; addresses of collision models by body, and of Chrono's objects by contact;
places of numbers in a composed material. Then a row of numbers for each element as designed, for each contact as the
callback has left them, for each element as it was last answered, and the number of the material that belongs to it."""

ASK, ASKED_IN, COUNT, STATUS_WORDS = range(4)
"""Status: address of the function that asks, the step in which it was last called, and the number of contacts then."""

FLOAT = 4
WORD = 8

call_python = calling(types.int64(types.int64))


@kernel
def list_questions(sheet: Array, x: Array, ways: Array) -> int:
    """List the contacts that may act in a step at packed states x and are asked about; returns how many.

    `ways` in m are the distances by which bodies may move in it.
    """
    numbers = integers(sheet, NUMBERS)
    points = doubles(sheet, FOUND_POINTS).view(POINTS)
    laws = doubles(sheet, LAWS)
    found = contacts_within(x, integers(sheet, HEADS), doubles(sheet, ROWS), laws, ways, numbers, points)
    given = doubles(sheet, GIVEN)
    width = integers(sheet, MEMBERS).size
    count = 0
    for i in range(found):
        if given[width * numbers[i]] == given[width * numbers[i]]:
            numbers[count] = numbers[i]
            points[count] = points[i]
            count += 1
    integers(sheet, STATUS)[COUNT] = count
    return count


@kernel
def put_questions(sheet: Array) -> None:
    """Write the listed contacts and their designed materials to Chrono's objects."""
    heads = integers(sheet, HEADS).view(ELEMENT)
    numbers = integers(sheet, NUMBERS)
    points = doubles(sheet, FOUND_POINTS).view(POINTS)
    models = integers(sheet, MODELS)
    infos = integers(sheet, INFOS)
    composed = integers(sheet, COMPOSED)
    members = integers(sheet, MEMBERS)
    given = doubles(sheet, GIVEN)
    for i in range(integers(sheet, STATUS)[COUNT]):
        e = numbers[i]
        info = doubles_at(infos[i], INFO_WORDS).view(INFO)[0]
        info.model_a = models[heads[e].a]
        info.model_b = models[heads[e].b]
        info.gap = points[i].gap
        for k in range(3):
            info.on_a[k] = points[i].on_a[k]
            info.on_b[k] = points[i].on_b[k]
            info.normal[k] = points[i].normal[k]
        for k in range(members.size):
            place = composed[i] + members[k]
            doubles_at(place // WORD * WORD, 1).view(np.float32)[place % WORD // FLOAT] = given[members.size * e + k]


@kernel
def take_answers(sheet: Array) -> None:
    """Read what the callback has left in the composed materials."""
    composed = integers(sheet, COMPOSED)
    members = integers(sheet, MEMBERS)
    said = doubles(sheet, SAID)
    for i in range(integers(sheet, STATUS)[COUNT]):
        for k in range(members.size):
            place = composed[i] + members[k]
            said[members.size * i + k] = doubles_at(place // WORD * WORD, 1).view(np.float32)[place % WORD // FLOAT]


@kernel
def use_answers(sheet: Array) -> int:
    """Give the contacts the materials of answers that were given before; returns SAME, CHANGED or LEAVES."""
    heads = integers(sheet, HEADS).view(ELEMENT)
    numbers = integers(sheet, NUMBERS)
    chosen = integers(sheet, CHOSEN)
    said = doubles(sheet, SAID)
    known = doubles(sheet, KNOWN)
    width = integers(sheet, MEMBERS).size
    count = integers(sheet, STATUS)[COUNT]
    for i in range(count):
        for k in range(width):
            if said[width * i + k] != known[width * numbers[i] + k]:
                return LEAVES
    outcome = SAME
    for i in range(count):
        e = numbers[i]
        if heads[e].material != chosen[e]:
            heads[e].material = chosen[e]
            outcome = CHANGED
    return outcome


@kernel
def ask_in_step(sheet: Array, x: Array, ways: Array, step: int) -> int:
    """Ask about the contacts of a step by its number, see `list_questions`; returns SAME, CHANGED or LEAVES."""
    count = list_questions(sheet, x, ways)
    if count == 0:
        return SAME
    if count > integers(sheet, INFOS).size:
        return LEAVES
    put_questions(sheet)
    status = integers(sheet, STATUS)
    status[ASKED_IN] = step
    if call_python(status[ASK], count) != 0:
        return LEAVES
    take_answers(sheet)
    return use_answers(sheet)


@cache
def members_of(kind: Any, names: tuple[str, ...]) -> tuple[int, ...]:
    """Distance in bytes from the start of a composed material of a class to some of its numbers; empty if unknown."""
    composed = kind()
    values = {name: 0.5 + 0.125 * i for i, name in enumerate(names)}
    for name, value in values.items():
        setattr(composed, name, value)
    found = places_of(composed, values, number=np.float32)
    return tuple(found[name] for name in names) if found else ()


class QuestionSheet:
    """Questions about the contacts of a list, and their answers.

    Attributes:
        status: see ASK. directory: all arrays. asked: numbers of the elements that are asked about, as far as `status`
            tells. said: the answers, a row each. known, chosen: by element, the last answer, not a number before it,
            and the number of its material. is_direct: whether Chrono's objects are written and read in memory.
    """

    def __init__(self, kind: Any, names: Sequence[str], ask: Callable[[int], int]) -> None:
        self._kind = kind
        self._reads = [getattr(kind, name).fget for name in names]
        self._writes = [getattr(kind, name).fset for name in names]
        members = members_of(kind, tuple(names))
        self.is_direct = bool(members) and laid_out_as_expected()
        self.status = np.zeros(STATUS_WORDS, np.int64)
        self.status[ASKED_IN] = -1
        self._ask = ctypes.CFUNCTYPE(ctypes.c_int64, ctypes.c_int64)(ask)
        self.status[ASK] = ctypes.cast(self._ask, ctypes.c_void_p).value or 0
        self.directory = Directory(SIZE)
        self.directory.put(STATUS, self.status)
        self.directory.put(MEMBERS, np.array(members if self.is_direct else [0] * len(names), np.int64))
        self.pairs: list[tuple[Any, Any]] = []
        self._make_room(1)

    def follow(self, tables: Sequence[NDArray[Any]], models: Sequence[Any], given: NDArray[np.float64]) -> None:
        """Use other elements: flat tables of a list, the collision models by body, and what is given by element."""
        count = len(given)
        for place, table in zip((HEADS, ROWS, LAWS), tables, strict=False):
            self.directory.put(place, table)
        self._models = models
        self.asked = np.zeros(count, np.int64)
        self.points = np.zeros(count, POINTS)
        self.given = given
        self.known = np.full(given.shape, np.nan)
        self.chosen = np.zeros(count, np.int64)
        places = np.array([0 if model is None else address(model) for model in models], np.int64)
        for place, array in (
            (NUMBERS, self.asked), (FOUND_POINTS, self.points), (GIVEN, self.given), (KNOWN, self.known),
            (CHOSEN, self.chosen), (MODELS, places),
        ):  # fmt: skip
            self.directory.put(place, array)

    def follow_laws(self, laws: NDArray[Any]) -> None:
        """Use other materials, flat, for the same elements."""
        self.directory.put(LAWS, laws)

    def put(self, x: NDArray[np.float64], ways: NDArray[np.float64]) -> int:
        """List the contacts of a step, see `list_questions`, and write them down; returns how many there are."""
        count = int(list_questions(self.directory.entries, x, ways))
        if count > len(self.pairs):
            self._make_room(2 * count)
        if self.is_direct:
            put_questions(self.directory.entries)
        else:
            self._put_members(count)
        return count

    def take(self) -> int:
        """Read the answers and use those that were given before; returns SAME, CHANGED or LEAVES."""
        if self.is_direct:
            take_answers(self.directory.entries)
        else:
            for i, (_, composed) in enumerate(self.pairs[: self.status[COUNT]]):
                self.said[i] = [read(composed) for read in self._reads]
        return int(use_answers(self.directory.entries))

    def unknown(self) -> Iterator[tuple[int, tuple[float, ...]]]:
        """Those answers that are not the last ones, each with the number of its element."""
        count = self.status[COUNT]
        for element, answer in zip(self.asked[:count].tolist(), self.said[:count], strict=True):
            if (answer != self.known[element]).any():
                yield element, tuple(answer.tolist())

    def _make_room(self, count: int) -> None:
        """Have objects for so many contacts."""
        made = pychrono().ChCollisionInfo
        self.pairs += [(made(), self._kind()) for _ in range(count - len(self.pairs))]
        self.said = np.zeros((count, len(self._reads)))
        self.directory.put(INFOS, np.array([int(info.this) for info, _ in self.pairs], np.int64))
        self.directory.put(COMPOSED, np.array([address(composed) for _, composed in self.pairs], np.int64))
        self.directory.put(SAID, self.said)

    def _put_members(self, count: int) -> None:
        """Write the questions through SWIG."""
        vector = pychrono().ChVector3d
        heads = self.directory.arrays[HEADS].view(ELEMENT)
        for i, e in enumerate(self.asked[:count].tolist()):
            info, composed = self.pairs[i]
            point = self.points[i]
            info.modelA = self._models[heads[e]["a"]]
            info.modelB = self._models[heads[e]["b"]]
            info.vpA = vector(*point["on_a"].tolist())
            info.vpB = vector(*point["on_b"].tolist())
            info.vN = vector(*point["normal"].tolist())
            info.distance = float(point["gap"])
            for write, value in zip(self._writes, self.given[e].tolist(), strict=True):
                write(composed, value)
