"""Experiments with a load: break-away over force rate and direction, dither below stiction, stick-slip."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np

from ....laws.friction.anchor import curve
from ...scenario import Check, Metrics, above, below
from .case import Case, Curve, Curves
from .mass import loaded_mass
from .three_laws import LabParameters, anchored_numbers

if TYPE_CHECKING:
    from ....trajectory import Trajectory

LOOSE = 0.01
"""A mass faster than this, in m/s, has broken away."""

RATES = np.geomspace(1.0, 1000.0, 7)
"""Force rates in N/s."""

RAMP = 10.0
"""Force rate in N/s of the loads in each direction."""

CYCLE = 0.05
"""Length in s of a cycle of a dithered load."""

CYCLES = 40
"""Number of its cycles."""

BISECTIONS = 8
"""Steps in the search of the critical pull speed."""

SLOWEST = 0.1
"""Least pull speed of the search, in m/s."""

FASTEST = 1.6
"""Largest pull speed of the search, in m/s."""

STUCK = 1e-3
"""Fraction of the pull speed below which a mass counts as stuck."""


def stiction(p: LabParameters) -> float:
    """Largest force in N that the anchored law holds: the peak of its curve, at or a little above f_s."""
    numbers = anchored_numbers(p)
    return float(curve(numbers, numbers.peak))


def break_away_force(run: Trajectory) -> float:
    """Largest friction force in N before the mass is loose."""
    loose = np.flatnonzero(np.hypot(run["x_dot"], run["y_dot"]) > LOOSE)
    end = int(loose[0]) + 1 if loose.size else len(run)
    return float(np.hypot(run["Ft_plane_x"], run["Ft_plane_y"])[:end].max())


def break_away_over_rate(p: LabParameters, name: str) -> Curve:
    """Break-away force in N over the rate of the load in N/s."""
    runs = [loaded_mass(p, name, 1.2 * p.f_s / rate + 0.01, ramp=rate) for rate in RATES]
    return Curve(RATES, np.array([break_away_force(run) for run in runs]), sum(run.steps for run in runs))


def _measure_rate(p: LabParameters, curves: Curves) -> Metrics:
    return {
        "break_away": {name: c.y.tolist() for name, c in curves.items()},
        "fall": {name: float(1.0 - c.y[-1] / c.y[0]) for name, c in curves.items()},
        "stiction": stiction(p),
    }


def _check_rate(p: LabParameters, m: Metrics) -> list[Check]:
    worst = max(abs(force / m["stiction"] - 1.0) for force in m["break_away"]["anchored"])
    return [
        below("the anchor breaks away at stiction at any rate, to a fraction of", worst, 0.01),
        above("break-away of LuGre falls with the rate by a fraction of", m["fall"]["lugre"], 0.01),
    ]


def break_away_over_angle(p: LabParameters, name: str) -> Curve:
    """Break-away force in N over the direction in rad of a load that grows beside half of stiction held along x."""
    angles = np.linspace(0.0, 2.0 * np.pi, 12, endpoint=False)
    limits = p.f_s * (np.sqrt(1.0 - 0.25 * np.sin(angles) ** 2) - 0.5 * np.cos(angles))
    times = 1.1 * limits / RAMP + 0.02
    runs = []
    for angle, time in zip(angles, times, strict=True):
        run = loaded_mass(p, name, time, held=0.5 * p.f_s, ramp=RAMP, c=math.cos(angle), s=math.sin(angle))
        runs.append(run)
    return Curve(angles, np.array([break_away_force(run) for run in runs]), sum(run.steps for run in runs))


def _measure_angle(p: LabParameters, curves: Curves) -> Metrics:
    return {
        "break_away": {name: float(c.y.mean()) for name, c in curves.items()},
        "spread": {name: float(np.ptp(c.y) / c.y.mean()) for name, c in curves.items()},
        "stiction": stiction(p),
    }


def _check_angle(p: LabParameters, m: Metrics) -> list[Check]:
    off = abs(m["break_away"]["anchored"] / m["stiction"] - 1.0)
    return [
        below("break-away of the anchor varies with the direction by a fraction of", m["spread"]["anchored"], 0.01),
        below("it differs from stiction by", off, 0.01),
    ]


def dithered_load(p: LabParameters, name: str) -> Curve:
    """Displacement in m over time in s under half of stiction with a dither of three tenths."""
    every = max(round(CYCLE / 20.0 / p.step), 1)
    w = 2.0 * math.pi / CYCLE
    run = loaded_mass(p, name, CYCLE * CYCLES, every, load=0.5 * p.f_s, dither=0.3 * p.f_s, w=w)
    return Curve(run["t"], run["x"], run.steps)


def displacement_per_cycle(c: Curve) -> float:
    """Displacement in m by which a mass advances in each cycle of the second half."""
    half = CYCLES // 2
    x = np.interp(CYCLE * np.array([half, CYCLES]), c.x, c.y)
    return float((x[1] - x[0]) / (CYCLES - half))


def measure_ratchet(p: LabParameters, curves: Curves) -> Metrics:
    """Displacement per cycle, by law."""
    return {"way_per_cycle": {name: displacement_per_cycle(c) for name, c in curves.items()}}


def check_ratchet(p: LabParameters, m: Metrics) -> list[Check]:
    """The anchor stays at rest, LuGre ratchets, the power law creeps."""
    displacement = m["way_per_cycle"]
    return [
        below("the anchored mass advances in a cycle by", abs(displacement["anchored"]), 1e-9, "m"),
        above("LuGre ratchets in a cycle by", displacement["lugre"], 1e-8, "m"),
        above("the power law creeps in a cycle by", displacement["power"], 1e-8, "m"),
    ]


def slowest_after_slip(p: LabParameters, name: str, pull: float) -> tuple[float, int]:
    """Least speed after the first slip, in pull speeds, within about a period of the spring; and the steps."""
    period = 2.0 * math.pi * math.sqrt(p.mass / p.k)
    run = loaded_mass(p, name, 1.02 * p.f_s / (p.k * pull) + 1.1 * period, k=p.k, pull=pull)
    v = run["x_dot"] / pull
    fast = np.flatnonzero(v > 1.0)
    slowest = float(v[fast[0] :].min()) if fast.size else 0.0
    return slowest, run.steps


def stick_slip_over_pull(p: LabParameters, name: str) -> Curve:
    """Least speed after the first slip in pull speeds, over the pull speed in m/s; the critical one is bisected."""
    low = SLOWEST
    high = FASTEST
    found = {}
    found[low], steps = slowest_after_slip(p, name, low)
    found[high], more = slowest_after_slip(p, name, high)
    steps += more
    for _ in range(BISECTIONS):
        pull = math.sqrt(low * high)
        found[pull], more = slowest_after_slip(p, name, pull)
        steps += more
        if found[pull] < STUCK:
            low = pull
        else:
            high = pull
    pulls = sorted(found)
    return Curve(np.array(pulls), np.array([found[pull] for pull in pulls]), steps)


def critical_pull(p: LabParameters) -> float:
    """Pull speed in m/s from which on the mass does not stick again, for stiction that drops to Coulomb at once.

    After the slip starts the mass swings about steady sliding. It sticks where its speed comes back to zero. A law with
    presliding is a little above: the spring is drawn on while the anchor covers its last displacement.
    """
    low = 1e-4
    high = 100.0
    for _ in range(60):
        pull = math.sqrt(low * high)
        if _slowest_swing(p, pull) < 0.0:
            low = pull
        else:
            high = pull
    return math.sqrt(low * high)


def _slowest_swing(p: LabParameters, pull: float) -> float:
    """Least speed in m/s after the first slip of a mass pulled at a speed in m/s, in closed form."""
    w = math.sqrt(p.k / p.mass)
    drag = 0.5 * p.d / p.mass
    damped = math.sqrt(w * w - drag * drag)
    t = np.linspace(0.0, 2.0 * math.pi / damped, 4001)[1:]
    stretch = (stiction(p) - p.f_c - p.d * pull) / p.k
    swing = -pull * np.cos(damped * t) + (w * w * stretch + drag * pull) / damped * np.sin(damped * t)
    return float((pull + np.exp(-drag * t) * swing)[t > 0.5 * math.pi / damped].min())


def _measure_stick_slip(p: LabParameters, curves: Curves) -> Metrics:
    critical = {}
    for name, c in curves.items():
        stuck = c.x[c.y < STUCK]
        free = c.x[c.y >= STUCK]
        critical[name] = float(math.sqrt(stuck.max() * free.min())) if stuck.size and free.size else None
    return {"critical_pull_speed": critical, "closed_form": critical_pull(p)}


def _check_stick_slip(p: LabParameters, m: Metrics) -> list[Check]:
    checks = []
    for name, critical in m["critical_pull_speed"].items():
        if critical is None:
            checks.append(Check(f"{name}: no critical pull speed between {SLOWEST:g} and {FASTEST:g} m/s", False))
        elif name != "lugre":
            off = abs(critical / m["closed_form"] - 1.0)
            checks.append(below(f"critical pull speed of {name} off the closed form by a fraction of", off, 0.05))
    return checks


CASES = {
    "break_away": Case(
        "break-away over force rate",
        "force rate in N/s",
        "break-away in N",
        break_away_over_rate,
        _measure_rate,
        _check_rate,
        log=True,
    ),
    "dither": Case(
        "dithered load below stiction",
        "time in s",
        "displacement in um",
        dithered_load,
        measure_ratchet,
        check_ratchet,
        (1.0, 1e6),
    ),
    "stick_slip": Case(
        "stick-slip ends at a pull speed",
        "pull speed in m/s",
        "slowest speed / pull speed",
        stick_slip_over_pull,
        _measure_stick_slip,
        _check_stick_slip,
        log=True,
    ),
    "direction": Case(
        "break-away in any direction",
        "direction in degrees",
        "break-away in N",
        break_away_over_angle,
        _measure_angle,
        _check_angle,
        (180.0 / math.pi, 1.0),
    ),
}
