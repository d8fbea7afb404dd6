"""The solve in Chrono: rest at any step, sliding as it should be, and the same motion as with short explicit steps."""

import math

import numpy as np
import pytest
from long_steps import EDGE, GRAVITY, GRIP, box_on_slope, cube, foot_and_top
from scene import empty_system, new_body, run

import chrono_powercontact as pc

STEPS = (1e-3, 5e-3, 1e-2)
DAMPED = pc.Material(pc.Restriction(0.0, -1e-4, 200.0, 50.0), GRIP, pc.Anchor(5e-6))
SOFT = pc.Material(pc.Restriction(0.0, -2e-2, 40.0, 2.0), pc.Friction(0.3, 0.3, 0.05))


def velocity(body):
    v = body.GetPosDt()
    return np.array([v.x, v.y, v.z])


def place(body):
    p, q = body.GetPos(), body.GetRot()
    return np.array([p.x, p.y, p.z, q.e1, q.e2, q.e3])


def resting_at(material, degrees=0.0, corners=4):
    load = GRAVITY * math.cos(math.radians(degrees)) / corners
    return (0, 0, 0.5 * EDGE + float(material.normal.rest_distance(load)))


@pytest.mark.chrono
@pytest.mark.parametrize("degrees", [20.0, 26.4])
@pytest.mark.parametrize("step", STEPS)
def test_a_box_below_the_friction_angle_does_not_creep(degrees, step):
    system, box, contacts = box_on_slope(degrees)
    run(system, 1.0, step)
    before = box.GetPos().x
    run(system, 2.0, step)
    assert abs(box.GetPos().x - before) < 1e-12
    assert np.abs(velocity(box)).max() < 1e-11
    assert contacts.solver().unconverged == 0


@pytest.mark.chrono
def test_the_place_of_rest_is_that_of_the_law_and_not_of_the_step():
    places = []
    for step in STEPS:
        system, box, _ = box_on_slope(20.0)
        run(system, 2.0, step)
        places.append(place(box))
    assert np.ptp(places, axis=0).max() < 1e-6


@pytest.mark.chrono
@pytest.mark.parametrize("step", STEPS)
def test_a_box_beyond_the_friction_angle_accelerates_as_it_should(step):
    system, box, contacts = box_on_slope(28.0)
    run(system, 1.0, step)
    before = velocity(box)[0]
    run(system, 2.0, step)
    angle = math.radians(28.0)
    assert velocity(box)[0] - before == pytest.approx(GRAVITY * (math.sin(angle) - 0.5 * math.cos(angle)), rel=5e-3)
    assert contacts.solver().unconverged == 0


@pytest.mark.chrono
@pytest.mark.parametrize("foot", [1.0, 0.1, 0.01])
@pytest.mark.parametrize("step", STEPS)
def test_a_light_foot_under_a_heavy_body_comes_to_rest(foot, step):
    system, body, contacts = foot_and_top(foot)
    run(system, 2.0, step)
    assert np.abs(velocity(body)).max() < 1e-9
    assert contacts.solver().unconverged == 0


@pytest.mark.chrono
@pytest.mark.parametrize("step", [5e-3, 1e-2])
def test_a_stack_rests_at_the_height_of_the_law(step):
    system = empty_system()
    ground, boxes = new_body(system, fixed=True), [cube(system, 1.0, (0, 0, 0.05 + 0.1 * i)) for i in range(5)]
    contacts = pc.attach(system, stepping="implicit")
    law = pc.Restriction(0.0, -1e-4, 1000.0, 2.0)
    shapes = [pc.Box(box, (0.096 - 0.004 * i, 0.096 - 0.004 * i, 0.096), 0.002) for i, box in enumerate(boxes)]
    for shape, below in zip(shapes, [pc.Plane(ground), *shapes], strict=False):
        contacts.add(shape, below, pc.Material(law, GRIP, pc.Anchor()))
    run(system, 2.0, step)
    lower = sum(law.rest_distance((5 - i) * GRAVITY / 4) for i in range(5))
    assert boxes[-1].GetPos().z == pytest.approx(0.45 + lower, abs=1e-8)
    assert max(np.abs(velocity(box)).max() for box in boxes) < 1e-9
    assert (contacts.solver().largest, contacts.solver().unconverged) == (5, 0)


def slid(step, stepping):
    system, box, _ = box_on_slope(28.0, stepping, DAMPED, at=resting_at(DAMPED, 28.0), velocity=(0.3, 0.1, 0))
    run(system, 0.08, step)
    return place(box)


def tumbled(step, stepping):
    system = empty_system()
    ground, box = (
        new_body(system, fixed=True),
        cube(system, 1.0, resting_at(SOFT), velocity=(0.6, 0.2, 0), spin=(0.5, 4, 1)),
    )
    pc.attach(system, stepping=stepping).add(pc.Box(box, EDGE), pc.Plane(ground), SOFT)
    run(system, 0.16, step)
    return place(box)


@pytest.mark.chrono
@pytest.mark.parametrize("motion", [slid, tumbled])
def test_halved_steps_halve_the_distance_to_a_fine_explicit_run(motion):
    fine = motion(1e-5, "explicit")
    errors = [np.abs(motion(step, "implicit") - fine).max() for step in (2e-3, 1e-3, 5e-4, 2.5e-4)]
    orders = np.log2(np.array(errors[:-1]) / errors[1:])
    assert orders.min() > 0.6
    assert orders[-1] == pytest.approx(1.0, abs=0.2)


@pytest.mark.chrono
@pytest.mark.parametrize("step", [1e-3, 1e-2])
def test_action_is_reaction(step):
    """Two spinning balls that meet in free space keep their momentum; blocks are tested for moments."""
    system = empty_system(0.0)
    one = cube(system, 1.0, (0, 0, 0), velocity=(0.5, 0.1, 0), spin=(1, 2, 3))
    other = cube(system, 0.3, (0.16, 0.02, 0.01), velocity=(-0.5, 0, 0.1), spin=(-2, 1, 0))
    contacts = pc.attach(system, stepping="implicit")
    material = pc.Material(pc.Restriction(0.0, -1e-3, 500.0, 1.0), GRIP, pc.Anchor())
    contacts.add(pc.Sphere(one, radius=0.07), pc.Sphere(other, radius=0.07), material)
    touched, momenta = 0.0, []
    for _ in range(round(0.3 / step)):
        system.DoStepDynamics(step)
        momenta.append(sum(body.GetMass() * velocity(body) for body in (one, other)))
        touched = max(touched, np.linalg.norm(velocity(one) - (0.5, 0.1, 0)))
    assert touched > 0.1
    assert np.ptp(momenta, axis=0).max() < 1e-14
