"""Gaps and normals of solids of our own against distances that are found in another way, to 1e-10."""

from itertools import product

import numpy as np
import pytest
from exact_distances import convex_distance, height_above, ring_of, torus_distance
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from scipy.spatial.transform import Rotation

import chrono_powercontact as pc
from chrono_powercontact.chrono.contact.bodies import rotations
from chrono_powercontact.chrono.contact.elements import elements_between
from chrono_powercontact.chrono.contact.records import ELEMENT
from chrono_powercontact.chrono.contact.solids import probes as pr
from chrono_powercontact.chrono.contact.solids.locating import locate_any


class _Body:
    IsFixed = GetIdentifier = None


A, B = _Body(), _Body()
CORNERS = np.array([(x, y, z) for x in (-0.1, 0.1) for y in (-0.08, 0.08) for z in (-0.12, 0.12)])
SHAPES = {
    "sphere": lambda b: pc.Sphere(b, (0.02, 0.01, 0.0), 0.05),
    "capsule": lambda b: pc.Capsule(b, 0.04, 0.2, (0.01, 0.0, 0.0), (1.0, 2.0, 3.0)),
    "box": lambda b: pc.Box(b, (0.1, 0.2, 0.3), 0.01, (0.0, 0.01, 0.02), (1.0, 0.2, 0.3, 0.1)),
    "cylinder": lambda b: pc.Cylinder(b, 0.1, 0.3, 0.01, (0.0, 0.02, 0.01), (1.0, 0.5, 0.2)),
    "cone": lambda b: pc.Cone(b, 0.1, 0.3, 0.01, (0.0, 0.02, 0.01), (1.0, 0.5, 0.2)),
    "ellipsoid": lambda b: pc.Ellipsoid(b, (0.1, 0.15, 0.25), (0.0, 0.01, 0.02), (1.0, 0.3, 0.2, 0.1)),
    "torus": lambda b: pc.Torus(b, 0.2, 0.05, (0.0, 0.01, 0.02), (1.0, 0.3, 0.2)),
    "hull": lambda b: pc.Hull(b, CORNERS, 0.01),
}
CONVEX = ("sphere", "capsule", "box", "cylinder", "cone", "ellipsoid", "hull")
NEW = ("cylinder", "cone", "ellipsoid", "hull")
PAIRS = [pair for pair in product(CONVEX, CONVEX) if pair[0] in NEW or pair[1] in NEW]
PRECISION = 1e-10
"""Largest error of a gap in m, and of a component of a normal."""


def turned(vector):
    """Quaternion (e0, e1, e2, e3) of a rotation vector in rad."""
    x, y, z, s = Rotation.from_rotvec(vector).as_quat()
    return [s, x, y, z]


TURN = st.tuples(*[st.floats(-3.0, 3.0)] * 3).map(turned)
PLACE = st.tuples(*[st.floats(-0.3, 0.3)] * 3).map(list)
POSES = st.tuples(PLACE, TURN, PLACE, TURN).map(np.concatenate)
"""States of two bodies."""


def located(shapes, x):
    """What all elements of a pair find, those without weight excepted."""
    r = np.zeros((2, 3, 3))
    rotations(x, r)
    found = []
    for kind, swapped, geometry in elements_between(*shapes):
        a, b = (1, 0) if swapped else (0, 1)
        gap = locate_any(x, r, np.array([(kind, a, b, 0)], ELEMENT)[0], geometry)
        if gap.weight > 0.0:
            found.append((gap.gap, np.array(gap.normal) * (-1.0 if swapped else 1.0), np.array(gap.point)))
    return found


def compare(shapes, x, expected):
    """The least gap of all elements of a pair, and its normal, are the expected ones."""
    gap, normal, _ = min(located(shapes, x), key=lambda found: found[0])
    assert gap == pytest.approx(expected[0], abs=PRECISION)
    assert normal == pytest.approx(expected[1], abs=PRECISION)


def rim_sine(shapes, x, normal):
    """Least sine of the angle between a normal and the axis of a cylinder or cone of the pair."""
    turns = [Rotation.from_quat(np.roll(x[at : at + 4], -1)) for at in (3, 10)]
    axes = [
        turn.apply(shape.direction) for shape, turn in zip(shapes, turns, strict=True) if hasattr(shape, "direction")
    ]
    return min((np.linalg.norm(np.cross(axis, normal)) for axis in axes), default=1.0)


@pytest.mark.parametrize(("first", "second"), PAIRS)
@given(x=POSES)
def test_gap_and_normal_of_convex_pairs(first, second, x):
    """Rims that lie flat are carried by fixed points, see the next test."""
    shapes = SHAPES[first](A), SHAPES[second](B)
    expected = convex_distance(shapes, x)
    assume(expected is not None)
    flat_faces = not {first, second} & {"sphere", "capsule", "ellipsoid"}
    assume(not flat_faces or rim_sine(shapes, x, expected[1]) > pr.STEEP)
    compare(shapes, x, expected)


