"""A trash-rack cleaning machine: a two-link hydraulic arm presses a rake against a rack and pulls it up."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import TYPE_CHECKING, NamedTuple

from ...errors import ParameterError
from ...laws.friction.step_friction import StepFriction
from ..parameters import CHRONO, REFERENCE
from ..scenario import Check, Metrics, Outcome, Redraw, Scenario, StepLimit
from ..scenes.moving_scenes import scene_of
from .cases import loop_case, sweeps
from .cases import static_cases as tables
from .cases.claims import cycle_claim
from .cases.concrete import concrete_claim, concrete_metrics
from .cases.load_cases import CASES, ON_CHRONO, USUAL_TIME, RakeParameters, check_time, setup_of
from .cases.measure import LARGEST_LOAD, cycle_metrics, spring_step, stable_step
from .cases.misplaced import misplaced_claim
from .machine.arms import BEAMS
from .machine.machine import VERSIONS
from .machine.rack_contact import LAWS
from .rake_pictures import animate_machine, cycle_picture, holding_picture, table_picture, variants_picture
from .rake_scenes import machine_bodies, pressing
from .scene.on_chrono import SUMS, obstacle, run_machine

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

    from ...progress import Progress
    from ...trajectory import Trajectory
    from ...view.recording import Recording

TABLES = ("lc0", "lc1", "lc2", "lc4", "lc5", "lc6", "lc11")
"""Cases without friction."""


LONGEST = {"regularised": 5e-3}
LONGEST_STEP = 1e-2
"""Longest step in s with which the claims hold on Chrono with forces at its end: of some laws, and of the others."""


class Kind(NamedTuple):
    """How a load case is run, measured, judged and drawn."""

    simulate: Callable[[RakeParameters, Progress, str], Trajectory]
    measure: Callable[[RakeParameters, Trajectory], Metrics]
    check: Callable[[RakeParameters, Metrics, str], list[Check]]
    plot: Callable[[Trajectory, Figure], None]


def _cycle(p: RakeParameters, progress: Progress, engine: str) -> Trajectory:
    return run_machine(p, setup_of(p), progress, engine)


def _statics_picture(x: Trajectory, figure: Figure) -> None:
    shown = [name for name in ("f1", "f2") if name in x.names]
    table_picture(x, "s", {"force in N": ("F1", "F2"), "frequency in Hz": tuple(shown)}, figure)


CYCLE_KIND = Kind(_cycle, lambda p, x: cycle_metrics(setup_of(p), x), cycle_claim, cycle_picture)
KINDS = dict.fromkeys(CASES, CYCLE_KIND) | {
    "lc0": Kind(
        tables.statics_table,
        tables.statics_metrics,
        tables.statics_claim,
        _statics_picture,
    ),
    "lc1": Kind(
        sweeps.versions,
        sweeps.versions_metrics,
        sweeps.versions_claim,
        lambda x, f: variants_picture(x, {v: v.upper() for v in VERSIONS}, ("F1", "F2"), f),
    ),
    "lc3b": Kind(
        sweeps.laws,
        sweeps.laws_metrics,
        sweeps.laws_claim,
        lambda x, f: holding_picture(x, {law: law for law in sweeps.laws_of(x)}, f),
    ),
    "lc4": Kind(
        sweeps.smoothing,
        sweeps.smoothing_metrics,
        sweeps.smoothing_claim,
        lambda x, f: variants_picture(
            x, {"lowess": "LOWESS", "mean": "LOWESS and mean", "meant": "as meant"}, ("F1", "F2"), f
        ),
    ),
    "lc5": Kind(
        lambda p, _, __: tables.flow_table(p),
        tables.flow_metrics,
        tables.flow_claim,
        lambda x, f: table_picture(x, "with_flow", {"change of force in N": ("dF1", "dF2")}, f),
    ),
    "lc6": Kind(
        lambda p, _, __: tables.buoyancy_table(p),
        tables.buoyancy_metrics,
        tables.buoyancy_claim,
        lambda x, f: table_picture(x, "lift", {"change of force in N": ("dF1", "dF2")}, f),
    ),
    "lc11": Kind(
        lambda p, progress, _: loop_case.loop_table(p, progress),
        loop_case.loop_metrics,
        loop_case.loop_claim,
        lambda x, f: table_picture(x, "t", {"main in N": ("F1", "R_B"), "knuckle in N": ("F2", "R_D")}, f),
    ),
    "lc7": CYCLE_KIND._replace(check=misplaced_claim),
    "lc10": CYCLE_KIND._replace(measure=concrete_metrics, check=concrete_claim),
    "lc8": Kind(
        sweeps.coefficients,
        sweeps.coefficients_metrics,
        sweeps.coefficients_claim,
        lambda x, f: variants_picture(x, sweeps.PAIRS, ("N", "F_t"), f),
    ),
}
"""How each load case is run."""


class RakeCleaner(Scenario[RakeParameters]):
    """Two-link arm with two cylinder lines; flexible arms as segments; scraper on a plane."""

    name = "rake_cleaner"
    claim = "The machine follows its reference runs, and the laws part where the rake is held: one creeps, one sticks."
    source = "Maier 2019: chapters 3 to 5, stand-in numbers"
    parameters = RakeParameters
    engines = (CHRONO, REFERENCE)
    recorded = ("F1", "F2", "N", "F_t", "s", "x_T", "z_T", "drive_work", "friction_work")
    recorded_with = {"time": 66.0}
    models = {law: {"law": law} for law in LAWS}
    compared = (("t", "F_t", "friction in N"), ("t", "N", "pressing force in N"), ("t", "F1", "main cylinders in N"))
    ranked = ("friction_hold", "friction_peak", "friction_stop", "friction_work", "n_min", "max_energy_gain",
              "ledger_error", "real_time_factor")  # fmt: skip

    def simulate(self, p: RakeParameters, progress: Progress) -> Trajectory:
        if p.law in ON_CHRONO:
            raise ParameterError(f"law {p.law!r} needs the engine chrono; here there are {', '.join(LAWS)}")
        check_time(p, USUAL_TIME)
        return KINDS[p.case].simulate(p, progress, REFERENCE)

    def simulate_chrono(self, p: RakeParameters, progress: Progress) -> Trajectory:
        check_time(p, USUAL_TIME)
        return KINDS[p.case].simulate(p, progress, CHRONO)

    def not_on_chrono(self, p: RakeParameters) -> str | None:
        return obstacle(p)

    def measure(self, p: RakeParameters, trajectory: Trajectory) -> Metrics:
        return KINDS[p.case].measure(p, trajectory)

    def check(self, p: RakeParameters, metrics: Metrics) -> list[Check]:
        return self.check_on(REFERENCE, p, metrics)

    def check_on(self, engine: str, p: RakeParameters, metrics: Metrics) -> list[Check]:
        return KINDS[p.case].check(p, metrics, engine)

    def stable_step(self, p: RakeParameters) -> float | None:
        if p.law != "regularised" or p.arms in BEAMS or p.case in TABLES or p.mu_s == 0.0:
            return None
        setup = setup_of(replace(p, case="lc3", time=1.0))
        return stable_step(setup, StepFriction(p.mu_s, p.mu_d, p.v_s, p.v_d).creep_damping(LARGEST_LOAD))

    def long_step_limit(self, p: RakeParameters) -> StepLimit | None:
        if p.case in SUMS:
            return None
        if p.law not in ON_CHRONO:
            why = "the rake slips up to a step too early where friction falls with the speed"
            return StepLimit(LONGEST.get(p.law, LONGEST_STEP), "the longest step with which the claims hold", why)
        longest = spring_step(setup_of(replace(p, case="lc3", time=1.0)))
        why = "Chrono takes the forces of the springs of arms and cylinders at the start of a step"
        return StepLimit(longest, "the largest stable step of the machine's own springs", why)

    def fit_to_step(self, p: RakeParameters) -> RakeParameters:
        """The same at any step: the machine always runs with a linearised integrator."""
        return p

    def plot(self, outcome: Outcome[RakeParameters], figure: Figure) -> None:
        KINDS[outcome.parameters.case].plot(outcome.trajectory, figure)

    def scene(self, outcome: Outcome[RakeParameters]) -> Recording | None:
        run = outcome.trajectory
        if "q_1" not in run.names:
            return None
        setup = setup_of(outcome.parameters)
        return scene_of(self, outcome, machine_bodies(setup, run), [pressing(setup)], ("N", "F_t", "F1", "F2"))

    def animate(self, outcome: Outcome[RakeParameters], axes: Axes) -> Redraw | None:
        if "q_1" not in outcome.trajectory.names:
            return None
        return animate_machine(setup_of(outcome.parameters), outcome.trajectory, axes)
