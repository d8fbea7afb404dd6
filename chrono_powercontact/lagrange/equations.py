"""The equations of motion with their contacts and friction, compiled once for all generated models.

M u' + h = sum J^T F: the model's kernel `terms` gives M, h and the directions J, the laws give F. The rates of the
memory and of the ledger follow in the same pass.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from ..kernel import inlined, inner, kernel
from ..laws.friction.anchor import anchor_rate
from ..laws.friction.friction_table import ANCHORED, friction_point, rounded_speed, smooth_pull
from ..laws.friction.memory import memory_rate, opening
from ..laws.normal.normal_table import normal_force
from ..numerics.cholesky import cholesky_solve
from ..numerics.copying import put, put_matrix
from ..numerics.dual.dual_arrays import zero_records
from ..numerics.vectors import triple
from .anchored_points import any_anchor, place_anchors
from .codegen import DRIVE_POWER
from .layout import (
    CONTACT,
    CONTACT_HEAT,
    DRIVE_WORK,
    FRICTION_HEAT,
    HANDED_BACK,
    NO_CONTACT,
    POINT_MEMORY,
    Sizes,
    sizes_of,
    split_state,
)

Array = Any


class SystemData(NamedTuple):
    """A system inside compiled code: the model's kernel, then `Arguments` with the sizes by name.

    `anchored` is whether points keep anchors.
    """

    terms: Any
    parameters: Array
    sizes: Sizes
    normal: Array
    points: Array
    friction: Array
    filters: Array
    mode: int
    anchored: bool


class Terms(NamedTuple):
    """What a model's kernel writes, in the order of its arguments.

    Attributes:
        mass: M. bias: h. q_dot: rates of the coordinates.
        s, s_dot: distance of each contact in m, and its rate. jac: directions of the normal forces, one row each.
        slip: sliding velocities in m/s. slip_jac: directions of the friction forces.
        energy: kinetic and potential energy in J, and the power of the drives in W.
    """

    mass: Array
    bias: Array
    q_dot: Array
    s: Array
    s_dot: Array
    jac: Array
    slip: Array
    slip_jac: Array
    energy: Array


class Friction(NamedTuple):
    """Friction of one evaluation.

    Attributes:
        force: of each slip component in N. pull: along the generalised velocities, in N or N m.
        anchors: stretch of each anchor in m, by slip component.
    """

    force: Array
    pull: Array
    anchors: Array


class Sliding(NamedTuple):
    """What decides friction: the points (see POINT), the record of each one's law, and the contacts that load them."""

    points: Array
    friction: Array
    contacts: Array


class Work(NamedTuple):
    """Arrays of one evaluation.

    Attributes:
        terms: what the model's kernel writes. contacts: one record per contact, see CONTACT. friction: see `Friction`.
        loose: one entry, the energy in J of anchors that belong to no contact.
        factors: the mass matrix as it is being factored.
    """

    terms: Terms
    contacts: Array
    friction: Friction
    loose: Array
    factors: Array


@inner
def system_data(
    terms: Any, p: Array, sizes: Array, normal: Array, points: Array, friction: Array, filters: Array, mode: int
) -> SystemData:  # fmt: skip
    """A system from the flat arguments of an entry kernel."""
    anchored = mode == POINT_MEMORY and any_anchor(friction)
    return SystemData(terms, p, sizes_of(sizes), normal, points, friction, filters, mode, anchored)


@inner
def terms_like(x: Array, sizes: Sizes) -> Terms:
    """Zeros of the kind of x for what a model's kernel writes; it leaves out what is always zero."""
    n_q, n_u, n_c, n_t = sizes
    kind = x.dtype
    return Terms(
        np.zeros((n_u, n_u), kind), np.zeros(n_u, kind), np.zeros(n_q, kind), np.zeros(n_c, kind), np.zeros(n_c, kind),
        np.zeros((n_c, n_u), kind), np.zeros(n_t, kind), np.zeros((n_t, n_u), kind), np.zeros(3, kind),
    )  # fmt: skip


@kernel
def empty_terms(sizes: Sizes) -> Terms:
    """`terms_like` with floats."""
    return terms_like(np.zeros(0), sizes)


@inner
def workspace_like(x: Array, sizes: Sizes) -> Work:
    """Arrays for evaluations of a system of these sizes with numbers of the kind of x: floats or dual numbers."""
    n_u = sizes.n_u
    n_t = sizes.n_t
    kind = x.dtype
    return Work(
        terms_like(x, sizes), zero_records(x, sizes.n_c, CONTACT),
        Friction(np.zeros(n_t, kind), np.zeros(n_u, kind), np.zeros(n_t, kind)),
        np.zeros(1, kind), np.zeros((n_u, n_u), kind),
    )  # fmt: skip


@kernel
def workspace(sizes: Sizes) -> Work:
    """`workspace_like` with floats."""
    return workspace_like(np.zeros(0), sizes)


@inlined
def evaluate_terms(terms: Any, t: float, q: Array, u: Array, p: Array, out: Terms) -> None:
    """Call a model's kernel."""
    terms(
        t, q, u, p, out.mass, out.bias, out.q_dot, out.s, out.s_dot, out.jac, out.slip, out.slip_jac, out.energy
    )  # fmt: skip


