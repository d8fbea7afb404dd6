"""Small scenes with the sizes, masses, materials and steps of Chrono's own demos, as a user would write them.

Each function returns a `Demo`: the system, the bodies that matter, and the demo's own step. Our laws are not used.
"""

import math
from dataclasses import dataclass, field
from typing import Any

import pychrono as chrono


@dataclass
class Demo:
    system: Any
    bodies: list[Any]
    step: float
    kept: list[Any] = field(default_factory=list)

    def run(self, time):
        for _ in range(round(time / self.step)):
            self.system.DoStepDynamics(self.step)


def _system(kind="NSC"):
    system = getattr(chrono, f"ChSystem{kind}")()
    system.SetGravityY()
    system.SetCollisionSystemType(chrono.ChCollisionSystem.Type_BULLET)
    return system


def _vector(*numbers):
    return chrono.ChVector3d(*numbers)


def _body(system, mass, inertia, at, *shapes, fixed=False, name=""):
    body = chrono.ChBody()
    body.SetMass(mass)
    body.SetInertiaXX(_vector(inertia, inertia, inertia))
    body.SetPos(_vector(*at))
    for shape in shapes:
        body.AddCollisionShape(*shape) if isinstance(shape, tuple) else body.AddCollisionShape(shape)
    body.SetFixed(fixed)
    body.EnableCollision(True)
    body.SetName(name)
    system.Add(body)
    return body


def built_system():
    """A cube of 1 m and 1 kg falls 2 m onto a plate (core, buildsystem: NSC, 10 ms)."""
    system = _system()
    material = chrono.ChContactMaterialNSC()
    material.SetFriction(0.3)
    _body(system, 20, 10, (1, -1, 0), chrono.ChCollisionShapeBox(material, 10, 1, 10), fixed=True, name="plate")
    cube = _body(system, 1, 1, (0, 2, 0), chrono.ChCollisionShapeBox(material, 1, 1, 1), name="cube")
    return Demo(system, [cube], 0.01)


def sliding_boxes(frictions=(0.8, 0.3)):
    """Two boxes of 10 kg slide at 5 m/s over a plate (mbs, callbackNSC: 1 ms), each with its own friction."""
    system = _system()
    system.SetGravitationalAcceleration(_vector(0, -10, 0))
    iterative = system.GetSolver().AsIterative()
    iterative.SetMaxIterations(100)
    iterative.SetTolerance(0)
    system.SetMaxPenetrationRecoverySpeed(1e8)
    rough = chrono.ChContactMaterialNSC()
    rough.SetFriction(1.0)
    plate = _body(system, 1, 1, (0, -0.5, 0), chrono.ChCollisionShapeBox(rough, 8, 1, 8), fixed=True, name="plate")
    plate.GetCollisionModel().SetEnvelope(0.001)
    boxes = []
    for friction, z in zip(frictions, (-1, 1), strict=True):
        material = chrono.ChContactMaterialNSC()
        material.SetFriction(friction)
        box = _body(system, 10, 1, (-1, 0.11, z), chrono.ChCollisionShapeBox(material, 0.4, 0.2, 0.1), name="box")
        box.SetPosDt(_vector(5, 0, 0))
        box.GetCollisionModel().SetEnvelope(0.001)
        boxes.append(box)
    return Demo(system, boxes, 1e-3)


def rolling_balls():
    """Balls of 0.5 m roll at 5 m/s, and others spin, with more and more friction (mbs, friction: NSC, 5 ms)."""
    system = _system()
    system.SetSolverType(chrono.ChSolver.Type_APGD)
    balls = []
    for i in range(20):
        material = chrono.ChContactMaterialNSC()
        material.SetFriction(0.4)
        rolls = i < 10
        material.SetRollingFriction(0.005 * i if rolls else 0.0)
        material.SetSpinningFriction(0.0 if rolls else 0.002 * (i - 10))
        ball = chrono.ChBodyEasySphere(0.5, 1000, False, True, material)
        ball.SetPos(_vector(-7, 0, -5 + 1.25 * i) if rolls else _vector(-8, 1, -5 + 1.25 * (i - 10)))
        ball.SetAngVelParent(_vector(0, 0, -10) if rolls else _vector(0, 20, 0))
        ball.SetPosDt(_vector(5 if rolls else 0, 0, 0))
        system.Add(ball)
        balls.append(ball)
    ground = chrono.ChContactMaterialNSC()
    ground.SetRollingFriction(1)
    ground.SetSpinningFriction(1)
    _body(system, 1, 1, (0, -1, 0), chrono.ChCollisionShapeBox(ground, 20, 1, 20), fixed=True, name="floor")
    return Demo(system, balls, 5e-3)


