"""A table on four legs, one of them short: parameters, reference model, closed forms."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING, NamedTuple

from ...errors import ParameterError
from ...laws.friction.dissipation import Friction
from ...laws.material import Material
from ...laws.normal.hooke import Hooke
from ..constants import GRAVITY
from ..groups import Anchored
from ..parameters import Timed, chrono_integrator, mass_of, number, run_length, time_step

if TYPE_CHECKING:
    from ...lagrange.model import Model
    from ...lagrange.system import System

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
    """Statics in closed form: normal forces in N of the legs without pull, and the pull in N at which the table slips."""

    normals: tuple[float, float, float, float]
    slip: float


def statics(p: FourLegsParameters) -> Statics:
    """Four equal springs, one of them shorter: the lack is carried by the pattern + - + -, a quarter of it by each leg."""
    lack = 0.25 * p.stiffness * p.short
    quarter = 0.25 * p.weight()
    if lack >= quarter:
        raise ParameterError(
            f"short must be below {p.weight() / p.stiffness:.4g} m, where leg 1 lifts off, got {p.short:g} m"
        )
    weak = quarter - lack
    strong = quarter + lack
    return Statics((weak, strong, weak, strong), 2.0 * (p.mu_a * weak + p.mu_b * strong))


@cache
def table() -> Model:
    """A table of mass m with moments of inertia j, legs at half a side w; its tilt about x and y is small.

    It is pulled along x at its centre of mass, h above the floor, by a force that grows evenly in time. By symmetry it
    does not turn about z.
    """
    import sympy as sp

    from ...lagrange.model import TIME, ContactPoint, Model, coordinates, velocities

    q = coordinates("x z roll pitch")
    x, z, roll, pitch = q
    p = sp.symbols("m j w h g rate lack", real=True)
    m, j, w, h, g, rate, lack = p
    vx, vz, rolling, pitching = velocities(q)
    feet = []
    for i, (along, across) in enumerate(LEGS):
        gap = z - h + across * w * roll - along * w * pitch + (lack if i == 0 else 0)
        feet.append(ContactPoint(f"{i + 1}", gap, (vx - h * pitching,)))
    kinetic = m * (vx**2 + vz**2) / 2 + j * (rolling**2 + pitching**2) / 2
    return Model("four_legs", q, kinetic, m * g * z, p, {x: rate * TIME}, tuple(feet))


def moment(p: FourLegsParameters) -> float:
    """Moment of inertia in kg m^2 about a horizontal axis."""
    return p.mass * p.side**2 / 12.0


def table_system(p: FourLegsParameters) -> System:
    """The model with its numbers."""
    from ...lagrange.system import System

    numbers = {
        "m": p.mass, "j": moment(p), "w": 0.5 * p.side, "h": p.height, "g": GRAVITY,
        "rate": p.pull / p.time, "lack": p.short,
    }  # fmt: skip
    return System(table(), numbers, {f"{i}": p.leg(i) for i in range(1, 5)})


def resting(p: FourLegsParameters) -> tuple[float, float, float, float]:
    """Coordinates at rest without pull: x, z, roll, pitch."""
    normals = statics(p).normals
    depths = [force / p.stiffness for force in normals]
    gaps = [-depth - (p.short if i == 0 else 0.0) for i, depth in enumerate(depths)]
    width = 0.5 * p.side
    z = p.height + sum(gaps) / 4.0
    roll = sum(gap * across for gap, (_, across) in zip(gaps, LEGS, strict=True)) / (4.0 * width)
    pitch = -sum(gap * along for gap, (along, _) in zip(gaps, LEGS, strict=True)) / (4.0 * width)
    return 0.0, z, roll, pitch
