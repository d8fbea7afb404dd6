"""A double pendulum of two bodies and two hinges falls to the ground, slides, and comes to rest flat.

python demos/falling_pendulum.py
"""

import math

import chrono_powercontact as pc

chrono = pc.need_pychrono()  # import pychrono as chrono, or exit with one sentence

LENGTH, MASS, PIVOT = 0.1, 0.1, 0.01

system = chrono.ChSystemSMC()
system.SetGravitationalAcceleration(chrono.ChVector3d(0, 0, -9.81))
system.SetSolverType(chrono.ChSolver.Type_SPARSE_LU)

ground = chrono.ChBody()
ground.SetFixed(True)
system.AddBody(ground)

# Point masses at the ends of massless rods.
angles, joint, bodies = (3 * math.pi / 8, -math.pi / 8), chrono.ChVector3d(0, 0, PIVOT), [ground]
for name, angle in zip(("first", "second"), angles, strict=True):
    end = joint + chrono.ChVector3d(LENGTH * math.cos(angle), 0, LENGTH * math.sin(angle))
    body = chrono.ChBody()
    body.SetName(name)
    body.SetMass(MASS)
    body.SetInertiaXX(chrono.ChVector3d(1e-6, 1e-6, 1e-6))
    body.SetPos(end)
    rod = chrono.ChFramed((joint - end) * 0.5, chrono.QuatFromAngleY(-angle))
    body.AddVisualShape(chrono.ChVisualShapeBox(LENGTH, 0.004, 0.004), rod)
    body.AddVisualShape(chrono.ChVisualShapeSphere(0.01))
    system.AddBody(body)
    hinge = chrono.ChLinkRevolute()
    hinge.Initialize(body, bodies[-1], chrono.ChFramed(joint, chrono.QuatFromAngleX(math.pi / 2)))
    system.AddLink(hinge)
    bodies.append(body)
    joint = end

material = pc.Material(pc.Restriction(s_0=0.01, s_c=0.006, r_f=400.0, r_d=4.0))
contacts = pc.attach(system)
for body in bodies[1:]:
    contacts.add(pc.Sphere(body, radius=0.01), pc.Plane(ground), material)

touched = {}
pc.show(system, camera=(0.1, -0.4, 0.2), target=(0.1, 0, 0.03), ground=1)
while system.GetChTime() < 1.0:
    system.DoStepDynamics(2e-5)
    for body in bodies[1:]:
        if body.GetPos().z < 0.01:
            touched.setdefault(body.GetName(), system.GetChTime())

print("first contacts:", {name: f"{time:.4f} s" for name, time in touched.items()})
print("final heights:", [f"{body.GetPos().z * 1e3:.3f} mm" for body in bodies[1:]])

assert abs(touched["second"] - 0.1078) < 2e-3
assert abs(touched["first"] - 0.2936) < 5e-3
