"""The compiled half of the reference engine: what Python calls to evaluate, record and integrate any model.

The functions are compiled once for all models; a model enters as the pointer to its kernel `terms`. Entry kernels are
flat, because a structure costs microseconds to hand over from Python and nothing inside.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numba import njit, types

from ..kernel import inlined
from ..laws.normal.normal_table import normal_potential
from ..numerics.copying import put
from ..numerics.finite import all_finite
from ..numerics.rk4 import REACH, STAGES, WEIGHT, Rk4Room, rk4_add, rk4_finish, rk4_room_like, rk4_stage
from .anchored_points import commit_anchors
from .codegen import KINETIC, POTENTIAL, SIGNATURE
from .equations import SystemData, Work, derivative, system_data, workspace, workspace_like
from .layout import ARGUMENT_TYPES, MATRIX, VECTOR, record_columns, split_state

Array = Any

TERMS = types.FunctionType(eval(SIGNATURE, {"types": types}))
SYSTEM = (TERMS, types.float64, VECTOR, *ARGUMENT_TYPES)
"""Types that every entry kernel begins with: model kernel, time, state, and the system's arguments."""


@inlined
def record(t: float, x: Array, system: SystemData, work: Work, row: Array) -> None:
    """Write time, state, distances, normal forces, slip forces, kinetic, potential and stored energy."""
    terms = work.terms
    at = record_columns(x.size, system.sizes)
    stored = work.loose[0]
    for c in range(terms.s.size):
        contact = work.contacts[c]
        row[at.distances + c] = terms.s[c]
        row[at.normal_forces + c] = contact.force
        stored += normal_potential(system.normal[c], terms.s[c] - contact.psi)
    row[at.time] = t
    put(x, row[at.state : at.distances])
    put(work.friction.force, row[at.slip_forces : at.kinetic])
    row[at.kinetic] = terms.energy[KINETIC]
    row[at.potential] = terms.energy[POTENTIAL]
    row[at.stored] = stored


@inlined
def resolved_rates(system: SystemData, t: float, x: Array, work: Work, dx: Array) -> bool:
    """dx/dt with the anchors' own rates; False where the mass matrix is not positive definite."""
    return derivative(system, t, x, work, split_state(x, system.sizes).memory, True, dx)


@njit(types.boolean(*SYSTEM, VECTOR, VECTOR), cache=True, error_model="numpy")
def evaluate(
    terms: Any, t: float, x: Array, p: Array, sizes: Array,
    normal: Array, points: Array, friction: Array, filters: Array, mode: int, dx: Array, row: Array,
) -> bool:  # fmt: skip
    """dx/dt and the record of one state; False where the mass matrix is not positive definite."""
    system = system_data(terms, p, sizes, normal, points, friction, filters, mode)
    work = workspace(system.sizes)
    regular = resolved_rates(system, t, x, work, dx)
    record(t, x, system, work, row)
    return regular


@inlined
def add_loads(contacts: Array, stage: int) -> None:
    """Add the forces of a stage to their means over the step."""
    weight = WEIGHT[stage]
    for c in range(contacts.size):
        contact = contacts[c]
        if stage == 0:
            contact.mean_force = 0.0
            contact.mean_surplus = 0.0
        contact.mean_force += weight * contact.force
        contact.mean_surplus += weight * contact.surplus


@inlined
def rk4_step(
    system: SystemData, t: float, h: float, x: Array, work: Work, room: Rk4Room, before: Array, row: Array
) -> bool:  # fmt: skip
    """Advance x by a step; False where it cannot be evaluated.

    Args:
        before: memory at the start of the step. row: becomes the record of the start, where it has room.
    """
    for stage in range(STAGES):
        rk4_stage(room, x, stage, h)
        if not derivative(system, t + REACH[stage] * h, room.point, work, before, False, room.rate):
            return False
        if stage == 0 and row.size > 0:
            record(t, x, system, work, row)
        rk4_add(room, stage)
        if system.anchored:
            add_loads(work.contacts, stage)
    rk4_finish(room, x, h)
    if system.anchored:
        state = split_state(x, system.sizes)
        commit_anchors(system, work.contacts, work.terms.slip, before, state.memory, state.ledger)
    return True


@inlined
def rk4_march(system: SystemData, t: float, x: Array, h: float, first: int, every: int, rows: Array) -> int:
    """See `rk4`; with floats or with dual numbers."""
    work = workspace_like(x, system.sizes)
    room = rk4_room_like(x)
    before = np.zeros(split_state(x, system.sizes).memory.size, x.dtype)
    put(split_state(x, system.sizes).memory, before)
    for r in range(rows.shape[0]):
        if not all_finite(x):
            return r
        for i in range(every):
            now = t + (first + r * every + i) * h
            row = rows[r] if i == 0 else rows[r, :0]
            if not rk4_step(system, now, h, x, work, room, before, row):
                return r
    return int(rows.shape[0])


@njit(types.int64(*SYSTEM, types.float64, types.int64, types.int64, MATRIX), cache=True, error_model="numpy")
def rk4(
    terms: Any, t: float, x: Array, p: Array, sizes: Array,
    normal: Array, points: Array, friction: Array, filters: Array, mode: int,
    h: float, first: int, every: int, rows: Array,
) -> int:  # fmt: skip
    """Classical RK4 from step number `first`, one record before each `every` steps; returns the records written.

    The state x is advanced in place. Stops early, with fewer records, where the state is no longer finite.
    """
    system = system_data(terms, p, sizes, normal, points, friction, filters, mode)
    return rk4_march(system, t, x, h, first, every, rows)
