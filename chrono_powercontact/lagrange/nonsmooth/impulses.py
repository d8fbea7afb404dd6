"""The contact impulses of one step: prox iterations (3.15), and strategies in place of the tangential one.

Inner loops run over normal and tangential impulses in turn, an outer loop over both. Errata E4 to E6 of the digest are
followed: the increment just computed decides, and a loop that converges in its last pass has converged.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from ...kernel import kernel
from ...setvalued.choices import bilateral_forces, hand_over, least_forces
from ...setvalued.delassus import global_r_factor
from ...setvalued.lemke import friction_problem
from ...setvalued.prox import prox_normal, prox_tangential
from ..equations import Terms, evaluate_terms
from .moreau_layout import (
    COMPLIANCE,
    GAUSS,
    HANDED,
    LEMKE,
    MIN1,
    MIN3,
    PINV,
    PROX,
    Choice,
    Flags,
    Mechanism,
    Step,
)

Array = Any

PUSH, DRAG = range(2)
"""Kinds of sweeps: over normal and over tangential impulses."""


@kernel
def gather_rows(out: Terms, contacts: Array, rows: Array) -> None:
    """Directions of all contact forces, in the order of the force vector."""
    for i in range(contacts.size):
        c = contacts[i]
        for k in range(c.size):
            rows[c.row + k] = out.slip_jac[c.slip + k]
        rows[c.row + c.size] = out.jac[i]


@kernel
def gather_rates(out: Terms, contacts: Array, rates: Array) -> None:
    """Velocities of all contacts, in the order of the force vector."""
    for i in range(contacts.size):
        c = contacts[i]
        for k in range(c.size):
            rates[c.row + k] = out.slip[c.slip + k]
        rates[c.row + c.size] = out.s_dot[i]


@kernel
def end_state(m: Mechanism, step: Step, impulses: Array) -> tuple[Array, Array]:
    """Coordinates and velocities at the end of the step under some impulses (3.12), (3.14)."""
    u = step.free + step.inverse @ (step.rows.T @ impulses)
    evaluate_terms(m.terms, step.end, step.base, u, m.parameters, m.out)
    return step.base + step.reach * m.out.q_dot, u


@kernel
def end_rates(m: Mechanism, step: Step, impulses: Array, rates: Array) -> None:
    """Velocities of the contacts at the end of the step."""
    q, u = end_state(m, step, impulses)
    evaluate_terms(m.terms, step.end, q, u, m.parameters, m.out)
    gather_rates(m.out, m.contacts, rates)


@kernel
def push_contact(c: Any, is_open: bool, r: Array, rates: Array, impulses: Array) -> None:
    """Prox of a normal impulse (3.15)."""
    n = c.row + c.size
    impulses[n] = 0.0 if is_open else prox_normal(impulses[n] - r[n] * rates[n])


@kernel
def drag_contact(c: Any, r: Array, rates: Array, impulses: Array) -> None:
    """Prox of a tangential impulse (3.15)."""
    part = impulses[c.row : c.row + c.size]
    for k in range(c.size):
        part[k] -= r[c.row + k] * rates[c.row + k]
    prox_tangential(part, c.mu * impulses[c.row + c.size])


@kernel
def sweep(m: Mechanism, step: Step, r: Array, impulses: Array, kind: int, one_by_one: int) -> None:
    """One pass over the normal or tangential impulses; all at once (Jacobi) or one after the other (Gauss-Seidel)."""
    rates = np.zeros(impulses.size)
    end_rates(m, step, impulses, rates)
    for i in range(m.contacts.size):
        if one_by_one != 0 and i > 0:
            end_rates(m, step, impulses, rates)
        if kind == PUSH:
            push_contact(m.contacts[i], step.open[i], r, rates, impulses)
        else:
            drag_contact(m.contacts[i], r, rates, impulses)


@kernel
def inner_loop(
    m: Mechanism, step: Step, settings: Any, r0: Array, impulses: Array,
    kind: int,
) -> tuple[bool, int]:  # fmt: skip
    """Sweeps until the impulses stand still, with smaller r-factors where they do not (C.12); whether, and how many."""
    r = r0.copy()
    begin = impulses.copy()
    passes = 0
    for _ in range(settings.restarts):
        impulses[:] = begin
        change = np.zeros(impulses.size)
        for _ in range(settings.inner):
            before = impulses.copy()
            sweep(m, step, r, impulses, kind, settings.gauss_seidel)
            passes += 1
            change = np.abs(impulses - before)
            if change.max() <= settings.increment:
                return True, passes
        for i in range(r.size):
            if change[i] > settings.increment:
                r[i] *= settings.reduction
    return False, passes


@kernel
def tangential_parts(contacts: Array, impulses: Array, flags: Flags, dt: float) -> tuple[Array, Array, Array]:
    """Components of friction that one may choose, and their bounds in N; a sliding contact leaves no choice."""
    count = 0
    for i in range(contacts.size):
        count += contacts[i].size
    where = np.zeros(count, np.int64)
    low = np.zeros(count)
    high = np.zeros(count)
    at = 0
    for i in range(contacts.size):
        c = contacts[i]
        limit = c.mu * impulses[c.row + c.size] / dt
        for k in range(c.size):
            where[at] = c.row + k
            low[at] = -limit
            high[at] = limit
            if flags.sticking[i] == 0.0:
                low[at] = -np.sign(flags.slip[c.row + k]) * limit
                high[at] = low[at]
            at += 1
    return where, low, high


@kernel
def weights_of(strategy: int, inverse: Array, selected: Array) -> Array:
    """Square root of the weights of generalised forces in a functional (Table 4.2)."""
    if strategy == MIN1:
        return inverse
    if strategy == GAUSS:
        return np.ascontiguousarray(np.linalg.cholesky(inverse).T)
    if strategy == MIN3:
        return np.diag(np.sqrt(selected))
    return np.eye(len(inverse))


@kernel
def least_acceleration(
    contacts: Array, step: Step, settings: Any, choice: Choice, flags: Flags, impulses: Array
) -> None:
    """Tangential impulses of the least acceleration, among those of the least secondary criterion."""
    dt = settings.step
    where, low, high = tangential_parts(contacts, impulses, flags, dt)
    rest = step.force.copy()
    for i in range(contacts.size):
        n = contacts[i].row + contacts[i].size
        rest += step.rows[n] * impulses[n] / dt
    weight = weights_of(settings.strategy, step.inverse, choice.selected)
    a = np.zeros((rest.size, where.size))
    for k in range(where.size):
        a[:, k] = weight @ step.rows[where[k]]
    compliance = np.eye(where.size)
    bias = np.zeros(where.size)
    if settings.strategy == COMPLIANCE:
        compliance = choice.compliance
        bias = choice.bias
    found = least_forces(a, -(weight @ rest), compliance, bias, low, high)
    for k in range(where.size):
        impulses[where[k]] = found[k] * dt


@kernel
def bilateral(contacts: Array, step: Step, settings: Any, choice: Choice, flags: Flags, impulses: Array) -> None:
    """Tangential impulses of the pseudoinverse, clamped (Fig. C.5), or with what was lost handed over."""
    dt = settings.step
    where, low, high = tangential_parts(contacts, impulses, flags, dt)
    g = step.rows @ step.inverse @ step.rows.T
    forces = bilateral_forces(g, step.drive, choice.scale)[where]
    if settings.strategy == HANDED:
        hand_over(forces, high)
    for k in range(where.size):
        impulses[where[k]] = min(max(forces[k], low[k]), high[k]) * dt


@kernel
def by_lemke(m: Mechanism, step: Step, impulses: Array) -> bool:
    """Impulses of all closed contacts by Lemke's method; whether they were found."""
    rates = np.zeros(impulses.size)
    none = np.zeros(impulses.size)
    end_rates(m, step, none, rates)
    g = step.rows @ step.inverse @ step.rows.T
    for i in range(m.contacts.size):
        if step.open[i]:
            for k in range(m.contacts[i].size + 1):
                rates[m.contacts[i].row + k] = 1e9
    found, z = friction_problem(g, rates, m.contacts["row"], m.contacts["size"], m.contacts["mu"])
    impulses[:] = z
    return found


