"""Where a C++ object keeps its numbers: found by what its own methods say, so that compiled code can read them."""

from __future__ import annotations

import ctypes
from collections.abc import Mapping
from typing import Any

import numpy as np

from .bridge import address
from .native import function_of

WORD = 8


def _size_of(place: int) -> int:
    """Bytes that were allocated at an address; 0 if the system cannot tell."""
    for name in ("malloc_usable_size", "malloc_size"):
        ask = function_of(None, name)
        if ask is not None:
            ask.argtypes = [ctypes.c_void_p]
            ask.restype = ctypes.c_size_t
            return int(ask(place))
    return 0


def places_of(
    proxy: Any, values: Mapping[str, float], kept_twice: str = "", number: type[np.floating[Any]] = np.float64
) -> dict[str, int]:
    """Distance in bytes from the start of an object to each of some different numbers of a type, by name.

    Empty if one is not found, or in several places, unless it is the one that the object keeps twice. The object must
    have been made by Python, which allocates it by itself.
    """
    place = address(proxy)
    words = np.ctypeslib.as_array((ctypes.c_double * (_size_of(place) // WORD)).from_address(place)).view(number)
    found = {name: np.flatnonzero(words == value) for name, value in values.items()}
    if any(len(where) != (2 if name == kept_twice else 1) for name, where in found.items()):
        return {}
    return {name: words.itemsize * int(where[-1]) for name, where in found.items()}
