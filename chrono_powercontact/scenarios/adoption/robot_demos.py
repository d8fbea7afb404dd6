"""Demos of robots: their bodies are made by C++, most of them meshes that roll on a box, with collision families."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

from ...chrono.api.bridge import pychrono, pychrono_part
from .demo import Demo, add_body, add_box, material, new_system, nothing, set_margins, vector
from .mesh_demos import data_file

VIPER_WHEEL = "robot/viper/col/viper_wheel.obj"
"""A file without which C++ would make wheels that touch nothing."""
DOWN = (0.0, 0.0, -9.81)


def _new_terrain() -> Any:
    """A system with z up and a block of 20 m, whose top is at -0.5 m."""
    system = new_system("NSC", DOWN)
    set_margins(0.0025, 0.0025)
    add_box(system, "terrain", (20, 20, 1), 1000, (0, 0, -1), material("NSC"), True)
    return system


def _demo(
    system: Any, step: float, robot: Any, before_step: Callable[[], None] = nothing, kept: tuple[Any, ...] = ()
) -> Demo:
    """The scene of a robot: its bodies, the heaviest first."""
    bodies = [body for body in system.GetBodies() if not body.IsFixed()]
    heaviest_first = sorted(bodies, key=lambda body: -body.GetMass())
    return Demo(system, heaviest_first, step, before_step, up=2, kept=(robot, *kept))


def viper() -> Demo:
    """A rover of four wheels drives and steers from 2 s on (robot Viper: NSC, 1 ms)."""
    robots = pychrono_part("robot")
    data_file(VIPER_WHEEL)
    system = _new_terrain()
    driver = robots.ViperDCMotorControl()
    rover = robots.Viper(system)
    rover.SetDriver(driver)
    rover.Initialize(pychrono().ChFramed(vector((0, -0.2, 0))))

    def steer() -> None:
        time = system.GetChTime()
        ramp = min(time - 2.0, 12.0 - time) / 5.0
        driver.SetSteering(math.pi / 6.0 * max(ramp, 0.0))
        rover.Update()

    return _demo(system, 1e-3, rover, steer, (driver,))


def curiosity() -> Demo:
    """A rover of six wheels drives and steers from 1 s on (robot Curiosity: NSC, 1 ms)."""
    robots = pychrono_part("robot")
    system = _new_terrain()
    driver = robots.CuriosityDCMotorControl()
    rover = robots.Curiosity(system)
    rover.SetDriver(driver)
    rover.Initialize(pychrono().ChFramed(vector((0, 0.2, 0))))

    def steer() -> None:
        driver.SetSteering(0.2 * max(system.GetChTime() - 1.0, 0.0))
        rover.Update()

    return _demo(system, 1e-3, rover, steer, (driver,))


def turtlebot() -> Demo:
    """A robot of 0.4 g to 0.76 kg a part turns left from 1 s on, right from 2 s on (robot Turtlebot: NSC, 2 ms)."""
    robots = pychrono_part("robot")
    system = _new_terrain()
    robot = robots.TurtleBot(system, vector((0, 0, -0.45)), pychrono().QUNIT)
    robot.Initialize()

    def steer() -> None:
        step = round(system.GetChTime() / 2e-3)
        if step in (500, 1000):
            robot.SetMotorSpeed(0.0 if step == 500 else -math.pi, 0)
            robot.SetMotorSpeed(-math.pi if step == 500 else 0.0, 1)

    return _demo(system, 2e-3, robot, steer)


class _Terrain:
    """The terrain of RoboSimian, which its loop makes once the robot has taken its pose."""

    def __init__(self, system: Any, robot: Any, robots: Any) -> None:
        self._system = system
        self._robot = robot
        self._front = robots.FR
        self._made = False

    def __call__(self) -> None:
        """Make the terrain 0.15 m below the front wheel after 1 s, and let the robot go."""
        if self._made or self._system.GetChTime() <= 1.0:
            return
        self._made = True
        height = self._robot.GetWheelPos(self._front).z - 0.15
        surface = material("SMC", Friction=0.8, Restitution=0.0, YoungModulus=1e7)
        slab = (pychrono().ChCollisionShapeBox(surface, 8, 2, 0.2), (2, 0, height - 0.1))
        ground = add_body(self._system, "terrain", (0, 0, 0), slab, fixed=True)
        self._system.GetCollisionSystem().BindItem(ground)
        for found in (self._robot.GetSledContactMaterial(), self._robot.GetWheelContactMaterial()):
            found.SetFriction(0.8)
            found.SetRestitution(0.0)
            pychrono().CastToChContactMaterialSMC(found).SetYoungModulus(1e7)
        self._robot.GetChassisBody().SetFixed(False)


def robosimian() -> Demo:
    """A robot on four limbs, stepped by C++, takes its pose, falls on terrain and drives (RoboSimian: SMC, 1 ms)."""
    chrono = pychrono()
    robots = pychrono_part("robot")
    system = new_system("SMC", (0, 0, -9.8))
    system.GetSolver().AsIterative().SetMaxIterations(200)
    system.SetSolverType(chrono.ChSolver.Type_BARZILAIBORWEIN)
    robot = robots.RoboSimian(system, True, True)
    robot.Initialize(chrono.ChCoordsysd(vector((0, 0, 0)), chrono.QuatFromAngleX(math.pi)))
    files = [data_file(f"robot/robosimian/actuation/driving_{part}.txt") for part in ("start", "cycle", "stop")]
    driver = robots.RS_Driver(*files, True)
    callback = robots.RS_DriverCallback(robot)
    driver.RegisterPhaseChangeCallback(callback)
    driver.SetTimeOffsets(1.0, 0.5)
    robot.SetDriver(driver)
    bodies = (robot.GetChassisBody(),)
    terrain = _Terrain(system, robot, robots)
    return Demo(system, bodies, 1e-3, terrain, robot.DoStepDynamics, 2, (robot, driver, callback))
