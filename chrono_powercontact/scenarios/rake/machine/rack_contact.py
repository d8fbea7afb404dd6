"""The scraper on the rack, compiled: distance to a profile of planes, and the law of the contact as two records."""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np

from ....errors import UnknownNameError, positive
from ....kernel import kernel
from ....laws.friction.anchor import Anchor, anchor_pull, carried_anchor
from ....laws.friction.dissipation import Friction
from ....laws.friction.friction_table import ANCHORED, friction_point, friction_record
from ....laws.friction.lugre import LuGre
from ....laws.friction.memory import LPVFilter
from ....laws.friction.step_friction import StepFriction, smooth_step
from ....laws.normal.indentation import Indentation
from ....laws.normal.normal_table import normal_force, normal_potential, normal_record
from ....laws.normal.restriction import Restriction
from .machine import Rack

Array = Any
LAWS = ("regularised", "power", "anchored", "lugre")
HELD, SLID = 0, 1
MEMORY = 2
"""Memory of the contact: the law's own state, and for an anchor the displacement in m since the last commit."""
ANCHOR = Anchor(3e-4, 1e-3)
"""Stiction under 6.5 kN is reached with a stiffness of about 2e7 N/m, after 0.3 mm."""

RACK = np.dtype(
    [
        (name, np.float64)
        for name in (
            *("foot_x", "foot_z", "tangent_x", "tangent_z", "offset", "length"),
            *("segment", "segment_shift", "segment_slope", "concrete_slope", "edge"),
        )
    ]
)
"""The rack as the kernels read it: foot in m, unit vector up the slope; see `Rack` for the lengths in m; slopes of its
lowest segment and of the concrete against the plane."""

OPEN = 1e-4
"""Activation below which the contact counts as open and lets its anchor go."""
STIFFNESS, DAMPING = 1e7, 2e7
"""Of the scraper strip: k in N/m and c in N s/m^2 (the damper grows with the depth)."""
DESIGN_LOAD, BARRIER = 1e4, 6e4
"""Load in N at which the power law is as deep and as stiff as the strip, and its largest force r_f in N."""


class ContactRecords(NamedTuple):
    """Normal law and friction of the contact as the kernels read them."""

    normal: Any
    friction: Any


@dataclass(frozen=True)
class ContactLaw:
    """Normal law, friction and its memory, of scraper and rack."""

    normal: Restriction | Indentation
    friction: StepFriction | LuGre | Friction
    memory: Anchor | LPVFilter | None = None

    @cached_property
    def records(self) -> ContactRecords:
        """The law as the kernels read it."""
        return ContactRecords(normal_record(self.normal), friction_record(self.friction, self.memory))


def strip() -> Indentation:
    """The polyamide strip as a spring whose damper grows with the depth."""
    return Indentation(0.0, STIFFNESS, DAMPING)


def restriction() -> Restriction:
    """The strip as a restriction function: at the design load as deep, as stiff and as damped as the spring."""
    fraction = 2.0 * DESIGN_LOAD / BARRIER
    r_t = STIFFNESS / (BARRIER * fraction * (1.0 - fraction))
    r_c = -DESIGN_LOAD / STIFFNESS - math.log((1.0 - fraction) / fraction) / (2.0 * r_t)
    r_d = 2.0 * DAMPING * DESIGN_LOAD / STIFFNESS / (BARRIER * fraction)
    return Restriction.from_steepness(r_t, r_c, BARRIER, r_d)


def contact_law(law: str, mu_s: float, mu_d: float, v_s: float, v_d: float) -> ContactLaw:
    """The contact of a law: friction mu_s at rest and mu_d in motion, with the peak at v_s.

    Only the law "power" has a restriction function as its normal law. The others press through the same strip, so that
    a comparison of them is one of friction alone.
    """
    if law == "regularised":
        return ContactLaw(strip(), StepFriction(mu_s, mu_d, v_s, v_d))
    if law == "lugre":
        return ContactLaw(strip(), LuGre(positive("mu_d", mu_d), mu_s, v_s, 2e3, 2e1))
    if law not in LAWS:
        raise UnknownNameError("law", law, LAWS)
    friction = Friction(mu_d, mu_s, 0.5 * v_s, v_s)
    if law == "anchored":
        return ContactLaw(strip(), friction, ANCHOR)
    return ContactLaw(restriction(), friction, LPVFilter(5e-3, 0.2 * v_s))


