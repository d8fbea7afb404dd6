"""The scenes of the scenarios under Chrono's own contact, with a material matched to the power law.

The rule stands in `chrono.rivals`: a box and a column match the penetration at rest, a drop, a cube and a pendulum
that of an impact; all match the restitution at the speed of an impact, and friction.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any

import numpy as np

from ...chrono.api.bridge import pychrono
from ...chrono.run.surfaces import BUILT_IN, SLIP_THRESHOLD, Surface, Wish, built_in_creep, force_model, surface
from ...errors import ParameterError
from ...laws import Restriction
from ...laws.impact import deepest_distance, restitution
from ..boxes.planar_box import CORNERS, GRAVITY
from ..timing import RECORDS, records_apart
from .chrono_scenes import angle_over, turning
from .free_bodies import column_states, corner_numbers, plane_motion, tilted

if TYPE_CHECKING:
    from ...chrono.run.built_in import BuiltIn, Seen
    from ...progress import Progress
    from ...trajectory import Trajectory

LAWS = ("power", *BUILT_IN)
"""Laws of a scenario whose rivals are Chrono's."""

CHARACTERISTIC_SPEED = 1.0
"""Impact speed in m/s with which Chrono reckons unless told otherwise: a body that does not fall is matched there."""

BOX_RECORDS = 2000
"""Records of a sliding box: to ask Chrono for the force at each corner takes longer than a step."""

ROD_INERTIA = 1e-3
"""Moment of inertia of a rod with its sphere in m l^2: small, yet no trouble for the iterative solvers of NSC."""

Columns = dict[str, np.ndarray]


def only_on_chrono(law: str) -> None:
    """Refuse a law of Chrono on the reference engine."""
    if law in BUILT_IN:
        raise ParameterError(f"law {law!r} is Chrono's own contact: it needs the engine chrono")


def at_rest(law: Restriction, load: float, mass: float, mu: float, speed: float = CHARACTERISTIC_SPEED) -> Wish:
    """As deep as a restriction under a load in N, at least a hundredth of s_0 - s_c; restitution at a speed in m/s."""
    depth = max(law.s_0 - law.rest_distance(load), 0.01 * (law.s_0 - law.s_c))
    return Wish(mu, float(restitution(law.r_d, speed)), mass, speed, depth, load=load)


def in_impact(law: Restriction, striking: float, mass: float, mu: float, speed: float) -> Wish:
    """As deep as a restriction without dissipation when a mass in kg strikes at a speed in m/s."""
    elastic = Restriction(law.s_0, law.s_c, law.r_f, 0.0, law.r_a)
    depth = max(law.s_0 - deepest_distance(elastic, striking, speed), 0.01 * (law.s_0 - law.s_c))
    return Wish(mu, float(restitution(law.r_d, speed)), mass, speed, depth, striking=striking)


def asked_restitution(law: str, r_d: float, speed: float) -> float:
    """Restitution that a law was asked for at an impact speed in m/s: the power law's, or Chrono's default."""
    return Surface(0.0).restitution if law.endswith("-default") else float(restitution(r_d, speed))


def scene(
    p: SimpleNamespace, wish: Wish, gravity: Sequence[float], size: float, reach: float, level: float = 0.0
) -> BuiltIn:
    """An empty scene under the law p.law, for bodies of a size in m that stay within a reach in m over a level."""
    from ...chrono.run.built_in import BuiltIn

    return BuiltIn(p.law, surface(p.law, wish), gravity, min(0.03, 0.15 * size), reach, level)


def recorded(
    built: BuiltIn, p: SimpleNamespace, columns: Any, progress: Progress, records: int = RECORDS
) -> Trajectory:
    """Run a finished scene."""
    built.prepare(p.integrator)
    return built.run(p.step, p.time, records_apart(p, records), columns, progress)


def box_wish(p: SimpleNamespace, angle: float) -> Wish:
    """A box on a slope: as deep as a corner of ours under a quarter of the load."""
    law = Restriction(p.s_0, p.s_c, p.r_f, p.r_d)
    return at_rest(law, 0.25 * p.mass * GRAVITY * math.cos(angle), p.mass, p.mu_s)


def box_under(p: SimpleNamespace, angle: float, speed: float, progress: Progress) -> Trajectory:
    """A cube that touches a slope and moves along it with a speed in m/s."""
    built = scene(p, box_wish(p, angle), tilted(angle), p.size, 20.0 * p.size + 0.5 * speed**2)
    body = built.add_box(p.mass, p.size, p.size, (0.0, 0.0, 0.5 * p.size))
    body.SetPosDt(pychrono().ChVector3d(speed, 0.0, 0.0))

    def columns(seen: Seen) -> Columns:
        found = plane_motion(seen.x[:, 0], seen.w[:, 0])
        c, s = np.cos(found["phi"]), np.sin(found["phi"])
        for i, (pair, (a, b)) in enumerate(zip(corner_numbers(), CORNERS, strict=True)):
            found[f"s_{i + 1}"] = found["z"] + 0.5 * p.size * (b * c - a * s) + p.s_0
            found[f"F_{i + 1}"] = seen.corners[:, pair].sum(axis=1)
        return found

    return recorded(built, p, columns, progress, BOX_RECORDS)


def box_creep(p: SimpleNamespace, angle: float) -> float:
    """Speed in m/s at which a cube creeps down a slope by the formulas of Chrono's law."""
    load, grade = 0.25 * p.mass * GRAVITY * math.cos(angle), math.tan(angle)
    loads = [load * (1.0 - grade)] * 2 + [load * (1.0 + grade)] * 2
    return built_in_creep(p.law, surface(p.law, box_wish(p, angle)), loads, p.mass, grade, p.step)


