"""Runs scenarios: chooses the engine, shows progress, warns, writes the run folder, checks the claim."""

from __future__ import annotations

import sys
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from .. import __version__
from ..chrono.api import bridge as api
from ..errors import DivergedError, ParameterError, PowerContactError, UnknownNameError
from ..kernel import is_compiled
from ..progress import progress_bar
from ..report.folder import CHARTS, open_folder, write_compact, write_json, write_trajectory
from ..report.summary import Summary
from ..scenarios.parameters import CHRONO, REFERENCE, P, read_parameters
from ..scenarios.scenario import Outcome, Scenario, StepLimit
from ..view.recording import FILE as SCENE

ENGINES = ("auto", REFERENCE, CHRONO)

KERNELS = {REFERENCE: "lagrange", CHRONO: "chrono"}
"""Subpackage with the kernels of each engine."""

MOST_STEPS = 2e7
"""A run takes no more steps than this: where each is recorded they fill some GB."""

FINEST = 0.01
"""Least step over the default one, where the length of a run is not known before."""


@dataclass(frozen=True)
class Run:
    """A finished run: what it gave, the contents of its summary.json, and what the user should know."""

    outcome: Outcome[Any]
    summary: Summary
    warnings: list[str]


def _on_reference(scenario: Scenario[P], given: Mapping[str, object], because: str = "") -> P:
    """Parameters of a run on the reference engine."""
    if "integrator" in given:
        raise ParameterError(
            f"parameter integrator chooses among Chrono's integrators, and this run is on the reference engine{because}"
        )
    return read_parameters(scenario.parameters, given)


def choose_engine(scenario: Scenario[P], given: Mapping[str, object], target: str) -> tuple[str, P]:
    """The engine that will run, and its parameters.

    Args:
        scenario: what is run.
        given: values or texts of parameters by name.
        target: an engine, or "auto": Chrono where it is installed and can run the scenario.
    """
    if target not in ENGINES:
        raise UnknownNameError("engine", target, ENGINES)
    if target == REFERENCE:
        if REFERENCE not in scenario.engines:
            raise ParameterError(f"scenario {scenario.name!r} runs on Chrono only: use --engine chrono")
        return REFERENCE, _on_reference(scenario, given)
    obstacle: str | None = f"scenario {scenario.name!r} has no Chrono scene"
    if CHRONO in scenario.engines:
        p = read_parameters(scenario.parameters_on(CHRONO), given)
        if "integrator" not in given:
            p = scenario.fit_to_step(p)
        obstacle = scenario.not_on_chrono(p) or api.missing()
        if obstacle is None:
            return CHRONO, p
    if target == CHRONO or REFERENCE not in scenario.engines:
        raise ParameterError(f"{obstacle}")
    return REFERENCE, _on_reference(scenario, given, f": {obstacle}")


def check_steps(scenario: Scenario[P], p: P) -> None:
    """Refuse a step with which a run would take more than MOST_STEPS."""
    step = scenario.step(p)
    length = scenario.time(p)
    if step is None:
        return
    if length is not None and not length / step <= MOST_STEPS:
        raise ParameterError(
            f"step must be at least {length / MOST_STEPS:g} s for a run of {length:g} s, got {step:g} s: "
            f"it would take {length / step:.3g} steps, at most {MOST_STEPS:g} are allowed"
        )
    usual = scenario.step(read_parameters(scenario.parameters, {}))
    if length is None and usual is not None and step < FINEST * usual:
        raise ParameterError(f"step must be at least {FINEST * usual:g} s in {scenario.name}, got {step:g} s")


def exceeded_limit(scenario: Scenario[P], engine: str, p: P) -> StepLimit | None:
    """The limit of the step on an engine, where a run exceeds it."""
    limit = scenario.step_limit(engine, p)
    step = scenario.step(p)
    return limit if limit is not None and step is not None and step > limit.step else None


