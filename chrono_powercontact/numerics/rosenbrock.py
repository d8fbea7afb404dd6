"""A linearly implicit step for stiff motions: the method ROS34PW2 of Rang and Angermann (2005), compiled.

Four stages, third order, L-stable, with an embedded second order for the step size. Each stage solves

    (1/(h gamma) - J) u_i = f(t + alpha_i h, x + sum_j A_ij u_j) + sum_j C_ij u_j/h + gamma_i h df/dt

and the step ends at x + sum m_i u_i. The order holds for any matrix J (it is a W-method), so that J may be found
numerically and kept over several steps. States on which no rate depends, like the energy ledger, are quadratures:
they follow from the others without enlarging the system.

The method asks for rates and is told them, so that it is compiled once for all right sides and calls none:

    begin(s, x, t, end)
    while not s.book[DONE]:
        fine = ...                      # rates at the time s.book[TIME] and the state s.point go into s.rate
        if proceed(s, x, fine) == STEPPED:
            set_out(s, x)               # x is the state at s.book[NOW]
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ..kernel import kernel
from .lu import lu_factor, lu_solve

Array = Any

_G = 4.3586652150845900e-01
_ALPHA = np.array(
    [
        [0.0, 0.0, 0.0, 0.0],
        [8.7173304301691801e-01, 0.0, 0.0, 0.0],
        [8.4457060015369423e-01, -1.1299064236484185e-01, 0.0, 0.0],
        [0.0, 0.0, 1.0, 0.0],
    ]
)
_GAMMA = np.array(
    [
        [_G, 0.0, 0.0, 0.0],
        [-8.7173304301691801e-01, _G, 0.0, 0.0],
        [-9.0338057013044082e-01, 5.4180672388095326e-02, _G, 0.0],
        [2.4212380706095346e-01, -1.2232505839045147e00, 5.4526025533510214e-01, _G],
    ]
)
_WEIGHTS = np.array([2.4212380706095346e-01, -1.2232505839045147e00, 1.5452602553351020e00, _G])
_EMBEDDED = np.array([3.7810903145819369e-01, -9.6042292212423178e-02, 0.5, 2.1793326075422950e-01])

GAMMA = _G
A = _ALPHA @ np.linalg.inv(_GAMMA)
C = np.eye(4) / _G - np.linalg.inv(_GAMMA)
M = _WEIGHTS @ np.linalg.inv(_GAMMA)
E = (_WEIGHTS - _EMBEDDED) @ np.linalg.inv(_GAMMA)
REACH = _ALPHA.sum(axis=1)
SLOPE = _GAMMA.sum(axis=1)

LONGEST_USE = 10
"""Steps after which the matrix J is found anew."""
SHORTEST = 1e-7
"""Steps shorter than this share of the time between two records are given up."""
AGE, STEPS, REFUSED, EVALUATIONS, SIZE, FACTORED = 0, 1, 2, 3, 4, 5
"""Places in the book of a run: age of J, steps, refused steps, evaluations, wished step, step of the factors."""
PHASE, INDEX, TIME, NOW, END, STEP, NUDGE, LEAST, DONE = 6, 7, 8, 9, 10, 11, 12, 13, 14
"""More places: what was asked for and its number, the time asked for, time of the state, time to reach, step under way,
increment of a difference, shortest step, and whether the end is reached."""
DRIFT, BASE, COLUMN, STAGE = 0.0, 1.0, 2.0, 3.0
"""What may be asked for: rates a little later, rates, a column of J, a stage."""
ASKED, STEPPED, FAILED = 0, 1, 2


class Stepper(NamedTuple):
    """Arrays of a run.

    Attributes:
        active: states of the linear system. passive: quadratures.
        absolute, relative: tolerances of the active states. book: see AGE and PHASE.
        jacobian, factors, pivots: df/dx by the active states; 1/(h gamma) - J of these, factored.
        stages: the u_i. point, rate: the state that is asked for, and f there. base, drift: f and df/dt at the start.
        right: a right side.
    """

    active: NDArray[np.int64]
    passive: NDArray[np.int64]
    absolute: NDArray[np.float64]
    relative: float
    book: NDArray[np.float64]
    jacobian: NDArray[np.float64]
    factors: NDArray[np.float64]
    pivots: NDArray[np.int64]
    stages: NDArray[np.float64]
    point: NDArray[np.float64]
    rate: NDArray[np.float64]
    base: NDArray[np.float64]
    drift: NDArray[np.float64]
    right: NDArray[np.float64]


@kernel
def stepper(active: Array, passive: Array, absolute: Array, relative: float, first: float) -> Stepper:
    """Fresh arrays for a run; relative = 0 makes the step a fixed one, `first` its first size in s."""
    n, k = active.size + passive.size, active.size
    book = np.zeros(15)
    book[AGE], book[SIZE] = LONGEST_USE, first
    return Stepper(
        active, passive, absolute, relative, book, np.zeros((n, k)), np.zeros((k, k)), np.zeros(k, np.int64),
        np.zeros((4, n)), np.zeros(n), np.zeros(n), np.zeros(n), np.zeros(n), np.zeros(k),
    )  # fmt: skip


@kernel
def nudge(value: float) -> float:
    """Increment of a difference quotient, of a size that the value does not round away."""
    wish = np.sqrt(2.2e-16 * max(np.abs(value), 1e-4))
    return (value + wish) - value


@kernel
def factor(s: Stepper, h: float) -> bool:
    """Factor 1/(h gamma) - J of the active states."""
    for i in range(s.active.size):
        for j in range(s.active.size):
            s.factors[i, j] = -s.jacobian[s.active[i], j]
        s.factors[i, i] += 1.0 / (h * GAMMA)
    s.book[FACTORED] = h
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
    """Difference of third and second order over the tolerance, root mean square; the new state is in `point`."""
    total = 0.0
    for k in range(x.size):
        s.point[k] = x[k]
        for j in range(4):
            s.point[k] += M[j] * s.stages[j, k]
    for a in range(s.active.size):
        k = s.active[a]
        error = 0.0
        for j in range(4):
            error += E[j] * s.stages[j, k]
        allowed = s.absolute[a] + s.relative * max(np.abs(x[k]), np.abs(s.point[k]))
        total += (error / allowed) ** 2
    return np.sqrt(total / s.active.size)


@kernel
def next_size(h: float, error: float) -> float:
    """Step size in s after a step with this error; small changes are not worth new factors."""
    if not np.isfinite(error):
        return 0.1 * h
    wish = 0.85 * max(error, 1e-6) ** (-1.0 / 3.0)
    if 0.95 < wish < 1.4:
        return h
    return h * min(max(wish, 0.2), 3.0)


@kernel
def ask(s: Stepper, x: Array, time: float, phase: float, index: int) -> int:
    """Ask for the rates at a state, for a purpose."""
    s.point[:] = x
    s.book[TIME], s.book[PHASE], s.book[INDEX] = time, phase, index
    return ASKED


@kernel
def begin(s: Stepper, x: Array, t: float, end: float) -> None:
    """Set out from x at t for the end."""
    s.book[NOW], s.book[END], s.book[LEAST], s.book[DONE] = t, end, SHORTEST * (end - t), 0.0
    set_out(s, x)


@kernel
def set_out(s: Stepper, x: Array) -> int:
    """Begin a step: equal parts of the way that is left."""
    left = s.book[END] - s.book[NOW]
    s.book[STEP] = left / max(np.ceil(left / s.book[SIZE] - 1e-6), 1.0)
    s.book[NUDGE] = nudge(s.book[NOW])
    return ask(s, x, s.book[NOW] + s.book[NUDGE], DRIFT, 0)


@kernel
def ask_column(s: Stepper, x: Array, a: int) -> int:
    """Ask for rates beside x, along an active state."""
    ask(s, x, s.book[NOW], COLUMN, a)
    k = s.active[a]
    s.book[NUDGE] = nudge(x[k])
    s.point[k] += s.book[NUDGE]
    return ASKED


@kernel
def shorten(s: Stepper, x: Array, error: float) -> int:
    """Try again: with a fresh J where it is old, else with a shorter step."""
    s.book[REFUSED] += 1.0
    if s.relative == 0.0:
        return FAILED
    if s.book[AGE] > 0.0:
        return ask_column(s, x, 0)
    s.book[STEP] = next_size(s.book[STEP], error)
    s.book[SIZE] = s.book[STEP]
    return first_stage(s, x) if s.book[STEP] > s.book[LEAST] else FAILED


@kernel
def first_stage(s: Stepper, x: Array) -> int:
    """The first stage needs no more rates; ask for those of the second."""
    h = s.book[STEP]
    if s.book[FACTORED] != h and not factor(s, h):
        return FAILED
    s.rate[:] = s.base
    solve_stage(s, 0, h)
    return ask_stage(s, x, 1)


@kernel
def ask_stage(s: Stepper, x: Array, i: int) -> int:
    """Ask for the rates of a stage."""
    ask(s, x, s.book[NOW] + REACH[i] * s.book[STEP], STAGE, i)
    for j in range(i):
        for k in range(x.size):
            s.point[k] += A[i, j] * s.stages[j, k]
    return ASKED


@kernel
def finish(s: Stepper, x: Array) -> int:
    """Judge the step; take it, or try again."""
    h, error = s.book[STEP], misfit(s, x)
    if not (error <= 1.0 or (s.relative == 0.0 and np.isfinite(error))):
        return shorten(s, x, error)
    x[:] = s.point
    s.book[STEPS] += 1.0
    s.book[NOW] += h
    if s.relative > 0.0:
        clipped = h < 0.8 * s.book[SIZE]
        s.book[SIZE] = max(next_size(h, error), s.book[SIZE] if clipped else 0.0)
    s.book[DONE] = 1.0 * (s.book[END] - s.book[NOW] <= s.book[LEAST])
    return STEPPED if np.isfinite(np.sum(x)) else FAILED


@kernel
def learn(s: Stepper, x: Array) -> int:
    """Take in the rates at the start of a step, or one column of J, and ask for what is next."""
    phase, a = s.book[PHASE], int(s.book[INDEX])
    if phase == DRIFT:
        s.drift[:] = s.rate
        return ask(s, x, s.book[NOW], BASE, 0)
    if phase == BASE:
        for k in range(x.size):
            s.base[k] = s.rate[k]
            s.drift[k] = (s.drift[k] - s.base[k]) / s.book[NUDGE]
        s.book[AGE] += 1.0
        fresh = s.book[AGE] <= LONGEST_USE and s.relative > 0.0
        return first_stage(s, x) if fresh else ask_column(s, x, 0)
    for k in range(x.size):
        s.jacobian[k, a] = (s.rate[k] - s.base[k]) / s.book[NUDGE]
    if a + 1 < s.active.size:
        return ask_column(s, x, a + 1)
    s.book[AGE], s.book[FACTORED] = 0.0, 0.0
    return first_stage(s, x)


@kernel
def proceed(s: Stepper, x: Array, fine: bool) -> int:
    """Go on with the rates that were asked for; `fine` tells whether they exist. After STEPPED call `set_out`."""
    i = int(s.book[INDEX])
    s.book[EVALUATIONS] += 1.0
    if not fine:
        return shorten(s, x, np.inf) if s.book[PHASE] == STAGE else FAILED
    if s.book[PHASE] != STAGE:
        return learn(s, x)
    solve_stage(s, i, s.book[STEP])
    return ask_stage(s, x, i + 1) if i < 3 else finish(s, x)
