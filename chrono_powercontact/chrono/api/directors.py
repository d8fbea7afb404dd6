"""Compiled code in place of Python methods that C++ calls: virtual methods of a SWIG director.

PyChrono calls a method of a Python class through a director: a C++ object whose table of virtual methods leads to
Python, which takes microseconds. An object of such a class can be given a table of its own in which some methods lead
to compiled code. The table is a copy, so everything else stays as it is. It is done only where the symbol behind the
entry says that it is the method that is meant; otherwise Python is called as before.
"""

from __future__ import annotations

import ctypes
import weakref
from collections.abc import Mapping
from contextlib import suppress
from typing import Any

import numpy as np
from numpy.typing import NDArray

from .bridge import address

WORD = 8
BEFORE = 2
"""Words in front of the first method in a table: the offset to the top of the object, and its type."""
MOST = 40
"""More methods than any class has whose objects get a table of their own."""
CONTEXT = MOST
"""Place of the word, counted from the first method, that a compiled method finds its context by."""

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


def methods_of(director: Any) -> dict[str, tuple[int, int]]:
    """Place in its table, and address, of each method of a director by its symbol; those behind an unknown one miss."""
    table = int(_words(address(director), 1)[0])
    found = {}
    for place in range(MOST):
        method = int(_words(table + WORD * place, 1)[0])
        symbol = symbol_at(method)
        if not symbol:
            break
        found[symbol] = place, method
    return found


def _named(methods: Mapping[str, tuple[int, int]], name: str) -> tuple[int, int] | None:
    """The method of a name that leads to Python, or None."""
    chosen = [own for symbol, own in methods.items() if "SwigDirector" in symbol and f"{len(name)}{name}E" in symbol]
    return chosen[0] if len(chosen) == 1 else None


def replace_methods(director: Any, compiled: Mapping[str, int], context: int) -> dict[str, int]:
    """Let C++ call compiled code instead of Python methods of a director, of which none must have been replaced yet.

    Args:
        compiled: addresses of the code by the names of the methods. It takes the address of the object and the
            methods' own arguments. context: a word that it finds by `CONTEXT` in the object's table.

    Returns:
        The addresses of the methods that lead to Python; nothing is done, and none given, if one cannot be found.
    """
    methods = methods_of(director)
    named = {name: _named(methods, name) for name in compiled}
    found = {name: own for name, own in named.items() if own is not None}
    if len(found) < len(compiled):
        return {}
    own = _words(address(director), 1)
    count = BEFORE + len(methods)
    table = _UNUSED.pop() if _UNUSED else np.zeros(BEFORE + MOST + 1, np.int64)
    table[:count] = _words(int(own[0]) - WORD * BEFORE, count)
    for name, (place, _) in found.items():
        table[BEFORE + place] = compiled[name]
    table[BEFORE + CONTEXT] = context
    own[0] = table.ctypes.data + WORD * BEFORE
    weakref.finalize(director, _UNUSED.append, table)
    return {name: method for name, (_, method) in found.items()}
