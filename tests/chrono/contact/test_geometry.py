import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from scipy.optimize import minimize
from scipy.spatial.transform import Rotation

from chrono_powercontact.chrono.contact import geometry as g
from chrono_powercontact.chrono.contact.bodies import rotations
from chrono_powercontact.chrono.contact.elements import elements_between
from chrono_powercontact.chrono.contact.records import ELEMENT
from chrono_powercontact.chrono.contact.shapes import Box, Capsule, Plane, Points, Sphere

VECTOR = arrays(float, 3, elements=st.floats(-1.0, 1.0))


class _Body:
    IsFixed = GetIdentifier = None


A, B = _Body(), _Body()


def state(*poses):
    """Packed states of bodies from pairs of position and rotation vector."""
    rows = []
    for position, turn in poses:
        x, y, z, s = Rotation.from_rotvec(turn).as_quat()
        rows.append([*position, s, x, y, z])
    return np.array(rows).ravel()


def gap(element, x):
    kind, swapped, geometry = element
    r = np.zeros((2, 3, 3))
    rotations(x, r)
    a, b = (1, 0) if swapped else (0, 1)
    return g.locate(x, r, np.array([(kind, a, b, 0)], ELEMENT)[0], geometry)


@given(VECTOR, VECTOR)
@settings(max_examples=30, deadline=None)
def test_rotations_are_those_of_the_quaternions(position, turn):
    r = np.zeros((1, 3, 3))
    rotations(state((position, turn)), r)
    assert r[0] == pytest.approx(Rotation.from_rotvec(turn).as_matrix(), abs=1e-12)


@given(VECTOR, VECTOR, VECTOR, VECTOR)
@settings(max_examples=50, deadline=None)
def test_sphere_and_plane(position, turn, ground, tilt):
    x = state((position, turn), (ground, tilt))
    (element,) = elements_between(Sphere(A, (0.1, 0.2, 0.0), 0.05), Plane(B, (0.0, 0.0, 0.3), (0.0, 1.0, 1.0)))
    found = gap(element, x)
    centre = position + Rotation.from_rotvec(turn).apply([0.1, 0.2, 0.0])
    frame = Rotation.from_rotvec(tilt)
    normal = frame.apply([0.0, np.sqrt(0.5), np.sqrt(0.5)])
    assert found.gap == pytest.approx(normal @ (centre - ground - frame.apply([0.0, 0.0, 0.3])) - 0.05, abs=1e-12)
    assert found.normal == pytest.approx(normal, abs=1e-12)


@given(VECTOR, VECTOR)
@settings(max_examples=50, deadline=None)
def test_sphere_and_box_against_the_nearest_point(position, turn):
    x = state((2.0 * position, np.zeros(3)), (np.zeros(3), turn))
    (element,) = elements_between(Sphere(A, radius=0.05), Box(B, (0.4, 0.6, 0.8), 0.01))
    found = gap(element, x)
    local = Rotation.from_rotvec(turn).inv().apply(2.0 * position)
    nearest = np.clip(local, [-0.2, -0.3, -0.4], [0.2, 0.3, 0.4])
    distance = np.linalg.norm(local - nearest)
    if distance > 1e-9:
        assert found.gap == pytest.approx(distance - 0.06, abs=1e-12)
    else:
        assert found.gap == pytest.approx(np.max(np.abs(local) - [0.2, 0.3, 0.4]) - 0.06, abs=1e-12)
    assert np.linalg.norm(found.normal) == pytest.approx(1.0)


@given(VECTOR, VECTOR, VECTOR)
@settings(max_examples=30, deadline=None)
def test_capsules_against_a_numerical_search(position, turn, other):
    x = state((np.add(position, [0.0, 0.0, 2.0]), turn), (np.zeros(3), other))
    (element,) = elements_between(Capsule(A, 0.1, 1.0), Capsule(B, 0.2, 2.0))
    ends = [Rotation.from_rotvec(turn).apply([0, 0, s]) + position + [0, 0, 2] for s in (-0.5, 0.5)]
    others = [Rotation.from_rotvec(other).apply([0, 0, s]) for s in (-1.0, 1.0)]

    def distance(p):
        return np.linalg.norm(ends[0] + p[0] * (ends[1] - ends[0]) - others[0] - p[1] * (others[1] - others[0]))

    best = min(minimize(distance, start, bounds=[(0, 1)] * 2).fun for start in ((0.1, 0.1), (0.9, 0.9), (0.5, 0.5)))
    assert gap(element, x).gap == pytest.approx(best - 0.3, abs=1e-5)


@given(VECTOR, VECTOR, VECTOR, VECTOR)
@settings(max_examples=30, deadline=None)
def test_gaps_do_not_depend_on_the_frame(position, turn, shift, spin):
    frame = Rotation.from_rotvec(spin)
    for shape in (Box(B, 0.3, 0.01), Capsule(B, 0.1, 0.5), Sphere(B, radius=0.2), Plane(B)):
        element = elements_between(Sphere(A, (0.1, 0.0, 0.0), 0.05), shape)[0]
        before = state((np.add(position, [0, 0, 1]), turn), ([0.0, 0.0, 0.0], [0.3, 0.2, 0.1]))
        moved = state(
            (frame.apply(np.add(position, [0, 0, 1])) + shift, (frame * Rotation.from_rotvec(turn)).as_rotvec()),
            (shift, (frame * Rotation.from_rotvec([0.3, 0.2, 0.1])).as_rotvec()),
        )
        first, second = gap(element, before), gap(element, moved)
        assert first.gap == pytest.approx(second.gap, abs=1e-9)
        assert frame.apply(first.normal) == pytest.approx(second.normal, abs=1e-8)


def test_crossing_edges_count_and_parallel_faces_do_not():
    lower, upper = Box(B, 0.2, 0.01), Box(A, 0.2, 0.01)
    edges = [e for e in elements_between(upper, lower) if e[0] == g.EDGE_EDGE]
    assert len(edges) == 144
    quarter = np.pi / 4
    tilted = Rotation.from_rotvec([quarter, 0, 0])
    crossed = Rotation.from_rotvec([0, quarter, 0])
    height = 2 * 0.1 * np.sqrt(2.0) + 0.019
    x = state(([0, 0, height], crossed.as_rotvec()), ([0, 0, 0], tilted.as_rotvec()))
    counted = [found for found in (gap(e, x) for e in edges) if found.weight > 0.0 and found.gap < 0.0]
    assert len(counted) == 1
    assert counted[0].gap == pytest.approx(-0.001, abs=1e-12)
    assert counted[0].normal == pytest.approx([0, 0, 1], abs=1e-9)


def test_point_set_makes_one_element_per_point():
    assert len(elements_between(Points(A, np.zeros((5, 3)), 0.1), Plane(B))) == 5


def test_an_unknown_kind_of_element_is_not_a_number():
    (element,) = elements_between(Sphere(A, radius=0.1), Plane(B))
    found = gap((99, *element[1:]), state(([0, 0, 0.1], [0, 0, 0]), ([0, 0, 0], [0, 0, 0])))
    assert np.isnan(found.gap)
    assert np.isnan(found.weight)
