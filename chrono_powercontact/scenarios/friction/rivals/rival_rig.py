"""A rig for rivals: it prescribes a speed and measures the friction, or loads a mass and lets it move.

Each law advances its memory exactly over a step of constant speed, so a first-order scheme with short steps is enough.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ....errors import DivergedError
from ....kernel import kernel
from .rival_friction import KARNOPP, PARTS, Rival, rival_force

Vector = NDArray[np.float64]


class RigRun(NamedTuple):
    """What a loaded mass did at the end of each step: position in m, speed in m/s, friction force in N."""

    x: Vector
    v: Vector
    friction: Vector


@kernel
def _driven(rival: Rival, speed: Any, h: float, force: Any) -> None:
    memory = np.zeros(2 * PARTS)
    for n in range(speed.size):
        force[n] = rival_force(rival, speed[n], 0.0, h, memory)


@kernel
def _loaded(rival: Rival, mass: float, dashpot: float, load: Any, h: float, out: Any) -> None:
    """A mass under a load; rows of x, v, friction."""
    memory = np.zeros(2 * PARTS)
    x = 0.0
    v = 0.0
    friction = 0.0
    for n in range(load.size):
        applied = load[n] - dashpot * v
        v += h * (applied - friction) / mass
        if rival.law.kind == KARNOPP and abs(v) < rival.law.band and abs(applied) <= rival.law.f_s:
            v = 0.0
        x += h * v
        friction = rival_force(rival, v, applied, h, memory)
        out[0, n] = x
        out[1, n] = v
        out[2, n] = friction


def driven_force(rival: Rival, speed: Vector, step: float) -> Vector:
    """Friction force in N at the end of each step of a prescribed speed in m/s."""
    force = np.zeros(speed.size)
    _driven(rival, np.ascontiguousarray(speed, float), step, force)
    return force


def loaded_rig(rival: Rival, mass: float, load: Vector, step: float, dashpot: float = 0.0) -> RigRun:
    """A mass in kg from rest under a load in N; a dashpot in N s/m, if given, stops it from ringing."""
    out = np.zeros((3, load.size))
    _loaded(rival, mass, dashpot, np.ascontiguousarray(load, float), step, out)
    if not np.all(np.isfinite(out)):
        raise DivergedError(f"the rig is no longer finite with a step of {step:g} s: use a smaller step")
    return RigRun(*out)
