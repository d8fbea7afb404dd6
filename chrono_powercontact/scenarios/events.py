"""Episodes in recorded signals: contacts, slips, rests."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

Signal = NDArray[np.float64]


def episodes(t: Signal, x: Signal, pause: float = 0.0) -> Signal:
    """Begin and end in s of each stretch with x > 0, one row each; crossings are interpolated between records.

    Stretches that are separated by less than a pause in s count as one.
    """
    found = _stretches(t, x)
    if not len(found):
        return found
    separate = np.flatnonzero(found[1:, 0] - found[:-1, 1] >= pause)
    begins = np.concatenate([[0], separate + 1])
    ends = np.concatenate([separate, [len(found) - 1]])
    return np.column_stack([found[begins, 0], found[ends, 1]])


def _stretches(t: Signal, x: Signal) -> Signal:
    """Begin and end in s of each stretch with x > 0, one row each."""
    inside = x > 0.0
    edges = np.flatnonzero(inside[1:] != inside[:-1])
    fraction = x[edges] / (x[edges] - x[edges + 1])
    times = t[edges] + fraction * (t[edges + 1] - t[edges])
    marks = list(times)
    if inside[0]:
        marks.insert(0, t[0])
    if inside[-1]:
        marks.append(t[-1])
    return np.array(marks).reshape(-1, 2)


def settled_since(t: Signal, x: Signal, limit: float) -> float | None:
    """Time in s from which |x| stays below a limit until the end; None where it never does."""
    loud = np.flatnonzero(np.abs(x) >= limit)
    if loud.size == 0:
        return float(t[0])
    first_quiet = int(loud[-1]) + 1
    return float(t[first_quiet]) if first_quiet < t.size else None


def largest(x: Signal) -> float:
    """Largest value of a signal, on the parabola through the largest record and its neighbours.

    The largest record alone jumps from one to the next as a parameter varies, so its derivative is that of a sawtooth.
    """
    top = int(np.argmax(x))
    if top in (0, x.size - 1):
        return float(x[top])
    bend = x[top - 1] - 2.0 * x[top] + x[top + 1]
    rise = x[top + 1] - x[top - 1]
    return float(x[top] - rise**2 / (8.0 * bend)) if bend < 0.0 else float(x[top])


def least(x: Signal) -> float:
    """Least value of a signal, see `largest`."""
    return -largest(-x)
