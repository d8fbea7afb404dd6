"""The demo of motors: five rotors, and six sliders that push blocks along their guides (mbs motors: NSC, 5 ms)."""

from __future__ import annotations

import math
from collections.abc import Callable
from functools import cache
from typing import Any, NamedTuple

from ...chrono.api.bridge import pychrono
from .demo import Demo, Place, add_box, constant, frame, material, new_system, turning, vector

STROKE = 1.6
"""Amplitude of the sliders in m; they move at 0.5 Hz."""


class Workshop(NamedTuple):
    """A system, the material of all surfaces, and what must be kept alive."""

    system: Any
    surface: Any
    kept: list[Any]


def _add_rotor(shop: Workshop, at: Place, motor: Any) -> Any:
    """A bar of 1 m that a motor turns about z beside a fixed disc; the motor in the system."""
    chrono = pychrono()
    disc = chrono.ChBodyEasyCylinder(chrono.ChAxis_Y, 0.5, 0.1, 1000, False, True, shop.surface)
    disc.SetPos(vector(at))
    disc.SetRot(turning(0.5 * math.pi, (1, 0, 0)))
    disc.SetFixed(True)
    shop.system.Add(disc)
    bar = add_box(shop.system, "rotor", (1, 0.1, 0.1), 1000, (at[0] + 0.5, at[1], at[2] - 0.15), shop.surface)
    motor.Initialize(bar, disc, frame(at))
    shop.system.Add(motor)
    return motor


def _add_slider(shop: Workshop, at: Place, motor: Any) -> tuple[Any, Any]:
    """A block of 512 kg on a guide, in the way of a slider that a motor moves along x; slider and block."""
    system, surface, _ = shop
    guide = add_box(system, "guide", (4, 0.3, 0.6), 1000, at, surface, True)
    slider = add_box(system, "slider", (0.4, 0.2, 0.5), 1000, (at[0], at[1] + 0.3, at[2]), surface)
    block = add_box(system, "block", (0.4, 0.4, 0.4), 8000, (at[0] + 1.5, at[1] + 0.4, at[2]), surface)
    motor.Initialize(slider, guide, frame(at, pychrono().Q_ROTATE_Z_TO_X))
    system.Add(motor)
    return slider, block


@cache
def _torque_curve() -> type:
    """The class of the torque of a three-phase motor over its speed."""

    class TorqueCurve(pychrono().ChFunction):  # type: ignore[misc]
        """120 V, 80 ohm, 1 ohm, 6 rad/s without load, and a viscous brake of 5 N m s."""

        def __init__(self, motor: Any) -> None:
            super().__init__()
            self.motor = motor

        def Clone(self) -> Any:
            return TorqueCurve(self.motor)

        def GetVal(self, time: float) -> float:
            speed = self.motor.GetMotorAngleDt()
            slip = (6.0 - speed) / 6.0
            return 1.5 * math.pi * 6.0 * slip * 120.0**2 * 80.0 / (80.0**2 + slip**2) - 5.0 * speed

    return TorqueCurve


@cache
def _controller() -> type:
    """The class of a force that follows a sine by a controller."""
    chrono = pychrono()

    base = chrono.ChFunctionSetpointCallback

    class Controller(base):  # type: ignore[misc, valid-type]
        """42 kN/m and 1 kN s/m on the deviation from the sine."""

        def __init__(self, motor: Any) -> None:
            chrono.ChFunctionSetpoint.__init__(self)
            chrono.ChFunctionSetpointCallback.__init__(self)
            self.motor = motor
            self.time = 0.0
            self.deviation = 0.0
            self.force = 0.0

        def SetpointCallback(self, time: float) -> float:
            if time > self.time:
                deviation = STROKE * math.sin(math.pi * time) - self.motor.GetMotorPos()
                self.force = 42e3 * deviation + 1e3 * (deviation - self.deviation) / (time - self.time)
                self.time = time
                self.deviation = deviation
            return self.force

    return Controller


def _add_rotors(shop: Workshop) -> None:
    """Motors by speed, angle, torque over time, torque over speed, and driveline."""
    chrono = pychrono()
    first = _add_rotor(shop, (-3, 2, -3), chrono.ChLinkMotorRotationSpeed())
    first.SetSpeedFunction(constant(0.5 * math.pi))
    second = _add_rotor(shop, (-3, 2, -2), chrono.ChLinkMotorRotationAngle())
    second.SetAngleFunction(chrono.ChFunctionSine(math.pi, 0.05))
    third = _add_rotor(shop, (-3, 2, -1), chrono.ChLinkMotorRotationTorque())
    third.SetTorqueFunction(chrono.ChFunctionSine(160, 2))
    fourth = _add_rotor(shop, (-3, 2, 0), chrono.ChLinkMotorRotationTorque())
    curve = _torque_curve()(fourth)
    fourth.SetTorqueFunction(curve)
    fifth = _add_rotor(shop, (-3, 2, 1), chrono.ChLinkMotorRotationDriveline())
    _add_gear(shop, fifth)
    shop.kept.extend((first, second, third, fourth, curve, fifth))


