"""The block on Chrono: on four points under our laws, or on four small spheres under SMC and under NSC's solvers."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from time import perf_counter
from typing import TYPE_CHECKING, Any

import numpy as np

from ....chrono.api.bridge import pychrono
from ....chrono.api.start import prepare
from ....chrono.attachment import Attachment, attach
from ....chrono.contact.shapes import Plane, Points
from ....chrono.readout.live_contacts import contact_reader
from ....chrono.run.surfaces import EFFECTIVE_RADIUS
from ....trajectory import Trajectory
from ...constants import GRAVITY
from ...scenes.chrono_scenes import new_scene
from .block_statics import DEPTH, FORCE_LAWS, HEIGHT, MASS, WEIGHT, WIDTH, Load
from .smooth_block import foot, foot_law

if TYPE_CHECKING:
    from ....progress import Progress
    from ..hyperstatic_block import HyperstaticBlockParameters

RADIUS = 0.01
"""Of the spheres under the corners in m."""

SMC_STEP = 1e-5
"""Step in s that SMC needs here."""

YOUNG = 2e9
"""Young's modulus of the spheres under SMC in N/m^2."""

SOLVERS = {
    "nsc": "ChSolverPSOR", "nsc-pjacobi": "ChSolverPJacobi", "nsc-bb": "ChSolverBB", "nsc-apgd": "ChSolverAPGD",
    "nsc-admm": "ChSolverADMM",
}  # fmt: skip
ITERATIONS = 300
"""Iterations of NSC's solvers."""

DOWN = (0.0, 0.0, -GRAVITY)

CORNERS = [(i * 0.5 * WIDTH, j * 0.5 * DEPTH) for i in (-1, 1) for j in (-1, 1)]
"""Lower corners in m: two of foot A, two of foot B."""

Reading = Callable[[], tuple[float, float, float, float]]


def block_on_chrono(p: HyperstaticBlockParameters, progress: Progress) -> Trajectory:
    """Run the block under the law of the parameters."""
    if p.law in FORCE_LAWS:
        return _ours(p, progress)
    return _built_in(p, progress)


def add_block(system: Any, height: float) -> Any:
    """The block with its centre at a height in m."""
    chrono = pychrono()
    body = chrono.ChBody()
    body.SetName("block")
    body.SetMass(MASS)
    body.SetInertiaXX(
        chrono.ChVector3d(
            MASS * (HEIGHT**2 + DEPTH**2) / 12.0,
            MASS * (WIDTH**2 + HEIGHT**2) / 12.0,
            MASS * (WIDTH**2 + DEPTH**2) / 12.0,
        )
    )
    body.SetPos(chrono.ChVector3d(0.0, 0.0, height))
    system.AddBody(body)
    return body


def add_load(system: Any, body: Any, load: Load) -> None:
    """A horizontal force at mid-depth of the upper right edge that follows the load."""
    chrono = pychrono()
    at = chrono.ChVector3d(0.5 * WIDTH, 0.0, 0.5 * HEIGHT)
    force = chrono.ChLoadBodyForce(body, chrono.ChVector3d(1.0, 0.0, 0.0), False, at, True)
    course = chrono.ChFunctionInterp()
    for t in (-1.0, load.begin, load.begin + load.force / load.rise, 1e3):
        course.AddPoint(t, load.at(t), True)
    force.SetModulationFunction(course)
    container = chrono.ChLoadContainer()
    container.Add(force)
    system.Add(container)


def _ours(p: HyperstaticBlockParameters, progress: Progress) -> Trajectory:
    """Four points under a law of this package."""
    system, ground = new_scene(DOWN)
    depth = float(foot_law(2).rest_distance(0.25 * WEIGHT))
    body = add_block(system, 0.5 * HEIGHT + depth)
    contacts = attach(system)
    floor = Plane(ground)
    for (x, y), mu in zip(CORNERS, (p.mu_a, p.mu_a, p.mu_b, p.mu_b), strict=True):
        point = Points(body, [(x, y, -0.5 * HEIGHT)], radius=0.0)
        contacts.add(point, floor, foot(p.law, mu, points=2))
    add_load(system, body, p.pull())
    prepare(system, p.integrator)

    return _recorded(system, body, lambda: pair_sums(contacts, body), p, p.step, progress)


