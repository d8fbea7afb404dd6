"""Compiled code in place of a Python method that C++ calls: a virtual method of a SWIG director.

PyChrono calls a method of a Python class through a director: a C++ object whose table of virtual methods leads to
Python, which takes microseconds. An object of such a class can be given a table of its own in which one method leads to
compiled code. The table is a copy, so everything else stays as it is. It is done only where the symbol behind the entry
says that it is the method that is meant; otherwise Python is called as before.
"""

from __future__ import annotations

import ctypes
import weakref
from contextlib import suppress
from typing import Any

import numpy as np
from numpy.typing import NDArray

from .bridge import address

WORD = 8
BEFORE = 2
"""Words in front of the first method in a table: the offset to the top of the object, and its type."""
SEARCHED = 8
"""Number of methods among which the one that is meant is looked for: more than such a class has."""
CONTEXT = SEARCHED
"""Place of the word, counted from the first method, that the compiled method finds its context by."""

_UNUSED: list[NDArray[np.int64]] = []
"""Tables of objects that are gone. They are used again, and never freed: C++ may delete an object after Python has."""


class _Symbol(ctypes.Structure):
    """What dladdr says about an address."""

    _fields_ = (
        ("file", ctypes.c_char_p), ("base", ctypes.c_void_p), ("name", ctypes.c_char_p), ("start", ctypes.c_void_p),
    )  # fmt: skip


def symbol_at(place: int) -> str:
    """Name of the function that begins at an address; empty if the system cannot tell."""
    found = _Symbol()
    with suppress(OSError, AttributeError):
        look_up = ctypes.CDLL(None).dladdr
        look_up.argtypes = [ctypes.c_void_p, ctypes.POINTER(_Symbol)]
        if look_up(place, ctypes.byref(found)) and found.name and found.start == place:
            return str(found.name.decode())
    return ""


def _words(place: int, count: int) -> NDArray[np.int64]:
    """Words of memory at an address, without a copy."""
    return np.ctypeslib.as_array(ctypes.cast(place, ctypes.POINTER(ctypes.c_int64)), (count,))


def method_at(director: Any, name: str) -> tuple[int, int]:
    """Place of a method in the table of a director's class, and its address; -1 and 0 if it cannot be found."""
    table = int(_words(address(director), 1)[0])
    for place in range(SEARCHED):
        method = int(_words(table + WORD * place, 1)[0])
        symbol = symbol_at(method)
        if not symbol:
            break
        if "SwigDirector" in symbol and f"{len(name)}{name}E" in symbol:
            return place, method
    return -1, 0


def replace_method(director: Any, name: str, compiled: int, context: int) -> int:
    """Let C++ call compiled code instead of a Python method of a director, which must not have been replaced yet.

    Args:
        compiled: address of the code, which takes the address of the object and the method's own arguments.
        context: a word that it finds by `CONTEXT` in the object's table.

    Returns:
        The address of the method that leads to Python, or 0 if it cannot be replaced.
    """
    place, method = method_at(director, name)
    if place < 0:
        return 0
    own = _words(address(director), 1)
    original = _words(int(own[0]) - WORD * BEFORE, BEFORE + SEARCHED)
    table = _UNUSED.pop() if _UNUSED else np.zeros(BEFORE + SEARCHED + 1, np.int64)
    table[: BEFORE + SEARCHED] = original
    table[BEFORE + place] = compiled
    table[BEFORE + CONTEXT] = context
    own[0] = table.ctypes.data + WORD * BEFORE
    weakref.finalize(director, _UNUSED.append, table)
    return method
