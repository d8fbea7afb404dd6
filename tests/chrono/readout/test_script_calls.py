"""What a script reads by Chrono's own calls, once its contacts are ours."""

import math

import numpy as np
import pytest
from read_scene import GRAVITY, scene
from scene import run

pytestmark = pytest.mark.chrono


def vector(v):
    return np.array([v.x, v.y, v.z])


def reported(system):
    import pychrono as chrono

    class Callback(chrono.ReportContactCallback):
        def OnReportContact(self, a, b, plane, distance, radius, force, torque, first, second, offset):
            names = chrono.CastToChBody(first).GetIdentifier(), chrono.CastToChBody(second).GetIdentifier()
            axis = plane.GetAxisX()
            found.append((vector(a), vector(b), vector(axis), distance, radius, vector(plane * force), names, offset))
            return True

    found = []
    callback = Callback()
    system.GetContactContainer().ReportAllContacts(callback)
    return found


@pytest.mark.parametrize("kind", ["NSC", "SMC"])
@pytest.mark.parametrize("step", [1e-4, 5e-3])
def test_a_body_at_rest_reads_its_weight(kind, step):
    system, ground, box, _ = scene(kind, 20.0, shape="box")
    run(system, 1.0, step)
    weight = box.GetMass() * GRAVITY
    angle = math.radians(20.0)
    expected = weight * np.array([-math.sin(angle), 0.0, math.cos(angle)])
    assert vector(box.GetContactForce()) == pytest.approx(expected, abs=1e-3 * weight)
    assert vector(ground.GetContactForce()) == pytest.approx(-expected, abs=1e-3 * weight)
    assert np.abs(vector(box.GetContactTorque())).max() < 1e-3 * weight * 0.05


def test_forces_at_rest_have_no_noise():
    system, _, box, _ = scene(shape="box")
    run(system, 1.0, 5e-3)
    readings = []
    for _ in range(50):
        system.DoStepDynamics(5e-3)
        readings.append(box.GetContactForce().z)
    assert np.ptp(readings) < 1e-2 * box.GetMass() * GRAVITY


def test_the_number_of_contacts_counts_ours():
    system, _, _, _ = scene(shape="box")
    run(system, 0.5, 5e-3)
    assert system.GetNumContacts() == 4
    assert system.GetContactContainer().GetNumContacts() == 4


@pytest.mark.parametrize("step", [1e-4, 5e-3])
def test_a_report_follows_chronos_conventions(step):
    """The normal points from A to B, the force acts on B, points lie on the surfaces."""
    system, ground, ball, _ = scene()
    run(system, 0.5, step)
    ((a, b, axis, distance, radius, force, (first, second), offset),) = reported(system)
    upward = 1.0 if second == ball.GetIdentifier() else -1.0
    assert {first, second} == {ball.GetIdentifier(), ground.GetIdentifier()}
    assert axis == pytest.approx([0.0, 0.0, upward], abs=1e-9)
    assert force == pytest.approx([0.0, 0.0, upward * ball.GetMass() * GRAVITY], rel=1e-3, abs=1e-3)
    assert distance < 0.0
    assert (b - a) @ axis == pytest.approx(distance)
    assert radius == pytest.approx(0.05, rel=0.2)
    assert offset == -1


def test_a_callback_that_returns_false_ends_the_report():
    import pychrono as chrono

    class Callback(chrono.ReportContactCallback):
        def OnReportContact(self, *arguments):
            found.append(arguments)
            return False

    found = []
    system, _, _, _ = scene(shape="box")
    run(system, 0.5, 5e-3)
    system.GetContactContainer().ReportAllContacts(Callback())
    assert len(found) == 1


def test_an_impact_within_a_step_is_read_as_its_impulse_over_the_step():
    system, _, ball, _ = scene(height=0.2)
    step = 5e-3
    before = 0.0
    read = []
    for _ in range(60):
        before = ball.GetPosDt().z
        system.DoStepDynamics(step)
        change = ball.GetMass() * (ball.GetPosDt().z - before + GRAVITY * step)
        read.append((ball.GetContactForce().z * step, change))
    read = np.array(read)
    assert read[:, 1].max() > 0.1 * ball.GetMass()
    assert read[:, 0] == pytest.approx(read[:, 1], abs=1e-9)


def test_a_spinning_torque_is_read_about_the_centre_of_mass():
    system, _, ball, _ = scene(degrees=30.0)
    run(system, 0.3, 1e-3)
    force = vector(ball.GetContactForce())
    assert vector(ball.GetContactTorque()) == pytest.approx([0.0, -0.05 * force[0], 0.0], rel=2e-2, abs=1e-6)


def test_reports_are_there_without_a_callback():
    system, _, ball, contacts = scene()
    run(system, 0.5, 5e-3)
    (found,) = contacts.reports()
    assert abs(found.force.x) == pytest.approx(ball.GetMass() * GRAVITY, rel=1e-3)
    assert found.distance < 0.0


def test_other_integrators_read_the_present_forces():
    import pychrono as chrono

    system, _, ball, _ = scene()
    system.SetTimestepperType(chrono.ChTimestepper.Type_RUNGE_KUTTA)
    run(system, 0.2, 1e-4)
    assert ball.GetContactForce().z == pytest.approx(ball.GetMass() * GRAVITY, rel=5e-2)


def test_after_detach_chrono_speaks_alone():
    system, _, ball, contacts = scene()
    run(system, 0.2, 5e-3)
    contacts.detach()
    assert vector(ball.GetContactForce()) == pytest.approx([0.0, 0.0, 0.0], abs=0.0)
    run(system, 0.5, 5e-3)
    assert ball.GetContactForce().z == pytest.approx(ball.GetMass() * GRAVITY, rel=1e-2)


def test_bodies_of_other_systems_are_chronos():
    import pychrono as chrono

    scene()
    other = chrono.ChSystemNSC()
    body = chrono.ChBody()
    assert vector(body.GetContactForce() if body.GetSystem() else chrono.ChVector3d(0, 0, 0)).max() == 0.0
    other.AddBody(body)
    other.DoStepDynamics(1e-3)
    assert vector(body.GetContactForce()).max() == 0.0


def test_nothing_touches_a_body_that_has_left():
    """Chrono alone ends the process: its contacts are asked of a system that is not there."""
    system, _, box, _ = scene(shape="box")
    run(system, 0.1, 5e-3)
    assert box.GetContactForce().z > 0.0
    system.Remove(box)
    assert vector(box.GetContactForce()).tolist() == vector(box.GetContactTorque()).tolist() == [0.0, 0.0, 0.0]
