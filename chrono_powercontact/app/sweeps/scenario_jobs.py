"""Runs of a scenario in a sweep; apart from those of functions, whose processes then start without the engines."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from ... import __version__
from ...errors import ParameterError
from ...scenarios.catalogue import find
from ..runner import choose_engine, execute
from .jobs import Config, FunctionSource, Source, pack
from .together import can_run_together


@dataclass(frozen=True)
class ScenarioJob:
    """A run of a scenario."""

    name: str
    given: Mapping[str, Any]
    engine: str

    def __call__(self) -> tuple[bool | None, Mapping[str, Any]]:
        """Run; returns the verdict on the claim and the metrics."""
        summary = execute(find(self.name), self.given, self.engine).summary
        return summary["passed"], summary["metrics"]


@dataclass(frozen=True)
class ScenarioSource:
    """Runs of a scenario on one engine, with parameters that all of them share."""

    name: str
    given: Mapping[str, Any]
    engine: str

    @property
    def identity(self) -> dict[str, Any]:
        """By which its runs are known, besides their parameters."""
        return {"scenario": self.name, "engine": self.engine, "given": dict(self.given), "version": __version__}

    def job(self, point: Mapping[str, Any]) -> ScenarioJob:
        """The run with some values of the swept parameters."""
        return ScenarioJob(self.name, {**self.given, **point}, self.engine)

    def can_run_together(self, point: Mapping[str, Any]) -> bool:
        """Whether its runs can be done in one compiled loop."""
        return can_run_together(self.name, {**self.given, **point}, self.engine)

    def check(self, point: Mapping[str, Any]) -> None:
        """Raise where a parameter is unknown or out of range."""
        choose_engine(find(self.name), {**self.given, **point}, self.engine)


def source_of(what: str | Config, given: Mapping[str, Any], engine: str, isolated: bool = True) -> Source:
    """What a sweep runs: a scenario by its name on an engine, or a function, which is packed if it has to travel."""
    if isinstance(what, str):
        return ScenarioSource(what, given, engine)
    if not callable(what):
        raise ParameterError(f"a sweep runs a scenario by its name or a function, got {type(what).__name__}")
    return FunctionSource(what, given, pack(what) if isolated else None)
