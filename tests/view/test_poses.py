import numpy as np
import pytest
from scipy.spatial.transform import Rotation

from chrono_powercontact.view.poses import about, inverse, product, to_direction, turned

RNG = np.random.default_rng(3)
A, B = (Rotation.random(5, random_state=RNG) for _ in range(2))


def quaternions(rotation):
    return np.roll(rotation.as_quat(), 1, axis=1)


def same(p, q):
    assert np.abs((p * q).sum(axis=1)) == pytest.approx(np.ones(len(p)))


def test_products_and_inverses_are_those_of_scipy():
    same(product(quaternions(A), quaternions(B)), quaternions(A * B))
    same(inverse(quaternions(A)), quaternions(A.inv()))


def test_vectors_are_turned_as_by_scipy():
    v = RNG.normal(size=(5, 3))
    assert turned(quaternions(A), v) == pytest.approx(A.apply(v))


@pytest.mark.parametrize("direction", [(0, 0, 1), (0, 0, -1), (1, 0, 0), (0.6, -0.64, 0.48)])
def test_the_z_axis_goes_to_a_direction(direction):
    assert turned(to_direction(direction), (0.0, 0.0, 1.0)) == pytest.approx(direction, abs=1e-12)


def test_rotation_about_an_axis():
    assert turned(about((0.0, 1.0, 0.0), [np.pi / 2]), (0.0, 0.0, 1.0))[0] == pytest.approx([1.0, 0.0, 0.0])
