"""How memory moves with a contact, against SciPy's rotations."""

import math
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.spatial.transform import Rotation

from chrono_powercontact.chrono.contact.bodies import rotations
from chrono_powercontact.chrono.contact.records import ELEMENT, MEMORY, empty
from chrono_powercontact.chrono.contact.transport import (
    along,
    displacement,
    distance_since,
    in_plane,
    mark_point,
    shared_spin,
    transported,
)

directions = st.tuples(st.floats(-1.0, 1.0), st.floats(-1.0, 1.0), st.floats(-1.0, 1.0)).filter(
    lambda v: math.hypot(*v) > 0.1
)
vectors = st.tuples(st.floats(-2.0, 2.0), st.floats(-2.0, 2.0), st.floats(-2.0, 2.0))
angles = st.floats(-3.0, 3.0)

PAIR = np.array([(0, 0, 1, 0)], ELEMENT)[0]
"""An element between bodies 0 and 1."""


def unit(v):
    return np.asarray(v) / np.linalg.norm(v)


def moved(v, old, new, angle=0.0):
    """What `transported` makes of a vector that an element remembers."""
    own = empty(MEMORY, 1)[0]
    own["held"] = v
    own["normal"] = old
    return np.array(transported(own["held"], own["normal"], tuple(new), angle))


def smallest_turn(old, new):
    axis = np.cross(old, new)
    sine = np.linalg.norm(axis)
    if sine < 1e-9:
        return Rotation.identity()
    return Rotation.from_rotvec(axis / sine * math.atan2(sine, old @ new))


@settings(max_examples=100)
@given(vectors, directions, directions, angles)
def test_memory_makes_the_smallest_turn_and_then_the_angle_about_the_normal(v, old, new, angle):
    old, new = unit(old), unit(new)
    if old @ new < -0.99:
        return
    expected = Rotation.from_rotvec(angle * new).apply(smallest_turn(old, new).apply(v))
    assert moved(v, old, new, angle) == pytest.approx(expected, abs=1e-9)


@settings(max_examples=100)
@given(vectors, directions, directions, angles)
def test_lengths_are_kept(v, old, new, angle):
    old, new = unit(old), unit(new)
    if old @ new < -0.99:
        return
    assert np.linalg.norm(moved(v, old, new, angle)) == pytest.approx(np.linalg.norm(v), abs=1e-10)


@settings(max_examples=100)
@given(vectors, directions, directions, angles)
def test_what_lies_in_the_plane_stays_in_it(v, old, new, angle):
    old, new = unit(old), unit(new)
    if old @ new < -0.99:
        return
    tangent = np.array(in_plane(v, tuple(old)))
    assert moved(tangent, old, new, angle) @ new == pytest.approx(0.0, abs=1e-10)


@settings(max_examples=50)
@given(vectors, directions)
def test_a_vector_is_the_sum_of_its_parts(v, n):
    n = tuple(unit(n))
    up, flat = np.array(along(v, n)), np.array(in_plane(v, n))
    assert up + flat == pytest.approx(np.array(v), abs=1e-12)
    assert flat @ n == pytest.approx(0.0, abs=1e-12)
    assert np.cross(up, n) == pytest.approx(np.zeros(3), abs=1e-12)


def test_a_normal_that_does_not_turn_changes_nothing():
    n = unit((1.0, 2.0, 3.0))
    assert moved((0.3, -0.2, 0.1), n, n) == pytest.approx([0.3, -0.2, 0.1], abs=1e-15)


def test_opposite_normals_forget():
    assert moved((1.0, 0.0, 0.0), np.array([0.0, 0.0, 1.0]), np.array([0.0, 0.0, -1.0])).tolist() == [0.0, 0.0, 0.0]


def test_many_small_turns_around_a_circle_follow_the_surface():
    """Parallel transport around a cone of half angle a turns a vector by 2 pi (1 - cos a) against the motion."""
    a, v = math.radians(30.0), np.array([0.0, 1.0, 0.0])
    normals = [
        np.array([math.sin(a) * math.cos(t), math.sin(a) * math.sin(t), math.cos(a)])
        for t in np.linspace(0.0, 2.0 * math.pi, 4001)
    ]
    for old, new in pairwise(normals):
        v = moved(v, old, new)
    expected = Rotation.from_rotvec(2.0 * math.pi * (1.0 - math.cos(a)) * normals[0]).apply([0.0, 1.0, 0.0])
    assert v == pytest.approx(expected, abs=1e-5)


def bodies(*poses):
    """Packed states of bodies at places and turns, and their rotation matrices."""
    x, r = np.zeros(7 * len(poses)), np.zeros((len(poses), 3, 3))
    for i, (at, turn) in enumerate(poses):
        x[7 * i : 7 * i + 3], x[7 * i + 3 : 7 * i + 7] = at, np.roll(turn.as_quat(), 1)
    rotations(x, r)
    return x, r


@settings(max_examples=50)
@given(vectors, vectors, vectors, vectors)
def test_marks_do_not_part_while_nothing_or_everything_moves(first, second, point, turn):
    """Exactly where nothing moves; to round-off where both bodies make the same motion."""
    poses = [(np.array(first), Rotation.from_rotvec(second)), (np.array(second), Rotation.from_rotvec(first))]
    own, n = empty(MEMORY, 1)[0], (0.0, 0.6, 0.8)
    x, r = bodies(*poses)
    mark_point(x, r, PAIR, point, own)
    assert displacement(x, r, PAIR, own, n) == (0.0, 0.0, 0.0)
    motion = Rotation.from_rotvec(turn)
    moved_poses = [(motion.apply(at) + 3.0, motion * own) for at, own in poses]
    assert displacement(*bodies(*moved_poses), PAIR, own, n) == pytest.approx((0.0, 0.0, 0.0), abs=1e-13)


def test_marks_part_by_the_displacement_across_the_normal():
    still, own = Rotation.identity(), empty(MEMORY, 1)[0]
    mark_point(*bodies((np.zeros(3), still), (np.ones(3), still)), PAIR, (0.5, 0.5, 0.5), own)
    after = bodies((np.array([1e-3, 2e-3, 5e-3]), still), (np.ones(3), still))
    assert displacement(*after, PAIR, own, (0.0, 0.0, 1.0)) == pytest.approx((1e-3, 2e-3, 0.0), abs=1e-15)


def test_a_displacement_from_velocities_takes_their_mean_or_the_present_one_where_forces_are_asked_for_once():
    now, before = (1.0, -2.0, 4.0), np.array((3.0, 0.0, 0.0))
    assert distance_since(now, before, 0.1, False) == pytest.approx((0.2, -0.1, 0.2), rel=1e-14)
    assert distance_since(now, before, 0.1, True) == pytest.approx((0.1, -0.2, 0.4), rel=1e-14)


@pytest.mark.parametrize(
    ("a", "b", "shared"),
    [(2.0, 2.0, 2.0), (100.0, 0.0, 0.0), (0.0, -3.0, 0.0), (5.0, 2.0, 2.0), (-5.0, -2.0, -2.0), (5.0, -2.0, 0.0)],
)
def test_memory_turns_with_the_rotation_that_both_bodies_share(a, b, shared):
    assert shared_spin(a, b) == shared_spin(b, a) == shared
