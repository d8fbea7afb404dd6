"""Near triangles are those that brute force finds."""

import numpy as np
import pytest
from mesh_scenes import fine_ball, rolling_ground
from scipy.spatial.transform import Rotation

from chrono_powercontact.chrono.takeover.collision_shapes import box_record, capsule_record, sphere_record
from chrono_powercontact.chrono.takeover.solids import triangle_tree
from chrono_powercontact.chrono.takeover.solids.solid_pairs import BOX, CAPSULE, SPHERE
from chrono_powercontact.chrono.takeover.solids.surface_patches import distances
from chrono_powercontact.chrono.takeover.solids.triangle_tree import Pose, TriangleTree, coal, outline_of
from chrono_powercontact.errors import ParameterError

pytest.importorskip("coal")

HERE = Pose(np.zeros(3), np.eye(3))


def tree_and_facets(vertices, triangles):
    from chrono_powercontact.chrono.contact.solids.faceted import facet_table

    return TriangleTree(vertices, triangles), facet_table(vertices, triangles)


@pytest.mark.parametrize("seed", range(5))
def test_triangles_near_a_ball_are_those_that_are_near_its_centre(seed):
    rng = np.random.default_rng(seed)
    tree, facets = tree_and_facets(*rolling_ground(40, 3.0, 0.2))
    pose = Pose(rng.uniform(-1.0, 1.0, 3), Rotation.random(random_state=seed).as_matrix())
    centre, radius, margin = rng.uniform(-0.5, 0.5, 3), 0.1, 0.05
    there = Pose(pose.origin + pose.turn @ (0.2 * rng.normal(size=3)), Rotation.random(random_state=9).as_matrix())
    found = tree.near(pose, outline_of(SPHERE, sphere_record(centre, radius)), there, margin)
    point = pose.turn.T @ (there.origin + there.turn @ centre - pose.origin)
    apart = np.zeros((1, len(facets)))
    distances(point[None], facets, apart)
    assert set(np.flatnonzero(np.abs(apart[0]) < radius + margin - 1e-9)) <= set(found.tolist())
    assert set(found.tolist()) <= set(np.flatnonzero(np.abs(apart[0]) < radius + margin + 1e-6))


def test_two_surfaces_list_each_others_near_triangles():
    one, facets = tree_and_facets(*rolling_ground(40, 3.0, 0.1))
    vertices, triangles = fine_ball(6, 0.2)
    other = TriangleTree(vertices, triangles)
    there = Pose(np.array([0.1, 0.2, 0.25]), np.eye(3))
    mine, theirs = one.near_each_other(HERE, other, there, 0.05)
    apart = np.zeros((len(vertices), len(facets)))
    distances(vertices + there.origin, facets, apart)
    near = np.abs(apart) < 0.05
    assert set(np.flatnonzero(near.any(axis=0))) <= set(mine.tolist())
    assert near.any(axis=1)[triangles].any(axis=1).sum() <= len(theirs) < len(triangles)


def test_outlines_hold_their_shapes():
    box = outline_of(BOX, box_record(np.zeros(3), np.eye(3), np.array([0.1, 0.2, 0.3]), 0.02))
    assert 2.0 * np.ravel(box.solid.halfSide) == pytest.approx([0.2, 0.4, 0.6])
    capsule = outline_of(CAPSULE, capsule_record(np.zeros(3), np.array([0.0, 0.0, 1.0]), 0.4, 0.1))
    assert capsule.solid.radius == pytest.approx(0.3)


def test_without_the_library_there_is_none(monkeypatch):
    monkeypatch.setattr(triangle_tree, "import_module", lambda name: (_ for _ in ()).throw(ImportError(name)))
    coal.cache_clear()
    assert coal() is None
    monkeypatch.undo()
    coal.cache_clear()
    assert coal() is not None


def test_more_near_triangles_than_can_be_listed_are_told(monkeypatch):
    monkeypatch.setattr(triangle_tree, "MOST_NEAR", 3)
    tree, _ = tree_and_facets(*rolling_ground(10, 3.0, 0.0))
    ball = outline_of(SPHERE, sphere_record(np.zeros(3), 1.0))
    with pytest.raises(ParameterError, match="more than 2 triangles near"):
        tree.near(HERE, ball, HERE, 0.0)
