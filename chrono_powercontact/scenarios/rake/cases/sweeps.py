"""Load cases of several runs side by side: model versions, drive smoothing, friction coefficients."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np

from ...parameters import CHRONO
from ...scenario import Check, Metrics, below, within
from ..machine.drive import averaged, logged, regressed
from ..machine.machine import VERSIONS
from ..machine.rack_contact import LAWS
from ..motion.gauges import Signal, between
from ..motion.setup import Setup
from ..scene.on_chrono import LAWS_ON_CHRONO, run_machine
from .claims import HELD, HELD_WITHIN, STICKING, as_in_reference, following, honest, pushing
from .load_cases import FREE_TRAVEL, ON_CHRONO, RakeParameters, setup_of, time_of
from .measure import at, cycle_metrics

if TYPE_CHECKING:
    from ....progress import Progress
    from ....trajectory import Trajectory

SHOWN = ("F1", "F2", "N", "F_t")
VERSIONS_EXPECTED = {
    "F1_v1": {2: 185.8, 20: 164.8, 40: 129.3},
    "F1_v2": {2: 190.5, 20: 169.4, 40: 133.4},
    "F1_v3": {20: 162.0},
    "F2_v3": {20: -45.8},
}
"""Forces in kN at times in s of free travel."""
COEFFICIENTS = ((0.4, 0.3), (0.5, 0.4), (0.65, 0.5))
PAIRS = {f"{s:g}/{d:g}": f"mu {s:g}/{d:g}" for s, d in COEFFICIENTS}
"""mu_s and mu_d of the sweep, and how each pair is named."""
COEFFICIENTS_EXPECTED = {
    "0.4/0.3": (10.53, -3.16, 59.0),
    "0.5/0.4": (10.16, -4.06, 63.0),
    "0.65/0.5": (9.82, -4.91, 66.7),
}
"""N, F_t and F1 in kN at 119 s, by mu_s/mu_d."""
RIPPLE_SPEED = 0.5
"""Part of the largest commanded speed from which on the ripple of a force is measured: it grows with the speed."""
RIPPLE_EXPECTED = {"F1": {"logged": 553e3, "lowess": 2.46e3, "mean": 310.0}, "F2": {"lowess": 2.10e3, "mean": 140.0}}
"""Ripple in N rms of both forces, by drive."""
RIPPLE_WITHIN = {"logged": 0.2, "lowess": 0.1, "mean": 0.1}
"""Part of a ripple that it may differ, by drive; between the stairs of the logged drive the interpolation decides."""


Runs = Mapping[str, tuple[RakeParameters, Setup]]


def side_by_side(runs: Runs, progress: Progress, engine: str) -> Trajectory:
    """Run each; the last one with all its columns, and the forces of every one as F1_NAME and so on."""
    extra: list[tuple[str, Signal]] = []
    for i, (name, (p, setup)) in enumerate(runs.items()):

        def partly(part: float, i: int = i) -> None:
            progress((i + part) / len(runs))

        last = run_machine(p, setup, partly, engine)
        extra += [(f"{column}_{name}", last[column].copy()) for column in SHOWN]
    data = np.column_stack([last.data, *(values for _, values in extra)])
    return replace(last, names=(*last.names, *(name for name, _ in extra)), data=data)


def changed(p: RakeParameters, **values: Any) -> tuple[RakeParameters, Setup]:
    """The parameters with some of them changed, and the machine that they make."""
    other = replace(p, **values)
    return other, setup_of(other)


def versions(p: RakeParameters, progress: Progress, engine: str) -> Trajectory:
    """Free travel of V1, V2 and V3."""
    return side_by_side({v: changed(p, version=v) for v in VERSIONS}, progress, engine)


def versions_metrics(p: RakeParameters, run: Trajectory) -> Metrics:
    """Forces in N of each version at some times, and how far V2 is above V1."""
    forces = {f"{force}_{v}": {str(t): at(run, f"{force}_{v}", t) for t in (2, 20, 40)} for v in VERSIONS
            for force in ("F1", "F2")}  # fmt: skip
    return forces | {
        "offset_F1": [float(np.min(run["F1_v2"] - run["F1_v1"])), float(np.max(run["F1_v2"] - run["F1_v1"]))],
        "offset_F2": float(np.abs(run["F2_v2"] - run["F2_v1"]).max()),
    }


def versions_claim(p: RakeParameters, metrics: Metrics, engine: str) -> list[Check]:
    """Every force of the reference, and that the main cylinder shifts most."""
    checks = [
        within(f"{name} at {t} s", metrics[name][str(t)] / 1e3, expected, 0.005 * abs(expected), "kN")
        for name, row in VERSIONS_EXPECTED.items()
        for t, expected in row.items()
        if metrics[name][str(t)] is not None
    ]
    text = f"V2 shifts F1 by {metrics['offset_F1'][0]:.0f} N at least, F2 by {metrics['offset_F2']:.0f} N at most"
    return [*checks, Check(text, metrics["offset_F1"][0] > 2.0 * metrics["offset_F2"])]


def laws(p: RakeParameters, progress: Progress, engine: str) -> Trajectory:
    """Pressing, holding and releasing under every law; the law that was asked for comes last.

    Chrono's own contact takes the usual step at the most: the springs of the machine are stable with no longer one.
    """
    known = LAWS_ON_CHRONO if engine == CHRONO else LAWS
    names = [*(law for law in known if law != p.law), p.law]
    steps = {law: min(p.step, RakeParameters.step) if law in ON_CHRONO else p.step for law in names}
    return side_by_side({law: changed(p, law=law, step=steps[law]) for law in names}, progress, engine)


def laws_of(run: Trajectory) -> list[str]:
    """The laws that ran side by side."""
    return [name.removeprefix("F_t_") for name in run.names if name.startswith("F_t_")]


def laws_metrics(p: RakeParameters, run: Trajectory) -> Metrics:
    """Friction, pressing force and main cylinders' force in N at 69 s, by law."""
    names = laws_of(run)
    held = {f"hold_{force}": {law: at(run, f"{force}_{law}", 69.0) for law in names} for force in ("F_t", "N", "F1")}
    return held | {"creep": {law: _creep(run, law) for law in names}}


