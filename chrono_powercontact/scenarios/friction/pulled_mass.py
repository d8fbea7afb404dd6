"""The mass that a spring pulls over a rough plane: parameters and reference models in one and two dimensions."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING, ClassVar

import numpy as np
from numpy.typing import NDArray

from ..parameters import Stepped, number
from .friction_tables import FrictionAmplitudes

if TYPE_CHECKING:
    from ...lagrange.model import Model

Signal = NDArray[np.floating]

SLIP_SPEED = 0.01
"""A mass faster than this, in m/s, slips."""

SLIP_PAUSE = 0.05
"""A slip may pause for this long, in s, while the speed rings at its end."""

PULL_TIME = 5.0
"""Time in s after which the end of the spring stops."""

RUN_TIME = 8.0
"""Length of a run in s."""


@dataclass(frozen=True)
class PullParameters(FrictionAmplitudes, Stepped):
    """Table 2.1 with the inferred speed of the pull."""

    pull_speed: float = number(0.1, "speed of the spring end", "m/s", above=0.0)
    inherited: ClassVar[None]


@dataclass(frozen=True)
class Pull:
    """How the end of the spring moves.

    Attributes:
        position: x and y in m at times in s.
        velocity: in m/s at times in s.
        length: of the relaxed spring in m.
    """

    position: Callable[[Signal], tuple[Signal, Signal]]
    velocity: Callable[[Signal], tuple[Signal, Signal]]
    length: float = 0.0


@cache
def pulled_mass_model() -> Model:
    """Mass m on a plane, spring k to an end that moves with `pull` until `stop` (2.32)."""
    import sympy as sp

    from ...lagrange.model import TIME, FrictionPoint, Model, coordinates, velocities

    (q,) = coordinates("x")
    m, k, pull, stop = sp.symbols("m k pull stop", real=True)
    (v,) = velocities((q,))
    stretch = pull * sp.Min(TIME, stop) - q
    plane = FrictionPoint("plane", (v,))
    return Model("pulled_mass", (q,), m * v**2 / 2, k * stretch**2 / 2, (m, k, pull, stop), frictions=(plane,))


@cache
def planar_mass_model() -> Model:
    """Mass m on a plane, spring k to an end at (l + pull t, A sin(2 pi f t)) until `stop` (2.36)."""
    import sympy as sp

    from ...lagrange.model import TIME, FrictionPoint, Model, coordinates, velocities

    q = coordinates("x y")
    x, y = q
    p = sp.symbols("m k length pull stop amplitude frequency", real=True)
    m, k, length, pull, stop, amplitude, frequency = p
    v = velocities(q)
    now = sp.Min(TIME, stop)
    reach = sp.sqrt((length + pull * now - x) ** 2 + (amplitude * sp.sin(2 * sp.pi * frequency * now) - y) ** 2)
    kinetic = m * (v[0] ** 2 + v[1] ** 2) / 2
    potential = k * (reach - length) ** 2 / 2
    return Model("planar_mass", q, kinetic, potential, p, frictions=(FrictionPoint("plane", v),))
