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
from ..scenarios import Outcome, Scenario, every
from .runner import Run, execute

LONG_RUN = 10_000
"""Fewer steps than this do not tell the cost of one, where they were not timed by themselves."""

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


def needs_chrono(scenario: Scenario, model: str) -> bool:
    """Whether a model is Chrono's own contact."""
    return scenario.models[model].get("law") in BUILT_IN


def _engine(scenario: Scenario, model: str, chosen: Sequence[str]) -> str:
    """Chrono for its own contact, and then for our laws beside it; the reference engine for all others."""
    if needs_chrono(scenario, model):
        return "chrono"
    ours = scenario.models[model].get("law", "power") == "power"
    beside = ours and any(needs_chrono(scenario, name) for name in chosen)
    return "chrono" if beside and "chrono" in scenario.engines and api.missing() is None else "reference"


def _settings(scenario: Scenario, model: str, given: Mapping[str, object], engine: str) -> dict[str, object]:
    """The parameters of a model on its engine."""
    settings = {**given, **scenario.models[model]}
    if engine == "chrono":
        return {"integrator": CHRONO_INTEGRATOR, **settings}
    return {name: value for name, value in settings.items() if name != "integrator"}


def _warm_up(scenario: Scenario, settings: Mapping[str, object], engine: str) -> None:
    """Compile what the first model would otherwise be charged for."""
    short = {"time": WARM_UP} if any(parameter.name == "time" for parameter in scenario.parameters) else {}
    with suppress(DivergedError):
        execute(scenario, {**settings, **short}, engine)


def _behaves(scenario: Scenario, outcome: Outcome) -> bool:
    return all(check.passed for check in scenario.behaves(outcome.parameters, outcome.metrics))


def largest_step(scenario: Scenario, settings: Mapping[str, object], engine: str, first: Outcome) -> float | None:
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


def _row(scenario: Scenario, run: Run, settings: Mapping[str, object], seconds: float) -> dict[str, Any]:
    """What the table says of a model."""
    trajectory, cost = run.outcome.trajectory, run.outcome.trajectory.step_cost
    if cost is None and trajectory.steps >= LONG_RUN:
        cost = 1e6 * seconds / trajectory.steps
    return {
        "engine": run.summary["engine"],
        **{key: run.outcome.metrics.get(key) for key in scenario.ranked},
        "us_per_step": cost,
        "largest_step": largest_step(scenario, settings, run.summary["engine"], run.outcome),
    }


def compare(
    scenario: Scenario, models: Sequence[str], given: Mapping[str, object], out: str | Path, quiet: bool = True
) -> dict[str, Any]:
    """Run a scenario under each model; returns the contents of compare.json."""
    from ..report.figure import save_comparison

    if not scenario.models:
        able = ", ".join(other.name for other in every() if other.models)
        raise ParameterError(f"scenario {scenario.name!r} has no rivals to compare with; those that have are {able}")
    chosen = list(models) or list(scenario.models)
    for name in chosen:
        if name not in scenario.models:
            raise UnknownNameError(f"model for {scenario.name}", name, scenario.models)
    folder = open_folder(out)
    outcomes: dict[str, Outcome] = {}
    result: dict[str, Any] = {"scenario": scenario.name, "package_version": __version__, "given": dict(given)}
    own = scenario.comparison(chosen, given, folder)
    if own is not None:
        write_json(folder / "compare.json", result | own)
        return result | own
    rows: dict[str, Any] = {}
    missing: dict[str, str] = {}
    for name in chosen:
        engine, absent = _engine(scenario, name, chosen), api.missing()
        if engine == "chrono" and absent is not None:
            rows[name], missing[name] = {"engine": "missing"}, absent
            continue
        settings = _settings(scenario, name, given, engine)
        if not outcomes:
            _warm_up(scenario, settings, engine)
        begin = time.perf_counter()
        try:
            run = execute(scenario, settings, engine, quiet)
        except DivergedError as error:
            rows[name] = {"engine": engine, "failed": str(error)}
            continue
        outcomes[name] = run.outcome
        rows[name] = _row(scenario, run, settings, time.perf_counter() - begin)
    result |= {"models": rows, "missing": missing}
    if any(needs_chrono(scenario, name) for name in chosen):
        result["rule"] = RULE
    write_json(folder / "compare.json", result)
    if outcomes:
        save_comparison(scenario, outcomes, folder / "compare.png")
    return result


def _cell(value: Any) -> str:
    if isinstance(value, list):
        shown = ", ".join(_cell(item) for item in value[:4])
        return shown + (", ..." if len(value) > 4 else "")
    if isinstance(value, float):
        return f"{value:.5g}"
    return "-" if value is None else str(value)


def table(result: Mapping[str, Any]) -> str:
    """The comparison as text: one line per metric, one column per model."""
    models = result["models"]
    metrics = [key for row in models.values() for key in row]
    lines = [["", *models]]
    for metric in dict.fromkeys(metrics):
        lines.append([metric, *(_cell(row.get(metric)) for row in models.values())])
    widths = [max(len(line[i]) for line in lines) for i in range(len(lines[0]))]
    shown = ["  ".join(cell.ljust(width) for cell, width in zip(line, widths, strict=True)).rstrip() for line in lines]
    shown += [f"{name} is missing: {reason}" for name, reason in result.get("missing", {}).items()]
    shown += [result["note"]] if "note" in result else []
    return "\n".join(shown + ([f"matched by: {result['rule']}"] if "rule" in result else []))
