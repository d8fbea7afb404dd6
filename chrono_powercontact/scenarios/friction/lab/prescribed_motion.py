"""Experiments with a prescribed motion: Stribeck curve, presliding hysteresis, frictional lag."""

from __future__ import annotations

import numpy as np

from ....laws.friction.anchor import curve
from ....laws.friction.lugre import lugre_amplitude
from ....laws.friction.memory import LPVFilter
from ...scenario import Check, Metrics, above, below
from .case import Case, Curve, Curves, Vector
from .rig import force_along, swing
from .three_laws import LAWS, LabParameters, anchored_numbers, break_away_displacement, law_of, record_of

SETTLE = 800
"""Steps in which friction settles at a constant speed."""

LEG = 500
"""Steps of each leg of the presliding path."""

MINOR = 6
"""Number of minor loops."""

CORNERS = (0.0, 0.9, *((0.3, 0.9) * MINOR), 3.0, -3.0, 3.0)
"""Presliding path in break-away displacements: up, minor loops below break-away, then a loop with sliding."""

MEAN = 0.03
"""Mean speed in m/s of the lag experiment."""

SWING = 0.025
"""Amplitude of its speed in m/s."""

FREQUENCY = 5.0
"""Of its speed, in Hz."""

PERIODS = 6
"""Number of its periods."""

PERIOD_STEPS = 4000
"""Steps of each."""


def _settling_time(p: LabParameters, name: str, v: float) -> float:
    """Time in s in which a law forgets where it started, at a speed v in m/s."""
    _, memory = law_of(p, name)
    if isinstance(memory, LPVFilter):
        return float(20.0 * memory.t_f / memory.opening(v))
    return 20.0 * break_away_displacement(p, name) / v


def stribeck_curve(p: LabParameters, name: str) -> Curve:
    """Steady friction force in N over speed in m/s."""
    speeds = np.geomspace(1e-5, 0.3, 28)
    forces = []
    for v in speeds:
        h = _settling_time(p, name, v) / SETTLE
        half = np.arange(2 * SETTLE + 1) * 0.5 * h
        forces.append(force_along(record_of(p, name), v * half, np.full(half.size, v), h)[-1])
    return Curve(speeds, np.array(forces), SETTLE * speeds.size)


def steady_force(p: LabParameters, name: str, v: Vector) -> Vector:
    """Closed form of the steady friction force in N: (2.14), the shifted curve of an anchor, (2.29)."""
    if name == "lugre":
        return np.asarray(lugre_amplitude.py_func(v, p.lugre("fine")) + p.d * v)
    if name == "anchored":
        numbers = anchored_numbers(p)
        return np.asarray(curve.py_func(numbers, numbers.peak + v) + p.d * v)
    return np.asarray(p.power_law("fine").force(v))


def _measure_stribeck(p: LabParameters, curves: Curves) -> Metrics:
    error = {name: float(np.abs(c.y / steady_force(p, name, c.x) - 1.0).max()) for name, c in curves.items()}
    return {
        "closed_form_error": error,
        "slowest_force": {name: float(c.y[0]) for name, c in curves.items()},
        "fastest_force": {name: float(c.y[-1]) for name, c in curves.items()},
    }


def _check_stribeck(p: LabParameters, m: Metrics) -> list[Check]:
    error = m["closed_form_error"]
    return [below(f"Stribeck curve of {name} against its closed form", error[name], 1e-6) for name in LAWS]


def presliding_loops(p: LabParameters, name: str) -> Curve:
    """Friction force in N over the displacement, in break-away displacements of each law."""
    unit = break_away_displacement(p, name)
    position, speed, h = swing(tuple(unit * corner for corner in CORNERS), 1.0, LEG)
    force = force_along(record_of(p, name), position, speed, h)
    return Curve(position[::2] / unit, force, LEG * (len(CORNERS) - 1))


def _area(c: Curve, first: int, last: int) -> float:
    """Area that the curve encloses between two corners."""
    x = c.x[first * LEG : last * LEG + 1]
    y = c.y[first * LEG : last * LEG + 1]
    return float(np.sum(0.5 * (y[1:] + y[:-1]) * np.diff(x)))


