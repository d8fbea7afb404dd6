"""The leg as a plant under a held input, on the reference engine and on Chrono: it is advanced sample by sample."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from ....errors import DivergedError, UnknownNameError
from ....kernel import kernel
from ....laws.friction.lugre import LuGre
from ....laws.normal.restriction import Restriction
from ....numerics.rk4 import rk4_room
from ..leg.drives import SAMPLE
from ..leg.leg_rate import CONTACT_HEAT, WORK, advance_held
from ..leg.stages import KNEE_STOP, STAGE, JointFriction, Stage, stage
from ..leg.trainer_leg import REST, Leg
from .control_names import BACKLASH, CONTROLLED
from .control_observers import EVERYWHERE, ridden_stage

Array = NDArray[np.float64]

PIECE = 1e-3
"""Time in s over which a plant holds the patient's torque."""

PIECES = round(SAMPLE / PIECE)
PLANT_STEP = 2e-4

WORN = 0.1
"""Fraction by which the friction of a worn slide is larger."""

STOP_SHIFT = 4e-3
"""How much earlier in rad the knee stop of the changed leg acts."""


def controlled_stage(plant: str) -> Stage:
    """The leg of a plant, with all stops, the foot's contact and Coriolis terms."""
    if plant not in CONTROLLED:
        raise UnknownNameError("plant", plant, CONTROLLED)
    friction = "sharp" if plant == "sharp" else "lugre"
    whole = ridden_stage("s4") if plant == "model" else stage("s4", friction=friction, coriolis=True, foot_point=True)
    if plant not in ("heavy", "changed"):
        return whole
    heavy = replace(whole, leg=replace(Leg(), m_sg=1.2 * Leg().m_sg))
    if plant == "heavy":
        return heavy
    early = Restriction.from_steepness(KNEE_STOP.r_t, KNEE_STOP.r_c + STOP_SHIFT, KNEE_STOP.r_f, KNEE_STOP.r_d)
    return replace(heavy, slide=replace(heavy.slide, law=worn(heavy.slide.law)), knee=early)


def worn(law: JointFriction) -> JointFriction:
    """LuGre friction whose amplitudes are larger by WORN."""
    assert isinstance(law, LuGre)
    return replace(law, f_c=(1.0 + WORN) * law.f_c, f_s=(1.0 + WORN) * law.f_s)


class LegPlant(Protocol):
    """A leg that is driven."""

    def motion(self) -> Array:
        """phi in rad, s in m, omega in rad/s, v in m/s."""

    def hold(self, u: Array, patient: Array) -> None:
        """As long on as the patient's torque in N m is given, one value a PIECE, with the drives held."""


@kernel
def hold_leg(x: Any, u: Any, patient: Any, h: float, steps: int, numbers: Any) -> None:
    """RK4 of a state under held drives u, with so many steps under each of the patient's torques.

    The stage comes as its plain numbers, as in `needed_drive`.
    """
    stage = numbers.view(STAGE)[0]
    room = rk4_room(x.size)
    work = np.zeros(1, WORK)
    inputs = u.copy()
    for torque in patient:
        inputs[0] = u[0] + torque
        for _ in range(steps):
            advance_held(x, inputs, h, stage, room, work)


class ReferencePlant:
    """The leg on the reference engine, RK4."""

    def __init__(self, model: Stage, start: Sequence[float] = REST, step: float = PLANT_STEP) -> None:
        model.check_start(float(start[0]), float(start[1]))
        self._x = np.zeros(CONTACT_HEAT)
        self._x[:2] = start
        self._numbers = model.numbers
        self._step = step
        self._steps = round(PIECE / step)

    def motion(self) -> Array:
        return self._x[:4].copy()

    def wear(self, more: float) -> None:
        """Let the friction of the slide grow by a fraction."""
        self._numbers.view(STAGE)["slide_wave"] = (more, *EVERYWHERE[1:])

    def hold(self, u: Array, patient: Array) -> None:
        hold_leg(self._x, u, patient, self._step, self._steps, self._numbers)
        if not np.all(np.isfinite(self._x)):
            raise DivergedError("the leg left the finite numbers in closed loop: take smaller gains")


def reference_plant(name: str, step: float = PLANT_STEP) -> LegPlant:
    """A plant on the reference engine by its name, with a step in s."""
    if name == BACKLASH:
        from .geared_plant import GearedPlant

        return GearedPlant(controlled_stage(name), step=step)
    return ReferencePlant(controlled_stage(name), step=step)
