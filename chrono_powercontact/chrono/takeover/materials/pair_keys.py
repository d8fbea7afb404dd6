"""The designed material of a pair of bodies by a key: their two surfaces and the class of the lighter mass."""

from __future__ import annotations

from typing import Any

import numpy as np

from ....kernel import kernel

Array = Any

HALF = 1 << 20
"""More than the number of different surfaces of a system."""
CLASSES = 1 << 12
"""More than twice the number of classes of masses: as many as a double has exponents."""
NOT_MADE = -1
"""Number of a material that has not been designed yet."""


@kernel
def lighter_of(masses: Array, a: int, b: int) -> float:
    """Mass in kg of the lighter one of two bodies; 1 if neither moves, whose masses are infinite."""
    mass = min(masses[a], masses[b])
    return mass if mass < np.inf else 1.0


@kernel
def pair_key(mass: float, one: int, other: int) -> int:
    """Key of two surfaces and a mass in kg: masses of one class differ by less than a factor of two."""
    mass_class = int(np.floor(np.log2(mass))) + CLASSES // 2
    return (min(one, other) * HALF + max(one, other)) * CLASSES + mass_class


@kernel
def find_slots(
    first: Array, second: Array, surfaces: Array, masses: Array, keys: Array, numbers: Array, slots: Array
) -> int:
    """Write the number of the material of each pair of bodies; returns the first pair without one, or the count.

    Args:
        first, second: numbers of the bodies. surfaces: those of each pair. masses: of all bodies in kg.
        keys, numbers: the materials that are made, in the order of their keys.
    """
    for i in range(first.size):
        key = pair_key(lighter_of(masses, first[i], second[i]), surfaces[i, 0], surfaces[i, 1])
        place = np.searchsorted(keys, key)
        if place == keys.size or keys[place] != key:
            return i
        slots[i] = numbers[place]
    return first.size
