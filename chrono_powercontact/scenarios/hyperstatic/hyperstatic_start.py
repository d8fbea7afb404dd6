"""The same block at rest from different starts: start values of an iteration, start anchors, order of the contacts."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from ...errors import ParameterError
from ...report.style import BLUE, GREY, ORANGE, legend
from ...trajectory import Trajectory
from ..parameters import CHRONO, REFERENCE, Timed, chrono_integrator, number, run_length, time_step
from ..scenario import Check, Metrics, Outcome, Scenario, StepLimit, above, below, within
from .block.block_statics import resting_normals, sliding_forces, slip_load, stick_interval

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from ...progress import Progress

MU = 0.1


PROX, GAUSS_SEIDEL, REVERSED, ANCHORED, SWAPPED, WANTED, SLIDING = range(7)
"""Kinds of rows: prox iteration; the same by Gauss-Seidel, in both orders; start anchors, in both orders of the
contacts; anchors for a wanted force; and prox iteration from sliding, where the start does not matter."""

PUBLISHED = {(0.0, 0.0): -0.987, (2e-6, -2e-6): -7.606, (-3e-6, 3e-6): 5.929}
"""T_A in N under 2 N from start anchors in m at a presliding of 5 um, by an independent computation."""


LONGEST = 2e-4
"""Longest step in s on Chrono that follows the swing of the block: beyond it forces are those at the end of a step. The
third start then keeps up to 5.945 N, as under a load that grows slowly."""


@dataclass(frozen=True)
class HyperstaticStartParameters(Timed):
    """The load on the block, and the starts that are tried."""

    force: float = number(2.0, "constant load", "N", minimum=0.0, maximum=15.0)
    start: float = number(0.05, "start value of the impulses: minus this at A, plus this at B", "N s", minimum=0.0)
    prestress: float = number(-5.0, "friction force of foot A that start anchors are set for", "N")
    presliding: float = number(5e-6, "displacement at which the anchored law breaks away", "m", above=0.0)
    time: float = run_length(1.0)
    step: float = time_step(2e-5, on_chrono=1e-4)
    integrator: str = chrono_integrator("euler_implicit_linearized")


class Row(NamedTuple):
    """One start: its kind, its start (impulse in N s, anchors in m, or a wanted force in N), forces in N, way in m."""

    kind: int
    start_a: float
    start_b: float
    t_a: float
    n_a: float
    t_b: float
    n_b: float
    moved: float


NAMES = ("kind", "start_a", "start_b", "T_A", "N_A", "T_B", "N_B", "moved")


def wanted_forces(p: HyperstaticStartParameters) -> list[float]:
    """Friction forces in N of foot A that anchors are set for: the given one, and seven over the feasible interval."""
    low, high = (float(end) for end in stick_interval(p.force, MU, MU))
    if not low <= p.prestress <= high:
        raise ParameterError(
            f"prestress must be in the feasible interval of {low:.6g} to {high:.6g} N, got {p.prestress:g} N"
        )
    return [p.prestress, *map(float, np.linspace(0.97 * low, 0.97 * high, 7))]


def _iteration_checks(p: HyperstaticStartParameters, metrics: Metrics) -> list[Check]:
    """What start value and order do to prox iterations, which only the reference engine has."""
    n_a, _ = resting_normals(p.force)
    order = abs(metrics["gauss_seidel"][0] - metrics["gauss_seidel_reversed"][0])
    checks = [
        within("T_A from a start of zero", metrics["prox"][0], -0.5 * p.force, 2e-3, "N"),
        above("change of a Gauss-Seidel sweep by the order", order, 0.5 * p.force, "N"),
    ]
    if p.start >= 0.05:
        checks.append(within("T_A from the start value", metrics["prox"][1], -MU * n_a, 2e-3, "N"))
    return checks


class HyperstaticStart(Scenario[HyperstaticStartParameters]):
    """An iteration's start value picks the split; so does prestress, which is its physical twin."""

    name = "hyperstatic_start"
    claim = "Any split inside the feasible interval stays at rest; a start picks it, the order of contacts does not."
    source = "Seiwald, TU Munich 2014: (5.4) to (5.8), Fig. 5.4"
    parameters = HyperstaticStartParameters
    engines = (CHRONO, REFERENCE)
    in_time = False

    def simulate(self, p: HyperstaticStartParameters, progress: Progress) -> Trajectory:
        wanted = wanted_forces(p)
        from .start_runs import anchored_rows, on_reference, prox_rows

        rows = [*prox_rows(p), *anchored_rows(p, wanted, on_reference, progress)]
        return Trajectory(NAMES, np.array(rows, float), len(rows))

    def simulate_chrono(self, p: HyperstaticStartParameters, progress: Progress) -> Trajectory:
        wanted = wanted_forces(p)
        from .start_chrono import on_chrono
        from .start_runs import anchored_rows

        rows = anchored_rows(p, wanted, on_chrono, progress)
        return Trajectory(NAMES, np.array(rows, float), len(rows))

    def long_step_limit(self, p: HyperstaticStartParameters) -> StepLimit:
        why = "the swing of a load that is put on at once dies out within a step, and a prestressed foot slips less"
        return StepLimit(LONGEST, "the longest step that follows the load", why)

    def measure(self, p: HyperstaticStartParameters, trajectory: Trajectory) -> Metrics:
        run = trajectory
        low, high = (float(end) for end in stick_interval(p.force, MU, MU))

        def of(kind: int, column: str = "T_A") -> list[float]:
            return [float(value) for value in run[column][run["kind"] == kind]]

        still = run["kind"] != SLIDING
        held = run["T_A"][still]
        wanted = run["kind"] == WANTED
        return {
            "interval": [low, high],
            "prox": of(PROX),
            "gauss_seidel": of(GAUSS_SEIDEL),
            "gauss_seidel_reversed": of(REVERSED),
            "anchored": of(ANCHORED),
            "reordering": float(np.abs(np.subtract(of(ANCHORED), of(SWAPPED))).max()),
            "wanted_error": float(np.abs(run["T_A"][wanted] - run["start_a"][wanted]).max()),
            "sum_error": float(np.abs(run["T_A"][still] + run["T_B"][still] + p.force).max()),
            "outside": float(np.maximum(low - held, held - high).max()),
            "moved": float(np.abs(run["moved"][still]).max()),
            "sliding": [[*map(float, row)] for row in run.data[~still][:, 3:7]],
        }

    def check(self, p: HyperstaticStartParameters, metrics: Metrics) -> list[Check]:
        n_a, _ = resting_normals(p.force)
        checks = [
            below("T_A outside its interval", metrics["outside"], 5e-3, "N"),
            below("friction sum against the load", metrics["sum_error"], 5e-3, "N"),
            below("motion from any start", metrics["moved"], 2.0 * p.presliding, "m"),
            below("change by the order of contacts", metrics["reordering"], 1e-9 * n_a * MU, "N"),
            below("T_A against the one set", metrics["wanted_error"], 1e-3, "N"),
        ]
        if metrics["prox"]:
            checks += _iteration_checks(p, metrics)
        if p.force == 2.0 and p.presliding == 5e-6:
            for found, expected in zip(metrics["anchored"], PUBLISHED.values(), strict=True):
                checks.append(within("T_A from start anchors", found, expected, 1e-3, "N"))
        for row in metrics["sliding"]:
            error = float(np.abs(np.subtract(row, sliding_forces(p.force, MU, MU))).max())
            checks.append(below("forces in sliding against the closed form", error, 2e-3, "N"))
        return checks

    def plot(self, outcome: Outcome[HyperstaticStartParameters], figure: Figure) -> None:
        run = outcome.trajectory
        force = outcome.parameters.force
        axes = figure.subplots()
        loads = np.linspace(0.0, slip_load(MU, MU), 200)
        low, high = stick_interval(loads, MU, MU)
        axes.fill_between(loads, low, high, color=BLUE, alpha=0.15, label="feasible")
        for kinds, mark, colour, name in (
            ((PROX, GAUSS_SEIDEL, REVERSED), "o", ORANGE, "prox iterations, by start value and sweep"),
            ((ANCHORED,), "s", BLUE, "anchored law, by start anchors"),
            ((WANTED,), "_", GREY, "anchors set for a wanted force"),
        ):
            rows = np.isin(run["kind"], kinds)
            if not rows.any():
                continue
            axes.plot(np.full(rows.sum(), force), run["T_A"][rows], mark, color=colour, markersize=9, label=name)
        axes.set(title="all of these rest", xlabel="load in N", ylabel="friction force of foot A in N")
        legend(axes)
