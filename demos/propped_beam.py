"""A cantilever sags under its own weight onto a stop at its tip, which carries 3/8 of it.

python demos/propped_beam.py
"""

import chrono_powercontact as pc

chrono = pc.need_pychrono()  # import pychrono as chrono, or exit with one sentence
fea = pc.need_pychrono("fea")  # import pychrono.fea as fea

LENGTH, EDGE, YOUNG, DENSITY = 1.0, 0.02, 2.1e11, 7850.0
BENDING = YOUNG * EDGE**4 / 12  # N m^2
LOAD = DENSITY * EDGE**2 * 9.81  # N/m

system = chrono.ChSystemSMC()
system.SetGravitationalAcceleration(chrono.ChVector3d(0, 0, -9.81))
system.SetSolverType(chrono.ChSolver.Type_SPARSE_LU)
ground = chrono.ChBody()
ground.SetFixed(True)
system.AddBody(ground)

section = fea.ChBeamSectionEulerAdvanced()
section.SetAsRectangularSection(EDGE, EDGE)
section.SetDensity(DENSITY)
section.SetYoungModulus(YOUNG)
section.SetShearModulus(YOUNG / 2.6)
section.SetRayleighDamping(2e-3)
mesh = fea.ChMesh()
builder = fea.ChBuilderBeamEuler()
ends = chrono.ChVector3d(0, 0, 0), chrono.ChVector3d(LENGTH, 0, 0)
builder.BuildBeam(mesh, section, 20, *ends, chrono.ChVector3d(0, 1, 0))
nodes = list(builder.GetLastBeamNodes())
nodes[0].SetFixed(True)
system.Add(mesh)

stop = pc.Plane(ground, at=(0, 0, -EDGE / 2))
contacts = pc.attach(system)
tip = contacts.add_nodes([nodes[-1]], stop, pc.Material(pc.Hooke(0.0, 1e7, 1e3)), radius=EDGE / 2)
while system.GetChTime() < 2.0:
    system.DoStepDynamics(5e-3)

force = tip.node_forces()[0, 2]
sag = -nodes[-1].GetPos().z
stiff = 3 * BENDING / LENGTH**3  # N/m at the tip
exact = stiff * (LOAD * LENGTH**4 / (8 * BENDING) - sag)
print(f"the stop carries {force:.4f} N; a beam whose tip has sagged by {sag * 1e6:.2f} um presses with {exact:.4f} N")
print(f"a rigid stop would carry 3/8 of the weight, {0.375 * LOAD * LENGTH:.4f} N")
assert abs(force / exact - 1.0) < 2e-3
