"""Viper on a plane and on hills: sinkage, slip and contact forces of its wheels; python demos/rover_on_terrain.py."""

import numpy as np
from scipy.spatial import ConvexHull

import chrono_powercontact as pc

chrono = pc.need_pychrono()  # import pychrono as chrono, or exit with one sentence
robots = pc.need_pychrono("robot")

STEP, TIME, RADIUS, THICKNESS = 1e-3, 1.0, 0.25, 0.005
X, Y = np.meshgrid(np.linspace(-6, 6, 121), np.linspace(-3, 3, 61), indexing="ij")


def corners_of(body):
    """Corners of the convex hull of the collision mesh of a wheel, in m."""
    instance = body.GetCollisionModel().GetShapeInstance(0)
    shape = getattr(instance, "shape", None) or instance[0]
    mesh = chrono.CastToChTriangleMeshConnected(chrono.CastToChCollisionShapeTriangleMesh(shape).GetMesh())
    points = np.array([(v.x, v.y, v.z) for v in mesh.GetCoordsVertices()])
    return points[ConvexHull(points).vertices]


def drive(heights):
    """Sinkage in m, slip and load over weight of the wheels, means of the second half, and the way in m."""
    system = chrono.ChSystemNSC()
    system.SetGravitationalAcceleration(chrono.ChVector3d(0, 0, -9.81))
    system.SetCollisionSystemType(chrono.ChCollisionSystem.Type_BULLET)
    ground = chrono.ChBody()
    ground.SetFixed(True)
    system.AddBody(ground)
    rover, driver = robots.Viper(system), robots.ViperDCMotorControl()
    rover.SetDriver(driver)
    rover.Initialize(chrono.ChFramed(chrono.ChVector3d(-2.0, -0.2, 0.35)))
    wheels = [body for body in system.GetBodies() if body.GetName().startswith("wheel")]
    terrain = pc.HeightField(ground, heights, 0.1)
    contacts = pc.attach(system)
    for wheel in wheels:
        material = pc.material_for(mass=wheel.GetMass(), size=RADIUS, friction=0.7, restitution=0.1)
        contacts.add(pc.Points(wheel, corners_of(wheel), THICKNESS), terrain, material)
    start, rows = wheels[0].GetPos().x, []
    while system.GetChTime() < TIME:
        rover.Update()
        system.DoStepDynamics(STEP)
        if system.GetChTime() > 0.5 * TIME:
            speed = sum(wheel.GetPosDt().Length() for wheel in wheels)
            rolling = RADIUS * sum(wheel.GetAngVelParent().Length() for wheel in wheels)
            load = sum(contacts.force_on(wheel)[0][2] for wheel in wheels)
            rows.append((-contacts.forces()["gap"].min(), 1.0 - speed / rolling, load))
    weight = 9.81 * sum(body.GetMass() for body in system.GetBodies() if not body.IsFixed())
    return *np.mean(rows, axis=0) / (1.0, 1.0, weight), wheels[0].GetPos().x - start


for name, heights in (("plane", 0.0 * X), ("hills of 0.1 m", 0.1 * np.sin(2.0 * X) * np.cos(1.5 * Y))):
    sinkage, slip, load, way = drive(heights)
    print(f"{name}: sinkage {1e3 * sinkage:.3f} mm, slip {slip:.3f}, load {load:.3f} of the weight, way {way:.3f} m")
    assert sinkage < 2e-3, "wheels must not sink into rigid ground"
    assert abs(slip) < 0.3, "wheels must roll"
    assert abs(load - 1.0) < 0.2, "the ground must carry the rover"
    assert way > 0.1, "the rover must drive"
