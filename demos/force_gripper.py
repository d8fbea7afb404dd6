"""A gripper closes on a box, lifts it and reads its fingers' forces in every step, as a robot's sensors do.

python demos/force_gripper.py
"""

import statistics

import chrono_powercontact as pc

chrono = pc.need_pychrono()  # import pychrono as chrono, or exit with one sentence

GRIP, MASS, LIFT = 40.0, 0.5, 0.1  # N, kg, m/s
system = chrono.ChSystemNSC()
system.SetGravitationalAcceleration(chrono.ChVector3d(0, 0, -9.81))
system.SetSolverType(chrono.ChSolver.Type_SPARSE_LU)
rubber = chrono.ChContactMaterialNSC()
rubber.SetFriction(0.8)


def add(size, density, place, fixed=False):
    """A box of a size in m and a density in kg/m^3."""
    body = chrono.ChBodyEasyBox(*size, density, True, True, rubber)
    body.SetPos(chrono.ChVector3d(*place))
    body.SetFixed(fixed)
    system.Add(body)
    return body


table = add((1, 1, 0.1), 1000, (0, 0, -0.05), fixed=True)
box = add((0.06, 0.06, 0.1), MASS / 3.6e-4, (0, 0, 0.05))
hand = add((0.3, 0.1, 0.02), 2000, (0, 0, 0.2))
fingers = [add((0.02, 0.06, 0.1), 1000, (side * 0.05, 0, 0.07)) for side in (-1, 1)]
arm = chrono.ChLinkMotorLinearSpeed()
arm.Initialize(hand, table, chrono.ChFramed(chrono.ChVector3d(0, 0, 0.2)))
system.Add(arm)
drives = [chrono.ChLinkMotorLinearForce() for _ in fingers]
for drive, finger, side in zip(drives, fingers, (-1, 1), strict=True):
    inwards = chrono.QuatFromAngleY(-side * chrono.CH_PI_2)  # the motor's axis
    drive.Initialize(finger, hand, chrono.ChFramed(finger.GetPos(), inwards))
    drive.SetForceFunction(chrono.ChFunctionConst(GRIP))
    system.Add(drive)

contacts = pc.attach(system)
contacts.take_over()
pc.show(system, camera=(0.2, -0.7, 0.3), target=(0, 0, 0.1))
pressed = []
while system.GetChTime() < 2.0:
    arm.SetSpeedFunction(chrono.ChFunctionConst(LIFT if system.GetChTime() > 1.0 else 0.0))
    system.DoStepDynamics(5e-3)
    pressed.append(abs(fingers[0].GetContactForce().x))

grip, noise = statistics.mean(pressed[-100:]), statistics.pstdev(pressed[-100:])
carried = box.GetContactForce().z
slipped = box.GetPos().z - fingers[0].GetPos().z + 0.02
print(f"a finger reads {grip:.4f} N with a noise of {noise:.1e} N; it presses with {GRIP} N")
print(f"the box at {box.GetPos().z:.4f} m weighs {carried:.4f} N in the hand and has slipped by {slipped * 1e6:.1f} um")
assert abs(grip - GRIP) < 0.01 * GRIP > noise
assert abs(carried - MASS * 9.81) < 0.01 * MASS * 9.81
assert box.GetPos().z > 0.14
assert abs(slipped) < 1e-3
