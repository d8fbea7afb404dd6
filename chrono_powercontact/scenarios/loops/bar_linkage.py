"""Four bars in a plane: what the crank-rocker and the double rocker share."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar, TypeVar

import numpy as np

from ..constants import GRAVITY
from ..parameters import choice, mass_of, number
from .dyad import SIDES, angle_of, pin_between
from .free_bodies import TurningPoint, along, force_of_two, uniform
from .loop_scenario import LoopParameters, LoopScenario

if TYPE_CHECKING:
    from ...lagrange.loops.loops import LoopSystem
    from ...trajectory import Trajectory


@dataclass(frozen=True)
class BarParameters(LoopParameters):
    """Four bars: crank l1 from O, coupler l2, rocker l3 from D, ground l4."""

    theta1_0: float = number(0.7, "angle of the crank at the start", "rad")
    speed: float = number(30.0, "angular velocity of the crank at the start", "rad/s")
    side: str = choice("open", "how the loop is assembled", tuple(SIDES))
    l1: float = number(0.1, "length of the crank", "m", above=0.0)
    l2: float = number(0.3, "length of the coupler", "m", above=0.0)
    l3: float = number(0.25, "length of the rocker", "m", above=0.0)
    l4: float = number(0.28, "distance of the fixed pins", "m", above=0.0)
    m1: float = mass_of(0.5, "mass of the crank")
    m2: float = mass_of(1.1, "mass of the coupler")
    m3: float = mass_of(0.9, "mass of the rocker")
    inherited: ClassVar[None]


B = TypeVar("B", bound=BarParameters)


class BarLinkage(LoopScenario[B]):
    """Crank, coupler and rocker, cut at the pin C between coupler and rocker."""

    cut = "C"
    angles = ("theta1", "theta2", "theta3")
    first = ("theta1",)
    recorded = ("theta1", "theta2", "theta3")
    recorded_with = {"time": 0.3}

    def numbers(self, p: B) -> dict[str, float]:
        names = ("l1", "l2", "l3", "l4", "m1", "m2", "m3")
        return {name: float(getattr(p, name)) for name in names} | {"g": GRAVITY, "tau": 0.0}

    def build(self, p: B) -> LoopSystem:
        from .mechanism_systems import four_bar_system

        return four_bar_system(self.numbers(p))

    def start(self, p: B) -> tuple[list[float], list[float]]:
        b = p.l1 * np.array([math.cos(p.theta1_0), math.sin(p.theta1_0)])
        d = np.array([p.l4, 0.0])
        c = pin_between(b, d, (p.l2, p.l3), SIDES[p.side], ("a coupler", "a rocker"))
        return [p.theta1_0, angle_of(b, c) - p.theta1_0, angle_of(d, c)], [p.speed]

    def _tips(self, p: B, run: Trajectory) -> tuple[np.ndarray, np.ndarray]:
        """The pin C as the coupler and as the rocker say, by rows."""
        coupler = p.l1 * along(run["theta1"]) + p.l2 * along(run["theta1"] + run["theta2"])
        rocker = np.array([p.l4, 0.0]) + p.l3 * along(run["theta3"])
        return coupler, rocker

    def gap(self, p: B, run: Trajectory) -> np.ndarray:
        coupler, rocker = self._tips(p, run)
        return np.asarray(np.linalg.norm(coupler - rocker, axis=1))

    def pins(self, p: B, run: Trajectory) -> list[np.ndarray]:
        coupler, _ = self._tips(p, run)
        b = p.l1 * along(run["theta1"])
        still = 0.0 * b
        d = still + np.array([p.l4, 0.0])
        return [np.stack([still.T, b.T]), np.stack([b.T, coupler.T]), np.stack([d.T, coupler.T])]

    def free_body_force(self, p: B, run: Trajectory) -> np.ndarray:
        t = run["t"]
        crank = run["theta1"]
        coupler = crank + run["theta2"]
        turning = run["theta1_dot"] + run["theta2_dot"]
        fixed = TurningPoint(np.zeros((len(run), 2)))
        b = fixed.along(p.l1, crank, run["theta1_dot"])
        first = uniform(p.l2, p.m2).pin_moment(t, b, coupler, turning)
        second = uniform(p.l3, p.m3).pin_moment(t, fixed, run["theta3"], run["theta3_dot"])
        return force_of_two((p.l2 * along(coupler), p.l3 * along(run["theta3"])), (first, second))
