"""Ranges of swept parameters, in Python and on the command line."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from chrono_powercontact.app.sweeps.swept_ranges import (
    Interval,
    Values,
    between,
    described,
    grid,
    lhs,
    parse_all,
    parse_over,
    read_range,
    sobol,
)
from chrono_powercontact.errors import ParameterError, UnknownNameError

SPREAD = st.floats(0.001, 1e3)


def test_a_grid_has_its_ends_and_even_steps():
    assert list(grid(1.0, 3.0, 5).values) == [1.0, 1.5, 2.0, 2.5, 3.0]
    assert grid(1.0, 3.0, 5).values[1:4:2] == [1.5, 2.5]
    assert grid(1.0, 3.0, 5).values[-1] == 3.0
    assert np.allclose(grid(0.01, 100.0, 5, log=True).values, [0.01, 0.1, 1.0, 10.0, 100.0], rtol=1e-14)
    assert grid(7.0, 9.0, 1).values == (7.0,)


@given(SPREAD, SPREAD, st.floats(0.0, 1.0), st.booleans())
def test_a_value_between_two_ends_lies_between_them(low, more, fraction, log):
    high = low + more
    value = between(low, high, fraction, log)
    assert low * (1 - 1e-12) <= value <= high * (1 + 1e-12)
    assert between(low, high, 0.0, log) == low
    assert between(low, high, 1.0, log) == high


@pytest.mark.parametrize(
    ("given", "values"),
    [([1, 2], (1, 2)), (range(3), (0, 1, 2)), (np.array([0.5, 1.0]), (0.5, 1.0)), (4.0, (4.0,)), ("word", ("word",))],
)
def test_lists_arrays_and_single_values_are_ranges(given, values):
    assert tuple(read_range(given).values) == values


def test_a_range_stays_itself():
    assert read_range(sobol(0, 1)) == Interval(0.0, 1.0, "sobol")
    assert read_range(lhs(1, 2, log=True)) == Interval(1.0, 2.0, "lhs", True)


@pytest.mark.parametrize(
    ("text", "name", "swept", "count"),
    [
        ("speed=100:300:3", "speed", grid(100.0, 300.0, 3), None),
        ("r_d=0.1:10:64:sobol", "r_d", Interval(0.1, 10.0, "sobol"), 64),
        ("r_d=0.1:10:lhs", "r_d", Interval(0.1, 10.0, "lhs"), None),
        ("law=power,smc", "law", Values(("power", "smc")), None),
        ("seed=1,2,-3", "seed", Values((1, 2, -3)), None),
        ("mu=0.5", "mu", Values((0.5,)), None),
        ("seed=12345678901234567890", "seed", Values((12345678901234567890,)), None),
    ],
)
def test_a_range_of_the_command_line(text, name, swept, count):
    assert parse_over(text) == (name, swept, count)


def test_a_logarithmic_range_of_the_command_line():
    assert np.allclose(parse_over("k=1:100:3:log")[1].values, [1.0, 10.0, 100.0], rtol=1e-14)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("speed", "key=low:high:count"),
        ("=1:2:3", "key=low:high:count"),
        ("speed=1:2", "low:high:count"),
        ("speed=1:2:3:4", "low:high:count"),
        ("speed=3:1:4", "less than"),
        ("speed=1:nan:4", "finite"),
        ("speed=1:x2:4", "not a number"),
        ("speed=1:2:0", "at least 1"),
        ("speed=-1:2:3:log", "greater than 0"),
    ],
)
def test_a_range_that_cannot_be_used_is_refused_in_one_sentence(text, words):
    with pytest.raises(ParameterError, match=words):
        parse_over(text)


def test_an_unknown_kind_is_refused_with_the_known_ones():
    with pytest.raises(UnknownNameError, match="did you mean 'sobol'"):
        parse_over("speed=1:2:8:sobal")


def test_ranges_of_one_command_agree_on_their_samples():
    over, count = parse_all(["a=0:1:8:sobol", "b=1:2:lhs", "c=1,2"])
    assert list(over) == ["a", "b", "c"]
    assert count == 8
    with pytest.raises(ParameterError, match="counts must be equal, got a 8, b 9"):
        parse_all(["a=0:1:8:sobol", "b=1:2:9:lhs"])
    with pytest.raises(ParameterError, match="names a twice"):
        parse_all(["a=1", "a=2"])


@pytest.mark.parametrize("ends", [(2.0, 1.0), (1.0, 1.0), (math.nan, 1.0), (0.0, math.inf)])
def test_an_interval_needs_two_ends(ends):
    with pytest.raises(ParameterError):
        sobol(*ends)


def test_no_value_at_all_is_refused():
    with pytest.raises(ParameterError, match="at least one value"):
        read_range([])
    with pytest.raises(ParameterError, match="whole number"):
        grid(0, 1, 2.5)


def test_ranges_are_described_as_json_holds_them():
    listed = described({"a": Values((1, "b")), "c": lhs(1, 2)})
    assert listed == {"a": [1, "b"], "c": {"low": 1.0, "high": 2.0, "kind": "lhs", "log": False}}
