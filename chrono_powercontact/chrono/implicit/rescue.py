"""Forces of an island whose solve did not converge: approximate, but they throw nothing.

Velocities of a trial that is far from a solution say nothing, and the forces of the laws there may be far too large.
Sweeps over the contacts, begun without forces, keep velocities and impulses together at every moment. Whatever the
forces are, they may not give the bodies more energy than the contacts stored before the step: else they are lowered.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numba import types

from ...kernel import kernel
from ...laws.normal.normal_table import normal_potential
from ...sealed import sealed
from ..contact.bodies import SPEED_WIDTH
from .blocks import CONTACT, add_wrench
from .impacts.island_impacts import energy_gained
from .island import PROBLEM, VELOCITIES, Problem, free_island, scale_of
from .solvers.large_island import can_be_swept, solve_by_sweeps

Array = Any

FAR = 0.05
"""Relative residual above which an island needs to be rescued."""
CLOSELY = 1e-8
MOST_SWEEPS = 300
"""Change of the velocities by a sweep, relative to the speeds and to what other forces change in the step, at which
sweeps end; and how many there are at the most."""
MOST_HALVINGS = 30
"""How often forces are halved before they are given up."""


@kernel
def scale_forces(problem: Problem, factor: float) -> None:
    """Multiply the forces of all blocks of an island."""
    for e in problem.island.blocks:
        block = problem.blocks[e]
        block.elastic *= factor
        block.load *= factor
        for i in range(3):
            block.force[i] *= factor
            block.moment[i] *= factor


@kernel
def stored_in(problem: Problem) -> float:
    """Energy in J that the contacts of an island store before the step."""
    total = 0.0
    for e in problem.island.blocks:
        block = problem.blocks[e]
        if block.kind == CONTACT:
            material = problem.laws.materials[block.material]
            total += block.weight * normal_potential(material.normal, block.gap + material.offset - block.psi)
    return total


@kernel
def follow_forces(problem: Problem, w: Array) -> None:
    """Velocities w of an island at the end of the step with the forces of its blocks."""
    force = problem.laws.force
    for body in problem.island.bodies:
        for i in range(SPEED_WIDTH * body, SPEED_WIDTH * (body + 1)):
            force[i] = 0.0
    for e in problem.island.blocks:
        add_wrench(problem.blocks[e], problem.bodies.r, 1.0, force)
    free_island(problem.bodies, problem.links, problem.island, force, problem.laws.h, w)


@sealed(types.float64(PROBLEM, VELOCITIES, VELOCITIES, types.float64))
def rescue(problem: Problem, w: Array, free: Array, missing: float) -> float:
    """Forces of an island that did not converge, and its velocities w; returns the relative residual.

    Args:
        free: velocities without our forces. missing: relative residual of the solve.
    """
    if can_be_swept(problem):
        scale = scale_of(problem.bodies, problem.island)
        close = CLOSELY * CLOSELY * scale
        scale_forces(problem, 0.0)
        _, changed = solve_by_sweeps(problem, w, free, close, close, MOST_SWEEPS)
        missing = np.sqrt(changed / scale)
    allowed = stored_in(problem)
    follow_forces(problem, w)
    for _ in range(MOST_HALVINGS):
        if energy_gained(problem, w) <= allowed:
            return missing
        scale_forces(problem, 0.5)
        follow_forces(problem, w)
    scale_forces(problem, 0.0)
    follow_forces(problem, w)
    return missing
