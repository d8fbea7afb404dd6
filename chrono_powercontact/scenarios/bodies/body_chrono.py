"""Chrono scenes of pendulum, cube, rolling sphere and column of spheres under our contact."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np

from ...chrono.api.bridge import pychrono
from ...chrono.api.start import prepare
from ...chrono.attachment import attach
from ...chrono.contact.shapes import Box, Plane, Points, Sphere
from ...chrono.run.recorder import Recorder
from ..constants import GRAVITY
from ..scenes.chrono_scenes import Columns, add_body, gravity_on_slope, new_scene, plane_motion, record
from ..timing import every_tenth_millisecond
from .arm_angles import PendulumAngles
from .cube_model import CORNER, CORNERS, START_MOTION, CubeParameters
from .pendulum_model import PendulumParameters
from .roll_model import RollParameters
from .stack_model import StackParameters

if TYPE_CHECKING:
    from ...chrono.run.recorder import Samples
    from ...progress import Progress
    from ...trajectory import Trajectory

ROD_INERTIA = 1e-8
"""Moment of inertia of a rod in m l^2: so small that it counts as massless."""

FOOT_INERTIA = 1e3
"""Moment of inertia of a foot in m l^2: so large that it does not turn."""


def pendulum_scene(p: PendulumParameters) -> Recorder:
    """The double pendulum, pivot at the origin, ground at -y0.

    Half of the second mass is on the rod, half on a foot that hangs in a joint at the same position and does not turn:
    friction then acts against the velocity of the mass itself, as on a point.
    """
    chrono = pychrono()
    system, ground = new_scene((0.0, -GRAVITY, 0.0))
    slope = p.phi1_0 + p.phi2_0
    pivot = np.zeros(3)
    first = p.l1 * np.array([math.cos(p.phi1_0), math.sin(p.phi1_0), 0.0])
    second = first + p.l2 * np.array([math.cos(slope), math.sin(slope), 0.0])
    rod_1 = add_body(system, "mass 1", p.m1, ROD_INERTIA * p.m1 * p.l1**2, first)
    rod_2 = add_body(system, "rod 2", 0.5 * p.m2, ROD_INERTIA * p.m2 * p.l2**2, second)
    foot = add_body(system, "mass 2", 0.5 * p.m2, FOOT_INERTIA * p.m2 * p.l2**2, second)
    for body, carrier, position in ((rod_1, ground, pivot), (rod_2, rod_1, first), (foot, rod_2, second)):
        joint = chrono.ChLinkMateRevolute()
        joint.Initialize(body, carrier, chrono.ChFramed(chrono.ChVector3d(*map(float, position))))
        system.AddLink(joint)
    contacts = attach(system)
    for body, material in zip((rod_1, foot), p.materials(), strict=True):
        plane = Plane(ground, (0.0, p.s_0 - p.y0, 0.0), (0.0, 1.0, 0.0))
        contacts.add(Points(body, (0.0, 0.0, 0.0)), plane, material)
    prepare(system, p.integrator)
    angles = PendulumAngles(p.phi1_0, p.phi2_0)

    def columns(seen: Samples) -> Columns:
        found = angles.columns(seen.x[:, :2, :3], seen.w[:, :2, :3])
        for i in range(2):
            found[f"s_{i + 1}"] = seen.gap[:, i] + p.s_0
            found[f"F_{i + 1}"] = seen.force[:, i]
        found["Ft_2"] = -seen.friction[:, 1, 0]
        return found

    return Recorder(contacts, [rod_1, foot, rod_2], columns)


def pendulum_on_chrono(p: PendulumParameters, progress: Progress) -> Trajectory:
    """The double pendulum falls on the ground."""
    return pendulum_scene(p).run(p.step, p.time, every_tenth_millisecond(p.step), progress)


def cube_scene(p: CubeParameters) -> Recorder:
    """A cube over the ground with touching corners."""
    vector = pychrono().ChVector3d
    system, ground = new_scene((0.0, 0.0, -GRAVITY))
    body = add_body(system, "cube", p.mass, p.mass * p.edge**2 / 6.0, (0.0, 0.0, p.height))
    body.SetPosDt(vector(*START_MOTION[:3]))
    body.SetAngVelLocal(vector(*START_MOTION[3:]))
    contacts = attach(system)
    if p.contact_point == CORNER:
        contacts.add(Box(body, p.edge), Plane(ground, (0.0, 0.0, p.s_0)), p.material(), point="shape")
    else:
        contacts.add(Box(body, p.edge, p.s_0), Plane(ground), p.material())
    prepare(system, p.integrator)
    order = ((CORNERS > 0) @ np.array([1, 2, 4])).tolist()
    state = ("x", "y", "z", "e0", "e1", "e2", "e3")
    speed = ("v_x", "v_y", "v_z", "w_x", "w_y", "w_z")

    def columns(seen: Samples) -> Columns:
        found = dict(zip(state, seen.x[:, 0].T, strict=True))
        found |= dict(zip(speed, seen.w[:, 0].T, strict=True))
        found |= {f"s_{i + 1}": seen.gap[:, k] + p.s_0 for i, k in enumerate(order)}
        found |= {f"F_{i + 1}": seen.force[:, k] for i, k in enumerate(order)}
        return found

    return Recorder(contacts, [body], columns)


def cube_on_chrono(p: CubeParameters, progress: Progress) -> Trajectory:
    """The cube tumbles onto the ground."""
    return cube_scene(p).run(p.step, p.time, every_tenth_millisecond(p.step), progress)


def sphere_on_chrono(p: RollParameters, progress: Progress) -> Trajectory:
    """A sphere on a slope, from rest."""
    system, ground = new_scene(gravity_on_slope(p.slope()))
    body = add_body(system, "sphere", p.mass, 0.4 * p.mass * p.radius**2, (0.0, 0.0, p.start_height()))
    contacts = attach(system)
    contacts.add(Sphere(body, radius=p.radius), Plane(ground), p.material())

    def columns(seen: Samples) -> Columns:
        found = plane_motion(seen.x[:, 0], seen.w[:, 0])
        found["s_ground"] = seen.gap[:, 0] + p.radius
        found["F_ground"] = seen.force[:, 0]
        found["Ft_ground"] = -seen.friction[:, 0, 0]
        return found

    return record(contacts, [body], columns, p, progress)


def column_on_chrono(p: StackParameters, progress: Progress) -> Trajectory:
    """Spheres above one another, from rest."""
    system, ground = new_scene(gravity_on_slope(0.0))
    moment = 0.4 * p.mass * p.radius**2
    bodies = [
        add_body(system, f"sphere {i + 1}", p.mass, moment, (0.0, 0.0, z)) for i, z in enumerate(p.start_heights())
    ]
    spheres = [Sphere(body, radius=p.radius) for body in bodies]
    contacts = attach(system)
    contacts.add_all(zip(spheres, (Plane(ground), *spheres[:-1]), [p.material()] * len(spheres), strict=True))

    def columns(seen: Samples) -> Columns:
        found = column_states(seen.x, seen.w)
        for i in range(len(bodies)):
            found[f"s_{i + 1}"] = seen.gap[:, i]
            found[f"F_{i + 1}"] = seen.force[:, i]
        return found

    return record(contacts, bodies, columns, p, progress)


def column_states(x: np.ndarray, w: np.ndarray) -> Columns:
    """Heights and speeds of all spheres, and the largest distance of one from the axis."""
    numbers = range(x.shape[1])
    found = {f"z{i + 1}": x[:, i, 2] for i in numbers}
    found |= {f"z{i + 1}_dot": w[:, i, 2] for i in numbers}
    found["drift"] = np.hypot(x[:, :, 0], x[:, :, 1]).max(axis=1)
    return found
