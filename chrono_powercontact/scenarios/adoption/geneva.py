"""The demo of contact in the plane: a Geneva drive with five stations (mbs collision_2d: NSC, 1 ms, 2-D paths)."""

from __future__ import annotations

import math
from itertools import pairwise
from typing import Any

from ...chrono.api.bridge import pychrono
from .demo import Demo, constant, frame, material, new_system, vector

STATIONS = 5
RADIUS = 1.0
"""Distance in m of the crank's axis from the wheel's, along y."""
LOCK = 0.5
"""Radius in m of the round parts that lock the wheel."""
SLOT = (0.1, 0.8)
"""Width and depth of a slot in m."""
PLAY = 0.005
"""Play of pin and lock in m."""

SIDE = RADIUS * math.tan(math.pi / STATIONS)
"""Half the side of the polygon of stations in m; the crank's axis is at its end."""
SWEEP = math.pi - 2.0 * math.pi / STATIONS
"""Angle of a round part in rad."""


def _turned(point: tuple[float, float], angle: float) -> Any:
    """A point in the plane, turned by an angle in rad about z."""
    x, y = point
    c, s = math.cos(angle), math.sin(angle)
    return vector((c * x - s * y, s * x + c * y, 0.0))


def _path(lines: list[Any]) -> Any:
    """A path of lines."""
    path = pychrono().ChLinePath()
    for line in lines:
        path.AddSubLine(line)
    return path


def _wheel_lines() -> list[Any]:
    """The outline of the wheel: at each station a slot between two edges, and a round part."""
    chrono = pychrono()
    half = 0.5 * SLOT[0]
    outline = (
        (LOCK - SIDE, RADIUS), (-half, RADIUS), (-half, RADIUS - SLOT[1]), (half, RADIUS - SLOT[1]), (half, RADIUS),
        (SIDE - LOCK, RADIUS),
    )  # fmt: skip
    lines = []
    for i in range(STATIONS):
        angle = -2.0 * math.pi * i / STATIONS
        points = [_turned(point, angle) for point in outline]
        lines += [chrono.ChLineSegment(start, end) for start, end in pairwise(points)]
        centre = chrono.ChCoordsysd(_turned((SIDE, RADIUS), angle))
        lines.append(chrono.ChLineArc(centre, LOCK, angle + math.pi, angle + math.pi + SWEEP, True))
    return lines


def _crank_paths() -> list[Any]:
    """The pin, and the round part that locks the wheel while the pin is outside."""
    chrono = pychrono()
    at_pin = chrono.ChCoordsysd(vector((-SIDE, 0, 0)))
    pin = chrono.ChLineArc(at_pin, 0.5 * SLOT[0] - PLAY, 2.0 * math.pi, 0.0)
    half = 0.5 * SWEEP
    arc = chrono.ChLineArc(chrono.ChCoordsysd(vector((0, 0, 0))), LOCK - PLAY, math.pi - half, half - math.pi)
    middle = vector((0, 0, 0))
    sides = [chrono.ChLineSegment(arc.GetEndB(), middle), chrono.ChLineSegment(middle, arc.GetEndA())]
    return [_path([pin]), _path([arc, *sides])]


def _flat_body(system: Any, name: str, at: Any, surface: Any, paths: list[Any]) -> Any:
    """A body whose collision shapes are paths."""
    chrono = pychrono()
    body = chrono.ChBody()
    body.SetName(name)
    body.SetPos(at)
    system.Add(body)
    body.EnableCollision(True)
    for path in paths:
        body.AddCollisionShape(chrono.ChCollisionShapePath2D(surface, path), chrono.ChFramed())
    body.GetCollisionModel().SetSafeMargin(0.02)
    return body


def collision_2d() -> Demo:
    """A crank at pi/8 rad/s moves the wheel by a station a turn."""
    chrono = pychrono()
    system = new_system("NSC")
    surface = material("NSC")
    ground = chrono.ChBody()
    ground.SetFixed(True)
    system.Add(ground)
    wheel_path = _path(_wheel_lines())
    wheel = _flat_body(system, "wheel", vector((0, 0, 0)), surface, [wheel_path])
    wheel.SetAngVelLocal(vector((0, 0, -0.08)))
    joint = chrono.ChLinkLockRevolute()
    joint.Initialize(wheel, ground, frame())
    system.Add(joint)
    axis = (SIDE, RADIUS, 0.0)
    paths = _crank_paths()
    crank = _flat_body(system, "crank", vector(axis), surface, paths)
    motor = chrono.ChLinkMotorRotationSpeed()
    motor.Initialize(crank, ground, frame(axis))
    motor.SetSpeedFunction(constant(math.pi / 8.0))
    system.AddLink(motor)
    return Demo(system, (wheel,), 1e-3, kept=(joint, motor, wheel_path, *paths))
