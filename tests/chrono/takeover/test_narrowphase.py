"""Gaps and normals by geometry: the expected values were worked out by hand, none comes from the code."""

from types import SimpleNamespace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import chrono_powercontact as pc
from chrono_powercontact.chrono.contact.bodies import rotations
from chrono_powercontact.chrono.contact.elements import elements_between
from chrono_powercontact.chrono.contact.geometry import locate
from chrono_powercontact.chrono.contact.records import ELEMENT, GEOMETRY, empty
from chrono_powercontact.chrono.contact.shapes import rotation_matrix
from chrono_powercontact.chrono.takeover import narrowphase as n
from chrono_powercontact.chrono.takeover.broadphase import TRAITS
from chrono_powercontact.chrono.takeover.collision_shapes import box_record, capsule_record, sphere_record

ORIGIN, UPRIGHT = np.zeros(3), np.eye(3)
S2, S3 = np.sqrt(0.5), np.sqrt(1.0 / 3.0)


def state(*poses):
    """Packed states from positions and quaternions."""
    return np.concatenate([np.concatenate([place, turn]) for place, turn in poses])


def elements_of(first, second, x, limit):
    """All near elements of two shapes, each given as (kind, record), and where their surfaces are."""
    traits = np.zeros(2, TRAITS)
    traits["kind"], traits["body"], traits["name"] = (first[0], second[0]), (0, 1), (0, 1)
    r = np.zeros((2, 3, 3))
    rotations(x, r)
    heads, rows, keys = empty(ELEMENT, 200), empty(GEOMETRY, 200), np.zeros(200, np.int64)
    shapes = np.array([first[1], second[1]])
    pairs, slots, reaches = np.array([(0, 1)]), np.zeros(1, np.int64), np.array([limit])
    rooms = np.zeros(len(x) // 7)
    count = n.make_elements(pairs, slots, reaches, rooms, shapes, traits, x, r, heads, rows, keys)
    assert len(set(keys[:count].tolist())) == count
    return [(head, locate(x, r, head, row)) for head, row in zip(heads[:count], rows[:count], strict=True)]


def touch(first, second, x, limit=5.0):
    """Gap and normal (towards the first shape) of the nearest element that counts."""
    elements = [(head, gap) for head, gap in elements_of(first, second, x, limit) if gap.weight > 0.0]
    head, nearest = min(elements, key=lambda element: element[1].gap)
    normal = np.array(nearest.normal)
    return nearest.gap, normal if head["a"] == 0 else -normal, len(elements)


def sphere(radius):
    return n.SPHERE, sphere_record(ORIGIN, radius)


def capsule(radius, length, axis=(0.0, 0.0, 1.0)):
    return n.CAPSULE, capsule_record(ORIGIN, np.array(axis), length, radius)


def box(*half, rounding=0.1):
    return n.BOX, box_record(ORIGIN, UPRIGHT, np.array(half), rounding)


FLAT = (1.0, 0.0, 0.0, 0.0)
QUARTER = (S2, 0.0, S2, 0.0)  # by 90 degrees about y
EIGHTH = (np.cos(np.pi / 8), 0.0, np.sin(np.pi / 8), 0.0)  # by 45 degrees about y


@pytest.mark.parametrize(
    ("first", "second", "at", "turn", "gap", "normal"),
    [
        (sphere(1.0), sphere(0.5), (0, 0, 2.0), FLAT, 0.5, (0, 0, 1)),
        (sphere(1.0), sphere(0.5), (3.0, 4.0, 0), FLAT, 3.5, (0.6, 0.8, 0)),
        (sphere(1.0), sphere(0.5), (0, 1.4, 0), FLAT, -0.1, (0, 1, 0)),
        (sphere(0.2), box(1, 2, 3), (0, 0, 3.3), FLAT, 0.1, (0, 0, 1)),  # over a face
        (sphere(0.2), box(1, 2, 3), (0, 0, 3.1), FLAT, -0.1, (0, 0, 1)),  # into a face
        (sphere(0.2), box(1, 2, 3), (-1.3, 1.5, 0), FLAT, 0.1, (-1, 0, 0)),
        (sphere(0.2), box(1, 2, 3), (1.2, 2.2, 0), FLAT, 0.3 / S2 - 0.3, (S2, S2, 0)),  # an edge rounded by 0.1
        (sphere(0.2), box(1, 2, 3), (1.2, 2.2, 3.2), FLAT, 0.3 / S3 - 0.3, (S3, S3, S3)),  # a corner
        (sphere(0.2), capsule(0.5, 2.0), (0.8, 0, 0.7), FLAT, 0.1, (1, 0, 0)),  # beside the segment
        (sphere(0.2), capsule(0.5, 2.0), (0, 0, 1.6), FLAT, -0.1, (0, 0, 1)),  # over the round end
        (sphere(0.2), capsule(0.5, 2.0), (0.6, 0, 1.8), FLAT, 0.3, (0.6, 0, 0.8)),
        (capsule(0.2, 2.0), capsule(0.3, 2.0), (0.6, 0, 0.4), FLAT, 0.1, (1, 0, 0)),  # side by side
        (capsule(0.2, 2.0), capsule(0.3, 2.0), (0, 0.6, 0), QUARTER, 0.1, (0, 1, 0)),  # crossed
        (capsule(0.2, 2.0), capsule(0.3, 2.0), (0, 0, 2.6), FLAT, 0.1, (0, 0, 1)),  # end to end
        (capsule(0.2, 2.0), box(1, 1, 1), (0, 0, 2.3), FLAT, 0.1, (0, 0, 1)),  # standing on a face
        (capsule(0.2, 1.0), box(1, 1, 1), (0, 0, 1.3), QUARTER, 0.1, (0, 0, 1)),  # lying on a face
        (capsule(0.2, 8.0), box(1, 1, 1), (1.2, 0, 1.2), (S2, S2, 0.0, 0.0), 0.3 / S2 - 0.3, (S2, 0, S2)),  # on an edge
        (capsule(0.2, 8.0), box(1, 1, 1), (0, 0, 1.8 + 0.4 / S2), EIGHTH, 0.1, (-S2, 0, S2)),  # across an edge
        (box(1, 1, 1), box(2, 2, 1), (0.3, 0.2, 2.1), FLAT, 0.1, (0, 0, 1)),  # face on face
        (box(1, 1, 1), box(1, 1, 1), (0, 0, 1.9), FLAT, -0.1, (0, 0, 1)),
        (box(1, 1, 1), box(3, 3, 1), (0, 0, 1.1 + 0.9 / S2 + 0.1), EIGHTH, 0.1, (0, 0, 1)),  # an edge over a face
    ],
)  # fmt: skip
def test_gap_and_normal(first, second, at, turn, gap, normal):
    x = state((at, turn), (ORIGIN, FLAT))
    found, direction, _ = touch(first, second, x)
    assert found == pytest.approx(gap, abs=1e-14)
    assert direction == pytest.approx(np.array(normal, float), abs=1e-14)


def test_crossed_edges_of_boxes_touch_in_one_point():
    """Two cubes on edge, the upper one turned by 90 degrees about the vertical: only edge on edge is left."""
    edge_up = (np.cos(np.pi / 8), 0.0, np.sin(np.pi / 8), 0.0)
    other = (np.cos(np.pi / 8), np.sin(np.pi / 8), 0.0, 0.0)
    height = 2.0 * (0.9 / S2 + 0.1) + 0.05
    x = state(((0, 0, height), edge_up), (ORIGIN, other))
    gap, normal, count = touch(box(1, 1, 1), box(1, 1, 1), x, 0.1)
    assert (gap, count) == (pytest.approx(0.05, abs=1e-13), 1)
    assert normal == pytest.approx(np.array((0.0, 0.0, 1.0)), abs=1e-13)


def test_a_cube_on_a_large_plate_has_four_elements():
    x = state(((3.0, 4.0, 1.05), FLAT), (ORIGIN, FLAT))
    assert len(elements_of(box(0.5, 0.5, 0.5), box(10, 10, 0.5), x, 0.1)) == 4


unit_quaternions = st.tuples(*[st.floats(-1, 1)] * 4).filter(lambda q: sum(e * e for e in q) > 0.01)
places = st.tuples(*[st.floats(-2.0, 2.0)] * 3)


def named(kind, record, body):
    """The same shape as a user would name it."""
    p0, p1, radius = record["p0"], record["p1"], record["radius"]
    if kind == n.SPHERE:
        return pc.Sphere(body, p0, radius)
    if kind == n.CAPSULE:
        return pc.Capsule(body, radius, np.linalg.norm(p1 - p0), 0.5 * (p0 + p1), p1 - p0)
    return pc.Box(body, 2.0 * p1, radius, p0)


@settings(max_examples=60, deadline=None)
@given(
    kinds=st.tuples(*[st.sampled_from([sphere(0.4), capsule(0.3, 1.0), box(0.5, 0.7, 0.3)])] * 2), at=places,
    turns=st.tuples(unit_quaternions, unit_quaternions), limit=st.floats(-0.2, 1.0),
)  # fmt: skip
def test_near_elements_are_those_of_the_named_shapes_below_the_limit(kinds, at, turns, limit):
    turns = [np.array(q) / np.linalg.norm(q) for q in turns]
    x = state((np.array(at), turns[0]), (ORIGIN, turns[1]))
    found = sorted(gap.gap for _, gap in elements_of(*kinds, x, limit))
    r = np.zeros((2, 3, 3))
    rotations(x, r)
    first, second = (named(*shape, SimpleNamespace(IsFixed=None, GetIdentifier=None)) for shape in kinds)
    gaps = [
        locate(x, r, np.array([(kind, *((1, 0) if swapped else (0, 1)), 0)], ELEMENT)[0], geometry).gap
        for kind, swapped, geometry in elements_between(first, second)
    ]
    assert found == pytest.approx(sorted(gap for gap in gaps if gap < limit), abs=1e-12)


def test_rotation_of_a_box_on_its_body_is_used():
    turn = rotation_matrix(EIGHTH)
    tilted = n.BOX, box_record(ORIGIN, turn, np.ones(3), 0.1)
    x = state(((0, 0, 2.0), FLAT), (ORIGIN, FLAT))
    gap, normal, _ = touch(sphere(0.2), tilted, x)
    assert gap == pytest.approx(2.0 - 0.9 / S2 - 0.1 - 0.2, abs=1e-14)
    assert normal == pytest.approx(np.array((0.0, 0.0, 1.0)), abs=1e-14)
