"""Laws as rows of numbers, and the kernels with which any compiled engine evaluates them.

A normal row is (kind, ...): 0 restriction (r_t, r_c, r_f, r_d, back r_t, back r_c), 1 Hooke, 2 Hertz, 3 indentation
(s_0, k, c, m_1, m_2, m_3).
A friction row is (kind, numbers, eps, T_F, v_F): kind 0 is the dissipation function, with T_F = 0 where there is
no memory, kind 1 is LuGre, kind 2 is anchored (its columns are in anchor.py), kind 3 a coefficient over a STEP in speed
(mu_s, mu_d, v_s, v_d), without memory. A friction point keeps one memory state per tangential direction: the filtered
force in N for kind 0, the bristle deflection in m for kind 1, the anchor in m for kind 2.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from ..kernel import kernel
from .friction.anchor import Anchor, anchor_pull, anchor_rate
from .friction.dissipation import Dissipation, Friction, dissipation_force, dissipation_slope
from .friction.lugre import LuGre, lugre_rate
from .friction.memory import LTIFilter, memory_rate, opening
from .friction.spin import SpinFriction
from .friction.step_friction import StepFriction, step_coefficient, step_slope
from .normal.hertz import hertz_force
from .normal.hooke import hooke_force
from .normal.indentation import indentation_force, indentation_slopes, power
from .normal.restriction import activation, activation_integral, resistance
from .smooth import falling_step

NORMAL_WIDTH = 7
FRICTION_WIDTH = 10
POWER, LUGRE, ANCHORED, STEP = 0, 1, 2, 3
INDENTATION = 3.0


def friction_row(
    law: Dissipation | Friction | SpinFriction | LuGre | StepFriction, memory: LTIFilter | Anchor | None = None
) -> NDArray[np.float64]:
    """A friction law and its memory as the row that the kernels read."""
    if isinstance(law, SpinFriction):
        return np.array((ANCHORED, *law.anchor.row(law.arm, law.v_c, 0.0, 1.0, 0.0)))
    if isinstance(law, LuGre):
        return np.array((LUGRE, law.f_c, law.f_s, 0.0, law.v_s, law.d, 0.0, 0.0, law.k, law.d_k))
    if isinstance(law, StepFriction):
        return np.array((STEP, *law.numbers, 0.0, 0.0, 0.0, 0.0, 0.0))
    if isinstance(memory, Anchor):
        return np.array((ANCHORED, *memory.row(*law.numbers[:5])))
    t_f, v_f = memory.numbers if memory is not None else (0.0, 0.0)
    return np.array((POWER, *law.numbers, law.eps, t_f, v_f))


@kernel
def normal_force(row: NDArray[np.float64], s: float, v: float) -> tuple[float, float, float]:
    """Normal force in N, its elastic part in N, and the activation, at distance s and normal speed v."""
    if row[0] == 0.0:
        a = activation(s, row[1], row[2])
        if row[6] != -np.inf:
            a -= activation(s, row[5], row[6])
        return a * resistance(v, row[3], row[4]), 0.5 * a * row[3], a
    if row[0] == 1.0:
        return hooke_force(s, v, row[1], row[2], row[3]), hooke_force(s, 0.0, row[1], row[2], 0.0), 1.0 * (s < row[1])
    if row[0] == INDENTATION:
        force = indentation_force(s, v, row[1], row[2], row[3], row[4], row[5], row[6])
        return force, row[2] * power(max(row[1] - s, 0.0), row[4]), 1.0 * (s < row[1])
    return hertz_force(s, v, row[1], row[2], row[3]), hertz_force(s, 0.0, row[1], row[2], 0.0), 1.0 * (s < row[1])


@kernel
def normal_potential(row: NDArray[np.float64], s: float) -> float:
    """Energy in J stored in the contact at distance s."""
    if row[0] == 0.0:
        reach = activation_integral(s, row[1], row[2])
        if row[6] != -np.inf:
            reach -= activation_integral(s, row[5], row[6])
        return 0.5 * row[3] * reach
    delta = max(row[1] - s, 0.0)
    if row[0] == 1.0:
        return 0.5 * row[2] * delta**2
    if row[0] == INDENTATION:
        return row[2] * power(delta, row[4] + 1.0) / (row[4] + 1.0)
    return 0.4 * row[2] * delta**2.5


@kernel
def static_pull(row: NDArray[np.float64], n: float, a: float, speed: float) -> float:
    """Static friction of kind 0 or 3 per unit of tangential velocity, in N s/m; `speed` is the rounded norm (2.17)."""
    if speed == 0.0:
        return 0.0
    if row[0] == STEP:
        return n * step_coefficient(speed, row[1], row[2], row[3], row[4]) / speed
    return dissipation_force(speed, n, a, row[1], row[2], row[3], row[4], row[5], row[6]) / speed


@kernel
def triple(vector: NDArray[np.float64]) -> tuple[float, float, float]:
    """A vector of one to three components as a triple."""
    y = vector[1] if vector.size > 1 else 0.0
    z = vector[2] if vector.size > 2 else 0.0
    return vector[0], y, z


@kernel
def friction_point(
    row: NDArray[np.float64],
    n: float,
    a: float,
    v: NDArray[np.float64],
    memory: NDArray[np.float64],
    force: NDArray[np.float64],
    rate: NDArray[np.float64],
) -> None:
    """Friction `force` in N against v, and the `rate` of its memory, of one point under normal force n."""
    if row[0] == ANCHORED:
        z, u = triple(memory), triple(v)
        pull, flow = anchor_pull(row, n, a, z, u), anchor_rate(row, z, u)
        for i in range(v.size):
            force[i], rate[i] = pull[i], flow[i]
        return
    square = 0.0
    for i in range(v.size):
        square += v[i] * v[i]
    speed = np.sqrt(square)
    if row[0] == LUGRE:
        for i in range(v.size):
            rate[i] = lugre_rate(v[i], memory[i], speed, row[1], row[2], row[4], row[8])
            force[i] = n * (row[8] * memory[i] + row[9] * rate[i]) + a * row[5] * v[i]
        return
    pull = static_pull(row, n, a, np.sqrt(square + row[7] * row[7]))
    if row[8] == 0.0:
        for i in range(v.size):
            force[i] = pull * v[i]
            rate[i] = 0.0
        return
    gate = opening(speed, row[9])
    for i in range(v.size):
        force[i] = memory[i]
        rate[i] = memory_rate(memory[i], pull * v[i], gate, row[8])


@kernel
def normal_slopes(row: NDArray[np.float64], s: float, v: float) -> tuple[float, float]:
    """Derivatives of the normal force by the distance in N/m and by the normal speed in N s/m."""
    if row[0] == 0.0:
        a, p = activation(s, row[1], row[2]), falling_step(row[4] * v)
        share, slope = a, -2.0 * row[1] * a * (1.0 - a)
        if row[6] != -np.inf:
            back = activation(s, row[5], row[6])
            share, slope = share - back, slope + 2.0 * row[5] * back * (1.0 - back)
        return row[3] * p * slope, -2.0 * row[4] * row[3] * share * p * (1.0 - p)
    delta = row[1] - s
    if delta <= 0.0:
        return 0.0, 0.0
    if row[0] == 1.0:
        return -row[2], -row[3]
    if row[0] == INDENTATION:
        return indentation_slopes(s, v, row[1], row[2], row[3], row[4], row[5], row[6])
    return -1.5 * row[2] * np.sqrt(delta) * (1.0 - row[3] * v), -row[2] * row[3] * delta**1.5


@kernel
def static_slopes(row: NDArray[np.float64], n: float, a: float, speed: float) -> tuple[float, float]:
    """Slopes of the static friction in N s/m: along the sliding direction, and across it (force over speed)."""
    if row[0] == STEP:
        along = n * step_slope(speed, row[1], row[2], row[3], row[4])
        return along, static_pull(row, n, a, speed) if speed > 0.0 else along
    along = dissipation_slope(speed, n, a, row[1], row[2], row[3], row[4], row[5], row[6])
    return along, static_pull(row, n, a, speed) if speed > 0.0 else along
