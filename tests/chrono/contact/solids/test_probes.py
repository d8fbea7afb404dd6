"""Gaps and normals of solids of our own against a conic program for the distance of convex sets, and by brute force."""

from itertools import product

import clarabel
import numpy as np
import pytest
from scipy import sparse
from scipy.optimize import minimize
from scipy.spatial.transform import Rotation

import chrono_powercontact as pc
from chrono_powercontact.chrono.contact.bodies import rotations
from chrono_powercontact.chrono.contact.elements import elements_between
from chrono_powercontact.chrono.contact.records import ELEMENT
from chrono_powercontact.chrono.contact.solids import probes as pr
from chrono_powercontact.chrono.contact.solids.locating import locate_any
from chrono_powercontact.chrono.contact.solids.solid_shapes import frame_along


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
PAIRS = [pair for pair in product(CONVEX, ("cylinder", "cone", "ellipsoid", "hull")) if pair not in (("cone", "cone"),)]
BOX, BALL, POINTED = range(3)
"""Sets of coefficients: each between -1 and 1, in a ball, or in a cone of height 1."""


def core_of(shape):
    """Centre, matrix of the coefficients, their sets, and radius around the core of a convex shape."""
    if isinstance(shape, pc.Sphere):
        return shape.centres[0], np.zeros((3, 1)), [(BOX, 1)], shape.radius
    if isinstance(shape, pc.Capsule):
        return shape.ends.mean(axis=0), 0.5 * (shape.ends[1] - shape.ends[0])[:, None], [(BOX, 1)], shape.radius
    if isinstance(shape, pc.Box):
        return shape.centre, shape.turn * shape.half, [(BOX, 3)], shape.radius
    if isinstance(shape, pc.Ellipsoid):
        return shape.centre, shape.turn * shape.size, [(BALL, 3)], 0.0
    if isinstance(shape, pc.Hull):
        return np.zeros(3), np.diag([0.1, 0.08, 0.12]), [(BOX, 3)], shape.radius
    turn = frame_along(shape.direction)
    if isinstance(shape, pc.Cylinder):
        size = (0.09, 0.09, 0.14)
        return shape.centre, turn * size, [(BALL, 2), (BOX, 1)], shape.rounding
    radius, height = shape.core
    return (
        shape.centre - 0.5 * height * shape.direction,
        turn * (radius, radius, height),
        [(POINTED, 3)],
        shape.rounding,
    )


def rows_of(kind, size, at, many):
    """Rows and constants of  h - G y in cones  that hold coefficients in their set."""
    unit = np.zeros((size, many))
    unit[:, at : at + size] = np.eye(size)
    if kind == BOX:
        return [unit, -unit], [1.0] * (2 * size), [clarabel.NonnegativeConeT(2 * size)]
    if kind == BALL:
        return [np.zeros((1, many)), -unit], [1.0] + [0.0] * size, [clarabel.SecondOrderConeT(size + 1)]
    top = unit[2:]
    cones = [clarabel.SecondOrderConeT(3), clarabel.NonnegativeConeT(1)]
    return [top, -unit[:2], -top], [1.0, 0.0, 0.0, 0.0], cones


def conic_gap(shapes, x):
    """Gap of two convex shapes in m: distance of their cores less both radii."""
    r = np.zeros((2, 3, 3))
    rotations(x, r)
    (c0, m0, s0, r0), (c1, m1, s1, r1) = map(core_of, shapes)
    many = m0.shape[1] + m1.shape[1] + 1
    first = np.zeros((4, many))
    first[0, -1] = -1.0
    first[1:, :-1] = np.hstack([-r[0] @ m0, r[1] @ m1])
    rows, constants, cones = [first], [0.0, *(x[:3] + r[0] @ c0 - x[7:10] - r[1] @ c1)], [clarabel.SecondOrderConeT(4)]
    at = 0
    for kind, size in [*s0, *s1]:
        more = rows_of(kind, size, at, many)
        rows, constants, cones = rows + more[0], constants + more[1], cones + more[2]
        at += size
    settings = clarabel.DefaultSettings()
    settings.verbose = False
    settings.tol_gap_abs = settings.tol_gap_rel = settings.tol_feas = 1e-13
    goal = np.zeros(many)
    goal[-1] = 1.0
    matrix = sparse.csc_matrix(np.vstack(rows))
    solver = clarabel.DefaultSolver(sparse.csc_matrix((many, many)), goal, matrix, np.array(constants), cones, settings)
    return solver.solve().x[-1] - r0 - r1


