"""What a body looks like in a recording: its visual shapes, and what is drawn where it has none."""

import pytest

from chrono_powercontact.chrono.api.bridge import pychrono
from chrono_powercontact.chrono.run.body_looks import looks_of

pytestmark = pytest.mark.chrono


def cube(visible: bool):
    chrono = pychrono()
    body = chrono.ChBodyEasyBox(0.1, 0.2, 0.3, 1000.0, True, True, chrono.ChContactMaterialSMC())
    body.GetVisualShape(0).SetVisible(visible)
    return body


def test_a_visual_shape_is_drawn():
    (piece,) = looks_of(cube(True), 0, (), None)
    assert tuple(piece.size) == pytest.approx((0.1, 0.2, 0.3))


def test_a_body_whose_visual_shapes_are_hidden_is_not_drawn_by_its_collision_shapes():
    assert looks_of(cube(False), 0, (), None) == []


def test_a_body_without_visual_shapes_is_drawn_by_its_collision_shapes():
    chrono = pychrono()
    body = chrono.ChBodyEasyBox(0.1, 0.2, 0.3, 1000.0, False, True, chrono.ChContactMaterialSMC())
    assert len(looks_of(body, 0, (), None)) == 1
