"""Lemke's method: complementarity, and friction that is Coulomb's."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from chrono_powercontact.setvalued.lemke import friction_problem, lemke


@given(st.integers(0, 10_000), st.integers(1, 6))
def test_solutions_are_complementary(seed, size):
    random = np.random.default_rng(seed)
    root = random.normal(size=(size, size))
    m = root @ root.T + 0.1 * np.eye(size)
    q = random.normal(size=size)
    found, z = lemke(m, q)
    w = m @ z + q
    assert found
    assert z.min() >= -1e-9
    assert w.min() >= -1e-9
    assert abs(z @ w) < 1e-8


def test_what_cannot_be_solved_is_told():
    found, _ = lemke(np.array([[-1.0]]), np.array([-1.0]))
    assert not found


@given(st.integers(0, 10_000))
def test_friction_is_coulombs(seed):
    random = np.random.default_rng(seed)
    rows = random.normal(size=(4, 3))
    g = rows @ rows.T
    velocity = rows @ random.normal(size=3)
    mu = np.array([0.3, 0.3])
    found, impulses = friction_problem(g, velocity, np.array([0, 2]), np.array([1, 1]), mu)
    if not found:
        return
    after = g @ impulses + velocity
    for tangential, normal in ((0, 1), (2, 3)):
        assert impulses[normal] >= -1e-9
        assert after[normal] >= -1e-7
        assert abs(impulses[tangential]) <= 0.3 * impulses[normal] + 1e-9
        if abs(after[tangential]) > 1e-6:
            assert np.isclose(impulses[tangential], -np.sign(after[tangential]) * 0.3 * impulses[normal], atol=1e-7)
