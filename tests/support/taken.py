"""Scenes with Chrono's own collision shapes, to be taken over."""

import math

import chrono_powercontact as pc
from chrono_powercontact.chrono.api.bridge import pychrono, set_integrator

LAW = pc.Restriction(0.0, -0.001, 400.0, 30.0)
SLICK = pc.Material(LAW)
GRIP = pc.Material(LAW, pc.Friction(0.5, 0.5, 1e-3, 2e-3, 0.0, 1e-6), pc.LPVFilter(1e-3, 1e-3))


def colliding_system(method="smc", gravity=(0.0, 0.0, -9.81), integrator="euler_implicit_linearized", bullet=True):
    """A system and a material of Chrono's for its shapes."""
    chrono = pychrono()
    system, surface = (
        (chrono.ChSystemSMC(), chrono.ChContactMaterialSMC())
        if method == "smc"
        else (chrono.ChSystemNSC(), chrono.ChContactMaterialNSC())
    )
    if bullet:
        system.SetCollisionSystemType(chrono.ChCollisionSystem.Type_BULLET)
    system.SetGravitationalAcceleration(chrono.ChVector3d(*gravity))
    set_integrator(system, integrator)
    return system, surface


def shaped_body(system, *shapes, at=(0, 0, 0), mass=1.0, inertia=0.004, velocity=(0, 0, 0), fixed=False, name=""):
    """A body with collision shapes, each a shape or a pair of shape and frame."""
    chrono = pychrono()
    body = chrono.ChBody()
    body.SetMass(mass)
    body.SetInertiaXX(chrono.ChVector3d(inertia, inertia, inertia))
    body.SetPos(chrono.ChVector3d(*at))
    body.SetPosDt(chrono.ChVector3d(*velocity))
    body.SetFixed(fixed)
    for shape in shapes:
        body.AddCollisionShape(*shape) if isinstance(shape, tuple) else body.AddCollisionShape(shape)
    body.EnableCollision(True)
    if name:
        body.SetName(name)
    system.AddBody(body)
    return body


def plate(system, surface, thickness=0.2, **options):
    """A fixed plate whose upper face is at z = 0."""
    shape = pychrono().ChCollisionShapeBox(surface, 4.0, 4.0, thickness)
    return shaped_body(system, shape, at=(0, 0, -0.5 * thickness), fixed=True, name="plate", **options)


def ball(system, surface, radius=0.1, **options):
    return shaped_body(system, pychrono().ChCollisionShapeSphere(surface, radius), **options)


def prism_hull(surface, half=0.1, sides=96):
    """A prism, nearly a cylinder, as a convex hull with so many edges that it is foreign to us."""
    chrono = pychrono()
    angles = [2.0 * math.pi * k / sides for k in range(sides)]
    rim = [(half * math.cos(angle), half * math.sin(angle)) for angle in angles]
    corners = [chrono.ChVector3d(x, y, half * side) for x, y in rim for side in (-1, 1)]
    return chrono.ChCollisionShapeConvexHull(surface, chrono.vector_ChVector3d(corners))


def cube_hull(surface, half=0.1):
    """A cube as a convex hull."""
    chrono = pychrono()
    corners = [chrono.ChVector3d(half * x, half * y, half * z) for x in (-1, 1) for y in (-1, 1) for z in (-1, 1)]
    return chrono.ChCollisionShapeConvexHull(surface, chrono.vector_ChVector3d(corners))


def square_mesh(surface, half=1.0, radius=0.002):
    """Two triangles in the plane z = 0, thickened by a radius in m."""
    chrono = pychrono()
    mesh = chrono.ChTriangleMeshConnected()
    a, b, c, d = (chrono.ChVector3d(half * x, half * y, 0) for x, y in ((-1, -1), (1, -1), (1, 1), (-1, 1)))
    mesh.AddTriangle(a, b, c)
    mesh.AddTriangle(a, c, d)
    return chrono.ChCollisionShapeTriangleMesh(surface, mesh, True, False, radius)


def cube_of_balls(side, radius=0.05, mass=0.1):
    """Balls of a system on a cubic grid on the ground, each of which touches its neighbours."""
    system, surface = colliding_system()
    floor = pychrono().ChCollisionShapeBox(surface, 20, 20, 1)
    shaped_body(system, floor, at=(0, 0, -0.5), fixed=True, name="floor")
    for i in range(side**3):
        place = [1.998 * radius * n for n in (i % side, i // side % side, i // side**2)]
        ball(system, surface, radius, at=(*place[:2], place[2] + radius), mass=mass, inertia=0.4 * mass * radius**2)
    return system
