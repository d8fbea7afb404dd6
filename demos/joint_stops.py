"""A door swings between two stops on a hinge with friction, and comes to rest.

python demos/joint_stops.py
"""

import math

import chrono_powercontact as pc

chrono = pc.need_pychrono()  # import pychrono as chrono, or exit with one sentence

WIDTH, MASS = 0.8, 10.0
INERTIA = MASS * WIDTH**2 / 3  # about the hinge

system = chrono.ChSystemSMC()
system.SetGravitationalAcceleration(chrono.ChVector3d(0, 0, -9.81))

frame = chrono.ChBody()
frame.SetFixed(True)
system.AddBody(frame)

door = chrono.ChBody()
door.SetName("door")
door.SetMass(MASS)
door.SetInertiaXX(chrono.ChVector3d(1.0, MASS * WIDTH**2 / 12, MASS * WIDTH**2 / 12))
door.SetPos(chrono.ChVector3d(WIDTH / 2, 0, 1))
door.SetAngVelLocal(chrono.ChVector3d(0, 0, 2.0))
door.SetPosDt(chrono.ChVector3d(0, 2.0 * WIDTH / 2, 0))
door.AddVisualShape(chrono.ChVisualShapeBox(WIDTH, 0.04, 2.0))
system.AddBody(door)

hinge = chrono.ChLinkRevolute()
hinge.Initialize(door, frame, chrono.ChFramed(chrono.ChVector3d(0, 0, 1)))
system.AddLink(hinge)
system.SetSolverType(chrono.ChSolver.Type_SPARSE_LU)

# Rubber stops at +-1 rad: restitution 0.5 at 2 rad/s, penetration at most 0.05 rad, moment at most 2000 N m.
stop = pc.design_restriction(s_0=0.0, mass=INERTIA, speed=2.0, restitution=0.5, penetration=0.05, force_limit=2000.0)
contacts = pc.attach(system)
contacts.add_stop(hinge, stop, lower=-1.0, upper=1.0)
contacts.add_friction(hinge, pc.Dissipation(f_c=0.5, f_s=0.6, v_c=0.005, v_s=0.01), pc.LPVFilter(1e-3, 5e-3))

largest = 0.0
pc.show(system, camera=(2.0, -2.2, 2.4), target=(0.2, 0, 1))
while system.GetChTime() < 10.0:
    system.DoStepDynamics(2e-4)
    angle = math.atan2(door.GetPos().y, door.GetPos().x)
    largest = max(largest, abs(angle))

ledger = contacts.energy()
print(f"largest angle {largest:.4f} rad, at rest at {angle:.4f} rad, speed {abs(door.GetAngVelLocal().z):.1e} rad/s")
print(f"heat in the stops {ledger.contact_heat:.2f} J, from friction {ledger.friction_heat:.2f} J")

assert largest < 1.06
assert abs(door.GetAngVelLocal().z) < 1e-2
