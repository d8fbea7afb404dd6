"""A pool table: the cue ball slides, rolls, strikes another one head-on, and a cushion sends that back.

python demos/pool_table.py
"""

import math

import chrono_powercontact as pc

chrono = pc.need_pychrono()  # import pychrono as chrono, or exit with one sentence

RADIUS, MASS, SPEED, CLOTH, ROLLING = 0.02857, 0.17, 2.0, 0.2, 0.005  # ROLLING: deceleration of a rolling ball over g

system = chrono.ChSystemNSC()
system.SetGravitationalAcceleration(chrono.ChVector3d(0, 0, -9.81))
phenolic, cloth = chrono.ChContactMaterialNSC(), chrono.ChContactMaterialNSC()
for material, friction, restitution in ((phenolic, CLOTH, 0.95), (cloth, CLOTH, 0.75)):
    material.SetFriction(friction)
    material.SetRollingFriction(ROLLING * RADIUS)
    material.SetRestitution(restitution)

for name, size, place in (("bed", (2.8, 1.5, 0.1), (0, 0, -0.05)), ("cushion", (0.1, 1.5, 0.08), (1.3, 0, 0.04))):
    slab = chrono.ChBodyEasyBox(*size, 1000, True, True, cloth)
    slab.SetName(name)
    slab.SetPos(chrono.ChVector3d(*place))
    slab.SetFixed(True)
    system.Add(slab)
balls = []
for name, x, speed in (("cue", -1.0, SPEED), ("eight", 0.6, 0.0)):
    ball = chrono.ChBodyEasySphere(RADIUS, MASS / (4 / 3 * math.pi * RADIUS**3), True, True, phenolic)
    ball.SetName(name)
    ball.SetPos(chrono.ChVector3d(x, 0, RADIUS))
    ball.SetPosDt(chrono.ChVector3d(speed, 0, 0))
    system.Add(ball)
    balls.append(ball)
cue, eight = balls

contacts = pc.attach(system)
contacts.take_over(pairs={("cue", "eight"): pc.material_for(cue, eight, friction=0.06, restitution=0.95)})
pc.show(system, camera=(0, -2.2, 1.4), target=(0, 0, 0))
energy = 0.5 * MASS * SPEED**2
highest = rolling = turned_back = gained = 0.0
while system.GetChTime() < 3.0:
    system.DoStepDynamics(1e-3)
    squares = [ball.GetPosDt().Length2() + 0.4 * RADIUS**2 * ball.GetAngVelLocal().Length2() for ball in balls]
    heights = [ball.GetPos().z - RADIUS for ball in balls]
    before, energy = energy, MASS * (0.5 * sum(squares) + 9.81 * sum(heights)) + contacts.forces()["stored"].sum()
    gained = max(gained, energy - before)  # in every step, within contacts too
    highest = max(highest, heights[0] if cue.GetPos().x < 0.5 else 0.0)  # before it strikes
    if not rolling and abs(cue.GetPosDt().x - RADIUS * cue.GetAngVelLocal().y) < 1e-3 and cue.GetPosDt().x > 0.5:
        rolling = cue.GetPosDt().x
    turned_back = min(turned_back, eight.GetPosDt().x)

print(f"the cue ball rolls at {rolling:.4f} m/s; 5/7 of its speed is {5 / 7 * SPEED:.4f} m/s")
print(f"while it slides it lifts by {highest * 1e6:.1f} um; the cushion sends the eight back at {-turned_back:.3f} m/s")
print(f"largest rise of the energy in a step {gained:.1e} J; {contacts.energy()}")
assert abs(rolling - 5 / 7 * SPEED) < 0.01 * SPEED
assert highest < 1e-3 * RADIUS
assert turned_back < -0.3
assert gained < 1e-4 * 0.5 * MASS * SPEED**2
