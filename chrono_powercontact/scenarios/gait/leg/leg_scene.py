"""The leg on Chrono: bodies, joints and springs of its own, joint friction, stops and foot contact by the plugin.

The ankle closes the loop. Its joint holds the two directions in the plane alone, for the others are held already.
"""

from __future__ import annotations

import math
import weakref
from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from ....chrono.api.bridge import pychrono, tighten
from ....errors import ParameterError
from ....laws.material import Material
from ...bodies.arm_angles import angle_over
from ...scenes.chrono_scenes import add_body, new_scene
from .drives import Drive, mean_drive_input
from .gears import Gear
from .leg_kinematics import poses_along
from .stages import Stage
from .trainer_leg import Leg

if TYPE_CHECKING:
    from ....chrono.run.recorder import Recorder, Samples

LINK_INERTIA = 1e-8
"""Moment of inertia of a link in ankle mass times its length squared: so small that its mass counts as a point's."""

FOOT_MASS = 1e-6
"""Mass of the foot unit in ankle masses: so small that it counts as massless."""

GUIDE_ANCHOR = 1.0
"""Distance in m below the guide at which its spring is held; its length is chosen to match."""

ITERATIONS, TOLERANCE = 20, 1e-8
"""Of an implicit integrator: with the light foot unit, round-off keeps it from solving more closely."""

HIP, SLIDE, KNEE, LOWER, UPPER = "hip", "slide", "knee", "lower", "upper"
MOTOR = "motor"

THIGH_TORQUE, MOTOR_TORQUE = 5, 17
"""Places of the torques about the axis of the hip in the forces of a load on thigh, slide and motor."""

MOTOR_MASS = 0.5
"""Mass of the motor in kg; it sits on the axis of the hip and carries its inertia alone."""


class AxisLoad:
    """Torque on the thigh and force on the slide, asked for at every stage of every integrator.

    Keep it as long as the system.

    Attributes:
        u: hip torque in N m, of the motor where there is one, and slide force in N. patient: torque in N m on the
            thigh.
    """

    context = None

    def __init__(self, system: Any, bodies: Mapping[str, Any], leg: Leg) -> None:
        from ....chrono.load.load import load_class

        self.u = np.zeros(2)
        self.patient = 0.0
        self._system = weakref.ref(system)
        self._along = math.cos(leg.delta_sl), math.sin(leg.delta_sl)
        acted = [bodies["thigh"], bodies["slide"]]
        self._driven = THIGH_TORQUE
        if MOTOR in bodies:
            acted.append(bodies[MOTOR])
            self._driven = MOTOR_TORQUE
        self._load = load_class()(acted, self)
        container = pychrono().ChLoadContainer()
        container.Add(self._load)
        system.Add(container)

    def scattered(self) -> None:
        """Nothing depends on the step."""

    def set_input(self, time: float) -> None:
        """Set u for a time in s; here it is held as it was set from outside."""

    def evaluate(self, residual: Any, factor: float) -> bool:
        """Torque on the thigh and force on the slide at the time of the system."""
        system = self._system()
        if system is None:
            return False
        self.set_input(system.GetChTime())
        q = self._load.q.data
        q.fill(0.0)
        q[THIGH_TORQUE] = self.patient
        q[self._driven] += self.u[0]
        q[6] = self.u[1] * self._along[0]
        q[7] = self.u[1] * self._along[1]
        return True


class DriveLoad(AxisLoad):
    """Hip torque and slide force of a drive."""

    def __init__(self, system: Any, bodies: Mapping[str, Any], leg: Leg, drive: Drive) -> None:
        super().__init__(system, bodies, leg)
        self.drive = drive
        self._record = drive.record

    def set_input(self, time: float) -> None:
        mean_drive_input(time, self._record, self.u)


