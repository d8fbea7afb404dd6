"""Lasting numbers of the contacts of a pair of large shapes, from the features that touch."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from ....errors import ParameterError

Ints = NDArray[np.int64]

Feature = tuple[int, ...]
"""What touches what, such as a corner of one shape and a region of the other, by their numbers."""


class FeatureNumbers:
    """Small numbers for the features of pairs that are listed; the same ones as long as they stay in the list."""

    def __init__(self, most: int) -> None:
        self._most = most
        self._known: dict[int, dict[Feature, int]] = {}

    def of(self, pair: int, features: Sequence[Feature], used: Ints) -> Ints:
        """Numbers for features of a pair.

        Args:
            pair: its name. used: the numbers that its contacts have in the present list.
        """
        present = set(used.tolist())
        known = {feature: number for feature, number in self._known.get(pair, {}).items() if number in present}
        free = (number for number in range(self._most) if number not in present)
        numbers = []
        for feature in features:
            number = known.get(feature, -1)
            if number < 0:
                number = next(free, -1)
                known[feature] = number
            numbers.append(number)
        if -1 in numbers:
            raise ParameterError(f"two shapes have more than {self._most} corners and edges near each other")
        self._known[pair] = known
        return np.array(numbers, np.int64)
