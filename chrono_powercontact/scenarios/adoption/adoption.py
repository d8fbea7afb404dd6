"""Chrono's own demos with the one line `pc.attach(system).take_over()`, at their own step, beside the demo as it is."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np

from ...report.style import PALETTE, level, panel, stage
from ..parameters import CHRONO, Timed, choice, chrono_integrator, number
from ..scenario import Check, Metrics, Outcome, Redraw, Scenario, below, within
from .demo_run import AXES, COLUMNS, Setting, run_in_turn, side_by_side
from .demo_table import DEMOS, Entry

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

    from ...progress import Progress
    from ...trajectory import Trajectory

OURS = "power"
OWN = "own"

RESTING = 0.2
"""Part of a run at its end over which the load of the contacts is averaged."""

GAIN = 1e-3
"""Energy that may be gained, relative to what was exchanged: it covers the round-off of single precision."""

CARRIED = 0.01
"""Deviation of the load from the weight, relative to it, where bodies rest."""


@dataclass(frozen=True)
class AdoptionParameters(Timed):
    """A demo of Chrono's."""

    demo: str = choice("callback_nsc", "demo of Chrono", tuple(DEMOS))
    law: str = choice(OURS, "contact: power with take_over(), or the demo's own", (OURS, OWN))
    time: float = number(0.0, "length of the run; 0 for that of the demo", "s", minimum=0.0)
    step: float = number(0.0, "integration step; 0 for that of the demo", "s", minimum=0.0)
    integrator: str = chrono_integrator("euler_implicit_linearized")

    @property
    def entry(self) -> Entry:
        """How the demo is judged."""
        return DEMOS[self.demo]

    def setting(self, law: str) -> Setting:
        """The run with a law."""
        return Setting(self.demo, law == OURS, self.step, self.time, self.integrator)

    def reference(self) -> Setting:
        """The run as it is whose places count."""
        return replace(self.setting(OWN), name=self.entry.like or self.demo)


def _ends(run: Trajectory, prefix: str = "") -> np.ndarray:
    """Places of the bodies in m at the end of a run, one row each."""
    count = sum(name.startswith(f"{prefix}x_") for name in run.names)
    return np.array([[run[f"{prefix}{axis}_{i}"][-1] for axis in AXES] for i in range(count)])


def _starts(run: Trajectory) -> np.ndarray:
    """The same at its start."""
    count = sum(name.startswith("x_") for name in run.names)
    return np.array([[run[f"{axis}_{i}"][0] for axis in AXES] for i in range(count)])


def _late(run: Trajectory, column: str) -> np.ndarray:
    """The last part of a column."""
    values = run[column]
    return values[-max(round(RESTING * values.size), 1) :]


def _astray(run: Trajectory, near: tuple[float, float], placed: int) -> float:
    """Largest distance of a body from its place in the demo as it is, over what is allowed; for both see `Entry`."""
    own = _ends(run, "own_")
    way = np.linalg.norm(own - _starts(run), axis=1)
    apart = np.linalg.norm(_ends(run) - own, axis=1)
    astray = apart / (near[0] * way + near[1])
    return float(astray[: placed or None].max())