def rack_record(rack: Rack) -> Any:
    """The rack as the kernels read it."""
    lengths = (rack.offset, rack.length, rack.segment, rack.segment_shift)
    slopes = (math.tan(rack.segment_tilt), math.tan(rack.concrete_tilt))
    return np.array([(*rack.foot, *rack.tangent, *lengths, *slopes, rack.edge)], RACK)[0]


@kernel
def profile(rack: Any, s: float) -> tuple[float, float]:
    """How far the rack is in front of its base plane at s up the slope, in m, and the slope of that."""
    height = rack.offset
    slope = 0.0
    if rack.segment > 0.0 and s < rack.segment + rack.edge:
        x = (s - rack.segment) / rack.edge
        fraction = 1.0 - smooth_step(x)
        low = rack.segment_shift + rack.segment_slope * (0.5 * rack.segment - s)
        height += fraction * low
        slope -= fraction * rack.segment_slope
        if x > 0.0:
            slope -= 6.0 * x * (1.0 - x) / rack.edge * low
    if rack.concrete_slope != 0.0 and s > rack.length:
        x = (s - rack.length) / rack.edge
        rise = x - 0.5 if x > 1.0 else x * x * x * (1.0 - 0.5 * x)
        height += rack.concrete_slope * rack.edge * rise
        slope += rack.concrete_slope * smooth_step(x)
    return height, slope


class RackPoint(NamedTuple):
    """Where a point is with respect to the rack.

    Attributes:
        s: position up the slope in m. gap: distance in m in front of the rack, along the normal of its base plane.
        gap_x, gap_z: derivatives of the gap. length: of that gradient; 1 where the rack is its plane.
    """

    s: float
    gap: float
    gap_x: float
    gap_z: float
    length: float


@kernel
def locate(rack: Any, px: float, pz: float) -> RackPoint:
    """A point in m with respect to the rack."""
    x = px - rack.foot_x
    z = pz - rack.foot_z
    s = rack.tangent_x * x + rack.tangent_z * z
    height, slope = profile(rack, s)
    return RackPoint(
        s,
        rack.tangent_z * x - rack.tangent_x * z - height,
        rack.tangent_z - slope * rack.tangent_x,
        -rack.tangent_x - slope * rack.tangent_z,
        np.sqrt(1.0 + slope * slope),
    )


@kernel
def anchor_of(contact: ContactRecords, memory: Array, v: float) -> Any:
    """The anchor in m as a triple, its potential in m and the rate of that in m/s, at a sliding speed v."""
    held = (memory[HELD], 0.0, 0.0)
    return carried_anchor(contact.friction.anchor, held, (v, 0.0, 0.0), (memory[SLID], 0.0, 0.0), 0.0)


@kernel
def rack_force(
    contact: ContactRecords, gap: float, rate: float, v: Array, memory: Array, pull: Array, drift: Array
) -> float:
    """Normal force in N; `pull` is the friction against v in N, `drift` the rate of the memory."""
    friction = contact.friction
    if friction.kind == ANCHORED:
        z, shift, shift_rate = anchor_of(contact, memory, v[0])
        n, _, a = normal_force(contact.normal, gap - shift, rate - shift_rate)
        pull[0] = anchor_pull(friction.anchor, n, a, z, (v[0], 0.0, 0.0))[0]
        drift[SLID] = v[0]
        return n
    n, _, a = normal_force(contact.normal, gap, rate)
    friction_point(friction, n, a, v, memory[HELD:SLID], pull, drift[HELD:SLID])
    return n


@kernel
def commit(contact: ContactRecords, gap: float, memory: Array) -> None:
    """End a step: put the anchor where its displacement has led it, and let it go where the contact is open."""
    if contact.friction.kind == ANCHORED:
        z, shift, _ = anchor_of(contact, memory, 0.0)
        touching = normal_force(contact.normal, gap - shift, 0.0)[2] > OPEN
        memory[HELD] = z[0] if touching else 0.0
        memory[SLID] = 0.0


@kernel
def rack_energy(contact: ContactRecords, gap: float, memory: Array) -> float:
    """Energy in J stored in the contact, with its anchor."""
    if contact.friction.kind == ANCHORED:
        gap -= anchor_of(contact, memory, 0.0)[1]
    return normal_potential(contact.normal, gap)
