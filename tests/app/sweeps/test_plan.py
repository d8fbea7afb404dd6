"""The runs of a sweep."""

import numpy as np
import pytest

from chrono_powercontact.app.sweeps.plan import DEFAULT_SAMPLES, draw, key_of, planned
from chrono_powercontact.app.sweeps.swept_ranges import Values, grid, lhs, read_range, sobol
from chrono_powercontact.errors import ParameterError


def test_values_are_crossed_in_the_order_in_which_they_are_named():
    plan = planned({"b": Values((1, 2)), "a": Values(("x", "y"))}, None, 0)
    assert plan.points == [{"b": b, "a": a} for b in (1, 2) for a in ("x", "y")]
    assert plan.samples is None


def test_samples_are_drawn_together_and_joined_with_every_combination():
    plan = planned({"a": sobol(0, 1), "b": Values((1, 2)), "c": lhs(10, 20)}, 8, 3)
    assert len(plan.points) == 16
    assert list(plan.points[0]) == ["a", "b", "c"]
    first, second = plan.points[:8], plan.points[8:]
    assert [point["a"] for point in first] == [point["a"] for point in second]
    assert [point["b"] for point in plan.points] == [1] * 8 + [2] * 8


def test_samples_fill_their_intervals_evenly():
    """A Latin hypercube has one sample in each of n equal slices; a Sobol sequence of 2^k points too."""
    samples = draw({"a": lhs(0, 1), "b": lhs(5, 9), "c": sobol(2, 4), "d": sobol(1, 100, log=True)}, 32, 1)
    for name, low, high in (("a", 0, 1), ("b", 5, 9), ("c", 2, 4)):
        values = np.array([sample[name] for sample in samples])
        slices = np.floor((values - low) / (high - low) * 32).astype(int)
        assert sorted(slices) == list(range(32))
    assert sum(sample["d"] < 10.0 for sample in samples) == 16


def test_a_seed_gives_the_same_samples_and_another_seed_others():
    intervals = {"a": sobol(0, 1), "b": lhs(0, 1)}
    assert draw(intervals, 5, 1) == draw(intervals, 5, 1)
    assert draw(intervals, 5, 1) != draw(intervals, 5, 2)


def test_a_number_of_samples_that_is_not_given():
    assert len(planned({"a": sobol(0, 1)}, None, 0).points) == DEFAULT_SAMPLES


@pytest.mark.parametrize(
    ("over", "n", "words"),
    [
        ({}, None, "at least one parameter"),
        ({"a": Values((1,))}, 5, "nothing is sampled"),
        ({"a": sobol(0, 1)}, 0, "at least 1"),
        ({"a": sobol(0, 1)}, 2.5, "whole number"),
        ({"a": grid(0, 1, 2000), "b": grid(0, 1, 2000)}, None, "4000000 runs.*--yes"),
        ({"a": grid(0, 1, 10**12)}, None, "1000000000000 runs"),
        ({"a": read_range(range(10**12))}, None, "1000000000000 runs"),
    ],
)
def test_a_plan_that_cannot_be_used_is_refused_in_one_sentence(over, n, words):
    with pytest.raises(ParameterError, match=words):
        planned(over, n, 0)


def test_many_runs_may_be_confirmed():
    assert len(planned({"a": grid(0, 1, 400), "b": grid(0, 1, 300)}, None, 0, confirmed=True).points) == 120_000


def test_a_key_depends_on_what_runs_and_on_all_parameters_but_not_on_their_order():
    here = key_of({"scenario": "wall", "version": "1"}, {"a": 1.0, "b": 2.0})
    assert here == key_of({"version": "1", "scenario": "wall"}, {"b": 2.0, "a": 1.0})
    assert here != key_of({"scenario": "wall", "version": "2"}, {"a": 1.0, "b": 2.0})
    assert here != key_of({"scenario": "wall", "version": "1"}, {"a": 1.0, "b": 2.0 + 1e-15})