def poses(seed, count, spread=0.3):
    """Random states of two bodies."""
    random = np.random.default_rng(seed)
    for _ in range(count):
        rows = []
        for _ in range(2):
            x, y, z, s = Rotation.from_rotvec(2.0 * random.normal(size=3)).as_quat()
            rows.append([*random.uniform(-spread, spread, 3), s, x, y, z])
        yield np.array(rows).ravel()


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


@pytest.mark.parametrize(("first", "second"), PAIRS)
def test_least_gap_of_convex_pairs_is_their_distance(first, second):
    tried = 0
    for x in poses(sum(map(ord, first + second)), 14):
        shapes = SHAPES[first](A), SHAPES[second](B)
        expected = conic_gap(shapes, x)
        if expected < 1e-3:
            continue
        found = located(shapes, x)
        assert min(gap for gap, _, _ in found) == pytest.approx(expected, abs=1e-10)
        tried += 1
    assert tried >= 3


@pytest.mark.parametrize("name", ["cylinder", "cone", "torus", "ellipsoid", "hull"])
def test_normal_is_the_gradient_of_the_gap(name):
    """By moving the other body; a sphere rolls around all of each solid."""
    for x in poses(5, 12):
        shapes = pc.Sphere(A, radius=0.05), SHAPES[name](B)
        ((gap, normal, _),) = located(shapes, x)
        if gap < -0.04:
            continue
        small = 1e-6
        moved = []
        for axis in range(3):
            ahead, behind = x.copy(), x.copy()
            ahead[axis] += small
            behind[axis] -= small
            moved.append((located(shapes, ahead)[0][0] - located(shapes, behind)[0][0]) / (2.0 * small))
        assert normal == pytest.approx(np.array(moved), abs=2e-8)


def surface(shape, u, v):
    """A point of the surface of a round shape, in the body's frame."""
    if isinstance(shape, pc.Torus):
        turn = frame_along(shape.direction)
        out = np.array([np.cos(u), np.sin(u), 0.0])
        return shape.centre + turn @ ((shape.ring + shape.tube * np.cos(v)) * out + (0, 0, shape.tube * np.sin(v)))
    on = np.array([np.cos(u) * np.cos(v), np.sin(u) * np.cos(v), np.sin(v)])
    return shape.centre + shape.turn @ (shape.size * on)


@pytest.mark.parametrize("name", ["torus", "ellipsoid"])
def test_round_shape_on_a_plane_against_the_lowest_point_of_its_surface(name):
    for x in poses(7, 8):
        shape, plane = SHAPES[name](A), pc.Plane(B, (0.0, 0.1, 0.2), (0.3, 0.2, 1.0))
        r = np.zeros((2, 3, 3))
        rotations(x, r)
        normal = r[1] @ plane.direction

        def height(at, shape=shape, x=x, r=r, plane=plane, normal=normal):
            return normal @ (x[:3] + r[0] @ surface(shape, *at) - x[7:10] - r[1] @ plane.point)

        starts = [(u, v) for u in (0.0, 2.0, 4.0) for v in (-1.0, 1.0, 3.0)]
        best = min(minimize(height, start, tol=1e-14).fun for start in starts)
        found = located((shape, plane), x)
        assert min(gap for gap, _, _ in found) == pytest.approx(best, abs=1e-10)
        assert found[0][1] == pytest.approx(normal, abs=1e-12)


@pytest.mark.parametrize("other", ["sphere", "capsule", "torus", "ellipsoid"])
def test_torus_against_the_nearest_point_of_its_ring(other):
    """Brute force over the ring of the torus, with the distance to the other shape from its own test."""
    for x in poses(11, 6, 0.6):
        shapes = SHAPES["torus"](A), SHAPES[other](B)
        ring = shapes[0]
        turn = frame_along(ring.direction)
        r = np.zeros((2, 3, 3))
        rotations(x, r)

        def away(u, ring=ring, turn=turn, x=x, r=r, other=shapes[1]):
            centre = ring.centre + turn @ (ring.ring * np.array([np.cos(u), np.sin(u), 0.0]))
            return min(gap for gap, _, _ in located((pc.Sphere(A, centre, ring.tube), other), x))

        angles = np.linspace(-np.pi, np.pi, 60)
        start = angles[int(np.argmin([away(u) for u in angles]))]
        fine = np.linspace(start - 0.11, start + 0.11, 200)
        least = min(away(u) for u in fine)
        gap = min(gap for gap, _, _ in located(shapes, x))
        assert least - 2e-6 <= gap <= least + 1e-12


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
