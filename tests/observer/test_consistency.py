"""NIS and NEES: their bands, and what they say of filters with right and with wrong covariances."""

import numpy as np
import pytest
from observer_models import FILTERS, LinearCase
from scipy.stats import chi2

from chrono_powercontact.errors import ParameterError
from chrono_powercontact.observer.consistency import band, consistency, nees
from chrono_powercontact.observer.filters.cdkf import CDKF


@pytest.mark.parametrize(("dimension", "samples", "level"), [(1, 1, 0.95), (2, 500, 0.95), (6, 40, 0.99)])
def test_the_band_is_that_of_the_chi_square_distribution(dimension, samples, level):
    expected = chi2(dimension * samples).interval(level)
    assert band(dimension, samples, level) == pytest.approx([bound / samples for bound in expected])


@pytest.mark.parametrize("kind", FILTERS)
def test_a_filter_with_the_right_noise_is_consistent(kind):
    case = LinearCase(seed=5)
    _, ys, us = case.simulate(2000)
    found = consistency(FILTERS[kind](*case.numbers()).run(ys, us)["nis"], 2, level=0.999)
    assert found.consistent
    assert found.samples == 2000
    assert found.inside == pytest.approx(0.999, abs=0.01)
    assert found.verdict.startswith("consistent")


def test_nees_over_many_runs_is_consistent():
    squares = []
    for seed in range(100):
        case = LinearCase(seed=6)
        case.chance = np.random.default_rng(seed)
        xs, ys, us = case.simulate(15)
        observer = CDKF(*case.numbers())
        observer.run(ys, us)
        squares.extend(nees(observer.x - xs[-1], observer.factor))
    assert consistency(squares, 6, level=0.999).consistent


def test_wrong_noise_is_found_out():
    case = LinearCase(seed=7)
    _, ys, us = case.simulate(1000)
    model, x_0, p_0, q_p, r_m, *rest = case.numbers()
    sure = consistency(CDKF(model, x_0, p_0, 0.1 * q_p, 0.3 * r_m, *rest).run(ys, us)["nis"], 2)
    cautious = consistency(CDKF(model, x_0, p_0, 10.0 * q_p, 3.0 * r_m, *rest).run(ys, us)["nis"], 2)
    assert sure.verdict.startswith("overconfident")
    assert cautious.verdict.startswith("too cautious")


def test_nees_is_the_error_in_the_metric_of_the_covariance():
    chance = np.random.default_rng(8)
    s, e = np.tril(chance.normal(size=(4, 3, 3))) + 3.0 * np.eye(3), chance.normal(size=(4, 3))
    expected = [e[k] @ np.linalg.inv(s[k] @ s[k].T) @ e[k] for k in range(4)]
    np.testing.assert_allclose(nees(e, s), expected, rtol=1e-10)


def test_skipped_samples_are_left_out_and_nothing_is_refused():
    assert consistency([np.nan, 1.0, 1.0], 1).samples == 2
    with pytest.raises(ParameterError, match="no finite squares"):
        consistency([np.nan], 1)
    with pytest.raises(ParameterError, match="level must lie between 0 and 1"):
        band(1, 1, 1.0)
    with pytest.raises(ParameterError, match="at least 1"):
        band(0)
    with pytest.raises(ParameterError, match="factors must have the shape"):
        nees(np.zeros((2, 3)), np.eye(3))
