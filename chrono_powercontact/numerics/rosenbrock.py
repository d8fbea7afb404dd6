"""A linearly implicit method for stiff systems: ROS34PW2 of Rang and Angermann (2005), compiled.

Four stages, third order, L-stable, with an embedded solution of second order for step control. Each stage solves

    (1/(h gamma) - J) u_i = f(t + alpha_i h, x + sum_j A_ij u_j) + sum_j C_ij u_j/h + gamma_i h df/dt

and the step ends at x + sum m_i u_i. The order holds for any matrix J (it is a W-method), so J may come
from finite differences and serve for several steps. States on which no rate depends, such as the energy ledger, are
quadratures: they follow from the others and do not enlarge the linear system.

The method asks its caller for rates and calls no right-hand side, so one compilation serves all of them:

    begin(s, x, t, end)
    while not is_done(s):
        fine = ...                      # rates at the time asked_time(s) and the state s.point go into s.rate
        if proceed(s, x, fine) == STEPPED:
            set_out(s, x)               # x is the state at the end of the step
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ..kernel import inner, kernel
from .copying import put
from .dual.dual_type import plain_value
from .finite import all_finite
from .lu import lu_factor, lu_solve

Array = Any

GAMMA = 4.3586652150845900e-01
ALPHA = np.array(
    [
        [0.0, 0.0, 0.0, 0.0],
        [8.7173304301691801e-01, 0.0, 0.0, 0.0],
        [8.4457060015369423e-01, -1.1299064236484185e-01, 0.0, 0.0],
        [0.0, 0.0, 1.0, 0.0],
    ]
)
GAMMAS = np.array(
    [
        [GAMMA, 0.0, 0.0, 0.0],
        [-8.7173304301691801e-01, GAMMA, 0.0, 0.0],
        [-9.0338057013044082e-01, 5.4180672388095326e-02, GAMMA, 0.0],
        [2.4212380706095346e-01, -1.2232505839045147e00, 5.4526025533510214e-01, GAMMA],
    ]
)
WEIGHTS = np.array([2.4212380706095346e-01, -1.2232505839045147e00, 1.5452602553351020e00, GAMMA])
EMBEDDED = np.array([3.7810903145819369e-01, -9.6042292212423178e-02, 0.5, 2.1793326075422950e-01])

A = ALPHA @ np.linalg.inv(GAMMAS)
C = np.eye(4) / GAMMA - np.linalg.inv(GAMMAS)
M = WEIGHTS @ np.linalg.inv(GAMMAS)
E = (WEIGHTS - EMBEDDED) @ np.linalg.inv(GAMMAS)
REACH = ALPHA.sum(axis=1)
SLOPE = GAMMAS.sum(axis=1)

STAGES = len(WEIGHTS)

LONGEST_USE = 10
"""Number of steps after which J is computed again."""
SHORTEST = 1e-7
"""A run fails if its step falls below this fraction of the time between two rows."""

STATUS = np.dtype(
    [
        ("age", np.float64),
        ("steps", np.float64),
        ("refused", np.float64),
        ("evaluations", np.float64),
        ("size", np.float64),
        ("factored", np.float64),
        ("phase", np.int64),
        ("index", np.int64),
        ("time", np.float64),
        ("now", np.float64),
        ("end", np.float64),
        ("step", np.float64),
        ("nudge", np.float64),
        ("least", np.float64),
        ("done", np.float64),
    ]
)
"""State of a run. Counters: steps with the present J (age), steps, refused steps, evaluations. In s: target size of the
next step (size), step for which J was factored (factored), time of the requested rates (time), time of the state (now),
final time (end), present step (step), shortest step (least). The request: its phase, see DRIFT, and its number (index).
Increment of the present difference (nudge), and 1 once the end is reached (done)."""

DRIFT, BASE, COLUMN, STAGE = range(4)
"""What can be requested: rates slightly later, rates, a column of J, a stage."""
ASKED, STEPPED, FAILED = range(3)
"""What `proceed` did: it requested more rates, completed a step, or failed."""


class Stepper(NamedTuple):
    """Arrays of a run.

    Attributes:
        active: states of the linear system. passive: quadratures.
        absolute, relative: tolerances of the active states. status: one record, see STATUS.
        jacobian, factors, pivots: df/dx by the active states; 1/(h gamma) - J of these, factored.
        stages: the u_i. point, rate: the state of the request, and f there. base, drift: f and df/dt at the start.
        right: a right-hand side.
    """

    active: NDArray[np.int64]
    passive: NDArray[np.int64]
    absolute: NDArray[np.float64]
    relative: float
    status: NDArray[Any]
    jacobian: NDArray[np.float64]
    factors: NDArray[np.float64]
    pivots: NDArray[np.int64]
    stages: NDArray[np.float64]
    point: NDArray[np.float64]
    rate: NDArray[np.float64]
    base: NDArray[np.float64]
    drift: NDArray[np.float64]
    right: NDArray[np.float64]


@inner
def stepper_like(
    x: Array, active: Array, passive: Array, absolute: Array, relative: float, first: float
) -> Stepper:  # fmt: skip
    """New arrays for a run of a state of floats or of dual numbers; see `stepper`."""
    n = active.size + passive.size
    k = active.size
    kind = x.dtype
    status = np.zeros(1, STATUS)
    status[0].age = LONGEST_USE
    status[0].size = first
    return Stepper(
        active, passive, absolute, relative, status, np.zeros((n, k), kind), np.zeros((k, k), kind),
        np.zeros(k, np.int64), np.zeros((STAGES, n), kind), np.zeros(n, kind), np.zeros(n, kind), np.zeros(n, kind),
        np.zeros(n, kind), np.zeros(k, kind),
    )  # fmt: skip


@kernel
def stepper(active: Array, passive: Array, absolute: Array, relative: float, first: float) -> Stepper:
    """New arrays for a run; `first` is the first step in s, and relative = 0 keeps the step fixed."""
    return stepper_like(np.zeros(0), active, passive, absolute, relative, first)


@kernel
def is_done(s: Stepper) -> bool:
    """Whether the end is reached."""
    return s.status[0].done != 0.0


@kernel
def asked_time(s: Stepper) -> float:
    """Time in s at which rates are requested."""
    return s.status[0].time


@kernel
def target_size(s: Stepper) -> float:
    """Target size of the next step, in s."""
    return s.status[0].size


@kernel
def steps_taken(s: Stepper) -> float:
    """Number of steps so far."""
    return s.status[0].steps


@kernel
def nudge(value: float) -> float:
    """Increment of a difference quotient, rounded so that adding it to the value is exact."""
    target = np.sqrt(2.2e-16 * max(np.abs(value), 1e-4))
    return (value + target) - value


@kernel
def factor(s: Stepper, h: float) -> bool:
    """Factor 1/(h gamma) - J of the active states."""
    for i in range(s.active.size):
        for j in range(s.active.size):
            s.factors[i, j] = -s.jacobian[s.active[i], j]
        s.factors[i, i] += 1.0 / (h * GAMMA)
    s.status[0].factored = h
    return lu_factor(s.factors, s.pivots, 0.0) != 0


@kernel
def solve_stage(s: Stepper, i: int, h: float) -> None:
    """u_i from the rate at its trial state."""
    u = s.stages
    for k in range(s.base.size):
        s.rate[k] += SLOPE[i] * h * s.drift[k]
        for j in range(i):
            s.rate[k] += C[i, j] / h * u[j, k]
    for a in range(s.active.size):
        s.right[a] = s.rate[s.active[a]]
    lu_solve(s.factors, s.pivots, s.right)
    for a in range(s.active.size):
        u[i, s.active[a]] = s.right[a]
    for k in s.passive:
        total = s.rate[k]
        for a in range(s.active.size):
            total += s.jacobian[k, a] * s.right[a]
        u[i, k] = h * GAMMA * total


@kernel
def misfit(s: Stepper, x: Array) -> float:
    """RMS difference of third and second order relative to the tolerance; `point` receives the new state."""
    for k in range(x.size):
        s.point[k] = x[k]
        for j in range(STAGES):
            s.point[k] += M[j] * s.stages[j, k]
    total = 0.0
    for a in range(s.active.size):
        k = s.active[a]
        error = 0.0
        for j in range(STAGES):
            error += E[j] * plain_value(s.stages[j, k])
        allowed = s.absolute[a] + s.relative * max(np.abs(plain_value(x[k])), np.abs(plain_value(s.point[k])))
        total += (error / allowed) ** 2
    return np.sqrt(total / s.active.size)


@kernel
def next_size(h: float, error: float) -> float:
    """Step size in s after a step with this error; a small change is not worth a new factorisation."""
    if not np.isfinite(error):
        return 0.1 * h
    target = 0.85 * max(error, 1e-6) ** (-1.0 / 3.0)
    if 0.95 < target < 1.4:
        return h
    return h * min(max(target, 0.2), 3.0)


@kernel
def ask(s: Stepper, x: Array, time: float, phase: int, index: int) -> int:
    """Request the rates at a state, for a phase."""
    run = s.status[0]
    put(x, s.point)
    run.time = time
    run.phase = phase
    run.index = index
    return ASKED


@kernel
def begin(s: Stepper, x: Array, t: float, end: float) -> None:
    """Begin a run from x at time t to the end."""
    run = s.status[0]
    run.now = t
    run.end = end
    run.least = SHORTEST * (end - t)
    run.done = 0.0
    set_out(s, x)


@kernel
def set_out(s: Stepper, x: Array) -> int:
    """Begin a step; the time that is left is divided into equal steps."""
    run = s.status[0]
    left = run.end - run.now
    run.step = left / max(np.ceil(left / run.size - 1e-6), 1.0)
    run.nudge = nudge(run.now)
    return ask(s, x, run.now + run.nudge, DRIFT, 0)


@kernel
def ask_column(s: Stepper, x: Array, a: int) -> int:
    """Request the rates at x with one active state incremented."""
    run = s.status[0]
    ask(s, x, run.now, COLUMN, a)
    k = s.active[a]
    run.nudge = nudge(plain_value(x[k]))
    s.point[k] += run.nudge
    return ASKED


@kernel
def shorten(s: Stepper, x: Array, error: float) -> int:
    """Try again: with a new J if it is old, otherwise with a shorter step."""
    run = s.status[0]
    run.refused += 1.0
    if s.relative == 0.0:
        return FAILED
    if run.age > 0.0:
        return ask_column(s, x, 0)
    run.step = next_size(run.step, error)
    run.size = run.step
    return first_stage(s, x) if run.step > run.least else FAILED


@kernel
def first_stage(s: Stepper, x: Array) -> int:
    """Solve the first stage, which needs no more rates, and request those of the second."""
    h = s.status[0].step
    if s.status[0].factored != h and not factor(s, h):
        return FAILED
    put(s.base, s.rate)
    solve_stage(s, 0, h)
    return ask_stage(s, x, 1)


@kernel
def ask_stage(s: Stepper, x: Array, i: int) -> int:
    """Request the rates of a stage."""
    run = s.status[0]
    ask(s, x, run.now + REACH[i] * run.step, STAGE, i)
    for j in range(i):
        for k in range(x.size):
            s.point[k] += A[i, j] * s.stages[j, k]
    return ASKED


@kernel
def finish(s: Stepper, x: Array) -> int:
    """Check the error of the step; accept it, or try again."""
    run = s.status[0]
    h = run.step
    error = misfit(s, x)
    if not (error <= 1.0 or (s.relative == 0.0 and np.isfinite(error))):
        return shorten(s, x, error)
    put(s.point, x)
    run.steps += 1.0
    run.now += h
    if s.relative > 0.0:
        clipped = h < 0.8 * run.size
        run.size = max(next_size(h, error), run.size if clipped else 0.0)
    run.done = 1.0 * (run.end - run.now <= run.least)
    return STEPPED if all_finite(x) else FAILED


@kernel
def learn_base(s: Stepper, x: Array) -> int:
    """Store the rates at the start of a step; continue with J if it is recent, otherwise compute it again."""
    run = s.status[0]
    for k in range(x.size):
        s.base[k] = s.rate[k]
        s.drift[k] = (s.drift[k] - s.base[k]) / run.nudge
    run.age += 1.0
    fresh = run.age <= LONGEST_USE and s.relative > 0.0
    return first_stage(s, x) if fresh else ask_column(s, x, 0)


@kernel
def learn_column(s: Stepper, x: Array) -> int:
    """Store one column of J, and request the next."""
    run = s.status[0]
    a = run.index
    for k in range(x.size):
        s.jacobian[k, a] = (s.rate[k] - s.base[k]) / run.nudge
    if a + 1 < s.active.size:
        return ask_column(s, x, a + 1)
    run.age = 0.0
    run.factored = 0.0
    return first_stage(s, x)


@kernel
def proceed(s: Stepper, x: Array, fine: bool) -> int:
    """Continue with the requested rates; `fine` says whether they exist. After STEPPED call `set_out`."""
    run = s.status[0]
    phase = run.phase
    run.evaluations += 1.0
    if not fine:
        return shorten(s, x, np.inf) if phase == STAGE else FAILED
    if phase == DRIFT:
        put(s.rate, s.drift)
        return ask(s, x, run.now, BASE, 0)
    if phase == BASE:
        return learn_base(s, x)
    if phase == COLUMN:
        return learn_column(s, x)
    i = run.index
    solve_stage(s, i, run.step)
    return ask_stage(s, x, i + 1) if i + 1 < STAGES else finish(s, x)
