"""Chrono scenes of slope, slide, roll and stack: free bodies over a plane ground, gravity tilted by the slope."""

from __future__ import annotations

import math
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any

import numpy as np

from ...chrono.api.bridge import pychrono
from ...laws import Material
from ..boxes.planar_box import CORNERS, GRAVITY, core_of, corner_material
from ..timing import records_apart
from .chrono_scenes import add_body, new_scene

if TYPE_CHECKING:
    from ...chrono.run.recorder import Samples
    from ...progress import Progress
    from ...trajectory import Trajectory

Columns = dict[str, np.ndarray]


def tilted(angle: float) -> tuple[float, float, float]:
    """Gravity in m/s^2 in a frame whose x axis points down a slope of an angle in rad."""
    return GRAVITY * math.sin(angle), 0.0, -GRAVITY * math.cos(angle)


def plane_motion(x: np.ndarray, w: np.ndarray) -> Columns:
    """Columns of a body that moves in the plane of x and z, from its states and velocities."""
    turn = 2.0 * np.arctan2(x[:, 5], x[:, 3])
    names = ("x", "z", "phi", "x_dot", "z_dot", "phi_dot")
    return dict(zip(names, (x[:, 0], x[:, 2], turn, w[:, 0], w[:, 2], w[:, 4]), strict=True))


def corner_numbers() -> list[list[int]]:
    """For each point of the plane box the two corners of a `Box` that it stands for."""
    return [[4 * (b > 0) + 2 * y + (a > 0) for y in (0, 1)] for a, b in CORNERS]


def box_on_chrono(p: SimpleNamespace, angle: float, start: tuple[float, float], progress: Progress) -> Trajectory:
    """A cube on a slope, from a height in m and a speed along x in m/s."""
    from ...chrono.attachment import attach
    from ...chrono.contact.shapes import Box, Plane

    system, ground = new_scene(tilted(angle))
    body = add_body(system, "box", p.mass, p.mass * p.size**2 / 6.0, (0.0, 0.0, start[0]))
    body.SetPosDt(pychrono().ChVector3d(start[1], 0.0, 0.0))
    contacts = attach(system)
    contacts.add(Box(body, core_of(p), radius=p.s_0), Plane(ground), corner_material(p))

    def columns(seen: Samples) -> Columns:
        found = plane_motion(seen.x[:, 0], seen.w[:, 0])
        for i, pair in enumerate(corner_numbers()):
            found[f"s_{i + 1}"] = seen.gap[:, pair].min(axis=1) + p.s_0
            found[f"F_{i + 1}"] = seen.force[:, pair].sum(axis=1)
            found[f"Ft_{i + 1}"] = -seen.friction[:, pair, 0].sum(axis=1)
        return found

    return recorded(system, contacts, [body], columns, p, progress)


def sphere_on_chrono(p: SimpleNamespace, angle: float, height: float, material: Material, run: Progress) -> Trajectory:
    """A sphere on a slope, from rest at a height in m."""
    from ...chrono.attachment import attach
    from ...chrono.contact.shapes import Plane, Sphere

    system, ground = new_scene(tilted(angle))
    body = add_body(system, "sphere", p.mass, 0.4 * p.mass * p.radius**2, (0.0, 0.0, height))
    contacts = attach(system)
    contacts.add(Sphere(body, radius=p.radius), Plane(ground), material)

    def columns(seen: Samples) -> Columns:
        found = plane_motion(seen.x[:, 0], seen.w[:, 0])
        own = {
            "s_ground": seen.gap[:, 0] + p.radius,
            "F_ground": seen.force[:, 0],
            "Ft_ground": -seen.friction[:, 0, 0],
        }
        return found | own

    return recorded(system, contacts, [body], columns, p, run)


def column_on_chrono(p: SimpleNamespace, heights: np.ndarray, material: Material, progress: Progress) -> Trajectory:
    """Spheres above one another, from rest at heights in m."""
    from ...chrono.attachment import attach
    from ...chrono.contact.shapes import Plane, Sphere

    system, ground = new_scene(tilted(0.0))
    moment = 0.4 * p.mass * p.radius**2
    bodies = [add_body(system, f"sphere {i + 1}", p.mass, moment, (0.0, 0.0, z)) for i, z in enumerate(heights)]
    spheres = [Sphere(body, radius=p.radius) for body in bodies]
    contacts = attach(system)
    contacts.add_all(zip(spheres, (Plane(ground), *spheres[:-1]), [material] * len(spheres), strict=True))

    def columns(seen: Samples) -> Columns:
        found = column_states(seen.x, seen.w)
        for i in range(len(bodies)):
            found |= {f"s_{i + 1}": seen.gap[:, i], f"F_{i + 1}": seen.force[:, i]}
        return found

    return recorded(system, contacts, bodies, columns, p, progress)


def column_states(x: np.ndarray, w: np.ndarray) -> Columns:
    """Heights and speeds of all spheres, and the largest distance of one from the axis."""
    found = {f"z{i + 1}": x[:, i, 2] for i in range(x.shape[1])}
    found |= {f"z{i + 1}_dot": w[:, i, 2] for i in range(x.shape[1])}
    return found | {"drift": np.hypot(x[:, :, 0], x[:, :, 1]).max(axis=1)}


def recorded(
    system: Any, contacts: Any, bodies: list[Any], columns: Any, p: SimpleNamespace, progress: Progress
) -> Trajectory:
    """Run a finished scene."""
    from ...chrono.api.start import prepare
    from ...chrono.run.recorder import Recorder

    prepare(system, p.integrator)
    return Recorder(contacts, bodies, columns).run(p.step, p.time, records_apart(p), progress)
