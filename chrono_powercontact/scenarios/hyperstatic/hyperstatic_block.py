"""A block on two feet, pulled until it slips: statics gives the sum of its friction forces, not their split."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np

from ...errors import ParameterError
from ...view.drawn import Touch
from ..parameters import CHRONO, REFERENCE, Timed, choice, chrono_integrator, count, number, run_length, time_step
from ..scenario import Check, Metrics, Outcome, Redraw, Scenario, StepLimit, below, within
from ..scenes.moving_scenes import Planar, block, plate, scene_of
from .block.block_statics import (
    BEGIN,
    FORCE_LAWS,
    HEIGHT,
    LOADS,
    MASS,
    WEIGHT,
    WIDTH,
    Load,
    Motion,
    Springs,
    load_of,
    resting_normals,
    rigid_motion,
    sliding_forces,
    slip_load,
    spring_split,
    stick_interval,
)

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from pathlib import Path

    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

    from ...progress import Progress
    from ...trajectory import Trajectory
    from ...view.recording import Recording

RIGID = "rigid"
STRATEGIES = ("prox", "pinv", "handed", "min1", "min2", "min3", "gauss", "lemke", "compliance")
BUILT_IN = ("smc", "nsc", "nsc-pjacobi", "nsc-bb", "nsc-apgd", "nsc-admm")
"""Chrono's own contact: SMC, and NSC with PSOR (its default) and other solvers."""

LAWS = (RIGID, *FORCE_LAWS, *BUILT_IN)

UTILISED = 0.99
"""Fraction of the largest friction from which a block under a force law counts as slipping."""

SLOW = 2.0 * 1e-4 / (1.0 - 0.993103)
"""Error in N that the functional min1 may leave in the sum of two forces, 0.029: its outer iteration contracts by
0.993103, so an increment of 1e-4 N, where it ends, is a 145th of what is missing (erratum E8)."""

LONGEST = 2e-4
"""Longest step in s on Chrono that resolves how the load grows and the slip begins."""

EQUAL_SHARES = ("prox", "handed", "min1", "min2", "min3", "gauss")
"""Strategies whose split has the least norm."""


@dataclass(frozen=True)
class HyperstaticBlockParameters(Timed):
    """The block, its load, and who decides about its friction forces."""

    model: str = choice("one", "one rigid body, or two halves that springs join", ("one", "two"))
    strategy: str = choice("prox", "who splits the friction of a rigid body", STRATEGIES)
    load: str = choice("ramp", "how the load acts: a ramp of 300 N/s from 10 ms, constant, or a step at 10 ms", LOADS)
    force: float = number(27.0, "end value of the load", "N", minimum=0.0, maximum=100.0)
    mu_a: float = number(0.1, "coefficient of friction of foot A", minimum=0.0, maximum=0.5)
    mu_b: float = number(0.1, "coefficient of friction of foot B", minimum=0.0, maximum=0.5)
    c_t: float = number(1e9, "stiffness of the cut in translation; also of strategy compliance", "N/m", above=0.0)
    c_r: float = number(1e9, "stiffness of the cut in rotation; also of strategy compliance", "N m/rad", above=0.0)
    law: str = choice(
        "rigid", "contact: rigid and set-valued, or a force law", (RIGID, *FORCE_LAWS, *BUILT_IN), "anchored"
    )
    outer: int = count(20, "largest number of outer iterations in a step", minimum=1)
    time: float = run_length(0.1)
    step: float = time_step(1e-4)
    integrator: str = chrono_integrator("euler_implicit_linearized")

    def pull(self) -> Load:
        """The load."""
        return load_of(self.load, self.force)

    def springs(self) -> Springs:
        """The cut, with a damping that is the thesis' at high and at low accuracy (Table 5.2)."""
        damping = [10.0 * float(np.cbrt(stiffness / 1e9)) for stiffness in (self.c_t, self.c_r)]
        return Springs(self.c_t, self.c_r, damping[0], damping[1])

    def motion(self) -> Motion:
        """The motion of a rigid block in closed form."""
        return rigid_motion(self.pull(), self.mu_a, self.mu_b, self.time)


