import numpy as np
import pytest

from chrono_powercontact.errors import ParameterError
from chrono_powercontact.numerics.fitting import Fit, fit, robust, triangular_factor

T = np.linspace(0.0, 3.0, 300)
TRUE = np.array([2.0, 0.7])


def decay(values):
    a, k = values
    motion = a * np.exp(-k * T)
    return motion, np.column_stack([np.exp(-k * T), -T * motion])


def fitted(seed, sigma=0.01):
    measured = decay(TRUE)[0] + sigma * np.random.default_rng(seed).standard_normal(T.size)

    def misfit(values):
        motion, slopes = decay(values)
        return (motion - measured) / sigma, slopes / sigma

    return fit(misfit, [1.0, 1.0], [0.1, 0.1], [10.0, 10.0])


def test_intervals_hold_the_truth_as_often_as_they_say():
    found = [fitted(seed) for seed in range(80)]
    held = np.mean([(f.interval()[:, 0] <= TRUE) & (f.interval()[:, 1] >= TRUE) for f in found])
    assert 0.9 <= held <= 0.99
    assert np.mean([f.residual for f in found]) == pytest.approx(1.0, abs=0.02)


def test_covariance_is_that_of_the_normal_equations():
    found = fitted(1)
    slopes = decay(found.values)[1] / 0.01
    assert found.covariance == pytest.approx(np.linalg.inv(slopes.T @ slopes) * found.residual**2, rel=1e-6)
    assert found.evaluations < 12


def test_triangular_factor_keeps_sums_of_squares_and_products():
    matrix = np.random.default_rng(3).standard_normal((1000, 7))
    factor = triangular_factor(matrix)
    assert factor.shape == (7, 7)
    assert factor.T @ factor == pytest.approx(matrix.T @ matrix, rel=1e-10, abs=1e-10)


def test_what_cannot_be_fitted_is_told():
    with pytest.raises(ParameterError, match="must lie between their bounds, got"):
        fit(lambda v: (v, np.eye(1)), [2.0], [0.0], [1.0])
    with pytest.raises(ParameterError, match="1 values need more than 1 measurements"):
        fit(lambda v: (v, np.eye(1)), [0.5], [-1.0], [1.0])
    with pytest.raises(ParameterError, match="level must lie between 0 and 1, got 2"):
        Fit(np.ones(1), np.eye(1), 1.0, 3, 1).half(2.0)


BLOCKS = np.arange(T.size) // 10


def fitted_with_waves(seed, sigma=0.01):
    """A fit to measurements whose errors are the same within each block, with its usual and its robust intervals."""
    draw = np.random.default_rng(seed)
    measured = decay(TRUE)[0] + sigma * draw.standard_normal(BLOCKS.max() + 1)[BLOCKS]

    def misfit(values):
        motion, slopes = decay(values)
        return (motion - measured) / sigma, slopes / sigma

    found = fit(misfit, [1.0, 1.0], [0.1, 0.1], [10.0, 10.0])
    return found, robust(found, misfit, BLOCKS)


def test_robust_intervals_hold_where_misfits_follow_each_other():
    pairs = [fitted_with_waves(seed) for seed in range(80)]
    usual, kept = (
        np.mean([(f.interval()[:, 0] <= TRUE) & (f.interval()[:, 1] >= TRUE) for f in found])
        for found in zip(*pairs, strict=True)
    )
    assert usual < 0.7
    assert 0.85 <= kept <= 0.99


def test_robust_intervals_need_blocks():
    with pytest.raises(ParameterError, match="at least 2 blocks of misfits, got 1"):
        robust(fitted(1), lambda values: (T, np.column_stack([T, T])), np.zeros(T.size, int))


def test_a_search_ends_after_so_many_evaluations():
    def misfit(values):
        motion, slopes = decay(values)
        return motion - decay(TRUE)[0], slopes

    assert fit(misfit, [9.0, 9.0], [0.1, 0.1], [10.0, 10.0], most=2).evaluations <= 2
