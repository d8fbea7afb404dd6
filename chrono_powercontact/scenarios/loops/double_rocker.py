"""A four-bar in which no bar can turn fully: every coordinate has dead points, and all are used in turn."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from ..parameters import REFERENCE, choice, chrono_integrator, number, run_length, time_step
from ..scenario import Check, Metrics, above
from .bar_linkage import BarLinkage, BarParameters
from .dyad import SIDES
from .loop_scenario import SAVED, saves

LEAST_VOLUME = 0.3
"""No chosen coordinate comes closer to its dead point than this."""


@dataclass(frozen=True)
class DoubleRockerParameters(BarParameters):
    """A double rocker."""

    theta1_0: float = number(-1.2, "angle of the first rocker at the start", "rad")
    speed: float = number(9.0, "angular velocity of the first rocker at the start", "rad/s")
    side: str = choice("crossed", "how the loop is assembled", tuple(SIDES))
    inherited: ClassVar[None]
    l1: float = number(0.3, "length of the first rocker", "m", above=0.0)
    l2: float = number(0.2, "length of the coupler", "m", above=0.0)
    l4: float = number(0.45, "distance of the fixed pins", "m", above=0.0)
    time: float = run_length(2.0)
    step: float = time_step(5e-5, on_chrono=5e-5)
    integrator: str = chrono_integrator("runge_kutta")


class DoubleRocker(BarLinkage[DoubleRockerParameters]):
    """Without a change of coordinates no run of it comes far."""

    name = "double_rocker"
    claim = (
        "A double rocker swings on through dead points of every coordinate: all are used, energy and closure are kept, "
        "and a kept history saves evaluations."
    )
    source = "closed loops (1)-(7), switching"
    parameters = DoubleRockerParameters
    longest = 5e-5

    def own_checks(self, engine: str, p: DoubleRockerParameters, metrics: Metrics) -> list[Check]:
        if engine != REFERENCE:
            return []
        used = metrics["coordinates_used"]
        return [
            Check(f"{used} of 3 coordinates used", used == 3),
            above("least volume of the choice", metrics["least_volume"], LEAST_VOLUME),
            *saves(metrics, SAVED),
        ]
