"""What summary.json holds: the contract between a run and all that read it."""

from __future__ import annotations

from typing import Any, TypedDict


class CheckSummary(TypedDict):
    """One part of a claim: what was compared, and whether it holds."""

    text: str
    passed: bool


class Added(TypedDict, total=False):
    """What only some runs have.

    Attributes:
        sensitivities: of a run with derivatives: their `method`, the parameters (`by`), and `metrics`, the derivative
            of each metric by each parameter.
    """

    sensitivities: dict[str, Any]


class Summary(Added):
    """The contents of summary.json.

    Attributes:
        scenario: its name.
        engine: "reference" or "chrono".
        engine_version: of the engine.
        package_version: of this package.
        claim: of the scenario, in one sentence.
        passed: whether every part of the claim holds; None (null) where no part of it could be judged.
        params: values as used, by name.
        metrics: figures of the run, by name.
        wall_time: of the run in s.
        steps: integration steps taken.
        checks: the claim, part by part.
        warnings: what the user should know.
    """

    scenario: str
    engine: str
    engine_version: str
    package_version: str
    claim: str
    passed: bool | None
    params: dict[str, Any]
    metrics: dict[str, Any]
    wall_time: float
    steps: int
    checks: list[CheckSummary]
    warnings: list[str]
