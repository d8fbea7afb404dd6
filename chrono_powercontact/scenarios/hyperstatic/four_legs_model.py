"""A table on four legs: reference model, run, and the force ranges of a rigid table."""

from __future__ import annotations

from dataclasses import replace
from functools import cache

import numpy as np
import sympy as sp

from ...errors import NoFeasibleForceError
from ...lagrange.model import TIME, ContactPoint, Model, coordinates, rate, velocities
from ...lagrange.system import System
from ...progress import Progress
from ...setvalued.contact_set import contact_set, touching
from ...setvalued.ranges import ForceRanges, ranges_of
from ...trajectory import Trajectory
from ..constants import GRAVITY
from ..timing import timed_run
from .four_legs_statics import LEGS, FourLegsParameters, moment, resting, statics


@cache
def table() -> Model:
    """A table of mass m with moments of inertia j about all axes, legs at half a side w, centre of mass h above them.

    It is pulled along x at its centre of mass by a force that grows evenly in time. The pull loads the front legs, one
    on each diagonal: where their friction differs, the table turns about the vertical as it slides.
    """
    q = coordinates("x y z roll pitch yaw")
    x, y, z, roll, pitch, yaw = q
    p = sp.symbols("m j w h g rate lack", real=True)
    m, j, w, h, g, rise, lack = p
    vx, vy, vz, rolling, pitching, yawing = velocities(q)
    turned = sp.rot_axis3(-yaw) * sp.rot_axis1(-roll) * sp.rot_axis2(-pitch)
    feet = []
    for i, (along, across) in enumerate(LEGS):
        arm = turned * sp.Matrix([along * w, across * w, (lack if i == 0 else 0) - h])
        feet.append(ContactPoint(f"{i + 1}", z + arm[2], (rate(x + arm[0], q), rate(y + arm[1], q))))
    spin = rolling**2 + pitching**2 + yawing**2 + 2 * yawing * pitching * sp.sin(roll)
    kinetic = m * (vx**2 + vy**2 + vz**2) / 2 + j * spin / 2
    return Model("four_legs", q, kinetic, m * g * z, p, {x: rise * TIME}, tuple(feet))


def table_system(p: FourLegsParameters) -> System:
    """The model with its numbers."""
    numbers = {
        "m": p.mass, "j": moment(p), "w": 0.5 * p.side, "h": p.height, "g": GRAVITY,
        "rate": p.pull / p.time, "lack": p.short,
    }  # fmt: skip
    return System(table(), numbers, {f"{i}": p.leg(i) for i in range(1, 5)})


def run_table(p: FourLegsParameters, progress: Progress) -> Trajectory:
    """The table from rest, with contact forces on it."""
    statics(p)
    system = table_system(p)
    run = timed_run(system, system.state(resting(p), np.zeros(6)), p, progress)
    forces = [run[f"F_{i}"] for i in range(1, 5)] + [-run[f"Ft_{i}_x"] for i in range(1, 5)]
    names = [f"N_{i}" for i in range(1, 5)] + [f"T_{i}" for i in range(1, 5)]
    return replace(run, names=(*run.names, *names), data=np.column_stack([run.data, *forces]))


GUIDE = np.eye(6)[[5]]
"""Row of a joint that keeps the table from turning about the vertical."""


def table_ranges(p: FourLegsParameters, pull: float, guided: bool = False) -> ForceRanges:
    """Bounds of the forces of a rigid table at rest under a pull in N; guided, it has friction along the pull only."""
    legs = []
    width = 0.5 * p.side
    for i, (along, across) in enumerate(LEGS):
        arm = np.array((along * width, across * width, -p.height))
        rows = [np.concatenate([axis, np.cross(arm, axis)]) for axis in np.eye(3)]
        legs.append(touching(f"{i + 1}", rows[2], rows[:1] if guided else rows[:2], p.mu_b if i % 2 else p.mu_a))
    return ranges_of(contact_set(legs, (-pull, 0.0, p.weight(), 0.0, 0.0, 0.0), GUIDE if guided else ()))


def last_feasible_pull(p: FourLegsParameters, guided: bool = False) -> float:
    """The largest pull in N under which any admissible force keeps a rigid table at rest, by bisection."""
    low = 0.0
    high = 2.0 * p.weight() * max(p.mu_a, p.mu_b)
    while high - low > 1e-4 * p.weight():
        middle = 0.5 * (low + high)
        try:
            table_ranges(p, middle, guided)
            low = middle
        except NoFeasibleForceError:
            high = middle
    return 0.5 * (low + high)
