"""The model that a filter carries: compiled functions of one type, so that one compiled filter serves all models."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import numpy as np
from numba import njit, typed, types
from numpy.typing import NDArray

from ..errors import ParameterError, UnknownNameError
from ..lagrange.codegen import SIGNATURE as TERMS_SIGNATURE

_VECTOR = types.float64[::1]
SIGNATURE = types.void(types.float64, _VECTOR, _VECTOR, _VECTOR, _VECTOR)
"""Of rhs(t, x, u, p, dx) and measure(t, x, u, p, y): time in s, state, input and numbers in, the last argument out."""

POINTER = types.FunctionType(SIGNATURE)
POINTERS = types.ListType(POINTER)
TERMS = types.FunctionType(eval(TERMS_SIGNATURE, {"types": types}))
SYSTEMS = types.ListType(TERMS)


RHS, MEASURE = range(2)
"""Places of both functions in the list of pointers."""


@njit(POINTERS(POINTER, POINTER), cache=True)
def hold(rhs: Any, measure: Any) -> Any:
    """Both functions in a list of pointers: handing a function over costs 70 us each time, the list 2 us."""
    pointers = typed.List.empty_list(POINTER)
    pointers.append(rhs)
    pointers.append(measure)
    return pointers


@njit(SYSTEMS(TERMS), cache=True)
def hold_system(terms: Any) -> Any:
    """The kernel of a system of the reference engine in a list."""
    systems = typed.List.empty_list(TERMS)
    systems.append(terms)
    return systems


@njit(SYSTEMS(), cache=True)
def no_system() -> Any:
    """The list without a system."""
    return typed.List.empty_list(TERMS)


def compiled(function: Callable[..., None]) -> Any:
    """Compile rhs(t, x, u, p, dx) or measure(t, x, u, p, y) for a filter.

    Inside this package the result is kept on disk. Elsewhere it is compiled in each process: nobody would notice that a
    law of this package has changed since.
    """
    own = function.__module__.partition(".")[0] == __name__.partition(".")[0]
    return njit(SIGNATURE, cache=own, error_model="numpy")(function)


@compiled
def still(t: float, x: Any, u: Any, p: Any, dx: Any) -> None:
    """Nothing moves; given where a function is not needed."""
    dx[:] = 0.0


@dataclass(frozen=True)
class FilterModel:
    """x' = f(t, x, u), y = g(t, x, u) with names.

    Attributes:
        rhs: f, made by `compiled`; it writes every entry of dx.
        states, inputs, outputs: names. Outputs are states by name, unless `measure` is given.
        p: numbers that rhs and measure read.
        measure: g, made by `compiled`; None where every output is a state.
        angles: outputs in rad that are known up to full turns: their innovation is taken between -pi and pi.
        terms: kernel of a system of the reference engine that replaces rhs; p is then the system's, see `model_of`.
        slots: indices in p of numbers that are estimated. They are the last states, and rhs does not see them there: it
            reads them in p.
        tangent: makes of a step in s and the steps of a sample what gives that sample with its exact derivatives, see
            `tangents`; None where the model has none.
    """

    rhs: Any
    states: tuple[str, ...]
    inputs: tuple[str, ...] = ()
    outputs: tuple[str, ...] = ()
    p: NDArray[np.float64] = field(default_factory=lambda: np.zeros(0))
    measure: Any = None
    angles: tuple[str, ...] = ()
    terms: Any = None
    slots: tuple[int, ...] = ()
    tangent: Callable[[float, int], Any] | None = None

    def __post_init__(self) -> None:
        for kind in ("states", "inputs", "outputs", "angles"):
            object.__setattr__(self, kind, _names(kind, getattr(self, kind)))
        if not self.states or not self.outputs:
            raise ParameterError(
                f"a filter needs states and outputs, got states {self.states} and outputs {self.outputs}"
            )
        for name, function in (("rhs", self.rhs), ("measure", self.measure)):
            if (name == "rhs" or function is not None) and not _fits(function):
                raise ParameterError(f"{name} must be made by observer.compiled, got {function!r}")
        if self.measure is None:
            _known("output", self.outputs, self.states)
        _known("angle", self.angles, self.outputs)
        try:
            object.__setattr__(self, "p", np.array(self.p, dtype=float).ravel())
        except (TypeError, ValueError):
            raise ParameterError(f"p must be an array of numbers, got {self.p!r}") from None
        if len(self.slots) >= len(self.states) or not all(0 <= i < self.p.size for i in self.slots):
            raise ParameterError(
                f"slots must be indices in p of fewer numbers than there are states, got {self.slots} "
                f"with {self.p.size} numbers and {len(self.states)} states"
            )

    @property
    def estimated(self) -> tuple[str, ...]:
        """Names of the numbers of the model that are estimated."""
        return self.states[len(self.states) - len(self.slots) :]

    @property
    def head(self) -> tuple[Any, ...]:
        """What a compiled filter takes of a model besides its numbers."""
        return self.functions, self.systems, self.pick, self.turns, np.array(self.slots, np.int64)

    @cached_property
    def functions(self) -> Any:
        """Pointers to rhs and measure, as the compiled filter takes them."""
        return hold(self.rhs, still if self.measure is None else self.measure)

    @cached_property
    def systems(self) -> Any:
        """Pointer to the kernel of the reference system, or none."""
        return no_system() if self.terms is None else hold_system(self.terms)

    @property
    def pick(self) -> NDArray[np.int64]:
        """Number of the state that each output is; empty where `measure` gives the outputs."""
        names = self.outputs if self.measure is None else ()
        return np.array([self.states.index(name) for name in names], np.int64)

    @property
    def turns(self) -> NDArray[np.bool_]:
        """Which outputs are angles."""
        return np.array([name in self.angles for name in self.outputs])


def _names(kind: str, names: Sequence[str]) -> tuple[str, ...]:
    if isinstance(names, str) or not all(isinstance(name, str) for name in names):
        raise ParameterError(f"{kind} must be a sequence of names, got {names!r}")
    if len(set(names)) < len(names):
        raise ParameterError(f"{kind} must differ, got {list(names)}")
    return tuple(names)


def _known(kind: str, names: Sequence[str], known: Sequence[str]) -> None:
    for name in names:
        if name not in known:
            raise UnknownNameError(kind, name, known)


def _fits(function: Any) -> bool:
    return SIGNATURE.args in getattr(function, "overloads", {})
