"""The contact of rake and rack in a Chrono scene: by the plugin, or Chrono's own with a matched material.

The rule for Chrono's own contact: each end of the scraper is a sphere whose centre is the end, and the rack is made of
boxes set back by its radius. SMC is as stiff and, under the design load, as damped as the strip; along the rack it
resists as the regularised law does near rest under that load. It has one coefficient of friction, mu_d. NSC is rigid
and has that coefficient alone.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from ....chrono.api.bridge import pychrono
from ....chrono.attachment import attach, core_of
from ....chrono.contact.records import REPORT, TOTALS, flat
from ....chrono.contact.shapes import Points
from ....errors import ParameterError
from ....laws.material import Material
from ....laws.normal.indentation import Indentation
from ....laws.normal.restriction import Restriction
from ..machine.rack_contact import DAMPING, DESIGN_LOAD, STIFFNESS, profile, rack_record
from ..motion.rake_motion import CLEAR
from ..motion.setup import Setup
from .rake_scene import Scene
from .scene_rack import DEPTH, WIDTH, plugin_shape, slabs

Array = NDArray[np.float64]
BUILT_IN = ("smc", "nsc")
"""Laws that Chrono alone has."""
RADIUS = 0.02
"""Of the spheres at the ends of the scraper under Chrono's own contact, in m."""
HEAVY = 1e9
"""Mass of the ground in kg: Chrono computes contact damping with the masses of both bodies."""
ITERATIONS = 15
"""Of the solver of inequalities; 100 change the held friction by 2 %."""


def direct_solver() -> Any:
    """Solves joints directly; the pattern of the matrix stays, so it is analysed once."""
    solver = pychrono().ChSolverSparseLU()
    solver.LockSparsityPattern(True)
    return solver


def hardly_any_solver() -> Any:
    """Passes once over the joints: the plugin hands over their impulses with its forces, so that round-off is left."""
    solver = pychrono().ChSolverPSOR()
    solver.SetMaxIterations(1)
    return solver


def inequality_solver() -> Any:
    """Solves joints and contacts together."""
    solver = pychrono().ChSolverADMM()
    solver.SetMaxIterations(ITERATIONS)
    solver.SetTolerance(1e-10)
    return solver


class Touch(Protocol):
    """The contact of rake and rack in a scene.

    Attributes:
        recomputed: whether all forces are computed again when a step begins.
    """

    recomputed: bool

    def near(self, gap: float) -> None:
        """The scraper is so many m before the rack."""

    def push(self, out: Array) -> None:
        """Write the force in N on the rake along x and z in the last step, unless `report` tells its work."""

    def report(self, record: Any) -> None:
        """Add what the contact knows to a record."""

    def stored(self, push: Array) -> float:
        """Energy in J that a contact by the plugin holds now, with the force in N in the last step."""


def half(law: Any) -> Any:
    """A normal law that presses half as much: each end of the scraper has one."""
    if isinstance(law, Restriction):
        return replace(law, r_f=0.5 * law.r_f)
    if isinstance(law, Indentation):
        return replace(law, k=0.5 * law.k, c=0.5 * law.c)
    raise ParameterError(f"no half of {law!r} is known")


def material_of(setup: Setup) -> Material:
    """The material of each end of the scraper."""
    law = setup.law
    return Material(half(law.normal), law.friction, law.memory)


