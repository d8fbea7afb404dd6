import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.spatial.transform import Rotation

from chrono_powercontact.chrono.contact.last_step import (
    WIDTH,
    between,
    body_ways,
    keep_springs,
    keep_step,
    last_step,
    spin_between,
    work_of_step,
)

NUMBER = st.floats(-3.0, 3.0)


def packed(rng, bodies=2):
    """Packed states with unit quaternions, and velocities."""
    x = rng.normal(size=(bodies, 7))
    x[:, 3:] /= np.linalg.norm(x[:, 3:], axis=1)[:, None]
    return x.ravel(), rng.normal(size=6 * bodies)


def turn(x, body):
    """Rotation matrix of a body."""
    e = x[7 * body + 3 : 7 * body + 7]
    return Rotation.from_quat([*e[1:], e[0]]).as_matrix()


@given(st.integers(0, 10**6))
def test_the_work_and_the_loss_of_a_step_are_those_of_its_momenta(seed):
    rng = np.random.default_rng(seed)
    x, w = packed(rng)
    kept, q, others = np.zeros(2 * WIDTH), rng.normal(size=12), rng.normal(size=12)
    keep_step(kept, x, w, q)
    last = last_step.py_func(kept)
    last.mass[:] = rng.uniform(0.1, 3.0, 2)
    roots = rng.normal(size=(2, 3, 3))
    inertia = roots @ roots.transpose(0, 2, 1)
    last.inertia[:] = inertia.ravel()
    ahead, h = rng.normal(size=12), rng.uniform(1e-4, 1e-2)
    keep_springs(kept, others)
    work, of_springs, taken = work_of_step(kept, ahead, h)
    change = (ahead - w).reshape(2, 6)
    loss = sum(
        0.5 * last.mass[i] * change[i, :3] @ change[i, :3] + 0.5 * change[i, 3:] @ inertia[i] @ change[i, 3:]
        for i in range(2)
    )
    assert work == pytest.approx(h * q @ ahead)
    assert of_springs == pytest.approx(h * (q - others) @ ahead)
    assert taken == pytest.approx(loss)
    assert taken >= 0.0


@given(st.integers(0, 10**6), st.tuples(NUMBER, NUMBER, NUMBER))
def test_points_move_with_the_poses_of_the_start(seed, point):
    rng = np.random.default_rng(seed)
    x, w = packed(rng)
    ahead = rng.normal(size=12)
    ways = body_ways(np.append(x, w), ahead)
    moves, spins = [], []
    for v in (ahead, w - ahead):
        turning = [turn(x, body) @ v[6 * body + 3 : 6 * body + 6] for body in range(2)]
        arms = [np.array(point) - x[7 * body : 7 * body + 3] for body in range(2)]
        each = [v[6 * body : 6 * body + 3] + np.cross(turning[body], arms[body]) for body in range(2)]
        moves.append(each[0] - each[1])
        spins.append(turning[0] - turning[1])
    assert between(ways, 0, 1, point, 3) == pytest.approx(moves[0])
    assert between(ways, 0, 1, point, 9) == pytest.approx(moves[1])
    assert spin_between(ways, 0, 1, 6) == pytest.approx(spins[0])
    assert spin_between(ways, 0, 1, 12) == pytest.approx(spins[1])


def test_what_is_kept_is_what_was_given():
    x, w = packed(np.random.default_rng(1))
    kept, q = np.zeros(2 * WIDTH), np.arange(12.0)
    keep_step(kept, x, w, q)
    last = last_step.py_func(kept)
    np.testing.assert_array_equal(last.x, x)
    np.testing.assert_array_equal(last.w, w)
    np.testing.assert_array_equal(last.q, q)
    assert last.mass.size == 2
    assert last.inertia.size == 18
