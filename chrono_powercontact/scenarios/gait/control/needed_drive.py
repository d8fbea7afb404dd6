"""The input that gives the leg an acceleration (5.16), with friction, stops and patient as a model knows them."""

from __future__ import annotations

from typing import Any

import numpy as np

from ....kernel import kernel
from ..leg.leg_kinematics import inertia, velocity_forces, weight
from ..leg.leg_rate import OMEGA, WORK, S, V, leg_rate
from ..leg.stages import STAGE

Array = Any


@kernel
def needed_drive(x: Array, a: Array, numbers: Array, u: Array) -> None:
    """Hip torque in N m and slide force in N that give the state x accelerations a in rad/s^2 and m/s^2.

    The stage comes as its plain numbers: handing its record over takes ten times as long as the evaluation.
    """
    stage = numbers.view(STAGE)[0]
    room = np.zeros(1, WORK)
    dx = np.zeros(x.size)
    u[:] = 0.0
    leg_rate(x, u, stage, dx, room)
    pose = room[0].pose
    report = room[0].report
    m11, m12, m22 = inertia(stage.leg, pose)
    g1, g2, _ = weight(stage.leg, pose, x[S])
    c1, c2 = velocity_forces(stage.leg, pose, x[OMEGA], x[V])
    u[0] = m11 * a[0] + m12 * a[1] + g1 + c1 - report.net_hip
    u[1] = m12 * a[0] + m22 * a[1] + g2 + c2 - report.net_slide
