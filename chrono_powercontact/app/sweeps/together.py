"""Runs of a sweep that are one model with other numbers: a compiled parallel loop does many of them at once."""

from __future__ import annotations

import time
from collections.abc import Iterator, Mapping, Sequence
from itertools import groupby
from typing import Any

from ...errors import DivergedError, PowerContactError
from ...scenarios.catalogue import find
from ...scenarios.parameters import REFERENCE
from ...scenarios.scenario import Outcome, ReferenceRun, Scenario
from ..runner import check_steps, choose_engine
from .jobs import DONE, FAILED, Answer

BATCH = 32
"""Runs that are done at once at most; what is finished is kept after each batch."""

RECORDS = 5e8
"""Memory in bytes that the records of a batch may take."""


def can_run_together(name: str, given: Mapping[str, Any], engine: str) -> bool:
    """Whether runs of a scenario on an engine are single runs of one model."""
    scenario = find(name)
    return engine == REFERENCE and scenario.reference_run(choose_engine(scenario, given, engine)[1]) is not None


def run_together(name: str, points: Sequence[Mapping[str, Any]]) -> Iterator[list[Answer]]:
    """What became of the runs of a scenario with some parameters each, batch by batch."""
    scenario = find(name)
    prepared = [_prepared(scenario, point) for point in points]
    for _, group in groupby(prepared, _alike):
        members = list(group)
        length = _batch_length(members[0][1])
        for begin in range(0, len(members), length):
            yield _answers(scenario, members[begin : begin + length])


def _prepared(scenario: Scenario[Any], point: Mapping[str, Any]) -> tuple[Any, ReferenceRun | PowerContactError]:
    """Parameters of a run, and the run or why there is none."""
    _, p = choose_engine(scenario, point, REFERENCE)
    try:
        check_steps(scenario, p)
        run = scenario.reference_run(p)
    except PowerContactError as error:
        return p, error
    return p, run if run is not None else PowerContactError(f"{scenario.name} is no single run with these parameters")


def _alike(prepared: tuple[Any, ReferenceRun | PowerContactError]) -> tuple[Any, ...]:
    """What the runs of an ensemble have in common."""
    run = prepared[1]
    if isinstance(run, PowerContactError):
        return ("refused",)
    arguments = run.system.arguments
    return id(run.system.model), run.step, run.time, run.every, arguments.mode, arguments.points.tobytes()


def _batch_length(run: ReferenceRun | PowerContactError) -> int:
    """Number of such runs in a batch."""
    if isinstance(run, PowerContactError):
        return BATCH
    size = 8.0 * len(run.system.columns) * run.time / run.step / run.every
    return max(min(BATCH, int(RECORDS / size)), 1)


def _answers(
    scenario: Scenario[Any], members: Sequence[tuple[Any, ReferenceRun | PowerContactError]]
) -> list[Answer]:  # fmt: skip
    """What became of the runs of a batch."""
    from ...lagrange.ensemble import run_ensemble

    runs = [run for _, run in members if isinstance(run, ReferenceRun)]
    if len(runs) < len(members):
        return [Answer(FAILED, str(run)) for _, run in members]
    begin = time.perf_counter()
    first = runs[0]
    done = run_ensemble([r.system for r in runs], [r.start for r in runs], first.step, first.time, first.every)
    seconds = (time.perf_counter() - begin) / len(runs)
    answers = []
    for number, (p, _) in enumerate(members):
        try:
            trajectory = done.run(number)
            metrics = scenario.measure(p, trajectory)
            outcome = Outcome(p, trajectory, metrics, scenario.check_on(REFERENCE, p, metrics))
            answers.append(Answer(DONE, "", seconds, outcome.passed, metrics))
        except DivergedError as error:
            answers.append(Answer(FAILED, str(error), seconds))
    return answers
