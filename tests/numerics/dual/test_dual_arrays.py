"""How dual numbers lie in memory, and records of them in compiled code."""

import numpy as np
from numba import njit

from chrono_powercontact.numerics.dual import dual_arithmetic as dual_arithmetic
from chrono_powercontact.numerics.dual.dual_arrays import (
    as_dual_records,
    as_duals,
    duals_of,
    floats_of,
    from_floats,
    lift,
    lifted_dtype,
    put_direction,
    put_slopes,
    rows_of,
    zero_records,
)

INNER = np.dtype([("k", np.float64), ("user", [("force", np.int64), ("numbers", np.float64, 2)])])
LAW = np.dtype([("kind", np.int64), ("inner", INNER), ("w", np.float64, 3)])


def law():
    records = np.zeros(2, LAW)
    records["kind"] = (4, 5)
    records["inner"]["k"] = (1.5, 2.5)
    records["inner"]["user"]["numbers"] = 7.0
    records["w"] = [[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]]
    return records


def test_floats_become_nine_and_all_else_stays():
    assert lifted_dtype(LAW)["w"].shape == (3, 9)
    assert lifted_dtype(LAW)["inner"]["user"] == INNER["user"]
    duals = lift(law())
    assert duals["kind"].tolist() == [4, 5]
    assert duals["inner"]["k"][:, 0].tolist() == [1.5, 2.5]
    assert np.all(duals["w"][..., 1:] == 0.0)
    assert np.all(duals["inner"]["user"]["numbers"] == 7.0)


def test_floats_go_into_a_vector_and_come_back():
    records = law()
    vector = floats_of(records)
    assert vector.size == 2 * 4
    again = from_floats(vector, records)
    assert again["w"].tolist() == records["w"].tolist()
    assert again["kind"].tolist() == [0, 0]
    assert from_floats(np.arange(3.0), np.zeros(3)).tolist() == [0.0, 1.0, 2.0]


@njit
def doubled(rows, values):
    laws = as_dual_records(rows, LAW)
    x = as_duals(values)
    other = zero_records(x, 2, LAW)
    for i in range(2):
        other[i].inner.k = laws[i].inner.k * x[0]
        other[i].w[2] = laws[i].w[1]
        x[1 + i] = other[i].inner.k + other[i].w[2]
    return laws[1].kind


def test_records_of_duals_are_read_and_written():
    records = lift(law())
    rates = np.zeros(2, LAW)
    rates["inner"]["k"] = 1.0
    put_direction(records, 0, rates)
    values = duals_of([2.0, 0.0, 0.0])
    put_direction(values, 1, np.array([1.0, 0.0, 0.0]))
    assert doubled(rows_of(records), values) == 5
    assert values[1:, :3].tolist() == [[5.0, 2.0, 1.5], [10.0, 2.0, 2.5]]


def test_slopes_of_several_directions_are_put_at_once():
    for plain in (law(), np.array([1.0, 2.0, 3.0]), np.zeros(0, LAW)):
        rates = np.random.default_rng(0).normal(size=(3, floats_of(plain).size))
        once, each = lift(plain), lift(plain)
        put_slopes(once, rates, plain.dtype)
        for direction, rate in enumerate(rates):
            put_direction(each, direction, from_floats(rate, plain))
        assert once.tobytes() == each.tobytes()
