"""Episodes in recorded signals: contacts, slips, rests."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

Signal = NDArray[np.float64]


def episodes(t: Signal, x: Signal, pause: float = 0.0) -> Signal:
    """Begin and end of each stretch with x > 0, one row each; crossings are interpolated between records.

    Stretches that are parted by less than a pause in s count as one.
    """
    inside = x > 0.0
    edges = np.flatnonzero(inside[1:] != inside[:-1])
    share = x[edges] / (x[edges] - x[edges + 1])
    times = t[edges] + share * (t[edges + 1] - t[edges])
    marks = [*([t[0]] if inside[0] else []), *times, *([t[-1]] if inside[-1] else [])]
    found = np.array(marks).reshape(-1, 2)
    apart = np.flatnonzero(found[1:, 0] - found[:-1, 1] >= pause)
    begins, ends = np.concatenate([[0], apart + 1]), np.concatenate([apart, [len(found) - 1]])
    return np.column_stack([found[begins, 0], found[ends, 1]]) if len(found) else found


def settled_since(t: Signal, x: Signal, limit: float) -> float | None:
    """Time from which |x| stays below a limit until the end; None where it never does."""
    loud = np.flatnonzero(np.abs(x) >= limit)
    if loud.size == 0:
        return float(t[0])
    return float(t[loud[-1] + 1]) if loud[-1] + 1 < t.size else None
