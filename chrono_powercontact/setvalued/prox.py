"""Proximal points: the nearest admissible force (3.3)-(3.7), for a half-line, an interval and a disc."""

from __future__ import annotations

from typing import Any

import numpy as np

from ..kernel import kernel

Array = Any


@kernel
def prox_normal(x: float) -> float:
    """Nearest force that only pushes (3.4)."""
    return max(x, 0.0)


@kernel
def prox_tangential(x: Array, limit: float) -> None:
    """Move a friction force into its disc, in place (3.6): an interval for one component."""
    length = np.sqrt((x * x).sum())
    if length > limit:
        for i in range(x.size):
            x[i] *= limit / length


@kernel
def clamp(x: float, limit: float) -> float:
    """Nearest number of an interval about zero."""
    return min(max(x, -limit), limit)
