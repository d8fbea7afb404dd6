"""The same scene under several laws: one table, one picture, one compare.json."""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any

from .. import __version__
from ..chrono.api import bridge as api
from ..chrono.run.surfaces import BUILT_IN
from ..errors import DivergedError, ParameterError, UnknownNameError
from ..report.folder import open_folder, write_json
from ..scenarios.catalogue import every
from ..scenarios.parameters import CHRONO, REFERENCE, Timed
from ..scenarios.scenario import Outcome, Scenario, verdict
from .runner import Run, execute

LONG_RUN = 10_000
"""Fewer steps than this do not show the cost of one, where they were not timed by themselves."""

DOUBLINGS = 12
"""The step is doubled so often at most in search of the largest one that still behaves."""

WARM_UP = 0.01
"""Length in s of a run before the first that counts."""

CHRONO_INTEGRATOR = "euler_implicit_linearized"
"""On Chrono all models run with its default integrator unless another one is set: NSC has no choice."""

RULE = (
    "same geometry, friction and restitution, and a stiffness with which Chrono's own contact goes as deep as the "
    "power law: at rest in slope, slide and stack, in the first impact in drop and cube, at 1 m/s in pendulum; "
    "'-default' keeps the material of Chrono's documentation (E = 2e5 N/m^2, restitution 0.4)"
)
"""How Chrono's own contact is matched."""


def needs_chrono(scenario: Scenario[Any], model: str) -> bool:
    """Whether a model is Chrono's own contact."""
    return scenario.models[model].get("law") in BUILT_IN


def _engine(scenario: Scenario[Any], model: str, chosen: Sequence[str]) -> str:
    """Chrono for its own contact, for our laws beside it, and where there is no other; else the reference engine."""
    if needs_chrono(scenario, model) or REFERENCE not in scenario.engines:
        return CHRONO
    ours = scenario.models[model].get("law", "power") == "power"
    beside = ours and any(needs_chrono(scenario, name) for name in chosen)
    possible = CHRONO in scenario.engines and api.missing() is None
    return CHRONO if beside and possible else REFERENCE


def _settings(scenario: Scenario[Any], model: str, given: Mapping[str, object], engine: str) -> dict[str, object]:
    """The parameters of a model on its engine."""
    settings = {**given, **scenario.models[model]}
    if engine == CHRONO:
        return {"integrator": CHRONO_INTEGRATOR, **settings}
    return {name: value for name, value in settings.items() if name != "integrator"}


def _warm_up(scenario: Scenario[Any], settings: Mapping[str, object], engine: str) -> None:
    """Compile what the first model would otherwise be charged for."""
    short = {"time": WARM_UP} if issubclass(scenario.parameters, Timed) else {}
    with suppress(DivergedError):
        execute(scenario, {**settings, **short}, engine)


def _behaves(scenario: Scenario[Any], outcome: Outcome[Any]) -> bool:
    return verdict(scenario.behaves(outcome.parameters, outcome.metrics)) is True


def largest_step(
    scenario: Scenario[Any], settings: Mapping[str, object], engine: str, first: Outcome[Any]
) -> float | None:
    """Largest step in s, found by doubling, with which a run still behaves; None where the first does not."""
    step = scenario.step(first.parameters)
    if step is None or not _behaves(scenario, first):
        return None
    for _ in range(DOUBLINGS):
        try:
            run = execute(scenario, {**settings, "step": 2.0 * step}, engine)
        except (DivergedError, ParameterError):
            break
        if len(run.outcome.trajectory) < 10 or not _behaves(scenario, run.outcome):
            break
        step *= 2.0
    return step


def _row(scenario: Scenario[Any], run: Run, settings: Mapping[str, object], seconds: float) -> dict[str, Any]:
    """What the table shows of a model."""
    trajectory = run.outcome.trajectory
    cost = trajectory.step_cost
    if cost is None and trajectory.steps >= LONG_RUN:
        cost = 1e6 * seconds / trajectory.steps
    engine = run.summary["engine"]
    return {
        "engine": engine,
        **{key: run.outcome.metrics.get(key) for key in scenario.ranked},
        "us_per_step": cost,
        "largest_step": largest_step(scenario, settings, engine, run.outcome),
    }


