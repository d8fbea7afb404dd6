"""Runs of the cut block that show what a time-stepping rule does to its energy."""

from __future__ import annotations

import numpy as np

from ...errors import DivergedError
from ...lagrange.nonsmooth.moreau import Moreau, run_implicit_moreau, run_moreau
from ...progress import Progress
from ...trajectory import Trajectory
from .block.block_models import cut_block
from .block.block_statics import LOW, NO_LOAD, RIGID_CUT, sagging
from .hyperstatic_energy import FALLING, RESTING, SETTLING, HyperstaticEnergyParameters


def energy_runs(p: HyperstaticEnergyParameters, progress: Progress) -> Trajectory:
    """All runs, one after the other; the column `run` tells which, `diverged` whether long explicit steps diverge."""
    block = cut_block(NO_LOAD, LOW)
    short = Moreau(step=p.step)
    long = Moreau(step=p.long_step)
    still = np.zeros(6)
    high = np.add(RIGID_CUT, (0.0, 1.0, 0.0, 0.0, 1.0, 0.0))
    runs = [
        run_moreau(block, RIGID_CUT, still, SETTLING, short),
        run_moreau(block, sagging(LOW), still, SETTLING, short),
        run_implicit_moreau(block, sagging(LOW), still, RESTING, long),
        run_moreau(block, high, still, FALLING, short),
        run_implicit_moreau(block, high, still, FALLING, short),
    ]
    progress(1.0)
    diverged = float(explicit_diverges(p.long_step))
    names = ("run", "diverged", *runs[0].names)
    data = []
    for k, run in enumerate(runs):
        ones = np.ones(len(run))
        data.append(np.column_stack([k * ones, diverged * ones, run.data]))
    return Trajectory(names, np.vstack(data), sum(run.steps for run in runs))


def explicit_diverges(step: float) -> bool:
    """Whether Moreau's rule leaves the equilibrium of the cut block with a step in s."""
    try:
        run = run_moreau(cut_block(NO_LOAD, LOW), sagging(LOW), np.zeros(6), 0.2, Moreau(step=step))
    except DivergedError:
        return True
    return bool(np.abs(run["phi1"]).max() > 1.0)
