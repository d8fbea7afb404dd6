"""The worked examples of the lecture notes: equations from energies, the motion judged by Newton's laws."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, ClassVar

import numpy as np

from ...report.style import energy_panel, panel
from ..parameters import CHRONO, REFERENCE, Timed, choice, number
from ..scenario import Check, Metrics, Outcome, Scenario, StepLimit, below, within
from ..timing import RECORDS
from .example_pictures import equations_panel
from .newton_laws import BALANCES, slope_at_start
from .worked_examples import EXAMPLES, Example

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from ...progress import Progress
    from ...trajectory import Trajectory

BALANCED = {REFERENCE: 1e-6, CHRONO: 1e-4}
"""Largest relative error of a balance."""
WOBBLE = 1e-4
"""The same for the disc, whose closed form is linearised."""
ENERGY = {REFERENCE: 1e-8, CHRONO: 1e-4}
"""Largest error of the ledger over the largest kinetic energy."""
START = 1e-3
"""Largest relative difference of the accelerations at the start from our digest's."""
NOISE = {REFERENCE: 0.0, CHRONO: 1e-3}
"""Noise of accelerations in m/s^2 or rad/s^2: Chrono's Runge-Kutta differentiates constraints twice over 1e-6 s."""


@dataclass(frozen=True)
class ExampleParameters(Timed):
    """Which example, and how it is run."""

    which: str = choice("two_link_arm", "worked example", tuple(EXAMPLES))
    time: float = number(0.0, "length of the run; 0 takes the example's own", "s", minimum=0.0)
    step: float = number(0.0, "integration step; 0 takes the example's own", "s", minimum=0.0)
    inherited: ClassVar[None]

    @property
    def example(self) -> Example:
        """The example with its numbers."""
        return EXAMPLES[self.which]

    def length(self) -> float:
        """Length of the run in s."""
        return self.time or self.example.time

    def increment(self) -> float:
        """Integration step in s."""
        return self.step or self.example.step


class LagrangeExample(Scenario[ExampleParameters]):
    """M, C and g are derived, printed as LaTeX into the run folder, and integrated."""

    name = "lagrange_example"
    claim = (
        "The equations that follow from the energies of a worked example move it as Newton's laws or its closed form "
        "say, and keep its energy."
    )
    source = "lecture notes, examples 3.1 to 3.4, exercise 3.10, (3.47)"
    parameters = ExampleParameters
    engines = (CHRONO, REFERENCE)

    def step(self, p: ExampleParameters) -> float:
        return p.increment()

    def time(self, p: ExampleParameters) -> float:
        return p.length()

    def simulate(self, p: ExampleParameters, progress: Progress) -> Trajectory:
        from ...lagrange.runs import run_rk4

        system = p.example.system()
        every = max(round(p.length() / p.increment() / RECORDS), 1)
        return run_rk4(system, system.state(p.example.q, p.example.u), p.increment(), p.length(), every, progress)

    def not_on_chrono(self, p: ExampleParameters) -> str | None:
        if p.example.on_chrono:
            return None
        return f"the example {p.which!r} has a constraint on velocities, and Chrono has no joint for it"

    def step_limit(self, engine: str, p: ExampleParameters) -> StepLimit | None:
        if engine != CHRONO:
            return super().step_limit(engine, p)
        why = "the acceleration at the start is read from the first steps"
        return StepLimit(p.example.step, "the step of the example", why)

    def fit_to_step(self, p: ExampleParameters) -> ExampleParameters:
        return replace(p, integrator=p.example.integrator)

    def simulate_chrono(self, p: ExampleParameters, progress: Progress) -> Trajectory:
        from .example_chrono import run_on_chrono

        return run_on_chrono(p, progress)

    def measure(self, p: ExampleParameters, trajectory: Trajectory) -> Metrics:
        run = trajectory
        example = p.example
        names = [c for c in run.names if c.endswith("_dot")][: len(example.accelerations)]
        balance = BALANCES[p.which][1](example, run)
        return {
            "balance_error": balance if math.isfinite(balance) else None,
            "ledger_error": float(np.abs(run.ledger_error).max() / run["kinetic"].max()),
            "accelerations": [slope_at_start(run["t"], run[name]) for name in names],
            "digest_accelerations": list(example.accelerations),
            "end": [float(run[name][-1]) for name in run.names[1 : 1 + len(example.q)]],
        } | self.own_figures(p, run)

    def own_figures(self, p: ExampleParameters, run: Trajectory) -> Metrics:
        """Figures of one example beside those that our digest has."""
        if p.which == "sleigh":
            return {"end_speed": float(run["v"][-1]), "digest_end_speed": p.example.digest["speed"]}
        return {}

    def check(self, p: ExampleParameters, metrics: Metrics) -> list[Check]:
        return self.check_on(REFERENCE, p, metrics)

    def check_on(self, engine: str, p: ExampleParameters, metrics: Metrics) -> list[Check]:
        allowed = WOBBLE if p.which == "rolling_disc" else BALANCED[engine]
        checks = [below("ledger error over kinetic energy", metrics["ledger_error"], ENERGY[engine])]
        if metrics["balance_error"] is not None:
            checks.append(below(BALANCES[p.which][0], metrics["balance_error"], allowed))
        pairs = zip(metrics["accelerations"], metrics["digest_accelerations"], strict=True)
        checks += [within("acceleration at the start", a, b, START * abs(b) + NOISE[engine]) for a, b in pairs]
        if "digest_end_speed" in metrics and p.length() >= p.example.time:
            speed = metrics["digest_end_speed"]
            checks.append(within("speed at the end", metrics["end_speed"], speed, 1e-5, "m/s"))
        return checks

    def documents(self, outcome: Outcome[ExampleParameters]) -> dict[str, str]:
        matrices = outcome.parameters.example.model.matrices_latex()
        lines = [rf"{name} &= {text}" for name, text in matrices.items()]
        lines.append(r"M \ddot q + C \dot q + g &= Q")
        return {"equations.tex": "\\begin{align}\n" + " \\\\\n".join(lines) + "\n\\end{align}\n"}

    def plot(self, outcome: Outcome[ExampleParameters], figure: Figure) -> None:
        run = outcome.trajectory
        example = outcome.parameters.example
        (a, b), (c, d) = figure.subplots(2, 2)
        names = run.names[1 : 1 + len(example.q)]
        panel(a, run["t"], {name: run[name] for name in names}, "coordinates", "time in s", "m or rad")
        rates = run.names[1 + len(example.q) : 1 + len(example.q) + len(example.u)]
        panel(b, run["t"], {name: run[name] for name in rates}, "velocities", "time in s", "m/s or rad/s")
        energy_panel(c, run)
        equations_panel(d, example.model)
