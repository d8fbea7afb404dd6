import math

import pytest
from taken import ball, colliding_system, plate

from chrono_powercontact.chrono.api.bridge import body_key, pychrono
from chrono_powercontact.chrono.takeover.materials.scene_scale import STANDARD_GRAVITY, locked_pairs, scene_scale
from chrono_powercontact.errors import ParameterError

pytestmark = pytest.mark.chrono


def joined(system, one, other):
    link = pychrono().ChLinkLockRevolute()
    link.Initialize(one, other, pychrono().ChFramed())
    system.AddLink(link)


def scene(gravity=(0, 0, -9.81), **options):
    system, surface = colliding_system("nsc", gravity)
    ground = plate(system, surface)
    balls = [ball(system, surface, at=(0, 0, 1 + i), mass=10.0**i, **options) for i in range(3)]
    return system, ground, balls


def test_a_lock_prescribes_how_two_bodies_move_and_a_hinge_does_not():
    system, ground, balls = scene()
    joined(system, balls[0], balls[1])
    lock = pychrono().ChLinkLockLock()
    lock.Initialize(balls[2], ground, pychrono().ChFramed())
    system.AddLink(lock)
    assert locked_pairs(system) == {frozenset(map(body_key, (balls[2], ground)))}


def test_fixed_bodies_have_no_limit_of_mass():
    system, ground, balls = scene()
    assert scene_scale(system, [ground, *balls], 0.1).masses.tolist() == [math.inf, 1.0, 10.0, 100.0]


def test_joints_add_masses_and_carry_what_hangs_on_a_fixed_body():
    system, ground, balls = scene()
    joined(system, balls[0], balls[1])
    scale = scene_scale(system, balls, 0.1)
    assert scale.masses.tolist() == [11.0, 11.0, 100.0]
    assert scale.load == pytest.approx(111.0 * 9.81)
    joined(system, balls[1], ground)
    assert scene_scale(system, balls, 0.1).load == pytest.approx(100.0 * 9.81)


def test_the_speed_is_that_of_a_fall_over_the_scene_or_of_the_fastest_body():
    system, _, balls = scene()
    assert scene_scale(system, balls, 0.1).speed == pytest.approx(math.sqrt(2.0 * 9.81 * 3.2))
    system, _, balls = scene(velocity=(40.0, 0.0, 0.0))
    assert scene_scale(system, balls, 0.1).speed == pytest.approx(40.0)


def test_without_gravity_the_speed_or_else_the_standard_gives_an_acceleration():
    system, _, balls = scene(gravity=(0, 0, 0), velocity=(2.0, 0.0, 0.0))
    assert scene_scale(system, balls, 0.1).acceleration == pytest.approx(40.0)
    system, _, balls = scene(gravity=(0, 0, 0))
    assert scene_scale(system, balls, 0.1).acceleration == STANDARD_GRAVITY


@pytest.mark.parametrize("mass", [0.0, -2.0, math.nan])
def test_a_body_without_a_positive_mass_is_refused(mass):
    system, _, balls = scene()
    balls[1].SetName("balloon")
    balls[1].SetMass(mass)
    if balls[1].GetMass() > 0.0:
        pytest.skip("this PyChrono refuses such a mass itself")
    with pytest.raises(ParameterError, match=f"mass of 'balloon' must be greater than 0, got {mass:g}"):
        scene_scale(system, balls, 0.1)
