"""Small Chrono scenes that several tests build on."""

import chrono_powercontact as pc
from chrono_powercontact.chrono.api.bridge import pychrono, set_integrator, tighten

RESTRICTION = pc.Restriction(0.002, 0.001, 400.0, 0.3)
SMOOTH = pc.Material(RESTRICTION)
ROUGH = pc.Material(RESTRICTION, pc.Friction(0.25, 0.3, 1e-3, 2e-3, 0.0, 1e-6), pc.LPVFilter(1e-3, 1e-3))


def empty_system(gravity=9.81, integrator="euler_implicit_linearized"):
    chrono = pychrono()
    system = chrono.ChSystemSMC()
    system.SetGravitationalAcceleration(chrono.ChVector3d(0, 0, -gravity))
    set_integrator(system, integrator)
    if integrator in ("hht", "newmark", "euler_implicit"):
        system.SetSolverType(chrono.ChSolver.Type_SPARSE_LU)
        tighten(system)
    return system


def new_body(system, mass=1.0, at=(0, 0, 0), velocity=(0, 0, 0), spin=(0, 0, 0), inertia=None, fixed=False, name=""):
    chrono = pychrono()
    body = chrono.ChBody()
    body.SetMass(mass)
    moment = inertia if inertia is not None else (0.4 * mass * 0.01,) * 3
    body.SetInertiaXX(chrono.ChVector3d(*moment))
    body.SetPos(chrono.ChVector3d(*at))
    body.SetPosDt(chrono.ChVector3d(*velocity))
    body.SetAngVelLocal(chrono.ChVector3d(*spin))
    body.SetFixed(fixed)
    if name:
        body.SetName(name)
    system.AddBody(body)
    return body


def moving_pair(system):
    """A part with a centre of mass beside its frame, and a base: both in general motion."""
    chrono = pychrono()
    base = new_body(system, 3.0, (0.3, -0.2, 0.1), (0.1, 0.2, 0.0), (0.3, -0.2, 0.4), (0.2, 0.3, 0.4))
    part = chrono.ChBodyAuxRef()
    part.SetFrameCOMToRef(chrono.ChFramed(chrono.ChVector3d(0.1, 0.2, -0.3)))
    part.SetInertiaXX(chrono.ChVector3d(0.1, 0.2, 0.15))
    system.AddBody(part)
    return part, base


def falling_cube(material=SMOOTH, integrator="euler_implicit_linearized", shared=None, height=1.0):
    system = empty_system(integrator=integrator)
    ground = new_body(system, fixed=True, name="ground")
    moment = (0.1 * 0.01 / 6,) * 3
    cube = new_body(system, 0.1, (0, 0, height), (2, 1, 0), (10, 1, 0), moment, name="cube")
    contacts = pc.attach(system, shared=shared)
    contacts.add(pc.Box(cube, 0.1, 0.002), pc.Plane(ground), material)
    return system, cube, contacts


def run(system, time, step=1e-4):
    while system.GetChTime() < time - 0.5 * step:
        system.DoStepDynamics(step)


def chronos_contacts(system):
    """Number of contacts that Chrono itself has, without ours."""
    return type(system).GetNumContacts(system)