@given(tilt=st.floats(0.0, pr.STEEP), way=st.floats(0.0, 0.09), about=st.floats(-3.0, 3.0), spin=st.floats(-3.0, 3.0))
def test_a_rim_that_lies_flat_is_carried_by_points_that_miss_its_lowest_one_by_little(tilt, way, about, spin):
    """A cylinder stands on another one: neighbours of eight points are at most 0.08 m apart on a rim of 0.1 m.

    Cores lie between two planes as far apart as they are, square to the exact normal: this bounds the other normal too.
    """
    shapes = tuple(pc.Cylinder(body, 0.1, 0.3, 0.01, axis=(0.0, 0.0, 1.0)) for body in (A, B))
    turn = (
        Rotation.from_rotvec((tilt * np.cos(about), tilt * np.sin(about), 0.0)) * Rotation.from_euler("z", spin)
    ).as_quat()
    x = np.concatenate([(way, 0.0, 0.3005), np.roll(turn, 1), np.zeros(3), turned((0.0, 0.0, 0.2 * spin))])
    expected = convex_distance(shapes, x)
    assume(expected is not None)
    gap, normal, _ = min(located(shapes, x), key=lambda found: found[0])
    more = gap - expected[0]
    assert -PRECISION <= more <= 0.08 * np.sin(tilt) + PRECISION
    between_cores = expected[0] + 2 * 0.01
    assert normal @ expected[1] >= between_cores / (between_cores + more) - PRECISION


@pytest.mark.parametrize("other", [*CONVEX, "torus"])
@given(x=POSES)
@settings(max_examples=10)
def test_gap_and_normal_of_a_torus(other, x):
    shapes = SHAPES["torus"](A), SHAPES[other](B)
    expected = torus_distance(shapes, x)
    assume(expected is not None)
    nearest = min(located(shapes, x), key=lambda found: found[0])[1]
    normal = min(expected[1], key=lambda one: np.abs(one - nearest).max())
    compare(shapes, x, (expected[0], normal))


@pytest.mark.parametrize("name", [name for name in CONVEX if name not in ("sphere", "capsule", "box")])
@given(x=POSES)
def test_gap_and_normal_on_a_plane(name, x):
    shapes = SHAPES[name](A), pc.Plane(B, (0.0, 0.1, 0.2), (0.3, 0.2, 1.0))
    compare(shapes, x, height_above(*shapes[:1], x, shapes[1]))


@given(x=POSES)
def test_gap_and_normal_of_a_torus_on_a_plane(x):
    """The lowest point of its ring, and the tube around it."""
    torus, plane = SHAPES["torus"](A), pc.Plane(B, (0.0, 0.1, 0.2), (0.3, 0.2, 1.0))
    centre, first, second = ring_of(torus, x, 0)
    r = np.zeros((2, 3, 3))
    rotations(x, r)
    normal = r[1] @ plane.direction
    lowest = normal @ (centre - x[7:10] - r[1] @ plane.point) - np.hypot(normal @ first, normal @ second)
    compare((torus, plane), x, (lowest - torus.tube, normal))


@given(x=POSES, depth=st.floats(1e-6, 5e-3))
def test_ellipsoids_that_overlap_a_little_have_opposite_normals(x, depth):
    """Each surface's own normal at its own deepest point, from the equation of the ellipsoid."""
    shapes = SHAPES["ellipsoid"](A), SHAPES["ellipsoid"](B)
    apart = convex_distance(shapes, x)
    assume(apart is not None)
    x[:3] -= (apart[0] + depth) * apart[1]
    ((gap, normal, point),) = located(shapes, x)
    r = np.zeros((2, 3, 3))
    rotations(x, r)
    for body, shape in enumerate(shapes):
        outward = -normal if body == 0 else normal
        turn = r[body] @ shape.turn
        centre = x[7 * body : 7 * body + 3] + r[body] @ shape.centre
        local = turn.T @ (point - 0.5 * gap * outward - centre) / shape.size
        assert local @ local == pytest.approx(1.0, abs=PRECISION)
        slope = turn @ (local / shape.size)
        assert outward == pytest.approx(slope / np.linalg.norm(slope), abs=PRECISION)
    assert -2.0 * depth < gap < 0.0


@pytest.mark.parametrize("angle", [0.0, 1e-4, 0.3])
def test_weights_of_a_tilted_rim_sum_up_to_one_kind_of_support(angle):
    """Flat, fixed points carry a face; tilted, its lowest point; their weights are complements."""
    shapes = pc.Cylinder(A, 0.1, 0.2), pc.Plane(B)
    x = np.array([0.0, 0.0, 0.1, np.cos(0.5 * angle), np.sin(0.5 * angle), 0.0, 0.0, 0, 0, 0, 1, 0, 0, 0])
    r = np.zeros((2, 3, 3))
    rotations(x, r)
    weights = {pr.RIM: set(), pr.RIM_POINT: set()}
    for kind, _, geometry in elements_between(*shapes):
        gap = locate_any(x, r, np.array([(kind, 0, 1, 0)], ELEMENT)[0], geometry)
        weights[kind // pr.TARGETS].add(round(gap.weight, 12))
    assert weights == ({pr.RIM: {1.0}, pr.RIM_POINT: {0.0}} if angle > 0.1 else {pr.RIM: {0.0}, pr.RIM_POINT: {1.0}})
