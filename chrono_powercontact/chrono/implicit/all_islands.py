"""The step of all islands: those at rest stay as they are, the others are solved, many of them on several threads.

An island knows nothing of the others but fixed bodies, so it does not matter who solves it or when.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numba import njit, prange, typeof, types

from ...kernel import kernel
from ...numerics.lending import lend, lent
from ...sealed import sealed
from ..contact.many.turns import WORDS, next_part
from .island import VELOCITIES, Links, MovingBodies, Problem, island_at, leave_island, no_problem
from .island_step import OUTCOME, solve_linked
from .islands import Groups, islands_of
from .linked.limits import MOST_CHANGES, changes_limits
from .local_forces import Laws
from .resting import fitting_islands
from .solvers.coloured_sweeps import MANY

Array = Any

count_threads = types.ExternalFunction("get_num_threads", types.int64())
"""Numba's present number of threads, by the symbol that a parallel loop asks; known once one has been loaded."""

WORTH = 128
"""Number of blocks in the islands to be solved from which threads share them."""


class Step(NamedTuple):
    """The step of all islands.

    Attributes:
        groups: the islands. place: index of each body in its island, -1 outside of its solve. last: forces of the last
            step. free, ahead: velocities at the end of the step without our forces, and with them.
        outcomes: records of OUTCOME, one for each thread.
    """

    bodies: MovingBodies
    laws: Laws
    links: Links
    blocks: Array
    groups: Groups
    place: Array
    last: Array
    free: Array
    ahead: Array
    outcomes: Array


def no_step() -> Step:
    """A step of nothing, for its type."""
    bodies, laws, links, blocks, _ = no_problem()
    none = np.zeros(0)
    numbers = np.zeros(0, np.int64)
    groups = Groups(numbers, numbers, numbers, numbers, numbers, numbers)
    return Step(bodies, laws, links, blocks, groups, numbers, none, none, none, np.zeros(0, OUTCOME))


STEP = typeof(no_step())
step_at = lent(STEP)


@kernel
def begin_outcome(told: Any) -> None:
    """Nothing is known yet."""
    told.contacts = 0
    told.iterations = 0
    told.residual = 0.0
    told.largest = 0
    told.islands = 0
    told.impacts = 0
    told.missed = 0
    told.resting = 0


@kernel
def add_outcome(own: Any, told: Any) -> None:
    """Add the outcome of some islands to that of others."""
    told.iterations = max(told.iterations, own.iterations)
    told.residual = max(told.residual, own.residual)
    told.impacts += own.impacts
    told.missed += own.missed


@kernel
def size_of(starts: Array, i: int) -> int:
    """Number of entries of an island, given where those of each one begin."""
    return int(starts[i + 1] - starts[i])


@kernel
def largest_of(groups: Groups) -> int:
    """Number of bodies in the largest island."""
    most = 0
    for i in range(groups.bodies_at.size - 1):
        most = max(most, size_of(groups.bodies_at, i))
    return most


@sealed(types.void(STEP, types.int64, VELOCITIES, VELOCITIES, VELOCITIES, types.int64))
def solve_number(step: Step, i: int, force: Array, trial: Array, nothing: Array, thread: int) -> None:
    """Find the forces of the blocks of an island, given by its number, from the forces of the last step.

    Args:
        force, trial: see `Laws`. nothing: zeros by body. thread: whose outcome it is added to.
    """
    links = step.links
    groups = step.groups
    laws = step.laws
    own = Laws(laws.h, laws.materials, laws.joints, laws.joint_laws, laws.joint_memory, laws.stiffness, force, trial)
    rows = groups.rows[groups.rows_at[i] : groups.rows_at[i + 1]]
    told = step.outcomes[thread]
    impacts = told.impacts
    missed = told.missed
    for _ in range(1 + MOST_CHANGES):
        told.impacts = impacts
        told.missed = missed
        island = island_at(groups, i, step.bodies, links, step.blocks, step.place)
        problem = Problem(step.bodies, own, links, step.blocks, island)
        solve_linked(problem, step.last, nothing, step.ahead, step.free, told)
        leave_island(island)
        if not changes_limits(links, rows, step.ahead):
            break


@kernel
def solve_numbers(step: Step, numbers: Array) -> None:
    """Solve some islands, one after the other."""
    nothing = np.zeros(step.free.size)
    for i in numbers:
        solve_number(step, i, step.laws.force, step.laws.trial, nothing, 0)


@kernel
def take_islands(place: int, numbers: Array, turns: Array, thread: int) -> None:
    """Solve islands in turn; `place` is the address of the step."""
    step = step_at(place)
    force = np.zeros(step.free.size)
    trial = step.bodies.w.copy()
    nothing = np.zeros(step.free.size)
    turn = next_part(turns, thread, numbers.size)
    while turn >= 0:
        solve_number(step, numbers[turn], force, trial, nothing, thread)
        turn = next_part(turns, thread, numbers.size)


# With declared types it is compiled, or taken from disk, on import: kernels that call it need what numba loads with it.
@njit(types.void(types.int64, types.int64[::1], types.int64[:, ::1]), cache=True, parallel=True, error_model="numpy")
def solve_in_parallel(place: int, numbers: Array, turns: Array) -> None:
    """Solve some islands, several at the same time; `place` is the address of the step."""
    for thread in prange(turns.shape[0]):
        take_islands(place, numbers, turns, thread)


@kernel
def solve_moving(step: Step, fitting: Array, threads: int) -> None:
    """Solve the islands that do not fit; those that threads share within are first."""
    numbers = np.empty(fitting.size, np.int64)
    many = 0
    blocks = 0
    for i in range(fitting.size):
        if fitting[i] < np.inf:
            continue
        size = size_of(step.groups.blocks_at, i)
        if size >= MANY:
            solve_numbers(step, np.full(1, i))
        else:
            numbers[many] = i
            many += 1
            blocks += size
    if threads > 1 and many > 1 and blocks >= WORTH:
        solve_in_parallel(lend(step), numbers[:many], np.zeros((threads, WORDS), np.int64))
    else:
        solve_numbers(step, numbers[:many])


@kernel
def solve_blocks(
    bodies: MovingBodies, laws: Laws, links: Links, blocks: Array, last: Array, free: Array, held: Array, told: Any
) -> None:
    """Find the forces of the blocks at the end of the step, from the forces of the last step.

    For `held` see `fitting_islands`.
    """
    groups = islands_of(bodies.mass, blocks, links.bodies, links.handed)
    told.islands = groups.bodies_at.size - 1
    told.largest = largest_of(groups)
    fitting, told.resting = fitting_islands(bodies, laws, blocks, groups, free, held)
    threads = count_threads()
    outcomes = np.zeros(threads, OUTCOME)
    place = np.full(bodies.mass.size, -1, np.int64)
    step = Step(bodies, laws, links, blocks, groups, place, last, free, bodies.w.copy(), outcomes)
    solve_moving(step, fitting, threads)
    for i in range(told.islands):
        if fitting[i] < np.inf:
            told.residual = max(told.residual, fitting[i])
    for thread in range(threads):
        add_outcome(step.outcomes[thread], told)