class Adoption(Scenario[AdoptionParameters]):
    """What a user of PyChrono sees who adds one line to a script."""

    name = "adoption"
    claim = "With take_over() a demo of Chrono runs at its own step: no energy gained, weights carried, same places."
    source = "Project Chrono 10.0.0, demos in Python; the scenes are written anew with their numbers"
    parameters = AdoptionParameters
    engines = (CHRONO,)
    models = {OURS: {"law": OURS}, OWN: {"law": OWN}}
    compared = (("t", "mechanical", "energy of all bodies in J"), ("t", "carried", "contact force over weight"))
    ranked = ("end_energy", "mean_load", "load_noise", "fastest")

    def simulate(self, p: AdoptionParameters, progress: Progress) -> Trajectory:
        return self.simulate_chrono(p, progress)

    def simulate_chrono(self, p: AdoptionParameters, progress: Progress) -> Trajectory:
        if p.law == OWN:
            return run_in_turn([p.setting(OWN)], progress)[0]
        runs = dict.fromkeys((p.setting(OURS), p.setting(OWN), p.reference()))
        ours, as_it_is, *others = run_in_turn(list(runs), progress)
        return side_by_side(ours, others[0] if others else as_it_is, as_it_is)

    def step(self, p: AdoptionParameters) -> float | None:
        return p.step or None

    def time(self, p: AdoptionParameters) -> float | None:
        return p.time or p.entry.time

    def measure(self, p: AdoptionParameters, trajectory: Trajectory) -> Metrics:
        load = _late(trajectory, "carried") if p.entry.weighs else np.zeros(0)
        both = f"own_{COLUMNS[0]}" in trajectory.names
        own_cost = float(trajectory["own_cost"][1:].mean()) if both else None
        near = p.entry.near
        places = np.array([trajectory[name] for name in trajectory.names if name[:2] in ("x_", "y_", "z_")])
        energy = trajectory["mechanical"]
        return {
            "energy_gain": float(max((energy - energy[0]).max(), 0.0)),
            "contact_gain": float(max(trajectory["work"].max(), 0.0)),
            "stored": float(trajectory["stored"][-1]),
            "exchanged": float(np.abs(np.diff(energy)).sum()),
            "end_energy": float(energy[-1]),
            "mean_load": float(load.mean()) if load.size else None,
            "load_noise": float(load.std()) if load.size else None,
            "fastest": float(trajectory["fastest"].max()),
            "own_fastest": float(trajectory["own_fastest"].max()) if both else None,
            "farthest": float(np.abs(places).max()),
            "astray": _astray(trajectory, near, p.entry.placed) if both and near is not None else None,
            "turn": float(trajectory["turn"][-1]),
            "own_turn": float(trajectory["own_turn"][-1]) if both else None,
            "step_cost": trajectory.step_cost,
            "cost_ratio": trajectory.step_cost / own_cost if own_cost and trajectory.step_cost else None,
        }

    def check(self, p: AdoptionParameters, metrics: Metrics) -> list[Check]:
        entry = p.entry
        allowed = GAIN * metrics["exchanged"] + metrics["stored"]
        checks = [
            below("energy that contacts gave, at most what they hold at rest", metrics["contact_gain"], allowed, "J"),
            below("distance of a body from the origin", metrics["farthest"], entry.room, "m"),
        ]
        if metrics["mean_load"] is not None:
            checks.append(within("contact force over weight at the end", metrics["mean_load"], 1.0, CARRIED))
        if metrics["astray"] is not None:
            checks.append(below("distance from the demo's own places over what is allowed", metrics["astray"], 1.0))
        if metrics["own_turn"] is not None and entry.turns is not None:
            checks.append(within("turn of the first body", metrics["turn"], metrics["own_turn"], entry.turns, "rad"))
        return checks

    def plot(self, outcome: Outcome[AdoptionParameters], figure: Figure) -> None:
        run = outcome.trajectory
        t = run["t"]
        (a, b), (c, d) = figure.subplots(2, 2)
        sides = {"power": ""} | ({"own": "own_"} if "own_t" in run.names else {})
        for axes, column, title, label in (
            (a, "mechanical", f"{outcome.parameters.demo}: T + V", "energy in J"),
            (b, "carried", "contact force over weight", "ratio"),
            (c, "fastest", "fastest body", "speed in m/s"),
            (d, "cost", "cost of a step", "time in us"),
        ):
            curves = {name: run[prefix + column] for name, prefix in sides.items()}
            panel(axes, t, curves, title, "time in s", label, nested=True)
        level(b, 1.0, "weight")
        d.set_yscale("log")

    def animate(self, outcome: Outcome[AdoptionParameters], axes: Axes) -> Redraw:
        run = outcome.trajectory
        across, upward = _view(run)
        sides = [("", "o", PALETTE[0])] + ([("own_", "s", PALETTE[1])] if "own_t" in run.names else [])
        tracks = [[np.array([run[f"{prefix}{axis}_{i}"] for i in range(_count(run))]) for axis in (across, upward)]
                  for prefix, _, _ in sides]  # fmt: skip
        limits = [_limits(np.concatenate([track[k].ravel() for track in tracks])) for k in range(2)]
        stage(axes, *limits)
        marks = [axes.plot([], [], mark, color=colour, alpha=0.7, fillstyle="none")[0] for _, mark, colour in sides]
        label = axes.set_title("")

        def redraw(i: int) -> None:
            for mark, (x, y) in zip(marks, tracks, strict=True):
                mark.set_data(x[:, i], y[:, i])
            label.set_text(f"{outcome.parameters.demo}: t = {run['t'][i]:.2f} s")

        return redraw


def _count(run: Trajectory) -> int:
    """Number of bodies that are looked at."""
    return sum(name.startswith("x_") for name in run.names)


def _view(run: Trajectory) -> tuple[str, str]:
    """The two axes along which the bodies move farthest, in the order of the alphabet."""
    spread = {axis: max(float(np.ptp(run[f"{axis}_{i}"])) for i in range(_count(run))) for axis in AXES}
    first, second = sorted(sorted(AXES, key=lambda axis: -spread[axis])[:2])
    return first, second


def _limits(values: np.ndarray) -> tuple[float, float]:
    """The range of a drawing around values in m."""
    low = float(values.min())
    high = float(values.max())
    room = 0.1 * max(high - low, 0.1)
    return low - room, high + room
