"""Bodies that friction must hold: what rocking_slope, box_stack, ladder and gripper share."""

from __future__ import annotations

import math
from dataclasses import replace
from types import SimpleNamespace
from typing import TYPE_CHECKING, ClassVar

import numpy as np
from numpy.typing import NDArray

from ...laws import Friction, Material, Restriction
from ...laws.design import stable_contact_step, stable_friction_step
from ..anchored import ANCHOR
from ..parameters import Parameter
from ..scenario import Check, Metrics, Scenario, below
from .planar_box import memory_of

if TYPE_CHECKING:
    from ...trajectory import Trajectory

DRIFT = 10e-6
"""Way in m that a held body may have gone at the end, however long it was held."""

HELD = (
    Parameter("mu", 0.5, "coefficient of friction", minimum=0.0, above=True),
    Parameter("memory", "anchored", "memory of the friction force", choices=("lpv", "anchored")),
    *ANCHOR,
    Parameter("v_c", 5e-5, "transition speed of the Coulomb part", "m/s", minimum=0.0, above=True),
    Parameter("t_f", 1e-3, "time constant of the lpv memory", "s", minimum=0.0, above=True),
    Parameter("v_f", 1e-4, "speed below which the lpv memory closes", "m/s", minimum=0.0, above=True),
)


def held_material(p: SimpleNamespace, points: int = 1, mu: float | None = None) -> Material:
    """What one point is made of that stands for so many; mu is p.mu unless given."""
    normal = Restriction(p.s_0, p.s_c, points * p.r_f, p.r_d)
    if mu == 0.0:
        return Material(normal)
    mu = p.mu if mu is None else mu
    return Material(normal, Friction(mu, mu, p.v_c, None, 0.0, 1e-6), memory_of(p))


def held_step(p: SimpleNamespace, mass: float, load: float, lightest: float) -> float:
    """Largest step in s that RK4 may take: a contact on a mass in kg, friction under a load in N on the lightest."""
    material = held_material(p)
    contact = stable_contact_step(material.normal, mass)  # type: ignore[arg-type]
    return min(contact, stable_friction_step(material.friction, lightest, material.memory, load))  # type: ignore[arg-type]


def creep_under(p: SimpleNamespace, share: float) -> float:
    """Speed in m/s with which friction without an anchor carries a share of its limit; an anchor carries it at rest."""
    if p.memory == "anchored":
        return 0.0
    return p.v_c * math.atanh(share) if share < 1.0 else math.inf


def drift(t: NDArray[np.float64], place: NDArray[np.float64], since: float, until: float = math.inf) -> float:
    """Largest change of a place in m (columns: places) from one time in s to another."""
    first, last = (int(np.searchsorted(t, at - 1e-9)) for at in (since, min(until, float(t[-1]))))
    return float(np.abs(place[last] - place[first]).max())


def with_columns(run: Trajectory, columns: dict[str, NDArray[np.float64]]) -> Trajectory:
    """A trajectory with further columns."""
    data = np.column_stack([run.data, *columns.values()])
    return replace(run, names=(*run.names, *columns), data=data)


class HeldScene(Scenario):
    """A body that must stay where it is; below its limit by not more than DRIFT, beyond it it must go."""

    engines = ("chrono", "reference")
    integrator = "euler_implicit_linearized"
    models: ClassVar[dict[str, dict[str, object]]] = {name: {"memory": name} for name in ("anchored", "lpv")}
    ranked: ClassVar[tuple[str, ...]] = ("drift", "energy_gain", "penetration")

    def holds(self, p: SimpleNamespace) -> bool:
        """Whether friction can hold the body at all, in closed form."""
        raise NotImplementedError

    def settled(self, p: SimpleNamespace) -> float:
        """Time in s from which the drift counts: the anchors have been stretched by then."""
        return min(1.0, 0.25 * p.time)

    def held(self, p: SimpleNamespace, metrics: Metrics) -> Check:
        """The body stays where it must, and goes where nothing can hold it."""
        if self.holds(p):
            return below("drift after settling", metrics["drift"], DRIFT, "m")
        gone = metrics["drift"] > 100.0 * DRIFT
        return Check(f"beyond the limit it goes {metrics['drift']:.3g} m (at least {100.0 * DRIFT:.3g} m)", gone)
