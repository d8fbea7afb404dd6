"""The whole study: tosses, those to fit on, the fit, the rollouts, the rivals, as one table with a row per toss."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import numpy as np

from ...errors import ParameterError
from ...progress import Progress
from ...trajectory import Trajectory
from .simulated_tosses import simulated_tosses
from .toss_data import Floats, Tosses, read_tosses
from .toss_errors import errors_of
from .toss_fit import FITTED, TossFit, fit_cube, roll_out, values_of
from .toss_rivals import run_rivals
from .toss_start import ballistic_starts

UNSEEN = 0.5
"""Tosses that are simulated to judge the fit, for each that it is made on."""


def study(
    data: str, fit: int, seed: int, free: Sequence[str], most: int | None, rivals: bool, progress: Progress
) -> Trajectory:
    """Fit a cube to some tosses of a file, or of a simulation without one, and roll out all of them."""
    tosses = simulated_tosses(fit + max(round(UNSEEN * fit), 2), seed) if data == "" else read_tosses(Path(data))
    if not 2 <= fit < len(tosses):
        raise ParameterError(f"fit must be at least 2 and leave some of the {len(tosses)} tosses to judge, got {fit}")
    starts = ballistic_starts(tosses, most)
    chosen = np.sort(np.random.default_rng(seed).permutation(len(tosses))[:fit])
    share = 0.5 if rivals else 1.0
    found = fit_cube(tosses, starts, chosen, free, seed, lambda part: progress(share * part))
    tosses, starts = found.tosses, found.starts
    place, quaternion = roll_out(tosses, starts, found.cube)
    errors = errors_of(tosses, place, quaternion)
    table = {
        "toss": np.arange(len(tosses)),
        "fitted": np.isin(np.arange(len(tosses)), chosen),
        "position_error": errors.position,
        "rotation_error": errors.rotation,
        "right_face": errors.right_face,
    }
    if rivals:
        for rival in run_rivals(tosses, starts, chosen, found.cube, lambda part: progress(0.5 + 0.5 * part)):
            table[f"{rival.name}_position_error"] = rival.errors.position
            table[f"{rival.name}_rotation_error"] = rival.errors.rotation
            table[f"{rival.name}_right_face"] = rival.errors.right_face
            table[f"{rival.name}_mu"] = np.full(len(tosses), rival.mu)
            table[f"{rival.name}_restitution"] = np.full(len(tosses), rival.restitution)
    table |= _constants(tosses, found)
    progress(1.0)
    rows = np.column_stack([np.asarray(column, float) for column in table.values()])
    return Trajectory(tuple(table), rows, found.evaluations * int(tosses.first[-1]))


def _constants(tosses: Tosses, found: TossFit) -> dict[str, Floats]:
    """What was found, the same in every row: all values, and the ends of the intervals of the fitted ones."""
    ends = {name: (low, high) for name, low, high in zip(found.names, found.low, found.high, strict=True)}
    values = values_of(found.cube)
    constants = {"gravity": tosses.gravity}
    for name in FITTED:
        constants[name] = values[name]
        constants[f"{name}_low"], constants[f"{name}_high"] = ends.get(name, (values[name], values[name]))
    return {name: np.full(len(tosses), value) for name, value in constants.items()}
