"""A chain of bodies on hinges."""

from scene import empty_system, new_body

from chrono_powercontact.chrono.api.bridge import pychrono


def chain(count):
    """Bodies on hinges, thrown so that they turn."""
    chrono = pychrono()
    system = empty_system()
    system.SetSolverType(chrono.ChSolver.Type_SPARSE_LU)
    bodies = [new_body(system, 1.0, (i, 0, 0), fixed=i == 0, inertia=(0.1, 0.2, 0.3)) for i in range(count)]
    for i in range(count - 1):
        hinge = chrono.ChLinkLockRevolute()
        turn = chrono.QuatFromAngleX(0.3 + 0.4 * i)
        hinge.Initialize(bodies[i + 1], bodies[i], chrono.ChFramed(chrono.ChVector3d(i + 0.5, 0, 0), turn))
        system.AddLink(hinge)
    return system, bodies
