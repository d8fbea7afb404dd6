"""Experiments with a prescribed motion: Stribeck curve, presliding hysteresis, frictional lag."""

from __future__ import annotations

from types import SimpleNamespace

import numpy as np

from ....laws import LPVFilter
from ....laws.friction.anchor import PEAK, curve
from ....laws.friction.lugre import lugre_amplitude
from ...scenario import Check, Metrics, below
from .case import Case, Curve, Curves, Vector, above
from .rig import force_along, swing
from .three_laws import LAWS, STRIBECK_SPEED, break_away_way, law_of, row_of

SETTLE = 800
"""Steps in which friction settles at a constant speed."""

LEG = 500
"""Steps of each leg of the presliding path."""

MINOR = 6
"""Number of minor loops."""

CORNERS = (0.0, 0.9, *((0.3, 0.9) * MINOR), 3.0, -3.0, 3.0)
"""Presliding path in break-away ways: up, minor loops below break-away, then a loop with sliding."""

MEAN, SWING, FREQUENCY, PERIODS = 0.03, 0.025, 5.0, 6
"""Mean speed and amplitude in m/s, frequency in Hz and number of periods of the lag experiment."""


def _settling_time(p: SimpleNamespace, name: str, v: float) -> float:
    """Time in s in which a law forgets where it started, at a speed v in m/s."""
    _, memory = law_of(p, name)
    if isinstance(memory, LPVFilter):
        return float(20.0 * memory.t_f / memory.opening(v))
    return 20.0 * break_away_way(p, name) / v


def stribeck_curve(p: SimpleNamespace, name: str) -> Curve:
    """Steady friction force in N over speed in m/s."""
    speeds, forces = np.geomspace(1e-5, 0.3, 28), []
    for v in speeds:
        h = _settling_time(p, name, v) / SETTLE
        half = np.arange(2 * SETTLE + 1) * 0.5 * h
        forces.append(force_along(row_of(p, name), v * half, np.full(half.size, v), h)[-1])
    return Curve(speeds, np.array(forces), SETTLE * speeds.size)


def steady_force(p: SimpleNamespace, name: str, v: Vector) -> Vector:
    """Closed form of the steady friction force in N: (2.14), the shifted curve of an anchor, (2.29)."""
    row = row_of(p, name)
    if name == "lugre":
        return np.asarray(lugre_amplitude.py_func(v, p.f_c, p.f_s, STRIBECK_SPEED) + p.d * v)
    if name == "anchored":
        return np.asarray(curve.py_func(row, row[PEAK] + v) + p.d * v)
    return np.asarray(law_of(p, name)[0].force(v))  # type: ignore[call-arg]


def _measure_stribeck(p: SimpleNamespace, curves: Curves) -> Metrics:
    error = {name: float(np.abs(c.y / steady_force(p, name, c.x) - 1.0).max()) for name, c in curves.items()}
    return {
        "closed_form_error": error,
        "slowest_force": {name: float(c.y[0]) for name, c in curves.items()},
        "fastest_force": {name: float(c.y[-1]) for name, c in curves.items()},
    }


def _check_stribeck(p: SimpleNamespace, m: Metrics) -> list[Check]:
    return [below(f"Stribeck curve of {name} against its closed form", m["closed_form_error"][name], 1e-6)
            for name in LAWS]  # fmt: skip


def presliding_loops(p: SimpleNamespace, name: str) -> Curve:
    """Friction force in N over the way, in break-away ways of each law."""
    way = break_away_way(p, name)
    place, speed, h = swing(tuple(way * c for c in CORNERS), 1.0, LEG)
    return Curve(place[::2] / way, force_along(row_of(p, name), place, speed, h), LEG * (len(CORNERS) - 1))


def _area(c: Curve, first: int, last: int) -> float:
    """Area that the curve encloses between two corners."""
    x, y = c.x[first * LEG : last * LEG + 1], c.y[first * LEG : last * LEG + 1]
    return float(np.sum(0.5 * (y[1:] + y[:-1]) * np.diff(x)))