class PluginTouch:
    """Contact by the plugin: attached while the rake is near the rack, for a load that Chrono asks costs time.

    The plugin books friction with Chrono's velocities, which are half a step behind its positions: h/2 times the
    integral of F_t over v_t, summed up from record to record, brings its work to the time of the others.
    """

    def __init__(self, scene: Scene, setup: Setup, step: float) -> None:
        self.recomputed = False
        self._scene = scene
        self._rack = setup.rack
        self._record = rack_record(setup.rack)
        self._material = material_of(setup)
        self._step = step
        self._slid = np.zeros(2)
        self._late = 0.0
        self._contacts: Any = None
        self._before = np.zeros(2)
        self._lines = np.zeros(0, REPORT)
        self._totals = np.zeros(1, TOTALS)

    def near(self, gap: float) -> None:
        """Attach within CLEAR of the rack, detach beyond."""
        if gap < CLEAR and self._contacts is None:
            self._attach()
        elif gap > 1.1 * CLEAR and self._contacts is not None:
            self._before += self._work()
            self._contacts.detach()
            self._contacts = None

    def _attach(self) -> None:
        """Attach the contacts; the ledger of the scene follows forces at the start of a step."""
        scene = self._scene
        material = self._material
        scraper = Points(scene.bodies[-1], scene.ends_of_scraper)
        pieces = [plugin_shape(slab, scene.ground, material.normal.s_0) for slab in slabs(self._rack)]
        self._contacts = attach(scene.system, stepping="explicit")
        self._contacts.add_all((scraper, piece, material) for piece in pieces)
        self._lines = np.zeros(self._contacts.size, REPORT)

    def _work(self) -> Array:
        """Work in J against pressing force and friction since the contacts were attached."""
        pressed, rubbed = core_of(self._contacts).stepper.heats_by_power()
        return np.array((self._contacts.energy().stored + pressed, rubbed))

    def push(self, out: Array) -> None:
        """The work of the contact is told by `report`."""

    def stored(self, push: Array) -> float:
        """It is told by `report`."""
        return 0.0

    def report(self, record: Any) -> None:
        """Forces and energies of both ends of the scraper."""
        gauges = record["gauges"]
        work = self._before
        if self._contacts is not None:
            core_of(self._contacts).observe(self._lines, flat(self._totals))
            rack = self._rack
            up = rack.tangent + profile(self._record, gauges["s"])[1] * rack.normal
            friction = self._lines["friction"][:, (0, 2)].sum(axis=0)
            gauges["N"] = self._lines["force"].sum()
            gauges["F_t"] = friction @ up / np.linalg.norm(up)
            record["stored"] = self._totals["stored"][0]
            work = work + self._work()
        slid = np.array((gauges["F_t"], gauges["v_t"]))
        self._late += 0.25 * self._step * (slid[0] + self._slid[0]) * (slid[1] - self._slid[1])
        self._slid = slid
        record["ledger"]["contact_work"] = work[0]
        record["ledger"]["friction_work"] = work[1] - self._late


def built_in_system(law: str) -> tuple[Any, Any]:
    """A system with Chrono's own contact, and its ground."""
    chrono = pychrono()
    if law == "nsc":
        system = chrono.ChSystemNSC()
        chrono.ChCollisionModel.SetDefaultSuggestedEnvelope(0.25 * RADIUS)
    else:
        system = chrono.ChSystemSMC()
        system.UseMaterialProperties(False)
        system.SetContactForceModel(chrono.ChSystemSMC.Hooke)
    system.SetCollisionSystemType(chrono.ChCollisionSystem.Type_BULLET)
    ground = chrono.ChBody()
    ground.SetFixed(True)
    ground.SetMass(HEAVY)
    system.AddBody(ground)
    return system, ground


def built_in_material(law: str, friction: Any, mass: float) -> Any:
    """The material of rack and scraper ends; mass in kg of the body that the ends are on."""
    chrono = pychrono()
    material = chrono.ChContactMaterialNSC() if law == "nsc" else chrono.ChContactMaterialSMC()
    material.SetFriction(friction.mu_d)
    material.SetRestitution(0.0)
    if law == "smc":
        creep = friction.creep_damping(DESIGN_LOAD)
        material.SetKn(0.5 * STIFFNESS)
        material.SetKt(0.5 * STIFFNESS)
        material.SetGn(0.5 * DAMPING * DESIGN_LOAD / STIFFNESS / mass)
        material.SetGt(0.5 * creep / mass)
    return material


class BuiltInTouch:
    """Chrono's own contact of two spheres with boxes."""

    def __init__(self, scene: Scene, setup: Setup, law: str) -> None:
        chrono = pychrono()
        rake = scene.bodies[-1]
        self.recomputed = law == "nsc"
        self._rake = rake
        self._system = scene.system
        self._law = law
        self._closed = False
        material = built_in_material(law, setup.law.friction, rake.GetMass())
        for end in scene.ends_of_scraper:
            frame = chrono.ChFramed(chrono.ChVector3d(*map(float, end)))
            rake.AddCollisionShape(chrono.ChCollisionShapeSphere(material, RADIUS), frame)
        for slab in slabs(setup.rack):
            (x, z) = slab.centre(slab.rounding - RADIUS).tolist()
            turn = chrono.QuatFromAngleY(float(slab.angle))
            box = chrono.ChCollisionShapeBox(material, slab.length, WIDTH, DEPTH)
            scene.ground.AddCollisionShape(box, chrono.ChFramed(chrono.ChVector3d(x, 0.0, z), turn))
        for body in (rake, scene.ground):
            body.EnableCollision(True)

    def near(self, gap: float) -> None:
        """NSC needs a solver of inequalities as long as there may be a contact."""
        if self._law == "nsc" and (gap < CLEAR) != self._closed:
            self._closed = gap < CLEAR
            self._system.SetSolver(inequality_solver() if self._closed else direct_solver())

    def push(self, out: Array) -> None:
        """Force of the rack on the rake in N, along x and z."""
        force = self._rake.GetContactForce()
        out[:] = force.x, force.z

    def report(self, record: Any) -> None:
        """Everything is known from the force already."""

    def stored(self, push: Array) -> float:
        """Chrono does not tell."""
        return 0.0
