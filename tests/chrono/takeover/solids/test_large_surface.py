"""Parts of large surfaces have the corners and edges of their triangles."""

import numpy as np
import pytest
from mesh_scenes import fine_ball, rolling_ground

from chrono_powercontact.chrono.contact.solids import probes as pr
from chrono_powercontact.chrono.contact.solids.polyhedra import hull_of, plate_of, polyhedron
from chrono_powercontact.chrono.takeover.solids.large_surface import (
    LargeSurface,
    neighbours_of,
    probes_of_triangles,
    surface_probes,
)

pytest.importorskip("coal")

GROUND = polyhedron(*plate_of(*rolling_ground(12, 3.0, 0.2), 0.05))


def test_a_part_has_the_probes_of_its_triangles_under_their_lasting_numbers():
    large = LargeSurface(GROUND, 0.01)
    part = large.part(np.array([5, 40, 41]))
    corners = GROUND.vertices[GROUND.triangles[[5, 40, 41]]].reshape(-1, 3)
    for name, probe in zip(part.names, part.probes, strict=True):
        assert (large.probes[name] == probe).all()
        for end in (probe["a0"], probe["a1"]):
            assert np.abs(corners - end).sum(axis=1).min() == 0.0
    assert (part.facets == GROUND.facets[[5, 40, 41]]).all()


def test_all_triangles_together_have_all_probes():
    names = np.unique(probes_of_triangles(GROUND))
    assert names[names >= 0].tolist() == list(range(len(GROUND.corners) + len(GROUND.edges)))


def test_probes_are_corners_and_then_edges():
    probes = surface_probes(GROUND, 0.01)
    assert (probes["probe"][: len(GROUND.corners)] == pr.POINT).all()
    assert (probes["probe"][len(GROUND.corners) :] == pr.EDGE).all()
    assert (probes["a_radius"] == 0.01).all()


def test_a_convex_surface_is_nowhere_hollow_and_a_ground_is():
    assert not neighbours_of(hull_of(fine_ball(4, 1.0)[0])).hollow.any()
    assert neighbours_of(GROUND).hollow.any()


def test_neighbours_share_a_side():
    across = neighbours_of(GROUND).across
    for k in range(3):
        for one, other in zip(GROUND.triangles, GROUND.triangles[across[:, k]], strict=True):
            assert {one[k], one[(k + 1) % 3]} <= set(other)


def test_where_the_surface_is_hollow_pseudo_normals_are_zero_and_elsewhere_they_are_kept():
    large = LargeSurface(GROUND, 0.0)
    hollow = neighbours_of(GROUND).hollow
    assert not large.cut["at_edges"][hollow].any()
    assert (large.cut["at_edges"][~hollow] == GROUND.facets["at_edges"][~hollow]).all()
    assert (large.cut["normal"] == GROUND.facets["normal"]).all()
