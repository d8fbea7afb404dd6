import pytest

from chrono_powercontact.chrono.contact import geometry as g
from chrono_powercontact.chrono.contact.elements import elements_between
from chrono_powercontact.chrono.contact.shapes import Box, Capsule, Plane, Sphere
from chrono_powercontact.errors import ParameterError


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
