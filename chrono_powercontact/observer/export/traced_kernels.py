"""Runs the Python text of compiled kernels on traced numbers.

The kernels are written in plain NumPy for scalars, records and small arrays. Here they get records and arrays that can
hold traced numbers, NumPy's functions as C's, and instead of compiled kernels their Python text. A function with a
condition on traced numbers is run once for each way through it, and what it returns, and what it leaves in the arrays
and records that it was given, is chosen by the conditions.
"""

from __future__ import annotations

import builtins
import types
from collections.abc import Callable, Iterator, Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ...errors import ParameterError
from .traced_numbers import Branches, Tape, Traced, applied, chosen

BY_NUMPY = {
    "sin": "sin",
    "cos": "cos",
    "tan": "tan",
    "sinh": "sinh",
    "tanh": "tanh",
    "exp": "exp",
    "expm1": "expm1",
    "log": "log",
    "log1p": "log1p",
    "sqrt": "sqrt",
    "arccos": "acos",
    "arcsin": "asin",
    "arctan": "atan",
    "arctan2": "atan2",
    "abs": "fabs",
    "maximum": "fmax",
    "minimum": "fmin",
}
"""Functions of NumPy by their names in C."""

MOST_WAYS = 64
"""A function has no more ways through it than this."""


class TracedRecord:
    """A record whose fields can hold traced numbers."""

    def __init__(self, kind: np.dtype[Any], numbers: list[Any]) -> None:
        """`numbers` are those of the record, one for each 8 bytes, where a whole number is already one."""
        fields: Any = kind.fields
        for name in kind.names or ():
            inner, offset = fields[name][:2]
            setattr(self, name, _value(inner, numbers[offset // 8 : (offset + inner.itemsize) // 8]))


def _value(kind: np.dtype[Any], numbers: list[Any]) -> Any:
    """What a field of a type holds."""
    if kind.subdtype is not None:
        return np.array(numbers, object)
    if kind.names is not None:
        return TracedRecord(kind, numbers)
    return int(np.float64(numbers[0]).view(np.int64)) if kind == np.int64 else numbers[0]


def traced_record(kind: np.dtype[Any], numbers: NDArray[Any]) -> TracedRecord:
    """A record of a type from its plain vector, in which some numbers may be traced."""
    return TracedRecord(kind, list(numbers))


class TracedVector(np.ndarray):
    """A vector of traced numbers that can be viewed as an array of one record, as a kernel does with its p."""

    def view(self, kind: Any = None) -> Any:  # type: ignore[override]
        """An array of one record of a type; another view is NumPy's."""
        if kind is None or not isinstance(kind, np.dtype) or kind.names is None:
            return super().view(np.ndarray)
        return one_record(traced_record(kind, self))


def one_record(record: TracedRecord) -> NDArray[Any]:
    """An array of one record."""
    array = np.empty(1, object)
    array[0] = record
    return array


def vector(numbers: list[Any]) -> TracedVector:
    """A vector of traced or plain numbers."""
    array = np.empty(len(numbers), object).view(TracedVector)
    array[:] = numbers
    return array


class TracedNumpy:
    """NumPy as a traced kernel sees it."""

    def __getattr__(self, name: str) -> Any:
        if name in BY_NUMPY:
            return lambda *operands: applied(BY_NUMPY[name], *operands)
        if name in ("zeros", "empty"):
            return _room
        return getattr(np, name)


def _room(shape: Any, kind: Any = np.float64) -> Any:
    """np.zeros for traced numbers."""
    if isinstance(kind, np.dtype) and kind.names is not None:
        return one_record(traced_record(kind, np.zeros(kind.itemsize // 8)))
    array = np.empty(shape, object)
    array[...] = 0.0
    return array


class TracedModule:
    """A module whose compiled kernels are traced."""

    def __init__(self, tape: Tape, module: types.ModuleType) -> None:
        self._tape = tape
        self._module = module

    def __getattr__(self, name: str) -> Any:
        return traceable(self._tape, getattr(self._module, name))


def traceable(tape: Tape, value: Any) -> Any:
    """What a kernel's global name is replaced by."""
    if value is np:
        return TracedNumpy()
    if isinstance(value, types.ModuleType):
        return TracedModule(tape, value)
    if hasattr(value, "py_func"):
        return lambda *given: call(tape, value.py_func, given)
    return value


def _least(a: Any, b: Any) -> Any:
    traced = isinstance(a, Traced) or isinstance(b, Traced)
    return applied("fmin", a, b) if traced else builtins.min(a, b)


def _largest(a: Any, b: Any) -> Any:
    traced = isinstance(a, Traced) or isinstance(b, Traced)
    return applied("fmax", a, b) if traced else builtins.max(a, b)


def _number(x: Any) -> Any:
    return x if isinstance(x, Traced) else builtins.float(x)


def _rewired(tape: Tape, function: Callable[..., Any]) -> Callable[..., Any]:
    """The function with traceable globals."""
    names = function.__code__.co_names
    own = {name: traceable(tape, value) for name, value in function.__globals__.items() if name in names}
    own |= {"min": _least, "max": _largest, "float": _number}
    cells = tuple(types.CellType(traceable(tape, cell.cell_contents)) for cell in function.__closure__ or ())
    return types.FunctionType(function.__code__, own, function.__name__, function.__defaults__, cells)


def _contents(value: Any) -> list[Any]:
    """All numbers that a function may change in one of its arguments."""
    if isinstance(value, TracedRecord):
        return [number for inner in vars(value).values() for number in _held(inner)]
    if isinstance(value, np.ndarray):
        return [number for inner in value.ravel() for number in _held(inner)]
    return []


def _held(inner: Any) -> list[Any]:
    return _contents(inner) if isinstance(inner, TracedRecord | np.ndarray) else [inner]


def _put_back(value: Any, numbers: Iterator[Any]) -> None:
    """Write numbers as `_contents` lists them."""
    if isinstance(value, TracedRecord):
        for name, inner in vars(value).items():
            if isinstance(inner, TracedRecord | np.ndarray):
                _put_back(inner, numbers)
            else:
                setattr(value, name, next(numbers))
    elif isinstance(value, np.ndarray):
        for place in np.ndindex(value.shape):
            if isinstance(value[place], TracedRecord):
                _put_back(value[place], numbers)
            else:
                value[place] = next(numbers)


class Way(NamedTuple):
    """A way through a function: conditions and their answers, what it returned, and what it left in its arguments."""

    conditions: list[Traced]
    answers: list[bool]
    result: Any
    left: list[Any]


def call(tape: Tape, function: Callable[..., Any], given: tuple[Any, ...]) -> Any:
    """Run a function on traced numbers, once for each way through it, and merge what it returns."""
    rewired = _rewired(tape, function)
    answers: list[bool] = []
    ways: list[Way] = []
    before = [number for value in given for number in _contents(value)]
    while len(ways) < MOST_WAYS:
        branches = Branches(answers=list(answers))
        tape.branches.append(branches)
        result = rewired(*given)
        tape.branches.pop()
        left = [number for value in given for number in _contents(value)] if ways or branches.answers else []
        ways.append(Way(branches.conditions, branches.answers, result, left))
        answers = _next(branches.answers)
        if not answers:
            return _joined(given, ways)
        _restore(given, before)
    raise ParameterError(f"{function.__name__} has more than {MOST_WAYS} ways through it and cannot be exported")


def _next(answers: list[bool]) -> list[bool]:
    """The answers of the next way: the last yes becomes a no; nothing after the last way."""
    kept = list(answers)
    while kept and not kept[-1]:
        kept.pop()
    if kept:
        kept[-1] = False
    return kept


def _restore(given: tuple[Any, ...], numbers: Sequence[Any]) -> None:
    """Write numbers into all arguments."""
    rest = iter(numbers)
    for value in given:
        _put_back(value, rest)


def _joined(given: tuple[Any, ...], ways: list[Way]) -> Any:
    """The result of all ways; the arguments hold what is left in them."""
    if len(ways) == 1:
        return ways[0].result
    _restore(given, _merged(ways, [way.left for way in ways], 0))
    if ways[0].result is None:
        return None
    several = isinstance(ways[0].result, tuple)
    results = _merged(ways, [list(way.result) if several else [way.result] for way in ways], 0)
    return tuple(results) if several else results[0]


def _merged(ways: list[Way], values: list[list[Any]], depth: int) -> list[Any]:
    """What several ways that agree in their first answers give, number by number."""
    if len(ways) == 1:
        return values[0]
    sides = []
    for side in (True, False):
        taken = [i for i, way in enumerate(ways) if way.answers[depth] == side]
        sides.append(_merged([ways[i] for i in taken], [values[i] for i in taken], depth + 1))
    condition = ways[0].conditions[depth]
    return [chosen(condition, yes, no) for yes, no in zip(*sides, strict=True)]
