"""The scraper on the rack, compiled: distance to a profile of planes, and the law of the contact as two rows."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ....errors import UnknownNameError, positive
from ....kernel import kernel
from ....laws.friction.anchor import LIMIT, Anchor, anchor_flow, anchor_potential, anchor_pull, anchor_rate
from ....laws.friction.dissipation import Friction
from ....laws.friction.lugre import LuGre
from ....laws.friction.memory import LPVFilter
from ....laws.friction.step_friction import StepFriction, smooth_step
from ....laws.normal.indentation import Indentation
from ....laws.normal.restriction import Restriction
from ....laws.rows import ANCHORED, friction_point, friction_row, normal_force, normal_potential
from .machine import Rack

Array = Any
LAWS = ("regularised", "power", "anchored", "lugre")
MEMORY = 2
"""Memory states of the contact: the law's own one, and the way since the last commit, in m, for an anchor."""
ANCHOR = Anchor(3e-4, 1e-3)
"""Stiction under 6.5 kN is reached with a stiffness of about 2e7 N/m, after 0.3 mm."""


@dataclass(frozen=True)
class ContactLaw:
    """Normal and tangential law of scraper and rack, as rows and as laws.

    Attributes:
        normal, friction: rows of `laws.rows`, as `rack_force` reads them.
        laws: the laws behind them, in the same order.
    """

    normal: NDArray[np.float64]
    friction: NDArray[np.float64]
    laws: tuple[Any, Any]


OPEN = 1e-4
"""Activation below which the contact counts as open and lets its anchor go."""
STIFFNESS, DAMPING = 1e7, 2e7
"""Of the scraper strip: k in N/m and c in N s/m^2 (the damper grows with the depth)."""
DESIGN_LOAD, BARRIER = 1e4, 6e4
"""Load in N at which the power law is as deep and as stiff as the strip, and its largest force r_f in N."""


def strip() -> Indentation:
    """The polyamide strip as a spring whose damper grows with the depth."""
    return Indentation(0.0, STIFFNESS, DAMPING)


def restriction() -> Restriction:
    """The strip as a restriction function: at the design load as deep, as stiff and as damped as the spring."""
    share = 2.0 * DESIGN_LOAD / BARRIER
    r_t = STIFFNESS / (BARRIER * share * (1.0 - share))
    r_c = -DESIGN_LOAD / STIFFNESS - math.log((1.0 - share) / share) / (2.0 * r_t)
    r_d = 2.0 * DAMPING * DESIGN_LOAD / STIFFNESS / (BARRIER * share)
    return Restriction.from_steepness(r_t, r_c, BARRIER, r_d)


def contact_law(law: str, mu_s: float, mu_d: float, v_s: float, v_d: float) -> ContactLaw:
    """The contact of a law: friction mu_s at rest and mu_d in motion, with the peak at v_s.

    Only the law "power" has a restriction function as its normal law. The others press through the same strip, so that
    a comparison of them is one of friction alone.
    """
    if law == "regularised":
        return _on_strip(StepFriction(mu_s, mu_d, v_s, v_d))
    if law == "lugre":
        return _on_strip(LuGre(positive("mu_d", mu_d), mu_s, v_s, 2e3, 2e1))
    if law not in LAWS:
        raise UnknownNameError("law", law, LAWS)
    own = Friction(mu_d, mu_s, 0.5 * v_s, v_s)
    if law == "anchored":
        return _on_strip(own, ANCHOR)
    return ContactLaw(restriction().row, friction_row(own, LPVFilter(5e-3, 0.2 * v_s)), (restriction(), own))


def _on_strip(friction: StepFriction | LuGre | Friction, memory: Anchor | None = None) -> ContactLaw:
    return ContactLaw(strip().row, friction_row(friction, memory), (strip(), friction))


def rack_numbers(rack: Rack) -> NDArray[np.float64]:
    """The rack as `profile` and the motion read it."""
    return np.array(
        (*rack.foot, *rack.tangent, rack.offset, rack.length, rack.segment, rack.segment_shift,
         math.tan(rack.segment_tilt), math.tan(rack.concrete_tilt), rack.edge)
    )  # fmt: skip


@kernel
def profile(rack: Array, s: float) -> tuple[float, float]:
    """How far the rack stands before its base plane at s up the slope, in m, and the slope of that."""
    height, slope = rack[4], 0.0
    if rack[6] > 0.0 and s < rack[6] + rack[10]:
        x = (s - rack[6]) / rack[10]
        share = 1.0 - smooth_step(x)
        low = rack[7] + rack[8] * (0.5 * rack[6] - s)
        height += share * low
        slope -= share * rack[8]
        if x > 0.0:
            slope -= 6.0 * x * (1.0 - x) / rack[10] * low
    if rack[9] != 0.0 and s > rack[5]:
        x = (s - rack[5]) / rack[10]
        rise = x - 0.5 if x > 1.0 else x * x * x * (1.0 - 0.5 * x)
        height += rack[9] * rack[10] * rise
        slope += rack[9] * smooth_step(x)
    return height, slope


@kernel
def anchor_of(friction: Array, memory: Array) -> Any:
    """The anchor in m as a triple, moved along its way since the last commit."""
    return anchor_flow(friction[LIMIT], (memory[0], 0.0, 0.0), (memory[1], 0.0, 0.0))


@kernel
def rack_force(
    normal: Array, friction: Array, gap: float, rate: float, v: Array, memory: Array, pull: Array, drift: Array
) -> float:
    """Normal force in N; `pull` is the friction against v in N, `drift` the rate of the memory."""
    if friction[0] == ANCHORED:
        z, slip = anchor_of(friction, memory), (v[0], 0.0, 0.0)
        shift, shift_rate = anchor_potential(friction, np.abs(z[0])), anchor_rate(friction, z, slip)[3]
        n, _, a = normal_force(normal, gap - shift, rate - shift_rate)
        pull[0] = anchor_pull(friction, n, a, z, slip)[0]
        drift[1] = v[0]
        return n
    n, _, a = normal_force(normal, gap, rate)
    friction_point(friction, n, a, v, memory[:1], pull, drift[:1])
    return n


@kernel
def commit(normal: Array, friction: Array, gap: float, memory: Array) -> None:
    """End a step: put the anchor where its way has led it, and let it go where the contact is open."""
    if friction[0] == ANCHORED:
        z = anchor_of(friction, memory)[0]
        touching = normal_force(normal, gap - anchor_potential(friction, np.abs(z)), 0.0)[2] > OPEN
        memory[0], memory[1] = z if touching else 0.0, 0.0


@kernel
def rack_energy(normal: Array, friction: Array, gap: float, memory: Array) -> float:
    """Energy in J stored in the contact, with its anchor."""
    if friction[0] == ANCHORED:
        gap -= anchor_potential(friction, np.abs(anchor_of(friction, memory)[0]))
    return normal_potential(normal, gap)
