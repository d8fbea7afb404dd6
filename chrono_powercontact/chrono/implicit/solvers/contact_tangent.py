"""The laws of a contact near a speed and a slip at which they are known, by their tangents.

Over a step the normal law is a function of one speed alone, v - d(psi)/dt: the gap moves with it, too. Friction on an
anchor, per normal force, turns with the slip and, as long as the anchor is not dragged, grows with it. Near the speed
and the slip at which the laws were asked, they follow their tangents. The caller says how near: the error falls with
the square of that.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from ....kernel import inlined
from ....laws.friction.anchor import ELASTIC, anchor_potential, easing, grip, grip_slope, moved_on
from ....numerics.vectors import ZERO, Triple, dot, minus, norm, plus, store, times, triple
from ...contact.contact_kernel import Pressed

_VECTOR = (np.float64, (3,))

TANGENT = [
    ("known_force", np.float64), ("known_speed", np.float64), ("slope", np.float64), ("softened", np.float64),
    ("share", np.float64), ("range", np.float64), ("stiff", np.float64), ("yielding", np.float64),
    ("rate", np.float64), ("known_slip", *_VECTOR), ("pull", *_VECTOR), ("dragging", *_VECTOR),
]  # fmt: skip
"""What is known of the laws of a contact. Normal force in N, zero if nothing is known, at a speed v - d(psi)/dt in m/s;
its slope in N s/m, by which factor the compliance of the bodies softens its change, and its elastic share. The square
of a wide range of slips in m/s, zero if nothing is known; in s/m how friction per normal force grows across itself, by
which fraction less along itself; d(psi)/dt in m/s at the slip in m/s, friction per normal force there, and the gradient
of d(psi)/dt."""

SMALL = 0.25
"""Part of an anchor's limit below which its stretch counts as small: its grip is nearly linear there."""
LEAST = 1e-300


class Nearness(NamedTuple):
    """How far the tangents of a contact are followed: relative changes of its normal force, and of its slip."""

    force: float
    slip: float


class Gripped(NamedTuple):
    """Friction per normal force, its secant from where it vanishes in s/m, and d(psi)/dt of the anchor in m/s."""

    pull: Triple
    stiff: float
    rate: float


@inlined
def keep_push(swept: Any, speed: float, law: Pressed, slope: float, h: float) -> None:
    """Keep the tangent of the normal law, with a slope in N s/m, at a speed v - d(psi)/dt in m/s."""
    swept.known_force = law.force
    swept.known_speed = speed
    swept.slope = slope
    swept.softened = 1.0 / max(1.0 - swept.along * h * slope, 1.0)
    swept.share = law.elastic / max(law.force, LEAST)


@inlined
def pushed_near(swept: Any, alone: float, h: float, near: Nearness) -> float:
    """Impulse in N s of a contact along its normal by the tangent of its law; negative if that is too far away.

    `alone` is its speed v - d(psi)/dt without its own impulse.
    """
    force = swept.known_force
    if force == 0.0:
        return -1.0
    change = swept.slope * swept.softened * (alone - swept.known_speed + swept.along * h * force)
    if not abs(change) <= near.force * force:
        return -1.0
    return h * (force + change)


@inlined
def is_gripped_near(swept: Any, moved: Triple, near: Nearness) -> bool:
    """Whether friction is known near a slip that has moved by some m/s."""
    return dot(moved, moved) <= near.slip * near.slip * swept.range


@inlined
def gripped_near(swept: Any, moved: Triple) -> Gripped:
    """Friction of an anchor by its tangent."""
    pull = triple(swept.pull)
    outward = swept.yielding * dot(pull, moved) / max(dot(pull, pull), LEAST)
    turned = plus(pull, times(swept.stiff, minus(moved, times(outward, pull))))
    return Gripped(turned, swept.stiff, swept.rate + dot(triple(swept.dragging), moved))


@inlined
def slackening(anchor: Any, stretch: float, gripping: float) -> float:
    """By which fraction the grip of an anchor grows less with its stretch than in proportion to it."""
    if anchor.delta == 0.0:
        part = gripping / anchor.c
        return 1.0 - anchor.kappa * stretch / anchor.v_c * (1.0 - part * part) / max(part, LEAST)
    return 1.0 - grip_slope(anchor, stretch) * stretch / max(gripping, LEAST)


@inlined
def keep_grip(swept: Any, slip: Triple, gripped: Gripped, wide: float, dragging: Triple, yielding: float) -> None:
    """Keep the tangent of friction; `wide` is a range of slips in m/s."""
    swept.range = wide * wide
    swept.stiff = gripped.stiff
    swept.yielding = yielding
    swept.rate = gripped.rate
    store(slip, swept.known_slip)
    store(gripped.pull, swept.pull)
    store(dragging, swept.dragging)


@inlined
def gripped_by(anchor: Any, swept: Any, slip: Triple, h: float) -> Gripped:
    """Friction of an anchor without a lag at the end of the step; keeps its tangent, if that is simple."""
    held = triple(swept.held)
    longer = h + anchor.tau
    z = moved_on(anchor, held, slip, times(h, slip))
    stretch = norm(z)
    rate = (anchor_potential(anchor, stretch) - swept.psi) / h
    shifted = plus(z, times(anchor.tau, slip))
    reached = norm(shifted)
    gripping = grip(anchor, reached)
    pull = times(gripping / max(reached, LEAST), shifted)
    if stretch <= ELASTIC * anchor.limit:
        gripped = Gripped(pull, longer * gripping / max(reached, 1e-9 * anchor.limit), rate)
        dragging = times(grip(anchor, stretch) / max(stretch, LEAST), z)
        wide = max(reached, SMALL * anchor.limit) / longer
        keep_grip(swept, slip, gripped, wide, dragging, slackening(anchor, reached, gripping))
        return gripped
    far = norm(plus(held, times(longer, slip)))
    if anchor.delta != 0.0 or anchor.user.force != 0:
        ease = easing(anchor, z, slip)
        swept.range = 0.0
        return Gripped(times(ease, pull), longer * ease * gripping / max(far, 1e-9 * anchor.limit), rate)
    gripped = Gripped(pull, longer * gripping / max(far, 1e-9 * anchor.limit), rate)
    keep_grip(swept, slip, gripped, far / longer, ZERO, 1.0)
    return gripped
