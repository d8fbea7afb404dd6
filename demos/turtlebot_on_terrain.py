"""TurtleBot on a plane and on hills: sinkage, slip and load of its wheels; python demos/turtlebot_on_terrain.py."""

import numpy as np

import chrono_powercontact as pc

chrono = pc.need_pychrono()  # import pychrono as chrono, or exit with one sentence
robots = pc.need_pychrono("robot")

STEP, TIME, SPACING, THICKNESS, SPEED = 2e-3, 1.5, 0.02, 5e-4, np.pi
GRIP, GLIDE = 0.7, 0.05  # friction of the driven wheels, and of the passive ones, which do not roll ahead but slide
X, Y = np.meshgrid(np.arange(-60, 61), np.arange(-30, 31), indexing="ij")


def corners_of(body):
    """Corners of the collision mesh of a wheel, in m, and the largest distance from its axle."""
    instance = body.GetCollisionModel().GetShapeInstance(0)
    shape = getattr(instance, "shape", None) or instance[0]
    mesh = chrono.CastToChTriangleMeshConnected(chrono.CastToChCollisionShapeTriangleMesh(shape).GetMesh())
    points = np.array([(v.x, v.y, v.z) for v in mesh.GetCoordsVertices()])
    return points, np.hypot(points[:, 0], points[:, 2]).max()


def drive(heights):
    """Sinkage in mm, slip of the driven wheels, load over weight, means of the second half, and the way in m."""
    system, ground = chrono.ChSystemNSC(), chrono.ChBody()
    system.SetGravitationalAcceleration(chrono.ChVector3d(0, 0, -9.81))
    robot = robots.TurtleBot(system, chrono.ChVector3d(0, 0, 0), chrono.ChQuaterniond(1, 0, 0, 0))
    robot.Initialize()
    robot.SetMotorSpeed(-SPEED, 0)
    robot.SetMotorSpeed(-SPEED, 1)
    mass = sum(body.GetMass() for body in system.GetBodies())
    wheels = [body for body in system.GetBodies() if "Wheel" in body.GetName()]
    driven = [wheel for wheel in wheels if "DWheel" in wheel.GetName()]
    ground.SetFixed(True)
    system.AddBody(ground)
    contacts, radius = pc.attach(system), corners_of(driven[0])[1]
    terrain = pc.HeightField(ground, heights, SPACING, (0, 0, driven[0].GetPos().z - radius - heights.max()))
    for wheel in wheels:
        points, r = corners_of(wheel)
        material = pc.material_for(mass=mass / 4, size=r, friction=GRIP if wheel in driven else GLIDE, restitution=0.1)
        contacts.add(pc.Points(wheel, points * (1 - THICKNESS / r), THICKNESS), terrain, material)
    start, rows = wheels[0].GetPos().x, []
    while system.GetChTime() < TIME:
        system.DoStepDynamics(STEP)
        if system.GetChTime() > 0.5 * TIME:
            speed = sum(wheel.GetPosDt().Length() for wheel in driven)
            rolling = radius * sum(wheel.GetAngVelParent().Length() for wheel in driven)
            load = sum(wheel.GetContactForce().z for wheel in wheels)
            rows.append((-1e3 * contacts.forces()["gap"].min(), 1.0 - speed / rolling, load / (9.81 * mass)))
    return *np.mean(rows, axis=0), wheels[0].GetPos().x - start


for height in (0.0, 0.004):
    sinkage, slip, load, way = drive(height * np.sin(0.2 * X) * np.cos(0.15 * Y))
    print(f"hills of {height} m: sinkage {sinkage:.4f} mm, slip {slip:.3f}, load {load:.3f}, way {way:.3f} m")
    assert abs(sinkage) < 0.2, "wheels must neither sink into rigid ground nor leave it"
    assert abs(slip) < 0.1, "wheels must roll"
    assert way > 0.1, "the robot must drive"
    assert abs(load - 1.0) < 0.01, "the ground must carry the robot"