def _creep(run: Trajectory, law: str) -> float:
    """Friction in N that is lost between 65 s and 69 s."""
    begin, end = np.interp((65.0, 69.0), run["t"], run[f"F_t_{law}"])
    return float(end - begin)


def laws_claim(p: RakeParameters, metrics: Metrics, engine: str) -> list[Check]:
    """The regularised law has let go of its friction; a sticking one holds it, and loses nothing."""
    checks = [below("friction kept by the regularised law at 69 s", abs(metrics["hold_F_t"]["regularised"]), 20.0, "N")]
    for law in (law for law in STICKING if law in metrics["creep"]):
        checks += [
            within(f"friction held by the law {law}", metrics["hold_F_t"][law], HELD, HELD_WITHIN, "N"),
            below(f"friction lost by the law {law} from 65 s to 69 s", abs(metrics["creep"][law]), 10.0, "N"),
        ]
    return checks


def smoothing(p: RakeParameters, progress: Progress, engine: str) -> Trajectory:
    """Free travel with the drive as logged, regressed, averaged as well, and as it was planned."""
    setup = setup_of(p)
    stairs = logged(setup.command, time_of(p) + 5.0)
    smooth = regressed(stairs)
    drives = {"logged": stairs, "lowess": smooth, "mean": averaged(smooth), "meant": setup.command}
    return side_by_side({name: (p, replace(setup, command=drive)) for name, drive in drives.items()}, progress, engine)


def smoothing_metrics(p: RakeParameters, run: Trajectory) -> Metrics:
    """Ripple of both cylinder forces in N rms: what is left of each drive's force after a mean over 2 s."""
    speed = np.abs(np.gradient(run["c1"], run["t"]))
    moving = (speed > RIPPLE_SPEED * speed.max()) & between(run, 0.0, time_of(p) - 1.0)
    width = 2 * round(1.0 / float(run["t"][1] - run["t"][0])) + 1

    def ripple(force: Signal) -> float:
        slow = np.convolve(force, np.ones(width) / width, mode="same")
        return float(np.sqrt(np.mean((force - slow)[moving] ** 2)))

    names = ("logged", "lowess", "mean")
    return {f"ripple_{force}": {name: ripple(run[f"{force}_{name}"]) for name in names} for force in ("F1", "F2")}


def smoothing_claim(p: RakeParameters, metrics: Metrics, engine: str) -> list[Check]:
    """Each step of the smoothing takes most of the ripple away, and what is left is as in the reference.

    The stairs are as high as the command is fast, so the ripple follows its speed, and the figure depends on the
    stretch of time: 1.93 kN rms of F1 from 5 s to 44 s, 2.41 kN where the command has half its speed or more. The
    source does not tell its stretch.
    """
    less = [
        Check(f"ripple of {force}: " + ", ".join(f"{name} {x:.3g} N" for name, x in row.items()),
              row["mean"] < 0.25 * row["lowess"] < 0.0625 * row["logged"])
        for force, row in ((force, metrics[f"ripple_{force}"]) for force in ("F1", "F2"))
    ]  # fmt: skip
    if not (as_in_reference(p) and time_of(p) == FREE_TRAVEL):
        return less
    return less + [
        within(f"ripple of {force}, {name}", metrics[f"ripple_{force}"][name], value, RIPPLE_WITHIN[name] * value, "N")
        for force, row in RIPPLE_EXPECTED.items()
        for name, value in row.items()
    ]


def coefficients(p: RakeParameters, progress: Progress, engine: str) -> Trajectory:
    """The cycle with three pairs of friction coefficients."""
    return side_by_side({f"{s:g}/{d:g}": changed(p, mu_s=s, mu_d=d) for s, d in COEFFICIENTS}, progress, engine)


def coefficients_metrics(p: RakeParameters, run: Trajectory) -> Metrics:
    """N, F_t and F1 in N at 119 s by pair, and the cycle of the last pair."""
    names = [name.removeprefix("N_") for name in run.names if name.startswith("N_")]
    sweep = {name: [at(run, f"{force}_{name}", 119.0) for force in ("N", "F_t", "F1")] for name in names}
    return cycle_metrics(setup_of(p), run) | {"sweep": sweep}


def coefficients_claim(p: RakeParameters, metrics: Metrics, engine: str) -> list[Check]:
    """Every force of the reference, to 1 %; the last pair is its cycle with friction, which has earlier figures."""
    checks = [*honest(p, metrics, engine), pushing(metrics)]
    if not (as_in_reference(replace(p, mu_s=0.65, mu_d=0.5)) and p.law == "regularised"):
        return checks
    return [*checks, *following("lc3", metrics, engine)] + [
        within(f"{force} at 119 s with mu {name}", value / 1e3, expected, 0.01 * abs(expected), "kN")
        for name, row in metrics["sweep"].items()
        for force, value, expected in zip(("N", "F_t", "F1"), row, COEFFICIENTS_EXPECTED[name], strict=True)
        if value is not None
    ]
