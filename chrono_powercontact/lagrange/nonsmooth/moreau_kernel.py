"""Moreau's midpoint rule (3.12)-(3.14) in compiled code: steps, flags, projection, records."""

from __future__ import annotations

from typing import Any

import numpy as np
from numba import njit, types

from ...kernel import kernel
from ..codegen import KINETIC, POTENTIAL
from ..engine import TERMS
from ..equations import empty_terms, evaluate_terms
from ..layout import INTEGERS, MATRIX, VECTOR, sizes_of
from .impulses import end_state, find_impulses, gather_rates, gather_rows
from .moreau_layout import CONTACTS, HANDED, PINV, SETTING, Choice, Flags, Mechanism, Step

Array = Any


@kernel
def is_open(m: Mechanism, gap: float) -> Array:
    """Whether each contact is open by more than a tolerance in m, at the terms of the mechanism."""
    found = np.zeros(m.contacts.size, np.bool_)
    for i in range(found.size):
        found[i] = m.out.s[i] - m.contacts[i].closed_at > gap
    return found


@kernel
def rows_now(m: Mechanism, count: int) -> Array:
    """Directions of all contact forces at the terms of the mechanism."""
    rows = np.zeros((count, m.out.bias.size))
    gather_rows(m.out, m.contacts, rows)
    return rows


@kernel
def contact_drive(m: Mechanism, t: float, q: Array, u: Array, step: tuple[Array, Array, Array, float]) -> Array:
    """Accelerations of the contacts without their forces, W^T M^-1 h + w, with w from a difference over the step."""
    rows, inverse, force, dt = step
    evaluate_terms(m.terms, t, q, u, m.parameters, m.out)
    before = np.zeros(len(rows))
    gather_rates(m.out, m.contacts, before)
    evaluate_terms(m.terms, t, q + dt * m.out.q_dot, u, m.parameters, m.out)
    after = np.zeros(len(rows))
    gather_rates(m.out, m.contacts, after)
    return rows @ (inverse @ force) + (after - before) / dt


@kernel
def midpoint_step(m: Mechanism, t: float, q: Array, u: Array, count: int, settings: Any) -> Step:
    """What Moreau's rule takes from the middle of the step (3.13)."""
    dt = settings.step
    evaluate_terms(m.terms, t, q, u, m.parameters, m.out)
    middle = q + 0.5 * dt * m.out.q_dot
    evaluate_terms(m.terms, t + 0.5 * dt, middle, u, m.parameters, m.out)
    rows = rows_now(m, count)
    inverse = np.ascontiguousarray(np.linalg.inv(m.out.mass))
    force = -m.out.bias
    gone = is_open(m, settings.gap)
    drive = np.zeros(count)
    if settings.strategy in (PINV, HANDED):
        drive = contact_drive(m, t + 0.5 * dt, middle, u, (rows, inverse, force, dt))
    return Step(t + dt, middle, 0.5 * dt, u + inverse @ (force * dt), inverse, rows, force, gone, drive)


@kernel
def flag_contacts(m: Mechanism, flags: Flags, settings: Any, closed: Array) -> None:
    """Closed contacts (D.2), sticking ones (D.3) and sliding velocities at the terms of the mechanism."""
    gone = is_open(m, settings.gap)
    rates = np.zeros(flags.slip.size)
    gather_rates(m.out, m.contacts, rates)
    for i in range(gone.size):
        c = m.contacts[i]
        now = rates[c.row : c.row + c.size]
        before = flags.slip[c.row : c.row + c.size]
        slow = np.sqrt((now * now).sum()) <= settings.speed
        closed[i] = 0.0 if gone[i] else 1.0
        flags.sticking[i] = closed[i] if slow or (now * before).sum() < 0.0 else 0.0
    flags.slip[:] = rates


@kernel
def project(m: Mechanism, t: float, q: Array, u: Array, settings: Any, flags: Flags) -> None:
    """Put closed contacts back on their surfaces, and a body that sticks everywhere to rest (D.4), (D.5).

    Both are the nearest states in the metric of the mass matrix, for any model whose velocities are those of q.
    """
    gone = is_open(m, settings.gap)
    if gone.any():
        return
    inverse = np.linalg.inv(m.out.mass)
    jac = m.out.jac.copy()
    gap = m.out.s - m.contacts["closed_at"]
    q -= inverse @ (jac.T @ (np.linalg.pinv(jac @ inverse @ jac.T, 1e-10) @ gap))
    if flags.sticking.min() > 0.0:
        rows = rows_now(m, flags.slip.size)
        u -= inverse @ (rows.T @ (np.linalg.pinv(rows @ inverse @ rows.T, 1e-10) @ (rows @ u)))
    evaluate_terms(m.terms, t, q, u, m.parameters, m.out)


