"""How the gap of a solid bends as its bodies roll: what a step needs beyond the speed of the contact point."""

from __future__ import annotations

from typing import Any

import numpy as np
from numba import from_dtype, types

from ....kernel import kernel
from ....numerics.vectors import Triple, cross, dot, minus, times
from ....sealed import sealed
from ..bodies import angular, position
from ..records import ELEMENT, GEOMETRY
from .probes import STATES, TURNS, locate_solid

Array = Any


@kernel
def turn_body(r: Array, body: int, turning: Triple, h: float) -> None:
    """Turn the rotation matrix of a body by a world angular velocity in rad/s over a time in s (Rodrigues)."""
    rate = np.sqrt(dot(turning, turning))
    if rate == 0.0:
        return
    k = times(1.0 / rate, turning)
    c = np.cos(rate * h)
    s = np.sin(rate * h)
    for j in range(3):
        v = (r[body, 0, j], r[body, 1, j], r[body, 2, j])
        u = cross(k, v)
        along = dot(k, v) * (1.0 - c)
        for i in range(3):
            r[body, i, j] = c * v[i] + s * u[i] + along * k[i]


@sealed(types.float64(STATES, TURNS, STATES, from_dtype(ELEMENT), from_dtype(GEOMETRY), types.float64))
def roll_bend(x: Array, r: Array, w: Array, element: Any, g: Any, h: float) -> float:
    """Change of the gap in m over a step h as both bodies turn with packed velocities w, beyond its first order."""
    gap, nx, ny, nz, px, py, pz, _ = locate_solid(x, r, element, g)
    p = (px, py, pz)
    turning_a = angular(r, w, element.a)
    turning_b = angular(r, w, element.b)
    on_a = cross(turning_a, minus(p, position(x, element.a)))
    on_b = cross(turning_b, minus(p, position(x, element.b)))
    kept_a = r[element.a].copy()
    kept_b = r[element.b].copy()
    turn_body(r, element.a, turning_a, h)
    turn_body(r, element.b, turning_b, h)
    later = locate_solid(x, r, element, g)[0]
    r[element.a] = kept_a
    r[element.b] = kept_b
    return later - gap - h * dot((nx, ny, nz), minus(on_a, on_b))
