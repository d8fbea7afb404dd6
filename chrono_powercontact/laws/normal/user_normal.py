"""A user law of the normal force, from a function of distance, speed and the parameters of the law.

@pc.normal_law
def hunt_crossley(s, v, p):
    d = max(p.s_0 - s, 0.0)
    return p.k * d**1.5 * max(1.0 - p.c * v, 0.0)

law = hunt_crossley(s_0=0.0, k=1e6, c=0.4)
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, ClassVar, overload

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ...errors import ParameterError, not_negative
from ...kernel import kernel
from ..function_pointer import call_at
from ..user_law import Function, LawOfUser, UserFunction, check_function, checked_numbers, entry
from .normal_law import NormalLaw

DISTANCE_STEP = 1e-8
"""Step in m (or rad) of finite differences in the distance."""

SPEED_STEP = 1e-6
"""Step in m/s (or rad/s) of finite differences in the speed."""

OUT_OF_REACH = 1e-6
"""Fraction of the force at 1 mm of depth that a law may exert beyond its reach."""


@kernel
def user_force(s: float, v: float, p: Any) -> tuple[float, float, float]:
    """Force in N, its elastic part in N (0 without a potential), and 1 if there is a force, else 0."""
    numbers = p.numbers.ctypes.data
    force = call_at(p.force, s, v, numbers)
    elastic = 0.0
    if p.potential != 0:
        above = call_at(p.potential, s + DISTANCE_STEP, 0.0, numbers)
        elastic = (call_at(p.potential, s - DISTANCE_STEP, 0.0, numbers) - above) / (2.0 * DISTANCE_STEP)
    return force, elastic, 1.0 * (force != 0.0)


@kernel
def user_potential(s: float, p: Any) -> float:
    """Energy in J stored in the contact; 0 if the law has no potential."""
    if p.potential == 0:
        return 0.0
    return call_at(p.potential, s, 0.0, p.numbers.ctypes.data)


@kernel
def user_slopes(s: float, v: float, p: Any) -> tuple[float, float]:
    """Derivatives of the force with respect to distance, in N/m, and speed, in N s/m; by differences unless given."""
    numbers = p.numbers.ctypes.data
    if p.slopes != 0:
        return call_at(p.slopes, s, v, numbers), call_at(p.slopes_by_speed, s, v, numbers)
    by_distance = call_at(p.force, s + DISTANCE_STEP, v, numbers) - call_at(p.force, s - DISTANCE_STEP, v, numbers)
    by_speed = call_at(p.force, s, v + SPEED_STEP, numbers) - call_at(p.force, s, v - SPEED_STEP, numbers)
    return by_distance / (2.0 * DISTANCE_STEP), by_speed / (2.0 * SPEED_STEP)


@dataclass(frozen=True, repr=False)
class Definition(UserFunction):
    """The functions of a user law of the normal force.

    Attributes:
        force: function of s in m, v in m/s and p, in N. potential: function of s and p, in J, or None.
        slopes: function of s, v and p: derivatives of the force with respect to s and v; None uses finite differences.
        reach: gap in m beyond s_0 up to which the law acts.
    """

    force: Function
    potential: Function | None = None
    slopes: Function | None = None
    reach: float = 0.0

    def __post_init__(self) -> None:
        check_function("a normal law", self.force, "(s, v, p)")
        if self.potential is not None:
            check_function("the potential of a normal law", self.potential, "(s, p)")
        if self.slopes is not None:
            check_function("the slopes of a normal law", self.slopes, "(s, v, p)")
        not_negative("reach", self.reach)
        self.describe(self.functions, "A user law of the normal force, in N.", ("s_0",))

    @property
    def functions(self) -> tuple[Function, Function | None, Function | None]:
        """Force, potential and slopes; None for each that is not given."""
        return self.force, self.potential, self.slopes

    def __call__(self, *unnamed: float, **numbers: float) -> UserNormal:
        """The law with its parameters; s_0 is one of them."""
        self.refuse_unnamed(unnamed)
        return UserNormal(self, **numbers)


@dataclass(frozen=True, init=False, repr=False)
class UserNormal(LawOfUser, NormalLaw):
    """A user law of the normal force with its parameters; made by calling what `normal_law` returns."""

    family: ClassVar[str] = "user"

    definition: Definition
    values: tuple[tuple[str, float], ...]
    s_0: float
    entries: tuple[Any, ...] = field(compare=False)

    def __init__(self, definition: Definition, **numbers: float) -> None:
        name = definition.force.__name__
        if "s_0" not in numbers:
            raise ParameterError(f"law {name!r} needs s_0, the distance in m at which the contact begins")
        values = checked_numbers(name, definition.functions, numbers, always=("s_0",))
        object.__setattr__(self, "definition", definition)
        object.__setattr__(self, "values", values)
        object.__setattr__(self, "s_0", dict(values)["s_0"])
        object.__setattr__(self, "entries", self._compiled())
        self._check_samples()

    @property
    def has_potential(self) -> bool:
        """Whether the law has a potential, which gives its stored energy."""
        return self.definition.potential is not None

    @property
    def reach(self) -> float:
        """Gap in m beyond s_0 up to which the law acts."""
        return self.definition.reach

    def _compiled(self) -> tuple[Any, ...]:
        """Entry points of force, potential and both slopes; None for each that is not given."""
        names = tuple(name for name, _ in self.values)
        d = self.definition
        return (
            entry(d.force, self.name, names, "a, b, p"),
            entry(d.potential, self.name, names, "a, p") if d.potential is not None else None,
            entry(d.slopes, self.name, names, "a, b, p", "[0]") if d.slopes is not None else None,
            entry(d.slopes, self.name, names, "a, b, p", "[1]") if d.slopes is not None else None,
        )

    def _check_samples(self) -> None:
        """Raise if the law is not finite near s_0, or acts beyond its reach."""
        for depth in (1e-3, 1e-6, 0.0, -1e-3):
            for v in (-1.0, 0.0, 1.0):
                for which, what in enumerate(("force", "potential", "slope", "slope")):
                    if self.entries[which] is not None:
                        self._check_sample(which, what, self.s_0 - depth, v)
        beyond = self.s_0 + self.reach + 1e-6
        if abs(float(self.force(beyond, 0.0))) > OUT_OF_REACH * abs(float(self.force(self.s_0 - 1e-3, 0.0))):
            raise ParameterError(
                f"law {self!r} acts with {float(self.force(beyond, 0.0)):g} N at s = {beyond:g} m, beyond s_0 and its "
                f"reach of {self.reach:g} m: pass the gap up to which it acts with normal_law(reach=...)"
            )

    def _check_sample(self, which: int, what: str, s: float, v: float) -> None:
        """Raise if one of the functions is not finite at a distance and a speed."""
        value = float(self.evaluated(which, s, v))
        if not np.isfinite(value):
            raise ParameterError(
                f"law {self!r} gives {'' if what == 'force' else f'a {what} of '}{value} at s = {s:g} m and "
                f"v = {v:g} m/s: a law must be finite everywhere"
            )

    def fill(self, slot: Any) -> None:
        """Write addresses and parameters into the slot of a record."""
        addresses = [compiled.address if compiled is not None else 0 for compiled in self.entries]
        for name, address in zip(("force", "potential", "slopes", "slopes_by_speed"), addresses, strict=True):
            slot[name] = address
        slot["numbers"][: len(self.values)] = [value for _, value in self.values]

    def force(self, s: ArrayLike, v: ArrayLike) -> NDArray[np.float64]:
        """Normal force in N at distance s in m and normal speed v in m/s."""
        return self.evaluated(0, s, v)

    def potential(self, s: ArrayLike) -> NDArray[np.float64]:
        """Energy in J stored in the contact at distance s in m."""
        if not self.has_potential:
            raise ParameterError(f"law {self!r} has no potential: pass one with normal_law(potential=...)")
        return self.evaluated(1, s, 0.0)


@overload
def normal_law(function: Function) -> Definition: ...


@overload
def normal_law(
    *, potential: Function | None = None, slopes: Function | None = None, reach: float = 0.0
) -> Callable[[Function], Definition]: ...


def normal_law(
    function: Function | None = None,
    *,
    potential: Function | None = None,
    slopes: Function | None = None,
    reach: float = 0.0,
) -> Definition | Callable[[Function], Definition]:
    """Make a normal law from a function of distance s in m, speed v in m/s (v < 0 approaches) and parameters p.

    Call the decorated function with its parameters, including s_0, to get a law for `Material`, stops and the reference
    engine. Numba compiles it.

    Args:
        function: force in N; positive if it pushes the surfaces apart.
        potential: energy in J stored at distance s, a function of (s, p). With it the ledger separates stored energy
            from heat. Without it both count as contact heat.
        slopes: derivatives of the force with respect to s and v, a function of (s, v, p); finite differences unless
            given.
        reach: gap in m beyond s_0 up to which the law acts; 0 for a law that begins at s_0.
    """
    if function is not None:
        return Definition(function, potential, slopes, reach)
    return lambda given: Definition(given, potential, slopes, reach)
