"""Scenes for steps that are too long for forces at their start: a box on a slope, a drop, and a light foot."""

import math

import numpy as np
from scene import empty_system, new_body

import chrono_powercontact as pc
from chrono_powercontact.chrono.api.bridge import pychrono

GRAVITY = 9.81
EDGE = 0.1
GRIP = pc.Friction(0.5, 0.5, 1e-3)
FLOOR = pc.Restriction(0.0, -1e-4, 200.0, 2.0)
STICKY = pc.Material(FLOOR, GRIP, pc.Anchor(5e-6))


def tilt(system, degrees):
    """Let gravity point as on a slope that falls along x."""
    angle = math.radians(degrees)
    pull = pychrono().ChVector3d(GRAVITY * math.sin(angle), 0, -GRAVITY * math.cos(angle))
    system.SetGravitationalAcceleration(pull)


def cube(system, mass, at=(0, 0, 0.5 * EDGE), edge=EDGE, **motion):
    return new_body(system, mass, at, inertia=(mass * edge**2 / 6.0,) * 3, **motion)


def box_on_slope(degrees, stepping="implicit", material=STICKY, **motion):
    """A cube of 1 kg that touches the slope at the start."""
    system = empty_system()
    tilt(system, degrees)
    ground, box = new_body(system, fixed=True), cube(system, 1.0, **motion)
    contacts = pc.attach(system, stepping=stepping)
    contacts.add(pc.Box(box, EDGE), pc.Plane(ground), material)
    return system, box, contacts


def dropped_ball(law, stepping="implicit", height=0.1, mass=0.05, radius=0.02):
    """A ball above the ground, with a law whose s_0 is its radius."""
    system = empty_system()
    ground, ball = new_body(system, fixed=True), new_body(system, mass, (0, 0, radius + height), inertia=(8e-6,) * 3)
    contacts = pc.attach(system, stepping=stepping)
    contacts.add(pc.Sphere(ball, radius=radius), pc.Plane(ground), pc.Material(law))
    return system, ball, contacts


def peaks(heights, above=1e-4):
    """Heights at which a flight turns around."""
    z = np.asarray(heights)
    top = (z[1:-1] > z[:-2]) & (z[1:-1] >= z[2:]) & (z[1:-1] > above)
    return z[1:-1][top]


def foot_and_top(foot_mass, top_mass=10.0, degrees=15.0):
    """A foot on a slope with a heavy body locked on top of it; only the foot touches the slope."""
    chrono = pychrono()
    system = empty_system()
    tilt(system, degrees)
    system.SetSolverType(chrono.ChSolver.Type_SPARSE_LU)
    ground, foot, top = (
        new_body(system, fixed=True),
        cube(system, foot_mass),
        cube(system, top_mass, (0, 0, 1.5 * EDGE)),
    )
    joint = chrono.ChLinkLockLock()
    joint.Initialize(foot, top, chrono.ChFramed(chrono.ChVector3d(0, 0, EDGE)))
    system.AddLink(joint)
    contacts = pc.attach(system, stepping="implicit")
    law = pc.Restriction(0.0, -1e-4, 20.0 * GRAVITY * (foot_mass + top_mass), 2.0)
    contacts.add(pc.Box(foot, EDGE), pc.Plane(ground), pc.Material(law, GRIP, pc.Anchor()))
    return system, foot, contacts
