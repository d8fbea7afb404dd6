from types import SimpleNamespace

import numpy as np
import pytest

from chrono_powercontact.chrono.contact.shapes import Box, Capsule, Plane, Points, Sphere, rotation_matrix
from chrono_powercontact.errors import ParameterError

BODY = SimpleNamespace(IsFixed=None, GetIdentifier=None)


def test_box_has_eight_corners_and_twelve_edges_of_its_size():
    box = Box(BODY, (0.2, 0.4, 0.6), 0.01, at=(1.0, 0.0, 0.0))
    assert box.centres.shape == (8, 3)
    assert np.ptp(box.centres, axis=0) == pytest.approx([0.2, 0.4, 0.6])
    assert box.centres.mean(axis=0) == pytest.approx([1.0, 0.0, 0.0])
    lengths = [np.linalg.norm(edge.end - edge.start) for edge in box.segments]
    assert sorted(lengths) == pytest.approx([0.2] * 4 + [0.4] * 4 + [0.6] * 4)


def test_edges_point_outwards():
    edges = Box(BODY, 0.2).segments
    assert len(edges) == 12
    for edge in edges:
        assert 0.5 * (edge.start + edge.end) @ edge.outward > 0.0


def test_turned_box_turns_its_corners():
    half = np.sqrt(0.5)
    box = Box(BODY, (0.2, 0.4, 0.6), rotation=(half, 0.0, 0.0, half))  # a quarter turn about z
    assert np.ptp(box.centres, axis=0) == pytest.approx([0.4, 0.2, 0.6])


def test_rotation_matrix_is_orthogonal_for_any_quaternion():
    m = rotation_matrix((0.3, -0.7, 1.1, 0.2))
    assert m @ m.T == pytest.approx(np.eye(3))
    assert np.linalg.det(m) == pytest.approx(1.0)


def test_capsule_ends_lie_on_its_axis():
    capsule = Capsule(BODY, 0.1, 1.0, axis=(0.0, 2.0, 0.0))
    assert capsule.ends == pytest.approx(np.array([[0.0, -0.5, 0.0], [0.0, 0.5, 0.0]]))


def test_plane_normal_has_length_one():
    assert Plane(BODY, normal=(0.0, 3.0, 4.0)).direction == pytest.approx([0.0, 0.6, 0.8])


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: Sphere(BODY, radius=0.0), "radius must be greater than 0"),
        (lambda: Sphere(BODY, radius=float("nan")), "radius must be a finite number"),
        (lambda: Box(BODY, -0.1), "size must be greater than 0"),
        (lambda: Box(BODY, (0.1, 0.1)), r"size must be a number or three finite numbers, .* got \(0.1, 0.1\)$"),
        (lambda: Box(BODY, 0.1, -0.1), "radius must not be negative"),
        (lambda: Box(BODY, 0.1, rotation=(0, 0, 0, 0)), "rotation must be a quaternion"),
        (lambda: Capsule(BODY, 0.1, 1.0, axis=(0, 0, 0)), "axis must not be the zero vector"),
        (lambda: Plane(BODY, normal=(0, 0, 0)), "normal must not be the zero vector"),
        (lambda: Points(BODY, [(0, 0, float("inf"))]), "at must be three finite numbers"),
        (lambda: Points(BODY, "here"), "at must be three finite numbers"),
        (lambda: Sphere(BODY, 0.1), r"^at must be three finite numbers, .* got 0.1: .* Sphere\(body, radius=0.1\)$"),
        (lambda: Sphere(BODY, BODY, 0.1), "^at must be three finite numbers, got SimpleNamespace$"),
        (lambda: Sphere(0.1, BODY), "^body must be a ChBody, got 0.1$"),
        (lambda: Sphere(SimpleNamespace, radius=0.1), "^body must be a ChBody, got the class SimpleNamespace$"),
        (lambda: Sphere(BODY, [(0, 0, 0), (1, 0, 0)], 0.1), "^at must be three finite numbers, got"),
        (lambda: Sphere(BODY, radius=BODY), "^radius must be a number, got SimpleNamespace$"),
        (lambda: Points(BODY, 0.1), "^at must be positions in m, three finite numbers each, got 0.1$"),
        (lambda: Box(BODY, BODY), "^size must be a number or three finite numbers, .* got SimpleNamespace$"),
        (lambda: Box(BODY, 0.1, (0, 0, 1)), r"^radius must be a number, got \(0, 0, 1\)$"),
        (lambda: Box(BODY, 0.1, rotation=BODY), "^rotation must be a quaternion .* got SimpleNamespace$"),
        (lambda: Capsule(BODY, (0, 0, 1), 0.1), r"^radius must be a number, got \(0, 0, 1\)$"),
        (lambda: Plane(BODY, 0.5), "^at must be three finite numbers, got 0.5$"),
        (lambda: Plane(BODY, normal="up"), "^normal must be three finite numbers, got 'up'$"),
        (lambda: Plane(None), "body must be a ChBody, got None$"),
        (lambda: Points(None, [(0, 0, 0)]), "body must be a ChBody, got None$"),
        (lambda: Sphere(3.0, radius=0.1), "body must be a ChBody, got 3.0$"),
        (lambda: Box(None, 0.1), "body must be a ChBody, got None$"),
        (lambda: Capsule("foot", 0.1, 1.0), "body must be a ChBody, got 'foot'$"),
    ],
)
def test_impossible_geometry_is_refused(make, message):
    with pytest.raises(ParameterError, match=message):
        make()
