"""A Stribeck curve of the user's own: friction coefficient over sliding speed, as a function or as measured points.

@pc.stribeck_law
def falling(v, p):
    return p.mu / (1.0 + 3.0 * v)

law = falling(mu=0.4, v_c=1e-3)
law = pc.measured_friction([0.0, 0.01, 0.1, 1.0], [0.40, 0.35, 0.28, 0.25], v_c=1e-3)

The curve says what friction is in sliding. Without a memory, and behind a filter, it is rounded off at rest by
tanh(v/v_C), as the Coulomb part of (2.14) is. An anchor needs no rounding: it yields at the value of the curve at rest
and slides on the curve itself.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cache
from itertools import pairwise
from typing import Any

import numpy as np
from numba import njit
from numpy.typing import ArrayLike, NDArray
from scipy.interpolate import PchipInterpolator

from ...errors import ParameterError, finite, positive
from ..user_law import Function, UserFunction, check_function, checked_numbers, entry
from .anchor import PLAIN_PEAK, Anchor
from .friction_law import Memory
from .stribeck import Stribeck
from .user_friction import UserFriction

FASTEST = 100.0
"""Sliding speed in m/s up to which a curve is sampled."""

CLEAR_OF_ROUNDING = 4.0
"""Least measured speed above zero in units of v_C: tanh there is 1 within 0.07 %."""


@cache
def _rounded(curve: Function) -> tuple[Function, Function]:
    """Friction force with the curve rounded off at rest, and with the curve itself beyond the peak of an anchor."""
    coefficient = njit(error_model="numpy")(curve)

    def rounded(v: float, n: float, p: Any) -> Any:
        return n * coefficient(v, p) * np.tanh(v / p.v_c)

    def beyond_peak(v: float, n: float, p: Any) -> Any:
        return n * coefficient(max(v - PLAIN_PEAK * p.v_c, 0.0), p)

    return rounded, beyond_peak


@dataclass(frozen=True, repr=False)
class StribeckDefinition(UserFunction):
    """The curve of a user's Stribeck law: a function of sliding speed v >= 0 in m/s and p, without a unit."""

    curve: Function

    def __post_init__(self) -> None:
        check_function("a Stribeck curve", self.curve, "(v, p)")
        self.describe((self.curve,), "A user's Stribeck curve, a friction coefficient.", first=("v_c",))

    def __call__(self, *unnamed: float, **numbers: float) -> StribeckFriction:
        """The law with its parameters; v_c is one of them."""
        self.refuse_unnamed(unnamed)
        return StribeckFriction(self, **numbers)


@dataclass(frozen=True, init=False, repr=False)
class StribeckFriction(UserFriction):
    """A user's Stribeck law with its parameters; made by `measured_friction` or by what `stribeck_law` returns.

    In a contact the normal force scales the curve; in a joint it is a force in N or a moment in N m.
    """

    definition: StribeckDefinition  # type: ignore[assignment]
    values: tuple[tuple[str, float], ...]
    entries: tuple[Any, ...] = field(compare=False)

    def __init__(self, definition: StribeckDefinition, **numbers: float) -> None:
        curve = definition.curve
        name = curve.__name__
        if "v_c" not in numbers:
            raise ParameterError(f"law {name!r} needs v_c, the speed in m/s up to which friction is rounded off")
        positive("v_c", numbers["v_c"])
        values = checked_numbers(name, (curve,), numbers, always=("v_c",))
        names = tuple(word for word, _ in values)
        at_speed = entry(curve, name, names, "a, p")
        rounded, beyond_peak = (entry(function, name, names, "a, b, p") for function in _rounded(curve))
        object.__setattr__(self, "definition", definition)
        object.__setattr__(self, "values", values)
        object.__setattr__(self, "entries", (rounded, None, beyond_peak, at_speed))
        self._check_samples()

    @property
    def v_c(self) -> float:
        """Speed in m/s up to which friction is rounded off."""
        return dict(self.values)["v_c"]

    def coefficient(self, v: ArrayLike) -> NDArray[np.float64]:
        """The curve at sliding speeds in m/s."""
        return self.evaluated(3, np.abs(v), 0.0)

    def _check_samples(self) -> None:
        """Raise unless the curve is positive at rest, and finite and not negative everywhere."""
        speeds = _samples()
        found = self.coefficient(speeds)
        for v, value in zip(speeds, found, strict=True):
            if not np.isfinite(value) or value < 0.0 or (v == 0.0 and value == 0.0):
                allowed = "positive at rest" if v == 0.0 else "finite and not negative"
                raise ParameterError(f"curve {self!r} gives {value:g} at v = {v:g} m/s: it must be {allowed}")

    def curve_for_anchor(self) -> Stribeck:
        """The curve of an anchor for this law: it yields at the value of the curve at rest."""
        speeds = _samples()
        found = self.coefficient(speeds)
        most = int(np.argmax(found))
        if found[most] > found[0] * (1.0 + 1e-9):
            raise ParameterError(
                f"behind an Anchor a Stribeck curve must not exceed its value at rest, {found[0]:g}, but {self!r} is "
                f"{found[most]:g} at {speeds[most]:g} m/s: use a filter or no memory"
            )
        return Stribeck(float(found[0]), self.v_c)

    def fill(self, slot: Any, memory: Memory) -> None:
        """Write addresses and parameters; behind an anchor the curve is taken as it is."""
        super().fill(slot, memory)
        if isinstance(memory, Anchor):
            slot["user"]["force"] = self.entries[2].address


