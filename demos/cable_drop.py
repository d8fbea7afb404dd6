"""A cable of beam elements falls over a fixed cylinder and comes to rest on it, held by friction.

python demos/cable_drop.py
"""

import math

import chrono_powercontact as pc

chrono = pc.need_pychrono()  # import pychrono as chrono, or exit with one sentence
fea = pc.need_pychrono("fea")  # import pychrono.fea as fea

LENGTH, RADIUS, DRUM = 1.0, 0.005, 0.1  # m
OFFSET = 0.02  # m, by which one end is longer than the other
WEIGHT = 1000 * math.pi * RADIUS**2 * LENGTH * 9.81  # N

system = chrono.ChSystemSMC()
system.SetGravitationalAcceleration(chrono.ChVector3d(0, 0, -9.81))
system.SetSolverType(chrono.ChSolver.Type_SPARSE_LU)

drum = chrono.ChBody()
drum.SetName("drum")
drum.SetFixed(True)
system.AddBody(drum)

section = fea.ChBeamSectionEulerAdvanced()
section.SetAsCircularSection(2 * RADIUS)
section.SetDensity(1000)
section.SetYoungModulus(1e7)
section.SetShearModulus(4e6)
section.SetRayleighDamping(0.001, 4.0)  # the second number brings the swinging ends to rest
mesh = fea.ChMesh()
builder = fea.ChBuilderBeamEuler()
ends = [chrono.ChVector3d(OFFSET + side * LENGTH / 2, 0, DRUM + 0.05) for side in (-1, 1)]
builder.BuildBeam(mesh, section, 40, *ends, chrono.ChVector3d(0, 1, 0))
nodes = list(builder.GetLastBeamNodes())
system.Add(mesh)

law = pc.design_restriction(s_0=0.0, mass=0.002, speed=1.0, restitution=0.1, penetration=2e-3, force_limit=20.0)
material = pc.Material(law, pc.Friction(0.6, 0.6, 1e-3), pc.Anchor(1e-4, 1e-3))
contacts = pc.attach(system)
cable = contacts.add_beam(nodes, pc.Cylinder(drum, DRUM, 0.4, axis=(0, 1, 0)), material, radius=RADIUS)

while system.GetChTime() < 4.0:
    system.DoStepDynamics(2e-3)

carried = -cable.force_on(drum).force[2]
fastest = max(node.GetPosDt().Length() for node in nodes)
hanging = [nodes[i].GetPos().z for i in (0, -1)]
print(f"the drum carries {carried:.5f} N, the cable weighs {WEIGHT:.5f} N; fastest node {fastest:.1e} m/s")
print(f"its ends hang at {hanging[0]:.3f} m and {hanging[1]:.3f} m")
assert abs(carried - WEIGHT) < 0.01 * WEIGHT
assert fastest < 1e-2
