"""A curve that is said to be out of reach is so: against the gap that is found by looking for its nearest point."""

from itertools import product

import numpy as np
import pytest
from scipy.spatial.transform import Rotation

import chrono_powercontact as pc
from chrono_powercontact.chrono.contact.bodies import rotations
from chrono_powercontact.chrono.contact.elements import elements_between
from chrono_powercontact.chrono.contact.records import ELEMENT
from chrono_powercontact.chrono.contact.solids.locating import curve_around, is_beyond, locate_any


class _Body:
    IsFixed = GetIdentifier = None


A, B = _Body(), _Body()
CORNERS = np.array([(x, y, z) for x in (-0.1, 0.1) for y in (-0.08, 0.08) for z in (-0.12, 0.12)])
SHAPES = {
    "capsule": lambda b: pc.Capsule(b, 0.04, 0.2, (0.01, 0.0, 0.0), (1.0, 2.0, 3.0)),
    "box": lambda b: pc.Box(b, (0.1, 0.2, 0.3), 0.01, (0.0, 0.01, 0.02), (1.0, 0.2, 0.3, 0.1)),
    "cylinder": lambda b: pc.Cylinder(b, 0.1, 0.3, 0.01, (0.0, 0.02, 0.01), (1.0, 0.5, 0.2)),
    "cone": lambda b: pc.Cone(b, 0.1, 0.3, 0.01, (0.0, 0.02, 0.01), (1.0, 0.5, 0.2)),
    "hull": lambda b: pc.Hull(b, CORNERS, 0.01),
}


def located(first, second, seed):
    """Elements of a pair at random places: those with a curve, with their geometry and the gap that is found."""
    random = np.random.default_rng(seed)
    rows = []
    for _ in range(2):
        x, y, z, s = Rotation.from_rotvec(2.0 * random.normal(size=3)).as_quat()
        rows.append([*random.uniform(-0.5, 0.5, 3), s, x, y, z])
    x = np.array(rows).ravel()
    r = np.zeros((2, 3, 3))
    rotations(x, r)
    for kind, swapped, geometry in elements_between(SHAPES[first](A), SHAPES[second](B)):
        element = np.array([(kind, *((1, 0) if swapped else (0, 1)), 0)], ELEMENT)[0]
        if curve_around(x, r, element, geometry)[1] >= 0.0:
            yield x, r, element, geometry, locate_any(x, r, element, geometry).gap


@pytest.mark.parametrize(("first", "second"), product(SHAPES, ("cylinder", "cone")))
def test_a_curve_beyond_a_reach_has_a_larger_gap(first, second):
    told = 0
    for seed in range(12):
        for x, r, element, geometry, gap in located(first, second, seed):
            assert not is_beyond(x, r, element, geometry, gap + 1e-9)
            told += is_beyond(x, r, element, geometry, gap - 0.7)
    assert told > 0


def test_elements_without_a_curve_are_never_said_to_be_beyond():
    x = np.array([0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 9.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0])
    r = np.zeros((2, 3, 3))
    rotations(x, r)
    for kind, _, geometry in elements_between(pc.Sphere(A, radius=0.1), pc.Box(B, (0.1, 0.2, 0.3), 0.01)):
        assert not is_beyond(x, r, np.array([(kind, 0, 1, 0)], ELEMENT)[0], geometry, 0.0)
