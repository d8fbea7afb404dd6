"""The scenes of the scenarios on Chrono: bodies, joints and contacts, ready to be recorded."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any

import numpy as np

from ...chrono.api.bridge import pychrono
from ...laws import Material

if TYPE_CHECKING:
    from ...chrono.run.recorder import Recorder, Samples

Columns = dict[str, np.ndarray]

ROD_INERTIA, FOOT_INERTIA = 1e-8, 1e3
"""Moments of inertia in m l^2: so small that a rod counts as massless, so large that a foot does not turn."""


def new_scene(gravity: Sequence[float] = (0.0, 0.0, 0.0)) -> tuple[Any, Any]:
    """A system under gravity in m/s^2, and its fixed ground."""
    chrono = pychrono()
    system = chrono.ChSystemSMC()
    system.SetGravitationalAcceleration(chrono.ChVector3d(*map(float, gravity)))
    ground = chrono.ChBody()
    ground.SetName("ground")
    ground.SetFixed(True)
    system.AddBody(ground)
    return system, ground


def add_body(system: Any, name: str, mass: float, moment: float, at: Sequence[float]) -> Any:
    """A body of a mass in kg and the same moment of inertia in kg m^2 about all axes, at a place in m."""
    chrono = pychrono()
    body = chrono.ChBody()
    body.SetName(name)
    body.SetMass(mass)
    body.SetInertiaXX(chrono.ChVector3d(moment, moment, moment))
    body.SetPos(chrono.ChVector3d(*map(float, at)))
    system.AddBody(body)
    return body


def point_mass_scene(
    mass: float, law: Any, start: float, speed: float, integrator: str, gravity: float = 0.0
) -> Recorder:
    """A mass in kg at a distance in m from a barrier, with a speed in m/s away from it; gravity pulls towards it."""
    from ...chrono.api.start import prepare
    from ...chrono.attachment import attach
    from ...chrono.contact.shapes import Plane, Points
    from ...chrono.run.recorder import Recorder

    system, ground = new_scene((0.0, 0.0, -gravity))
    body = add_body(system, "mass", mass, mass, (0.0, 0.0, start))
    body.SetPosDt(pychrono().ChVector3d(0.0, 0.0, speed))
    contacts = attach(system)
    contacts.add(Points(body, (0.0, 0.0, 0.0)), Plane(ground, (0.0, 0.0, law.s_0)), Material(law))
    prepare(system, integrator)

    def columns(seen: Samples) -> Columns:
        return {"s": seen.x[:, 0, 2], "s_dot": seen.w[:, 0, 2], "F_barrier": seen.force[:, 0]}

    return Recorder(contacts, [body], columns)


def angle_over(start: float) -> Callable[[np.ndarray], np.ndarray]:
    """Angles in rad of directions (one row each) without jumps, also from one call to the next, from a start in rad."""
    last = np.array([start])

    def angle(direction: np.ndarray) -> np.ndarray:
        plain = np.arctan2(direction[:, 1], direction[:, 0])
        whole = np.unwrap(np.concatenate([last, plain]))[1:]
        last[:] = whole[-1:] if whole.size else last
        return whole

    return angle


def turning(direction: np.ndarray, rate: np.ndarray) -> np.ndarray:
    """Angular velocity in rad/s in the plane of x and y of a direction that changes at a rate."""
    along = direction[:, 0] * rate[:, 1] - direction[:, 1] * rate[:, 0]
    return np.asarray(along / (direction[:, :2] ** 2).sum(axis=1))


def pendulum_scene(p: SimpleNamespace, materials: Sequence[Material], gravity: float) -> Recorder:
    """The double pendulum, pivot at the origin, ground at -y0; materials of the first and the second mass.

    Half of the second mass sits on the rod, half on a foot that hangs in a joint at the same place and does not turn:
    friction then acts against the velocity of the mass itself, as on a point.
    """
    from ...chrono.api.start import prepare
    from ...chrono.attachment import attach
    from ...chrono.contact.shapes import Plane, Points
    from ...chrono.run.recorder import Recorder

    chrono = pychrono()
    system, ground = new_scene((0.0, -gravity, 0.0))
    first = p.l1 * np.array([math.cos(p.phi1_0), math.sin(p.phi1_0), 0.0])
    slope = p.phi1_0 + p.phi2_0
    second = first + p.l2 * np.array([math.cos(slope), math.sin(slope), 0.0])
    rod_1 = add_body(system, "mass 1", p.m1, ROD_INERTIA * p.m1 * p.l1**2, first)
    rod_2 = add_body(system, "rod 2", 0.5 * p.m2, ROD_INERTIA * p.m2 * p.l2**2, second)
    foot = add_body(system, "mass 2", 0.5 * p.m2, FOOT_INERTIA * p.m2 * p.l2**2, second)
    for body, carrier, place in ((rod_1, ground, np.zeros(3)), (rod_2, rod_1, first), (foot, rod_2, second)):
        joint = chrono.ChLinkMateRevolute()
        joint.Initialize(body, carrier, chrono.ChFramed(chrono.ChVector3d(*map(float, place))))
        system.AddLink(joint)
    contacts = attach(system)
    for body, material in zip((rod_1, foot), materials, strict=True):
        plane = Plane(ground, (0.0, material.normal.s_0 - p.y0, 0.0), (0.0, 1.0, 0.0))  # type: ignore[union-attr]
        contacts.add(Points(body, (0.0, 0.0, 0.0)), plane, material)
    prepare(system, p.integrator)
    angles = angle_over(p.phi1_0), angle_over(slope)

    def columns(seen: Samples) -> Columns:
        arms = seen.x[:, 0, :3], seen.x[:, 1, :3] - seen.x[:, 0, :3]
        rates = seen.w[:, 0, :3], seen.w[:, 1, :3] - seen.w[:, 0, :3]
        a, b = (angle(arm) for angle, arm in zip(angles, arms, strict=True))
        a_dot, b_dot = (turning(arm, rate) for arm, rate in zip(arms, rates, strict=True))
        found = {"phi1": a, "phi2": b - a, "phi1_dot": a_dot, "phi2_dot": b_dot - a_dot}
        for i in range(2):
            found |= {f"s_{i + 1}": seen.gap[:, i] + p.s_0, f"F_{i + 1}": seen.force[:, i]}
        return found | {"Ft_2": -seen.friction[:, 1, 0]}

    return Recorder(contacts, [rod_1, foot, rod_2], columns)


def cube_scene(
    p: SimpleNamespace, material: Material, corners: np.ndarray, motion: Sequence[float], gravity: float
) -> Recorder:
    """A cube over the ground with touching corners, given in half edges; motion is velocity (m/s) and spin (rad/s)."""
    from ...chrono.api.start import prepare
    from ...chrono.attachment import attach
    from ...chrono.contact.shapes import Box, Plane
    from ...chrono.run.recorder import Recorder

    vector = pychrono().ChVector3d
    system, ground = new_scene((0.0, 0.0, -gravity))
    body = add_body(system, "cube", p.mass, p.mass * p.edge**2 / 6.0, (0.0, 0.0, p.height))
    body.SetPosDt(vector(*motion[:3]))
    body.SetAngVelLocal(vector(*motion[3:]))
    contacts = attach(system)
    contacts.add(Box(body, p.edge), Plane(ground, (0.0, 0.0, p.s_0)), material)
    prepare(system, p.integrator)
    order = ((corners > 0) @ np.array([1, 2, 4])).tolist()
    state, speed = ("x", "y", "z", "e0", "e1", "e2", "e3"), ("v_x", "v_y", "v_z", "w_x", "w_y", "w_z")

    def columns(seen: Samples) -> Columns:
        found = dict(zip(state, seen.x[:, 0].T, strict=True)) | dict(zip(speed, seen.w[:, 0].T, strict=True))
        found |= {f"s_{i + 1}": seen.gap[:, k] + p.s_0 for i, k in enumerate(order)}
        return found | {f"F_{i + 1}": seen.force[:, k] for i, k in enumerate(order)}

    return Recorder(contacts, [body], columns)
