"""Friction under a prescribed motion: what a test rig would measure at one friction point."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..errors import DivergedError, ParameterError, positive
from ..kernel import kernel
from ..laws.friction.friction_table import friction_point
from ..numerics.rk4 import REACH, STAGES, rk4_add, rk4_finish, rk4_room, rk4_stage


@kernel
def _friction_along(law: Any, speed: Any, h: float, memory: Any, force: Any) -> None:
    """Friction force at the start of each step of RK4, the speed given at every half step."""
    room = rk4_room(1)
    v = np.zeros(1)
    f = np.zeros(1)
    for n in range(force.size):
        for stage in range(STAGES):
            rk4_stage(room, memory, stage, h)
            half_steps = int(2.0 * REACH[stage]) if 2 * n + 2 < speed.size else 0
            v[0] = speed[2 * n + half_steps]
            friction_point(law, 1.0, 1.0, v, room.point, f, room.rate)
            if stage == 0:
                force[n] = f[0]
            rk4_add(room, stage)
        rk4_finish(room, memory, h)


def friction_along(law: Any, speed: NDArray[np.float64], step: float) -> NDArray[np.float64]:
    """Friction force in N at each full step of a prescribed speed.

    Args:
        law: law and memory from `friction_record`.
        speed: in m/s, at every half step of RK4 (2 n + 1 values for n steps).
        step: in s.
    """
    positive("step", step)
    if speed.ndim != 1 or speed.size % 2 == 0:
        raise ParameterError(f"speed must hold an odd number of half-step values, got shape {speed.shape}")
    force = np.zeros(speed.size // 2 + 1)
    _friction_along(law, np.ascontiguousarray(speed, float), step, np.zeros(1), force)
    if not np.all(np.isfinite(force)):
        raise DivergedError(f"the friction memory is no longer finite with a step of {step:g} s: use a smaller step")
    return force
