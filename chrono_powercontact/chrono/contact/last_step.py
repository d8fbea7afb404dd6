"""The last step of the bodies on the load, in one flat array: what the energy book needs to know of it.

A linearised integrator does w' = w + M^-1 (h q + ...) and x' = x + h w'. The forces q of the load therefore do the work
h q^T w', and the step itself takes (w' - w)^T M (w' - w)/2 from the kinetic energy, whatever the forces. Among q are
forces that only change Chrono's springs from those at the start of the step to those at its end.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ...kernel import kernel
from ...numerics.copying import put
from ...numerics.vectors import Triple, cross, minus
from ..api.bridge import inertia_of
from .bodies import SPEED_WIDTH, STATE_WIDTH

Array = Any

WIDTH = STATE_WIDTH + 3 * SPEED_WIDTH + 10
"""Number of entries per body."""


class LastStep(NamedTuple):
    """The bodies at the start of the last step.

    Attributes:
        x, w: packed states and velocities. q, springs: forces of the load, and those of springs among them.
        mass: in kg. inertia: in kg m^2.
    """

    x: Array
    w: Array
    q: Array
    springs: Array
    mass: Array
    inertia: Array


@kernel
def last_step(kept: Array) -> LastStep:
    """The parts of the flat array."""
    n = kept.size // WIDTH
    w = STATE_WIDTH * n
    q = w + SPEED_WIDTH * n
    springs = q + SPEED_WIDTH * n
    mass = springs + SPEED_WIDTH * n
    return LastStep(kept[:w], kept[w:q], kept[q:springs], kept[springs:mass], kept[mass : mass + n], kept[mass + n :])


@kernel
def keep_step(kept: Array, x: Array, w: Array, q: Array) -> None:
    """Keep the state at the start of a step, and the forces that act in it."""
    last = last_step(kept)
    put(x, last.x)
    put(w, last.w)
    put(q, last.q)
    for i in range(last.springs.size):
        last.springs[i] = 0.0


@kernel
def keep_springs(kept: Array, others: Array) -> None:
    """Keep the forces of springs among those of a step: they are what is not one of the others."""
    last = last_step(kept)
    for i in range(last.springs.size):
        last.springs[i] = last.q[i] - others[i]


@kernel
def kinetic_change(last: LastStep, body: int, w: Array) -> float:
    """Kinetic energy in J of the change of a body's velocity in the last step, now that velocities are w."""
    k = SPEED_WIDTH * body
    inertia = last.inertia[9 * body : 9 * body + 9]
    energy = 0.0
    for i in range(3):
        change = w[k + i] - last.w[k + i]
        energy += 0.5 * last.mass[body] * change * change
        turned = w[k + 3 + i] - last.w[k + 3 + i]
        for j in range(3):
            energy += 0.5 * inertia[3 * i + j] * turned * (w[k + 3 + j] - last.w[k + 3 + j])
    return energy


@kernel
def work_on(first: int, end: int, kept: Array, w: Array, h: float) -> tuple[float, float, float]:
    """The same as `work_of_step` for the bodies from the first one to the one before the end."""
    last = last_step(kept)
    work = 0.0
    of_springs = 0.0
    taken = 0.0
    for body in range(first, end):
        k = SPEED_WIDTH * body
        power = 0.0
        power_of_springs = 0.0
        for i in range(k, k + SPEED_WIDTH):
            power += last.q[i] * w[i]
            power_of_springs += last.springs[i] * w[i]
        work += h * power
        of_springs += h * power_of_springs
        taken += kinetic_change(last, body, w)
    return work, of_springs, taken


@kernel
def work_of_step(kept: Array, w: Array, h: float) -> tuple[float, float, float]:
    """Work of the load and of its springs in the last step h, and the kinetic energy that the step took, in J.

    w: velocities now.
    """
    return work_on(0, w.size // SPEED_WIDTH, kept, w, h)


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
def put_way(past: Array, w: Array, body: int, way: Array) -> None:
    """Write the first nine numbers of the way of a body, see `body_ways`."""
    k = SPEED_WIDTH * body
    now = turned(past, body, (w[k + 3], w[k + 4], w[k + 5]))
    for i in range(3):
        way[i] = past[STATE_WIDTH * body + i]
        way[3 + i] = w[k + i]
        way[6 + i] = now[i]


@kernel
def body_ways(past: Array, w: Array) -> Array:
    """How each body moved in the last step, in the pose of its start: a row of 15 numbers in world components.

    They are its position at the start; its velocity and angular velocity at the end; and by how much both slowed down.

    Args:
        past: packed states and velocities at the start. w: velocities at the end.
    """
    n = w.size // SPEED_WIDTH
    ways = np.empty((n, 15))
    first = past.size - w.size
    for body in range(n):
        put_way(past, w, body, ways[body])
        k = SPEED_WIDTH * body
        s = first + k
        then = turned(past, body, (past[s + 3], past[s + 4], past[s + 5]))
        for i in range(3):
            ways[body, 9 + i] = past[s + i] - w[k + i]
            ways[body, 12 + i] = then[i] - ways[body, 6 + i]
    return ways


@kernel
def motion_at(ways: Array, body: int, p: Triple, first: int) -> Triple:
    """Velocity of a point p of a body, from its way: at the end of the step (first = 3), or what was lost (9)."""
    x = p[0] - ways[body, 0]
    y = p[1] - ways[body, 1]
    z = p[2] - ways[body, 2]
    return (
        ways[body, first] + ways[body, first + 4] * z - ways[body, first + 5] * y,
        ways[body, first + 1] + ways[body, first + 5] * x - ways[body, first + 3] * z,
        ways[body, first + 2] + ways[body, first + 3] * y - ways[body, first + 4] * x,
    )


@kernel
def between(ways: Array, a: int, b: int, p: Any, first: int) -> Triple:
    """Relative velocity of bodies A and B at a point, see `motion_at`."""
    point = (p[0], p[1], p[2])
    return minus(motion_at(ways, a, point, first), motion_at(ways, b, point, first))


@kernel
def spin_between(ways: Array, a: int, b: int, first: int) -> Triple:
    """Relative angular velocity of A and B: at the end of the step (first = 6), or what was lost (first = 12)."""
    return (
        ways[a, first] - ways[b, first],
        ways[a, first + 1] - ways[b, first + 1],
        ways[a, first + 2] - ways[b, first + 2],
    )


def kept_for(bodies: Sequence[Any], x: NDArray[np.float64], w: NDArray[np.float64]) -> NDArray[np.float64]:
    """The flat array for bodies at a state, before any force has acted."""
    n = len(bodies)
    kept = np.zeros(WIDTH * n)
    keep_step(kept, x, w, np.zeros(w.size))
    last = last_step.py_func(kept)
    for i, body in enumerate(bodies):
        if not body.IsFixed():
            last.mass[i] = body.GetMass()
            last.inertia[9 * i : 9 * i + 9] = np.ravel(inertia_of(body))
    return kept
