"""Closed surfaces of triangles: what is checked, and what can touch."""

import numpy as np
import pytest

from chrono_powercontact.chrono.contact.solids.polyhedra import hull_of, plate_of, polyhedron, rim_of, shrunk_hull
from chrono_powercontact.errors import ParameterError

CORNERS = np.array([(x, y, z) for x in (-1, 1) for y in (-1, 1) for z in (-1, 1)], float)


def test_hull_of_a_cube_has_its_corners_and_edges():
    inside = np.random.default_rng(0).uniform(-0.9, 0.9, (20, 3))
    cube = hull_of(np.vstack([CORNERS, inside]))
    assert cube.volume == pytest.approx(8.0)
    assert len(cube.corners) == 8
    assert len(cube.edges) == 12
    lengths = np.linalg.norm(cube.edges["end"] - cube.edges["start"], axis=1)
    assert lengths == pytest.approx(np.full(12, 2.0))


def test_all_edges_of_a_hull_of_points_on_a_sphere_are_convex():
    """Euler: with n corners and triangles only there are 3 n - 6 edges; each one lies outside of its middle."""
    points = np.random.default_rng(3).normal(size=(60, 3))
    ball = hull_of(points / np.linalg.norm(points, axis=1, keepdims=True))
    assert len(ball.corners) == 60
    assert len(ball.edges) == 3 * 60 - 6
    middles = 0.5 * (ball.edges["start"] + ball.edges["end"])
    assert ((middles * ball.edges["outward"]).sum(axis=1) > 0.0).all()


def test_shrunk_hull_has_its_faces_inside():
    small = shrunk_hull(CORNERS, 0.25)
    assert np.abs(small.vertices).max(axis=0) == pytest.approx([0.75] * 3)
    assert len(small.corners) == 8


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (lambda t: t[:-1], "a mesh must be closed, got 3 open edges"),
        (lambda t: np.vstack([t, t[:1]]), "each edge once in each direction"),
        (lambda t: t[:, ::-1], "counter-clockwise seen from outside"),
        (lambda t: np.where(t == 0, 99, t), "triangles must name vertices from 0 to 7"),
        (lambda t: t[:, :2], "triangles must be rows of 3 finite numbers"),
    ],
)
def test_bad_meshes_are_refused_in_one_sentence(change, message):
    cube = hull_of(CORNERS)
    with pytest.raises(ParameterError, match=message):
        polyhedron(cube.vertices, change(cube.triangles))


def test_with_gaps_no_point_lies_behind_the_rim():
    """The rim of a gap is an edge that can touch, and its pseudo-normals are zero."""
    cube = hull_of(CORNERS)
    holed = polyhedron(cube.vertices, cube.triangles[1:], closed=False)
    rim = rim_of(holed.triangles)
    assert len(rim) == 3
    assert len(holed.edges) >= len(cube.edges)
    at_rim = np.isin(holed.triangles, rim)
    assert not holed.facets["at_corners"][at_rim].any()
    assert holed.facets["at_corners"][~at_rim].any(axis=1).all()


def test_a_plate_closes_an_open_surface():
    """A square of two triangles becomes a box of twelve, whose front stays where it was."""
    square = np.array([(0, 0, 0), (1, 0, 0), (1, 1, 0), (0, 1, 0)], float)
    plate = polyhedron(*plate_of(square, np.array([(0, 1, 2), (0, 2, 3)]), 0.1))
    assert len(plate.triangles) == 12
    assert plate.volume == pytest.approx(0.1)
    assert plate.vertices[:, 2].max() == 0.0
    assert plate.vertices[:, 2].min() == pytest.approx(-0.1)


def test_degenerate_triangles_are_refused():
    cube = hull_of(CORNERS)
    flat = cube.vertices.copy()
    a, b, c = cube.triangles[0]
    flat[b] = 0.5 * (flat[a] + flat[c])
    with pytest.raises(ParameterError, match="triangles must have an area, got 1 degenerate ones, such as number 0"):
        polyhedron(flat, cube.triangles)


@pytest.mark.parametrize(
    ("points", "message"),
    [
        (CORNERS * (1, 1, 0), "must not lie in one plane, got 8 that do"),
        (CORNERS[:3], "at least four points, got 3"),
    ],
)
def test_flat_hulls_are_refused_in_one_sentence(points, message):
    with pytest.raises(ParameterError, match=message):
        hull_of(points)
