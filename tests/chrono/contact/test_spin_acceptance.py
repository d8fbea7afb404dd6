"""rolling_gravity and spinning_gravity of Chrono's own tests, with our law; and the same between two bodies."""

import numpy as np
import pytest
from held_scene import GRAVITY, body_in, numbers, vector
from scene import empty_system, run

import chrono_powercontact as pc
from chrono_powercontact.chrono.api.bridge import pychrono

pytestmark = pytest.mark.chrono

RADIUS, COEFFICIENT = 0.5, 0.2
NORMAL = pc.Restriction(0.01, 0.005, 400.0, 5.0)
MOMENT = 0.4 * RADIUS**2


def material(rolling=None, spinning=None, mu=0.3):
    """Chrono's coefficients count in radii: the moment is coefficient times radius times normal force."""
    spins = [None if c is None else pc.SpinFriction(c * RADIUS, pc.Anchor(1e-3, 2e-3)) for c in (rolling, spinning)]
    return pc.Material(NORMAL, pc.Friction(mu, mu, 1e-3), pc.Anchor(1e-4, 1e-4), *spins)


def sphere(system, name, at):
    body = body_in(system, name, 1.0, 0.2, at)
    body.SetInertiaXX(vector([MOMENT] * 3))
    return body


def on_the_ground(own):
    system = empty_system(GRAVITY)
    ground = body_in(system, "ground", fixed=True)
    height = RADIUS - 0.01 + float(NORMAL.rest_distance(GRAVITY))
    ball = sphere(system, "ball", (0.0, 0.0, height))
    contacts = pc.attach(system)
    contacts.add(pc.Sphere(ball, radius=RADIUS), pc.Plane(ground), own)
    return system, ball, contacts


def spin(body):
    return numbers(body.GetAngVelParent())


def test_rolling_gravity():
    system, ball, _ = on_the_ground(material(rolling=COEFFICIENT))
    ball.SetPosDt(vector((1.0, 0.0, 0.0)))
    run(system, 1.0)
    assert np.linalg.norm(spin(ball)) < 1e-3
    at = ball.GetPos().x
    run(system, 1.5)
    assert ball.GetPos().x == pytest.approx(at, abs=1e-5)


def test_without_rolling_friction_it_rolls_on():
    """Five sevenths of the speed are left: 1.43 rad/s, as Chrono's own smooth contact ends."""
    system, ball, _ = on_the_ground(material())
    ball.SetPosDt(vector((1.0, 0.0, 0.0)))
    run(system, 1.0)
    assert spin(ball)[1] == pytest.approx(5.0 / 7.0 / RADIUS, rel=5e-3)


def test_way_to_rest_of_a_rolling_sphere():
    system, ball, _ = on_the_ground(material(rolling=COEFFICIENT))
    ball.SetPosDt(vector((1.0, 0.0, 0.0)))
    ball.SetAngVelParent(vector((0.0, 1.0 / RADIUS, 0.0)))
    run(system, 1.5)
    assert ball.GetPos().x == pytest.approx(1.4 / (2.0 * GRAVITY * COEFFICIENT), rel=5e-3)


def test_spinning_gravity():
    system, ball, _ = on_the_ground(material(spinning=COEFFICIENT))
    ball.SetAngVelParent(vector((0.0, 0.0, 20.0)))
    run(system, 0.1)
    assert spin(ball)[2] == pytest.approx(20.0 - 0.1 * COEFFICIENT * RADIUS * GRAVITY / MOMENT, rel=1e-3)
    run(system, 4.0, 2e-4)
    assert np.linalg.norm(spin(ball)) < 1e-3


def test_rolling_friction_leaves_the_spin_about_the_normal_alone():
    system, ball, _ = on_the_ground(material(rolling=COEFFICIENT))
    ball.SetAngVelParent(vector((0.0, 0.0, 3.0)))
    run(system, 0.3)
    assert spin(ball)[2] == pytest.approx(3.0, abs=1e-7)


def test_spinning_friction_leaves_rolling_alone():
    system, ball, _ = on_the_ground(material(spinning=COEFFICIENT))
    ball.SetPosDt(vector((1.0, 0.0, 0.0)))
    ball.SetAngVelParent(vector((0.0, 1.0 / RADIUS, 0.0)))
    run(system, 0.5)
    assert spin(ball)[1] == pytest.approx(1.0 / RADIUS, rel=1e-3)


def pressed(own, force=10.0):
    """Two spheres that equal forces press together along x, without gravity."""
    chrono = pychrono()
    system = empty_system(0.0)
    half = RADIUS - 0.005 + 0.5 * float(NORMAL.rest_distance(force))
    pair = [sphere(system, name, (side * half, 0.0, 0.0)) for name, side in (("left", -1.0), ("right", 1.0))]
    container = chrono.ChLoadContainer()
    for body, side in zip(pair, (1.0, -1.0), strict=True):
        push = chrono.ChLoadBodyForce(body, vector((side * force, 0, 0)), False, vector((0, 0, 0)), True)
        container.Add(push)
    system.Add(container)
    contacts = pc.attach(system)
    contacts.add(*(pc.Sphere(body, radius=RADIUS) for body in pair), own)
    return system, pair, contacts


def test_two_bodies_share_their_spin():
    """Only relative spin is braked: the sum is kept, and the difference falls as the moment says, then stays zero."""
    system, (left, right), _ = pressed(material(spinning=COEFFICIENT))
    left.SetAngVelParent(vector((4.0, 0.0, 0.0)))
    run(system, 0.1)
    rate = COEFFICIENT * RADIUS * 10.0 / MOMENT
    assert spin(left)[0] == pytest.approx(4.0 - 0.1 * rate, rel=2e-3)
    assert spin(right)[0] == pytest.approx(0.1 * rate, rel=2e-3)
    run(system, 0.6)
    assert spin(left) == pytest.approx([2.0, 0.0, 0.0], abs=1e-3)
    assert spin(left)[0] + spin(right)[0] == pytest.approx(4.0, abs=1e-8)


def test_moments_on_two_rolling_bodies_are_opposite():
    """With a smooth surface only rolling friction acts: what one sphere loses in spin the other gains."""
    own = pc.Material(NORMAL, rolling=pc.SpinFriction(COEFFICIENT * RADIUS, pc.Anchor(1e-3, 2e-3)))
    system, (left, right), contacts = pressed(own)
    left.SetAngVelParent(vector((0.0, 3.0, 1.0)))
    run(system, 0.05)
    rate = COEFFICIENT * RADIUS * 10.0 / MOMENT * 0.05
    assert spin(left) + spin(right) == pytest.approx([0.0, 3.0, 1.0], abs=1e-8)
    assert np.linalg.norm(spin(right)) == pytest.approx(rate, rel=5e-3)
    run(system, 0.5)
    assert spin(left) == pytest.approx([0.0, 1.5, 0.5], abs=1e-3)
    assert contacts.energy().friction_heat == pytest.approx(0.25 * MOMENT * 10.0, rel=1e-2)
    assert abs(contacts.energy().error) < 1e-2 * contacts.energy().friction_heat


def test_bodies_that_turn_together_feel_nothing():
    system, (left, right), contacts = pressed(material(COEFFICIENT, COEFFICIENT, 0.0001))
    for body in (left, right):
        body.SetAngVelParent(vector((2.0, 0.0, 0.0)))
    run(system, 0.3)
    assert spin(left) == pytest.approx([2.0, 0.0, 0.0], abs=1e-7)
    assert contacts.energy().friction_heat == pytest.approx(0.0, abs=1e-12)
