"""Scenes of one round body on a plane, on Chrono."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, ClassVar, TypeVar

import numpy as np

from ...chrono.api.bridge import pychrono
from ...chrono.attachment import attach
from ...chrono.contact.shapes import Plane, Shape
from ...chrono.run.recorder import Samples
from ...laws.design import design_restriction
from ...laws.friction.anchor import Anchor
from ...laws.friction.dissipation import Friction
from ...laws.friction.memory import LTIFilter
from ...laws.material import Material
from ...laws.normal.restriction import Restriction
from ..constants import GRAVITY
from ..parameters import Timed, number
from ..scenario import Scenario, StepLimit
from ..scenes.chrono_scenes import Columns, new_scene, record, watch

if TYPE_CHECKING:
    from ...progress import Progress
    from ...trajectory import Trajectory

AXES = "xyz"
LAW_SPEED = 0.05
LAW_RESTITUTION = 0.5
LAW_FORCE = 16.0
"""Impact from which the contact law is designed, for a body that rolls has none: speed in m/s, restitution, and largest
force relative to twice the energy over the penetration."""


@dataclass(frozen=True)
class Rolling(Timed):
    """A round body that rolls on a hard ground."""

    mass: float = number(1.0, "mass", "kg", above=0.0)
    penetration: float = number(1e-5, "penetration of an impact at 0.05 m/s: how hard the ground is", "m", above=0.0)
    mu: float = number(2.0, "friction coefficient", above=0.0)
    presliding: float = number(1e-6, "displacement at which the contact breaks away", "m", above=0.0)

    def law(self) -> Restriction:
        """The law of the ground."""
        hardest = LAW_FORCE * self.mass * LAW_SPEED**2 / self.penetration
        return design_restriction(
            s_0=0.0,
            mass=self.mass,
            speed=LAW_SPEED,
            restitution=LAW_RESTITUTION,
            penetration=self.penetration,
            force_limit=hardest,
        )

    def material(self, memory: LTIFilter | Anchor | None = None, patch: float = 0.0) -> Material:
        """The laws of the contact; it sticks unless another memory is given."""
        held = Anchor(self.presliding) if memory is None else memory
        return Material(self.law(), Friction(self.mu, self.mu, 1e-3), held, patch=patch)

    def compliance(self) -> float:
        """Width of the ground's activation over its largest force, in m/N."""
        law = self.law()
        return float(law.s_0 - law.s_c) / law.r_f

    def sink(self) -> float:
        """Depth in m at which the ground carries the body at rest."""
        return -float(self.law().rest_distance(self.mass * GRAVITY))


R = TypeVar("R", bound=Rolling)


class RollingScenario(Scenario[R]):
    """A round body on the ground, whose rolling needs forces at each stage of a step."""

    longest: ClassVar[float]
    """The longest step in s with which the claim holds."""

    def step_limit(self, engine: str, p: R) -> StepLimit:
        why = "forces are needed several times within a step, and one that takes them at its end turns a body inexactly"
        return StepLimit(self.longest, "the longest step that follows the rolling", why)


@dataclass(frozen=True)
class Start:
    """A body at its start.

    Attributes:
        inertia: matrix in kg m^2, in the body's frame. turn: rotation matrix.
        turning: angular velocity in rad/s, in the body's frame. velocity: in m/s. at: place of the centre of mass in m.
    """

    inertia: np.ndarray
    turn: np.ndarray
    turning: np.ndarray
    velocity: np.ndarray
    at: np.ndarray


def place_body(system: Any, mass: float, start: Start) -> Any:
    """A body with a full inertia matrix in its initial motion."""
    chrono = pychrono()
    body = chrono.ChBody()
    body.SetName("body")
    body.SetMass(mass)
    full = start.inertia
    body.SetInertiaXX(chrono.ChVector3d(*map(float, np.diag(full))))
    body.SetInertiaXY(chrono.ChVector3d(float(full[0, 1]), float(full[0, 2]), float(full[1, 2])))
    matrix = chrono.ChMatrix33d()
    matrix.SetMatr(start.turn.tolist())
    body.SetRot(matrix)
    body.SetPos(chrono.ChVector3d(*map(float, start.at)))
    body.SetPosDt(chrono.ChVector3d(*map(float, start.velocity)))
    body.SetAngVelLocal(chrono.ChVector3d(*map(float, start.turning)))
    system.AddBody(body)
    return body


def body_columns(samples: Samples) -> Columns:
    """Columns of a body: place in m, axis (its z), velocity in m/s, angular velocity in rad/s in its own frame.

    `spin` is the angular velocity about the vertical, `moment` that of its contacts in N m.
    """
    x = samples.x[:, 0]
    w = samples.w[:, 0]
    e0, e1, e2, e3 = x[:, 3:].T
    axis = 2.0 * np.array([e1 * e3 + e0 * e2, e2 * e3 - e0 * e1, 0.5 - e1 * e1 - e2 * e2])
    columns = {f"axis_{name}": axis[i] for i, name in enumerate(AXES)}
    up = 2.0 * np.array([e1 * e3 - e0 * e2, e2 * e3 + e0 * e1, 0.5 - e1 * e1 - e2 * e2])
    columns["moment"] = samples.report["moment"][:, :, 2].sum(axis=1)
    columns["spin"] = (up * w[:, 3:].T).sum(axis=0)
    for i, name in enumerate(AXES):
        columns |= {name: x[:, i], f"{name}_dot": w[:, i], f"turning_{name}": w[:, 3 + i]}
    return columns


def roll_on_chrono(
    p: Rolling, start: Start, shape: Callable[[Any], Shape], material: Material, progress: Progress
) -> Trajectory:
    """A run of one body on a plane."""
    system, ground = new_scene((0.0, 0.0, -GRAVITY))
    body = place_body(system, p.mass, start)
    contacts = attach(system)
    contacts.add(shape(body), Plane(ground), material)
    scene = watch(system, p.time)
    return replace(record(contacts, [body], body_columns, p, progress), scene=scene.finished())