def pair_sums(contacts: Attachment, body: Any) -> tuple[float, float, float, float]:
    """Friction and normal forces in N of the left and of the right pair of points of a block."""
    found = contacts.forces()
    left = found["point"][:, 0] < body.GetPos().x
    push = found["force"]
    drag = found["friction"][:, 0]
    return float(drag[left].sum()), float(push[left].sum()), float(drag[~left].sum()), float(push[~left].sum())


def _built_in(p: HyperstaticBlockParameters, progress: Progress) -> Trajectory:
    """Four spheres under Chrono's own contact."""
    chrono = pychrono()
    smc = p.law == "smc"
    system = chrono.ChSystemSMC() if smc else chrono.ChSystemNSC()
    system.SetCollisionSystemType(chrono.ChCollisionSystem.Type_BULLET)
    system.SetGravitationalAcceleration(chrono.ChVector3d(*DOWN))
    chrono.ChCollisionModel.SetDefaultSuggestedEnvelope(1e-3)
    chrono.ChCollisionInfo.SetDefaultEffectiveCurvatureRadius(EFFECTIVE_RADIUS)
    materials = {mu: _material(smc, mu) for mu in (p.mu_a, p.mu_b, 1.0)}
    ground = chrono.ChBody()
    ground.SetName("ground")
    ground.SetFixed(True)
    ground.SetMass(1e4)
    slab = chrono.ChCollisionShapeBox(materials[1.0], 2.0, 2.0, 0.2)
    ground.AddCollisionShape(slab, chrono.ChFramed(chrono.ChVector3d(0.0, 0.0, -0.1)))
    ground.EnableCollision(True)
    system.AddBody(ground)
    body = add_block(system, 0.5 * HEIGHT)
    for (x, y), mu in zip(CORNERS, (p.mu_a, p.mu_a, p.mu_b, p.mu_b), strict=True):
        ball = chrono.ChCollisionShapeSphere(materials[mu], RADIUS)
        body.AddCollisionShape(ball, chrono.ChFramed(chrono.ChVector3d(x, y, RADIUS - 0.5 * HEIGHT)))
    body.EnableCollision(True)
    add_load(system, body, p.pull())
    if not smc:
        solver = getattr(chrono, SOLVERS[p.law])()
        solver.SetMaxIterations(ITERATIONS)
        system.SetSolver(solver)
    return _recorded(system, body, lambda: _reported(system, body), p, SMC_STEP if smc else p.step, progress)


def _material(smc: bool, mu: float) -> Any:
    chrono = pychrono()
    material = chrono.ChContactMaterialSMC() if smc else chrono.ChContactMaterialNSC()
    material.SetFriction(mu)
    material.SetRestitution(0.0)
    if smc:
        material.SetYoungModulus(YOUNG)
    return material


def _reported(system: Any, body: Any) -> tuple[float, float, float, float]:
    """Friction and normal forces in N on the block at its left and right feet, from Chrono's report."""
    report = contact_reader()()
    system.GetContactContainer().ReportAllContacts(report)
    sums = np.zeros((2, 2))
    for seen in report.found:
        push = seen.axes.T @ seen.force
        on_block = push if seen.second.GetName() == "block" else -push
        side = int(seen.point[0] > body.GetPos().x)
        sums[side] += on_block[0], on_block[2]
    return float(sums[0, 0]), float(sums[0, 1]), float(sums[1, 0]), float(sums[1, 1])


def _recorded(
    system: Any, body: Any, read: Reading, p: HyperstaticBlockParameters, step: float, progress: Progress
) -> Trajectory:
    """Run and record every 0.1 ms: the columns of the rigid block."""
    every = max(round(1e-4 / step), 1)
    count = max(round(p.time / (every * step)), 1)
    corner = pychrono().ChVector3d(-0.5 * WIDTH, 0.0, -0.5 * HEIGHT)
    rows = np.zeros((count + 1, len(NAMES)))
    seconds = 0.0
    begin = body.TransformPointLocalToParent(corner).x
    for i in range(count + 1):
        at = body.TransformPointLocalToParent(corner)
        speed = body.PointSpeedLocalToParent(corner)
        rows[i] = i * every * step, *read(), at.x - begin, speed.x, 0.0
        if i == count:
            break
        clock = perf_counter()
        for _ in range(every):
            system.DoStepDynamics(step)
        seconds += perf_counter() - clock
        if i % max(count // 50, 1) == 0:
            progress(i / count)
    progress(1.0)
    run = Trajectory(NAMES, rows, count * every)
    return replace(run, step_cost=1e6 * seconds / (count * every))


NAMES = ("t", "T_A", "N_A", "T_B", "N_B", "foot", "foot_dot", "outer")
