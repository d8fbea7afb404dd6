"""Tosses under Chrono's own contact, SMC and NSC, as rivals: some cubes side by side in one system, out of reach."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from ...chrono.api.bridge import pychrono
from ...chrono.run.built_in import GROUND_MASS
from .toss_body import MASS, TossedCube
from .toss_kernel import QUATERNION, SIZE, V, W, X

SMC = "smc"
NSC = "nsc"

APART = 2.0
"""Distance in m between the cubes of two tosses."""

TOGETHER = 20
"""Tosses in one system: the iterations of its solver are spent on all of them together."""

ITERATIONS = 200
"""Iterations of the NSC solver in a step."""

LONGEST = 160
"""Samples of a rollout; after these, 1.1 s, cubes are at rest and their last state is kept."""

SUBSTEPS = {SMC: 60, NSC: 8}
"""Steps in a sample of 6.8 ms."""

YOUNG = 2e7
"""Young's modulus in N/m^2 under SMC."""

ENVELOPE = 2e-3
"""Distance in m at which Chrono begins to look for contacts."""


def chrono_ensemble(
    kind: str, cube: TossedCube, starts: NDArray[np.float64], first: NDArray[np.int64], sample: float
) -> NDArray[np.float64]:
    """States of many tosses of one cube under SMC or NSC; as `toss_ensemble`."""
    parts = []
    for begin in range(0, len(starts), TOGETHER):
        end = min(begin + TOGETHER, len(starts))
        parts.append(_side_by_side(kind, cube, starts[begin:end], np.diff(first[begin : end + 1]), sample))
    return np.concatenate(parts)


def _side_by_side(
    kind: str, cube: TossedCube, starts: NDArray[np.float64], lengths: NDArray[np.int64], sample: float
) -> NDArray[np.float64]:
    """States of some tosses of so many samples each, in one system."""
    chrono = pychrono()
    system = _system(chrono, kind, cube)
    material = _material(chrono, kind, cube)
    side = int(np.ceil(np.sqrt(len(starts))))
    shifts = APART * np.array([(i % side - 0.5 * side, i // side - 0.5 * side, 0.0) for i in range(len(starts))])
    _add_ground(chrono, system, material, APART * (side + 1.0))
    bodies = [_add_cube(chrono, system, material, cube, x, shift) for x, shift in zip(starts, shifts, strict=True)]
    states = np.zeros((min(int(lengths.max()), LONGEST), len(starts), SIZE))
    for states_now in states:
        for body, shift, x in zip(bodies, shifts, states_now, strict=True):
            _read(body, shift, x)
        for _ in range(SUBSTEPS[kind]):
            system.DoStepDynamics(sample / SUBSTEPS[kind])
    rows = [states[np.minimum(np.arange(n), len(states) - 1), i] for i, n in enumerate(lengths)]
    return np.concatenate(rows)


def _system(chrono: Any, kind: str, cube: TossedCube) -> Any:
    """An empty system under gravity."""
    system = chrono.ChSystemNSC() if kind == NSC else chrono.ChSystemSMC()
    system.SetCollisionSystemType(chrono.ChCollisionSystem.Type_BULLET)
    system.SetGravitationalAcceleration(chrono.ChVector3d(0.0, 0.0, -cube.gravity))
    if kind == NSC:
        system.SetMinBounceSpeed(0.02)
        system.GetSolver().AsIterative().SetMaxIterations(ITERATIONS)
    return system


def _material(chrono: Any, kind: str, cube: TossedCube) -> Any:
    """The surface of cubes and ground."""
    material = chrono.ChContactMaterialNSC() if kind == NSC else chrono.ChContactMaterialSMC()
    material.SetFriction(cube.mu)
    material.SetRestitution(cube.restitution)
    if kind == SMC:
        material.SetYoungModulus(YOUNG)
    return material


def _add_ground(chrono: Any, system: Any, material: Any, size: float) -> None:
    """The ground with its top at z = 0."""
    ground = chrono.ChBody()
    ground.SetFixed(True)
    ground.SetMass(GROUND_MASS)
    ground.SetPos(chrono.ChVector3d(0.0, 0.0, -0.5))
    ground.AddCollisionShape(chrono.ChCollisionShapeBox(material, size, size, 1.0))
    _enable(ground)
    system.AddBody(ground)


def _add_cube(chrono: Any, system: Any, material: Any, cube: TossedCube, x: Any, shift: Any) -> Any:
    """A cube with spheres at its corners, in a state."""
    across, along = cube.inertia
    body = chrono.ChBody()
    body.SetMass(MASS)
    body.SetInertiaXX(chrono.ChVector3d(MASS * across, MASS * across, MASS * along))
    for corner in cube.corners():
        frame = chrono.ChFramed(chrono.ChVector3d(*map(float, corner)), chrono.QUNIT)
        body.AddCollisionShape(chrono.ChCollisionShapeSphere(material, cube.radius), frame)
    _enable(body)
    body.SetPos(chrono.ChVector3d(*map(float, x[X:QUATERNION] + shift)))
    body.SetRot(chrono.ChQuaterniond(*map(float, x[QUATERNION:V])))
    body.SetPosDt(chrono.ChVector3d(*map(float, x[V:W])))
    body.SetAngVelLocal(chrono.ChVector3d(*map(float, x[W:SIZE])))
    system.AddBody(body)
    return body


def _enable(body: Any) -> None:
    """Let a body collide, with an envelope for bodies of some centimetres."""
    body.EnableCollision(True)
    model = body.GetCollisionModel()
    model.SetEnvelope(ENVELOPE)
    model.SetSafeMargin(0.5 * ENVELOPE)


def _read(body: Any, shift: Any, x: Any) -> None:
    """Write the state of a body."""
    place = body.GetPos()
    turn = body.GetRot()
    v = body.GetPosDt()
    w = body.GetAngVelLocal()
    x[X:QUATERNION] = (place.x - shift[0], place.y - shift[1], place.z)
    x[QUATERNION:V] = (turn.e0, turn.e1, turn.e2, turn.e3)
    x[V:W] = (v.x, v.y, v.z)
    x[W:SIZE] = (w.x, w.y, w.z)
