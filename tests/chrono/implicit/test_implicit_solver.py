"""The solve of an attachment: what it tells, when it is used, and that it follows changes."""

import warnings

import numpy as np
import pytest
from long_steps import GRAVITY, STICKY, box_on_slope, dropped_ball
from scene import empty_system, new_body, run

import chrono_powercontact as pc
from chrono_powercontact.chrono.api.bridge import address, pychrono
from chrono_powercontact.chrono.attachment import core_of
from chrono_powercontact.chrono.implicit.implicit_solver import ImplicitSolver, Inertias, Solved
from chrono_powercontact.chrono.implicit.step_arrays import StepArrays
from chrono_powercontact.chrono.implicit.step_context import StepContext
from chrono_powercontact.errors import UnknownNameError

pytestmark = pytest.mark.chrono

LAW = pc.Restriction(0.0, -1e-4, 500.0, 1.0)


def test_before_the_first_step_nothing_is_told():
    _, _, contacts = box_on_slope(20.0)
    assert contacts.solver() == Solved()


def test_a_resting_box_is_one_island_of_four_contacts():
    system, _, contacts = box_on_slope(20.0)
    run(system, 1.0, 5e-3)
    told = contacts.solver()
    assert (told.islands, told.largest, told.contacts, told.impacts, told.unconverged) == (1, 1, 4, 0, 0)
    assert told.iterations <= 3
    assert told.residual < 1e-9


def test_boxes_apart_are_islands_of_their_own_and_a_stack_is_one():
    system = empty_system()
    ground = new_body(system, fixed=True)
    contacts = pc.attach(system, stepping="implicit")
    balls = [new_body(system, 1.0, at) for at in ((0, 0, 0.1), (1, 0, 0.1), (1, 0, 0.3))]
    shapes = [pc.Sphere(ball, radius=0.1) for ball in balls]
    for shape in shapes[:2]:
        contacts.add(shape, pc.Plane(ground), pc.Material(LAW))
    contacts.add(shapes[1], shapes[2], pc.Material(LAW))
    system.DoStepDynamics(1e-3)
    assert (contacts.solver().islands, contacts.solver().largest) == (2, 2)


@pytest.mark.parametrize(("step", "implicit"), [(1e-5, False), (5e-3, True)])
def test_by_itself_a_long_step_is_solved_for_and_a_short_one_not(step, implicit):
    system, _, contacts = box_on_slope(20.0, "auto")
    run(system, 20 * step, step)
    assert core_of(contacts).stepper.watch.implicit is implicit
    assert (contacts.solver().contacts > 0) is implicit


@pytest.mark.parametrize("integrator", ["hht", "runge_kutta", "euler_implicit"])
def test_other_integrators_are_as_before(integrator):
    ends = []
    for stepping in ("explicit", "implicit"):
        system = empty_system(integrator=integrator)
        ground, ball = new_body(system, fixed=True), new_body(system, 1.0, (0, 0, 0.1005))
        contacts = pc.attach(system, stepping=stepping)
        contacts.add(pc.Sphere(ball, radius=0.1), pc.Plane(ground), pc.Material(LAW))
        run(system, 0.02, 1e-4)
        ends.append(ball.GetPos().z)
        assert contacts.solver() == Solved()
    assert ends[0] == ends[1]


@pytest.mark.parametrize("wrong", ["implict", "IMPLICIT", "semi"])
def test_a_wrong_stepping_is_told_in_one_sentence(wrong):
    system = empty_system()
    with pytest.raises(UnknownNameError, match="allowed: auto, explicit, implicit") as told:
        pc.attach(system, stepping=wrong)
    assert repr(wrong) in str(told.value)
    assert len(str(told.value).splitlines()) == 1


def test_more_contacts_than_there_was_room_for_are_all_solved():
    system = empty_system()
    ground, plate = new_body(system, fixed=True), new_body(system, 1.0, (0, 0, 0), inertia=(0.1,) * 3)
    places = [(x, y, 0.0) for x in np.linspace(-0.5, 0.5, 12) for y in np.linspace(-0.5, 0.5, 12)]
    contacts = pc.attach(system, stepping="implicit")
    contacts.add(pc.Points(plate, places), pc.Plane(ground), pc.Material(LAW))
    run(system, 1.0, 5e-3)
    assert contacts.solver().contacts == 144
    assert plate.GetPos().z == pytest.approx(LAW.rest_distance(GRAVITY / 144), abs=1e-8)


