"""The leg on the reference engine with a motor behind a gear with backlash: two contacts between motor and thigh."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ....errors import DivergedError
from ....kernel import kernel
from ....laws.normal.normal_table import NORMAL, normal_force, normal_record
from ....numerics.rk4 import STAGES, rk4_add, rk4_finish, rk4_room, rk4_stage
from ..leg.gears import Gear
from ..leg.leg_rate import CONTACT_HEAT, OMEGA, PHI, WORK, leg_rate
from ..leg.stages import STAGE, Stage
from ..leg.trainer_leg import REST
from .leg_plants import PIECE, PLANT_STEP

Array = NDArray[np.float64]

MOTOR, MOTOR_SPEED = CONTACT_HEAT, CONTACT_HEAT + 1
"""Places of the motor's angle in rad and its speed in rad/s behind the state of the leg."""

GEAR = np.dtype([("tooth", NORMAL), ("reach", np.float64), ("inertia", np.float64)])
"""A gear: law of its teeth, distance of their contacts in the middle of the slack, inertia of the motor."""


@kernel
def gear_torque(x: Any, gear: Any) -> float:
    """Torque in N m that the motor's teeth give the thigh."""
    ahead = x[MOTOR] - x[PHI]
    rate = x[MOTOR_SPEED] - x[OMEGA]
    back, _, _ = normal_force(gear.tooth, gear.reach + ahead, rate)
    front, _, _ = normal_force(gear.tooth, gear.reach - ahead, -rate)
    return float(front - back)


@kernel
def hold_geared(x: Any, u: Any, patient: Any, h: float, steps: int, numbers: Any, gears: Any) -> None:
    """RK4 of leg and motor under held drives u, with so many steps under each of the patient's torques."""
    stage = numbers.view(STAGE)[0]
    gear = gears.view(GEAR)[0]
    room = rk4_room(x.size)
    work = np.zeros(1, WORK)
    inputs = u.copy()
    for torque in patient:
        for _ in range(steps):
            for k in range(STAGES):
                rk4_stage(room, x, k, h)
                given = gear_torque(room.point, gear)
                inputs[0] = given + torque
                leg_rate(room.point[:MOTOR], inputs, stage, room.rate[:MOTOR], work)
                room.rate[MOTOR] = room.point[MOTOR_SPEED]
                room.rate[MOTOR_SPEED] = (u[0] - given) / gear.inertia
                rk4_add(room, k)
            rk4_finish(room, x, h)


class GearedPlant:
    """A leg whose hip is driven through a gear with backlash; the drive's torque acts on the motor."""

    def __init__(
        self, model: Stage, start: Sequence[float] = REST, step: float = PLANT_STEP, gear: Gear | None = None
    ) -> None:
        model.check_start(float(start[0]), float(start[1]))
        wheel = gear or Gear()
        self._x = np.zeros(MOTOR_SPEED + 1)
        self._x[:2] = start
        self._x[MOTOR] = start[0]
        self._numbers = model.numbers
        record = np.array([(normal_record(wheel.tooth), wheel.tooth.s_0 + wheel.slack, wheel.inertia)], GEAR)
        self._gear = record.view(np.float64)
        self._step = step
        self._steps = round(PIECE / step)

    @property
    def motor(self) -> float:
        """Angle of the motor in rad."""
        return float(self._x[MOTOR])

    def motion(self) -> Array:
        return self._x[:4].copy()

    def hold(self, u: Array, patient: Array) -> None:
        hold_geared(self._x, u, patient, self._step, self._steps, self._numbers, self._gear)
        if not np.all(np.isfinite(self._x)):
            raise DivergedError("the leg behind its gear left the finite numbers: take a smaller step or gains")
