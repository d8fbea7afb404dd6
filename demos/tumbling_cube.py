"""A cube with eight contacting corners tumbles over rough ground until it lies flat.

python demos/tumbling_cube.py
"""

import chrono_powercontact as pc

chrono = pc.need_pychrono()  # import pychrono as chrono, or exit with one sentence

EDGE, MASS = 0.1, 0.1

system = chrono.ChSystemSMC()
system.SetGravitationalAcceleration(chrono.ChVector3d(0, 0, -9.81))

ground = chrono.ChBody()
ground.SetFixed(True)
system.AddBody(ground)

cube = chrono.ChBody()
cube.SetName("cube")
cube.SetMass(MASS)
moment = MASS * EDGE**2 / 6
cube.SetInertiaXX(chrono.ChVector3d(moment, moment, moment))
cube.SetPos(chrono.ChVector3d(0, 0, 1))
cube.SetPosDt(chrono.ChVector3d(2, 1, 0))
cube.SetAngVelLocal(chrono.ChVector3d(10, 1, 0))
system.AddBody(cube)

# Tables 3.4 and 4.2 of the thesis, with larger transition speeds of the friction.
restriction = pc.Restriction(s_0=0.002, s_c=0.001, r_f=400.0, r_d=0.3)
friction = pc.Friction(mu_c=0.25, mu_s=0.30, v_c=1e-3, v_s=2e-3, eps=1e-6)
contacts = pc.attach(system)
contacts.add(
    pc.Box(cube, size=EDGE, radius=0.002),
    pc.Plane(ground),
    pc.Material(restriction, friction, pc.Anchor(presliding=2e-5)),
)

system.SetTimestepperType(chrono.ChTimestepper.Type_RUNGE_KUTTA)
first = None
pc.show(system, camera=(1.8, -1.6, 1.0), target=(1.3, 0.5, 0.4), ground=8)
while system.GetChTime() < 4.0:
    system.DoStepDynamics(1e-4)
    if first is None and system.GetChTime() > 0.4 and contacts.forces()["gap"].min() < 0:
        first = system.GetChTime()

place = cube.GetPos()
print(f"first contact at {first:.4f} s, at rest at ({place.x:.2f}, {place.y:.2f}, {place.z:.4f}) m")
ledger = contacts.energy()
heat = f"{ledger.contact_heat:.3f} J in contacts, {ledger.friction_heat:.3f} J from friction"
print(f"heat: {heat}; ledger error {ledger.error:.4f} J")

assert abs(first - 0.4354) < 2e-4
assert cube.GetPosDt().Length() < 5e-3
