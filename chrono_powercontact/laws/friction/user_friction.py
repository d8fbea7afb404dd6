"""A user law of friction, from a function of slip speed, normal force and the parameters of the law.

@pc.friction_law
def coulomb(v, n, p):
    return p.mu * n * np.tanh(v / p.v_c)

law = coulomb(mu=0.4, v_c=1e-3)
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, ClassVar, overload

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ...errors import ParameterError
from ...kernel import kernel
from ..function_pointer import call_at
from ..user_law import Function, LawOfUser, UserFunction, check_function, checked_numbers, entry
from .anchor import Anchor
from .friction_law import FrictionLaw, Memory
from .stribeck import Stribeck

SPEED_STEP = 1e-7
"""Step in m/s (or rad/s) of finite differences in the slip speed."""


@kernel
def user_friction(v: float, n: float, p: Any) -> float:
    """Friction force in N at slip speed v under normal force n."""
    return call_at(p.force, v, n, p.numbers.ctypes.data)


@kernel
def user_friction_slope(v: float, n: float, p: Any) -> float:
    """Derivative of the friction force with respect to slip speed, in N s/m; by finite differences unless given."""
    numbers = p.numbers.ctypes.data
    if p.slopes != 0:
        return call_at(p.slopes, v, n, numbers)
    low = max(v - SPEED_STEP, 0.0)
    high = v + SPEED_STEP
    return (call_at(p.force, high, n, numbers) - call_at(p.force, low, n, numbers)) / (high - low)


@dataclass(frozen=True, repr=False)
class FrictionDefinition(UserFunction):
    """The functions of a user law of friction.

    Attributes:
        force: function of slip speed v >= 0 in m/s, normal force n in N and p, in N.
        slope: its derivative with respect to v, or None.
    """

    force: Function
    slope: Function | None = None

    def __post_init__(self) -> None:
        check_function("a friction law", self.force, "(v, n, p)")
        if self.slope is not None:
            check_function("the slope of a friction law", self.slope, "(v, n, p)")
        self.describe((self.force, self.slope), "A user law of friction, in N.")

    def __call__(self, *unnamed: float, **numbers: float) -> UserFriction:
        """The law with its parameters."""
        self.refuse_unnamed(unnamed)
        return UserFriction(self, **numbers)


@dataclass(frozen=True, init=False, repr=False)
class UserFriction(LawOfUser, FrictionLaw):
    """A user law of friction with its parameters; made by calling what `friction_law` returns.

    In a contact n is the normal force; in a joint it is 1.
    """

    in_joints: ClassVar[bool] = True
    takes_memory: ClassVar[bool] = True

    definition: FrictionDefinition
    values: tuple[tuple[str, float], ...]
    entries: tuple[Any, ...] = field(compare=False)

    def __init__(self, definition: FrictionDefinition, **numbers: float) -> None:
        name = definition.force.__name__
        values = checked_numbers(name, (definition.force, definition.slope), numbers)
        names = tuple(word for word, _ in values)
        slope = definition.slope
        entries = (
            entry(definition.force, name, names, "a, b, p"),
            entry(slope, name, names, "a, b, p") if slope is not None else None,
        )
        object.__setattr__(self, "definition", definition)
        object.__setattr__(self, "values", values)
        object.__setattr__(self, "entries", entries)
        self._check_samples()

    def _check_samples(self) -> None:
        """Raise if the force is not finite."""
        for v in (0.0, 1e-6, 1e-2, 1.0):
            for n in (0.0, 1.0, 1e3):
                if not np.isfinite(self.force(v, n)):
                    raise ParameterError(
                        f"law {self!r} gives {float(self.force(v, n))} at v = {v:g} m/s and n = {n:g} N: "
                        "a law must be finite everywhere"
                    )

    def force(self, v: ArrayLike, normal: ArrayLike = 1.0) -> NDArray[np.float64]:
        """Friction force in N at slip speed v in m/s under a normal force in N, along v."""
        return np.sign(v) * self.evaluated(0, np.abs(v), normal)

    def peak(self) -> tuple[float, float]:
        """Speed in m/s, from 1e-9 to 1000, at which the force under 1 N is largest, and the force in N."""
        speeds = np.geomspace(1e-9, 1e3, 481)
        forces = self.force(speeds, 1.0)
        best = int(np.argmax(forces > 0.999 * forces.max()))
        return float(speeds[best]), float(forces.max())

    def is_proportional(self) -> bool:
        """Whether the force is proportional to the normal force, as an anchor in a contact needs it."""
        speeds = np.geomspace(1e-6, 1.0, 7)
        under_one = self.force(speeds, 1.0)
        return all(np.allclose(self.force(speeds, n), n * under_one, rtol=1e-6) for n in (1e-2, 10.0, 1e3))

    def curve_for_anchor(self) -> Stribeck:
        """The curve of an anchor for this law: it reaches the law's peak force at the law's peak speed."""
        speed, force = self.peak()
        if not force > 0.0:
            raise ParameterError(f"law {self!r} is nowhere positive, so an anchor has nothing to hold")
        return Stribeck(force, 0.25 * speed)

    def slot(self, memory: Memory) -> str:
        """The slot of user laws, or that of an anchor."""
        return "anchor" if isinstance(memory, Anchor) else "user"

    def fill(self, slot: Any, memory: Memory) -> None:
        """Write addresses and parameters, preceded by those of the anchor if there is one."""
        if isinstance(memory, Anchor):
            memory.fill(slot, self.curve_for_anchor())
            slot = slot["user"]
        slot["force"] = self.entries[0].address
        slot["slopes"] = self.entries[1].address if self.entries[1] is not None else 0
        slot["numbers"][: len(self.values)] = [value for _, value in self.values]


@overload
def friction_law(function: Function) -> FrictionDefinition: ...


@overload
def friction_law(*, slope: Function | None = None) -> Callable[[Function], FrictionDefinition]: ...


def friction_law(
    function: Function | None = None, *, slope: Function | None = None
) -> FrictionDefinition | Callable[[Function], FrictionDefinition]:
    """Make a friction law from a function of slip speed v in m/s, normal force n in N and parameters p.

    Call the decorated function with its parameters to get a law for `Material`, joints and the reference engine, with
    or without a memory. Numba compiles it.

    Args:
        function: friction force in N at a slip speed that is never negative; it acts against the sliding velocity.
        slope: its derivative with respect to v in N s/m, a function of (v, n, p); finite differences unless given.
    """
    if function is not None:
        return FrictionDefinition(function, slope)
    return lambda given: FrictionDefinition(given, slope)
