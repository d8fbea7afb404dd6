"""Viper and Curiosity on a plane and on hills: sinkage, slip and load of wheels; python demos/rover_on_terrain.py."""

import numpy as np
from scipy.spatial import ConvexHull

import chrono_powercontact as pc

chrono = pc.need_pychrono()  # import pychrono as chrono, or exit with one sentence
robots = pc.need_pychrono("robot")

STEP, TIME, SPACING, SOFT, ROUND = 1e-3, 1.0, 0.1, 4e-3, 0.3  # penetration and rounding of corners, of the radius
X, Y = np.meshgrid(np.arange(-60, 61), np.arange(-30, 31), indexing="ij")


def corners_of(body):
    """Corners of the convex hull of the collision mesh of a wheel, in m, and the largest distance from its axle."""
    instance = body.GetCollisionModel().GetShapeInstance(0)
    shape = getattr(instance, "shape", None) or instance[0]
    mesh = chrono.CastToChTriangleMeshConnected(chrono.CastToChCollisionShapeTriangleMesh(shape).GetMesh())
    points = np.array([(v.x, v.y, v.z) for v in mesh.GetCoordsVertices()])
    return points[ConvexHull(points).vertices], np.hypot(points[:, 0], points[:, 2]).max()


def drive(name, heights):
    """Sinkage in mm, slip and load over weight of the wheels, means of the second half, and the way in m."""
    system, ground = chrono.ChSystemNSC(), chrono.ChBody()
    system.SetGravitationalAcceleration(chrono.ChVector3d(0, 0, -9.81))
    rover = getattr(robots, name)(system)
    rover.SetDriver(getattr(robots, f"{name}DCMotorControl")())
    rover.Initialize(chrono.ChFramed())
    mass = sum(body.GetMass() for body in system.GetBodies())
    wheels = [body for body in system.GetBodies() if body.GetName().startswith("wheel")]
    radius = corners_of(wheels[0])[1]
    below = min(wheel.GetPos().z for wheel in wheels) - radius - heights.max()
    system.AddBody(ground)
    ground.SetFixed(True)
    terrain = pc.HeightField(ground, heights, SPACING, (0, 0, below))
    scale = {"mass": mass / len(wheels), "size": radius, "penetration": SOFT * radius}
    material, contacts = pc.material_for(**scale, friction=0.7, restitution=0.1), pc.attach(system)
    for wheel in wheels:
        contacts.add(pc.Points(wheel, (1 - ROUND) * corners_of(wheel)[0], ROUND * radius), terrain, material)
    start, rows = wheels[0].GetPos().x, []
    while system.GetChTime() < TIME:
        rover.Update()
        system.DoStepDynamics(STEP)
        if system.GetChTime() > 0.5 * TIME:
            speed = sum(wheel.GetPosDt().Length() for wheel in wheels)
            rolling = radius * sum(wheel.GetAngVelParent().Length() for wheel in wheels)
            load = sum(wheel.GetContactForce().z for wheel in wheels)
            rows.append((-1e3 * contacts.forces()["gap"].min(), 1.0 - speed / rolling, load / (9.81 * mass)))
    return *np.mean(rows, axis=0), wheels[0].GetPos().x - start


for name, height in (("Viper", 0.0), ("Viper", 0.1), ("Curiosity", 0.0), ("Curiosity", 0.05)):
    sinkage, slip, load, way = drive(name, height * np.sin(0.2 * X) * np.cos(0.15 * Y))
    print(f"{name}, hills of {height} m: sinkage {sinkage:.3f} mm, slip {slip:.3f}, load {load:.3f}, way {way:.2f} m")
    assert abs(sinkage) < 2.0, "wheels must neither sink into rigid ground nor leave it"
    assert abs(slip) < 0.1, "wheels must roll"
    assert way > 0.4, "the rover must drive"
    assert abs(load - 1.0) < 0.02, "the ground must carry the rover"
