"""One impact in detail (section 3.2.4, Figs. 3.7 and 3.8): elastic, ever more dissipation, plastic."""

from __future__ import annotations

import math
from itertools import pairwise
from typing import TYPE_CHECKING

import numpy as np

from ....laws.contact_phases import contact_phases
from ....laws.normal.restriction import Restriction
from ....report.style import PALETTE, legend
from ....trajectory import Trajectory
from ...scenario import Check, Metrics, above, below, within
from ..ball import start_distance
from ..point_mass import Flight, fly
from .impact_case import ImpactCase, ImpactPhasesParameters

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

    from ....progress import Progress

FACTORS = (0.0, 0.5, 1.0, 2.0, math.inf)
"""Dissipations as multiples of that of the contact: elastic, viscoelastic, plastic."""

COLUMNS = ("impact", "t", "s", "s_dot", "F_barrier", "stored")


def dissipations(p: ImpactPhasesParameters) -> list[float]:
    """r_d of the impacts in s/m."""
    return [factor * p.r_d if factor < math.inf else math.inf for factor in FACTORS]


def flight_of(p: ImpactPhasesParameters, law: Restriction) -> Flight:
    """From outside the contact until the mass is back, or rests in it after a plastic impact."""
    start = start_distance(p.s_0, p.s_c)
    longest = 60.0 * (start - p.s_c) / p.speed + 0.02
    if law.r_d == math.inf:
        return Flight(start, p.speed, longest, lambda run: run["s_dot"] > -1e-9 * p.speed)
    return Flight(start, p.speed, longest, lambda run: (run["s"] > start) & (run["s_dot"] > 0.0))


def run_phases(p: ImpactPhasesParameters, progress: Progress) -> Trajectory:
    """All impacts, one after the other; time counts from the crossing of s_0."""
    blocks = []
    steps = 0
    for number, r_d in enumerate(dissipations(p)):
        law = p.wall(r_d)
        run = fly(p.mass, law, flight_of(p, law), p.step, lambda fraction: None)
        entered = float(np.interp(-p.s_0, -run["s"][: run["s"].argmin() + 1], run["t"][: run["s"].argmin() + 1]))
        rows = [np.full(len(run), float(number)), run["t"] - entered, *(run[name] for name in COLUMNS[2:])]
        blocks.append(np.column_stack(rows))
        steps += run.steps
        progress((number + 1) / len(FACTORS))
    return Trajectory(COLUMNS, np.concatenate(blocks), steps)


def impact_of(run: Trajectory, number: int) -> dict[str, np.ndarray]:
    """The columns of one impact."""
    rows = run["impact"] == number
    return {name: run[name][rows] for name in COLUMNS}


def standstill(one: dict[str, np.ndarray]) -> float:
    """Time in s at which the speed passes through zero; the end where it does not."""
    after = np.flatnonzero(one["s_dot"] >= 0.0)
    if not after.size or after[0] == 0:
        return float(one["t"][-1])
    i = int(after[0])
    v = one["s_dot"][i - 1 : i + 1]
    return float(np.interp(0.0, v, one["t"][i - 1 : i + 1]))


def measured_phases(p: ImpactPhasesParameters, one: dict[str, np.ndarray], plastic: bool) -> Metrics:
    """Durations, energies and the peak of one recorded impact; the same names as `ContactPhases`."""
    turn = standstill(one)
    peak = int(np.argmax(one["F_barrier"]))
    back = one["s_dot"] > 0.0
    leaving = 0.0 if plastic else float(np.interp(p.s_0, one["s"][back], one["t"][back])) - turn
    before = 0.5 * p.mass * p.speed**2
    after = 0.0 if plastic else 0.5 * p.mass * float(one["s_dot"][-1]) ** 2
    stored = float(np.interp(turn, one["t"], one["stored"]))
    return {
        "compression_time": turn,
        "restitution_time": leaving,
        "stored": stored,
        "compression_loss": before - stored,
        "restitution_loss": stored - after,
        "peak_force": float(one["F_barrier"][peak]),
        "peak_lead": turn - float(one["t"][peak]),
    }


