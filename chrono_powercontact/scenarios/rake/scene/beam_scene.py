"""The machine in Chrono with arms of finite elements: pins between nodes, cylinder lines on rigid lugs, rake on a node.

The plane of motion is x and z, as in `rake_scene`. Both cylinder pins of the main arm are on one plate, and the head of
the knuckle cylinder is on the section of the elbow, as they are for the modal arms of the reference engine.
"""

from __future__ import annotations

import math
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ....chrono.api.bridge import pychrono, pychrono_part, set_integrator, tighten
from ..machine.machine import GRAVITY, Arm, Machine
from ..motion.setup import Setup
from .rake_scene import add_line

Array = NDArray[np.float64]
ELEMENT = 0.4
"""Length in m of an element: the plate of the cylinder pins and the centre of the rake are then at nodes."""
LIGHT = 0.1
"""Mass in kg and moments of inertia in kg m^2 of the bodies that hold cylinder pins."""
STEEL = 2.1e11 / 7850.0
"""Young's modulus of steel over its density, in m^2/s^2."""
TURNING = 0.05
"""Moment of inertia of an arm about its axis over its mass, in m^2; nothing turns about it."""
SETTLING, SETTLING_STEP = 8.0, 0.02
"""Time in s in which the machine comes to rest, and the step in s that damps it."""


class BeamScene(NamedTuple):
    """The machine in a Chrono system.

    Attributes:
        system, ground: Chrono's. main, knuckle: nodes of the arms. lines: of main pair and knuckle cylinder.
    """

    system: Any
    ground: Any
    main: list[Any]
    knuckle: list[Any]
    lines: list[Any]


def section_of(arm: Arm, beta: float, axial: float) -> Any:
    """The section of an arm; `axial` is its stiffness along its axis, as a multiple of that of steel."""
    section = pychrono_part("fea").ChBeamSectionEulerAdvancedGeneric()
    per_length = arm.mass / arm.length
    section.SetAxialRigidity(axial * STEEL * per_length)
    section.SetTorsionRigidityX(arm.stiffness)
    section.SetBendingRigidityY(arm.stiffness)
    section.SetBendingRigidityZ(arm.stiffness)
    section.SetMassPerUnitLength(per_length)
    section.SetInertiaJxxPerUnitLength(TURNING * per_length)
    section.SetRayleighDamping(beta)
    return section


def add_beam(mesh: Any, arm: Arm, section: Any, begin: Array, angle: float) -> tuple[list[Any], Array]:
    """The nodes of a straight arm that begins at a point in m, at an angle in rad; and where it ends, in m."""
    chrono = pychrono()
    builder = pychrono_part("fea").ChBuilderBeamEuler()
    end = begin + arm.length * np.array((math.cos(angle), math.sin(angle)))
    ends = [chrono.ChVector3d(float(x), 0.0, float(z)) for x, z in (begin, end)]
    builder.BuildBeam(mesh, section, round(arm.length / ELEMENT), *ends, chrono.ChVector3d(0.0, 1.0, 0.0))
    return list(builder.GetLastBeamNodes()), end


def add_pin(system: Any, first: Any, second: Any) -> None:
    """A pin at the position of the first of two nodes, about y."""
    chrono = pychrono()
    pin = chrono.ChLinkMateRevolute()
    pin.Initialize(first, second, chrono.ChFramed(first.GetPos(), chrono.QuatFromAngleX(0.5 * math.pi)))
    system.AddLink(pin)


def add_rigid(system: Any, node: Any, mass: float, inertia: float) -> Any:
    """A body fixed to a node, with a mass in kg and moments of inertia in kg m^2."""
    chrono = pychrono()
    body = chrono.ChBody()
    body.SetMass(mass)
    body.SetInertiaXX(chrono.ChVector3d(inertia, inertia, inertia))
    body.SetPos(node.GetPos())
    body.SetRot(node.GetRot())
    system.AddBody(body)
    weld = chrono.ChLinkMateFix()
    weld.Initialize(body, node)
    system.AddLink(weld)
    return body


def add_lines(scene: BeamScene, setup: Setup, plate: float, lengths: Array) -> None:
    """Both lines of cylinders, commanded to lengths in m; the pins of the main arm are on a plate at so many m."""
    machine = setup.machine
    lug = add_rigid(scene.system, node_at(scene.main, plate), LIGHT, LIGHT)
    heel = add_rigid(scene.system, scene.knuckle[0], LIGHT, LIGHT)
    ends = [
        ((scene.ground, pin(*machine.a)), (lug, pin(machine.b[0] - plate, machine.b[1]))),
        ((lug, pin(machine.c[0] - plate, machine.c[1])), (heel, pin(*machine.d))),
    ]
    for (foot, head), line, length in zip(ends, setup.lines, lengths, strict=True):
        link = add_line(scene.system, foot, head, line, float(length))
        link.IsStiff(True)
        scene.lines.append(link)


def pin(along: float, above: float) -> dict[str, float]:
    """A cylinder pin, so many m along and above on a body."""
    return {"along": along, "above": above}


def node_at(nodes: list[Any], along: float) -> Any:
    """The node so many m along an arm."""
    return nodes[round(along / ELEMENT)]


def build_beams(setup: Setup, axial: float) -> BeamScene:
    """The machine with straight arms, commanded to the first lengths of its command; for `axial` see `section_of`."""
    chrono = pychrono()
    machine: Machine = setup.machine
    hold = setup.statics.settle(*setup.command.c[:, 0])
    system = chrono.ChSystemSMC()
    system.SetGravitationalAcceleration(chrono.ChVector3d(0.0, 0.0, -GRAVITY))
    system.SetSolverType(chrono.ChSolver.Type_SPARSE_LU)
    ground = chrono.ChBody()
    ground.SetFixed(True)
    system.AddBody(ground)
    mesh = pychrono_part("fea").ChMesh()
    sections = [section_of(arm, machine.beta, axial) for arm in (machine.main, machine.knuckle)]
    main, elbow = add_beam(mesh, machine.main, sections[0], np.zeros(2), float(hold.q[0]))
    knuckle, _ = add_beam(mesh, machine.knuckle, sections[1], elbow, float(hold.q[1]))
    system.Add(mesh)
    add_pin(system, main[0], ground)
    add_pin(system, knuckle[0], main[-1])
    scene = BeamScene(system, ground, main, knuckle, [])
    add_rigid(system, node_at(knuckle, machine.knuckle.length - machine.rake_back), machine.rake_mass,
              machine.rake_inertia)  # fmt: skip
    add_lines(scene, setup, 0.5 * (machine.b[0] + machine.c[0]), hold.lengths)
    return scene


def settle(scene: BeamScene) -> None:
    """Let the arms bend under their weight and come to rest; the linearised integrator damps at long steps."""
    set_integrator(scene.system, "euler_implicit_linearized")
    for _ in range(round(SETTLING / SETTLING_STEP)):
        scene.system.DoStepDynamics(SETTLING_STEP)


def iterate_fully(system: Any) -> None:
    """HHT that converges, with a new Jacobian in every iteration: a contact may close within a step."""
    set_integrator(system, "hht")
    tighten(system, 20, 1e-6)
    stepper = pychrono().CastToChTimestepperImplicit(system.GetTimestepper())
    stepper.SetJacobianUpdateMethod(stepper.JacobianUpdate_EVERY_ITERATION)
