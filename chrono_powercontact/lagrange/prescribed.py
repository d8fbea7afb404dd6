"""Friction under a prescribed motion: what a test rig would measure at one friction point."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..errors import DivergedError, ParameterError, positive
from ..kernel import kernel
from ..laws.friction.friction_table import friction_point


@kernel
def _friction_along(law: Any, speed: Any, h: float, memory: Any, force: Any) -> None:
    v, f, rate = np.zeros(1), np.zeros(1), np.zeros(1)
    z, total = np.zeros(1), np.zeros(1)
    reach = (0.0, 0.5, 0.5, 1.0)
    weight = (1.0 / 6.0, 1.0 / 3.0, 1.0 / 3.0, 1.0 / 6.0)
    for n in range(force.size):
        total[0] = 0.0
        for stage in range(4):
            z[0] = memory[0] + reach[stage] * h * rate[0] if stage > 0 else memory[0]
            v[0] = speed[2 * n + int(2.0 * reach[stage])] if 2 * n + 2 < speed.size else speed[2 * n]
            friction_point(law, 1.0, 1.0, v, z, f, rate)
            if stage == 0:
                force[n] = f[0]
            total[0] += weight[stage] * rate[0]
        memory[0] += h * total[0]


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
        raise DivergedError(
            f"the friction memory left the finite numbers with a step of {step:g} s: take a smaller step"
        )
    return force
