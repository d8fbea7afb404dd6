"""Forces of everything on the load at one state, in one call: contact tables, joints, and the energy book."""

from __future__ import annotations

from typing import Any

import numpy as np
from numba import njit, types

from ...sealed import sealed
from ..contact.addresses import doubles, integers
from ..contact.contact_kernel import close_books, contact_forces
from ..contact.last_step import keep_step
from ..joint.joint_kernel import joint_forces
from . import step_kernel as step

Array = Any


@sealed(types.int64(types.int64[::1], types.float64, types.boolean, types.boolean))
def start_forces(directory: Array, since: float, commit: bool, once: bool) -> int:
    """Write the forces at the state in a directory, see `step_kernel`, to its LOAD; a commit writes memories and book.

    Args:
        since: time in s since the last commit. once: whether forces are evaluated once per step, at its start.

    Returns:
        The number of the first body whose generalised force is not finite, or -1.
    """
    x = doubles(directory, step.STATE)
    w = doubles(directory, step.SPEEDS)
    q = doubles(directory, step.LOAD)
    totals = doubles(directory, step.SUMS)
    kept = doubles(directory, step.KEPT)
    r = doubles(directory, step.ROTATIONS).reshape(w.size // 6, 3, 3)
    for i in range(q.size):
        q[i] = 0.0
    for i in range(totals.size):
        totals[i] = 0.0
    past = kept[: x.size + w.size]
    nothing = np.empty(0)
    for number in range(step.CONTACT_TABLES):
        at = step.FIRST_TABLE + step.PER_TABLE * number
        if integers(directory, at).size > 0:
            contact_forces(
                x, w, r, integers(directory, at), doubles(directory, at + 1), doubles(directory, at + 2),
                doubles(directory, at + 3), since, commit, once, q, totals, nothing, past,
            )  # fmt: skip
    if integers(directory, step.JOINTS).size > 0:
        joint_forces(
            x, w, r, integers(directory, step.JOINTS), doubles(directory, step.JOINT_SHAPES),
            doubles(directory, step.JOINT_LAWS), doubles(directory, step.JOINT_MEMORIES), since, commit, once, q,
            totals, nothing, past,
        )  # fmt: skip
    body = close_books(q, w, totals, since, commit, once, kept, doubles(directory, step.LEDGER))
    if commit and once:
        keep_step(kept, x, w, q)
    return body


@njit(types.int64(types.int64[::1], types.float64, types.boolean, types.boolean), cache=True, error_model="numpy")
def forces_at_start(directory: Array, since: float, commit: bool, once: bool) -> int:
    """`start_forces` for Python."""
    return start_forces(directory, since, commit, once)