def _frame(x: float, y: float, z_along: Sequence[float] | None = None) -> Any:
    """A frame at a point in the plane; its z axis out of the plane, or along a direction in it."""
    chrono = pychrono()
    turn = chrono.QUNIT
    if z_along is not None:
        half = math.sqrt(0.5)
        turn = chrono.ChQuaterniond(half, -half * z_along[1], half * z_along[0], 0.0)
    return chrono.ChFramed(chrono.ChVector3d(float(x), float(y), 0.0), turn)


def _spring(
    system: Any, body: Any, ground: Any, at: Iterable[float], end: Iterable[float], k: float, rest: float
) -> None:
    """A linear spring between a point of a body and the ground."""
    chrono = pychrono()
    points = [chrono.ChVector3d(float(x), float(y), 0.0) for x, y in (at, end)]
    spring = chrono.ChLinkTSDA()
    spring.Initialize(body, ground, False, *points)
    spring.SetRestLength(rest)
    spring.SetSpringCoefficient(k)
    system.AddLink(spring)


def _mechanism(leg: Leg, pose: Any, s: float) -> tuple[Any, dict[str, Any], dict[str, Any]]:
    """System, bodies and joints of a leg in a pose."""
    chrono = pychrono()
    system, ground = new_scene((0.0, -leg.gravity, 0.0))
    knee, ankle, slide = (pose[name] for name in ("knee", "ankle", "slide"))
    along = (math.cos(leg.delta_sl), math.sin(leg.delta_sl))
    bodies = {"ground": ground}
    for name, m, length, position in (
        ("thigh", leg.m_kg, leg.l_os, knee), ("shank", leg.m_sg, leg.l_us, ankle), ("slide", leg.m_sl, leg.l_st, slide),
        ("foot", FOOT_MASS * leg.m_sg, leg.l_st, slide),
    ):  # fmt: skip
        bodies[name] = add_body(system, name, m, LINK_INERTIA * leg.m_sg * length**2, (*position, 0.0))
    joints = {}
    for name, first, second, frame in (
        (HIP, "thigh", "ground", _frame(0.0, 0.0)), (KNEE, "thigh", "shank", _frame(*knee)),
        ("sole", "foot", "slide", _frame(*slide)), (SLIDE, "slide", "ground", _frame(slide[0], slide[1], along)),
    ):  # fmt: skip
        joints[name] = chrono.ChLinkLockPrismatic() if name == SLIDE else chrono.ChLinkLockRevolute()
        joints[name].Initialize(bodies[first], bodies[second], frame)
    joints["ankle"] = chrono.ChLinkMateGeneric(True, True, False, False, False, False)
    joints["ankle"].Initialize(bodies["foot"], bodies["shank"], _frame(*ankle))
    for joint in joints.values():
        system.AddLink(joint)
    below = [c - (s + GUIDE_ANCHOR) * a for c, a in zip(slide, along, strict=True)]
    _spring(system, bodies["thigh"], ground, pose["spring"], (leg.x_hf_0, leg.y_hf_0), leg.k_hf, leg.l_hf_0)
    _spring(system, bodies["slide"], ground, slide, below, leg.k_lf, leg.s_lf_0 + GUIDE_ANCHOR)
    return system, bodies, joints


def _forces(contacts: Any, joints: dict[str, Any], stage: Stage, pose: Any, s: float) -> list[str]:
    """Add friction and stops to the joints; returns what each joint force is, in order."""
    names = []
    for name, axis in ((HIP, stage.hip), (SLIDE, stage.slide)):
        if axis.wave[0] != 0.0:
            raise ParameterError(f"on Chrono the friction of the {name} cannot vary along its axis")
        contacts.add_friction(joints[name], axis.law, axis.memory)
        names.append(name)
    if stage.knee is not None:
        contacts.add_stop(joints[KNEE], stage.knee, lower=stage.knee.s_0 - pose["knee_angle"])
        names.append(KNEE)
    if stage.lower is not None:
        contacts.add_stop(joints[SLIDE], stage.lower, lower=stage.lower.s_0 + stage.limits[0] - s)
        names.append(LOWER)
    if stage.upper is not None:
        contacts.add_stop(joints[SLIDE], stage.upper, upper=stage.limits[1] - stage.upper.s_0 - s)
        names.append(UPPER)
    return names


