"""Chrono's built-in contact laws for comparison, and how their material is matched to ours.

The comparison uses the same geometry, friction coefficient and restitution, and a stiffness that gives the built-in law
the same penetration as the power law, either at rest under a load or in an elastic impact. A law with `-default` in its
name keeps the material of Chrono's documentation, and takes only the friction coefficient from the scene.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

from ...errors import ParameterError, UnknownNameError, positive

FORCE_MODELS = {"smc-hooke": "Hooke", "smc-hertz": "Hertz", "smc-plaincoulomb": "PlainCoulomb"}
"""Names used here, with the names of the force models in ChSystemSMC."""

MATCHED = (*FORCE_MODELS, "nsc")
BUILT_IN = (*MATCHED, *(f"{name}-default" for name in MATCHED))

EFFECTIVE_RADIUS = 0.1
"""Radius in m that Chrono uses for every contact that Bullet finds."""

POISSON = 0.3
SLIP_THRESHOLD = 1e-4
"""Speed in m/s below which SMC has no friction."""


@dataclass(frozen=True)
class SurfaceRequest:
    """Targets to which the material of a built-in law is matched.

    Attributes:
        mu: coefficient of friction. restitution: at `speed`.
        mass: mass of the body in kg, from which Chrono computes the damping. speed: impact speed in m/s.
        depth: penetration in m, at rest under `load`, or in an elastic impact of `striking` at `speed`.
        load: load on one contact in N. striking: effective mass at one contact in kg; one of these two is given.
    """

    mu: float
    restitution: float
    mass: float
    speed: float
    depth: float
    load: float | None = None
    striking: float | None = None

    def __post_init__(self) -> None:
        positive("depth", self.depth)
        if (self.load is None) == (self.striking is None):
            raise ParameterError(f"give a load or a striking mass, got {self.load} and {self.striking}")

    def stiffness(self, exponent: float) -> float:
        """K in N/m^exponent of a contact force K depth^exponent."""
        if self.load is not None:
            return self.load / self.depth**exponent
        energy = 0.5 * (self.striking or 0.0) * self.speed**2
        return (exponent + 1.0) * energy / self.depth ** (exponent + 1.0)


@dataclass(frozen=True)
class Surface:
    """A Chrono material.

    Attributes:
        mu: coefficient of friction. restitution: 0 to 1. young: Young's modulus in N/m^2.
        speed: characteristic impact velocity in m/s.
    """

    mu: float
    restitution: float = 0.4
    young: float = 2e5
    speed: float = 1.0

    @property
    def e_effective(self) -> float:
        """Effective Young's modulus of a contact of two such surfaces, in N/m^2."""
        return 0.5 * self.young / (1.0 - POISSON**2)

    @property
    def g_effective(self) -> float:
        """Effective shear modulus of a contact of two such surfaces, in N/m^2."""
        return 0.25 * self.young / ((2.0 - POISSON) * (1.0 + POISSON))

    @property
    def damping_ratio(self) -> float:
        """Damping ratio (fraction of critical damping) for the restitution."""
        logarithm = math.log(max(self.restitution, 2.2e-16))
        return -logarithm / math.hypot(math.pi, logarithm)


def force_model(name: str) -> str:
    """The name of a law without the suffix `-default`."""
    if name not in BUILT_IN:
        raise UnknownNameError("contact law of Chrono", name, BUILT_IN)
    return name.removesuffix("-default")


def surface(name: str, request: SurfaceRequest) -> Surface:
    """The material of a built-in law: matched, or Chrono's default."""
    kind = force_model(name)
    if name != kind:
        return Surface(request.mu)
    if kind == "nsc":
        return Surface(request.mu, request.restitution)
    return Surface(request.mu, request.restitution, young_modulus(kind, request), request.speed)


def young_modulus(kind: str, request: SurfaceRequest) -> float:
    """Young's modulus in N/m^2 with which an SMC law reaches the target penetration."""
    root = math.sqrt(EFFECTIVE_RADIUS)
    if kind == "smc-hooke":
        base = (request.stiffness(1.0) / (request.mass * request.speed**2) ** 0.2) ** 1.25
        effective = base * 15.0 / (16.0 * root)
    else:
        effective = 0.75 * request.stiffness(1.5) / (root if kind == "smc-hertz" else 1.0)
    return 2.0 * (1.0 - POISSON**2) * effective


def hold(kind: str, material: Surface, load: float, mass: float, step: float) -> float:
    """Tangential resistance of an SMC contact under a load in N: force per sliding speed, in N s/m."""
    if kind == "smc-hooke":
        base = 16.0 / 15.0 * math.sqrt(EFFECTIVE_RADIUS) * material.e_effective
        k = base * (mass * material.speed**2 / base) ** 0.2
        return k * step + 2.0 * material.damping_ratio * math.sqrt(mass * k)
    depth = (0.75 * load / (material.e_effective * math.sqrt(EFFECTIVE_RADIUS))) ** (2.0 / 3.0)
    k = 8.0 * material.g_effective * math.sqrt(EFFECTIVE_RADIUS * depth)
    return k * step + 2.0 * math.sqrt(5.0 / 6.0) * material.damping_ratio * math.sqrt(k * mass)


def built_in_creep(
    name: str, material: Surface, loads: Sequence[float], mass: float, grade: float, step: float
) -> float:
    """Speed in m/s at which a box creeps down a slope with tan(angle) = grade, by the formulas of Chrono's law.

    Each contact resists with its `hold` up to its Coulomb limit. A lightly loaded contact slips while the others hold.

    Args:
        loads: normal force on each of its contacts, in N.
    """
    kind = force_model(name)
    if kind == "nsc" or grade == 0.0:
        return 0.0
    if grade >= material.mu:
        return math.inf
    if kind == "smc-plaincoulomb":
        return math.atanh(grade / material.mu) / 5.0
    holds = [hold(kind, material, load, mass, step) for load in loads]

    def excess(v: float) -> float:
        held = (min(h * v, material.mu * load) for h, load in zip(holds, loads, strict=True))
        return sum(held) - grade * sum(loads)

    from scipy.optimize import brentq

    fastest = max(material.mu * load / h for h, load in zip(holds, loads, strict=True))
    return float(brentq(excess, 0.0, fastest, xtol=1e-15))
