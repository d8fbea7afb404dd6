"""Which coordinates can be independent: criterion, pivoting, volumes."""

from __future__ import annotations

import math
from itertools import combinations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from chrono_powercontact.lagrange.loops.loop_choice import (
    eliminate,
    mass_scale,
    pivoted_choice,
    tangent_rows,
    volume_of,
)


def rows_of(m: np.ndarray, a: np.ndarray) -> np.ndarray:
    w = np.zeros((len(m), len(m) - len(a)))
    assert tangent_rows(np.ascontiguousarray(m, float), np.ascontiguousarray(a, float), w) == len(a)
    return w


def random_case(seed: int, n: int, bound: int) -> tuple[np.ndarray, np.ndarray]:
    """Mass matrix and closure Jacobian whose units differ by up to four powers of ten."""
    rng = np.random.default_rng(seed)
    root, unit = rng.normal(size=(n, n)), 10.0 ** rng.uniform(-2, 2, n)
    return unit[:, None] * (root @ root.T + np.eye(n)) * unit, rng.normal(size=(bound, n)) * unit


CASES = st.tuples(st.integers(0, 10**6), st.integers(2, 6)).flatmap(
    lambda c: st.tuples(st.just(c[0]), st.just(c[1]), st.integers(1, c[1] - 1))
)


@settings(max_examples=60)
@given(case=CASES)
def test_projections_are_one_minus_those_onto_the_constraints(case: tuple[int, int, int]) -> None:
    m, a = random_case(*case)
    w, inverse = rows_of(m, a), np.linalg.inv(m)
    onto = inverse @ a.T @ np.linalg.solve(a @ inverse @ a.T, a @ inverse)
    assert np.sum(w**2, axis=1) == pytest.approx(1.0 - np.diag(onto) / np.diag(inverse), abs=1e-9)


@settings(max_examples=60)
@given(case=CASES)
def test_trace_of_the_tangent_projector_is_the_number_of_freedoms(case: tuple[int, int, int]) -> None:
    m, a = random_case(*case)
    scale, w = np.zeros(len(m)), rows_of(m, a)
    assert mass_scale(m, scale)
    spanned = scale[:, None] * w
    assert np.trace(spanned @ spanned.T @ m) == pytest.approx(case[1] - case[2], rel=1e-8)
    assert np.abs(a @ spanned).max() < 1e-8 * np.abs(a).max() * np.abs(spanned).max()


@settings(max_examples=60)
@given(case=CASES)
def test_pivoting_takes_the_best_coordinate_first_and_a_good_set_at_last(case: tuple[int, int, int]) -> None:
    """Greedy pivoting may miss the largest volume, but by no more than the factor f! known for it."""
    w = rows_of(*random_case(*case))
    picks = np.zeros(w.shape[1], np.int64)
    volume = pivoted_choice(w, picks)
    volumes = [volume_of(w, np.array(c)) for c in combinations(range(len(w)), w.shape[1])]
    assert volume == pytest.approx(volume_of(w, picks), rel=1e-8)
    assert int(np.argmax(np.sum(w**2, axis=1))) in picks
    assert volume >= max(volumes) / math.factorial(w.shape[1]) * (1 - 1e-9)
    assert volume_of(w, picks) == pytest.approx(abs(np.linalg.det(w[picks])), rel=1e-8)


def test_criterion_sees_a_coordinate_that_stands_still_under_coupled_masses() -> None:
    """Tangent (0, 1), M = [[1, .5], [.5, 1]]: projecting along the coordinate line would say 0.25 for y1, not 0."""
    w = rows_of(np.array([[1.0, 0.5], [0.5, 1.0]]), np.array([[1.0, 0.0]]))
    assert w[:, 0] ** 2 == pytest.approx([0.0, 0.75], abs=1e-14)


def test_coordinates_ranked_one_by_one_may_depend_on_each_other() -> None:
    """Tangents (1, 1, 0, 0, 0) and (0, 0, 1, 1, 1): the two largest projections move together."""
    a = np.array([[1.0, -1, 0, 0, 0], [0, 0, 1, -1, 0], [0, 0, 0, 1, -1]])
    w, picks = rows_of(np.eye(5), a), np.zeros(2, np.int64)
    alone = np.sum(w**2, axis=1)
    assert alone == pytest.approx([0.5, 0.5, 1 / 3, 1 / 3, 1 / 3])
    assert volume_of(w, np.array([0, 1])) == pytest.approx(0.0, abs=1e-12)
    assert pivoted_choice(w, picks) == pytest.approx(np.sqrt(1 / 6))
    assert picks[0] in (0, 1)
    assert picks[1] in (2, 3, 4)


@pytest.mark.parametrize(
    ("a", "rank"),
    [([[1.0, 2.0, 3.0], [2.0, 4.0, 6.0]], 1), ([[0.0, 0.0, 0.0], [1.0, 0.0, 0.0]], 1), ([[0.0] * 3, [0.0] * 3], 0)],
)
def test_closures_that_depend_on_each_other_are_counted(a: list[list[float]], rank: int) -> None:
    assert eliminate(np.array(a), np.zeros(3, np.int64)) == rank
    assert tangent_rows(np.eye(3), np.array(a), np.zeros((3, 1))) == rank


def test_elimination_expresses_the_chosen_columns_by_the_others() -> None:
    rng = np.random.default_rng(3)
    a, order = rng.normal(size=(3, 5)), np.zeros(5, np.int64)
    reduced = a.copy()
    assert eliminate(reduced, order) == 3
    assert sorted(order) == [0, 1, 2, 3, 4]
    wanted = np.linalg.solve(a[:, order[:3]], a[:, order[3:]])
    assert reduced[:, order[3:]] == pytest.approx(wanted, rel=1e-10)


@pytest.mark.parametrize("m", [np.zeros((2, 2)), np.array([[1.0, 2.0], [2.0, 1.0]]), np.full((2, 2), np.nan)])
def test_masses_that_are_not_positive_are_noticed(m: np.ndarray) -> None:
    assert tangent_rows(m, np.array([[1.0, 0.0]]), np.zeros((2, 1))) == -1
