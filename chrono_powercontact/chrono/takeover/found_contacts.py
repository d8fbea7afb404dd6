"""Contacts that Chrono's narrow phase finds, noted by compiled code as they are found.

Chrono calls a narrow-phase callback for every contact, a mesh for every triangle that is near. A call of Python takes
longer than Chrono needs to find the contact. So compiled code is called in its place, see `directors`. It asks Python
only for what it cannot know: the first contact of a step, a shape that it has not met, and where a script has a
callback of its own. Where C++ cannot be led to it, Python notes every contact, with the same result.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
from llvmlite import ir
from numba import cfunc, types
from numba.extending import intrinsic
from numpy.typing import NDArray

from ...kernel import kernel
from ..api.directors import CONTEXT, replace_methods
from ..contact.addresses import Directory, doubles, doubles_at, integers, integers_at
from ..implicit import step_context as on
from .collision_info import INFO, INFO_WORDS, laid_out_as_expected
from .contact_patch import FOUND

Array = Any

STATUS, LIMIT, NOTED, MODELS, SHAPES = range(5)
"""Arrays in the directory of the compiled callback: its status, the gap in m beyond which a contact is left out, the
records of FOUND, and tables of the numbers of models and of shapes by their addresses."""

PYTHON, ASKS, FRESH, COUNT, STEP, BEGUN_IN, STATUS_WORDS = range(7)
"""Status: address of the method that leads to Python, whether it is asked about every contact, whether the step is
known to have begun, the number of contacts noted in it, the address of the context of steps without Python that use
what is noted, 0 if none do, and the number of the step that compiled code has begun, -1 if Python has."""

TAKES, LEAVES, ASKS_FIRST = range(3)
"""Answers to a contact; the first two are also Chrono's, false and true."""

UNKNOWN = -1
"""Number of an address that is not in a table."""
FEWEST = 64
"""Least room for contacts, and least size of a table of addresses."""


@intrinsic
def _ask(context: Any, method: Any, callback: Any, info: Any) -> Any:
    """Call a C++ method, given by its address, of a callback about a contact."""
    signature = types.uint8(types.int64, types.int64, types.int64)

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        word = ir.IntType(64)
        function = builder.inttoptr(arguments[0], ir.FunctionType(ir.IntType(8), (word, word)).as_pointer())
        return builder.call(function, arguments[1:])

    return signature, generate


@kernel
def place_of(table: Array, key: int) -> int:
    """Where a table of addresses and numbers holds a key, or would hold it."""
    half = table.size // 2
    place = (key >> 4) * 0x9E3779B1 & (half - 1)
    while table[2 * place] != key and table[2 * place] != 0:
        place = (place + 1) & (half - 1)
    return place


@kernel
def insert(table: Array, key: int, number: int) -> None:
    """Enter the number of an address into a table, which must have room for it."""
    place = place_of(table, key)
    table[2 * place] = key
    table[2 * place + 1] = number


@kernel
def number_of(table: Array, key: int) -> int:
    """The number of an address in a table, or UNKNOWN."""
    place = place_of(table, key)
    return table[2 * place + 1] if table[2 * place] == key else UNKNOWN


@kernel
def write_contact(contact: Any, info: Any, bodies: tuple[int, int], shapes: tuple[int, int]) -> None:
    """Write a record of FOUND: body A is that of the lower number, the normal points towards it.

    Args:
        bodies: their numbers. shapes: twice the numbers of their surfaces, and one more if a shape is ours.
    """
    swapped = bodies[0] > bodies[1]
    sign = 1.0 if swapped else -1.0
    for i in range(3):
        contact.point[i] = info.on_b[i] if swapped else info.on_a[i]
        contact.normal[i] = sign * info.normal[i]
    contact.gap = info.gap
    contact.a = min(bodies)
    contact.b = max(bodies)
    contact.surfaces[0] = shapes[1] // 2 if swapped else shapes[0] // 2
    contact.surfaces[1] = shapes[0] // 2 if swapped else shapes[1] // 2


@kernel
def begins(directory: Array) -> bool:
    """Begin to note the contacts of a step in which Python takes no part, at any gap; False if it does."""
    status = integers(directory, STATUS)
    if status[STEP] == 0:
        return False
    context = integers_at(status[STEP], on.WORDS)
    if context[on.MODE] == on.IN_PYTHON:
        return False
    status[FRESH] = 1
    status[COUNT] = 0
    status[BEGUN_IN] = context[on.STEPS] + 1
    doubles(directory, LIMIT)[0] = np.inf
    return True


