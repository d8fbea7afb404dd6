"""Chrono scenes of pendulum, cube and column of spheres under Chrono's own contact."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np
from scipy.spatial.transform import Rotation

from ...chrono.api.bridge import pychrono
from ..constants import GRAVITY
from ..scenes.chrono_scenes import Columns, gravity_on_slope
from ..scenes.rival_scenes import built_in_scene, matched_at_rest, matched_in_impact, record_built_in
from .arm_angles import PendulumAngles
from .body_chrono import column_states
from .cube_model import CORNERS, START_MOTION, CubeParameters
from .pendulum_model import MATCHING_SPEED, PendulumParameters
from .stack_model import StackParameters

if TYPE_CHECKING:
    from ...chrono.run.built_in import Seen
    from ...chrono.run.surfaces import SurfaceRequest
    from ...progress import Progress
    from ...trajectory import Trajectory

ROD_INERTIA = 1e-3
"""Moment of inertia of a rod with its sphere in m l^2: small, yet no trouble for the iterative solvers of NSC."""


def column_under_rival(p: StackParameters, progress: Progress) -> Trajectory:
    """Spheres above one another, from rest; the lowest contact is matched at rest."""
    speed = math.sqrt(2.0 * GRAVITY * max(p.height - p.radius, 0.01 * p.radius))
    target = matched_at_rest(p.gap_law(), p.spheres * p.mass * GRAVITY, p.mass, p.mu, speed)
    built = built_in_scene(p.law, target, gravity_on_slope(0.0), p.radius, 8.0 * p.radius)
    for z in p.start_heights():
        built.add_sphere(p.mass, p.radius, 0.4 * p.mass * p.radius**2, (0.0, 0.0, z))

    def columns(seen: Seen) -> Columns:
        found = column_states(seen.x, seen.w)
        below: float | np.ndarray = -p.radius
        carried = np.cumsum(seen.force[:, ::-1, 2], axis=1)[:, ::-1]
        for i in range(p.spheres):
            found[f"s_{i + 1}"] = found[f"z{i + 1}"] - below - 2.0 * p.radius
            found[f"F_{i + 1}"] = carried[:, i]
            below = found[f"z{i + 1}"]
        return found

    return record_built_in(built, p, columns, progress)


def cube_target(p: CubeParameters) -> SurfaceRequest:
    """What rivals are matched to: a corner that strikes the ground moves a quarter of the mass."""
    fall = max(p.height - p.edge, 0.1 * p.edge)
    mu = p.mu_s if p.friction else 0.0
    return matched_in_impact(p.restriction(), 0.25 * p.mass, p.mass, mu, (2.0 * GRAVITY * fall) ** 0.5)


def cube_under_rival(p: CubeParameters, progress: Progress) -> Trajectory:
    """A tumbling cube with sharp corners where ours has spheres."""
    outer = p.edge + 2.0 * p.s_0
    built = built_in_scene(p.law, cube_target(p), gravity_on_slope(0.0), p.edge, 10.0 + 100.0 * p.edge)
    body = built.add_box(p.mass, outer, p.edge, (0.0, 0.0, p.height))
    body.SetPosDt(pychrono().ChVector3d(*START_MOTION[:3]))
    body.SetAngVelLocal(pychrono().ChVector3d(*START_MOTION[3:]))
    names = ("x", "y", "z", "e0", "e1", "e2", "e3", "v_x", "v_y", "v_z", "w_x", "w_y", "w_z")

    def columns(seen: Seen) -> Columns:
        x = seen.x[:, 0]
        w = seen.w[:, 0]
        found = dict(zip(names, (*x.T, *w.T), strict=True))
        turn = Rotation.from_quat(x[:, [4, 5, 6, 3]])
        for i, corner in enumerate(CORNERS):
            number = 4 * int(corner[2] > 0) + 2 * int(corner[1] > 0) + int(corner[0] > 0)
            found[f"s_{i + 1}"] = x[:, 2] + turn.apply(0.5 * outer * corner)[:, 2] + p.s_0
            found[f"F_{i + 1}"] = seen.corners[:, number]
        return found

    return record_built_in(built, p, columns, progress)


def pendulum_under_rival(p: PendulumParameters, progress: Progress) -> Trajectory:
    """The double pendulum in the plane of x and z, pivot at the origin; its masses are spheres of radius s_0.

    The spheres are fixed to their rods: where there is friction it acts on a point that turns with the rod.
    """
    target = matched_in_impact(p.restriction(), p.m2, p.m2, p.mu_s, MATCHING_SPEED)
    built = built_in_scene(p.law, target, (0.0, 0.0, -GRAVITY), p.s_0, 2.0 * (p.l1 + p.l2), -p.y0)
    slope = p.phi1_0 + p.phi2_0
    first = p.l1 * np.array([math.cos(p.phi1_0), 0.0, math.sin(p.phi1_0)])
    second = first + p.l2 * np.array([math.cos(slope), 0.0, math.sin(slope)])
    rod_1 = built.add_sphere(p.m1, p.s_0, ROD_INERTIA * p.m1 * p.l1**2, first.tolist(), mu=0.0)
    rod_2 = built.add_sphere(p.m2, p.s_0, ROD_INERTIA * p.m2 * p.l2**2, second.tolist())
    built.add_hinge(rod_1, built.ground, (0.0, 0.0, 0.0))
    built.add_hinge(rod_2, rod_1, first.tolist())
    angles = PendulumAngles(p.phi1_0, p.phi2_0)

    def columns(seen: Seen) -> Columns:
        in_plane = seen.x[:, :, [0, 2]]
        found = angles.columns(in_plane, seen.w[:, :, [0, 2]])
        for i in range(2):
            found[f"s_{i + 1}"] = in_plane[:, i, 1] + p.y0
            found[f"F_{i + 1}"] = seen.force[:, i, 2]
        return found

    return record_built_in(built, p, columns, progress)
