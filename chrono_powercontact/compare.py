"""The same scene under several laws: one table, one picture, one compare.json."""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any

from . import __version__
from .errors import DivergedError, ParameterError, UnknownNameError
from .report.folder import open_folder, write_json
from .runner import execute
from .scenarios import Outcome, Scenario

LONG_RUN = 10_000
"""Fewer steps than this do not tell the cost of one."""


def _warm_up(scenario: Scenario, given: Mapping[str, object]) -> None:
    """Compile what the first model would otherwise be charged for."""
    with suppress(DivergedError):
        execute(scenario, given, "reference")


def compare(
    scenario: Scenario, models: Sequence[str], given: Mapping[str, object], out: str | Path, quiet: bool = True
) -> dict[str, Any]:
    """Run a scenario under each model; returns the contents of compare.json."""
    from .report.figure import save_comparison

    if not scenario.models:
        raise ParameterError(f"scenario {scenario.name!r} has no rivals to compare with")
    chosen = list(models) or list(scenario.models)
    for name in chosen:
        if name not in scenario.models:
            raise UnknownNameError(f"model for {scenario.name}", name, scenario.models)
    folder = open_folder(out)
    outcomes: dict[str, Outcome] = {}
    rows: dict[str, Any] = {}
    _warm_up(scenario, {**given, **scenario.models[chosen[0]]})
    for name in chosen:
        begin = time.perf_counter()
        try:
            run = execute(scenario, {**given, **scenario.models[name]}, "reference", quiet)
        except DivergedError as error:
            rows[name] = {"failed": str(error)}
            continue
        outcomes[name] = run.outcome
        steps = run.outcome.trajectory.steps
        cost = 1e6 * (time.perf_counter() - begin) / steps if steps >= LONG_RUN else None
        rows[name] = {**{key: run.outcome.metrics.get(key) for key in scenario.ranked}, "us_per_step": cost}
    result = {"scenario": scenario.name, "package_version": __version__, "given": dict(given), "models": rows}
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
    return "\n".join(
        "  ".join(cell.ljust(width) for cell, width in zip(line, widths, strict=True)).rstrip() for line in lines
    )
