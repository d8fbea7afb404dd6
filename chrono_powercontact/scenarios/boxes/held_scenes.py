"""Chrono scenes of what friction holds: a rocking slope, a stack of boxes, a ladder, a gripper, a wheel."""

from __future__ import annotations

import math
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any

import numpy as np

from ...chrono.api.bridge import pychrono
from ...laws import Material
from ..scenes.chrono_scenes import add_body, new_scene
from ..scenes.free_bodies import Columns, corner_numbers, plane_motion, recorded, tilted
from .planar_box import CORNERS, GRAVITY, core_of

if TYPE_CHECKING:
    from ...chrono.run.recorder import Samples
    from ...progress import Progress
    from ...trajectory import Trajectory

HEAVY = 1e3
"""Mass in kg of a body that a motor drives: what touches it does not turn it."""


def turned_about_y(body: Any, angle: float) -> None:
    """Give a body an angle in rad about y."""
    body.SetRot(pychrono().QuatFromAngleY(float(angle)))


def rocking_plane(system: Any, ground: Any, p: SimpleNamespace) -> Any:
    """A body that a motor turns about y through the origin, by (1 - cos(omega t)) angle/2."""
    chrono = pychrono()
    slope = add_body(system, "slope", HEAVY, HEAVY, (0.0, 0.0, 0.0))
    motor = chrono.ChLinkMotorRotationAngle()
    frame = chrono.ChFramed(chrono.ChVector3d(0, 0, 0), chrono.QuatFromAngleX(-0.5 * math.pi))
    motor.Initialize(slope, ground, frame)
    swing = chrono.ChFunctionSine(0.5 * math.radians(p.angle), p.frequency, -0.5 * math.pi, 0.5 * math.radians(p.angle))
    motor.SetAngleFunction(swing)
    system.AddLink(motor)
    return slope


def rocking_on_chrono(p: SimpleNamespace, height: float, material: Material, progress: Progress) -> Trajectory:
    """A cube on a plane that a motor rocks; x and z are its place as the slope sees it."""
    from ...chrono.attachment import attach
    from ...chrono.contact.shapes import Box, Plane

    system, ground = new_scene((0.0, 0.0, -GRAVITY))
    slope = rocking_plane(system, ground, p)
    body = add_body(system, "box", p.mass, p.mass * p.size**2 / 6.0, (0.0, 0.0, height))
    contacts = attach(system)
    contacts.add(Box(body, core_of(p), radius=p.s_0), Plane(slope), material)

    def columns(seen: Samples) -> Columns:
        box, plane = (plane_motion(seen.x[:, i], seen.w[:, i]) for i in (0, 1))
        theta, at, off = plane["phi"], (box["x"], box["z"]), (plane["x"], plane["z"])
        c, s, dx, dz = np.cos(theta), np.sin(theta), at[0] - off[0], at[1] - off[1]
        found = {"X": at[0], "Z": at[1], "phi": box["phi"], "theta": theta, "x": dx * c - dz * s, "z": dx * s + dz * c}
        for i, pair in enumerate(corner_numbers()):
            found[f"s_{i + 1}"] = seen.gap[:, pair].min(axis=1) + p.s_0
            found[f"F_{i + 1}"] = seen.force[:, pair].sum(axis=1)
            friction = seen.friction[:, pair].sum(axis=1)
            found[f"Ft_{i + 1}"] = friction[:, 2] * s - friction[:, 0] * c
        return found

    return recorded(system, contacts, [body, slope], columns, p, progress)


def boxes_on_chrono(
    p: SimpleNamespace, rest: np.ndarray, moment: float, material: Material, progress: Progress
) -> Trajectory:
    """Boxes on one another, each on four feet, from places and tilts at rest."""
    from ...chrono.attachment import attach
    from ...chrono.contact.shapes import Box, Plane, Points
    from .box_stack import FEET

    system, ground = new_scene(tilted(math.radians(p.angle)))
    bodies = [add_body(system, f"box {i + 1}", p.mass, moment, (x, 0.0, z)) for i, (x, z, _) in enumerate(rest)]
    for body, (_, _, tilt) in zip(bodies, rest, strict=True):
        turned_about_y(body, tilt)
    half, low = 0.5 * FEET * p.width, p.s_0 - 0.5 * p.height
    places = [(x, y, low) for x in (-half, half) for y in (-half, half)]
    feet = [Points(body, places, radius=p.s_0) for body in bodies]
    tops = [Box(body, (p.width, p.width, p.height)) for body in bodies[:-1]]
    contacts = attach(system)
    contacts.add_all(zip(feet, (Plane(ground), *tops), [material] * p.boxes, strict=True))

    def columns(seen: Samples) -> Columns:
        found: Columns = {}
        for i in range(p.boxes):
            found |= {f"{name}{i + 1}": signal for name, signal in numbered(seen, i).items()}
            for side, pair in (("rear", [4 * i, 4 * i + 1]), ("front", [4 * i + 2, 4 * i + 3])):
                found[f"s_{side}_{i + 1}"] = seen.gap[:, pair].min(axis=1) + p.s_0
                found[f"F_{side}_{i + 1}"] = seen.force[:, pair].sum(axis=1)
        return found

    return recorded(system, contacts, bodies, columns, p, progress)


