"""An ordinary SMC script: boxes and balls fall onto a floor. One line makes them use our contact law instead.

python demos/take_over_smc_script.py
"""

import chrono_powercontact as pc

chrono = pc.need_pychrono()  # import pychrono as chrono, or exit with one sentence


def ordinary_script():
    """What a user already has: Chrono's collision shapes and contact material."""
    system = chrono.ChSystemSMC()
    system.SetCollisionSystemType(chrono.ChCollisionSystem.Type_BULLET)
    system.SetGravitationalAcceleration(chrono.ChVector3d(0, 0, -9.81))
    material = chrono.ChContactMaterialSMC()
    material.SetFriction(0.5)
    floor = chrono.ChBodyEasyBox(4, 4, 0.2, 1000, False, True, material)
    floor.SetPos(chrono.ChVector3d(0, 0, -0.1))
    floor.SetFixed(True)
    system.Add(floor)
    for i in range(3):
        box = chrono.ChBodyEasyBox(0.2, 0.2, 0.2, 125, False, True, material)
        box.SetPos(chrono.ChVector3d(0, 0, 0.11 + 0.21 * i))
        ball = chrono.ChBodyEasySphere(0.1, 240, False, True, material)
        ball.SetPos(chrono.ChVector3d(0.6, 0, 0.11 + 0.21 * i))
        system.Add(box)
        system.Add(ball)
    return system


system = ordinary_script()
floor = next(body for body in system.GetBodies() if body.IsFixed())
contacts = pc.attach(system)
contacts.take_over()  # the line

pc.show(system, camera=(1.0, -1.4, 0.9), target=(0.3, 0, 0.25))
while system.GetChTime() < 2.0:
    system.DoStepDynamics(2e-3)

weight = sum(body.GetMass() for body in system.GetBodies() if not body.IsFixed()) * 9.81
on_floor = -floor.GetContactForce().z
print(contacts.materials())
print(f"{system.GetNumContacts()} contacts; the floor carries {on_floor:.2f} N of {weight:.2f} N")

assert abs(on_floor - weight) < 0.01 * weight
assert max(body.GetPosDt().Length() for body in system.GetBodies()) < 1e-3
