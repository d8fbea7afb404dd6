"""The last step of the bodies on the load, in one flat array: what the energy book needs to know of it.

A linearised integrator does w' = w + M^-1 (h q + ...) and x' = x + h w'. The forces q of the load therefore do the work
h q^T w', and the step itself takes (w' - w)^T M (w' - w)/2 from the kinetic energy, whatever the forces.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ...kernel import kernel
from ...numerics.copying import put
from ...numerics.vectors import Triple, cross, minus, plus
from .bodies import SPEED_WIDTH, STATE_WIDTH

Array = Any

WIDTH = STATE_WIDTH + 2 * SPEED_WIDTH + 10
"""Number of entries per body."""


class LastStep(NamedTuple):
    """The bodies at the start of the last step: states, velocities, forces of the load, mass in kg and inertia."""

    x: Array
    w: Array
    q: Array
    mass: Array
    inertia: Array


@kernel
def last_step(kept: Array) -> LastStep:
    """The parts of the flat array."""
    n = kept.size // WIDTH
    w = STATE_WIDTH * n
    q = w + SPEED_WIDTH * n
    mass = q + SPEED_WIDTH * n
    return LastStep(kept[:w], kept[w:q], kept[q:mass], kept[mass : mass + n], kept[mass + n :])


@kernel
def keep_step(kept: Array, x: Array, w: Array, q: Array) -> None:
    """Keep the state at the start of a step, and the forces that act in it."""
    last = last_step(kept)
    put(x, last.x)
    put(w, last.w)
    put(q, last.q)


@kernel
def work_of_step(kept: Array, w: Array, h: float) -> tuple[float, float]:
    """Work of the load in the last step h, in J, and the kinetic energy in J that the step took; w: velocities now."""
    last = last_step(kept)
    work = 0.0
    taken = 0.0
    for i in range(w.size):
        work += h * last.q[i] * w[i]
    for body in range(last.mass.size):
        k = SPEED_WIDTH * body
        inertia = last.inertia[9 * body : 9 * body + 9]
        for i in range(3):
            change = w[k + i] - last.w[k + i]
            taken += 0.5 * last.mass[body] * change * change
            turned = w[k + 3 + i] - last.w[k + 3 + i]
            for j in range(3):
                taken += 0.5 * inertia[3 * i + j] * turned * (w[k + 3 + j] - last.w[k + 3 + j])
    return work, taken


@kernel
def turned(x: Array, body: int, v: Triple) -> Triple:
    """A body-fixed vector in world components, from the quaternion in the packed state."""
    k = STATE_WIDTH * body + 3
    e = (x[k + 1], x[k + 2], x[k + 3])
    across = cross(e, v)
    double = (2.0 * across[0], 2.0 * across[1], 2.0 * across[2])
    more = cross(e, double)
    s = x[k]
    return v[0] + s * double[0] + more[0], v[1] + s * double[1] + more[1], v[2] + s * double[2] + more[2]


@kernel
def spin_from(x: Array, w: Array, a: int, b: int) -> Triple:
    """Relative angular velocity of A and B, with the poses x at the start of a step and the velocities w at its end."""
    i = SPEED_WIDTH * a + 3
    j = SPEED_WIDTH * b + 3
    return minus(turned(x, a, (w[i], w[i + 1], w[i + 2])), turned(x, b, (w[j], w[j + 1], w[j + 2])))


@kernel
def velocity_from(x: Array, w: Array, body: int, p: Any) -> Triple:
    """Velocity of the point p of a body, with the pose at the start of a step and the velocity at its end."""
    k = STATE_WIDTH * body
    i = SPEED_WIDTH * body
    arm = (p[0] - x[k], p[1] - x[k + 1], p[2] - x[k + 2])
    turning = turned(x, body, (w[i + 3], w[i + 4], w[i + 5]))
    return plus((w[i], w[i + 1], w[i + 2]), cross(turning, arm))


def kept_for(bodies: Sequence[Any], x: NDArray[np.float64], w: NDArray[np.float64]) -> NDArray[np.float64]:
    """The flat array for bodies at a state, before any force has acted."""
    n = len(bodies)
    kept = np.zeros(WIDTH * n)
    keep_step(kept, x, w, np.zeros(w.size))
    last = last_step.py_func(kept)
    for i, body in enumerate(bodies):
        if not body.IsFixed():
            last.mass[i] = body.GetMass()
            last.inertia[9 * i : 9 * i + 9] = np.ravel(body.GetInertia().GetMatr())
    return kept