def _measure_presliding(p: LabParameters, curves: Curves) -> Metrics:
    last_minor = 2 * MINOR + 1
    end = len(CORNERS) - 1
    return {
        "minor_gap": {name: float(abs(c.y[3 * LEG] - c.y[LEG])) for name, c in curves.items()},
        "minor_area": {name: _area(c, last_minor - 2, last_minor) for name, c in curves.items()},
        "major_area": {name: _area(c, end - 2, end) for name, c in curves.items()},
        "force_at_minor_corner": {name: float(c.y[LEG]) for name, c in curves.items()},
    }


def _check_presliding(p: LabParameters, m: Metrics) -> list[Check]:
    gap = m["minor_gap"]
    area = m["minor_area"]
    heat = "heat per break-away displacement"
    return [
        below("first minor loop of the anchor closes to", gap["anchored"], 1e-9 * p.f_s, "N"),
        below(f"it is elastic: {heat}", abs(area["anchored"]), 1e-3 * p.f_s, "N"),
        above("first minor loop of LuGre stays open by", gap["lugre"], 1e-2 * p.f_s, "N"),
        above(f"its last one has {heat}", area["lugre"], 1e-2 * p.f_s, "N"),
        above(f"the anchor's loop with sliding has {heat}", m["major_area"]["anchored"], p.f_c, "N"),
    ]


def frictional_lag(p: LabParameters, name: str) -> Curve:
    """Friction force in N over a speed in m/s that swings without turning back; the last period."""
    n = PERIOD_STEPS
    half = np.arange(2 * n * PERIODS + 1) * 0.5 / (FREQUENCY * n)
    phase = 2.0 * np.pi * FREQUENCY * half
    position = MEAN * half - SWING * np.cos(phase) / (2.0 * np.pi * FREQUENCY)
    speed = MEAN + SWING * np.sin(phase)
    force = force_along(record_of(p, name, "coarse"), position, speed, 1.0 / (FREQUENCY * n))
    keep = slice(n * (PERIODS - 1), None, 10)
    return Curve(speed[::2][keep], force[keep], n * PERIODS)


def lag_width(c: Curve) -> float:
    """Largest force in N by which speeding up is above slowing down at the same speed."""
    at = np.linspace(MEAN - 0.95 * SWING, MEAN + 0.95 * SWING, 200)
    rising = np.gradient(c.x) > 0.0
    gap = _over_speed(c, rising, at) - _over_speed(c, ~rising, at)
    return float(gap[np.argmax(np.abs(gap))])


def _over_speed(c: Curve, part: np.ndarray, at: Vector) -> Vector:
    """Force in N of a part of the curve, interpolated at speeds in m/s."""
    order = np.argsort(c.x[part])
    return np.interp(at, c.x[part][order], c.y[part][order])


def _measure_lag(p: LabParameters, curves: Curves) -> Metrics:
    return {"width": {name: lag_width(c) for name, c in curves.items()}}


def _check_lag(p: LabParameters, m: Metrics) -> list[Check]:
    return [
        above("lag of the filtered power law", m["width"]["power"], 1e-2 * p.f_c, "N"),
        above("lag of LuGre", m["width"]["lugre"], 1e-3 * p.f_c, "N"),
        below("the anchor has none in sliding", abs(m["width"]["anchored"]), 1e-4 * p.f_c, "N"),
    ]


CASES = {
    "stribeck": Case(
        "Stribeck curve",
        "speed in m/s",
        "friction in N",
        stribeck_curve,
        _measure_stribeck,
        _check_stribeck,
        log=True,
    ),
    "presliding": Case(
        "presliding: minor loop",
        "displacement / break-away",
        "friction in N",
        presliding_loops,
        _measure_presliding,
        _check_presliding,
    ),
    "lag": Case(
        "frictional lag",
        "speed in mm/s",
        "friction in N",
        frictional_lag,
        _measure_lag,
        _check_lag,
        (1e3, 1.0),
    ),
}