class HyperstaticBlock(Scenario[HyperstaticBlockParameters]):
    """All methods give the same motion; each gives another split, and all splits lie in one interval."""

    name = "hyperstatic_block"
    claim = (
        "Every method moves the block alike and splits its friction inside the feasible interval, each in its own way."
    )
    source = "Seiwald, TU Munich 2014: Tables 5.1 to 5.3, Fig. 5.6"
    parameters = HyperstaticBlockParameters
    engines = (CHRONO, REFERENCE)
    recorded = ("T_A", "N_A", "T_B", "N_B", "foot", "foot_dot")
    recorded_with = {"law": "anchored"}
    models: ClassVar[dict[str, dict[str, object]]] = {
        "two": {"model": "two"},
        **{name: {"strategy": name} for name in STRATEGIES},
        **{name: {"law": name} for name in (*FORCE_LAWS, *BUILT_IN)},
    }
    ranked = ("slip_time", "displacement", "split", "range_a", "iterations", "flips", "split_at_9N", "outside")

    def simulate(self, p: HyperstaticBlockParameters, progress: Progress) -> Trajectory:
        if p.law in BUILT_IN:
            raise ParameterError(f"law {p.law!r} is Chrono's own contact: it needs the engine chrono")
        from .block.block_runs import run_block

        return run_block(p, progress)

    def simulate_chrono(self, p: HyperstaticBlockParameters, progress: Progress) -> Trajectory:
        from .block.block_chrono import block_on_chrono

        return block_on_chrono(p, progress)

    def not_on_chrono(self, p: HyperstaticBlockParameters) -> str | None:
        if p.law == RIGID:
            return "law 'rigid' is the reference engine's; on Chrono take nsc for a rigid contact"
        return None

    def long_step_limit(self, p: HyperstaticBlockParameters) -> StepLimit:
        why = "the load grows in steps, so the block slips late, and the last force before it slips is too small"
        return StepLimit(LONGEST, "the longest step that resolves the load", why)

    def measure(self, p: HyperstaticBlockParameters, trajectory: Trajectory) -> Metrics:
        run = averaged(trajectory) if p.law in BUILT_IN else trajectory
        loads = loads_of(p, run)
        slip = slip_index(p, run)
        end = len(run) - 1
        sliding = bool(run["foot_dot"][-1] > 1e-4)
        from .block.block_models import block_ranges

        ranges = block_ranges(float(loads[-1]), p.mu_a, p.mu_b, sliding)
        near = np.abs(loads - 9.0)
        nine = int(np.flatnonzero(near <= near.min() + 1e-9)[-1]) if loads.max() >= 9.0 else None
        return {
            "slip_time": float(run["t"][slip]) if slip is not None and slip < end else None,
            "slip_time_a": _last(run, "sticking_A"),
            "slip_time_b": _last(run, "sticking_B"),
            "displacement": float(run["foot"][-1]),
            "closed_form_displacement": p.motion().displacement,
            "split": [float(run["T_A"][-1]), float(run["T_B"][-1])],
            "normals": [float(run["N_A"][-1]), float(run["N_B"][-1])],
            "range_a": [ranges["T_A"].low, ranges["T_A"].high],
            "range_b": [ranges["T_B"].low, ranges["T_B"].high],
            "outside": outside(p, run),
            "split_at_9N": None if nine is None else [float(run["T_A"][nine]), float(run["T_B"][nine])],
            "early_split": early_split(p, run),
            "iterations": float(run["outer"][1:].mean()),
            "flips": flips_of(run),
            "step_cost": run.step_cost,
        }

    def check(self, p: HyperstaticBlockParameters, metrics: Metrics) -> list[Check]:
        force = p.law == RIGID
        checks = [below("split outside the feasible interval", metrics["outside"], 0.01 + swing(p), "N")]
        checks += _motion_checks(p, metrics)
        expected = expected_split(p)
        if metrics["early_split"] is not None and expected is not None:
            load, t_a = metrics["early_split"]
            tolerance = 0.02 if force else 0.01 * load
            checks.append(within(f"T_A at {load:.3g} N", t_a, expected(load), tolerance, "N"))
        if p.strategy != "pinv" and force:
            checks.append(below("changes between stick and slip after the first", metrics["flips"], 1))
        return checks

    def plot(self, outcome: Outcome[HyperstaticBlockParameters], figure: Figure) -> None:
        from .block.band_pictures import draw_block

        draw_block(outcome, figure)

    def scene(self, outcome: Outcome[HyperstaticBlockParameters]) -> Recording:
        run = outcome.trajectory
        zero = 0.0 * run["foot"]
        feet = [Planar(run["foot"] + side, zero) for side in (0.0, WIDTH)]
        middle = Planar(run["foot"] + 0.5 * WIDTH, zero + 0.5 * HEIGHT)
        bodies = [block("block", (WIDTH, 0.5 * WIDTH, HEIGHT), middle), plate([0.0, WIDTH], 0.5 * WIDTH)]
        contacts = [
            Touch(at.point, f"N_{name}", (0.0, 0.0, 1.0), (f"T_{name}", 0.0, 0.0), "foot_dot")
            for at, name in zip(feet, "AB", strict=True)
        ]
        return scene_of(self, outcome, bodies, contacts, ("T_A", "T_B", "foot"))

    def animate(self, outcome: Outcome[HyperstaticBlockParameters], axes: Axes) -> Redraw:
        from .block.band_pictures import animate_block

        return animate_block(outcome, axes)

    def comparison(self, models: Sequence[str], given: Mapping[str, object], folder: Path) -> dict[str, Any]:
        from .block.block_comparison import compare_blocks

        return compare_blocks(self, models, given, folder)