def execute(
    scenario: Scenario[P], given: Mapping[str, object], engine: str = "auto", quiet: bool = True,
    sensitivities: Sequence[str] = (),
) -> Run:  # fmt: skip
    """Run a scenario with some parameters set; for `sensitivities` see `Scenario.run`."""
    used, p = choose_engine(scenario, given, engine)
    check_steps(scenario, p)
    if not quiet and used == REFERENCE and not is_compiled(KERNELS[REFERENCE]):
        print("compiling the reference engine (once; up to three minutes)", file=sys.stderr, flush=True)
    warnings = []
    beyond = exceeded_limit(scenario, used, p)
    if beyond is not None:
        warnings.append(f"step {scenario.step(p):g} s is beyond {beyond}")
    begin = time.perf_counter()
    try:
        with progress_bar(scenario.name, quiet) as show:
            outcome = scenario.run(p, show, used, sensitivities)
    except DivergedError as error:
        if beyond is None:
            raise
        raise DivergedError(f"{error} (the largest stable one is {beyond.step:.3g} s)", error.trajectory) from None
    seconds = time.perf_counter() - begin
    return Run(outcome, summarise(scenario, used, outcome, seconds, warnings), warnings)


def summarise(scenario: Scenario[P], engine: str, outcome: Outcome[P], seconds: float, warnings: list[str]) -> Summary:
    """The contents of summary.json for a run that took so many seconds."""
    summary: Summary = {
        "scenario": scenario.name,
        "engine": engine,
        "engine_version": api.version() if engine == CHRONO else __version__,
        "package_version": __version__,
        "claim": scenario.claim,
        "passed": outcome.passed,
        "params": scenario.parameters_on(engine).values(outcome.parameters),
        "metrics": outcome.metrics,
        "wall_time": seconds,
        "steps": outcome.trajectory.steps,
        "checks": [{"text": check.text, "passed": check.passed} for check in outcome.checks],
        "warnings": warnings,
    }
    if outcome.sensitivities is not None:
        summary["sensitivities"] = {
            "method": outcome.sensitivities.method,
            "by": list(outcome.sensitivities.by),
            "metrics": outcome.sensitivities.metrics,
        }
    return summary


def write_run(scenario: Scenario[Any], run: Run, folder: Path, animation: bool = True, rows: int | None = None) -> None:
    """Write the run folder, with at most so many rows of the trajectory."""
    from ..report.figure import save_animation, save_plot

    write_json(folder / "summary.json", run.summary)
    write_json(folder / "params.json", run.summary["params"])
    write_trajectory(folder, run.outcome.trajectory, rows)
    for name, text in scenario.documents(run.outcome).items():
        (folder / name).write_text(text, encoding="utf-8")
    write_compact(folder / CHARTS, save_plot(scenario, run.outcome, folder / "plot.png"))
    scene = scenario.scene(run.outcome)
    if scene is not None:
        scene.save(folder / SCENE)
    if animation:
        save_animation(scenario, run.outcome, folder / "animation.gif")


def run_into(
    scenario: Scenario[Any], given: Mapping[str, object], out: str | Path, engine: str = "auto", quiet: bool = True,
    rows: int | None = None, sensitivities: Sequence[str] = (),
) -> Run:  # fmt: skip
    """Run a scenario and write its folder; a run that diverges leaves what it recorded there, a refused one nothing.

    The trajectory keeps at most so many rows, evenly spread.
    """
    is_new = not Path(out).exists()
    folder = open_folder(out)
    try:
        run = execute(scenario, given, engine, quiet, sensitivities)
    except DivergedError as error:
        if error.trajectory is None:
            raise
        kept = write_trajectory(folder, error.trajectory)  # type: ignore[arg-type]
        raise DivergedError(f"{error}; the records until then are in {kept}", error.trajectory) from None
    except PowerContactError:
        if is_new:
            folder.rmdir()
        raise
    write_run(scenario, run, folder, rows=rows)
    return run
