"""The reduced arm against the full one (Table 5.1): the scraper is pressed, held, and let go."""

from __future__ import annotations

from itertools import pairwise
from time import perf_counter
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ....errors import ParameterError
from ....lagrange.beams.beam_elements import CLAMPED, free_columns
from ....lagrange.beams.reduction import ReducedBeam, reduce_beam
from ....report.style import panel
from ....trajectory import Trajectory
from ...scenario import Check, Metrics, below
from ..machine.machine import machine
from .arm_case import ArmCase, ArmModesParameters, knuckle_beam

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from ....progress import Progress

Vector = NDArray[np.float64]

STEP = 1e-3
"""Step in s of Newmark's method."""

RISE, RELEASE, LETTING_GO, END = 4.0, 5.0, 0.02, 7.0
"""Times in s: pressing takes RISE, the load is let go at RELEASE within LETTING_GO, the run ends at END."""

BLOCK = 250
"""Steps that are timed together; the fastest block is what a step costs."""

COLUMNS = ("t", "load", "tip_full", "tip_reduced", "moment_full", "moment_reduced")


class Answer(NamedTuple):
    """What an arm does: deflection of the scraper in m, moment at the root in N m, time per step in us."""

    tip: Vector
    moment: Vector
    cost: float


def load_history(p: ArmModesParameters) -> tuple[Vector, Vector]:
    """Times in s, and the force at the scraper in N."""
    t = np.arange(round(END / STEP) + 1, dtype=np.float64) * STEP
    up = 0.5 - 0.5 * np.cos(np.pi * np.clip(t / RISE, 0.0, 1.0))
    down = 0.5 + 0.5 * np.cos(np.pi * np.clip((t - RELEASE) / LETTING_GO, 0.0, 1.0))
    return t, np.asarray(p.press * up * down, float)


def shaken(arm: ReducedBeam, load: Vector) -> Answer:
    """Newmark's method with constant mean acceleration, which neither damps nor diverges, at any step."""
    from scipy.linalg import cho_factor, cho_solve

    tip = arm.displacement(arm.beam.length)[1]
    root = arm.bending_moment(0.0)
    damping = machine().beta * arm.stiffness
    factors = cho_factor(arm.mass + 0.5 * STEP * damping + 0.25 * STEP**2 * arm.stiffness)
    n = len(arm.names)
    q = np.zeros(n)
    v = np.zeros(n)
    a = np.zeros(n)
    states = np.zeros((load.size, n))
    fastest = np.inf
    begin = perf_counter()
    for i in range(1, load.size):
        guess = q + STEP * v + 0.25 * STEP**2 * a
        speed = v + 0.5 * STEP * a
        a = cho_solve(factors, load[i] * tip - arm.stiffness @ guess - damping @ speed, check_finite=False)
        q = guess + 0.25 * STEP**2 * a
        v = speed + 0.5 * STEP * a
        states[i] = q
        if i % BLOCK == 0:
            fastest = min(fastest, perf_counter() - begin)
            begin = perf_counter()
    return Answer(states @ tip, states @ root, 1e6 * fastest / BLOCK)


def full_arm(p: ArmModesParameters) -> ReducedBeam:
    """Every displacement of the finite elements: a reduction that leaves nothing out."""
    beam = knuckle_beam(p.elements)
    inside = len(free_columns(beam, CLAMPED)) - 2
    if p.modes > inside:
        raise ParameterError(f"modes must be at most {inside}, which {p.elements} elements have, got {p.modes}")
    return reduce_beam(beam, {"scraper": beam.length}, inside)


def reduced_arm(p: ArmModesParameters, modes: int) -> ReducedBeam:
    """Craig and Bampton's reduction with so many fixed-interface modes."""
    beam = knuckle_beam(p.elements)
    return reduce_beam(beam, {"scraper": beam.length}, modes)


def run_reduction(p: ArmModesParameters, progress: Progress) -> Trajectory:
    """The full and the reduced arm under the same load."""
    t, load = load_history(p)
    full = shaken(full_arm(p), load)
    progress(0.8)
    reduced = shaken(reduced_arm(p, p.modes), load)
    progress(1.0)
    table = np.column_stack([t, load, full.tip, reduced.tip, full.moment, reduced.moment])
    return Trajectory(COLUMNS, table, 2 * t.size)


