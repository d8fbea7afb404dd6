"""Scenes with finite elements for tests: skipped where PyChrono has no module fea."""

import math

import pytest

import chrono_powercontact as pc
from chrono_powercontact.chrono.api.bridge import PyChronoError, pychrono, pychrono_part, set_integrator, tighten


def need_fea():
    """PyChrono's finite elements, or a skipped test."""
    try:
        return pychrono_part("fea")
    except PyChronoError as reason:
        pytest.skip(str(reason))


def new_system(gravity=(0.0, 0.0, -9.81)):
    """A system with a solver for linear systems, and the fixed ground."""
    chrono = pychrono()
    system = chrono.ChSystemSMC()
    system.SetGravitationalAcceleration(chrono.ChVector3d(*gravity))
    system.SetSolverType(chrono.ChSolver.Type_SPARSE_LU)
    ground = chrono.ChBody()
    ground.SetName("ground")
    ground.SetFixed(True)
    system.AddBody(ground)
    return system, ground


def use_hht(system):
    """HHT that converges, with a Jacobian of every iteration."""
    set_integrator(system, "hht")
    tighten(system, 20, 1e-8)
    stepper = pychrono().CastToChTimestepperImplicit(system.GetTimestepper())
    stepper.SetJacobianUpdateMethod(stepper.JacobianUpdate_EVERY_ITERATION)


def add_mass(system, at=(0.0, 0.0, 0.0), mass=1.0, velocity=(0.0, 0.0, 0.0)):
    """A node without a rotation and with a mass, alone in its mesh."""
    chrono = pychrono()
    fea = need_fea()
    mesh = fea.ChMesh()
    node = fea.ChNodeFEAxyz(chrono.ChVector3d(*at))
    node.SetMass(mass)
    node.SetPosDt(chrono.ChVector3d(*velocity))
    mesh.AddNode(node)
    system.Add(mesh)
    return node


class Steel:
    """A square steel beam of 1 m along x, or another direction."""

    length, edge, young, density = 1.0, 0.02, 2.1e11, 7850.0
    bending = young * edge**4 / 12
    load = density * edge**2 * 9.81
    weight = load * length

    def add(self, system, elements, start=(0.0, 0.0, 0.0), end=(1.0, 0.0, 0.0), clamped=True):
        """Its nodes and its mesh."""
        chrono = pychrono()
        fea = need_fea()
        section = fea.ChBeamSectionEulerAdvanced()
        section.SetAsRectangularSection(self.edge, self.edge)
        section.SetDensity(self.density)
        section.SetYoungModulus(self.young)
        section.SetShearModulus(self.young / 2.6)
        section.SetRayleighDamping(2e-3)
        mesh = fea.ChMesh()
        builder = fea.ChBuilderBeamEuler()
        ends = chrono.ChVector3d(*start), chrono.ChVector3d(*end)
        builder.BuildBeam(mesh, section, elements, *ends, chrono.ChVector3d(0.0, 1.0, 0.0))
        nodes = list(builder.GetLastBeamNodes())
        nodes[0].SetFixed(clamped)
        system.Add(mesh)
        return nodes, mesh


def add_cable(system, elements, start, end, radius=0.005):
    """Nodes of an ANCF cable, straight from one point to another."""
    chrono = pychrono()
    fea = need_fea()
    section = fea.ChBeamSectionCable()
    section.SetDiameter(2 * radius)
    section.SetYoungModulus(1e7)
    section.SetDensity(1000.0)
    section.SetRayleighDamping(0.02)
    mesh = fea.ChMesh()
    builder = fea.ChBuilderCableANCF()
    builder.BuildBeam(mesh, section, elements, chrono.ChVector3d(*start), chrono.ChVector3d(*end))
    system.Add(mesh)
    weight = 1000.0 * math.pi * radius**2 * math.dist(start, end) * 9.81
    return list(builder.GetLastBeamNodes()), mesh, weight


def soft(mass=1.0):
    """A restriction that a mass in kg sinks into by less than a millimetre."""
    return pc.design_restriction(
        s_0=0.0, mass=mass, speed=0.1, restitution=0.1, penetration=1e-3, force_limit=100.0 * mass
    )
