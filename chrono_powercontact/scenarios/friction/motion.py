"""A prescribed speed: stretches of a sine, each of which starts at zero, with rests between them."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray


@dataclass(frozen=True)
class Motion:
    """Stretches of a sine and the rests around them.

    Attributes:
        lengths: of the stretches in s.
        rest: length of each rest in s.
        rests_first: whether there is a rest before the first stretch, too.
    """

    lengths: tuple[float, ...]
    rest: float
    rests_first: bool = False

    @cached_property
    def begins(self) -> NDArray[np.float64]:
        """Begin of each stretch in s."""
        first = self.rest if self.rests_first else 0.0
        return first + np.concatenate([[0.0], np.cumsum(np.array(self.lengths[:-1]) + self.rest)])

    @property
    def end(self) -> float:
        """End of the last rest in s."""
        return float(self.begins[-1] + self.lengths[-1] + self.rest)

    def speed(self, t: NDArray[np.float64], amplitude: float, frequency: float) -> NDArray[np.float64]:
        """Speed in m/s at times in s, with an amplitude in m/s and a frequency in Hz."""
        found = np.zeros_like(t)
        for begin, length in zip(self.begins, self.lengths, strict=True):
            moving = (t >= begin) & (t < begin + length)
            found[moving] = amplitude * np.sin(2.0 * np.pi * frequency * (t[moving] - begin))
        return found

    def rests(self, frequency: float) -> list[tuple[float, int]]:
        """End of each rest in s, and the sign of the speed before it; 0 before the first motion."""
        before = [(self.rest, 0)] if self.rests_first else []
        return before + [
            (float(begin + length + self.rest), _last_sign(length * frequency))
            for begin, length in zip(self.begins, self.lengths, strict=True)
        ]


def _last_sign(periods: float) -> int:
    """Sign of a sine just before it has run through so many periods."""
    return 1 if (periods - 1e-9) % 1.0 < 0.5 else -1