def deviations(p: ArmModesParameters, modes: int, full: Answer, load: Vector) -> dict[str, float]:
    """Largest deviation from the full arm over its largest value, and cost of a step, of a reduced arm."""
    arm = reduced_arm(p, modes)
    got = shaken(arm, load)
    return {
        "modes": modes,
        "coordinates": len(arm.names),
        "tip": float(np.abs(got.tip - full.tip).max() / np.abs(full.tip).max()),
        "moment": float(np.abs(got.moment - full.moment).max() / np.abs(full.moment).max()),
        "cost": got.cost,
    }


def measure_reduction(p: ArmModesParameters, run: Trajectory) -> Metrics:
    """Deviations of arms with 0, 1, 2, 4 and the asked number of modes, and what a step of each costs."""
    whole = full_arm(p)
    _, load = load_history(p)
    full = shaken(whole, load)
    studied = sorted({0, 1, 2, 4, p.modes})
    limit = len(whole.names) - 2
    return {
        "full_coordinates": len(whole.names),
        "full_cost": full.cost,
        "study": [deviations(p, modes, full, load) for modes in studied if modes <= limit],
        "tip": float(np.abs(run["tip_reduced"] - run["tip_full"]).max() / np.abs(run["tip_full"]).max()),
        "moment": float(np.abs(run["moment_reduced"] - run["moment_full"]).max() / np.abs(run["moment_full"]).max()),
        "held_deflection": float(np.interp(RELEASE - 0.05, run["t"], run["tip_full"])),
        "closed_form_deflection": p.press * machine().knuckle.length ** 3 / (3.0 * machine().knuckle.stiffness),
        "held_moment": float(np.interp(RELEASE - 0.05, run["t"], run["moment_reduced"])),
        "closed_form_moment": p.press * machine().knuckle.length,
    }


def check_reduction(p: ArmModesParameters, m: Metrics) -> list[Check]:
    """A few modes are as good as all; held, the arm bends and is stressed as its closed form says."""
    tips = [row["tip"] for row in m["study"]]
    falling = all(later < earlier for earlier, later in pairwise(tips))
    held = abs(m["held_deflection"] / m["closed_form_deflection"] - 1.0)
    moment = abs(m["held_moment"] / m["closed_form_moment"] - 1.0)
    checks = [
        Check(f"the deviation falls with every mode: {[f'{tip:.1e}' for tip in tips]}", falling),
        below("held: the deflection is off the closed form by a fraction of", held, 0.01),
        below("held: the root moment of the reduced arm is off press times length by a fraction of", moment, 0.01),
    ]
    if p.modes >= 2:
        checks.append(below("deflection of the scraper: reduced against full", m["tip"], 1e-3))
        checks.append(below("moment at the root: reduced against full", m["moment"], 1e-2))
    return checks


def plot_reduction(p: ArmModesParameters, run: Trajectory, m: Metrics, figure: Figure) -> None:
    """Deflection, moment at the root, and deviation and cost over the number of coordinates."""
    (a, b), (c, d) = figure.subplots(2, 2)
    t = run["t"]
    panel(
        a,
        t,
        {"full": run["tip_full"] * 1e3, "reduced": run["tip_reduced"] * 1e3},
        "scraper",
        "time in s",
        "in mm",
        True,
    )
    moments = {"full": run["moment_full"] / 1e3, "reduced": run["moment_reduced"] / 1e3}
    panel(b, t, moments, "moment at the root", "time in s", "in kN m", True)
    number = [row["modes"] for row in m["study"]]
    for name in ("tip", "moment"):
        c.semilogy(number, [row[name] for row in m["study"]], "o-", label=name)
    c.set(title="deviation from the full arm", xlabel="fixed-interface modes", ylabel="fraction of the largest")
    c.legend()
    sizes = [*(row["coordinates"] for row in m["study"]), m["full_coordinates"]]
    d.loglog(sizes, [*(row["cost"] for row in m["study"]), m["full_cost"]], "o-")
    d.set(title="cost of a step, in this run", xlabel="coordinates", ylabel="time in us")


REDUCTION = ArmCase(run_reduction, measure_reduction, check_reduction, plot_reduction)
