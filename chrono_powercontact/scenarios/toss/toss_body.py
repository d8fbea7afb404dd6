"""The numbers of a tossed cube, and the record in which the compiled loop reads them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ...laws.friction.anchor import ANCHOR, Anchor
from ...laws.friction.dissipation import Friction
from ...laws.friction.friction_table import friction_record
from ...laws.normal.normal_table import normal_record
from ...laws.normal.restriction import RestrictionLaw
from ...laws.normal.steady_restriction import SteadyRestriction
from ..bodies.cube_model import CORNERS

Vector = tuple[float, float, float]

MASS = 0.37
"""Mass of the cube in kg; only the ratios of forces and inertia to it matter for the motion."""

FORCE_LIMIT = 1700.0
WIDTH = 3.4e-3
DISSIPATION = 25.0
"""r_f in N, s_0 - s_c in m and r_d in s/m of a corner: the motion hardly depends on them."""

PRESLIDING = 5e-5
SMOOTHING = 1e-3
"""Presliding of a corner in m, and v_c of its friction in m/s, which only shapes the curve of an anchor."""

NEAR = 8.0
"""r_t (s - r_c) beyond which a corner is not evaluated: the ground pushes with less than 0.2 mN there."""

REFERENCE_LOAD = 10.0
"""Normal force at a corner in N at which `mu` holds: between 1 N at rest and some 100 N in impacts."""

TOSS = np.dtype(
    [
        ("gravity", np.float64),
        ("mass", np.float64),
        ("inertia", np.float64, 3),
        ("corners", np.float64, (8, 3)),
        ("radius", np.float64),
        ("load_exponent", np.float64),
        ("reach", np.float64),
        ("restriction", [(name, np.float64) for name in RestrictionLaw.fields]),
        ("anchor", ANCHOR),
    ]
)
"""A cube as the compiled loop reads it: corners seen from the centre of mass in m, and the laws of a corner."""


@dataclass(frozen=True)
class TossedCube:
    """A cube with eight spheres at its corners that touch the ground.

    Attributes:
        mu: friction coefficient at a corner under `REFERENCE_LOAD`.
        load_exponent: mu falls with the load to the power of minus this; 0 is Coulomb's law.
        restitution: of an impact at any speed.
        inertia: moments of inertia over the mass about x and y, and about z of the cube, in m^2.
        centre: of mass, seen from the centre of the cube in its own axes, in m.
        half: distance of the corner spheres from the mid planes, in m. radius: of these spheres, in m.
        gravity: in m/s^2.
    """

    mu: float
    restitution: float
    inertia: tuple[float, float]
    centre: Vector = (0.0, 0.0, 0.0)
    load_exponent: float = 0.0
    half: float = 0.0484
    radius: float = 0.0024
    gravity: float = 9.81

    def corner_law(self) -> SteadyRestriction:
        """The normal law of a corner sphere."""
        return SteadyRestriction(0.0, -WIDTH, FORCE_LIMIT, DISSIPATION, self.restitution)

    def corners(self) -> NDArray[np.float64]:
        """Corner spheres seen from the centre of mass, in the axes of the cube, in m."""
        return np.asarray(CORNERS * self.half - np.array(self.centre))

    def record(self) -> Any:
        """The cube as the compiled loop reads it."""
        law = self.corner_law()
        across, along = self.inertia
        slot = np.zeros(1, TOSS)[0]
        slot["gravity"] = self.gravity
        slot["mass"] = MASS
        slot["inertia"] = MASS * np.array([across, across, along])
        slot["corners"] = self.corners()
        slot["radius"] = self.radius
        slot["load_exponent"] = self.load_exponent
        slot["reach"] = NEAR / law.r_t + law.r_c
        slot["restriction"] = normal_record(law)["restriction"]
        slot["anchor"] = friction_record(Friction(self.mu, self.mu, SMOOTHING, SMOOTHING), Anchor(PRESLIDING))["anchor"]
        return slot


def toss_records(cubes: Sequence[TossedCube]) -> NDArray[Any]:
    """Cubes as the array that the compiled loop reads."""
    return np.array([cube.record() for cube in cubes], TOSS)
