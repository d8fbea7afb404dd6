"""The state of Chrono's springs read by compiled code, from where the objects keep it.

Where a spring keeps its numbers is found once, with a spring whose numbers are known: see `members`.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ...kernel import kernel
from ..api.bridge import address, pychrono
from ..api.members import places_of
from ..contact.addresses import doubles_at, integers_at
from .joint_records import LINE
from .spring_records import SPRING_STATE

Array = Any

STIFFNESS, DAMPING, ACTUATOR, REST, LENGTH, FORCE, TURNS, WORDS = range(8)
"""Words for a spring: addresses of its coefficients, actuator force, rest length or angle, length or angle, and force,
and whether it turns."""

NAMES = ("stiffness", "damping", "actuator", "rest", "length", "force")
QUARTER = 0.5 * np.pi
"""Angle in rad up to which a spring cannot have made a full turn since it was last looked at."""
STEP = 1e-3
SPEED = 0.8346268416
"""Step in s and velocity in m/s or rad/s with which a spring is moved once to find its numbers."""


@cache
def places(motion: int) -> tuple[int, ...]:
    """Distances in bytes from the start of a spring with a motion to what is read of it; empty if they are unknown."""
    chrono = pychrono()
    system = chrono.ChSystemSMC()
    system.SetGravitationalAcceleration(chrono.ChVector3d(0.0, 0.0, 0.0))
    bodies = [chrono.ChBody(), chrono.ChBody()]
    for body in bodies:
        system.AddBody(body)
    bodies[0].SetPos(chrono.ChVector3d(0.7310585786, 0.4142135624, 0.0))
    bodies[0].SetRot(chrono.QuatFromAngleZ(0.4636476090))
    bodies[0].SetPosDt(chrono.ChVector3d(SPEED, 0.0, 0.0))
    bodies[0].SetAngVelLocal(chrono.ChVector3d(0.0, 0.0, SPEED))
    link = chrono.ChLinkTSDA() if motion == LINE else chrono.ChLinkRSDA()
    moment, rest = ("Force", "RestLength") if motion == LINE else ("Torque", "RestAngle")
    link.SetSpringCoefficient(3.1622776601)
    link.SetDampingCoefficient(1.2599210498)
    getattr(link, f"SetActuator{moment}")(0.5671432904)
    getattr(link, f"Set{rest}")(0.2614972128)
    origin = chrono.ChVector3d(0.0, 0.0, 0.0)
    if motion == LINE:
        link.Initialize(*bodies, True, origin, origin)
    else:
        link.Initialize(*bodies[::-1], True, chrono.ChFramed(origin), chrono.ChFramed(origin))
    system.AddLink(link)
    system.DoStepDynamics(STEP)
    length = link.GetLength() if motion == LINE else link.GetAngle()
    values = (
        link.GetSpringCoefficient(), link.GetDampingCoefficient(), getattr(link, f"GetActuator{moment}")(),
        getattr(link, f"Get{rest}")(), length, getattr(link, f"Get{moment}")(),
    )  # fmt: skip
    found = places_of(link, dict(zip(NAMES, values, strict=True)), "" if motion == LINE else "length")
    return tuple(found.values())


def spring_program(springs: Iterable[tuple[Any, int]]) -> NDArray[np.int64] | None:
    """Words for springs, each with its motion; None if one is switched off, cannot be read, or has turned far."""
    words: list[int] = []
    for link, motion in springs:
        turns = motion != LINE
        if not link.IsActive() or not places(motion) or (turns and abs(link.GetAngle()) > QUARTER):
            return None
        words += [*(address(link) + place for place in places(motion)), turns]
    return np.array(words, np.int64)


@kernel
def read_springs(place: int, state: Array) -> bool:
    """Read the state of all springs at the start of a step, by the words at an address; False if one has turned far."""
    springs = state.view(SPRING_STATE)
    program = integers_at(place, WORDS * springs.size)
    for e in range(springs.size):
        own = program[WORDS * e : WORDS * (e + 1)]
        k = doubles_at(own[STIFFNESS], 1)[0]
        length = doubles_at(own[LENGTH], 1)[0]
        if own[TURNS] != 0 and abs(length) > QUARTER:
            return False
        springs[e].k = k
        springs[e].c = doubles_at(own[DAMPING], 1)[0]
        held = k * (length - doubles_at(own[REST], 1)[0])
        springs[e].surplus = doubles_at(own[ACTUATOR], 1)[0] - held - doubles_at(own[FORCE], 1)[0]
    return True