def mixed_heap(items=29):
    """Balls, cubes and cylinders of about 1 m fall into a container with a mixer (mbs, collisionNSC: 20 ms)."""
    system = _system()
    smooth = chrono.ChContactMaterialNSC()
    smooth.SetFriction(0.2)
    plain = chrono.ChContactMaterialNSC()
    bodies = []
    for i in range(items):
        makers = (
            lambda: chrono.ChBodyEasySphere(1.1, 1000, False, True, smooth),
            lambda: chrono.ChBodyEasyBox(1.5, 1.5, 1.5, 100, False, True, plain),
            lambda: chrono.ChBodyEasyCylinder(chrono.ChAxis_Y, 0.75, 0.5, 100, False, True, plain),
        )
        for k, make in enumerate(makers):
            turn = 2.399963 * (3 * i + k)
            body = make()
            radius = 5.0 * math.sqrt((3 * i + k + 0.5) / (3 * items))
            body.SetPos(_vector(radius * math.cos(turn), 4 + 0.05 * i, radius * math.sin(turn)))
            system.Add(body)
            bodies.append(body)
    walls = [((20, 1, 20), (0, -5, 0)), ((1, 10, 20.99), (-10, 0, 0)), ((1, 10, 20.99), (10, 0, 0))]
    walls += [((20.99, 10, 1), (0, 0, -10)), ((20.99, 10, 1), (0, 0, 10))]
    floor = _container(system, plain, walls)
    kept = [_mixer(system, floor, (10, 5, 1), math.pi / 4)]
    system.SetSolverType(chrono.ChSolver.Type_PSOR)
    system.GetSolver().AsIterative().SetMaxIterations(20)
    return Demo(system, bodies, 0.02, kept)


def _container(system, material, walls):
    shapes = [(chrono.ChCollisionShapeBox(material, *size), chrono.ChFramed(_vector(*at))) for size, at in walls]
    return _body(system, 1, 1, (0, 0, 0), *shapes, fixed=True, name="container")


def _mixer(system, floor, size, speed):
    material = getattr(chrono, f"ChContactMaterial{'SMC' if 'SMC' in type(system).__name__ else 'NSC'}")()
    mixer = chrono.ChBodyEasyBox(*size, 4000, False, True, material)
    mixer.SetPos(_vector(0, -1.6, 0))
    mixer.SetName("mixer")
    system.Add(mixer)
    motor = chrono.ChLinkMotorRotationSpeed()
    upright = chrono.QuatFromAngleAxis(chrono.CH_PI_2, chrono.VECT_X)
    motor.Initialize(mixer, floor, chrono.ChFramed(_vector(0, 0, 0), upright))
    function = chrono.ChFunctionConst(speed)
    motor.SetSpeedFunction(function)
    system.AddLink(motor)
    return mixer, motor, function


def stirred_box():
    """25 balls and 25 cubes of 1 kg fall into a container with a mixer (mbs, collisionSMC: 0.1 ms)."""
    system = _system("SMC")
    material = chrono.ChContactMaterialSMC()
    bodies = []
    for x in range(-2, 3):
        for z in range(-2, 3):
            ball = chrono.ChCollisionShapeSphere(material, 1.1)
            bodies.append(_body(system, 1, 0.484, (4 * x + 0.1, 4, 4 * z), ball))
            bodies.append(_body(system, 1, 1, (4 * x, 6, 4 * z), chrono.ChCollisionShapeBox(material, 1.5, 1.5, 1.5)))
    walls = [((20, 1, 20), (0, -5, 0)), ((1, 10, 20.99), (-10, 0, 0)), ((1, 10, 20.99), (10, 0, 0))]
    walls += [((20.99, 10, 1), (0, 0, -10)), ((20.99, 10, 1), (0, 0, 10))]
    floor = _container(system, chrono.ChContactMaterialSMC(), walls)
    return Demo(system, bodies, 1e-4, [_mixer(system, floor, (14, 6, 1), math.pi / 2)])


