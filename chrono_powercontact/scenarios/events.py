"""Episodes in recorded signals: contacts, slips, rests."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

Signal = NDArray[np.float64]


def episodes(t: Signal, x: Signal) -> Signal:
    """Begin and end of each stretch with x > 0, one row each; crossings are interpolated between records."""
    inside = x > 0.0
    edges = np.flatnonzero(inside[1:] != inside[:-1])
    share = x[edges] / (x[edges] - x[edges + 1])
    times = t[edges] + share * (t[edges + 1] - t[edges])
    marks = [*([t[0]] if inside[0] else []), *times, *([t[-1]] if inside[-1] else [])]
    return np.array(marks).reshape(-1, 2)


def settled_since(t: Signal, x: Signal, limit: float) -> float | None:
    """Time from which |x| stays below a limit until the end; None where it never does."""
    loud = np.flatnonzero(np.abs(x) >= limit)
    if loud.size == 0:
        return float(t[0])
    return float(t[loud[-1] + 1]) if loud[-1] + 1 < t.size else None


def values_at(t: Signal, x: Signal, times: Signal) -> list[float]:
    """Linearly interpolated values of a signal."""
    return [float(v) for v in np.interp(times, t, x)]