def averaged(run: Trajectory) -> Trajectory:
    """A run with contact forces as means over 1 ms: those of Chrono's own contact scatter from step to step."""
    count = max(round(1e-3 / (run["t"][1] - run["t"][0])), 1)
    data = run.data.copy()
    for name in ("T_A", "N_A", "T_B", "N_B"):
        padded = np.pad(run[name][1:], (count // 2, count - 1 - count // 2), mode="edge")
        data[1:, run.names.index(name)] = np.convolve(padded, np.full(count, 1.0 / count), mode="valid")
    return replace(run, data=data)


def loads_of(p: HyperstaticBlockParameters, run: Trajectory) -> np.ndarray:
    """The load in N to which recorded forces belong: forces of a rigid contact are means over the last step."""
    load = p.pull()
    since = 0.5 * p.step if p.law == RIGID and p.model == "one" else 0.0
    return np.clip(load.rise * (run["t"] - since - load.begin), 0.0, load.force)


def slip_index(p: HyperstaticBlockParameters, run: Trajectory) -> int | None:
    """The last record before the block slips for good: flagged as sticking, or below 99 % of the largest friction."""
    if "sticking_A" in run.names:
        sticks = np.flatnonzero(np.maximum(run["sticking_A"], run["sticking_B"]) > 0.5)
    else:
        limit = p.mu_a * run["N_A"] + p.mu_b * run["N_B"]
        sticks = np.flatnonzero(-(run["T_A"] + run["T_B"]) < UTILISED * limit)
    return int(sticks[-1]) if sticks.size else None


def _last(run: Trajectory, flag: str) -> float | None:
    """The last time in s at which a foot is flagged as sticking, if it slips afterwards."""
    if flag not in run.names:
        return None
    found = np.flatnonzero(run[flag] > 0.5)
    return float(run["t"][found[-1]]) if found.size and found[-1] < len(run) - 1 else None


def flips_of(run: Trajectory) -> int:
    """How often foot A changes between stick and slip."""
    if "sticking_A" not in run.names:
        return 0
    return int(np.abs(np.diff(run["sticking_A"][1:])).sum())


def quiet(p: HyperstaticBlockParameters, run: Trajectory) -> np.ndarray:
    """Records in which the block rests: the load has acted for a while and is below 95 % of the limit."""
    loads = loads_of(p, run)
    begin = BEGIN if p.load != "constant" else 0.0
    return np.flatnonzero((run["t"] > begin + 2e-3) & (loads < 0.95 * slip_load(p.mu_a, p.mu_b)))


def outside(p: HyperstaticBlockParameters, run: Trajectory) -> float:
    """By how much T_A leaves its feasible interval while the block rests, in N, at most."""
    rows = quiet(p, run)
    if not rows.size:
        return 0.0
    low, high = stick_interval(loads_of(p, run)[rows], p.mu_a, p.mu_b)
    t_a = run["T_A"][rows]
    return float(np.maximum(np.maximum(low - t_a, t_a - high), 0.0).max())


def swing(p: HyperstaticBlockParameters) -> float:
    """Amplitude in N with which forces may swing about those at rest; 0 for one rigid body under our laws.

    A load that begins to grow at a rate makes springs of a frequency w swing with rate/w; so does foot B of the cut
    block where it reaches its limit. Its slowest mode turns both halves alike about their feet, against the spring
    across the cut. Means over 1 ms of Chrono's own contact still scatter by some hundredths.
    """
    if p.law in BUILT_IN:
        return 0.04
    if p.law != RIGID or p.model == "one":
        return 0.0
    half = 0.5 * MASS * (0.25 * WIDTH**2 + HEIGHT**2) / 12.0 + 0.5 * MASS * (0.0625 * WIDTH**2 + 0.25 * HEIGHT**2)
    slowest = math.sqrt(p.c_t * WIDTH**2 / (2.0 * half))
    return min(2.0 * p.pull().rise / slowest, p.force)


def early_split(p: HyperstaticBlockParameters, run: Trajectory) -> list[float] | None:
    """A load in N in the first half of stick, and T_A under it, over 1 ms."""
    rows = quiet(p, run)
    loads = loads_of(p, run)
    aim = min(0.4 * slip_load(p.mu_a, p.mu_b), 0.999 * p.force)
    rows = rows[loads[rows] >= aim] if rows.size else rows
    if not rows.size or aim <= 0.0:
        return None
    window = rows[: max(round(1e-3 / (run["t"][1] - run["t"][0])), 1)]
    return [float(loads[window].mean()), float(run["T_A"][window].mean())]


def expected_split(p: HyperstaticBlockParameters) -> Any:
    """T_A in N as a function of the load while nothing is at its limit; None where a solver's order decides."""
    springs = p.springs()
    if p.law in FORCE_LAWS:

        def by_load(force: float) -> float:
            n_a, n_b = resting_normals(force)
            return -force * p.mu_a * n_a / max(p.mu_a * n_a + p.mu_b * n_b, 1e-300)

        return by_load
    if p.law != RIGID:
        return None
    if p.model == "two" or p.strategy == "compliance":
        return lambda force: float(np.clip(spring_split(springs, force), *stick_interval(force, p.mu_a, p.mu_b)))
    if p.strategy in EQUAL_SHARES or p.strategy == "pinv":
        return lambda force: float(np.clip(-0.5 * force, *stick_interval(force, p.mu_a, p.mu_b)))
    return None


def _motion_checks(p: HyperstaticBlockParameters, metrics: Metrics) -> list[Check]:
    """Slip, displacement and forces at the end against the rigid block in closed form."""
    motion = p.motion()
    end = float(p.pull().at(p.time))
    rigid = p.law == RIGID
    if not math.isfinite(motion.slip_time):
        still = below("displacement at rest", abs(metrics["displacement"]), 1e-7 if rigid else 1e-5, "m")
        total = sum(metrics["split"])
        near = 0.99 * slip_load(p.mu_a, p.mu_b)
        allowed = SLOW if p.strategy == "min1" else 0.01
        return [still, within("friction sum", total, -end, allowed, "N")] if end < near else [still]
    slip = metrics["slip_time"] if metrics["slip_time"] is not None else math.inf
    t_a, n_a, t_b, n_b = sliding_forces(end, p.mu_a, p.mu_b)
    way = 0.01 if rigid else 0.06
    allowed = 0.01 * WEIGHT if rigid else 0.02 * WEIGHT
    return [
        within("slip time", slip, motion.slip_time, 1e-3 if rigid else 1.5e-3, "s"),
        within("displacement", metrics["displacement"], motion.displacement, way * motion.displacement + 1e-6, "m"),
        within("N_A at the end", metrics["normals"][0], n_a, 0.5 * allowed, "N"),
        within("N_B at the end", metrics["normals"][1], n_b, 0.5 * allowed, "N"),
        within("T_A in sliding", metrics["split"][0], t_a, p.mu_a * allowed + 0.01, "N"),
        within("T_B in sliding", metrics["split"][1], t_b, p.mu_b * allowed + 0.01, "N"),
    ]