@kernel
def write_record(row: Array, t: float, q: Array, u: Array, m: Mechanism, force: Array, states: Array) -> None:
    """Time, state, distances, contact forces, flags and iterations, energies; see `moreau.columns_of`."""
    at = 0
    row[at] = t
    at += 1
    for part in (q, u, m.out.s, force, states):
        row[at : at + part.size] = part
        at += part.size
    row[at] = m.out.energy[KINETIC]
    row[at + 1] = m.out.energy[POTENTIAL]


@njit(
    types.int64(
        TERMS, types.float64, VECTOR, VECTOR, VECTOR, INTEGERS, CONTACTS, SETTING,
        VECTOR, VECTOR, VECTOR, MATRIX, VECTOR, types.int64, MATRIX,
    ),
    cache=True,
    error_model="numpy",
)  # fmt: skip
def moreau_run(
    terms: Any, t0: float, q: Array, u: Array, p: Array, sizes: Array, contacts: Array, setting: Array,
    start: Array, scale: Array, selected: Array, compliance: Array, bias: Array, every: int, records: Array,
) -> int:  # fmt: skip
    """Fill the records after the first, one every so many steps; returns how many of them were filled."""
    m = Mechanism(terms, p, contacts, empty_terms(sizes_of(sizes)))
    choice = Choice(start, scale, selected, compliance, bias)
    settings = setting[0]
    count = start.size
    dt = settings.step
    flags = Flags(np.zeros(contacts.size), np.zeros(count))
    states = np.zeros(2 * contacts.size + 2)
    evaluate_terms(terms, t0, q, u, p, m.out)
    flag_contacts(m, flags, settings, states[: contacts.size])
    states[contacts.size : 2 * contacts.size] = flags.sticking
    write_record(records[0], t0, q, u, m, np.zeros(count), states)
    impulses = start.copy()
    for k in range(1, len(records)):
        total = np.zeros(2)
        for j in range(every):
            t = t0 + ((k - 1) * every + j) * dt
            step = midpoint_step(m, t, q, u, count, settings)
            if not settings.warm:
                impulses[:] = start
            good, outer, inner = find_impulses(m, step, settings, choice, flags, impulses)
            total += np.array([float(outer), float(inner)])
            if not good:
                return k
            q_new, u_new = end_state(m, step, impulses)
            q[:] = q_new
            u[:] = u_new
            evaluate_terms(terms, step.end, q, u, p, m.out)
            flag_contacts(m, flags, settings, states[: contacts.size])
            if settings.project:
                project(m, step.end, q, u, settings, flags)
                flag_contacts(m, flags, settings, states[: contacts.size])
        if not (np.all(np.isfinite(q)) and np.all(np.isfinite(u))):
            return k
        states[contacts.size : 2 * contacts.size] = flags.sticking
        states[2 * contacts.size :] = total / every
        write_record(records[k], t0 + k * every * dt, q, u, m, impulses / dt, states)
    return len(records)


@njit(
    types.UniTuple(types.int64, 3)(
        TERMS, types.float64, VECTOR, types.float64, VECTOR, MATRIX, MATRIX, VECTOR, types.boolean[::1],
        VECTOR, INTEGERS, CONTACTS, SETTING, VECTOR, VECTOR,
    ),
    cache=True,
    error_model="numpy",
)  # fmt: skip
def given_step(
    terms: Any, end: float, base: Array, reach: float, free: Array, inverse: Array, rows: Array, force: Array,
    gone: Array, p: Array, sizes: Array, contacts: Array, setting: Array, scale: Array, impulses: Array,
) -> tuple[int, int, int]:  # fmt: skip
    """Impulses by prox iterations for a step that Python has set up; whether found, outer and inner iterations."""
    m = Mechanism(terms, p, contacts, empty_terms(sizes_of(sizes)))
    none = np.zeros(impulses.size)
    step = Step(end, base, reach, free, inverse, rows, force, gone, none)
    choice = Choice(none, scale, none, np.eye(1), none)
    flags = Flags(np.zeros(contacts.size), none.copy())
    good, outer, inner = find_impulses(m, step, setting[0], choice, flags, impulses)
    return int(good), outer, inner