@kernel
def tangential(
    m: Mechanism, step: Step, settings: Any, r: Array, impulses: Array,
    choice: Choice, flags: Flags,
) -> tuple[bool, int]:  # fmt: skip
    """The tangential impulses by the chosen strategy; with an open contact they are unique, and prox finds them."""
    strategy = settings.strategy
    if strategy == PROX or step.open.any():
        return inner_loop(m, step, settings, r, impulses, np.int64(DRAG))
    if strategy in (PINV, HANDED):
        bilateral(m.contacts, step, settings, choice, flags, impulses)
    else:
        least_acceleration(m.contacts, step, settings, choice, flags, impulses)
    return True, 0


@kernel
def find_impulses(
    m: Mechanism, step: Step, settings: Any, choice: Choice, flags: Flags,
    impulses: Array,
) -> tuple[bool, int, int]:  # fmt: skip
    """The impulses of a step, from those given; whether they converged, outer and inner iterations."""
    if settings.strategy == LEMKE:
        return by_lemke(m, step, impulses), 1, 0
    r = global_r_factor(step.rows @ step.inverse @ step.rows.T) * np.ones(impulses.size)
    if settings.strategy == PROX:
        r = r * choice.scale
    passes = 0
    for u in range(settings.outer):
        before = impulses.copy()
        good, more = inner_loop(m, step, settings, r, impulses, np.int64(PUSH))
        passes += more
        if not good:
            return False, u + 1, passes
        good, more = tangential(m, step, settings, r, impulses, choice, flags)
        passes += more
        if not good:
            return False, u + 1, passes
        if np.abs(impulses - before).max() <= settings.increment:
            return True, u + 1, passes
    return False, settings.outer, passes
