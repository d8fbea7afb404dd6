"""Runs of the block on the reference engine: rigid, cut in two, or under force laws."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from ....lagrange.nonsmooth.moreau import Moreau, run_moreau
from ....progress import Progress
from ....trajectory import Trajectory
from .block_models import cut_block, rigid_block
from .block_statics import FORCE_LAWS, HEIGHT, MASS, REST, WIDTH, sagging, spring_compliance
from .smooth_block import foot, resting_state, run_smooth, smooth_block

if TYPE_CHECKING:
    from ..hyperstatic_block import HyperstaticBlockParameters

RESOLVED = 0.388
"""Step times the highest frequency of the cut that its springs may have."""

RECORDED = 1e-5
"""Time in s between two records of the cut block, whose feet slip one after the other."""


def run_block(p: HyperstaticBlockParameters, progress: Progress) -> Trajectory:
    """The block under the law, model and strategy of the parameters."""
    if p.law in FORCE_LAWS:
        system = smooth_block(p.pull(), {"A": foot(p.law, p.mu_a), "B": foot(p.law, p.mu_b)})
        return run_smooth(system, resting_state(system), p.time, progress)
    return two_body_run(p, progress) if p.model == "two" else one_body_run(p, progress)


def one_body_run(p: HyperstaticBlockParameters, progress: Progress) -> Trajectory:
    """The rigid block by Moreau's rule."""
    compliance, bias = spring_compliance(p.springs())
    how = Moreau(
        step=p.step, strategy=p.strategy, outer=p.outer, project=True, selected=("x",), compliance=compliance, bias=bias
    )
    rigid = rigid_block(p.pull(), p.mu_a, p.mu_b)
    run = run_moreau(rigid, REST, (0.0, 0.0, 0.0), p.time, how, max(round(1e-4 / p.step), 1), progress)
    turn = run["phi"]
    x = run["x"] - 0.5 * WIDTH * np.cos(turn) + 0.5 * HEIGHT * np.sin(turn)
    return with_foot(run, x, run["x_dot"] + 0.5 * HEIGHT * run["phi_dot"])


def two_body_run(p: HyperstaticBlockParameters, progress: Progress) -> Trajectory:
    """The cut block, with steps that resolve its springs."""
    springs = p.springs()
    inertia = 0.5 * (0.5 * MASS * (0.25 * WIDTH**2 + HEIGHT**2) / 12.0)
    fastest = math.sqrt(max(springs.c_r / inertia, springs.c_t / (0.25 * MASS) * 4.0))
    parts = max(math.ceil(p.step * fastest / RESOLVED - 1e-6), 1)
    how = Moreau(step=p.step / parts, outer=p.outer)
    start = sagging(springs)
    every = max(round(RECORDED / how.step), 1)
    run = run_moreau(cut_block(p.pull(), springs, p.mu_a, p.mu_b), start, np.zeros(6), p.time, how, every, progress)
    turn = run["phi1"]
    x = run["x1"] - 0.25 * WIDTH * np.cos(turn) + 0.5 * HEIGHT * np.sin(turn)
    return with_foot(run, x, run["x1_dot"] + 0.5 * HEIGHT * run["phi1_dot"])


def with_foot(run: Trajectory, position: np.ndarray, speed: np.ndarray) -> Trajectory:
    """A run with the displacement of foot A in m and its speed in m/s."""
    data = np.column_stack([run.data, position - position[0], speed])
    return replace(run, names=(*run.names, "foot", "foot_dot"), data=data)