def _add_gear(shop: Workshop, motor: Any) -> None:
    """A drive at 1500 rpm with a gear of 1:100 between the shafts of a motor."""
    chrono = pychrono()
    inner, outer = motor.GetInnerShaft1(), motor.GetInnerShaft2()
    inner.SetInertia(0.2)
    outer.SetInertia(0.2)
    shaft = _shaft(shop, 0.03)
    drive = chrono.ChShaftsMotorSpeed()
    drive.Initialize(shaft, outer)
    shop.system.Add(drive)
    drive.SetSpeedFunction(constant(50.0 * math.pi))
    gear = chrono.ChShaftsPlanetary()
    gear.Initialize(outer, shaft, inner)
    gear.SetTransmissionRatioOrdinary(0.01)
    shop.system.Add(gear)
    shop.kept.extend((drive, gear))


def _shaft(shop: Workshop, inertia: float) -> Any:
    """A shaft with an inertia in kg m^2."""
    shaft = pychrono().ChShaft()
    shaft.SetInertia(inertia)
    shop.system.Add(shaft)
    shop.kept.append(shaft)
    return shaft


def _add_rack(shop: Workshop, motor: Any) -> None:
    """A drive that turns a pinion on the rack of a linear motor to and fro."""
    chrono = pychrono()
    inner, outer, turned = motor.GetInnerShaft1Lin(), motor.GetInnerShaft2Lin(), motor.GetInnerShaft2Rot()
    inner.SetInertia(3.0)
    outer.SetInertia(3.0)
    turned.SetInertia(0.8)
    motor.SetInnerShaft2RotDirection(chrono.VECT_Y)
    shaft = _shaft(shop, 0.33)
    drive = chrono.ChShaftsMotorPosition()
    drive.Initialize(shaft, turned)
    shop.system.Add(drive)
    course = chrono.ChFunctionSequence()
    for part, duration in (
        (chrono.ChFunctionPoly23(180, 0, 0.5), 0.5), (constant(0), 0.2),
        (chrono.ChFunctionPoly23(-180, 0, 0.3), 0.3), (constant(0), 0.2),
    ):  # fmt: skip
        course.InsertFunct(part, duration, 1.0, True)
    again = chrono.ChFunctionRepeat(course)
    again.SetSliceWidth(1.2)
    drive.SetPositionFunction(again)
    rack = chrono.ChShaftsPlanetary()
    rack.Initialize(outer, shaft, inner)
    rack.SetTransmissionRatios(-1, -0.01, 1)
    shop.system.Add(rack)
    shop.kept.extend((drive, course, again, rack))


def _add_sliders(shop: Workshop) -> tuple[list[Any], Callable[[], None]]:
    """Motors by position, speed, force, controlled force, driveline and setpoint; the blocks and the loop's work."""
    chrono = pychrono()
    kinds = ("Position", "Speed", "Force", "Force", "Driveline", "Position")
    motors = [getattr(chrono, f"ChLinkMotorLinear{kind}")() for kind in kinds]
    made = [_add_slider(shop, (0, 0, i - 3), motor) for i, motor in enumerate(motors)]
    frequency = 0.5
    motors[0].SetMotionFunction(chrono.ChFunctionSine(STROKE, frequency))
    motors[1].SetSpeedFunction(chrono.ChFunctionSine(STROKE * math.pi, frequency, 0.5 * math.pi))
    motors[2].SetForceFunction(constant(200))
    made[2][0].SetPosDt(chrono.ChVector3d(STROKE * math.pi))
    controller = _controller()(motors[3])
    motors[3].SetForceFunction(controller)
    _add_rack(shop, motors[4])
    setpoint = chrono.ChFunctionSetpoint()
    motors[5].SetMotionFunction(setpoint)
    shop.kept.extend((*motors, controller, setpoint))

    def steer() -> None:
        time = shop.system.GetChTime()
        setpoint.SetSetpoint(min(max(2.6 * math.sin(1.8 * time), -1.4), 1.4), time)

    return [block for _, block in made], steer


def motors() -> Demo:
    """All motors of the demo beside each other; their blocks are looked at."""
    chrono = pychrono()
    system = new_system("NSC")
    shop = Workshop(system, material("NSC"), [])
    add_box(system, "floor", (20, 2, 20), 3000, (0, -2, 0), shop.surface, True)
    _add_rotors(shop)
    blocks, steer = _add_sliders(shop)
    solver = chrono.ChSolverPSOR()
    solver.SetMaxIterations(50)
    system.SetSolver(solver)
    return Demo(system, blocks, 5e-3, steer, kept=(*shop.kept, solver))
