"""A body by spheres."""

import numpy as np
import pytest

import chrono_powercontact as pc


class _Body:
    IsFixed = GetIdentifier = None


CUBE = pc.Hull(_Body(), [(x, y, z) for x in (-1, 1) for y in (-1, 1) for z in (-1, 1)])


def test_spheres_lie_inside_and_near_the_surface():
    cover = pc.spheres_of(CUBE, 0.25)
    deepest = 1.0 - np.abs(cover.centres).max(axis=1)
    assert len(cover.centres) > 50
    assert deepest.min() >= 0.25 - 1e-12
    assert deepest.max() < 0.75 + 1e-12


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ((CUBE, 1.5), "no sphere fits"),
        ((CUBE, -1.0), "radius must be"),
        (("cube", 0.1), "shape must be a Mesh or a Hull"),
    ],
)
def test_bad_covers_are_refused(arguments, message):
    with pytest.raises(pc.ParameterError, match=message):
        pc.spheres_of(*arguments)
