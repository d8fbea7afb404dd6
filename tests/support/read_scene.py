"""A body on a box of ground, taken over by our law, for tests of what scripts read."""

import math

import chrono_powercontact as pc

GRAVITY = 9.81
LAW = pc.Restriction(0.0, -1e-4, 2000.0, 2.0)
GRIP = pc.Material(LAW, pc.Friction(0.5, 0.5, 1e-3), pc.Anchor(5e-6))


def scene(kind="NSC", degrees=0.0, height=0.0, shape="sphere", material=GRIP):
    import pychrono as chrono

    angle = math.radians(degrees)
    system = getattr(chrono, f"ChSystem{kind}")()
    system.SetCollisionSystemType(chrono.ChCollisionSystem.Type_BULLET)
    system.SetGravitationalAcceleration(chrono.ChVector3d(GRAVITY * math.sin(angle), 0, -GRAVITY * math.cos(angle)))
    surface = getattr(chrono, f"ChContactMaterial{kind}")()
    ground = chrono.ChBodyEasyBox(4, 4, 0.2, 1000, False, True, surface)
    ground.SetFixed(True)
    ground.SetPos(chrono.ChVector3d(0, 0, -0.1))
    if shape == "sphere":
        body = chrono.ChBodyEasySphere(0.05, 1000, False, True, surface)
    else:
        body = chrono.ChBodyEasyBox(0.1, 0.1, 0.1, 1000, False, True, surface)
    body.SetPos(chrono.ChVector3d(0, 0, 0.05 + height))
    system.AddBody(ground)
    system.AddBody(body)
    contacts = pc.attach(system)
    contacts.take_over(material)
    return system, ground, body, contacts
