"""A ball falls onto the floor, bounces, and comes to rest where the contact carries its weight.

python demos/bouncing_ball.py
"""

import chrono_powercontact as pc

chrono = pc.need_pychrono()  # import pychrono as chrono, or exit with one sentence

system = chrono.ChSystemSMC()
system.SetGravitationalAcceleration(chrono.ChVector3d(0, 0, -9.81))

floor = chrono.ChBody()
floor.SetFixed(True)
system.AddBody(floor)

ball = chrono.ChBody()
ball.SetName("ball")
ball.SetMass(0.05)
ball.SetPos(chrono.ChVector3d(0, 0, 0.1))
system.AddBody(ball)

# Parameters from targets: restitution 0.3 at 1.3 m/s, penetration at most 1 mm, force at most 200 N.
law = pc.design_restriction(s_0=0.0, mass=0.05, speed=1.3, restitution=0.3, penetration=1e-3, force_limit=200.0)
contacts = pc.attach(system)
contacts.add(pc.Sphere(ball, radius=0.01), pc.Plane(floor), pc.Material(law))

system.SetTimestepperType(chrono.ChTimestepper.Type_RUNGE_KUTTA)
pc.show(system, camera=(0.1, -0.3, 0.12), target=(0, 0, 0.05), ground=1)
speed, bounces = 0.0, 0
while system.GetChTime() < 3.0:
    system.DoStepDynamics(5e-5)
    before, speed = speed, ball.GetPosDt().z
    if before > 0.0 >= speed and ball.GetPos().z > 0.0101:  # the apex of a bounce
        bounces += 1
        print(f"{system.GetChTime():.3f} s: bounce {bounces} reaches {(ball.GetPos().z - 0.01) * 1e3:.2f} mm")

force, ledger = contacts.forces()["force"].sum(), contacts.energy()
print(f"at rest at {ball.GetPos().z * 1e3:.4f} mm; contact force {force:.4f} N, weight {0.05 * 9.81:.4f} N")
print(f"contact heat {ledger.contact_heat:.5f} J; the ledger closes to {abs(ledger.error):.1e} J")

assert abs(force - 0.05 * 9.81) < 1e-3
