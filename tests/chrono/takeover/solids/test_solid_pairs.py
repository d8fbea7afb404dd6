"""The compiled rules of pairs are those of named shapes."""

import numpy as np
import pytest

import chrono_powercontact as pc
from chrono_powercontact.chrono.contact.elements import elements_between
from chrono_powercontact.chrono.contact.solids import probes as pr
from chrono_powercontact.chrono.takeover.solids.solid_pairs import (
    BOX,
    CAPSULE,
    CONE,
    CYLINDER,
    ELLIPSOID,
    FACETED,
    is_edge_pair,
    is_wanted,
    probe_table,
)


class _Body:
    IsFixed = GetIdentifier = None


A, B = _Body(), _Body()
SHAPES = {
    CAPSULE: lambda b: pc.Capsule(b, 0.1, 0.3),
    BOX: lambda b: pc.Box(b, 0.2),
    ELLIPSOID: lambda b: pc.Ellipsoid(b, (0.1, 0.2, 0.3)),
    CONE: lambda b: pc.Cone(b, 0.1, 0.2),
    CYLINDER: lambda b: pc.Cylinder(b, 0.1, 0.2),
    FACETED: lambda b: pc.Hull(b, np.vstack([np.eye(3), -np.eye(3)])),
}


@pytest.mark.parametrize("first", [ELLIPSOID, CONE, CYLINDER, FACETED])
@pytest.mark.parametrize("second", list(SHAPES))
def test_a_pair_has_as_many_elements_as_named_shapes(first, second):
    if second > first:
        pytest.skip("the shape of the higher kind comes first")
    shapes = SHAPES[first](A), SHAPES[second](B)
    tables = [probe_table(shape)["probe"] for shape in shapes]
    count = sum(is_wanted(probe, first, second, True) for probe in tables[0])
    count += sum(is_wanted(probe, second, first, False) for probe in tables[1])
    if is_edge_pair(first, second):
        count += int((tables[0] == pr.EDGE).sum() * (tables[1] == pr.EDGE).sum())
    assert count == len(elements_between(*shapes))
