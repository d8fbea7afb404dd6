"""Viper drives over a plane and over hills of a height field: sinkage, slip and contact forces of its wheels.

python demos/rover_on_terrain.py [seconds]
"""

import sys
from pathlib import Path

import numpy as np
from scipy.spatial import ConvexHull

import chrono_powercontact as pc

chrono = pc.need_pychrono()  # import pychrono as chrono, or exit with one sentence
robots = pc.need_pychrono("robot")

STEP, RADIUS, THICKNESS = 1e-3, 0.25, 0.005
GIVEN = sys.argv[1:] if Path(sys.argv[0]).name == Path(__file__).name else []
TIME = float(GIVEN[0]) if GIVEN else 1.0
WHEEL = "robot/viper/col/viper_wheel.obj"


def hills(height):
    """Heights in m of a field of 12 m by 6 m with a spacing of 0.1 m."""
    x, y = np.meshgrid(np.linspace(-6, 6, 121), np.linspace(-3, 3, 61), indexing="ij")
    return height * np.sin(2.0 * x) * np.cos(1.5 * y)


def corners_of(body):
    """Corners of the convex hull of the collision mesh of a wheel, in m."""
    instance = body.GetCollisionModel().GetShapeInstance(0)
    shape = getattr(instance, "shape", None) or instance[0]
    mesh = chrono.CastToChTriangleMeshConnected(chrono.CastToChCollisionShapeTriangleMesh(shape).GetMesh())
    points = np.array([(v.x, v.y, v.z) for v in mesh.GetCoordsVertices()])
    return points[ConvexHull(points).vertices]


def drive(height):
    """Drive over hills of a height in m; the mean sinkage, slip and load of the wheels in the second half."""
    system = chrono.ChSystemNSC()
    system.SetGravitationalAcceleration(chrono.ChVector3d(0, 0, -9.81))
    system.SetCollisionSystemType(chrono.ChCollisionSystem.Type_BULLET)
    ground = chrono.ChBody()
    ground.SetName("ground")
    ground.SetFixed(True)
    system.AddBody(ground)
    rover, driver = robots.Viper(system), robots.ViperDCMotorControl()
    rover.SetDriver(driver)
    rover.Initialize(chrono.ChFramed(chrono.ChVector3d(-2.0, -0.2, 0.35)))
    wheels = [body for body in system.GetBodies() if body.GetName().startswith("wheel")]
    chassis = max(system.GetBodies(), key=lambda body: 0.0 if body.IsFixed() else body.GetMass())
    terrain = pc.HeightField(ground, hills(height), 0.1)
    contacts = pc.attach(system)
    for wheel in wheels:
        material = pc.material_for(mass=wheel.GetMass(), size=RADIUS, friction=0.7, restitution=0.1)
        contacts.add(pc.Points(wheel, corners_of(wheel), THICKNESS), terrain, material)
    start = chassis.GetPos().x
    rows = []
    while system.GetChTime() < TIME:
        rover.Update()
        system.DoStepDynamics(STEP)
        if system.GetChTime() > 0.5 * TIME:
            forces = contacts.forces()
            speed, turning = np.mean([motion(wheel) for wheel in wheels], axis=0)
            load = sum(contacts.force_on(wheel)[0][2] for wheel in wheels)
            rows.append((max(-forces["gap"].min(), 0.0), 1.0 - speed / (turning * RADIUS), load))
    weight = 9.81 * sum(body.GetMass() for body in system.GetBodies() if not body.IsFixed())
    sinkage, slip, load = np.mean(rows, axis=0)
    return sinkage, slip, load / weight, chassis.GetPos().x - start


def motion(wheel):
    """Forward speed in m/s and turning speed in rad/s of a wheel."""
    velocity = wheel.GetPosDt()
    return float(np.hypot(velocity.x, velocity.y)), wheel.GetAngVelParent().Length()


if not Path(chrono.GetChronoDataFile(WHEEL)).exists():
    sys.exit("this demo needs Chrono's data folder with the meshes of the robots")
for name, height in (("plane", 0.0), ("hills of 0.1 m", 0.1)):
    sinkage, slip, load, way = drive(height)
    print(f"{name}: sinkage {1e3 * sinkage:.3f} mm, slip {slip:.3f}, load {load:.3f} of the weight, way {way:.3f} m")
    assert 0.0 <= sinkage < 2e-3, "wheels must not sink into rigid ground"
    assert abs(slip) < 0.3, "wheels must roll"
    assert abs(load - 1.0) < 0.2, "the ground must carry the rover"
    assert way > 0.1, "the rover must drive"
