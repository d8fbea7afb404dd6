"""Two balls hit the same wall: the one at 200 m/s rebounds, the one at 270 m/s breaks through.

python demos/breakable_wall.py
"""

import chrono_powercontact as pc

chrono = pc.need_pychrono()  # import pychrono as chrono, or exit with one sentence

MASS = 0.05
wall_law = pc.Barrier(s_0=0.1, s_c=0.08, r_f=1e4, r_d=0.05, thickness=0.2, s_c_back=-0.05)

system = chrono.ChSystemSMC()
system.SetGravitationalAcceleration(chrono.ChVector3d(0, 0, 0))
system.SetTimestepperType(chrono.ChTimestepper.Type_RUNGE_KUTTA)

wall = chrono.ChBody()
wall.SetFixed(True)
system.AddBody(wall)

contacts, balls = pc.attach(system), {}
for i, speed in enumerate((200.0, 270.0)):
    ball = chrono.ChBody()
    ball.SetMass(MASS)
    ball.SetPos(chrono.ChVector3d(0.2, i, 0))
    ball.SetPosDt(chrono.ChVector3d(-speed, 0, 0))
    system.AddBody(ball)
    contacts.add(pc.Sphere(ball, radius=0.1), pc.Plane(wall, normal=(1, 0, 0)), pc.Material(wall_law))
    balls[speed] = ball

pc.show(system, camera=(0, -2.4, 0.8), target=(0, 0.5, 0), speed=0.002, ground=2.4)
while system.GetChTime() < 0.01:
    system.DoStepDynamics(5e-6)

print(f"the wall breaks at {pc.breakthrough_speed(wall_law, MASS):.2f} m/s")
for speed, ball in balls.items():
    got, expected = ball.GetPosDt().x, pc.exit_velocity(wall_law, MASS, speed)
    print(f"{speed:.0f} m/s: leaves at {got:.4f} m/s, closed form {expected:.4f} m/s")
    assert abs(got - expected) < 1e-3 * speed
