"""The energy ledger of whole scenes under linearised integrators, at steps of 0.1 to 5 ms."""

from itertools import pairwise

import numpy as np
import pytest
from long_steps import EDGE, GRAVITY, cube
from scene import empty_system, new_body

import chrono_powercontact as pc

pytestmark = pytest.mark.chrono

ELASTIC = pc.Restriction(0.0, -1e-3, 2000.0, 0.0)
LOSSY = pc.Restriction(0.0, -1e-3, 2000.0, 1.0)
FRICTION = pc.Friction(0.4, 0.5, 1e-2, 2e-2)
MEMORIES = {"anchored": pc.Anchor(), "filtered": pc.LPVFilter(1e-3, 1e-3), "plain": None}


def scene(name, stepping, memory):
    system = empty_system(GRAVITY)
    ground = pc.Plane(new_body(system, fixed=True))
    contacts = pc.attach(system, stepping=stepping)
    rough = pc.Material(LOSSY, FRICTION, MEMORIES[memory])
    if name == "bounce":
        bodies = [cube(system, 1.0, (0, 0, 0.2))]
        contacts.add(pc.Sphere(bodies[0], radius=0.05), ground, pc.Material(ELASTIC))
    elif name == "tumble":
        bodies = [cube(system, 1.0, (0, 0, 0.3), velocity=(1.0, 0.3, 0.0), spin=(5.0, 7.0, 3.0))]
        contacts.add(pc.Box(bodies[0], EDGE), ground, rough)
    elif name == "slide":
        bodies = [cube(system, 1.0, velocity=(2.0, 0.0, 0.0))]
        contacts.add(pc.Box(bodies[0], EDGE), ground, rough)
    else:
        bodies = [cube(system, 1.0, (0, 0, 0.05 + 0.1001 * i)) for i in range(3)]
        shapes = [ground, *(pc.Box(body, EDGE) for body in bodies)]
        for below, above in pairwise(shapes):
            contacts.add(above, below, rough)
    return system, bodies, contacts


def mechanical(bodies):
    """Kinetic and potential energy in J of cubes."""
    total = 0.0
    for body in bodies:
        moving = body.GetMass() * body.GetPosDt().Length2()
        turning = body.GetInertiaXX().x * body.GetAngVelLocal().Length2()
        total += 0.5 * (moving + turning) + body.GetMass() * GRAVITY * body.GetPos().z
    return total


@pytest.mark.parametrize("memory", MEMORIES)
@pytest.mark.parametrize("step", [1e-4, 5e-3])
@pytest.mark.parametrize("name", ["bounce", "tumble", "slide", "stack"])
def test_the_ledger_closes_and_is_what_the_bodies_show(name, step, memory):
    if name == "bounce" and memory != "plain":
        pytest.skip("a frictionless ball has no memory")
    system, bodies, contacts = scene(name, "auto", memory)
    start = mechanical(bodies)
    taken = [0.0]
    for _ in range(round(0.4 / step)):
        system.DoStepDynamics(step)
        told = contacts.energy()
        assert mechanical(bodies) - start == pytest.approx(told.exchanged, abs=1e-9 * start)
        assert abs(told.error) < 1e-9 * start
        taken.append(told.step)
    if step > 1e-3:
        assert np.diff(taken).min() > -1e-8 * start
        assert told.unpaid < 1e-8 * start
    assert told.friction_heat >= -1e-15 * start
    assert told.handed_back >= 0.0


def test_an_elastic_ball_comes_back_and_the_ledger_says_so():
    system, (ball,), contacts = scene("bounce", "explicit", "plain")
    start = mechanical([ball])
    rose = False
    for _ in range(4000):
        fell = ball.GetPosDt().z < 0.0
        system.DoStepDynamics(1e-4)
        rose = rose or (fell and ball.GetPosDt().z > 0.0)
        if rose and contacts.forces()["force"][0] == 0.0 and ball.GetPosDt().z < 0.01:
            break
    told = contacts.energy()
    assert rose
    assert told.stored == 0.0
    assert abs(told.step) < 2e-4 * start
    assert told.contact_heat == pytest.approx(0.0, abs=1e-12)


def test_what_the_step_takes_shrinks_with_it():
    taken = []
    for step in (4e-3, 2e-3, 1e-3):
        system, _, contacts = scene("bounce", "implicit", "plain")
        for _ in range(round(0.4 / step)):
            system.DoStepDynamics(step)
        taken.append(contacts.energy().step)
    assert taken[0] > taken[1] > taken[2] > 0.0


def test_what_long_steps_store_in_a_heap_is_neither_a_loss_nor_given_to_a_body():
    """Balls that fall on each other, by twice their radius in a step."""
    system = empty_system(GRAVITY)
    ground = pc.Plane(new_body(system, fixed=True))
    rng = np.random.default_rng(1)
    places = [(*rng.uniform(-0.01, 0.01, 2), 0.05 + 0.045 * i) for i in range(24)]
    balls = [new_body(system, 0.01, place, inertia=(1.6e-6,) * 3, velocity=(0, 0, -4.0)) for place in places]
    shapes = [pc.Sphere(ball, radius=0.02) for ball in balls]
    contacts = pc.attach(system, stepping="implicit")
    material = pc.Material(pc.Restriction(0.0, -4e-4, 300.0, 3.0), pc.Friction(0.5, 0.5, 1e-3), pc.Anchor())
    for i, shape in enumerate(shapes):
        contacts.add(shape, ground, material)
        for other in shapes[:i]:
            contacts.add(shape, other, material)
    least = mechanical(balls)
    for _ in range(60):
        system.DoStepDynamics(1e-2)
        told = contacts.energy()
        motion = mechanical(balls)
        assert min(told.step, told.unpaid) == 0.0
        assert abs(told.error) < 1e-9
        assert motion <= least + 1e-9
        least = min(least, motion + told.stored)
    assert told.unpaid > 0.1