def shaken_wall(amplitude=0.12):
    """Six bricks on each other on a table that shakes at 1.5 Hz (mbs, earthquake: NSC, 0.1 ms)."""
    system = _system()
    system.GetSolver().AsIterative().SetMaxIterations(70)
    material = chrono.ChContactMaterialNSC()
    material.SetFriction(0.5)
    material.SetDampingF(0.2)
    material.SetCompliance(1e-7)
    material.SetComplianceT(1e-7)
    bricks = []
    for i in range(6):
        brick = chrono.ChCollisionShapeBox(material, 0.25, 0.12, 0.12)
        bricks.append(_body(system, 3.6, 0.09, (0, 0.12 * (i + 0.5), 0), brick, name=f"brick {i}"))
    floor = chrono.ChCollisionShapeBox(material, 6, 2, 6)
    ground = _body(system, 1, 1, (0, -2, 0), floor, fixed=True, name="floor")
    plate = chrono.ChCollisionShapeBox(material, 1, 0.2, 1)
    table = _body(system, 1, 1, (0, -0.1, 0), plate, name="table")
    link = chrono.ChLinkLockLock()
    link.Initialize(table, ground, chrono.ChFramed())
    system.Add(link)
    motions = chrono.ChFunctionSine(0.001, 1.5), chrono.ChFunctionSine(amplitude, 1.5)
    link.SetMotionY(motions[0])
    link.SetMotionZ(motions[1])
    return Demo(system, [*bricks, table], 1e-4, [link, motions])


def clamped_wedge():
    """A block held by friction between two slopes at 45 degrees (mbs, associated: NSC, 0.5 ms, hulls)."""
    system = _system()
    chrono.ChCollisionModel.SetDefaultSuggestedEnvelope(0.01)
    chrono.ChCollisionModel.SetDefaultSuggestedMargin(0.005)
    rough = chrono.ChContactMaterialNSC()
    rough.SetFriction(math.tan(math.radians(40)))
    rough.SetCompliance(1e-9)
    rough.SetComplianceT(1e-9)
    smooth = chrono.ChContactMaterialNSC()
    smooth.SetFriction(0)
    c = math.sqrt(0.5)
    right, left, along = _vector(0.1 * c, -0.1 * c, 0), _vector(-0.1 * c, 0.1 * c, 0), _vector(c, c, 0)
    corners = [middle + along * reach for middle in (left, right) for reach in (0.2, -0.2)]
    block = _hull(system, rough, corners, 0.12)
    high, low = left + along * 0.5, left - along * 0.5
    _hull(system, smooth, [high, low, _vector(-2, low.y, 0), _vector(-2, high.y, 0)], 0.2, True)
    high, low = right + along * 0.5, right - along * 0.5
    _hull(system, rough, [high, low, _vector(1, low.y, 0), _vector(1, high.y, 0)], 0.2, True)
    solver = chrono.ChSolverBB()
    system.SetSolver(solver)
    solver.SetMaxIterations(500)
    solver.EnableWarmStart(True)
    system.SetMaxPenetrationRecoverySpeed(10.01)
    system.SetMinBounceSpeed(10)
    return Demo(system, [block], 5e-4, [solver])


def _hull(system, material, corners, half, fixed=False):
    deep = _vector(0, 0, half)
    points = chrono.vector_ChVector3d([corner + deep for corner in corners] + [corner - deep for corner in corners])
    body = chrono.ChBodyEasyConvexHullAuxRef(points, 1000, False, True, material)
    body.SetFixed(fixed)
    system.Add(body)
    return body
