"""The step of one island: what the other forces and its links do, impacts, and the forces of its blocks."""

from __future__ import annotations

from typing import Any

import numpy as np

from ...kernel import kernel
from ..contact.bodies import SPEED_WIDTH
from .blocks import CONTACT, add_wrench, set_bend
from .impacts.island_impacts import calm_impacts, set_impacts, share_losses
from .island import Island, Problem, free_island, set_island
from .rescue import FAR, rescue
from .solvers.island_newton import solve_island

Array = Any

OUTCOME = np.dtype(
    [
        ("iterations", np.int64), ("residual", np.float64), ("islands", np.int64), ("largest", np.int64),
        ("contacts", np.int64), ("impacts", np.int64), ("missed", np.int64), ("resting", np.int64),
    ]
)  # fmt: skip
"""Outcome of a step: iterations of the slowest island, largest relative residual, number of islands, of blocks and of
impacts, the number of bodies in the largest island, the number of islands that did not converge, and the number of
bodies at rest."""


@kernel
def solve_blocks_of(problem: Problem, ahead: Array, free: Array, told: Any) -> None:
    """Find the forces of the blocks of an island; `ahead` are velocities under the forces of the last step."""
    impacts = set_impacts(problem, free)
    iterations, missing, allowed = solve_island(problem, ahead, free)
    if impacts > 0:
        more, missing, allowed = calm_impacts(problem, ahead, free, missing, allowed)
        iterations += more
    if missing > FAR:
        missing = rescue(problem, ahead, free, missing)
    if impacts > 0:
        share_losses(problem, ahead)
    told.impacts += impacts
    told.iterations = max(told.iterations, iterations)
    told.residual = max(told.residual, missing)
    told.missed += missing > allowed


@kernel
def bend_paths(problem: Problem, free: Array) -> None:
    """Let the gaps of an island with links follow the paths that its links allow."""
    for e in problem.island.blocks:
        if problem.blocks[e].kind == CONTACT:
            set_bend(problem.blocks[e], problem.bodies.r, free, problem.laws.h)


@kernel
def leave_forces(problem: Problem, q: Array) -> None:
    """Add the forces of the blocks of an island to generalised forces."""
    for e in problem.island.blocks:
        add_wrench(problem.blocks[e], problem.bodies.r, 1.0, q)


@kernel
def clear_forces(island: Island, blocks: Array, q: Array) -> None:
    """Clear the generalised forces on the bodies of the blocks of an island."""
    for e in island.blocks:
        for body in (blocks[e].a, blocks[e].b):
            for i in range(SPEED_WIDTH * body, SPEED_WIDTH * (body + 1)):
                q[i] = 0.0


@kernel
def follow_blocks(problem: Problem, nothing: Array, ahead: Array) -> None:
    """Velocities of an island with the forces of its blocks, and the impulses of its link rows; `nothing` is zero."""
    leave_forces(problem, nothing)
    free_island(problem.bodies, problem.links, problem.island, nothing, problem.laws.h, ahead)
    clear_forces(problem.island, problem.blocks, nothing)


@kernel
def solve_linked(problem: Problem, last: Array, nothing: Array, ahead: Array, free: Array, told: Any) -> None:
    """Find the forces of the blocks of an island, from the forces of the last step."""
    links = problem.links
    island = problem.island
    free_island(problem.bodies, links, island, nothing, problem.laws.h, free)
    if island.rows.size > 0:
        bend_paths(problem, free)
    if island.blocks.size > 0:
        free_island(problem.bodies, links, island, last, problem.laws.h, ahead)
        solve_blocks_of(problem, ahead, free, told)
        if island.rows.size > 0:
            follow_blocks(problem, nothing, ahead)
    else:
        set_island(island, free, ahead)
