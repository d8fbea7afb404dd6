"""Standstill: bodies at rest repeat their forces, and every change ends it at once."""

import numpy as np
import pytest
from long_steps import GRAVITY, STICKY, box_on_slope, cube, tilt
from scene import empty_system, new_body, run

import chrono_powercontact as pc
from chrono_powercontact.chrono.api.bridge import pychrono
from chrono_powercontact.chrono.attachment import core_of
from chrono_powercontact.chrono.implicit.implicit_solver import ImplicitSolver
from chrono_powercontact.chrono.load.routine import Routine

pytestmark = pytest.mark.chrono


def place(body):
    at = body.GetPos()
    return np.array((at.x, at.y, at.z))


def solves(system, contacts, time, step):
    """Number of steps up to a time that are solved."""
    stepper = core_of(contacts).stepper
    computed = set()
    while system.GetChTime() < time:
        system.DoStepDynamics(step)
        computed.add(stepper.computed_in)
    return len(computed)


@pytest.mark.parametrize("step", [1e-3, 1e-2])
def test_a_box_at_rest_is_not_solved_and_does_not_move(step):
    system, box, contacts = box_on_slope(20.0)
    run(system, 3.0, step)
    there = place(box)
    assert solves(system, contacts, 13.0, step) < 0.02 * 10.0 / step
    assert np.abs(place(box) - there).max() < 1e-15
    assert contacts.force_on(box).force == pytest.approx(-np.array(gravity_of(system)), abs=1e-8 * GRAVITY)
    assert abs(contacts.energy().error) < 1e-12


def gravity_of(system):
    pull = system.GetGravitationalAcceleration()
    return pull.x, pull.y, pull.z


CHANGES = {
    "pushed": lambda system, box: box.SetPosDt(pychrono().ChVector3d(0.1, 0.02, 0)),
    "tilted": lambda system, box: tilt(system, 30.0),
    "moved": lambda system, box: box.SetPos(box.GetPos() + pychrono().ChVector3d(0, 0, 1e-3)),
    "heavier": lambda system, box: box.SetMass(2.0),
    "hit": lambda system, box: cube(system, 1.0, (0, 0, 0.3), 0.05),
}


@pytest.mark.parametrize("change", CHANGES)
def test_a_change_has_the_effect_that_it_has_without_standstill(monkeypatch, change):
    def moved():
        system, box, _ = box_on_slope(10.0)
        run(system, 1.5, 2e-3)
        there = place(box)
        CHANGES[change](system, box)
        run(system, 1.8, 2e-3)
        return place(box) - there

    found = moved()
    monkeypatch.setattr(ImplicitSolver, "repeats", lambda *arguments: False)
    monkeypatch.setattr(Routine, "learn", lambda *arguments: None)
    assert found == pytest.approx(moved(), abs=1e-10)
    assert np.abs(found).max() > 1e-7 or change in ("heavier", "hit")


def test_contacts_that_are_added_act_at_once():
    system = empty_system()
    ground, box = new_body(system, fixed=True), cube(system, 1.0)
    above = cube(system, 1.0, (0.5, 0, 0.2))
    contacts = pc.attach(system, stepping="implicit")
    contacts.add(pc.Box(box, 0.1), pc.Plane(ground), STICKY)
    run(system, 1.0, 1e-3)
    assert core_of(contacts).stepper.solver.rested > 0.0
    above.SetPos(pychrono().ChVector3d(0.5, 0, 0.051))
    above.SetPosDt(pychrono().ChVector3d(0, 0, 0))
    contacts.add(pc.Box(above, 0.1), pc.Plane(ground), STICKY)
    run(system, 2.0, 1e-3)
    for body in (box, above):
        assert contacts.force_on(body).force[2] == pytest.approx(GRAVITY, rel=1e-6)


def test_a_link_ends_it():
    chrono = pychrono()
    system, box, _ = box_on_slope(0.0)
    run(system, 1.0, 1e-3)
    motor = chrono.ChLinkMotorLinearSpeed()
    motor.Initialize(
        box, next(iter(system.GetBodies())), chrono.ChFramed(box.GetPos(), chrono.QuatFromAngleY(np.pi / 2))
    )
    motor.SetSpeedFunction(chrono.ChFunctionConst(0.1))
    system.AddLink(motor)
    run(system, 1.1, 1e-3)
    assert abs(box.GetPosDt().x) == pytest.approx(0.1, rel=1e-3)
