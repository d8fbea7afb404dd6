"""Chosen numbers of records as dual numbers with a derivative of one."""

import numpy as np
import pytest

from chrono_powercontact.numerics.dual.dual_arrays import rows_of
from chrono_powercontact.numerics.dual.seeded import Seeded

KIND = np.dtype([("count", np.int64), ("inner", [("a", np.float64), ("b", np.float64, 2)])])


def blocks():
    return [np.array([1.0, 2.0]), np.array([(7, (3.0, (4.0, 5.0)))], KIND)]


def test_entries_get_their_derivatives_and_values():
    """Entry 1 is the second float; entry 5 is b[1] of the record, whose count is entry 2."""
    seeded = Seeded(blocks(), [1, 5], [0, 3])
    seeded.set_values(np.array([20.0, 50.0]))
    plain, records = seeded.blocks
    assert plain[:, 0].tolist() == [1.0, 20.0]
    assert plain[1, 1] == 1.0
    assert records["count"].tolist() == [7]
    assert records["inner"]["b"][0, 1, 0] == 50.0
    assert records["inner"]["b"][0, 1, 4] == 1.0
    assert np.count_nonzero(rows_of(records)[0, 1:]) == 4


def test_a_lane_outside_the_directions_has_a_value_but_no_derivative():
    seeded = Seeded(blocks(), [0], [-3])
    seeded.set_values(np.array([9.0]))
    assert seeded.blocks[0][0].tolist() == [9.0] + [0.0] * 8


def test_a_number_that_is_not_there():
    with pytest.raises(IndexError, match="there is no number 6 in these blocks"):
        Seeded(blocks(), [6], [0])
