"""A height field from an array and from an image."""

import numpy as np
import pytest

import chrono_powercontact as pc


class _Body:
    IsFixed = GetIdentifier = None


BODY = _Body()


@pytest.mark.parametrize(
    ("heights", "spacing", "message"),
    [
        ([[0.0, 1.0], [np.nan, 0.0]], 1.0, "heights must be finite, got nan at row 1, column 0, one of 1"),
        ([[0.0, 1.0]], 1.0, "heights must be a table of at least 2 by 2 numbers"),
        ("hill", 1.0, "heights must be a table"),
        (np.zeros((3, 3)), -1.0, "spacing must be"),
        (np.zeros((3, 3)), (1.0, 1.0, 1.0), "spacing must be one or two numbers"),
    ],
)
def test_bad_heights_are_refused_in_one_sentence(heights, spacing, message):
    with pytest.raises(pc.ParameterError, match=message):
        pc.HeightField(BODY, heights, spacing)
