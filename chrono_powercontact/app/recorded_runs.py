"""Recorded runs: one small JSON file per Chrono scenario, with which runs of both engines are compared."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from ..errors import ParameterError
from ..report.folder import open_folder, plain
from ..scenarios.catalogue import every, find
from ..scenarios.parameters import CHRONO, REFERENCE
from .runner import Run, execute

if TYPE_CHECKING:
    from ..scenarios.scenario import Scenario
    from ..trajectory import Trajectory

SAMPLES = 200
"""Samples of a trajectory that are kept, evenly among its records."""

DIGITS = 12
"""Significant digits of a sample."""

TIMES = ("step_cost", "real_time_factor")
"""Metrics that depend on the machine and its load: they are not kept."""


@dataclass(frozen=True)
class Record:
    """A run that was recorded earlier.

    Attributes:
        scenario: its name.
        params: parameters as used, the integrator too.
        versions: of package and engine.
        metrics: as in summary.json.
        columns: samples of the trajectory, by name.
    """

    scenario: str
    params: dict[str, Any]
    versions: dict[str, str]
    metrics: dict[str, Any]
    columns: dict[str, NDArray[np.float64]]

    @property
    def given(self) -> dict[str, Any]:
        """The parameters that any engine takes."""
        return {name: value for name, value in self.params.items() if name != "integrator"}

    def differences(self, run: Trajectory, until: float = np.inf) -> dict[str, float]:
        """Largest difference of each column to another run up to a time in s, over the span of the column."""
        t = self.columns["t"]
        early = t <= until
        found = {}
        for name in (name for name in self.columns if name in run.names and name != "t"):
            own = self.columns[name]
            other = np.interp(t[early], run["t"], run[name])
            span = max(float(np.ptp(own)), float(np.abs(own).max()), 1e-12)
            found[name] = float(np.abs(own[early] - other).max()) / span
        return found


def chrono_names() -> list[str]:
    """Scenarios that have a Chrono scene and a course in time."""
    both = (scenario for scenario in every() if {CHRONO, REFERENCE} <= set(scenario.engines))
    return [scenario.name for scenario in both if scenario.in_time]


def runs_of(scenario: Scenario[Any]) -> dict[str, dict[str, Any]]:
    """Parameters of the recorded runs of a scenario, by name."""
    further = {f"{scenario.name}_{word}": given for word, given in scenario.also_recorded.items()}
    return {scenario.name: scenario.recorded_with, **further}


def samples(trajectory: Trajectory, names: Sequence[str]) -> dict[str, list[float]]:
    """Some columns at SAMPLES evenly spread records."""
    rows = np.unique(np.linspace(0, len(trajectory) - 1, SAMPLES).astype(int))
    return {name: [float(f"{x:.{DIGITS}g}") for x in trajectory[name][rows]] for name in names}


def content(run: Run, columns: Sequence[str]) -> dict[str, Any]:
    """A run as it is written; the same run gives the same file."""
    summary = run.summary
    names = ("t", *columns) if columns else run.outcome.trajectory.names
    return {
        "scenario": summary["scenario"],
        "engine": summary["engine"],
        "engine_version": summary["engine_version"],
        "package_version": summary["package_version"],
        "params": summary["params"],
        "metrics": {key: value for key, value in summary["metrics"].items() if key not in TIMES},
        "steps": summary["steps"],
        "columns": samples(run.outcome.trajectory, names),
    }


def _lines(part: Mapping[str, Any], indent: str) -> str:
    """JSON with a line for each entry."""
    return ",\n".join(f"{indent}{json.dumps(key)}: {json.dumps(plain(value))}" for key, value in part.items())


def as_text(data: Mapping[str, Any]) -> str:
    """JSON with a line for each entry and each column, so that a change can be read."""
    head = {key: value for key, value in data.items() if key != "columns"}
    return "{\n" + _lines(head, " ") + ',\n "columns": {\n' + _lines(data["columns"], "  ") + "\n }\n}\n"


def record(names: Sequence[str], out: str | Path, quiet: bool = True) -> list[Path]:
    """Run scenarios on Chrono and write chrono_NAME.json for each; all that have a Chrono scene unless named.

    Further runs of a scenario are written to chrono_NAME_WORD.json.
    """
    scenarios = [find(name) for name in names or chrono_names()]
    for scenario in scenarios:
        if "chrono" not in scenario.engines or not scenario.in_time:
            known = ", ".join(chrono_names())
            raise ParameterError(f"scenario {scenario.name!r} has no Chrono scene to record; these have one: {known}")
    folder = open_folder(out)
    paths = []
    for scenario in scenarios:
        for name, given in runs_of(scenario).items():
            run = execute(scenario, given, "chrono", quiet)
            path = folder / f"chrono_{name}.json"
            path.write_text(as_text(content(run, scenario.recorded)), encoding="utf-8")
            paths.append(path)
    return paths


def read(path: str | Path) -> Record:
    """A record from its file."""
    data: Mapping[str, Any] = json.loads(Path(path).read_text(encoding="utf-8"))
    versions = {key: data[key] for key in ("package_version", "engine_version")}
    columns = {name: np.array(values, float) for name, values in data["columns"].items()}
    return Record(data["scenario"], dict(data["params"]), versions, dict(data["metrics"]), columns)
