"""The least overlap of two boxes, by closed forms and by properties."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.spatial.transform import Rotation

from chrono_powercontact.chrono.takeover.box_overlap import PlacedBox, least_overlap


def placed(centre=(0, 0, 0), half=(0.5, 0.5, 0.5), turn=(0, 0, 0)):
    return PlacedBox(np.array(centre, float), Rotation.from_rotvec(turn).as_matrix(), np.array(half, float))


def corners(box):
    signs = np.array([(x, y, z) for x in (-1, 1) for y in (-1, 1) for z in (-1, 1)])
    return box.centre + (signs * box.half) @ box.turn.T


@pytest.mark.parametrize("axis", range(3))
@pytest.mark.parametrize("side", [-1.0, 1.0])
def test_equal_aligned_boxes_part_along_the_axis_on_which_they_are_shifted(axis, side):
    shift = np.zeros(3)
    shift[axis] = 0.7 * side
    found = least_overlap(placed(shift), placed())
    assert found.depth == pytest.approx(0.3)
    assert found.axis == pytest.approx(np.sign(shift))
    assert found.middle == pytest.approx(0.5 * shift)


def test_a_box_inside_another_leaves_through_the_nearest_face():
    found = least_overlap(placed((0.0, 0.0, 0.9), (0.1, 0.1, 0.1)), placed(half=(1.0, 1.0, 1.0)))
    assert found.depth == pytest.approx(0.2)
    assert found.axis == pytest.approx((0, 0, 1))


def test_crossed_edges_part_along_their_common_normal():
    """Two bars at right angles, each standing on an edge: their edges cross at the height sqrt(2)/2 of half a side."""
    lower = placed(half=(1.0, 0.1, 0.1), turn=(np.pi / 4, 0, 0))
    upper = placed((0, 0, 0.27), (0.1, 1.0, 0.1), (0, np.pi / 4, 0))
    found = least_overlap(upper, lower)
    assert found.depth == pytest.approx(0.2 * np.sqrt(2) - 0.27)
    assert found.axis == pytest.approx((0, 0, 1), abs=1e-12)
    assert found.middle == pytest.approx((0, 0, 0.135), abs=1e-12)


vectors = st.tuples(*[st.floats(-1.0, 1.0)] * 3)
halves = st.tuples(*[st.floats(0.1, 1.0)] * 3)


@given(vectors, halves, vectors, halves, vectors)
def test_moved_by_the_overlap_two_boxes_just_touch(centre, half_a, turn_a, half_b, turn_b):
    a = placed(centre, half_a, turn_a)
    b = placed(half=half_b, turn=turn_b)
    found = least_overlap(a, b)
    moved = a._replace(centre=a.centre + found.depth * np.array(found.axis))
    assert (corners(moved) @ found.axis).min() == pytest.approx((corners(b) @ found.axis).max(), abs=1e-9)


@given(vectors, halves, vectors, halves, vectors)
def test_the_overlap_is_the_same_from_both_sides(centre, half_a, turn_a, half_b, turn_b):
    a = placed(centre, half_a, turn_a)
    b = placed(half=half_b, turn=turn_b)
    assert least_overlap(a, b).depth == pytest.approx(least_overlap(b, a).depth, abs=1e-12)
