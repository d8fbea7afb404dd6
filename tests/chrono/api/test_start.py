import math

import numpy as np
import pytest
from scene import empty_system, new_body

import chrono_powercontact as pc
from chrono_powercontact.chrono.api.start import prepare, set_accelerations
from chrono_powercontact.errors import UnknownNameError

pytestmark = pytest.mark.chrono


def pendulum(angle):
    """A point mass at rest on a rod of 0.1 m."""
    import pychrono as chrono

    system = empty_system()
    ground = new_body(system, fixed=True)
    bob = new_body(system, 0.1, (0.1 * math.sin(angle), 0.0, -0.1 * math.cos(angle)), inertia=(1e-12,) * 3)
    joint = chrono.ChLinkMateRevolute()
    joint.Initialize(bob, ground, chrono.ChFramed(chrono.ChVector3d(0, 0, 0), chrono.QuatFromAngleX(-math.pi / 2)))
    system.AddLink(joint)
    return system, bob


def motion(body):
    return [(v.x, v.y, v.z) for v in (body.GetPos(), body.GetPosDt(), body.GetAngVelLocal())]


def test_accelerations_fit_the_joint():
    system, bob = pendulum(0.5)
    prepare(system, "hht")
    along = -9.81 * math.sin(0.5)
    expected = along * math.cos(0.5), along * math.sin(0.5)
    assert (bob.GetPosDt2().x, bob.GetPosDt2().z) == pytest.approx(expected, abs=1e-4)


def test_accelerations_fit_the_contact_and_nothing_else_changes():
    system = empty_system()
    ground, ball = new_body(system, fixed=True), new_body(system, 0.05, (0, 0, 0.0095), (0.3, 0, -1), (1, 2, 3))
    law = pc.Restriction(0.01, 0.009, 200.0, 1.0)
    pc.attach(system).add(pc.Sphere(ball, radius=0.01), pc.Plane(ground), pc.Material(law))
    before = motion(ball)
    set_accelerations(system)
    assert ball.GetPosDt2().z == pytest.approx(float(law.force(0.0095, -1.0)) / 0.05 - 9.81, rel=1e-5)
    assert motion(ball) == before
    assert system.GetChTime() == 0.0


def test_hht_is_of_second_order_from_a_prepared_start():
    """Halving the step quarters the error; from zero accelerations it would only halve it."""
    ends = []
    for steps in (100, 200, 400):
        system, bob = pendulum(1.0)
        prepare(system, "hht")
        for _ in range(steps):
            system.DoStepDynamics(0.2 / steps)
        ends.append(bob.GetPos().x)
    ratio = (ends[0] - ends[1]) / (ends[1] - ends[2])
    assert np.log2(ratio) == pytest.approx(2.0, abs=0.2)


def test_unknown_integrator_is_refused():
    with pytest.raises(UnknownNameError, match="integrator 'rk4'"):
        prepare(empty_system(), "rk4")
