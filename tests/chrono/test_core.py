"""What belongs to an attachment follows the system: bodies, loads and links come and go while it runs."""

import subprocess
import sys
import textwrap
from pathlib import Path

import numpy as np
import pytest
from scene import ROUGH, SMOOTH, empty_system, falling_cube, new_body, run

import chrono_powercontact as pc
from chrono_powercontact.chrono.api.bridge import pychrono
from chrono_powercontact.chrono.attachment import core_of
from chrono_powercontact.errors import ParameterError, StateError

pytestmark = pytest.mark.chrono

SUPPORT = str(Path(__file__).parents[1] / "support")
START = """
import sys
sys.path.insert(0, sys.argv[1])
import chrono_powercontact as pc
from scene import SMOOTH, falling_cube, new_body, run
from taken import SLICK, ball, colliding_system, plate
"""


def survives(code):
    """The output of a script that may end its process."""
    done = subprocess.run(
        [sys.executable, "-c", START + textwrap.dedent(code), SUPPORT], capture_output=True, text=True
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


@pytest.mark.parametrize("emptying", ["Clear", "RemoveAllOtherPhysicsItems", "RemoveAllBodies", "RemoveAllLinks"])
def test_a_system_that_was_emptied_can_be_detached(emptying):
    survives(f"""
        system, cube, contacts = falling_cube(height=0.2)
        run(system, 0.01)
        system.{emptying}()
        contacts.detach()
        run(system, 0.02)
    """)


def test_a_system_that_was_cleared_takes_new_bodies():
    told = survives("""
        system, cube, contacts = falling_cube(height=0.2)
        run(system, 0.01)
        system.Clear()
        ground, ball = new_body(system, fixed=True), new_body(system, 1.0, (0, 0, 0.101))
        contacts.add(pc.Sphere(ball, radius=0.1), pc.Plane(ground), SMOOTH)
        run(system, 0.5)
        print(len(contacts.forces()), len(system.GetOtherPhysicsItems()), ball.GetPos().z > 0.09)
    """)
    assert told.split() == ["1", "1", "True"]


def test_bodies_that_were_removed_all_at_once_are_not_asked_again():
    """Chrono alone leaves them in its collision system, which then asks bodies that are gone."""
    survives("""
        system, surface = colliding_system()
        bodies = [plate(system, surface), ball(system, surface, at=(0, 0, 0.1))]
        pc.attach(system)
        run(system, 0.01)
        system.RemoveAllBodies()
        del bodies
        run(system, 0.02)
    """)


def test_a_refused_jacobian_may_be_asked_for_again():
    told = survives("""
        system, surface = colliding_system()
        plate(system, surface)
        ball(system, surface, at=(0, 0, 0.1))
        contacts = pc.attach(system, jacobian=True)
        for _ in range(2):
            try:
                contacts.take_over(SLICK)
            except pc.ParameterError as error:
                print(error)
        contacts.detach()
        run(system, 0.01)
    """)
    assert told.count("a Jacobian needs a linear solver") == 2


def test_a_refused_jacobian_leaves_no_load_behind():
    system = empty_system()
    ground, ball = new_body(system, fixed=True), new_body(system, 1.0, (0, 0, 0.1))
    contacts = pc.attach(system, jacobian=True)
    with pytest.raises(ParameterError, match="a Jacobian needs a linear solver"):
        contacts.add(pc.Sphere(ball, radius=0.1), pc.Plane(ground), SMOOTH)
    assert len(system.GetOtherPhysicsItems()) == 0
    system.SetSolverType(pychrono().ChSolver.Type_SPARSE_LU)
    contacts.add(pc.Sphere(ball, radius=0.1), pc.Plane(ground), SMOOTH)
    assert len(system.GetOtherPhysicsItems()) == 1


def test_a_load_that_was_removed_comes_back():
    system, cube, _ = falling_cube(height=0.06)
    run(system, 0.01)
    system.RemoveAllOtherPhysicsItems()
    run(system, 0.3)
    assert len(system.GetOtherPhysicsItems()) == 1
    assert cube.GetPos().z > 0.04


DAMPED = pc.Restriction(0.0, -0.001, 400.0, 30.0)


def two_boxes():
    """Two boxes that stick on a slope."""
    material = pc.Material(DAMPED, pc.Friction(0.5, 0.6, 5e-5, 1e-4), pc.Anchor())
    system = empty_system()
    system.SetGravitationalAcceleration(pychrono().ChVector3d(2.0, 0, -9.6))
    ground = new_body(system, fixed=True)
    boxes = [new_body(system, 1.0, (i, 0, 0.1), name=f"box {i}") for i in range(2)]
    contacts = pc.attach(system)
    pairs = [contacts.add(pc.Box(box, 0.2), pc.Plane(ground), material) for box in boxes]
    return system, boxes, contacts, pairs


@pytest.mark.parametrize("remove", ["Remove", "RemoveBody"])
def test_the_others_go_on_without_a_body_that_was_removed(remove, recwarn):
    ends = []
    for leaving in (True, False):
        system, boxes, contacts, pairs = two_boxes()
        run(system, 0.3)
        before = boxes[1].GetPos().x
        if leaving:
            getattr(system, remove)(boxes[0])
        run(system, 0.6)
        ends.append(boxes[1].GetPos().x)
        assert abs(boxes[1].GetPos().x - before) < 1e-7  # its anchors still hold it
        assert set(contacts.forces()["pair"]) == ({pairs[1]} if leaving else set(pairs))
    assert ends[0] == pytest.approx(ends[1], abs=1e-12)
    assert len(recwarn) == 0


def test_the_place_of_a_body_that_left_goes_to_the_next():
    system, boxes, contacts, _ = two_boxes()
    ground = system.GetBodies()[0]
    for i in range(20):
        run(system, system.GetChTime() + 0.01)
        system.Remove(boxes[0])
        boxes[0] = new_body(system, 1.0, (-1 - i, 0, 0.1), name="next")
        contacts.add(pc.Box(boxes[0], 0.2), pc.Plane(ground), pc.Material(DAMPED))
    run(system, system.GetChTime() + 0.3)
    assert len(core_of(contacts).roster.bodies) == 3
    assert contacts.force_on(boxes[0]).force[2] == pytest.approx(9.6, rel=0.05)


def test_the_ledger_closes_when_bodies_come_and_go():
    system, boxes, contacts, _ = two_boxes()
    ground = system.GetBodies()[0]
    run(system, 0.1)
    system.Remove(boxes[0])
    assert np.isfinite(contacts.energy().error)
    late = new_body(system, 1.0, (3, 0, 0.2), name="late")
    contacts.add(pc.Box(late, 0.2), pc.Plane(ground), SMOOTH)
    run(system, 0.5)
    energy = contacts.energy()
    assert energy.contact_heat > 0.1
    assert abs(energy.error) < 1e-3 * energy.contact_heat


def test_a_body_that_was_added_again_keeps_its_contacts():
    system, boxes, contacts, pairs = two_boxes()
    run(system, 0.1)
    system.Remove(boxes[0])
    system.Add(boxes[0])
    run(system, 0.2)
    assert set(contacts.forces()["pair"]) == set(pairs)


def test_friction_of_a_joint_ends_with_its_body():
    chrono = pychrono()
    system = empty_system()
    ground, door = new_body(system, fixed=True), new_body(system, 1.0, (1, 0, 0))
    other = new_body(system, 1.0, (5, 0, 0))
    hinge = chrono.ChLinkLockRevolute()
    hinge.Initialize(ground, door, chrono.ChFramed())
    system.AddLink(hinge)
    contacts = pc.attach(system)
    contacts.add_friction(hinge, pc.Dissipation(0.1, 0.1, 1e-2))
    run(system, 0.01)
    system.RemoveLink(hinge)
    system.Remove(door)
    run(system, 0.02)
    assert contacts.joint_count == 0
    assert other.GetPosDt().z == pytest.approx(-9.81 * 0.02)


def test_a_body_far_from_any_contact_is_named_when_its_state_is_not_finite():
    system, _, _ = falling_cube(ROUGH, height=0.3)
    lost = new_body(system, 1.0, (9, 9, 9), name="lost")
    run(system, 0.01)
    lost.SetPosDt(pychrono().ChVector3d(float("nan"), 0, 0))
    with pytest.raises(StateError, match=r"the state of 'lost' is not finite at 0\.01"):
        run(system, 0.02)
