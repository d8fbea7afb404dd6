"""A gripper closes on a box, lifts it and reads its fingers' forces in every step, as a robot's sensors do.

python demos/force_gripper.py
"""

import statistics

import chrono_powercontact as pc

chrono = pc.need_pychrono()  # import pychrono as chrono, or exit with one sentence

GRIP, LIFT = 40.0, 0.1  # N, m/s

system = chrono.ChSystemNSC()
system.SetGravitationalAcceleration(chrono.ChVector3d(0, 0, -9.81))
system.SetSolverType(chrono.ChSolver.Type_SPARSE_LU)
rubber = chrono.ChContactMaterialNSC()
rubber.SetFriction(0.8)


def add(name, size, mass, place, fixed=False):
    body = chrono.ChBodyEasyBox(*size, mass / (size[0] * size[1] * size[2]), True, True, rubber)
    body.SetName(name)
    body.SetPos(chrono.ChVector3d(*place))
    body.SetFixed(fixed)
    system.Add(body)
    return body


table = add("table", (1, 1, 0.1), 1, (0, 0, -0.05), fixed=True)
box = add("box", (0.06, 0.06, 0.1), 0.5, (0, 0, 0.05))
hand = add("hand", (0.3, 0.1, 0.02), 1, (0, 0, 0.2))
fingers = [add("finger", (0.02, 0.06, 0.1), 0.1, (side * 0.05, 0, 0.07)) for side in (-1, 1)]

arm = chrono.ChLinkMotorLinearSpeed()
arm.Initialize(hand, table, chrono.ChFramed(chrono.ChVector3d(0, 0, 0.2)))
arm.SetSpeedFunction(chrono.ChFunctionConst(0))
system.Add(arm)
drives = []
for side, finger in zip((-1, 1), fingers, strict=True):
    drive = chrono.ChLinkMotorLinearForce()
    turn = chrono.QuatFromAngleY(-side * chrono.CH_PI_2)  # the motor's z axis points inwards
    drive.Initialize(finger, hand, chrono.ChFramed(finger.GetPos(), turn))
    drive.SetForceFunction(chrono.ChFunctionConst(GRIP))
    system.Add(drive)
    drives.append(drive)

contacts = pc.attach(system)
contacts.take_over()
pc.show(system, camera=(0.2, -0.7, 0.3), target=(0, 0, 0.1))
readings = {"closed": [], "lifting": []}
while system.GetChTime() < 2.0:
    lifting = system.GetChTime() > 1.0
    arm.SetSpeedFunction(chrono.ChFunctionConst(LIFT if lifting else 0.0))
    system.DoStepDynamics(5e-3)
    pressed = fingers[0].GetContactForce().x
    if system.GetChTime() % 1.0 > 0.5:
        readings["lifting" if lifting else "closed"].append((pressed, box.GetContactForce().z))
        held = box.GetPos() - fingers[0].GetPos()

for phase, seen in readings.items():
    pressed, carried = zip(*seen, strict=True)
    noise = statistics.pstdev(pressed) / GRIP
    print(f"{phase}: {statistics.mean(pressed):+.4f} N on a finger, noise {noise:.1e}; box {carried[-1]:.4f} N up")
    assert abs(abs(statistics.mean(pressed)) - GRIP) < 0.01 * GRIP and noise < 0.01
assert abs(carried[-1] - 0.5 * 9.81) < 0.01 * 0.5 * 9.81  # lifted at a constant speed
assert box.GetPos().z > 0.13 and abs(held.z + 0.02) < 1e-3
