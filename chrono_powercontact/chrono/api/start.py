"""Preparation of a run on Chrono: integrator, solver, and accelerations consistent with the forces."""

from __future__ import annotations

from typing import Any

from .bridge import pychrono, set_integrator, tighten

ACCELERATION = 1 << 2
"""Chrono's number for the assembly level that computes accelerations; PyChrono has no name for it."""


def prepare(system: Any, integrator: str) -> None:
    """Prepare a complete scene for stepping.

    The integrator solves its equations to round-off, a direct solver handles the joints, and the accelerations are
    consistent with the state. HHT and NEWMARK use the accelerations of the step before; if they start with zeros, they
    are only of first order.
    """
    set_integrator(system, integrator)
    tighten(system)
    if system.GetLinks():
        system.SetSolver(pychrono().ChSolverSparseLU())
    set_accelerations(system)


def set_accelerations(system: Any) -> None:
    """Set the accelerations of the bodies that follow from their present state, and change nothing else.

    Joints are treated as at rest: the centripetal part of a moving mechanism is neglected.
    """
    bodies = [body for body in system.GetBodies() if not body.IsFixed()]
    motion = [(body.GetPosDt(), body.GetAngVelLocal()) for body in bodies]
    speeds = [[(v.x, v.y, v.z) for v in pair] for pair in motion]
    system.DoAssembly(ACCELERATION)
    vector = pychrono().ChVector3d
    for body, (velocity, angular_velocity) in zip(bodies, speeds, strict=True):
        body.SetPosDt(vector(*velocity))
        body.SetAngVelLocal(vector(*angular_velocity))