def numbered(seen: Samples, i: int) -> Columns:
    """Place and tilt of body i in the plane."""
    motion = plane_motion(seen.x[:, i], seen.w[:, i])
    return {name: motion[name] for name in ("x", "z", "phi")}


def ladder_on_chrono(
    p: SimpleNamespace, start: tuple[float, float], materials: tuple[Material, Material], progress: Progress
) -> Trajectory:
    """A ladder with two feet and two upper ends; materials of the floor and of the wall."""
    from ...chrono.attachment import attach
    from ...chrono.contact.shapes import Plane, Points

    system, ground = new_scene((0.0, 0.0, -GRAVITY))
    body = add_body(system, "ladder", p.mass, p.mass * p.length**2 / 12.0, (start[0], 0.0, start[1]))
    turned_about_y(body, math.radians(p.angle))
    ends = [[(side * 0.5 * p.length, y, 0.0) for y in (-0.5 * p.width, 0.5 * p.width)] for side in (-1, 1)]
    top, foot = (Points(body, places, radius=p.s_0) for places in ends)
    floor, wall = Plane(ground), Plane(ground, normal=(1.0, 0.0, 0.0))
    contacts = attach(system)
    contacts.add_all([(foot, floor, materials[0]), (top, wall, materials[1]), (top, floor, materials[0])])

    def columns(seen: Samples) -> Columns:
        found = plane_motion(seen.x[:, 0], seen.w[:, 0])
        for name, pair, axis in (("floor", [0, 1], 0), ("wall", [2, 3], 2), ("top", [4, 5], 0)):
            found[f"s_{name}"] = seen.gap[:, pair].min(axis=1) + p.s_0
            found[f"F_{name}"] = seen.force[:, pair].sum(axis=1)
            found[f"Ft_{name}"] = -seen.friction[:, pair, axis].sum(axis=1)
        return found

    return recorded(system, contacts, [body], columns, p, progress)


def moving_jaw(system: Any, ground: Any, p: SimpleNamespace, at: float) -> Any:
    """A body that slides along x, from a place in m, and that a constant force presses against x."""
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


def gripper_on_chrono(
    p: SimpleNamespace, start: tuple[float, float], material: Material, progress: Progress
) -> Trajectory:
    """A cube between a fixed jaw and one that a force presses along a guide; their places in m at the start."""
    from ...chrono.attachment import attach
    from ...chrono.contact.shapes import Plane, Points

    system, ground = new_scene((0.0, 0.0, -GRAVITY))
    jaw = moving_jaw(system, ground, p, start[1])
    body = add_body(system, "cube", p.mass, p.mass * p.size**2 / 6.0, (start[0], 0.0, 0.0))
    half = 0.5 * core_of(p)
    left, right = (
        Points(body, [(side * half, y * half, b * half) for a, b in CORNERS if a == side for y in (-1, 1)], p.s_0)
        for side in (-1, 1)
    )
    contacts = attach(system)
    fixed, moving = Plane(ground, normal=(1.0, 0.0, 0.0)), Plane(jaw, normal=(-1.0, 0.0, 0.0))
    contacts.add_all([(left, fixed, material), (right, moving, material)])

    def columns(seen: Samples) -> Columns:
        found = plane_motion(seen.x[:, 0], seen.w[:, 0]) | {"w": seen.x[:, 1, 0], "w_dot": seen.w[:, 1, 0]}
        for corner, first in ((1, 0), (3, 2), (2, 4), (4, 6)):
            pair = [first, first + 1]
            found[f"s_{corner}"] = seen.gap[:, pair].min(axis=1) + p.s_0
            found[f"F_{corner}"] = seen.force[:, pair].sum(axis=1)
            found[f"Ft_{corner}"] = -seen.friction[:, pair, 2].sum(axis=1)
        return found | {"potential": p.mass * GRAVITY * found["z"] + p.press * found["w"]}

    return recorded(system, contacts, [body, jaw], columns, p, progress)


def wheel_on_chrono(
    p: SimpleNamespace, distance: float, spin: float, material: Material, progress: Progress
) -> Trajectory:
    """A wheel on a slope, from a distance in m of its contact and a spin in rad/s."""
    from ...chrono.attachment import attach
    from ...chrono.contact.shapes import Plane, Sphere
    from ..bodies.wheel import DISC

    chrono = pychrono()
    system, ground = new_scene(tilted(math.radians(p.angle)))
    body = add_body(system, "wheel", p.mass, DISC * p.mass * p.radius**2, (0.0, 0.0, p.radius + distance - p.s_0))
    body.SetPosDt(chrono.ChVector3d(p.speed, 0.0, 0.0))
    body.SetAngVelLocal(chrono.ChVector3d(0.0, spin, 0.0))
    contacts = attach(system)
    contacts.add(Sphere(body, radius=p.radius), Plane(ground), material)

    def columns(seen: Samples) -> Columns:
        found = plane_motion(seen.x[:, 0], seen.w[:, 0])
        found["phi"] = np.unwrap(found["phi"])
        own = {"s_ground": seen.gap[:, 0] + p.s_0, "F_ground": seen.force[:, 0], "Ft_ground": -seen.friction[:, 0, 0]}
        return found | own

    return recorded(system, contacts, [body], columns, p, progress)
