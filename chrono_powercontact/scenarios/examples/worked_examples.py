"""The worked examples with their numbers and starts, and what Newton's laws say of each motion."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING

from ..constants import GRAVITY

if TYPE_CHECKING:
    from ...lagrange.model import Model
    from ...lagrange.system import System


@dataclass(frozen=True)
class Example:
    """One worked example.

    Attributes:
        builder: name of its model in `lagrange.building.textbook`.
        numbers: of its parameters. q, u: coordinates and velocities at the start.
        accelerations: at the start, as our digest has them; empty where it has none.
        time, step: of a run in s, unless set.
        on_chrono: whether Chrono has joints for it. integrator: of Chrono, unless set.
        digest: other figures of our digest.
    """

    builder: str
    numbers: Mapping[str, float]
    q: tuple[float, ...]
    u: tuple[float, ...]
    accelerations: tuple[float, ...] = ()
    time: float = 2.0
    step: float = 1e-3
    on_chrono: bool = True
    integrator: str = "runge_kutta"
    digest: Mapping[str, float] = field(default_factory=dict)

    @cached_property
    def model(self) -> Model:
        """The symbolic system."""
        from ...lagrange.building import textbook

        built: Model = getattr(textbook, self.builder)()
        return built

    def system(self) -> System:
        """The model with its numbers."""
        from ...lagrange.system import System

        return System(self.model, dict(self.numbers))


PENDULUM = Example("simple_pendulum", {"m": 1.0, "l": 1.0, "g": GRAVITY}, (2.0,), (0.0,), time=10.0)

TWO_MASSES = Example(
    "two_masses",
    {"m1": 1.0, "m2": 2.0, "c1": 100.0, "c2": 50.0, "F1": 0.0, "F2": 0.0},
    (0.1, -0.05),
    (0.0, 0.0),
    digest={"low": 3.961434956966, "high": 12.621688994811},
)

CART = Example(
    "cart_pendulum",
    {"m1": 2.0, "m2": 0.5, "l": 0.8, "c": 30.0, "g": GRAVITY, "F": 0.0},
    (0.1, 0.4),
    (0.3, 1.2),
    (-0.489627036561, -4.211521966328),
)

ARM = Example(
    "two_link_arm",
    {
        "l1": 0.5, "l2": 0.4, "s1": 0.25, "s2": 0.2, "m1": 2.0, "m2": 1.5, "I1": 0.04, "I2": 0.02, "g": GRAVITY,
        "u1": 0.0, "u2": 0.0,
    },
    (0.3, 0.8),
    (1.1, -0.7),
    (-24.248110967425, 37.609857519252),
    time=1.0,
    step=2e-4,
)  # fmt: skip

CRANE = Example(
    "tower_crane",
    {
        "a": 1.0, "b": 1.2, "c": 1.5, "h": 30.0, "l": 40.0, "rho": 100.0, "m_t": 500.0, "m_l": 2000.0, "c_r": 4e5,
        "ell_0": 20.0, "g": GRAVITY, "tau": 3e4, "F": 50.0,
    },
    (0.0, 20.0, 20.04905, 0.05, 0.0),
    (0.05, 0.0, 0.0, 0.0, 0.0),
    time=10.0,
    step=2e-3,
    integrator="hht",
)  # fmt: skip

SLEIGH = Example(
    "sleigh",
    {"m": 1.0, "J": 0.04, "a": 0.3},
    (0.0, 0.0, 0.0),
    (1.0, 3.0),
    time=3.0,
    on_chrono=False,
    digest={"speed": 1.473092},
)

DISC = Example(
    "rolling_disc",
    {"m": 1.0, "r": 0.3, "g": GRAVITY},
    (0.0, 0.0, 0.0, 0.0, 0.0),
    (0.0, 0.01, 6.0),
    time=3.0,
    on_chrono=False,
)

EXAMPLES = {
    "pendulum": PENDULUM,
    "two_masses": TWO_MASSES,
    "cart_pendulum": CART,
    "two_link_arm": ARM,
    "crane": CRANE,
    "sleigh": SLEIGH,
    "rolling_disc": DISC,
}


def slewing_inertia(n: Mapping[str, float]) -> float:
    """Moment of inertia in kg m^2 of tower and jib about the tower's axis, by the closed form of exercise 3.10."""
    tower = n["rho"] * n["b"] * n["c"] * (n["h"] + n["a"] / 2)
    jib = n["rho"] * n["a"] * n["b"] * (n["l"] - n["c"] / 2)
    own = tower * (n["b"] ** 2 + n["c"] ** 2) + jib * (n["b"] ** 2 + (n["l"] - n["c"] / 2) ** 2)
    return own / 12 + jib * ((n["l"] + n["c"] / 2) / 2) ** 2


def wobble_frequency(example: Example) -> float:
    """Angular frequency in rad/s of a small wobble of an upright rolling disc; it falls over below sqrt(g/(3 r))."""
    rolling = example.u[2]
    return math.sqrt(0.8 * (3.0 * rolling**2 - GRAVITY / example.numbers["r"]))
