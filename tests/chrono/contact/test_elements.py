import numpy as np
import pytest

from chrono_powercontact.chrono.contact import geometry as g
from chrono_powercontact.chrono.contact.elements import elements_between
from chrono_powercontact.chrono.contact.records import ELEMENT
from chrono_powercontact.chrono.contact.shapes import Box, Capsule, Plane, Sphere
from chrono_powercontact.errors import ParameterError, UnknownNameError


class _Body:
    IsFixed = GetIdentifier = None


A, B = _Body(), _Body()
SHAPES = {
    "sphere": lambda b: Sphere(b, radius=0.1),
    "box": lambda b: Box(b, 0.2),
    "capsule": lambda b: Capsule(b, 0.1, 0.3),
}
COUNTS = {
    ("sphere", "sphere"): 1,
    ("sphere", "box"): 1,
    ("sphere", "capsule"): 1,
    ("box", "box"): 8 + 8 + 144,
    ("box", "capsule"): 8 + 2 + 12,
    ("capsule", "capsule"): 1,
}


@pytest.mark.parametrize(("first", "second"), COUNTS)
def test_number_of_elements_does_not_depend_on_the_order(first, second):
    one = elements_between(SHAPES[first](A), SHAPES[second](B))
    other = elements_between(SHAPES[second](A), SHAPES[first](B))
    assert len(one) == len(other) == COUNTS[first, second]


@pytest.mark.parametrize(("name", "count"), [("sphere", 1), ("box", 8), ("capsule", 2)])
def test_plane_is_always_the_partner(name, count):
    assert [e[:2] for e in elements_between(SHAPES[name](A), Plane(B))] == [(g.SPHERE_PLANE, False)] * count
    assert [e[:2] for e in elements_between(Plane(B), SHAPES[name](A))] == [(g.SPHERE_PLANE, True)] * count


def test_two_planes_cannot_touch():
    with pytest.raises(ParameterError, match="a plane cannot touch a plane"):
        elements_between(Plane(A), Plane(B))


@pytest.mark.parametrize(("point", "height"), [("midway", -0.005), ("shape", -0.01), ("partner", 0.0)])
@pytest.mark.parametrize("swapped", [False, True])
def test_forces_act_midway_or_on_one_of_the_surfaces(point, height, swapped):
    """A sphere of 0.1 m, 0.01 m deep in the ground z < 0."""
    sphere, ground = Sphere(A, (0.0, 0.0, 0.09), 0.1), Plane(B)
    other = {"midway": "midway", "shape": "partner", "partner": "shape"}[point]
    pair = elements_between(ground, sphere, other) if swapped else elements_between(sphere, ground, point)
    ((kind, _, geometry),) = pair
    x, r = np.array([0.0, 0, 0, 1, 0, 0, 0] * 2), np.array([np.eye(3)] * 2)
    gap = g.locate(x, r, np.array([(kind, 0, 1, 0)], ELEMENT)[0], geometry)
    assert gap.gap == pytest.approx(-0.01)
    assert gap.point == pytest.approx((0.0, 0.0, height), abs=1e-15)


def test_unknown_point_is_refused():
    with pytest.raises(UnknownNameError) as caught:
        elements_between(Sphere(A, radius=0.1), Plane(B), "midwya")
    assert str(caught.value) == "unknown point 'midwya': did you mean 'midway'? allowed: midway, partner, shape"
