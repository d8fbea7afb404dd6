"""A table on four legs, one of them short: parameters and closed forms."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

from ...errors import ParameterError
from ...laws.friction.dissipation import Friction
from ...laws.material import Material
from ...laws.normal.hooke import Hooke
from ..constants import GRAVITY
from ..groups import Anchored
from ..parameters import Timed, chrono_integrator, mass_of, number, run_length, time_step

LEGS = ((1, 1), (-1, 1), (-1, -1), (1, -1))
"""Legs 1 to 4 around the table, in half sides along x and y; 1 is the short one, 1 and 3 form a diagonal."""

V_C = 1e-4
"""Transition speed of the Coulomb part in m/s."""


@dataclass(frozen=True)
class FourLegsParameters(Timed, Anchored):
    """A table on four legs that is pulled along a side."""

    short: float = number(5e-4, "by how much leg 1 is shorter than the others", "m", minimum=0.0)
    mu_a: float = number(0.2, "coefficient of friction of legs 1 and 3", above=0.0)
    mu_b: float = number(0.6, "coefficient of friction of legs 2 and 4", above=0.0)
    pull: float = number(100.0, "end value of the pull, which grows evenly", "N", minimum=0.0)
    stiffness: float = number(1e5, "stiffness of a leg", "N/m", above=0.0)
    mass: float = mass_of(10.0)
    side: float = number(0.8, "side of the square of the legs", "m", above=0.0)
    height: float = number(0.3, "height of the centre of mass, at which the table is pulled", "m", above=0.0)
    presliding: float = number(2e-5, "displacement at which a leg breaks away", "m", above=0.0)
    time: float = run_length(0.5)
    step: float = time_step(5e-5, on_chrono=1e-4)
    integrator: str = chrono_integrator("euler_implicit_linearized")

    def leg(self, number: int) -> Material:
        """Material of a leg."""
        mu = self.mu_a if number % 2 else self.mu_b
        damping = 0.2 * (self.stiffness * self.mass) ** 0.5
        return Material(Hooke(0.0, self.stiffness, damping), Friction(mu, mu, V_C), self.anchor())

    def weight(self) -> float:
        """In N."""
        return self.mass * GRAVITY


class Statics(NamedTuple):
    """Statics in closed form: normal forces in N of the legs without pull, and the pull in N at which it slips."""

    normals: tuple[float, float, float, float]
    slip: float


def statics(p: FourLegsParameters) -> Statics:
    """Four equal springs, one of them shorter: each leg carries a quarter of the lack, in the pattern - + - +."""
    lack = 0.25 * p.stiffness * p.short
    quarter = 0.25 * p.weight()
    if lack >= quarter:
        raise ParameterError(
            f"short must be below {p.weight() / p.stiffness:.4g} m, where leg 1 lifts off, got {p.short:g} m"
        )
    weak = quarter - lack
    strong = quarter + lack
    return Statics((weak, strong, weak, strong), 2.0 * (p.mu_a * weak + p.mu_b * strong))


def rigid_slip(p: FourLegsParameters) -> list[float]:
    """Least and largest pull in N at which a rigid table in a guide may slip, over all splits of its weight.

    The pull itself moves weight to the front legs; the pattern + - + - is open until a rear leg carries nothing.
    """
    tilt = (p.mu_b - p.mu_a) * p.height / p.side
    return sorted((p.mu_a * p.weight() / (1.0 - tilt), p.mu_b * p.weight() / (1.0 + tilt)))


def tilted(p: FourLegsParameters) -> float:
    """Displacement in m of the centre of mass under the full pull, as the table tilts on its legs."""
    return p.pull * p.height**2 / (p.stiffness * p.side**2)


def moment(p: FourLegsParameters) -> float:
    """Moment of inertia in kg m^2 about a horizontal axis."""
    return p.mass * p.side**2 / 12.0


def resting(p: FourLegsParameters) -> tuple[float, ...]:
    """Coordinates at rest without pull: x, y, z, roll, pitch, yaw; the tilt is small."""
    normals = statics(p).normals
    depths = [force / p.stiffness for force in normals]
    gaps = [-depth - (p.short if i == 0 else 0.0) for i, depth in enumerate(depths)]
    width = 0.5 * p.side
    z = p.height + sum(gaps) / 4.0
    roll = sum(gap * across for gap, (_, across) in zip(gaps, LEGS, strict=True)) / (4.0 * width)
    pitch = -sum(gap * along for gap, (along, _) in zip(gaps, LEGS, strict=True)) / (4.0 * width)
    return 0.0, 0.0, z, roll, pitch, 0.0
