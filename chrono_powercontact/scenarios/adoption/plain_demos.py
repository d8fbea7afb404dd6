"""Demos of few bodies: a cube that falls, boxes that slide under a callback, balls that roll, a ball in a pen."""

from __future__ import annotations

import math
import os
import weakref
from collections.abc import Sequence
from functools import cache
from typing import Any

from ...chrono.api.bridge import pychrono
from .demo import Demo, Place, add_body, material, new_system, vector

FRICTION_BY_SIDE = (0.8, 0.3)
"""Friction on the half z <= 0 of the plate and on the other one, set by the callback of the demo."""


def buildsystem() -> Demo:
    """A cube of 1 m falls 2 m onto a plate (core buildsystem: NSC, 10 ms); every contact is reported in every step."""
    chrono = pychrono()
    system = new_system("NSC")
    surface = material("NSC", Friction=0.3, Compliance=0.0)
    plate = chrono.ChCollisionShapeBox(surface, 10, 1, 10)
    add_body(system, "plate", (1, -1, 0), plate, mass=20, inertia=(10, 10, 10), fixed=True)
    cube = add_body(system, "cube", (0, 2, 0), chrono.ChCollisionShapeBox(surface, 1, 1, 1))
    printer = _printer()((cube,), names=True)

    def read() -> None:
        printer.tell("time=", system.GetChTime(), " cube y=", cube.GetPos().y)
        system.GetContactContainer().ReportAllContacts(printer)

    return Demo(system, (cube,), 0.01, read)


@cache
def _printer() -> type:
    """The class of a callback that prints contacts, as the demos do; what is printed is thrown away."""
    chrono = pychrono()

    class Printer(chrono.ReportContactCallback):  # type: ignore[name-defined]
        """Prints every contact with the names of its bodies, or the points of those on some bodies."""

        def __init__(self, bodies: Sequence[Any], names: bool) -> None:
            super().__init__()
            self._bodies = bodies
            self._names = names
            self._paper = open(os.devnull, "w", encoding="utf-8")  # noqa: SIM115
            weakref.finalize(self, self._paper.close)

        def tell(self, *what: Any) -> None:
            """Print something."""
            print(*what, file=self._paper)

        def OnReportContact(self, on_a: Any, on_b: Any, plane: Any, gap: float, radius: float, *rest: Any) -> bool:
            first, second = (chrono.CastToChBody(thing) for thing in rest[2:4])
            if self._names:
                self.tell(
                    "  contact: point A=", on_a, "  dist=", gap, "first body:", first.GetName(),
                    "second body:", second.GetName(),
                )  # fmt: skip
            elif first == self._bodies[0]:
                self.tell("       ", on_a.x, on_a.y, on_a.z)
            elif second == self._bodies[0]:
                self.tell("       ", on_b.x, on_b.y, on_b.z)
            return True

    return Printer


@cache
def _by_side(kind: str) -> type:
    """The class of a callback that sets the friction of a contact by its place."""
    chrono = pychrono()
    composite = getattr(chrono, f"CastToChContactMaterialComposite{kind}")
    names = ("static_friction", "sliding_friction") if kind == "NSC" else ("mu_eff",)

    base = chrono.AddContactCallback

    class BySide(base):  # type: ignore[misc, valid-type]
        """Friction of the half of the plate on which the contact lies."""

        def OnAddContact(self, contact: Any, composed: Any) -> None:
            surface = composite(composed)
            for name in names:
                setattr(surface, name, FRICTION_BY_SIDE[contact.vpA.z > 0])

    return BySide


def _sliding_boxes(kind: str) -> Demo:
    """Two boxes of 10 kg slide at 5 m/s over the two halves of a plate; their contacts are reported in every step."""
    chrono = pychrono()
    system = new_system(kind, (0, -10, 0))
    iterative = system.GetSolver().AsIterative()
    iterative.SetMaxIterations(100)
    iterative.SetTolerance(0)
    surface = material(kind, Friction=0.6)
    plate = (chrono.ChCollisionShapeBox(surface, 8, 1, 8), (0, -0.5, 0))
    bodies = [add_body(system, "plate", (0, 0, 0), plate, fixed=True)]
    for z in (-1, 1):
        shape = chrono.ChCollisionShapeBox(surface, 0.4, 0.2, 0.1)
        bodies.append(add_body(system, f"box at {z}", (-1, 0.21, z), shape, mass=10))
        bodies[-1].SetPosDt(vector((5, 0, 0)))
    if kind == "NSC":
        system.SetMaxPenetrationRecoverySpeed(1e8)
        for body in bodies:
            body.GetCollisionModel().SetEnvelope(0.001)
    callback = _by_side(kind)()
    system.GetContactContainer().RegisterAddContactCallback(callback)
    printer = _printer()(bodies[1:2], names=False)

    def read() -> None:
        printer.tell(f"{system.GetChTime()}  {system.GetNumContacts()}")
        system.GetContactContainer().ReportAllContacts(printer)
        for body in bodies[1:] if kind == "SMC" else ():
            for what in (body.GetContactForce(), body.GetContactTorque()):
                printer.tell("  contact force or torque at COM:    ", what.x, what.y, what.z)

    return Demo(system, bodies[1:], 1e-3, read, kept=(callback,))