def standstill(law: str) -> float:
    """Speed in m/s that a law of Chrono cannot tell from rest: SMC's threshold, or round-off of single precision."""
    return 1e-6 if force_model(law) == "nsc" else SLIP_THRESHOLD


def column_under(p: SimpleNamespace, heights: np.ndarray, law: Restriction, progress: Progress) -> Trajectory:
    """Spheres above one another, from rest at heights in m; the lowest contact is matched at rest."""
    speed = math.sqrt(2.0 * GRAVITY * max(p.height - p.radius, 0.01 * p.radius))
    wish = at_rest(law, p.spheres * p.mass * GRAVITY, p.mass, p.mu, speed)
    built = scene(p, wish, tilted(0.0), p.radius, 8.0 * p.radius)
    for z in heights:
        built.add_sphere(p.mass, p.radius, 0.4 * p.mass * p.radius**2, (0.0, 0.0, z))

    def columns(seen: Seen) -> Columns:
        found, below = column_states(seen.x, seen.w), -p.radius
        carried = np.cumsum(seen.force[:, ::-1, 2], axis=1)[:, ::-1]
        for i in range(p.spheres):
            found[f"s_{i + 1}"] = found[f"z{i + 1}"] - below - 2.0 * p.radius
            found[f"F_{i + 1}"] = carried[:, i]
            below = found[f"z{i + 1}"]
        return found

    return recorded(built, p, columns, progress)


def ball_under(p: SimpleNamespace, wish: Wish, progress: Progress) -> Trajectory:
    """A ball of radius s_0 dropped on the ground."""
    built = scene(p, wish, (0.0, 0.0, -p.gravity), p.s_0, 20.0 * p.s_0)
    built.add_sphere(p.mass, p.s_0, 0.4 * p.mass * p.s_0**2, (0.0, 0.0, p.height))

    def columns(seen: Seen) -> Columns:
        return {"s": seen.x[:, 0, 2], "s_dot": seen.w[:, 0, 2], "F_barrier": seen.force[:, 0, 2]}

    return recorded(built, p, columns, progress)


def cube_under(p: SimpleNamespace, wish: Wish, motion: Sequence[float], progress: Progress) -> Trajectory:
    """A tumbling cube with sharp corners where ours has spheres; motion is its velocity and spin at the start."""
    outer = p.edge + 2.0 * p.s_0
    built = scene(p, wish, tilted(0.0), p.edge, 10.0 + 100.0 * p.edge)
    body = built.add_box(p.mass, outer, p.edge, (0.0, 0.0, p.height))
    body.SetPosDt(pychrono().ChVector3d(*motion[:3]))
    body.SetAngVelLocal(pychrono().ChVector3d(*motion[3:]))

    def columns(seen: Seen) -> Columns:
        from scipy.spatial.transform import Rotation

        from ..bodies.cube import CORNERS as ours

        x, w = seen.x[:, 0], seen.w[:, 0]
        names = ("x", "y", "z", "e0", "e1", "e2", "e3", "v_x", "v_y", "v_z", "w_x", "w_y", "w_z")
        found = dict(zip(names, (*x.T, *w.T), strict=True))
        turn = Rotation.from_quat(x[:, [4, 5, 6, 3]])
        for i, corner in enumerate(ours):
            place = 4 * int(corner[2] > 0) + 2 * int(corner[1] > 0) + int(corner[0] > 0)
            found[f"s_{i + 1}"] = x[:, 2] + turn.apply(0.5 * outer * corner)[:, 2] + p.s_0
            found[f"F_{i + 1}"] = seen.corners[:, place]
        return found

    return recorded(built, p, columns, progress)


def pendulum_under(p: SimpleNamespace, wish: Wish, gravity: float, progress: Progress) -> Trajectory:
    """The double pendulum in the plane of x and z, pivot at the origin; its masses are spheres of radius s_0.

    The spheres sit firmly on their rods: where there is friction it acts on a point that turns with the rod.
    """
    built = scene(p, wish, (0.0, 0.0, -gravity), p.s_0, 2.0 * (p.l1 + p.l2), -p.y0)
    slope = p.phi1_0 + p.phi2_0
    first = p.l1 * np.array([math.cos(p.phi1_0), 0.0, math.sin(p.phi1_0)])
    second = first + p.l2 * np.array([math.cos(slope), 0.0, math.sin(slope)])
    rod_1 = built.add_sphere(p.m1, p.s_0, ROD_INERTIA * p.m1 * p.l1**2, first, mu=0.0)
    rod_2 = built.add_sphere(p.m2, p.s_0, ROD_INERTIA * p.m2 * p.l2**2, second)
    built.add_hinge(rod_1, built.ground, (0.0, 0.0, 0.0))
    built.add_hinge(rod_2, rod_1, first.tolist())
    angles = angle_over(p.phi1_0), angle_over(slope)

    def columns(seen: Seen) -> Columns:
        flat, rates = seen.x[:, :, [0, 2]], seen.w[:, :, [0, 2]]
        arms, turns = (flat[:, 0], flat[:, 1] - flat[:, 0]), (rates[:, 0], rates[:, 1] - rates[:, 0])
        a, b = (angle(arm) for angle, arm in zip(angles, arms, strict=True))
        a_dot, b_dot = (turning(arm, rate) for arm, rate in zip(arms, turns, strict=True))
        found = {"phi1": a, "phi2": b - a, "phi1_dot": a_dot, "phi2_dot": b_dot - a_dot}
        for i in range(2):
            found |= {f"s_{i + 1}": flat[:, i, 1] + p.y0, f"F_{i + 1}": seen.force[:, i, 2]}
        return found

    return recorded(built, p, columns, progress)
