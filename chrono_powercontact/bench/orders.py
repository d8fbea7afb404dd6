"""Order of convergence of Chrono's integrators with our contact: where a ball is during an impact, at halved steps."""

from __future__ import annotations

import math
from typing import Any

from ..chrono.api.bridge import pychrono, set_integrator, tighten
from ..chrono.attachment import attach
from ..chrono.contact.shapes import Plane, Points
from ..lagrange.runs import run_rk4
from ..laws.material import Material
from ..laws.normal.restriction import Restriction
from ..scenarios.impact.point_mass import point_mass

LAW = Restriction(0.01, 0.005, 200.0, 0.5)
MASS = 0.05
START = 0.012
SPEED = 1.0
TIME = 8e-3
FINE = 1e-6


def exact_position() -> float:
    """Distance in m at the end, from the reference engine at a very fine step."""
    system = point_mass(MASS, LAW)
    return float(run_rk4(system, system.state([START], [-SPEED]), FINE, TIME, 100)["s"][-1])


def chrono_position(integrator: str, step: float) -> float:
    """The same from Chrono, with an initial acceleration that fits the start."""
    chrono = pychrono()
    system: Any = chrono.ChSystemSMC()
    system.SetGravitationalAcceleration(chrono.ChVector3d(0, 0, 0))
    wall = chrono.ChBody()
    ball = chrono.ChBody()
    wall.SetFixed(True)
    ball.SetMass(MASS)
    ball.SetPos(chrono.ChVector3d(0, 0, START))
    ball.SetPosDt(chrono.ChVector3d(0, 0, -SPEED))
    ball.SetPosDt2(chrono.ChVector3d(0, 0, float(LAW.force(START, -SPEED)) / MASS))
    system.AddBody(wall)
    system.AddBody(ball)
    set_integrator(system, integrator)
    if integrator in ("hht", "newmark", "euler_implicit"):
        system.SetSolverType(chrono.ChSolver.Type_SPARSE_LU)
        tighten(system, tolerance=1e-12)
    attach(system).add(Points(ball, [(0.0, 0.0, 0.0)], LAW.s_0), Plane(wall), Material(LAW))
    for _ in range(round(TIME / step)):
        system.DoStepDynamics(step)
    return float(ball.GetPos().z)


def measured_order(integrator: str, coarse: float = 2e-4) -> tuple[float, float, float]:
    """Errors in m at a step and at half of it, and the order that they show."""
    exact = exact_position()
    errors = [abs(chrono_position(integrator, step) - exact) for step in (coarse, 0.5 * coarse)]
    return errors[0], errors[1], math.log2(errors[0] / errors[1])
