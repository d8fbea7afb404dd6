"""Numbers that write down what is done with them: a kernel that is run with them leaves its formulas on a tape."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from ...errors import ParameterError

Operand = Any
"""A Traced number, or a plain one."""

FUNCTIONS: dict[str, Callable[..., float]] = {
    "sin": math.sin,
    "cos": math.cos,
    "tan": math.tan,
    "sinh": math.sinh,
    "tanh": math.tanh,
    "exp": math.exp,
    "expm1": math.expm1,
    "log": math.log,
    "log1p": math.log1p,
    "sqrt": math.sqrt,
    "acos": math.acos,
    "asin": math.asin,
    "atan": math.atan,
    "atan2": math.atan2,
    "fabs": math.fabs,
    "fmax": max,
    "fmin": min,
}
"""Functions of C's math library that a kernel may use, and what they give for plain numbers."""


@dataclass(frozen=True)
class Line:
    """A line of a tape, by its number."""

    number: int


@dataclass(frozen=True)
class Entry:
    """One line of a tape: an operation and its operands, which are lines, plain numbers, or the name of an input."""

    operation: str
    operands: tuple[Operand, ...]


@dataclass
class Tape:
    """What was done with the numbers, each thing once.

    Attributes:
        entries: in order. known: the line of each. branches: of the calls that are under way.
    """

    entries: list[Entry] = field(default_factory=list)
    known: dict[Entry, int] = field(default_factory=dict)
    branches: list[Branches] = field(default_factory=list)

    def add(self, operation: str, *operands: Operand) -> Traced:
        """The result of an operation, new or known."""
        entry = Entry(operation, tuple(Line(x.line) if isinstance(x, Traced) else float(x) for x in operands))
        return self._put(entry)

    def input(self, name: str) -> Traced:
        """A number that is given from outside, by its name in C."""
        return self._put(Entry("input", (name,)))

    def _put(self, entry: Entry) -> Traced:
        if entry not in self.known:
            self.known[entry] = len(self.entries)
            self.entries.append(entry)
        return Traced(self, self.known[entry])


@dataclass
class Branches:
    """The conditions that one call of a function came to, and how each was answered."""

    conditions: list[Traced] = field(default_factory=list)
    answers: list[bool] = field(default_factory=list)

    def answer(self, condition: Traced) -> bool:
        """How the next condition is answered: as planned, or for the first time with yes."""
        place = len(self.conditions)
        self.conditions.append(condition)
        if place == len(self.answers):
            self.answers.append(True)
        return self.answers[place]


def applied(function: str, *operands: Operand) -> Operand:
    """A function of C's library: traced where an operand is, else its number."""
    tape = next((x.tape for x in operands if isinstance(x, Traced)), None)
    if tape is None:
        return FUNCTIONS[function](*(float(x) for x in operands))
    return tape.add(function, *operands)


def chosen(condition: Operand, yes: Operand, no: Operand) -> Operand:
    """One of two numbers by a condition."""
    if not isinstance(condition, Traced):
        return yes if condition else no
    if same(yes, no):
        return yes
    return condition.tape.add("?", condition, yes, no)


def same(a: Operand, b: Operand) -> bool:
    """Whether two operands are the same number."""
    if isinstance(a, Traced) and isinstance(b, Traced):
        return a.line == b.line
    return not isinstance(a, Traced) and not isinstance(b, Traced) and float(a) == float(b)


def _plain(x: Operand, value: float) -> bool:
    return not isinstance(x, Traced) and float(x) == value


class Traced:
    """A number on a tape."""

    __array_ufunc__ = None
    __hash__ = None  # type: ignore[assignment]

    def __init__(self, tape: Tape, line: int) -> None:
        self.tape = tape
        self.line = line

    def __add__(self, other: Operand) -> Operand:
        return self if _plain(other, 0.0) else self.tape.add("+", self, other)

    def __radd__(self, other: Operand) -> Operand:
        return self if _plain(other, 0.0) else self.tape.add("+", other, self)

    def __sub__(self, other: Operand) -> Operand:
        return self if _plain(other, 0.0) else self.tape.add("-", self, other)

    def __rsub__(self, other: Operand) -> Operand:
        return -self if _plain(other, 0.0) else self.tape.add("-", other, self)

    def __mul__(self, other: Operand) -> Operand:
        if _plain(other, 0.0):
            return 0.0
        return self if _plain(other, 1.0) else self.tape.add("*", self, other)

    def __rmul__(self, other: Operand) -> Operand:
        if _plain(other, 0.0):
            return 0.0
        return self if _plain(other, 1.0) else self.tape.add("*", other, self)

    def __truediv__(self, other: Operand) -> Operand:
        return self if _plain(other, 1.0) else self.tape.add("/", self, other)

    def __rtruediv__(self, other: Operand) -> Operand:
        return 0.0 if _plain(other, 0.0) else self.tape.add("/", other, self)

    def __neg__(self) -> Operand:
        return self.tape.add("neg", self)

    def __abs__(self) -> Operand:
        return self.tape.add("fabs", self)

    def __pow__(self, power: Operand) -> Operand:
        if isinstance(power, Traced) or float(power) != int(power) or not 1 <= int(power) <= 4:
            raise ParameterError(f"only powers from 1 to 4 can be exported, got {power!r}")
        product = self
        for _ in range(int(power) - 1):
            product = product * self
        return product

    def __lt__(self, other: Operand) -> Operand:
        return self.tape.add("<", self, other)

    def __le__(self, other: Operand) -> Operand:
        return self.tape.add("<=", self, other)

    def __gt__(self, other: Operand) -> Operand:
        return self.tape.add(">", self, other)

    def __ge__(self, other: Operand) -> Operand:
        return self.tape.add(">=", self, other)

    def __eq__(self, other: object) -> Any:
        return self.tape.add("==", self, other)

    def __ne__(self, other: object) -> Any:
        return self.tape.add("!=", self, other)

    def __bool__(self) -> bool:
        if not self.tape.branches:
            raise ParameterError("a kernel that branches outside of any function cannot be exported")
        return self.tape.branches[-1].answer(self)
