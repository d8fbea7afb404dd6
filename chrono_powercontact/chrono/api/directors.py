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
from typing import Any

import numpy as np
from numpy.typing import NDArray

from .bridge import address
from .native import function_of

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
    look_up = function_of(None, "dladdr")
    if look_up is None:
        return ""
    look_up.argtypes = [ctypes.c_void_p, ctypes.POINTER(_Symbol)]
    if look_up(place, ctypes.byref(found)) and found.name and found.start == place:
        return str(found.name.decode())
    return ""


def words_at(place: int, count: int) -> NDArray[np.int64]:
    """Words of memory at an address, without a copy."""
    return np.ctypeslib.as_array(ctypes.cast(place, ctypes.POINTER(ctypes.c_int64)), (count,))


def table_of(owner: int) -> int:
    """Address of the table of virtual methods of an object at an address."""
    return int(words_at(owner, 1)[0])


def method_names(owner: int, most: int) -> list[str]:
    """Symbols of the first methods in the table of an object at an address; empty where none is known."""
    return [symbol_at(int(method)) for method in words_at(table_of(owner), most)]


def methods_of(owner: int) -> dict[str, tuple[int, int]]:
    """Place in its table, and address, of each method of an object at an address, by its symbol.

    Those behind an unknown one miss.
    """
    table = table_of(owner)
    found = {}
    for place in range(MOST):
        method = int(words_at(table + WORD * place, 1)[0])
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
    methods = methods_of(address(director))
    named = {name: _named(methods, name) for name in compiled}
    found = {name: own for name, own in named.items() if own is not None}
    if len(found) < len(compiled):
        return {}
    replaced = {place: compiled[name] for name, (place, _) in found.items()}
    table = give_table(address(director), len(methods), replaced, context)
    weakref.finalize(director, _UNUSED.append, table)
    return {name: method for name, (_, method) in found.items()}


def give_table(owner: int, methods: int, replaced: Mapping[int, int], context: int) -> NDArray[np.int64]:
    """Give an object a table of its own, a copy of that of its class in which some methods lead to compiled code.

    Args:
        owner: address of the object. methods: how many its class has. replaced: addresses of the code by the places of
            the methods. context: see `replace_methods`.

    Returns:
        The table, which must not be freed while C++ may use the object.
    """
    own = words_at(owner, 1)
    table = _UNUSED.pop() if _UNUSED else np.zeros(BEFORE + MOST + 1, np.int64)
    count = BEFORE + methods
    table[:count] = words_at(int(own[0]) - WORD * BEFORE, count)
    for place, code in replaced.items():
        table[BEFORE + place] = code
    table[BEFORE + CONTEXT] = context
    own[0] = table.ctypes.data + WORD * BEFORE
    return table


def take_table(owner: int, before: int, table: NDArray[np.int64]) -> None:
    """Give an object at an address the table back that it had before, at another address, instead of its own."""
    words_at(owner, 1)[0] = before
    _UNUSED.append(table)