def _chosen(scenario: Scenario[Any], models: Sequence[str]) -> list[str]:
    """The models to compare: those asked for, or all that the scenario has."""
    if not scenario.models:
        able = ", ".join(other.name for other in every() if other.models)
        raise ParameterError(f"scenario {scenario.name!r} has no rivals to compare with; those that have are {able}")
    chosen = list(models) or list(scenario.models)
    for name in chosen:
        if name not in scenario.models:
            raise UnknownNameError(f"model for {scenario.name}", name, scenario.models)
    return chosen


def _check_engine(scenario: Scenario[Any], chosen: Sequence[str]) -> None:
    """Raise where PyChrono is missing and no model runs without it."""
    absent = api.missing()
    if absent is not None and all(_engine(scenario, model, chosen) == CHRONO for model in chosen):
        raise api.PyChronoError(absent)


class _Comparison:
    """Runs each model once and keeps rows of the table, curves, and which models are missing."""

    def __init__(self, scenario: Scenario[Any], chosen: Sequence[str], given: Mapping[str, object]) -> None:
        self.scenario = scenario
        self.chosen = chosen
        self.given = given
        self.rows: dict[str, dict[str, Any]] = {}
        self.missing: dict[str, str] = {}
        self.outcomes: dict[str, Outcome[Any]] = {}

    def run(self, model: str, quiet: bool) -> None:
        """Run one model; the first one is not charged for compilation."""
        engine = _engine(self.scenario, model, self.chosen)
        absent = api.missing()
        if engine == CHRONO and absent is not None:
            self.rows[model] = {"engine": "missing"}
            self.missing[model] = absent
            return
        settings = _settings(self.scenario, model, self.given, engine)
        if not self.outcomes:
            _warm_up(self.scenario, settings, engine)
        begin = time.perf_counter()
        try:
            run = execute(self.scenario, settings, engine, quiet)
        except DivergedError as error:
            self.rows[model] = {"engine": engine, "failed": str(error)}
            return
        seconds = time.perf_counter() - begin
        self.outcomes[model] = run.outcome
        self.rows[model] = _row(self.scenario, run, settings, seconds)


def compare(
    scenario: Scenario[Any], models: Sequence[str], given: Mapping[str, object], out: str | Path, quiet: bool = True
) -> dict[str, Any]:
    """Run a scenario under each model; returns the contents of compare.json."""
    from ..report.comparison_page import write_comparison
    from ..report.figure import save_comparison

    chosen = _chosen(scenario, models)
    _check_engine(scenario, chosen)
    folder = open_folder(out)
    result: dict[str, Any] = {"scenario": scenario.name, "package_version": __version__, "given": dict(given)}
    own = scenario.comparison(chosen, given, folder)
    if own is not None:
        write_json(folder / "compare.json", result | own)
        write_comparison(folder, result | own, [])
        return result | own
    comparison = _Comparison(scenario, chosen, given)
    for name in chosen:
        comparison.run(name, quiet)
    result |= {"models": comparison.rows, "missing": comparison.missing}
    if any(needs_chrono(scenario, name) for name in chosen):
        result["rule"] = RULE
    write_json(folder / "compare.json", result)
    found = []
    if comparison.outcomes:
        found = save_comparison(scenario, comparison.outcomes, folder / "compare.png")
    write_comparison(folder, result, found)
    return result


def _cell(value: Any) -> str:
    if isinstance(value, list):
        shown = ", ".join(_cell(item) for item in value[:4])
        return shown + (", ..." if len(value) > 4 else "")
    if isinstance(value, float):
        return f"{value:.5g}"
    return "-" if value is None else str(value)


def _aligned(rows: Sequence[Sequence[str]]) -> list[str]:
    """Rows of cells as lines with columns of equal width."""
    widths = [max(len(row[i]) for row in rows) for i in range(len(rows[0]))]
    return ["  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip() for row in rows]


def table(result: Mapping[str, Any]) -> str:
    """The comparison as text: one line per metric, one column per model."""
    models = result["models"]
    metrics = dict.fromkeys(key for row in models.values() for key in row)
    rows = [["", *models]]
    for metric in metrics:
        rows.append([metric, *(_cell(row.get(metric)) for row in models.values())])
    lines = _aligned(rows)
    lines += [f"{name} is missing: {reason}" for name, reason in result.get("missing", {}).items()]
    if "note" in result:
        lines.append(result["note"])
    if "rule" in result:
        lines.append(f"matched by: {result['rule']}")
    return "\n".join(lines)
