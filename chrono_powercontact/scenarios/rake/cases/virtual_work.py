"""Cylinder forces by virtual work: what the weight of the machine gains per length of a cylinder."""

from __future__ import annotations

import numpy as np

from ..machine.machine import GRAVITY, Machine, Rack
from ..machine.two_link import TwoLink, along

STRETCH = 1e-4
"""How far a cylinder is stretched either way, in m."""


def weight_energy(body: Machine, lengths: np.ndarray) -> float:
    """Potential energy in J of arms and rake at the lengths of both cylinders in m."""
    two = TwoLink(body)
    phi, alpha = two.angles(*lengths)
    elbow = two.elbow(phi)[1]
    out = along(alpha)[1]
    heights = (
        body.main.mass * 0.5 * elbow,
        body.knuckle.mass * (elbow + 0.5 * body.knuckle.length * out),
        body.rake_mass * (elbow + (body.knuckle.length - body.rake_back) * out),
    )
    return GRAVITY * float(sum(heights))


def holding_forces(body: Machine, rack: Rack, s: float) -> tuple[float, float]:
    """F1 and F2 in N with the scraper at a position in m up the rack: dV/dc1 and dV/dc2, by central differences."""
    two = TwoLink(body)
    lengths = np.array(two.lengths(*two.reach(rack.point(s))))
    first, second = (
        (weight_energy(body, lengths + step) - weight_energy(body, lengths - step)) / (2.0 * STRETCH)
        for step in STRETCH * np.eye(2)
    )
    return first, second