@inlined
def push_contacts(
    normal: Array, s: Array, s_dot: Array, jac: Array, contacts: Array, u: Array, resolved: bool, accel: Array
) -> tuple[float, float]:  # fmt: skip
    """Normal forces of all contacts, added to M u'; returns the power in W that they dissipate and that drives put in.

    The law is taken at the distance s - psi: docs/anchored_friction.md.
    """
    heat = 0.0
    drive = 0.0
    for c in range(normal.size):
        contact = contacts[c]
        speed = s_dot[c]
        force, elastic, activation = normal_force(normal[c], s[c] - contact.psi, speed - contact.psi_rate)
        contact.force = force
        contact.surplus = force - elastic
        contact.activation = activation
        heat -= (force - elastic) * (speed - contact.psi_rate * resolved)
        own = 0.0
        for i in range(u.size):
            accel[i] += force * jac[c, i]
            own += jac[c, i] * u[i]
        drive += force * (own - speed)
    return heat, drive


@inlined
def load_on(point: Any, contacts: Array) -> tuple[float, float]:
    """Normal force in N and activation under which a point slides; both 1 where it has no contact."""
    if point.contact == NO_CONTACT:
        return 1.0, 1.0
    contact = contacts[point.contact]
    return contact.force, contact.activation


@inlined
def pull_point(
    point: Any, friction: Array, slip: Array, slip_jac: Array, u: Array, pull: Array
) -> tuple[float, float]:  # fmt: skip
    """Add a point's friction to the generalised forces; returns the power in W that it takes and that drives put in."""
    taken = 0.0
    drive = 0.0
    for j in range(point.first, point.first + point.size):
        own = 0.0
        for i in range(u.size):
            pull[i] += friction[j] * slip_jac[j, i]
            own += slip_jac[j, i] * u[i]
        taken += friction[j] * slip[j]
        drive += friction[j] * (slip[j] - own)
    return taken, drive


@inlined
def slide_points(
    laws: Sliding, slip: Array, slip_jac: Array, out: Friction, u: Array, memory: Array, resolved: bool, rate: Array
) -> tuple[float, float, float]:  # fmt: skip
    """Friction with its memory at the points; power in W into heat of anchors, of other friction, and from drives.

    An anchor that is not resolved has its displacement's rate: `commit_anchors` moves it when the step is done.
    """
    anchored = 0.0
    other = 0.0
    drive = 0.0
    for k in range(laws.points.size):
        law = laws.friction[k]
        point = laws.points[k]
        part = slice(point.first, point.first + point.size)
        n, a = load_on(point, laws.contacts)
        v = slip[part]
        has_anchor = law.kind == ANCHORED
        held = (out.anchors if has_anchor else memory)[part]
        friction_point(law, n, a, v, held, out.force[part], rate[part])
        taken, driven = pull_point(point, out.force, slip, slip_jac, u, out.pull)
        drive += driven
        if not has_anchor:
            other += taken
            continue
        anchored += taken
        if resolved:
            anchored -= n * anchor_rate(law.anchor, triple(held), triple(v))[3]
        else:
            put(v, rate[part])
    return anchored, other, drive


@inlined
def slide_coordinates(
    laws: Sliding, slip: Array, slip_jac: Array, out: Friction, filters: Array, u: Array, memory: Array, rate: Array
) -> float:  # fmt: skip
    """Static friction of all points behind one filter per generalised velocity (4.6b); returns the power it takes."""
    for k in range(laws.points.size):
        law = laws.friction[k]
        point = laws.points[k]
        n, a = load_on(point, laws.contacts)
        v = slip[point.first : point.first + point.size]
        per_speed = smooth_pull(law, n, a, rounded_speed(law, v))
        for i in range(point.size):
            out.force[point.first + i] = per_speed * v[i]
        pull_point(point, out.force, slip, slip_jac, u, out.pull)
    taken = 0.0
    for i in range(u.size):
        lag = filters[i]
        rate[i] = memory_rate(memory[i], out.pull[i], opening(u[i], lag.v_f), lag.t_f)
        out.pull[i] = memory[i]
        taken += memory[i] * u[i]
    return taken


@kernel
def derivative(
    system: SystemData, t: float, x: Array, work: Work, before: Array, resolved: bool, dx: Array
) -> bool:  # fmt: skip
    """dx/dt of the whole state; False where the mass matrix is not positive definite.

    `before` is the memory at the last commit. If the integrator does not resolve the anchors' own rates, theirs are
    those of the displacement and the ledger waits for `commit_anchors`.
    """
    q, u, memory, _ = split_state(x, system.sizes)
    q_dot, accel, memory_dot, ledger = split_state(dx, system.sizes)
    terms = work.terms
    evaluate_terms(system.terms, t, q, u, system.parameters, terms)
    put(terms.q_dot, q_dot)
    memory_dot[:] = 0.0
    work.friction.pull[:] = 0.0
    for i in range(accel.size):
        accel[i] = -terms.bias[i]
    if system.anchored:
        place_anchors(system, memory, before, work)
    heat, drive = push_contacts(system.normal, terms.s, terms.s_dot, terms.jac, work.contacts, u, resolved, accel)
    laws = Sliding(system.points, system.friction, work.contacts)
    anchored = 0.0
    driven = 0.0
    if system.mode == POINT_MEMORY:
        anchored, other, driven = slide_points(
            laws, terms.slip, terms.slip_jac, work.friction, u, memory, resolved, memory_dot
        )
    else:
        other = slide_coordinates(
            laws, terms.slip, terms.slip_jac, work.friction, system.filters, u, memory, memory_dot
        )
    for i in range(accel.size):
        accel[i] -= work.friction.pull[i]
    ledger[CONTACT_HEAT] = heat
    ledger[FRICTION_HEAT] = max(other, 0.0) + anchored
    ledger[HANDED_BACK] = max(-other, 0.0)
    ledger[DRIVE_WORK] = terms.energy[DRIVE_POWER] + drive + driven
    put_matrix(terms.mass, work.factors)
    return cholesky_solve(work.factors, accel)
