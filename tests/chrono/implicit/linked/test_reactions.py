"""Reactions of links, as a script reads them, with our contacts and an iterative solver of Chrono's."""

import pytest
from scene import run
from taken import colliding_system, shaped_body

import chrono_powercontact as pc
from chrono_powercontact.chrono.api.bridge import pychrono

pytestmark = pytest.mark.chrono


def pressed_box(iterations):
    """A box of 2 kg on a vertical guide that a motor presses on a plate."""
    chrono = pychrono()
    system, surface = colliding_system("nsc")
    system.GetSolver().AsIterative().SetMaxIterations(iterations)
    ground = shaped_body(
        system, chrono.ChCollisionShapeBox(surface, 2, 2, 0.2), at=(0, 0, -0.1), fixed=True, name="plate"
    )
    box = shaped_body(system, chrono.ChCollisionShapeBox(surface, 0.2, 0.2, 0.2), mass=2.0, at=(0, 0, 0.1), name="box")
    motor = chrono.ChLinkMotorLinearPosition()
    motor.Initialize(box, ground, chrono.ChFramed(chrono.ChVector3d(0, 0, 0.1)))
    motor.SetMotionFunction(chrono.ChFunctionConst(0.0))
    system.AddLink(motor)
    return system, box, motor


@pytest.mark.parametrize("iterations", [1, 50])
def test_the_reaction_does_not_depend_on_chronos_iterations(iterations):
    """The motor holds the box where the contact carries nothing of note: it bears what the contact does not."""
    system, box, motor = pressed_box(iterations)
    pc.attach(system).take_over()
    run(system, 0.1, 5e-3)
    carried = box.GetContactForce().z
    assert abs(motor.GetMotorForce()) == pytest.approx(abs(2.0 * 9.81 - carried), rel=1e-3, abs=1e-3)
