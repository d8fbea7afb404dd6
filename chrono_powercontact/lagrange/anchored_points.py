"""Anchors of the reference engine: where they are within a step, and what a finished step does to them.

An anchor follows the displacement of its point by a closed form that no step has to resolve. So within a step of RK4
its states hold the anchor at the start of the step plus the displacement since, and the step is committed when it is
done. An adaptive integrator resolves the anchor's rate instead.
"""

from __future__ import annotations

from typing import Any

from ..kernel import kernel
from ..laws.friction.anchor import anchor_potential, anchor_rate, moved_on
from ..laws.friction.friction_table import ANCHORED
from ..numerics.copying import put
from ..numerics.vectors import ZERO, minus, norm, store, triple
from .layout import CONTACT_HEAT, FRICTION_HEAT, NO_CONTACT

OPEN = 1e-6
"""Activation below which a contact counts as open and releases its anchor."""

Array = Any


@kernel
def any_anchor(friction: Array) -> bool:
    """Whether a law of a table keeps an anchor."""
    found = False
    for k in range(friction.size):
        found = found or friction[k].kind == ANCHORED
    return found


@kernel
def place_anchors(system: Any, memory: Array, before: Array, work: Any) -> None:
    """Move the anchors by their displacements since the last commit, and sum how far they shift each contact."""
    for c in range(work.contacts.size):
        work.contacts[c].psi = 0.0
        work.contacts[c].psi_rate = 0.0
    work.loose[0] = 0.0
    for k in range(system.points.size):
        law = system.friction[k]
        if law.kind != ANCHORED:
            continue
        point = system.points[k]
        part = slice(point.first, point.first + point.size)
        then = triple(before[part])
        slip = triple(work.terms.slip[part])
        z = moved_on(law.anchor, then, slip, minus(triple(memory[part]), then))
        store(z, work.friction.anchors[part])
        psi = anchor_potential(law.anchor, norm(z))
        if point.contact == NO_CONTACT:
            work.loose[0] += psi
        else:
            contact = work.contacts[point.contact]
            contact.psi += psi
            contact.psi_rate += anchor_rate(law.anchor, z, slip)[3]


@kernel
def commit_anchors(system: Any, contacts: Array, slips: Array, before: Array, memory: Array, ledger: Array) -> None:
    """Put the anchors where they are after the step, and book what went into their potentials.

    Args:
        contacts: after the last stage, with their mean forces over the step.
        slips: sliding velocities in m/s at the last stage.
        before: memory at the start of the step; then the new one.
    """
    for k in range(system.points.size):
        law = system.friction[k]
        if law.kind != ANCHORED:
            continue
        point = system.points[k]
        part = slice(point.first, point.first + point.size)
        then = triple(before[part])
        z = moved_on(law.anchor, then, triple(slips[part]), minus(triple(memory[part]), then))
        if point.contact != NO_CONTACT and contacts[point.contact].activation < OPEN:
            z = ZERO
        gain = anchor_potential(law.anchor, norm(z)) - anchor_potential(law.anchor, norm(then))
        n = 1.0
        if point.contact != NO_CONTACT:
            n = contacts[point.contact].mean_force
            ledger[CONTACT_HEAT] += contacts[point.contact].mean_surplus * gain
        ledger[FRICTION_HEAT] -= n * gain
        store(z, memory[part])
    put(memory, before)
