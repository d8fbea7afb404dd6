"""A box released at rest on a slope: with SMC it would creep, with anchored friction it stays put.

python demos/standing_box.py
"""

import math

import chrono_powercontact as pc

chrono = pc.need_pychrono()  # import pychrono as chrono, or exit with one sentence

ANGLE, EDGE, MASS = math.radians(20), 0.2, 1.0

system = chrono.ChSystemSMC()
system.SetGravitationalAcceleration(chrono.ChVector3d(9.81 * math.sin(ANGLE), 0, -9.81 * math.cos(ANGLE)))

slope = chrono.ChBody()
slope.SetFixed(True)
system.AddBody(slope)

box = chrono.ChBody()
box.SetName("box")
box.SetMass(MASS)
moment = MASS * EDGE**2 / 6
box.SetInertiaXX(chrono.ChVector3d(moment, moment, moment))
box.SetPos(chrono.ChVector3d(0, 0, EDGE / 2))
system.AddBody(box)

restriction = pc.Restriction(s_0=0.002, s_c=0.001, r_f=400.0, r_d=10.0)
friction = pc.Friction(mu_c=0.5, mu_s=0.5, v_c=5e-5)
contacts = pc.attach(system)
contacts.add(
    pc.Box(box, size=EDGE - 0.004, radius=0.002),
    pc.Plane(slope),
    pc.Material(restriction, friction, memory=pc.Anchor(presliding=5e-6)),
)

pc.show(system, camera=(0.4, -0.7, 0.4), target=(0, 0, 0.1), ground=2)
while system.GetChTime() < 1.0:
    system.DoStepDynamics(1e-4)
settled = box.GetPos().x
while system.GetChTime() < 5.0:
    system.DoStepDynamics(1e-4)

creep = (box.GetPos().x - settled) / 4.0
load = MASS * 9.81 * math.sin(ANGLE)
print(f"creep {creep:.1e} m/s; friction carries {-contacts.forces()['friction'][:, 0].sum():.4f} N of {load:.4f} N")

assert abs(creep) < 1e-12
assert abs(contacts.forces()["friction"][:, 0].sum() + load) < 1e-6
