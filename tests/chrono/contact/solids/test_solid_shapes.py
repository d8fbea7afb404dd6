"""Solids that a user defines, and what is not allowed."""

import numpy as np
import pytest

import chrono_powercontact as pc
from chrono_powercontact.chrono.contact.solids.solid_shapes import cone_core, frame_along


class _Body:
    IsFixed = GetIdentifier = None


BODY = _Body()


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: pc.Torus(BODY, 0.1, 0.2), "tube must be thinner than the ring, less than 0.1 m, got 0.2"),
        (lambda: pc.Torus(BODY, 0.1, 0.0), "tube must be"),
        (lambda: pc.Cylinder(BODY, 0.1, -1.0), "length must be"),
        (lambda: pc.Cylinder(BODY, 0.1, 0.3, 0.1), "rounding must be less than the radius and half the length, 0.1 m"),
        (lambda: pc.Cylinder(BODY, 0.1, 0.3, axis=(0, 0, 0)), "axis must not be the zero vector"),
        (lambda: pc.Cone(BODY, 0.1, 0.3, 0.2), "rounding must be less than"),
        (lambda: pc.Ellipsoid(BODY, (0.1, 0.2)), "half_axes must be three finite numbers"),
        (lambda: pc.Ellipsoid(BODY, (0.1, 0.2, 0.0)), "half_axes must be"),
        (lambda: pc.Cylinder(None, 0.1, 0.2), "body must be a ChBody"),
    ],
)
def test_bad_solids_are_refused_in_one_sentence(make, message):
    with pytest.raises(pc.ParameterError, match=message.replace("(", r"\(")):
        make()


def test_faces_of_a_rounded_cone_stay_where_they_are():
    radius, height, shift = cone_core(0.3, 0.4, 0.05)
    assert shift - 0.5 * height == pytest.approx(-0.2 + 0.05)
    slant = np.array([0.8, 0.6])
    rim = np.array([radius, shift - 0.5 * height])
    assert slant @ (np.array([0.3, -0.2]) - rim) == pytest.approx(0.05)


def test_frame_along_is_a_rotation():
    axis = np.array([0.6, 0.0, 0.8])
    turn = frame_along(axis)
    assert turn @ turn.T == pytest.approx(np.eye(3))
    assert np.linalg.det(turn) == pytest.approx(1.0)
    assert turn[:, 2] == pytest.approx(axis)


def test_unknown_frame_is_refused():
    with pytest.raises(pc.UnknownNameError, match="unknown frame 'here'"):
        pc.Cone(BODY, 0.1, 0.2, frame="here")
