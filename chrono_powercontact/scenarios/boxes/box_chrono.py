"""The box on a slope on Chrono: under our contact, and under Chrono's own."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np

from ...chrono.api.bridge import pychrono
from ...chrono.attachment import attach
from ...chrono.contact.shapes import Box, Plane
from ...chrono.run.surfaces import SLIP_THRESHOLD, SurfaceRequest, built_in_creep, force_model, surface
from ..constants import GRAVITY
from ..scenes.chrono_scenes import Columns, add_body, gravity_on_slope, new_scene, plane_motion, record
from ..scenes.rival_scenes import built_in_scene, matched_at_rest, record_built_in
from .planar_box import CORNERS, BoxParameters, core_of, corner_material, rest_height

if TYPE_CHECKING:
    from ...chrono.run.built_in import Seen
    from ...chrono.run.recorder import Samples
    from ...progress import Progress
    from ...trajectory import Trajectory

BUILT_IN_RECORDS = 2000
"""Records of a box under Chrono's own contact: to ask for the force at each corner takes longer than a step."""


def corner_pairs() -> list[list[int]]:
    """For each point of the plane box the two corners of a `Box` that it represents."""
    return [[4 * (b > 0) + 2 * y + (a > 0) for y in (0, 1)] for a, b in CORNERS]


def box_on_chrono(p: BoxParameters, angle: float, speed: float, progress: Progress) -> Trajectory:
    """A cube on a slope of an angle in rad, from its rest height with a speed along x in m/s."""
    system, ground = new_scene(gravity_on_slope(angle))
    body = add_body(system, "box", p.mass, p.moment(), (0.0, 0.0, rest_height(p, angle)))
    body.SetPosDt(pychrono().ChVector3d(speed, 0.0, 0.0))
    contacts = attach(system)
    contacts.add(Box(body, core_of(p), radius=p.s_0), Plane(ground), corner_material(p))

    def columns(seen: Samples) -> Columns:
        found = plane_motion(seen.x[:, 0], seen.w[:, 0])
        for i, pair in enumerate(corner_pairs()):
            found[f"s_{i + 1}"] = seen.gap[:, pair].min(axis=1) + p.s_0
            found[f"F_{i + 1}"] = seen.force[:, pair].sum(axis=1)
            found[f"Ft_{i + 1}"] = -seen.friction[:, pair, 0].sum(axis=1)
        return found

    return record(contacts, [body], columns, p, progress)


def box_target(p: BoxParameters, angle: float) -> SurfaceRequest:
    """What a rival is matched to: as deep as a corner of ours under a quarter of the load, on a slope in rad."""
    load = 0.25 * p.mass * GRAVITY * math.cos(angle)
    return matched_at_rest(p.restriction(), load, p.mass, p.coefficients().stiction)


def box_under_rival(p: BoxParameters, angle: float, speed: float, progress: Progress) -> Trajectory:
    """A cube that touches a slope of an angle in rad and moves along it with a speed in m/s."""
    reach = 20.0 * p.size + 0.5 * speed**2
    built = built_in_scene(p.law, box_target(p, angle), gravity_on_slope(angle), p.size, reach)
    body = built.add_box(p.mass, p.size, p.size, (0.0, 0.0, 0.5 * p.size))
    body.SetPosDt(pychrono().ChVector3d(speed, 0.0, 0.0))

    def columns(seen: Seen) -> Columns:
        found = plane_motion(seen.x[:, 0], seen.w[:, 0])
        c = np.cos(found["phi"])
        s = np.sin(found["phi"])
        for i, (pair, (a, b)) in enumerate(zip(corner_pairs(), CORNERS, strict=True)):
            found[f"s_{i + 1}"] = found["z"] + 0.5 * p.size * (b * c - a * s) + p.s_0
            found[f"F_{i + 1}"] = seen.corners[:, pair].sum(axis=1)
        return found

    return record_built_in(built, p, columns, progress, BUILT_IN_RECORDS)


def rival_creep(p: BoxParameters, angle: float) -> float:
    """Speed in m/s at which a cube creeps down a slope of an angle in rad by the formulas of Chrono's law."""
    load = 0.25 * p.mass * GRAVITY * math.cos(angle)
    grade = math.tan(angle)
    uphill = load * (1.0 - grade)
    downhill = load * (1.0 + grade)
    loads = [uphill, uphill, downhill, downhill]
    material = surface(p.law, box_target(p, angle))
    return built_in_creep(p.law, material, loads, p.mass, grade, p.step)


def rest_resolution(law: str) -> float:
    """Speed in m/s that a law of Chrono cannot tell from rest: SMC's threshold, or round-off of single precision."""
    return 1e-6 if force_model(law) == "nsc" else SLIP_THRESHOLD