def _samples() -> NDArray[np.float64]:
    """Sliding speeds in m/s at which a curve is looked at."""
    return np.concatenate([[0.0], np.geomspace(1e-6, FASTEST, 241)])


def stribeck_law(function: Function) -> StribeckDefinition:
    """Make a friction law from a Stribeck curve: a friction coefficient over the sliding speed.

    Call the decorated function with its parameters and v_c, the speed in m/s up to which friction is rounded off, to
    get a law for `Material`, joints and the reference engine, with or without a memory. Numba compiles it.

    Args:
        function: coefficient (or force in N, in a joint) at a sliding speed v >= 0 in m/s and parameters p.
    """
    return StribeckDefinition(function)


def measured_friction(speeds: Sequence[float], coefficients: Sequence[float], v_c: float) -> StribeckFriction:
    """A friction law from measured points: a curve through them without overshoot, constant beyond the first and last.

    Args:
        speeds: sliding speeds in m/s, rising; the first may be 0.
        coefficients: friction coefficient (or force in N, in a joint) at each of them.
        v_c: speed in m/s up to which friction is rounded off; at most a quarter of the least speed above zero.
    """
    at = tuple(finite("speeds", v) for v in np.ravel(speeds))
    values = tuple(positive("coefficients", mu) for mu in np.ravel(coefficients))
    if len(at) != len(values) or len(at) < 2:
        raise ParameterError(
            f"speeds and coefficients must be two or more of each, got {len(at)} speeds and {len(values)} coefficients"
        )
    if at[0] < 0.0 or any(b <= a for a, b in pairwise(at)):
        raise ParameterError(f"speeds must rise from 0 or more, got {list(at)}")
    least = min(v for v in at if v > 0.0) / CLEAR_OF_ROUNDING
    if positive("v_c", v_c) > least:
        raise ParameterError(f"v_c must be at most a quarter of the least speed, {least:g} m/s, got {v_c:g}")
    return StribeckDefinition(_through(at, values))(v_c=v_c)


@cache
def _through(speeds: tuple[float, ...], coefficients: tuple[float, ...]) -> Function:
    """A function through measured points, monotone between them (Fritsch and Carlson)."""
    at = np.array(speeds)
    c3, c2, c1, c0 = (np.ascontiguousarray(row) for row in PchipInterpolator(at, coefficients).c)
    first = coefficients[0]
    last = coefficients[-1]

    def measured_friction(v: float, p: Any) -> Any:
        if v <= at[0]:
            return first
        if v >= at[-1]:
            return last
        i = np.searchsorted(at, v) - 1
        x = v - at[i]
        return ((c3[i] * x + c2[i]) * x + c1[i]) * x + c0[i]

    return measured_friction
