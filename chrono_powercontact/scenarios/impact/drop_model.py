"""A ball over the floor: its parameters, the law of the floor, and Newton's bounces in closed form."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from ...chrono.run.surfaces import BUILT_IN
from ...laws.impact import restitution
from ...laws.normal.normal_law import NormalLaw
from ...laws.normal.restriction import RigidRestriction
from ...trajectory import Trajectory
from ..groups import Contact
from ..parameters import Timed, choice, mass_of, number, run_length, time_step
from .rival_contacts import LAWS, matched, newton_bounces

RIVALS = (*LAWS, "newton", *BUILT_IN)
"""Contact laws of the floor."""


@dataclass(frozen=True)
class DropParameters(Contact, Timed):
    """A ball dropped on the floor."""

    height: float = number(0.1, "height of the centre at release", "m", above=0.0)
    body: str = choice("elastic", "activation of the contact", ("elastic", "rigid"))
    mass: float = mass_of(0.05)
    s_0: float = number(0.01, "distance at which the contact begins", "m")
    s_c: float = number(0.0095, "distance at which the activation is complete; below s_0", "m")
    r_f: float = number(20.0, "largest force of the floor", "N", above=0.0)
    r_d: float = number(5.9, "dissipation of the contact", "s/m", minimum=0.0)
    gravity: float = number(9.81, "gravity towards the floor", "m/s^2", above=0.0)
    law: str = choice("power", "contact law; rivals are matched at the first impact", RIVALS)
    time: float = run_length(1.0)
    step: float = time_step(1e-5)

    def floor(self) -> NormalLaw:
        """The floor, by the chosen activation and law."""
        if self.body == "rigid":
            return RigidRestriction(self.s_0, self.r_f, self.r_d)
        return matched(self.law, self.restriction(), self.mass, self.impact_speed())

    def impact_speed(self) -> float:
        """Speed in m/s of the first impact."""
        return math.sqrt(2.0 * self.gravity * max(self.height - self.s_0, 1e-6))


def newton_drop(p: DropParameters) -> Trajectory:
    """The drop by Newton's impact law, in closed form."""
    t = np.arange(round(p.time / p.step) + 1) * p.step
    e = float(restitution(p.r_d, p.impact_speed()))
    s, v = newton_bounces(t, p.height, p.s_0, e, p.gravity)
    kinetic = 0.5 * p.mass * v**2
    potential = p.mass * p.gravity * s
    zero = 0.0 * t
    columns = {
        "t": t,
        "s": s,
        "s_dot": v,
        "F_barrier": zero,
        "kinetic": kinetic,
        "potential": potential,
        "stored": zero,
        "contact_heat": kinetic[0] + potential[0] - kinetic - potential,
        "friction_heat": zero,
        "handed_back": zero,
    }
    return Trajectory(tuple(columns), np.column_stack(list(columns.values())), t.size - 1)