def _measure_presliding(p: SimpleNamespace, curves: Curves) -> Metrics:
    last, end = 2 * MINOR + 1, len(CORNERS) - 1
    return {
        "minor_gap": {name: float(abs(c.y[3 * LEG] - c.y[LEG])) for name, c in curves.items()},
        "minor_area": {name: _area(c, last - 2, last) for name, c in curves.items()},
        "major_area": {name: _area(c, end - 2, end) for name, c in curves.items()},
        "force_at_minor_corner": {name: float(c.y[LEG]) for name, c in curves.items()},
    }


def _check_presliding(p: SimpleNamespace, m: Metrics) -> list[Check]:
    return [
        below("first minor loop of the anchor closes to", m["minor_gap"]["anchored"], 1e-9 * p.f_s, "N"),
        below("it is elastic: heat per break-away way", abs(m["minor_area"]["anchored"]), 1e-3 * p.f_s, "N"),
        above("first minor loop of LuGre stays open by", m["minor_gap"]["lugre"], 1e-2 * p.f_s, "N"),
        above("its last one has heat per break-away way", m["minor_area"]["lugre"], 1e-2 * p.f_s, "N"),
        above("the anchor's loop with sliding has heat per break-away way", m["major_area"]["anchored"], p.f_c, "N"),
    ]


def frictional_lag(p: SimpleNamespace, name: str) -> Curve:
    """Friction force in N over a speed in m/s that swings without turning back; the last period."""
    n = 4000
    half = np.arange(2 * n * PERIODS + 1) * 0.5 / (FREQUENCY * n)
    phase = 2.0 * np.pi * FREQUENCY * half
    place = MEAN * half - SWING * np.cos(phase) / (2.0 * np.pi * FREQUENCY)
    speed = MEAN + SWING * np.sin(phase)
    force = force_along(row_of(p, name, "coarse"), place, speed, 1.0 / (FREQUENCY * n))
    keep = slice(n * (PERIODS - 1), None, 10)
    return Curve(speed[::2][keep], force[keep], n * PERIODS)


def lag_width(c: Curve) -> float:
    """Largest force in N by which speeding up is above slowing down at the same speed."""
    rising = np.gradient(c.x) > 0.0
    up, down = np.argsort(c.x[rising]), np.argsort(c.x[~rising])
    at = np.linspace(MEAN - 0.95 * SWING, MEAN + 0.95 * SWING, 200)
    gap = np.interp(at, c.x[rising][up], c.y[rising][up]) - np.interp(at, c.x[~rising][down], c.y[~rising][down])
    return float(gap[np.argmax(np.abs(gap))])


def _measure_lag(p: SimpleNamespace, curves: Curves) -> Metrics:
    return {"width": {name: lag_width(c) for name, c in curves.items()}}


def _check_lag(p: SimpleNamespace, m: Metrics) -> list[Check]:
    return [
        above("lag of the filtered power law", m["width"]["power"], 1e-2 * p.f_c, "N"),
        above("lag of LuGre", m["width"]["lugre"], 1e-3 * p.f_c, "N"),
        below("the anchor has none in sliding", abs(m["width"]["anchored"]), 1e-4 * p.f_c, "N"),
    ]


CASES = {
    "stribeck": Case(
        "Stribeck curve", "speed in m/s", "friction in N", stribeck_curve, _measure_stribeck, _check_stribeck, log=True
    ),
    "presliding": Case(
        "presliding: minor loop", "way in break-away ways", "friction in N", presliding_loops,
        _measure_presliding, _check_presliding,
    ),
    "lag": Case(
        "frictional lag", "speed in mm/s", "friction in N", frictional_lag, _measure_lag, _check_lag, (1e3, 1.0)
    ),
}  # fmt: skip
