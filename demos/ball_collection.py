"""Balls fall into two trays; the script's own narrow-phase callback counts contacts, the trays' forces weigh the balls.

python demos/ball_collection.py
"""

import random

import chrono_powercontact as pc

chrono = pc.need_pychrono()  # import pychrono as chrono, or exit with one sentence

RADIUS, MASS, BALLS = 0.04, 0.3, 12

system = chrono.ChSystemNSC()
system.SetGravitationalAcceleration(chrono.ChVector3d(0, 0, -9.81))
system.SetCollisionSystemType(chrono.ChCollisionSystem.Type_BULLET)
wood = chrono.ChContactMaterialNSC()
wood.SetFriction(0.4)
wood.SetRollingFriction(0.001)


class Counter(chrono.NarrowphaseCallback):
    """Counts the contacts that Chrono's collision detection finds, by the tray that they are on."""

    def __init__(self):
        super().__init__()
        self.found = 0

    def OnNarrowphase(self, contact):
        self.found += 1
        return True


trays = []
for x in (-0.5, 0.5):
    tray = chrono.ChBody()
    tray.SetName(f"tray at {x} m")
    tray.SetFixed(True)
    tray.SetPos(chrono.ChVector3d(x, 0, 0))
    for size, place in (((0.8, 0.8, 0.1), (0, 0, 0)), ((0.1, 0.8, 0.3), (-0.4, 0, 0.1)), ((0.1, 0.8, 0.3), (0.4, 0, 0.1)),
                        ((0.8, 0.1, 0.3), (0, -0.4, 0.1)), ((0.8, 0.1, 0.3), (0, 0.4, 0.1))):  # fmt: skip
        tray.AddCollisionShape(chrono.ChCollisionShapeBox(wood, *size), chrono.ChFramed(chrono.ChVector3d(*place)))
    tray.EnableCollision(True)
    system.Add(tray)
    trays.append(tray)

counter = Counter()
system.GetCollisionSystem().RegisterNarrowphaseCallback(counter)
contacts = pc.attach(system)
contacts.take_over()
random.seed(1)
balls = []
pc.show(system, camera=(0, -2, 1.2), target=(0, 0, 0.1))
while system.GetChTime() < 4.0:
    if len(balls) < BALLS and system.GetChTime() > 0.1 * len(balls):  # a ball more, while running
        ball = chrono.ChBodyEasySphere(RADIUS, MASS / (4 / 3 * chrono.CH_PI * RADIUS**3), True, True, wood)
        side = -0.5 if len(balls) % 3 else 0.5
        ball.SetPos(chrono.ChVector3d(side + random.uniform(-0.2, 0.2), random.uniform(-0.2, 0.2), 0.6))
        system.Add(ball)
        balls.append(ball)
    system.DoStepDynamics(2e-3)

for tray in trays:
    inside = [ball for ball in balls if abs(ball.GetPos().x - tray.GetPos().x) < 0.35 and ball.GetPos().z > 0]
    weighed = -tray.GetContactForce().z / 9.81
    print(f"{tray.GetName()}: {len(inside)} balls of {MASS} kg, weighed {weighed:.4f} kg")
    assert abs(weighed - MASS * len(inside)) < 0.01 * MASS * len(inside)
print(f"the callback saw {counter.found} contacts")
assert counter.found > 0
assert sum(abs(ball.GetPosDt().Length()) for ball in balls) < 0.1
