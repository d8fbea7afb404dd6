"""Balls fall into two trays; the script's own narrow-phase callback counts contacts, the trays' forces weigh the balls.

python demos/ball_collection.py
"""

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
    """Counts the contacts that Chrono's collision detection finds."""

    found = 0

    def OnNarrowphase(self, contact):
        """Count, and let it pass."""
        self.found += 1
        return True


trays = [chrono.ChBody() for _ in range(2)]
walls = [((0.1, 0.8, 0.3), (side * 0.4, 0, 0.1)) for side in (-1, 1)]
walls += [((0.8, 0.1, 0.3), (0, side * 0.4, 0.1)) for side in (-1, 1)]
for tray, x in zip(trays, (-0.5, 0.5), strict=True):
    tray.SetPos(chrono.ChVector3d(x, 0, 0))
    for size, place in [((0.8, 0.8, 0.1), (0, 0, 0)), *walls]:
        tray.AddCollisionShape(chrono.ChCollisionShapeBox(wood, *size), chrono.ChFramed(chrono.ChVector3d(*place)))
    tray.SetFixed(True)
    tray.EnableCollision(True)
    system.Add(tray)
counter = Counter()
system.GetCollisionSystem().RegisterNarrowphaseCallback(counter)
contacts = pc.attach(system)
contacts.take_over()
balls = []
pc.show(system, camera=(0, -2, 1.2), target=(0, 0, 0.1))
while system.GetChTime() < 4.0:
    if len(balls) < BALLS and system.GetChTime() > 0.1 * len(balls):  # one more, while running
        ball = chrono.ChBodyEasySphere(RADIUS, MASS / (4 / 3 * chrono.CH_PI * RADIUS**3), True, True, wood)
        ball.SetPos(chrono.ChVector3d(-0.5 if len(balls) % 3 else 0.55, 0.12 * (len(balls) % 4) - 0.18, 0.6))
        system.Add(ball)
        system.GetCollisionSystem().BindItem(ball)  # Chrono asks this of bodies that come while running
        balls.append(ball)
    system.DoStepDynamics(2e-3)

for tray in trays:
    inside = sum(abs(ball.GetPos().x - tray.GetPos().x) < 0.35 for ball in balls)
    weighed = -tray.GetContactForce().z / 9.81
    print(f"{inside} balls of {MASS} kg in a tray, weighed as {weighed:.4f} kg")
    assert abs(weighed - MASS * inside) < 0.01 * MASS * inside
assert counter.found > 0