@kernel
def note_contact(directory: Array, place: int) -> int:
    """Note a contact, given by the address of Chrono's record, if it may act and not both shapes are ours.

    Returns LEAVES if it is Chrono's own to use, ASKS_FIRST if Python must be asked before, otherwise TAKES.
    """
    status = integers(directory, STATUS)
    info = doubles_at(place, INFO_WORDS).view(INFO)[0]
    models = integers(directory, MODELS)
    a = number_of(models, info.model_a)
    b = number_of(models, info.model_b)
    if a == UNKNOWN or b == UNKNOWN:
        return LEAVES
    if status[FRESH] == 0 and not begins(directory):
        return ASKS_FIRST
    if info.gap > doubles(directory, LIMIT)[0]:
        return TAKES
    shapes = integers(directory, SHAPES)
    on_a = number_of(shapes, info.shape_a)
    on_b = number_of(shapes, info.shape_b)
    found = doubles(directory, NOTED).view(FOUND)
    if on_a == UNKNOWN or on_b == UNKNOWN or status[COUNT] == found.size:
        return ASKS_FIRST
    if on_a % 2 == 0 or on_b % 2 == 0:
        write_contact(found[status[COUNT]], info, (a, b), (on_a, on_b))
        status[COUNT] += 1
    return TAKES


@cfunc(types.uint8(types.int64, types.int64), cache=True, error_model="numpy")
def on_narrowphase(callback: int, place: int) -> int:
    """Chrono has found a contact; both arguments are addresses. Returns whether Chrono is to use it itself."""
    table = integers_at(callback, 1)[0]
    directory = integers_at(integers_at(table, CONTEXT + 1)[CONTEXT], 2 * (SHAPES + 1))
    status = integers(directory, STATUS)
    answer = note_contact(directory, place) if status[ASKS] == 0 else ASKS_FIRST
    return _ask(status[PYTHON], callback, place) if answer == ASKS_FIRST else answer


class FoundContacts:
    """What Chrono's narrow phase has found since the step began, for shapes of which not both are ours.

    Attributes:
        status: see PYTHON. models: numbers of bodies on the load by the addresses of their models.
    """

    def __init__(self) -> None:
        self.status = np.zeros(STATUS_WORDS, np.int64)
        self.status[BEGUN_IN] = -1
        self.models: Mapping[int, int] = {}
        self._shapes: dict[int, int] = {}
        self._limit = np.full(1, np.inf)
        self._records = np.zeros(FEWEST, FOUND)
        self._directory = Directory(SHAPES + 1)
        self._directory.put(STATUS, self.status)
        self._directory.put(LIMIT, self._limit)
        self._directory.put(NOTED, self._records)
        self.know_models({})
        self.forget_shapes()

    def know_models(self, models: Mapping[int, int]) -> None:
        """Set the models whose contacts are noted."""
        self.models = models
        self._directory.put(MODELS, hashed(models))

    def forget_shapes(self) -> None:
        """Ask again about the surface of every shape."""
        self._shapes = {}
        self._table = hashed(self._shapes)
        self._directory.put(SHAPES, self._table)

    def know_shape(self, place: int, surface: int, own: bool) -> None:
        """Enter a shape by its address: the number of its surface, and whether it is one of ours."""
        self._shapes[place] = 2 * surface + own
        if 2 * len(self._shapes) > len(self._table) // 2:
            self._table = hashed(self._shapes)
            self._directory.put(SHAPES, self._table)
        else:
            insert(self._table, place, self._shapes[place])

    def knows_shape(self, place: int) -> bool:
        """Whether the surface of a shape, given by its address, is known."""
        return place in self._shapes

    @property
    def has_begun(self) -> bool:
        """Whether contacts of a step have been noted that were not taken yet."""
        return bool(self.status[FRESH])

    def begin(self, limit: float) -> None:
        """Note the contacts of a step from now on, up to a gap in m."""
        self.status[FRESH] = 1
        self.status[COUNT] = 0
        self.status[BEGUN_IN] = -1
        self._limit[0] = limit

    def note(self, place: int) -> None:
        """Note a contact, given by the address of Chrono's record, whose models and shapes are known."""
        if self.status[COUNT] == len(self._records):
            self._records = np.append(self._records, np.zeros_like(self._records))
            self._directory.put(NOTED, self._records)
        note_contact(self._directory.entries, place)

    @property
    def records(self) -> NDArray[Any]:
        """All room for contacts, records of FOUND; other arrays once there were more of them."""
        return self._records

    @property
    def is_led(self) -> bool:
        """Whether Chrono calls compiled code, which notes contacts without asking Python about each."""
        return bool(self.status[PYTHON] and not self.status[ASKS])

    def take(self) -> NDArray[Any]:
        """The contacts noted in the step, records of FOUND, good until the next one begins."""
        self.status[FRESH] = 0
        return self._records[: self.status[COUNT]]

    def lead(self, callback: Any) -> None:
        """Let Chrono call compiled code instead of a narrow-phase callback, where that is possible."""
        if laid_out_as_expected():
            entries = self._directory.entries.ctypes.data
            methods = replace_methods(callback, {"OnNarrowphase": on_narrowphase.address}, entries)
            self.status[PYTHON] = methods.get("OnNarrowphase", 0)

    def ask_about_all(self, asks: bool) -> None:
        """Whether Python is to be asked about every contact."""
        self.status[ASKS] = asks


def hashed(numbers: Mapping[int, int]) -> NDArray[np.int64]:
    """A table of addresses and numbers, at most a quarter full."""
    size = FEWEST
    while size < 4 * len(numbers):
        size *= 2
    table = np.zeros(2 * size, np.int64)
    for key, number in numbers.items():
        insert(table, key, number)
    return table
