import numpy as np
import pytest

from chrono_powercontact.scenarios.toss.chrono_toss import chrono_ensemble
from chrono_powercontact.scenarios.toss.rigid_toss import rigid_ensemble
from chrono_powercontact.scenarios.toss.simulated_tosses import SAMPLE
from chrono_powercontact.scenarios.toss.toss_body import TossedCube, toss_records
from chrono_powercontact.scenarios.toss.toss_kernel import QUATERNION, SIZE, V, X
from chrono_powercontact.scenarios.toss.toss_rivals import paired_test

CUBE = TossedCube(0.2, 0.0, (2.5e-3, 2.5e-3))
SPEED = 0.5
LENGTH = SPEED**2 / (2.0 * CUBE.mu * CUBE.gravity)


def sliding():
    state = np.zeros((2, SIZE))
    state[:, [X + 2, QUATERNION, V]] = 0.0508, 1.0, SPEED
    return state


def test_a_rigid_cube_slides_as_far_as_coulomb_says():
    run = rigid_ensemble(toss_records([CUBE]), (CUBE.mu, 0.0), sliding(), np.array([0, 60, 120]), SAMPLE)
    assert run[[59, 119], X] == pytest.approx(LENGTH, rel=0.02)
    assert np.abs(run[59, V:]).max() < 1e-6


def test_a_rigid_cube_bounces_as_newton_says():
    state = sliding()[:1]
    state[0, [X + 2, V]] = 0.1508, 0.0
    run = rigid_ensemble(toss_records([CUBE]), (0.2, 0.5), state, np.array([0, 40]), SAMPLE, 40)
    landed = int(np.argmin(run[:, X + 2]))
    assert run[landed:, X + 2].max() - 0.0508 == pytest.approx(0.1 * 0.5**2, rel=0.03)


@pytest.mark.chrono
@pytest.mark.parametrize("kind", ["smc", "nsc"])
def test_a_cube_slides_on_chrono_as_far_as_coulomb_says(kind):
    run = chrono_ensemble(kind, CUBE, sliding(), np.array([0, 60, 120]), SAMPLE)
    assert run[[59, 119], X] == pytest.approx(LENGTH, rel=0.05)
    assert run[59, X + 2] == pytest.approx(0.0508, abs=1e-3)


def test_the_paired_test_sees_a_shift_and_no_noise():
    draw = np.random.default_rng(0)
    errors = draw.uniform(1.0, 10.0, 200)
    assert paired_test(errors, errors + draw.normal(0.5, 1.0, 200)) < 1e-4
    assert paired_test(errors, errors + draw.normal(0.0, 1.0, 200)) > 0.05
