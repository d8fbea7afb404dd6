"""A scenario in the browser whose parameters can be changed while it is played: each change is run at once."""

from __future__ import annotations

import sys
import time
from collections.abc import Mapping
from typing import Any

from ..errors import ParameterError, PowerContactError
from ..scenarios.catalogue import find
from ..scenarios.parameters import REFERENCE, Parameter
from ..scenarios.scenario import Scenario
from ..view.dials import Dial, Value
from ..view.recording import Recording, needing_viser
from .runner import Run, execute

LEFT_OUT = ("step", "time", "integrator")
"""Parameters that have no dial: they change the computation, not the system."""

WIDER = 3.0
"""The largest value of a dial without a limit of its own, over the present value."""

VERDICTS = {True: "the claim holds", False: "the claim does not hold", None: "the claim is not judged"}


def dial_of(parameter: Parameter, value: Any) -> Dial | None:
    """The dial of a parameter at a value; None where it has none."""
    if parameter.name in LEFT_OUT or (isinstance(value, str) and not parameter.choices):
        return None
    label = f"{parameter.name} in {parameter.unit}" if parameter.unit else parameter.name
    if isinstance(value, bool | str):
        return Dial(parameter.name, label, value, choices=parameter.choices, hint=parameter.help)
    low, high = dial_range(parameter, float(value))
    return Dial(parameter.name, label, value, low, high, hint=parameter.help)


def dial_range(parameter: Parameter, value: float) -> tuple[float, float]:
    """Least and largest value of a dial: the limits of the parameter, else some way on either side of the value."""
    away = (WIDER - 1.0) * (abs(value) or 1.0)
    high = value + away if parameter.maximum is None else parameter.maximum
    if parameter.minimum is not None:
        return parameter.minimum, high
    if parameter.above is not None:
        return parameter.above + min(0.02 * (high - parameter.above), value - parameter.above), high
    return value - away, high


def scene_of_run(scenario: Scenario[Any], run: Run) -> Recording:
    """The moving scene of a run; raises where it has none."""
    scene = scenario.scene(run.outcome)
    if scene is None:
        raise ParameterError(f"scenario {scenario.name!r} has no scene to view: its rows are no moving bodies")
    return scene


def quick_engine(scenario: Scenario[Any], given: Mapping[str, object], engine: str) -> str:
    """The engine of a live run; "auto" is the reference engine where that knows the parameters: it answers sooner."""
    if engine != "auto" or REFERENCE not in scenario.engines:
        return engine
    known = {parameter.name for parameter in scenario.parameters_on(REFERENCE)}
    return REFERENCE if known.issuperset(given) else engine


class LiveRun:
    """A scenario on a server of viser's."""

    def __init__(self, running: Any, scenario: Scenario[Any], given: Mapping[str, object], engine: str) -> None:
        """Run it once and show it."""
        self._scenario = scenario
        self._given = dict(given)
        run = execute(scenario, given, quick_engine(scenario, given, engine))
        self._engine = run.summary["engine"]
        self.player = needing_viser("player").Player(running, scene_of_run(scenario, run))
        known = scenario.parameters_on(self._engine)
        dials = (dial_of(parameter, getattr(run.outcome.parameters, parameter.name)) for parameter in known)
        self.dials = needing_viser("dials").Dials(running, [dial for dial in dials if dial is not None])
        self._start = self.dials.values()
        self._tell(run)

    def advance(self, seconds: float) -> None:
        """Let real time pass; a parameter that was changed is run, and the scene goes on at the same instant."""
        if self.dials.changed():
            self._run_again()
        self.player.advance(seconds)

    def _run_again(self) -> None:
        self.dials.tell("computing ...")
        try:
            run = execute(self._scenario, self._given | self._turned(), self._engine)
            self.player.change(scene_of_run(self._scenario, run))
        except PowerContactError as error:
            self.dials.tell(str(error))
            return
        self._tell(run)

    def _turned(self) -> dict[str, Value]:
        """Parameters that differ from those at the start."""
        return {name: value for name, value in self.dials.values().items() if value != self._start[name]}

    def _tell(self, run: Run) -> None:
        seconds = run.summary["wall_time"]
        words = f"{VERDICTS[run.summary['passed']]}; computed in {seconds:.2g} s on the {self._engine} engine"
        self.dials.tell("; ".join([words, *run.warnings]))


def watch_live(
    name: str, given: Mapping[str, object], engine: str = "auto", port: int | None = None, browser: bool = True
) -> None:
    """Show the scenario of a name in the browser, with dials for its parameters, until Ctrl-C; only on 127.0.0.1."""
    scenario = find(name)
    player = needing_viser("player")
    with needing_viser("viewer").server(port, scenario.name) as running:
        live = LiveRun(running, scenario, given, engine)
        player.tell_address(running.get_port(), browser)
        try:
            while True:
                time.sleep(player.TICK)
                live.advance(player.TICK)
        except KeyboardInterrupt:
            print("stopped", file=sys.stderr)
