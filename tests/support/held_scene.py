"""A cube that friction holds on a slope, in any frame, for the tests of the anchored law."""

import math

import numpy as np
from scene import empty_system
from scipy.spatial.transform import Rotation

import chrono_powercontact as pc
from chrono_powercontact.chrono.api.bridge import pychrono

GRAVITY = 9.81
NORMAL = pc.Restriction(0.002, 0.001, 400.0, 30.0)
STICKY = pc.Material(NORMAL, pc.Friction(0.5, 0.5, 1e-3), pc.Anchor())


def vector(v):
    return pychrono().ChVector3d(*map(float, v))


def numbers(v):
    return np.array([v.x, v.y, v.z])


def quaternion(turn):
    x, y, z, w = turn.as_quat()
    return pychrono().ChQuaterniond(w, x, y, z)


def place(body, at=(0.0, 0.0, 0.0)):
    """World position of a point of a body."""
    return numbers(body.TransformPointLocalToParent(vector(at)))


def body_in(system, name, mass=1.0, size=0.2, at=(0, 0, 0), turn=None, fixed=False):
    """A cube-like body at a place of a frame that is turned."""
    turn = turn or Rotation.identity()
    body = pychrono().ChBody()
    body.SetName(name)
    body.SetMass(mass)
    body.SetInertiaXX(vector([mass * size**2 / 6.0] * 3))
    body.SetPos(vector(turn.apply(at)))
    body.SetRot(quaternion(turn))
    body.SetFixed(fixed)
    system.AddBody(body)
    return body


def rest_height(material=STICKY, mass=1.0, corners=4, grade=1.0):
    return 0.098 + float(material.normal.rest_distance(mass * GRAVITY * grade / corners))


def slope(angle=20.0, integrator="euler_implicit_linearized", turn=None, material=STICKY, split=None, jacobian=False):
    """A 0.2 m cube of 1 kg at rest on a slope; x points downhill in a frame that is turned.

    split: order in which its lower corners are added one by one, in place of the whole box.
    """
    turn, angle = turn or Rotation.identity(), math.radians(angle)
    system = empty_system(0.0, integrator)
    pull = GRAVITY * np.array([math.sin(angle), 0.0, -math.cos(angle)])
    system.SetGravitationalAcceleration(vector(turn.apply(pull)))
    ground = body_in(system, "ground", turn=turn, fixed=True)
    cube = body_in(system, "cube", at=(0.0, 0.0, rest_height(material, grade=math.cos(angle))), turn=turn)
    contacts = pc.attach(system, jacobian=jacobian)
    if split is None:
        contacts.add(pc.Box(cube, 0.196, 0.002), pc.Plane(ground), material)
    else:
        corners = [(a * 0.098, b * 0.098, -0.098) for a in (-1, 1) for b in (-1, 1)]
        for i in split:
            contacts.add(pc.Points(cube, corners[i], 0.002), pc.Plane(ground), material)
    return system, cube, contacts


def driven(system, body, ground, speed, turn):
    """Let a motor turn a body about the z axis of a frame, with a speed in rad/s."""
    chrono = pychrono()
    motor = chrono.ChLinkMotorRotationSpeed()
    motor.Initialize(body, ground, chrono.ChFramed(body.GetPos(), quaternion(turn)))
    motor.SetSpeedFunction(chrono.ChFunctionConst(speed))
    system.AddLink(motor)
    system.SetSolver(chrono.ChSolverSparseLU())
    body.SetAngVelParent(vector(turn.apply([0.0, 0.0, speed])))
