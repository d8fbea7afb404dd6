"""How often an alarm would go off for nothing, from the highest signals of many sound legs.

The largest value of a long stretch of time has a Gumbel distribution where the signal's own tail falls like that of
noise. Its tail beyond the limit tells what counting cannot: no alarm in a day only says that there are fewer than three
a day (95 %).
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence

import numpy as np

from .alarms import LIMITS

DAY = 86400.0
ENOUGH = 10
"""Legs from which on a distribution is fitted."""

ALIVE = 1e-6
"""A signal whose highest values are all below this fraction of its limit says nothing, and needs no fit."""


def tail_beyond(highest: Sequence[float], limit: float) -> float:
    """Probability that the highest value of one more stretch exceeds a limit, by Gumbel's distribution."""
    from scipy.stats import gumbel_r

    values = np.asarray(highest)
    if np.ptp(values) == 0.0:
        return float(values[0] > limit)
    place, scale = gumbel_r.fit(values)
    return float(gumbel_r.sf(limit, place, scale))


def expected_per_day(highest: Mapping[str, Sequence[float]], time: float) -> float:
    """Alarms expected in a day of sound legs that were watched in stretches of so many seconds; nan for too few."""
    total = 0.0
    for name, values in highest.items():
        alive = [value for value in values if value > ALIVE * LIMITS[name]]
        if not alive:
            continue
        if len(alive) < ENOUGH:
            return math.nan
        total += tail_beyond(alive, LIMITS[name]) * len(alive) / len(values)
    return total * DAY / time
