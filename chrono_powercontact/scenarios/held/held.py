"""What the scenarios share in which friction must hold a body."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, ClassVar, TypeVar

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ...laws.design import stable_contact_step, stable_friction_step
from ...laws.friction.dissipation import Friction
from ...laws.material import Material
from ..boxes.planar_box import CornerContact
from ..groups import FrictionMemory
from ..parameters import CHRONO, REFERENCE, Timed, choice, chrono_integrator, number
from ..scenario import Check, Metrics, Scenario, below

if TYPE_CHECKING:
    from ...lagrange.system import System
    from ...trajectory import Trajectory

DRIFT = 10e-6
"""Displacement in m that a held body may have at the end, however long it was held."""

NORM_ROUNDING = 1e-6
"""Speed in m/s that rounds the norm of the sliding velocity."""


@dataclass(frozen=True)
class HeldFriction(FrictionMemory):
    """Friction that must hold a body."""

    mu: float = number(0.5, "coefficient of friction", above=0.0)
    memory: str = choice("anchored", "memory of the friction force", ("lpv", "anchored"))
    inherited: ClassVar[None]
    v_c: float = number(5e-5, "transition speed of the Coulomb part", "m/s", above=0.0)
    t_f: float = number(1e-3, "time constant of the lpv memory", "s", above=0.0)
    v_f: float = number(1e-4, "speed below which the lpv memory closes", "m/s", above=0.0)


@dataclass(frozen=True)
class HeldParameters(HeldFriction, CornerContact, Timed):
    """A body with round corners that friction must hold."""

    integrator: str = chrono_integrator("euler_implicit_linearized")


H = TypeVar("H", bound=HeldParameters)


def friction_with(p: HeldParameters, mu: float) -> Friction:
    """Friction of a corner with a coefficient."""
    return Friction(mu, mu, p.v_c, None, 0.0, NORM_ROUNDING)


def held_material(p: HeldParameters, points: int = 1, mu: float | None = None) -> Material:
    """The material of a point that represents so many corners; mu is p.mu unless given."""
    normal = p.restriction(points)
    if mu == 0.0:
        return Material(normal)
    return Material(normal, friction_with(p, p.mu if mu is None else mu), p.friction_memory())


def held_step(p: HeldParameters, mass: float, load: float, lightest: float) -> float:
    """Largest step in s that RK4 may take: a contact on a mass in kg, friction under a load in N on the lightest."""
    contact = stable_contact_step(p.restriction(), mass, integrator="rk4")
    friction = stable_friction_step(friction_with(p, p.mu), lightest, p.friction_memory(), load, integrator="rk4")
    return min(contact, friction)


def creep_under(p: HeldFriction, fraction: float) -> float:
    """Speed in m/s at which friction carries a fraction of its limit; zero where an anchor carries it at rest."""
    if p.memory == "anchored":
        return 0.0
    return p.v_c * math.atanh(fraction) if fraction < 1.0 else math.inf


def drift(t: NDArray[np.float64], position: NDArray[np.float64], since: float, until: float = math.inf) -> float:
    """Largest change of a position in m (columns: positions) from one time in s to another."""
    first = int(np.searchsorted(t, since - 1e-9))
    last = int(np.searchsorted(t, min(until, float(t[-1])) - 1e-9))
    return float(np.abs(position[last] - position[first]).max())


def drift_title(drift: float) -> str:
    """Title of a panel: a drift in m, told in um and no finer than a nanometre."""
    return "drift below 0.001 um" if drift < 1e-9 else f"drift {drift * 1e6:.3g} um"


def left_open(system: System, rest: ArrayLike, holds: bool) -> Metrics:
    """What statics leaves open at coordinates of rest: numbers of patterns and components, and each one's interval.

    None where friction cannot hold the body: no admissible force keeps it at rest.
    """
    from ...lagrange.nonsmooth.set_valued import force_ranges

    if not holds:
        return {"open_patterns": None, "undetermined": None}
    found = force_ranges(system, rest)
    ranges = {f"range_{part.name}": [part.low, part.high] for part in found}
    return {"open_patterns": found.indeterminacy.degree, "undetermined": len(found.undetermined), **ranges}


def with_columns(run: Trajectory, columns: dict[str, NDArray[np.float64]]) -> Trajectory:
    """A trajectory with further columns."""
    data = np.column_stack([run.data, *columns.values()])
    return replace(run, names=(*run.names, *columns), data=data)


class HeldScene(Scenario[H]):
    """A body that must stay at rest: below its limit it drifts no more than DRIFT, beyond it it must go."""

    engines = (CHRONO, REFERENCE)
    models: ClassVar[dict[str, dict[str, object]]] = {name: {"memory": name} for name in ("anchored", "lpv")}
    ranked: ClassVar[tuple[str, ...]] = ("drift", "energy_gain", "penetration")

    def holds(self, p: H) -> bool:
        """Whether friction can hold the body at all, in closed form."""
        raise NotImplementedError

    def settled(self, p: H) -> float:
        """Time in s from which the drift counts: the anchors have been stretched by then."""
        return min(1.0, 0.25 * p.time)

    def held(self, p: H, metrics: Metrics) -> Check:
        """The body stays at rest where friction can hold it, and goes where nothing can."""
        if self.holds(p):
            return below("drift after settling", metrics["drift"], DRIFT, "m")
        least = 100.0 * DRIFT
        gone = metrics["drift"] > least
        return Check(f"beyond the limit it goes {metrics['drift']:.3g} m (at least {least:.3g} m)", gone)