def measure_phases(p: ImpactPhasesParameters, run: Trajectory) -> Metrics:
    """Measured phases of every impact beside those of the integrals over the speed."""
    found: Metrics = {"r_d": dissipations(p), "measured": [], "expected": []}
    for number, r_d in enumerate(dissipations(p)):
        found["measured"].append(measured_phases(p, impact_of(run, number), r_d == math.inf))
        found["expected"].append(contact_phases(p.wall(r_d), p.mass, p.speed)._asdict())
    return found


def check_phases(p: ImpactPhasesParameters, m: Metrics) -> list[Check]:
    """Every figure meets its integral; compression shortens with r_d; the force peaks before the deepest point."""
    checks = []
    energy = 0.5 * p.mass * p.speed**2
    for r_d, got, wanted in zip(m["r_d"], m["measured"], m["expected"], strict=True):
        for name in ("compression_time", "restitution_time"):
            checks.append(within(f"r_d = {r_d:g}: {name}", got[name], wanted[name], 0.2 * p.step, "s"))
        for name in ("stored", "compression_loss", "restitution_loss"):
            checks.append(within(f"r_d = {r_d:g}: {name}", got[name], wanted[name], 1e-3 * energy, "J"))
        checks.append(within(f"r_d = {r_d:g}: peak lead", got["peak_lead"], wanted["peak_lead"], 2.0 * p.step, "s"))
    times = [got["compression_time"] for got in m["measured"]]
    longest = max(later - earlier for earlier, later in pairwise(times))
    symmetry = abs(m["measured"][0]["restitution_time"] - times[0])
    return [
        *checks,
        below("compression gets shorter with every r_d; largest change", longest, 0.0, "s"),
        below("elastic: restitution and compression differ by", symmetry, 0.5 * p.step, "s"),
        above("the force of the contact peaks before the deepest point by", m["measured"][2]["peak_lead"], p.step, "s"),
    ]


def plot_phases(p: ImpactPhasesParameters, run: Trajectory, m: Metrics, figure: Figure) -> None:
    """Forces over distance and time, distance over time, and where the energy goes."""
    (loop, force), (distance, energy) = figure.subplots(2, 2)
    for number, r_d in enumerate(m["r_d"]):
        one = impact_of(run, number)
        colour = PALETTE[number]
        name = f"r_d = {r_d:g} s/m"
        loop.plot(one["s"] * 1e3, one["F_barrier"], color=colour, label=name)
        force.plot(one["t"] * 1e3, one["F_barrier"], color=colour)
        force.axvline(m["measured"][number]["compression_time"] * 1e3, color=colour, linewidth=0.7, linestyle=":")
        distance.plot(one["t"] * 1e3, one["s"] * 1e3, color=colour)
    loop.set(
        title="area of the loop: energy lost", xlabel="s in mm", ylabel="force in N", xlim=(None, p.s_0 * 1e3 + 0.3)
    )
    force.set(title="peak before the deepest point (dotted)", xlabel="time in ms", ylabel="force in N")
    distance.set(title="distance", xlabel="time in ms", ylabel="s in mm")
    legend(loop)
    draw_energies(p, m, energy)


def draw_energies(p: ImpactPhasesParameters, m: Metrics, axes: Axes) -> None:
    """Bars of what each impact loses in compression, loses in restitution, and returns."""
    names = [f"{r_d:g}" for r_d in m["r_d"]]
    lost_in = np.array([1e3 * got["compression_loss"] for got in m["measured"]])
    lost_out = np.array([1e3 * got["restitution_loss"] for got in m["measured"]])
    whole = 1e3 * 0.5 * p.mass * p.speed**2
    axes.bar(names, lost_in, color=PALETTE[0], label="lost in compression")
    axes.bar(names, lost_out, bottom=lost_in, color=PALETTE[1], label="lost in restitution")
    returned = whole - lost_in - lost_out
    axes.bar(names, returned, bottom=lost_in + lost_out, color=PALETTE[2], label="returned")
    axes.set(title="energy", xlabel="r_d in s/m", ylabel="energy in mJ")
    legend(axes)


PHASES = ImpactCase(run_phases, measure_phases, check_phases, plot_phases)