def callback_nsc() -> Demo:
    """Friction by place, set by an AddContactCallback (mbs callbackNSC: 1 ms)."""
    return _sliding_boxes("NSC")


def callback_smc() -> Demo:
    """The same under SMC (mbs callbackSMC: 1 ms)."""
    return _sliding_boxes("SMC")


def friction() -> Demo:
    """Ten balls of 0.5 m roll at 5 m/s, ten others spin, with more and more friction (mbs friction: NSC, 5 ms).

    Those that roll are looked at: NSC lets those that spin sink by up to 0.48 m into the floor.
    """
    chrono = pychrono()
    system = new_system("NSC")
    balls = []
    for i in range(20):
        rolls = i < 10
        arm = {"RollingFriction": 0.005 * i} if rolls else {"SpinningFriction": 0.002 * (i - 10)}
        ball = chrono.ChBodyEasySphere(0.5, 1000, False, True, material("NSC", Friction=0.4, **arm))
        ball.SetName(f"ball {i}")
        z = 1.25 * (i % 10) - 5.0
        ball.SetPos(vector((-7, 0, z) if rolls else (-8, 1, z)))
        ball.SetAngVelParent(vector((0, 0, -10) if rolls else (0, 20, 0)))
        ball.SetPosDt(vector((5, 0, 0) if rolls else (0, 0, 0)))
        system.Add(ball)
        balls.append(ball)
    surface = material("NSC", RollingFriction=1.0, SpinningFriction=1.0)
    walls: list[tuple[Place, Place]] = [
        ((20, 1, 20), (0, 0, 0)),
        ((1, 2, 20.99), (-10, 1, 0)),
        ((1, 2, 20.99), (10, 1, 0)),
    ]
    walls += [((20.99, 2, 1), (0, 1, -10)), ((20.99, 2, 1), (0, 1, 10))]
    shapes = [(chrono.ChCollisionShapeBox(surface, *size), at) for size, at in walls]
    add_body(system, "bin", (0, -1, 0), *shapes, fixed=True)
    system.SetSolverType(chrono.ChSolver.Type_APGD)
    return Demo(system, balls[:10], 5e-3)


@cache
def _round_obstacle() -> type:
    """The class of a callback that finds contact of a ball with a round obstacle, and gives it to Chrono."""
    chrono = pychrono()

    base = chrono.CustomCollisionCallback

    class RoundObstacle(base):  # type: ignore[misc, valid-type]
        """A cylinder of 2 m around (2.9, 2.9), which the collision system does not know."""

        def __init__(self, ball: Any, ground: Any, surfaces: tuple[Any, Any]) -> None:
            super().__init__()
            self.ball = ball
            self.ground = ground
            self.surfaces = surfaces

        def OnCustomCollision(self, system: Any) -> None:
            at = self.ball.GetPos()
            ball = chrono.ChVector3d(at.x, 0.0, at.z)
            obstacle = chrono.ChVector3d(2.9, 0.0, 2.9)
            apart = obstacle - ball
            if apart.Length2() >= 2.5**2:
                return
            distance = math.sqrt(apart.Length2())
            normal = apart / distance
            on_ball = ball + normal * 0.5
            on_obstacle = obstacle - normal * 2.0
            found = chrono.ChCollisionInfo()
            found.modelA = self.ball.GetCollisionModel()
            found.modelB = self.ground.GetCollisionModel()
            found.shapeA = None
            found.shapeB = None
            found.vN = chrono.ChVector3d(normal.x, 0.0, normal.z)
            found.vpA = chrono.ChVector3d(on_ball.x, at.y, on_ball.z)
            found.vpB = chrono.ChVector3d(on_obstacle.x, at.y, on_obstacle.z)
            found.distance = distance - 2.5
            system.GetContactContainer().AddContact(found, *self.surfaces)

    return RoundObstacle


def custom_contact() -> Demo:
    """A ball of 10 kg in a pen with an obstacle that a callback finds (mbs custom_contact: SMC, 0.1 ms)."""
    chrono = pychrono()
    system = new_system("SMC", (0, -9.8, 0))
    rough, smooth = (material("SMC", Friction=mu, Restitution=0.9) for mu in (0.5, 0.4))
    walls: list[tuple[Place, Place]] = [
        ((10, 2, 10), (0, -1, 0)),
        ((0.2, 2, 10.2), (-5, 0, 0)),
        ((0.2, 2, 10.2), (5, 0, 0)),
    ]
    walls += [((10.2, 2, 0.2), (0, 0, -5)), ((10.2, 2, 0.2), (0, 0, 5))]
    shapes = [(chrono.ChCollisionShapeBox(smooth, *size), at) for size, at in walls]
    ground = add_body(system, "ground", (0, 0, 0), *shapes, fixed=True)
    sphere = chrono.ChCollisionShapeSphere(rough, 0.5)
    ball = add_body(system, "ball", (-3, 0.6, -3), sphere, mass=10)
    ball.SetPosDt(vector((5, 0, 5)))
    callback = _round_obstacle()(ball, ground, (rough, smooth))
    system.RegisterCustomCollisionCallback(callback)
    return Demo(system, (ball,), 1e-4, kept=(callback, rough, smooth))
