"""A scene with Chrono's built-in contact, SMC or NSC with Bullet, recorded like one with our contact."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from time import perf_counter
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ...errors import DivergedError, ParameterError
from ...progress import Progress
from ...trajectory import Trajectory
from ..api.bridge import LINEARIZED, inertia_of, pychrono, set_integrator
from .surfaces import EFFECTIVE_RADIUS, FORCE_MODELS, Surface, force_model

Signal = NDArray[np.float64]

GROUND_MASS = 1e4
"""In kg. Chrono uses the masses of both bodies in a contact, even if one is fixed: a light ground is a soft ground."""

FAR = 1e4
"""Distance in m beyond which a body has left its scene: Bullet fails not far beyond it."""

JOINT_ITERATIONS = 200
"""Iterations of the NSC solver if there are joints: with its default of 50 they drift apart."""

BLOCKS = 50


@dataclass(frozen=True)
class Seen:
    """What was recorded; the first axis counts the rows.

    Attributes:
        t: time in s. x: position in m and quaternion of each body.
        w: velocity in m/s and angular velocity in rad/s (body) of each body.
        force: contact force in N on each body, in world components.
        corners: normal force in N at each corner of the first body, if it is a box.
    """

    t: Signal
    x: Signal
    w: Signal
    force: Signal
    corners: Signal


Columns = Callable[[Seen], Mapping[str, Signal]]


class BuiltIn:
    """A system with a ground whose top is at a given z, and bodies whose collision shapes have one material."""

    def __init__(
        self, name: str, surface: Surface, gravity: Sequence[float], envelope: float, reach: float, level: float = 0.0
    ) -> None:
        """Gravity in m/s^2; in m: envelope for NSC (a `-default` law keeps Chrono's), reach and level of the ground."""
        chrono = pychrono()
        self.kind = force_model(name)
        if self.kind == "nsc":
            self.system = chrono.ChSystemNSC()
            self._material = chrono.ChContactMaterialNSC()
            if name == self.kind:
                chrono.ChCollisionModel.SetDefaultSuggestedEnvelope(envelope)
        else:
            self.system = chrono.ChSystemSMC()
            self._material = chrono.ChContactMaterialSMC()
            chrono.ChCollisionInfo.SetDefaultEffectiveCurvatureRadius(EFFECTIVE_RADIUS)
            self.system.SetContactForceModel(getattr(chrono.ChSystemSMC, FORCE_MODELS[self.kind]))
            self.system.SetCharacteristicImpactVelocity(surface.speed)
            self._material.SetYoungModulus(surface.young)
        self._material.SetFriction(surface.mu)
        self._material.SetRestitution(surface.restitution)
        self.system.SetCollisionSystemType(chrono.ChCollisionSystem.Type_BULLET)
        self.system.SetGravitationalAcceleration(chrono.ChVector3d(*map(float, gravity)))
        self._gravity = np.asarray(gravity, float)
        self.bodies: list[Any] = []
        self._corners = np.zeros((0, 3))
        self.ground = self._ground(reach, level)

    def _ground(self, reach: float, level: float) -> Any:
        chrono = pychrono()
        thick = 0.1 * reach
        ground = chrono.ChBody()
        ground.SetFixed(True)
        ground.SetMass(GROUND_MASS)
        shape = chrono.ChCollisionShapeBox(self._material, 2.0 * reach, 2.0 * reach, thick)
        ground.AddCollisionShape(shape, chrono.ChFramed(chrono.ChVector3d(0.0, 0.0, level - 0.5 * thick)))
        ground.EnableCollision(True)
        self.system.AddBody(ground)
        return ground

    def add_box(self, mass: float, edge: float, inertia_edge: float, at: Sequence[float]) -> Any:
        """A cube with a mass in kg and an edge in m; its inertia may be that of a cube with another edge."""
        shape = pychrono().ChCollisionShapeBox(self._material, edge, edge, edge)
        signs = [(x, y, z) for z in (-1, 1) for y in (-1, 1) for x in (-1, 1)]
        self._corners = 0.5 * edge * np.array(signs, float)
        return self._add(mass, mass * inertia_edge**2 / 6.0, at, shape)

    def add_sphere(
        self, mass: float, radius: float, moment: float, at: Sequence[float], mu: float | None = None
    ) -> Any:
        """A sphere with a mass in kg, a radius in m, a moment of inertia in kg m^2 and, optionally, its own mu."""
        chrono = pychrono()
        material = self._material
        if mu is not None:
            material = self._material.Clone()
            material.SetFriction(mu)
        return self._add(mass, moment, at, chrono.ChCollisionShapeSphere(material, radius))

    def add_hinge(self, body: Any, carrier: Any, at: Sequence[float]) -> None:
        """A revolute joint about y at a position in m."""
        chrono = pychrono()
        hinge = chrono.ChLinkMateRevolute()
        across = chrono.QuatFromAngleX(0.5 * np.pi)
        hinge.Initialize(body, carrier, chrono.ChFramed(chrono.ChVector3d(*map(float, at)), across))
        self.system.AddLink(hinge)

    def _add(self, mass: float, moment: float, at: Sequence[float], shape: Any) -> Any:
        chrono = pychrono()
        body = chrono.ChBody()
        body.SetMass(mass)
        body.SetInertiaXX(chrono.ChVector3d(moment, moment, moment))
        body.SetPos(chrono.ChVector3d(*map(float, at)))
        body.AddCollisionShape(shape)
        body.EnableCollision(True)
        self.system.AddBody(body)
        self.bodies.append(body)
        return body

    def prepare(self, integrator: str) -> None:
        """Choose integrator and solver; NSC needs one that solves inequalities."""
        if self.kind == "nsc" and integrator not in LINEARIZED:
            raise ParameterError(f"NSC supports only the integrators {' and '.join(LINEARIZED)}, got {integrator!r}")
        set_integrator(self.system, integrator)
        if self.system.GetLinks() and self.kind == "nsc":
            self.system.GetSolver().AsIterative().SetMaxIterations(JOINT_ITERATIONS)
        elif self.system.GetLinks():
            self.system.SetSolver(pychrono().ChSolverSparseLU())

    def run(self, step: float, time: float, every: int, columns: Columns, progress: Progress) -> Trajectory:
        """Run for a time in s with a fixed step in s; a run that leaves its scene raises DivergedError."""
        count = max(round(time / step / every), 1)
        sizes = ((), (len(self.bodies), 7), (len(self.bodies), 6), (len(self.bodies), 3), (len(self._corners),))
        seen = Seen(*(np.zeros((count + 1, *size)) for size in sizes))
        costs = []
        for i in range(count + 1):
            self._look(seen, i, i * every * step)
            if not np.abs(seen.x[i]).max() < FAR:
                kept = self._table(Seen(*(part[: max(i, 1)] for part in vars(seen).values())), columns, i * every)
                raise DivergedError(
                    f"the run under Chrono's {self.kind} left its scene after {seen.t[i]:.6g} s "
                    f"with a step of {step:g} s: use a smaller step",
                    kept,
                )
            if i < count:
                costs.append(self._advance(step, every))
            if i % max(count // BLOCKS, 1) == 0:
                progress(i / count)
        progress(1.0)
        return replace(self._table(seen, columns, count * every), step_cost=float(np.median(costs)))

    def _advance(self, step: float, count: int) -> float:
        """Take a number of steps; returns the wall-clock time per step in us."""
        advance = self.system.DoStepDynamics
        clock = perf_counter()
        for _ in range(count):
            advance(step)
        return 1e6 * (perf_counter() - clock) / count

    def _look(self, seen: Seen, i: int, time: float) -> None:
        seen.t[i] = time
        for k, body in enumerate(self.bodies):
            p = body.GetPos()
            e = body.GetRot()
            v = body.GetPosDt()
            o = body.GetAngVelLocal()
            f = body.GetContactForce()
            seen.x[i, k] = p.x, p.y, p.z, e.e0, e.e1, e.e2, e.e3
            seen.w[i, k] = v.x, v.y, v.z, o.x, o.y, o.z
            seen.force[i, k] = f.x, f.y, f.z
        if len(self._corners):
            seen.corners[i] = self._corner_forces()

    def _corner_forces(self) -> Signal:
        """Normal force in N at each corner of the box: every contact counts for the nearest corner."""
        report = contact_report()()
        forces = np.zeros(len(self._corners))
        self.system.GetContactContainer().ReportAllContacts(report)
        body = self.bodies[0]
        vector = pychrono().ChVector3d
        for point, force in report.found:
            local = body.TransformPointParentToLocal(vector(*point))
            nearest = np.argmin(((self._corners - (local.x, local.y, local.z)) ** 2).sum(axis=1))
            forces[nearest] += force
        return forces

    def _table(self, seen: Seen, columns: Columns, steps: int) -> Trajectory:
        """The columns of a scene and its energies; any loss of T + V counts as heat, because Chrono reports no more."""
        masses = np.array([body.GetMass() for body in self.bodies])
        inertias = np.array([inertia_of(body) for body in self.bodies])
        omega = seen.w[:, :, 3:]
        kinetic = 0.5 * (seen.w[:, :, :3] ** 2).sum(axis=2) @ masses
        kinetic += 0.5 * np.einsum("tbi,bij,tbj->t", omega, inertias, omega)
        potential = -np.einsum("tbi,i,b->t", seen.x[:, :, :3], self._gravity, masses)
        none = 0.0 * seen.t
        total = kinetic + potential
        table = {"t": seen.t, **columns(seen), "kinetic": kinetic, "potential": potential, "stored": none}
        table |= {"contact_heat": total[0] - total, "friction_heat": none, "handed_back": none, "drive_work": none}
        return Trajectory(tuple(table), np.column_stack(list(table.values())), steps)


@cache
def contact_report() -> type:
    """The class of a report on all contacts; made on demand, because it derives from PyChrono's."""
    base = pychrono().ReportContactCallback

    class ContactReport(base):  # type: ignore[misc, valid-type]
        """Points in m and normal forces in N of all contacts."""

        def __init__(self) -> None:
            super().__init__()
            self.found: list[tuple[tuple[float, float, float], float]] = []

        def OnReportContact(self, point: Any, *rest: Any) -> bool:
            self.found.append(((point.x, point.y, point.z), float(rest[4].x)))
            return True

    return ContactReport
