"""Demos of stick: a wall on a shaken table, and a block that friction holds between two slopes."""

from __future__ import annotations

import math
from typing import Any

from ...chrono.api.bridge import pychrono
from .demo import Demo, add_body, frame, material, new_system, set_margins, vector

BRICK = (0.25, 0.12, 0.12)
"""Edges of a brick in m."""


def earthquake() -> Demo:
    """Six bricks on each other on a table that shakes by 0.12 m at 1.5 Hz (mbs earthquake: NSC, 0.1 ms)."""
    chrono = pychrono()
    system = new_system("NSC")
    set_margins(0.001, 0.001)
    system.GetSolver().AsIterative().SetMaxIterations(70)
    surface = material("NSC", Friction=0.5, DampingF=0.2, Compliance=1e-7, ComplianceT=1e-7)
    mass = 1000.0 * math.prod(BRICK)
    moment = 0.4 * BRICK[0] ** 2 * mass
    bricks = []
    for i in range(6):
        shape = chrono.ChCollisionShapeBox(surface, *BRICK)
        at = (0, (i + 0.5) * BRICK[1], 0)
        bricks.append(add_body(system, f"brick {i}", at, shape, mass=mass, inertia=(moment,) * 3))
    floor = add_body(system, "floor", (0, -2, 0), chrono.ChCollisionShapeBox(surface, 6, 2, 6), fixed=True)
    table = add_body(system, "table", (0, -0.1, 0), chrono.ChCollisionShapeBox(surface, 1, 0.2, 1))
    shaker = chrono.ChLinkLockLock()
    shaker.Initialize(table, floor, frame())
    system.Add(shaker)
    motions = chrono.ChFunctionSine(0.001, 1.5), chrono.ChFunctionSine(0.12, 1.5)
    shaker.SetMotionY(motions[0])
    shaker.SetMotionZ(motions[1])
    return Demo(system, bricks, 1e-4, kept=(shaker, motions))


def associated() -> Demo:
    """A block that friction on one side holds between two slopes of 45 degrees (mbs associated: NSC, 0.5 ms, hulls)."""
    chrono = pychrono()
    system = new_system("NSC")
    set_margins(0.01, 0.005)
    rough = material("NSC", Friction=math.tan(math.radians(40)), DampingF=0.0, Compliance=1e-9, ComplianceT=1e-9)
    smooth = material("NSC", Friction=0.0)
    c = math.sqrt(0.5)
    along = vector((c, c, 0))
    sides = vector((-0.1 * c, 0.1 * c, 0)), vector((0.1 * c, -0.1 * c, 0))
    block = _hull(system, rough, [side + along * reach for side in sides for reach in (0.2, -0.2)], 0.12)
    block.SetName("block")
    for side, surface, end in zip(sides, (smooth, rough), (-2.0, 1.0), strict=True):
        high = side + along * 0.5
        low = side - along * 0.5
        _hull(system, surface, [high, low, vector((end, low.y, 0)), vector((end, high.y, 0))], 0.2).SetFixed(True)
    solver = chrono.ChSolverBB()
    system.SetSolver(solver)
    solver.SetMaxIterations(500)
    solver.EnableWarmStart(True)
    system.SetMaxPenetrationRecoverySpeed(10.01)
    system.SetMinBounceSpeed(10)
    return Demo(system, (block,), 5e-4, kept=(solver,))


def _hull(system: Any, surface: Any, corners: list[Any], half: float) -> Any:
    """A convex hull of 1000 kg/m^3 over corners in the plane of x and y, from -half to half in m along z."""
    chrono = pychrono()
    deep = vector((0, 0, half))
    points = chrono.vector_ChVector3d([corner + deep for corner in corners] + [corner - deep for corner in corners])
    body = chrono.ChBodyEasyConvexHullAuxRef(points, 1000, False, True, surface)
    system.Add(body)
    return body
