"""How an island with links yields at its contacts: an impulse at one of them moves all of its bodies."""

from __future__ import annotations

from typing import Any

import numpy as np

from ....kernel import kernel
from ....numerics.vectors import Triple
from ...contact.bodies import SPEED_WIDTH
from ..island import Problem, respond
from .few_blocks import directions_of, push_along
from .island_matrix import turn_motion

Array = Any


@kernel
def put_responses(problem: Problem, first: Array, reached: Array) -> None:
    """Write the velocities of the bodies of an island, in world components, by a unit impulse along each direction.

    For the directions see `few_blocks`; each has a row of `reached`.
    """
    bodies = problem.bodies
    island = problem.island
    many = SPEED_WIDTH * island.bodies.size
    p = np.empty(many + island.rows.size)
    for m in range(island.blocks.size):
        for i in range(first[m + 1] - first[m]):
            p[:] = 0.0
            push_along(bodies.r, island.place, problem.blocks[island.blocks[m]], i, p)
            respond(bodies, problem.links, island, p)
            row = reached[first[m] + i]
            row[:] = p[:many]
            turn_motion(bodies.r, island, row, 1)


@kernel
def responses_of(problem: Problem) -> Array:
    """What `put_responses` writes; empty for an island without links, whose bodies yield each by itself."""
    island = problem.island
    if island.rows.size == 0:
        return np.empty((0, 0))
    first = directions_of(problem)
    reached = np.empty((first[island.blocks.size], SPEED_WIDTH * island.bodies.size))
    put_responses(problem, first, reached)
    return reached


@kernel
def spread(reached: Array, first: int, impulse: Triple, u: Array) -> None:
    """Add what an impulse along three directions, from the first on, does to the velocities of an island."""
    for k in range(3):
        row = reached[first + k]
        for i in range(u.size):
            u[i] += impulse[k] * row[i]
