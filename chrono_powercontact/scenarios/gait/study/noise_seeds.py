"""Several observers over seeds, plants and both exercises: one table of mean and spread, one picture per exercise."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from ....chrono.api import bridge as api
from ....report.style import RC
from ...parameters import read_parameters
from ...scenario import Scenario
from .experiment import PLANTS

if TYPE_CHECKING:
    from ....trajectory import Trajectory

SEEDS = 5

STUDIED = ("rms_phi", "rms_s", "rms_omega", "rms_v", "max_omega_error", "rms_net_torque", "rms_net_force",
           "standstill_rms_omega", "standstill_rms_v", "nis_mean", "nees_mean", "update_time")  # fmt: skip


def _axes_of(given: Mapping[str, object]) -> tuple[list[object], list[object], list[object], dict[str, str]]:
    """Exercises, plants and seeds to go through, those given alone; and why a plant is missing."""
    exercises: list[object] = [given["scenario"]] if "scenario" in given else [1, 2]
    plants: list[object] = [given["plant"]] if "plant" in given else list(PLANTS)
    seeds: list[object] = [given["seed"]] if "seed" in given else list(range(1, SEEDS + 1))
    absent = api.missing()
    if absent is None or "plant" in given:
        return exercises, plants, seeds, {}
    return exercises, [name for name in plants if name != "chrono"], seeds, {"plant chrono": absent}


def study(scenario: Scenario, models: Sequence[str], given: Mapping[str, object], folder: Path) -> dict[str, Any]:
    """Run every model over exercises, plants and seeds; returns rows by model with [mean, spread] of each metric."""
    exercises, plants, seeds, missing = _axes_of(given)
    rows: dict[str, dict[str, Any]] = {name: {"engine": "reference"} for name in models}
    for exercise in exercises:
        shown: dict[str, Trajectory] = {}
        for plant in plants:
            for name in models:
                found, run = _repeat(scenario, {**given, "scenario": exercise, "plant": plant, "stage": name}, seeds)
                shown.setdefault(name, run)
                rows[name] |= {f"{exercise} {plant} {key}": value for key, value in found.items()}
        _save(shown, folder / f"compare_{exercise}.png", f"exercise {exercise} on the plant {plants[0]}")
    note = f"[mean, spread] over {len(seeds)} seeds, by exercise and plant"
    return {"models": rows, "missing": missing, "note": note}


def _repeat(
    scenario: Scenario, settings: Mapping[str, object], seeds: Sequence[object]
) -> tuple[dict[str, list[float]], Trajectory]:
    """Mean and standard deviation of each metric over the seeds, and the run of the first."""
    outcomes = [scenario.run(read_parameters(scenario.parameters, {**settings, "seed": seed})) for seed in seeds]
    table = np.array([[outcome.metrics[key] for key in STUDIED] for outcome in outcomes])
    spread = table.std(axis=0, ddof=1) if len(table) > 1 else 0.0 * table[0]
    found = {key: [float(m), float(d)] for key, m, d in zip(STUDIED, table.mean(axis=0), spread, strict=True)}
    return found, outcomes[0].trajectory


def _save(shown: Mapping[str, Trajectory], path: Path, title: str) -> None:
    import matplotlib as mpl
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.figure import Figure

    from .observer_pictures import draw_observers

    with mpl.rc_context(RC):
        figure = Figure(figsize=(11.0, 13.0))
        FigureCanvasAgg(figure)
        draw_observers(figure, shown)
        figure.suptitle(title, fontsize=11)
        figure.savefig(path, dpi=100)
