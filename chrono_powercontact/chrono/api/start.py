"""How a run on Chrono begins: integrator, solver, and accelerations that agree with the forces."""

from __future__ import annotations

from typing import Any

from .bridge import pychrono, set_integrator, tighten

ACCELERATION = 1 << 2
"""Chrono's number for the level of an assembly that finds accelerations; PyChrono does not name it."""


def prepare(system: Any, integrator: str) -> None:
    """Make a finished scene ready to be stepped.

    The integrator solves its equations to round-off, joints are solved directly, and the accelerations fit the state:
    HHT and NEWMARK take them over from the step before, and are of first order only where they start with zeros.
    """
    set_integrator(system, integrator)
    tighten(system)
    if system.GetLinks():
        system.SetSolver(pychrono().ChSolverSparseLU())
    set_accelerations(system)


def set_accelerations(system: Any) -> None:
    """Give the bodies the accelerations that follow from their present state, and change nothing else.

    Joints count as at rest: of a mechanism that is already moving, the centripetal part is left out.
    """
    bodies = [body for body in system.GetBodies() if not body.IsFixed()]
    motion = [(body.GetPosDt(), body.GetAngVelLocal()) for body in bodies]
    speeds = [[(v.x, v.y, v.z) for v in pair] for pair in motion]
    system.DoAssembly(ACCELERATION)
    vector = pychrono().ChVector3d
    for body, (speed, spin) in zip(bodies, speeds, strict=True):
        body.SetPosDt(vector(*speed))
        body.SetAngVelLocal(vector(*spin))