def test_a_changed_mass_is_noticed_when_contacts_change():
    system, ball, contacts = dropped_ball(pc.Restriction(0.02, 0.0199, 500.0, 1.0), height=0.0)
    run(system, 0.5, 5e-3)
    ball.SetMass(1.0)
    core_of(contacts).stepper.check_due = True
    run(system, 1.5, 5e-3)
    law = pc.Restriction(0.02, 0.0199, 500.0, 1.0)
    assert ball.GetPos().z == pytest.approx(law.rest_distance(GRAVITY), abs=1e-8)


def test_a_body_may_be_fixed_and_freed_between_steps():
    """Chrono then keeps the others at other places of its vectors."""
    system = empty_system()
    ground, one, other = (
        new_body(system, fixed=True),
        new_body(system, 1.0, (0, 0, 0.1)),
        new_body(system, 2.0, (1, 0, 0.1)),
    )
    contacts = pc.attach(system, stepping="implicit")
    for ball in (one, other):
        contacts.add(pc.Sphere(ball, radius=0.1), pc.Plane(ground), pc.Material(LAW))
    for fixed in (False, True, False):
        one.SetFixed(fixed)
        run(system, system.GetChTime() + 0.5, 5e-3)
        assert other.GetPos().z == pytest.approx(0.1 + LAW.rest_distance(2.0 * GRAVITY), abs=1e-8)
    assert contacts.solver().unconverged == 0


def test_inertias_leave_fixed_bodies_out():
    system = empty_system()
    bodies = [new_body(system, fixed=True), new_body(system, 2.0, inertia=(1, 2, 4))]
    system.DoStepDynamics(1e-3)
    own = Inertias(bodies)
    assert own.mass.tolist() == [0.0, 2.0]
    assert own.places.tolist() == [-1] * 6 + list(range(6))
    assert own.mobility[1] == pytest.approx(np.diag([1.0, 0.5, 0.25]))


def test_a_step_that_did_not_converge_is_counted_and_told_once():
    arrays = StepArrays()
    solver = ImplicitSolver(arrays, StepContext(arrays))
    outcome = arrays.outcome[0]
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        for residual in (1e-5, 0.1):
            outcome["residual"] = residual
            solver._unconverged += 1
            solver.judge(5e-3)
    assert solver.solved.unconverged == 2
    assert [str(warning.message) for warning in caught] == [
        "the contact forces of a step of 0.005 s did not converge: 1.0e-05 of the speed is missing; "
        "see contacts.solver()"
    ]


def test_forces_told_after_a_step_balance_the_weight():
    """At rest the force of the last step is the weight, at every step."""
    for step in (1e-3, 1e-2):
        system, _, contacts = box_on_slope(0.0)
        run(system, 1.0, step)
        assert contacts.forces()["force"].sum() == pytest.approx(GRAVITY, rel=1e-6)


def pushed(system, box, force):
    """A load container with a constant force on a body; it must be kept."""
    chrono = pychrono()
    container = chrono.ChLoadContainer()
    container.Add(chrono.ChLoadBodyForce(box, chrono.ChVector3d(force, 0, 0), False, chrono.ChVector3d(0, 0, 0), True))
    system.Add(container)
    return container


@pytest.mark.parametrize("after", [0.0, 1.0])
def test_forces_of_loads_that_are_added_later_are_known(after):
    """A box on the level, pushed with 3 N where friction holds 4.9 N: it stays put."""
    system, box, _ = box_on_slope(0.0)
    if after:
        run(system, after, 5e-3)
    kept = pushed(system, box, 3.0)
    run(system, after + 2.0, 5e-3)
    there = box.GetPos().x
    run(system, after + 3.0, 5e-3)
    assert abs(box.GetPos().x - there) < 1e-12
    assert 0.0 < there < 1e-5
    assert kept is not None


def test_two_attachments_and_a_later_load_keep_their_order():
    system, box, contacts = box_on_slope(0.0)
    other = pc.attach(system, stepping="implicit")
    other.add(pc.Sphere(box, radius=0.01), pc.Plane(new_body(system, at=(0, 0, -1), fixed=True)), STICKY)
    kept = pushed(system, box, 3.0)
    run(system, 2.0, 5e-3)
    items = [address(item) for item in system.GetOtherPhysicsItems()]
    assert items[0] == address(kept)
    assert items[1:] == [address(core_of(attachment).container) for attachment in (contacts, other)]
