"""What a swept parameter goes through: values that are all taken, or an interval that is sampled."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from ...errors import ParameterError, UnknownNameError, finite

SOBOL = "sobol"
LATIN = "lhs"
LOG = "log"
KINDS = (SOBOL, LATIN, LOG)
"""Words behind an interval on the command line."""


@dataclass(frozen=True)
class Values:
    """Values that are all taken, crossed with those of the other parameters."""

    values: Sequence[Any]

    def __post_init__(self) -> None:
        if not self.values:
            raise ParameterError("a swept parameter needs at least one value, got none")
        if isinstance(self.values, Evenly | range):
            return
        for value in self.values:
            if isinstance(value, float) and not math.isfinite(value):
                raise ParameterError(f"a swept value must be a finite number or a word, got {value}")


@dataclass(frozen=True)
class Evenly(Sequence[float]):
    """So many numbers between two ends, made when they are asked for: a grid may be refused for its size.

    Attributes:
        low, high: the ends. size: their number, at least 2. log: whether they are even on a logarithmic scale.
    """

    low: float
    high: float
    size: int
    log: bool

    def __len__(self) -> int:
        return self.size

    def __getitem__(self, index: Any) -> Any:
        if isinstance(index, slice):
            return [self[i] for i in range(*index.indices(self.size))]
        if not -self.size <= index < self.size:
            raise IndexError(index)
        return between(self.low, self.high, (index % self.size) / (self.size - 1), self.log)


@dataclass(frozen=True)
class Interval:
    """An interval that is sampled together with all other sampled ones.

    Attributes:
        low, high: its ends. kind: "sobol" or "lhs". log: whether samples are even on a logarithmic scale.
    """

    low: float
    high: float
    kind: str = SOBOL
    log: bool = False

    def __post_init__(self) -> None:
        check_ends(self.low, self.high, self.log)

    def at(self, fraction: float) -> float:
        """The value at a fraction of the interval, 0 to 1."""
        return between(self.low, self.high, fraction, self.log)


Range = Values | Interval


def check_ends(low: float, high: float, log: bool) -> None:
    """Raise unless two numbers are the ends of an interval."""
    if not finite("low", low) < finite("high", high):
        raise ParameterError(f"the low end of a range must be less than its high end, got {low:g} to {high:g}")
    if log and low <= 0.0:
        raise ParameterError(f"the low end of a logarithmic range must be greater than 0, got {low:g}")


def between(low: float, high: float, fraction: float, log: bool) -> float:
    """The value at a fraction between two numbers; the ends are exact."""
    if fraction in (0.0, 1.0):
        return high if fraction else low
    if log:
        return math.exp(math.log(low) + fraction * (math.log(high) - math.log(low)))
    return low + fraction * (high - low)


def grid(low: float, high: float, count: int, *, log: bool = False) -> Values:
    """So many values from low to high, evenly, or evenly on a logarithmic scale."""
    if isinstance(count, bool) or int(count) != count or count < 1:
        raise ParameterError(f"the number of values must be a whole number of at least 1, got {count!r}")
    if count == 1:
        return Values((finite("low", low),))
    check_ends(low, high, log)
    return Values(Evenly(float(low), float(high), int(count), log))


def sobol(low: float, high: float, *, log: bool = False) -> Interval:
    """An interval sampled by a scrambled Sobol sequence."""
    return Interval(float(low), float(high), SOBOL, log)


def lhs(low: float, high: float, *, log: bool = False) -> Interval:
    """An interval sampled by a Latin hypercube."""
    return Interval(float(low), float(high), LATIN, log)


def read_range(given: object) -> Range:
    """A range as a user gives it in Python: `grid`, `sobol`, `lhs`, a sequence of values, or a single value."""
    if isinstance(given, Values | Interval):
        return given
    listed: Any = given.tolist() if isinstance(given, np.ndarray) else given
    if isinstance(listed, str) or not isinstance(listed, Sequence):
        return Values((listed,))
    return Values(listed if isinstance(listed, range) else tuple(listed))


def parse_over(text: str) -> tuple[str, Range, int | None]:
    """A parameter, its range and its number of samples from key=low:high:count[:sobol|lhs|log] or key=a,b,c."""
    name, sign, rest = (part.strip() for part in text.partition("="))
    if not sign or not name or not rest:
        raise ParameterError(f"--over takes key=low:high:count or key=value,value, got {text!r}")
    if ":" not in rest:
        return name, Values(tuple(_plain(word) for word in rest.split(","))), None
    words = rest.split(":")
    kind = words.pop() if words[-1].isalpha() else ""
    if kind and kind not in KINDS:
        raise UnknownNameError("kind of range", kind, KINDS)
    if len(words) not in (2, 3) or (len(words) == 2 and kind not in (SOBOL, LATIN)):
        raise ParameterError(f"--over takes key=low:high:count[:sobol|lhs|log], got {text!r}")
    low, high = (_number(text, word) for word in words[:2])
    count = _count(text, words[2]) if len(words) == 3 else None
    if kind in (SOBOL, LATIN):
        return name, Interval(low, high, kind), count
    return name, grid(low, high, count or 1, log=kind == LOG), None


def parse_all(texts: Sequence[str]) -> tuple[dict[str, Range], int | None]:
    """All ranges of a command line, and the number of samples that they agree on."""
    over: dict[str, Range] = {}
    counts: dict[str, int] = {}
    for text in texts:
        name, swept, count = parse_over(text)
        if name in over:
            raise ParameterError(f"--over names {name} twice")
        over[name] = swept
        if count is not None:
            counts[name] = count
    if len(set(counts.values())) > 1:
        listed = ", ".join(f"{name} {count}" for name, count in counts.items())
        raise ParameterError(f"sampled parameters are drawn together, so their counts must be equal, got {listed}")
    return over, next(iter(counts.values()), None)


def described(over: Mapping[str, Range]) -> dict[str, Any]:
    """Ranges as sweep.json holds them."""
    listed: dict[str, Any] = {}
    for name, swept in over.items():
        if isinstance(swept, Values):
            listed[name] = list(swept.values)
        else:
            listed[name] = {"low": swept.low, "high": swept.high, "kind": swept.kind, "log": swept.log}
    return listed


def _number(text: str, word: str) -> float:
    try:
        value = float(word)
    except ValueError:
        raise ParameterError(f"--over {text}: {word!r} is not a number") from None
    return finite(f"an end of {text!r}", value)


def _count(text: str, word: str) -> int:
    if not word.strip().isdigit() or int(word) < 1:
        raise ParameterError(f"--over {text}: the count must be a whole number of at least 1, got {word!r}")
    return int(word)


def _plain(word: str) -> Any:
    """A word as a number where it is one."""
    for kind in (int, float):
        try:
            return kind(word)
        except ValueError:
            continue
    return word.strip()
