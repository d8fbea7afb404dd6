"""Sensors on joints, and an observer that rides on a Chrono run."""

import math

import pytest
from scene import empty_system, new_body, run

import chrono_powercontact as pc
from chrono_powercontact.chrono.api.bridge import pychrono
from chrono_powercontact.chrono.joint.joint_sensor import JointSensor
from chrono_powercontact.errors import ParameterError

pytestmark = pytest.mark.chrono


def moving_joint(kind):
    """A joint between two bodies that both move and turn."""
    chrono = pychrono()
    system = empty_system(0.0)
    base = new_body(system, 3.0, (0.3, -0.2, 0.1), (0.1, 0.2, 0.0), (0.3, -0.2, 0.4), (0.2, 0.3, 0.4))
    part = new_body(system, 1.0, (0.1, 0.0, 0.4), (0.0, 0.3, 0.5), (0.1, 0.2, 3.0), (0.1, 0.2, 0.15))
    frame = chrono.ChFramed(chrono.ChVector3d(0.5, 0.4, 0.3), chrono.QuatFromAngleX(0.7) * chrono.QuatFromAngleY(0.4))
    link = getattr(chrono, kind)()
    link.Initialize(part, base, frame)
    system.AddLink(link)
    system.SetSolver(chrono.ChSolverSparseLU())
    return system, link


@pytest.mark.parametrize("kind", ["ChLinkMateRevolute", "ChLinkMatePrismatic"])
def test_a_sensor_tells_what_the_joint_force_sees(kind):
    system, link = moving_joint(kind)
    contacts = pc.attach(system)
    contacts.add_friction(link, pc.Dissipation(0.0, 0.0, 1.0))
    sensor = JointSensor(system, link)
    run(system, 0.1, 1e-3)
    (row,) = contacts.joint_forces()
    assert abs(row["place"]) > 1e-3
    assert sensor.place() == pytest.approx(row["place"], abs=1e-12)
    assert sensor.speed() == pytest.approx(row["speed"][0], abs=1e-12)


def test_full_turns_are_counted():
    chrono = pychrono()
    system = empty_system(0.0)
    wall, disc = new_body(system, fixed=True), new_body(system, spin=(0, 0, 20.0))
    link = chrono.ChLinkMateRevolute()
    link.Initialize(disc, wall, chrono.ChFramed())
    system.AddLink(link)
    sensor, angles = JointSensor(system, link), []
    while system.GetChTime() < 1.0:
        system.DoStepDynamics(1e-3)
        angles.append(sensor.place())
    assert angles[-1] > 6.0 * math.pi
    assert angles[-1] == pytest.approx(20.0 * system.GetChTime(), rel=1e-3)
    assert JointSensor(system, link, start=angles[-1]).place() == pytest.approx(angles[-1])


def test_a_link_that_is_no_joint_of_one_motion_is_refused():
    chrono = pychrono()
    system = empty_system()
    first, second = new_body(system, fixed=True), new_body(system)
    link = chrono.ChLinkLockSpherical()
    link.Initialize(first, second, chrono.ChFramed())
    with pytest.raises(ParameterError, match="link must be a revolute or prismatic joint"):
        JointSensor(system, link)