def _foot(contacts: Any, bodies: dict[str, Any], stage: Stage, pose: Any) -> None:
    """Let the tip of the foot unit touch the guide."""
    from ....chrono.contact.shapes import Plane, Points

    if stage.foot is None:
        return
    leg = stage.leg
    law = stage.foot
    normal = np.array((-math.sin(leg.delta_sl), math.cos(leg.delta_sl), 0.0))
    at = np.array((leg.x_sl_0, leg.y_sl_0, 0.0)) + law.s_0 * normal
    tip = (*(pose["tip"] - pose["slide"]), 0.0)
    guide = Plane(bodies["ground"], tuple(at), tuple(normal))
    contacts.add(Points(bodies["foot"], tip), guide, Material(law, stage.foot_friction, stage.foot_memory))


def _add_motor(system: Any, bodies: dict[str, Any], gear: Gear) -> Any:
    """Put a motor beside the thigh on the axis of the hip; returns the joint between them."""
    bodies[MOTOR] = add_body(system, MOTOR, MOTOR_MASS, gear.inertia, (0.0, 0.0, 0.0))
    joint = pychrono().ChLinkLockRevolute()
    joint.Initialize(bodies[MOTOR], bodies["thigh"], _frame(0.0, 0.0))
    system.AddLink(joint)
    return joint


class LegOnChrono(NamedTuple):
    """A leg on Chrono: system, attachment, bodies and joints by name, what drives it, and what each joint force is."""

    system: Any
    contacts: Any
    bodies: dict[str, Any]
    joints: dict[str, Any]
    load: AxisLoad
    names: list[str]


def leg_on_chrono(
    stage: Stage, start: Sequence[float], integrator: str = "hht", drive: Drive | None = None, gear: Gear | None = None
) -> LegOnChrono:
    """A stage of the leg at rest at a hip angle in rad and a slide position in m, on Chrono.

    Without a drive it is moved by what is written into `load.u`; with a gear, through a motor with backlash. About
    their own axes the parts have almost no inertia, by which a step would be solved though it need not be: the links
    give them that of the leg.
    """
    from ....chrono.api.start import prepare
    from ....chrono.attachment import attach

    phi = float(start[0])
    s = float(start[1])
    stage.check_start(phi, s)
    pose = poses_along(stage.leg, phi, s)[0]
    system, bodies, joints = _mechanism(stage.leg, pose, s)
    if gear is not None:
        joints[MOTOR] = _add_motor(system, bodies, gear)
    load = AxisLoad(system, bodies, stage.leg) if drive is None else DriveLoad(system, bodies, stage.leg, drive)
    contacts = attach(system, stepping="explicit")
    names = _forces(contacts, joints, stage, pose, s)
    if gear is not None:
        contacts.add_stop(joints[MOTOR], gear.tooth, lower=-gear.slack, upper=gear.slack)
    _foot(contacts, bodies, stage, pose)
    prepare(system, integrator)
    tighten(system, ITERATIONS, TOLERANCE)
    return LegOnChrono(system, contacts, bodies, joints, load, names)


def leg_scene(stage: Stage, drive: Drive, start: Sequence[float], integrator: str = "hht") -> Recorder:
    """A stage of the leg at rest at a hip angle in rad and a slide position in m, driven, with its recorder."""
    from ....chrono.run.recorder import Recorder
    from .leg_columns import leg_columns

    leg = leg_on_chrono(stage, start, integrator, drive)
    angle = angle_over(float(start[0]) - 0.5 * math.pi)

    def columns(seen: Samples) -> dict[str, Any]:
        return leg_columns(stage, drive, seen, leg.names, angle(seen.x[:, 0, :2]) + 0.5 * math.pi)

    return Recorder(leg.contacts, [leg.bodies[name] for name in ("thigh", "shank", "slide")], columns)
