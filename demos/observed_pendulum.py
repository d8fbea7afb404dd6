"""An observer on a Chrono run: a pendulum with friction and a stop; only its angle is measured, with noise.

python demos/observed_pendulum.py
"""

from sympy import cos

import chrono_powercontact as pc

chrono = pc.need_pychrono()  # import pychrono as chrono, or exit with one sentence

MASS, LENGTH, LIMIT, MOMENT = 2.0, 0.5, 0.6, 0.52  # MOMENT = 0.02 + MASS LENGTH^2

# The laws of the joint, shared by Chrono and the observer's model.
stop = pc.design_restriction(s_0=0.0, mass=MOMENT, speed=3.0, restitution=0.6, penetration=0.05, force_limit=500.0)
friction, memory = pc.Dissipation(f_c=0.2, f_s=0.25, v_c=0.02, v_s=0.04), pc.LPVFilter(0.01, 0.02)
system = chrono.ChSystemSMC()
system.SetGravitationalAcceleration(chrono.ChVector3d(0, -9.81, 0))
system.SetSolverType(chrono.ChSolver.Type_SPARSE_LU)
wall, bob = chrono.ChBody(), chrono.ChBody()
wall.SetFixed(True)
bob.SetMass(MASS)
bob.SetInertiaXX(chrono.ChVector3d(0.02, 0.02, 0.02))
bob.SetPos(chrono.ChVector3d(0, -LENGTH, 0))
bob.SetPosDt(chrono.ChVector3d(4.0 * LENGTH, 0, 0))
bob.SetAngVelLocal(chrono.ChVector3d(0, 0, 4.0))
bob.AddVisualShape(chrono.ChVisualShapeBox(0.04, LENGTH, 0.04), chrono.ChFramed(chrono.ChVector3d(0, LENGTH / 2, 0)))
hinge = chrono.ChLinkRevolute()
hinge.Initialize(bob, wall, chrono.ChFramed())
for item in (wall, bob, hinge):
    system.Add(item)
contacts = pc.attach(system)
contacts.add_stop(hinge, stop, upper=LIMIT)
contacts.add_friction(hinge, friction, memory)

# The same pendulum from its energies: coordinate phi, one contact point, one friction point.
(phi,) = pc.coordinates("phi")
(omega,) = pc.velocities((phi,))
points = {"contacts": (pc.ContactPoint("stop", LIMIT - phi),), "frictions": (pc.FrictionPoint("hinge", (omega,)),)}
pendulum = pc.Model("observed_pendulum", (phi,), MOMENT * omega**2 / 2, -MASS * 9.81 * LENGTH * cos(phi), **points)
twin = pc.System(pendulum, {}, {"stop": pc.Material(stop)}, {"hinge": friction}, {"hinge": memory})
model = pc.model_of(twin, outputs=("phi",))
observer = pc.CDKF(model, [0.0, 3.0, 0.0], [1e-4, 1.0, 0.01], [1e-10, 1e-5, 1e-4], [4e-6], 0.01, step=1e-3)
sensor = pc.JointSensor(system, hinge)
ride = pc.Ride(
    observer, {"phi": sensor.place}, noise={"phi": 2e-3}, truth={"phi": sensor.place, "phi_dot": sensor.speed}
)
pc.show(system, camera=(0, -0.5, 1.2), target=(0, -0.3, 0))
while system.GetChTime() < 6.0:
    ride(system.GetChTime())
    system.DoStepDynamics(1e-4)

seen = ride.observation()
print(f"RMS error of the angle {seen.rms('phi'):.2e} rad, of the speed {seen.rms('phi_dot', since=0.2):.2e} rad/s")
print(f"NIS {pc.consistency(seen['nis'], 1).verdict}")
assert seen["phi"].max() > LIMIT  # it reached the stop
assert seen.rms("phi") < 1.5e-3  # noise of the sensor: 2e-3
assert seen.rms("phi_dot", since=0.2) < 0.02
