"""Chrono scenes of what friction holds: a rocking slope, a stack of boxes, a ladder, a gripper, a wheel."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

import numpy as np

from ...chrono.api.bridge import pychrono
from ...chrono.attachment import attach
from ...chrono.contact.shapes import Box, Plane, Points, Sphere
from ..boxes.box_chrono import corner_pairs
from ..boxes.planar_box import CORNERS
from ..constants import GRAVITY
from ..scenes.chrono_scenes import (
    Columns,
    add_body,
    gravity_on_slope,
    new_scene,
    plane_motion,
    record,
    turn_about_y,
)
from .box_stack_model import FEET, BoxStackParameters, rest_of
from .gripper_model import GripperParameters
from .held import held_material
from .ladder_model import LadderParameters
from .rocking_model import RockingParameters
from .wheel_model import WheelParameters

if TYPE_CHECKING:
    from ...chrono.run.recorder import Samples
    from ...progress import Progress
    from ...trajectory import Trajectory

HEAVY = 1e3
"""Mass in kg of a body that a motor drives: what touches it does not turn it."""

DOWN = (0.0, 0.0, -GRAVITY)
"""Gravity in m/s^2."""


def rocking_plane(system: Any, ground: Any, p: RockingParameters) -> Any:
    """A body that a motor turns about y through the origin, by (1 - cos(omega t)) angle/2."""
    chrono = pychrono()
    slope = add_body(system, "slope", HEAVY, HEAVY, (0.0, 0.0, 0.0))
    motor = chrono.ChLinkMotorRotationAngle()
    frame = chrono.ChFramed(chrono.ChVector3d(0, 0, 0), chrono.QuatFromAngleX(-0.5 * math.pi))
    motor.Initialize(slope, ground, frame)
    half = 0.5 * math.radians(p.angle)
    motor.SetAngleFunction(chrono.ChFunctionSine(half, p.frequency, -0.5 * math.pi, half))
    system.AddLink(motor)
    return slope


def rocking_on_chrono(p: RockingParameters, progress: Progress) -> Trajectory:
    """A cube on a plane that a motor rocks; x and z are its position in the frame of the slope."""
    system, ground = new_scene(DOWN)
    slope = rocking_plane(system, ground, p)
    body = add_body(system, "box", p.mass, p.moment(), (0.0, 0.0, p.start_height()))
    contacts = attach(system)
    contacts.add(Box(body, p.core(), radius=p.s_0), Plane(slope), held_material(p))

    def columns(seen: Samples) -> Columns:
        box = plane_motion(seen.x[:, 0], seen.w[:, 0])
        plane = plane_motion(seen.x[:, 1], seen.w[:, 1])
        theta = plane["phi"]
        c = np.cos(theta)
        s = np.sin(theta)
        dx = box["x"] - plane["x"]
        dz = box["z"] - plane["z"]
        found = {"X": box["x"], "Z": box["z"], "phi": box["phi"], "theta": theta}
        found |= {"x": dx * c - dz * s, "z": dx * s + dz * c}
        for i, pair in enumerate(corner_pairs()):
            found[f"s_{i + 1}"] = seen.gap[:, pair].min(axis=1) + p.s_0
            found[f"F_{i + 1}"] = seen.force[:, pair].sum(axis=1)
            friction = seen.friction[:, pair].sum(axis=1)
            found[f"Ft_{i + 1}"] = friction[:, 2] * s - friction[:, 0] * c
        return found

    return record(contacts, [body, slope], columns, p, progress)


def boxes_on_chrono(p: BoxStackParameters, progress: Progress) -> Trajectory:
    """Boxes on one another, each on four feet, from their positions and tilts at rest."""
    system, ground = new_scene(gravity_on_slope(p.slope()))
    bodies = []
    for i, (x, z, tilt) in enumerate(rest_of(p)):
        body = add_body(system, f"box {i + 1}", p.mass, p.moment(), (x, 0.0, z))
        turn_about_y(body, tilt)
        bodies.append(body)
    half = 0.5 * FEET * p.width
    low = p.s_0 - 0.5 * p.height
    positions = [(x, y, low) for x in (-half, half) for y in (-half, half)]
    feet = [Points(body, positions, radius=p.s_0) for body in bodies]
    tops = [Box(body, (p.width, p.width, p.height)) for body in bodies[:-1]]
    contacts = attach(system)
    contacts.add_all(zip(feet, (Plane(ground), *tops), [held_material(p)] * p.boxes, strict=True))

    def columns(seen: Samples) -> Columns:
        found: Columns = {}
        for i in range(p.boxes):
            motion = plane_motion(seen.x[:, i], seen.w[:, i])
            found |= {f"{name}{i + 1}": motion[name] for name in ("x", "z", "phi")}
            for side, pair in (("rear", [4 * i, 4 * i + 1]), ("front", [4 * i + 2, 4 * i + 3])):
                found[f"s_{side}_{i + 1}"] = seen.gap[:, pair].min(axis=1) + p.s_0
                found[f"F_{side}_{i + 1}"] = seen.force[:, pair].sum(axis=1)
        return found

    return record(contacts, bodies, columns, p, progress)


def ladder_on_chrono(p: LadderParameters, progress: Progress) -> Trajectory:
    """A ladder with two feet and two upper ends."""
    system, ground = new_scene(DOWN)
    x, z = p.start()
    body = add_body(system, "ladder", p.mass, p.mass * p.length**2 / 12.0, (x, 0.0, z))
    turn_about_y(body, p.lean())
    rails = (-0.5 * p.width, 0.5 * p.width)
    top = Points(body, [(-0.5 * p.length, y, 0.0) for y in rails], radius=p.s_0)
    foot = Points(body, [(0.5 * p.length, y, 0.0) for y in rails], radius=p.s_0)
    floor = Plane(ground)
    wall = Plane(ground, normal=(1.0, 0.0, 0.0))
    on_floor = held_material(p)
    on_wall = held_material(p, 1, p.mu_wall)
    contacts = attach(system)
    contacts.add_all([(foot, floor, on_floor), (top, wall, on_wall), (top, floor, on_floor)])

    def columns(seen: Samples) -> Columns:
        found = plane_motion(seen.x[:, 0], seen.w[:, 0])
        for name, pair, axis in (("floor", [0, 1], 0), ("wall", [2, 3], 2), ("top", [4, 5], 0)):
            found[f"s_{name}"] = seen.gap[:, pair].min(axis=1) + p.s_0
            found[f"F_{name}"] = seen.force[:, pair].sum(axis=1)
            found[f"Ft_{name}"] = -seen.friction[:, pair, axis].sum(axis=1)
        return found

    return record(contacts, [body], columns, p, progress)


def moving_jaw(system: Any, ground: Any, p: GripperParameters, at: float) -> Any:
    """A body that slides along x, from a position in m, and that a constant force presses against x."""
    chrono = pychrono()
    jaw = add_body(system, "jaw", p.jaw, p.jaw * p.size**2, (at, 0.0, 0.0))
    guide = chrono.ChLinkMatePrismatic()
    guide.Initialize(jaw, ground, chrono.ChFramed(chrono.ChVector3d(at, 0, 0), chrono.QuatFromAngleY(0.5 * math.pi)))
    system.AddLink(guide)
    press = chrono.ChLoadBodyForce(jaw, chrono.ChVector3d(-p.press, 0.0, 0.0), False, chrono.ChVector3d(0, 0, 0), True)
    container = chrono.ChLoadContainer()
    container.Add(press)
    system.Add(container)
    return jaw


def jaw_corners(body: Any, p: GripperParameters, side: int) -> Points:
    """The four corners of the cube at the fixed (-1) or the moving (1) jaw."""
    half = 0.5 * p.core()
    positions = [(side * half, y * half, b * half) for a, b in CORNERS if a == side for y in (-1, 1)]
    return Points(body, positions, p.s_0)


def gripper_on_chrono(p: GripperParameters, progress: Progress) -> Trajectory:
    """A cube between a fixed jaw and one that a force presses along a guide."""
    system, ground = new_scene(DOWN)
    x, w = p.start()
    jaw = moving_jaw(system, ground, p, w)
    body = add_body(system, "cube", p.mass, p.moment(), (x, 0.0, 0.0))
    fixed = Plane(ground, normal=(1.0, 0.0, 0.0))
    moving = Plane(jaw, normal=(-1.0, 0.0, 0.0))
    material = held_material(p)
    contacts = attach(system)
    contacts.add_all([(jaw_corners(body, p, -1), fixed, material), (jaw_corners(body, p, 1), moving, material)])

    def columns(seen: Samples) -> Columns:
        found = plane_motion(seen.x[:, 0], seen.w[:, 0])
        found |= {"w": seen.x[:, 1, 0], "w_dot": seen.w[:, 1, 0]}
        for corner, first in ((1, 0), (3, 2), (2, 4), (4, 6)):
            pair = [first, first + 1]
            found[f"s_{corner}"] = seen.gap[:, pair].min(axis=1) + p.s_0
            found[f"F_{corner}"] = seen.force[:, pair].sum(axis=1)
            found[f"Ft_{corner}"] = -seen.friction[:, pair, 2].sum(axis=1)
        found["potential"] = p.mass * GRAVITY * found["z"] + p.press * found["w"]
        return found

    return record(contacts, [body, jaw], columns, p, progress)


def wheel_on_chrono(p: WheelParameters, progress: Progress) -> Trajectory:
    """A wheel that rolls down a slope."""
    chrono = pychrono()
    system, ground = new_scene(gravity_on_slope(p.slope()))
    height = p.radius + p.start_height() - p.s_0
    body = add_body(system, "wheel", p.mass, p.moment(), (0.0, 0.0, height))
    body.SetPosDt(chrono.ChVector3d(p.speed, 0.0, 0.0))
    body.SetAngVelLocal(chrono.ChVector3d(0.0, p.start_rotation(), 0.0))
    contacts = attach(system)
    contacts.add(Sphere(body, radius=p.radius), Plane(ground), p.material())

    def columns(seen: Samples) -> Columns:
        found = plane_motion(seen.x[:, 0], seen.w[:, 0])
        found["phi"] = np.unwrap(found["phi"])
        found["s_ground"] = seen.gap[:, 0] + p.s_0
        found["F_ground"] = seen.force[:, 0]
        found["Ft_ground"] = -seen.friction[:, 0, 0]
        return found

    return record(contacts, [body], columns, p, progress)
