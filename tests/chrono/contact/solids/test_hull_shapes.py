"""Hulls and meshes as shapes."""

import numpy as np
import pytest

import chrono_powercontact as pc
from chrono_powercontact.chrono.contact import geometry as g
from chrono_powercontact.chrono.contact.elements import elements_between


class _Body:
    IsFixed = GetIdentifier = None


A, B = _Body(), _Body()
CORNERS = np.array([(x, y, z) for x in (-1, 1) for y in (-1, 1) for z in (-1, 1)], float)


def test_hull_stands_on_a_plane_by_its_corners_alone():
    elements = elements_between(pc.Hull(A, CORNERS, 0.01), pc.Plane(B))
    assert [kind for kind, _, _ in elements] == [g.SPHERE_PLANE] * 8


def test_mesh_has_the_same_elements_as_the_hull_of_its_vertices():
    hull = pc.Hull(A, CORNERS)
    mesh = pc.Mesh(A, hull.surface.vertices, hull.surface.triangles)
    assert [e[:2] for e in elements_between(mesh, pc.Box(B, 1.0))] == [
        e[:2] for e in elements_between(hull, pc.Box(B, 1.0))
    ]


@pytest.mark.parametrize("points", ["ball", [(0, 0)], [(0, 0, np.nan)] * 5])
def test_bad_points_are_refused(points):
    with pytest.raises(pc.ParameterError, match="points must be rows of 3 finite numbers"):
        pc.Hull(A, points)
