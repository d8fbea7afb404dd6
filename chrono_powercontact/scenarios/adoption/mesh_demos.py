"""Demos of meshes: two shoes of a crawler fall on a floor; finite elements fall beside rigid bodies."""

from __future__ import annotations

import math
from pathlib import Path
from typing import Any

import numpy as np

from ...chrono.api.bridge import pychrono, pychrono_part
from ...errors import ParameterError
from .demo import Demo, add_box, material, new_system, set_margins, vector

SHOE = "models/bulldozer/shoe_view.obj"
BEAM = ("fea/beam.node", "fea/beam.ele")
"""Files among Chrono's data."""


def data_file(name: str) -> str:
    """Path of a file among Chrono's data."""
    chrono = pychrono()
    path = str(chrono.GetChronoDataFile(name))
    if not Path(path).is_file():
        raise ParameterError(
            f"Chrono's data file {name!r} is not in {chrono.GetChronoDataPath()!r}: tell Chrono the folder of its data "
            "by the environment variable CHRONO_DATA_DIR"
        )
    return path


def collision_trimesh() -> Demo:
    """A shoe of a crawler as a mesh body, another one with a given mass (mbs collision_trimesh: NSC, 5 ms)."""
    chrono = pychrono()
    system = new_system("NSC")
    set_margins(0.001, 0.001)
    surface = material("NSC")
    add_box(system, "floor", (3, 0.2, 3), 1000, (0, 0, 0), surface, True)
    first = chrono.ChBodyEasyMesh(data_file(SHOE), 7000, True, False, True, surface)
    first.SetName("homogeneous shoe")
    first.SetPos(vector((0.5, 0.5, 0)))
    system.Add(first)
    second = chrono.ChBodyAuxRef()
    second.SetName("shoe of 16 kg")
    second.SetPos(vector((0, 0.5, 0)))
    second.SetMass(16)
    second.SetInertiaXX(vector((0.270, 0.400, 0.427)))
    second.SetInertiaXY(vector((0.057, 0.037, -0.062)))
    second.SetFrameCOMToRef(chrono.ChFramed(vector((0.12, 0, 0))))
    mesh = chrono.ChTriangleMeshConnected()
    mesh.LoadWavefrontMesh(data_file(SHOE))
    mesh.Transform(vector((0.01, 0, 0)), chrono.ChMatrix33d(1))
    second.AddCollisionShape(chrono.ChCollisionShapeTriangleMesh(surface, mesh, False, False))
    second.EnableCollision(True)
    system.Add(second)
    return Demo(system, (first, second), 5e-3, kept=(mesh,))


def _tetrahedra(fea: Any, surface: Any) -> Any:
    """Four rubber beams of tetrahedra above each other, turned at random."""
    chrono = pychrono()
    rubber = fea.ChContinuumElastic()
    rubber.SetYoungModulus(1e7)
    rubber.SetPoissonRatio(0.3)
    rubber.SetRayleighDampingBeta(0.003)
    rubber.SetDensity(1000)
    mesh = fea.ChMesh()
    turns = np.random.default_rng(1).uniform(0.0, 2.0 * math.pi, 4)
    for i, angle in enumerate(turns.tolist()):
        turn = chrono.QuatFromAngleY(angle) * chrono.QuatFromAngleX(0.5 * math.pi)
        at = vector((-0.3, 0.1 * (i + 1), -0.3)) + turn.Rotate(vector((0, -0.4, 0)))
        files = [data_file(name) for name in BEAM]
        fea.ChMeshFileLoader.FromTetGenFile(mesh, *files, rubber, at, chrono.ChMatrix33d(turn))
    skin = fea.ChContactSurfaceMesh(surface)
    skin.AddFacesFromBoundary(mesh, 0.002)
    mesh.AddContactSurface(skin)
    return mesh


def _cable(fea: Any, surface: Any) -> Any:
    """A cable of ten elements."""
    section = fea.ChBeamSectionCable()
    section.SetDiameter(0.05)
    section.SetYoungModulus(1e7)
    section.SetRayleighDamping(0.05)
    mesh = fea.ChMesh()
    fea.ChBuilderCableANCF().BuildBeam(mesh, section, 10, vector((0, 0.1, -0.1)), vector((0.5, 0.13, -0.1)))
    cloud = fea.ChContactSurfaceNodeCloud(surface)
    cloud.AddAllNodes(mesh, 0.025)
    mesh.AddContactSurface(cloud)
    return mesh


def _cube_and_ball(kind: str, **numbers: float) -> tuple[Any, Any, tuple[Any, Any]]:
    """A cube and a ball above a floor, with contact of a kind: the system, its material and the two bodies."""
    chrono = pychrono()
    system = new_system(kind)
    chrono.ChCollisionModel.SetDefaultSuggestedMargin(0.006)
    surface = material(kind, Friction=0.3, Restitution=0.2, **numbers)
    add_box(system, "floor", (2, 0.1, 2), 2700, (0, 0, 0), surface, True)
    cube = add_box(system, "cube", (0.1, 0.1, 0.1), 2700, (0.6, 0.5, 0.6), surface)
    ball = chrono.ChBodyEasySphere(0.1, 2700, False, True, surface)
    ball.SetName("ball")
    ball.SetPos(vector((0.8, 0.5, 0.6)))
    system.Add(ball)
    return system, surface, (cube, ball)


def fea_contacts() -> Demo:
    """A cube and a ball beside beams and a cable of finite elements (fea contacts: SMC, 0.5 ms)."""
    chrono = pychrono()
    fea = pychrono_part("fea")
    system, surface, bodies = _cube_and_ball("SMC", YoungModulus=1e5, Adhesion=0.0)
    meshes = _tetrahedra(fea, surface), _cable(fea, surface)
    for mesh in meshes:
        system.Add(mesh)
    solver = chrono.ChSolverMINRES()
    system.SetSolver(solver)
    solver.SetMaxIterations(40)
    solver.SetTolerance(1e-10)
    solver.EnableDiagonalPreconditioner(True)
    solver.EnableWarmStart(True)
    return Demo(system, bodies, 5e-4, kept=(*meshes, solver))


def fea_contacts_nsc() -> Demo:
    """Its cube and its ball under NSC, which has no contact of finite elements: these two do not meet any."""
    system, _, bodies = _cube_and_ball("NSC")
    return Demo(system, bodies, 5e-4)
