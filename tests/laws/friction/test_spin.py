import math

import numpy as np
import pytest

from chrono_powercontact.errors import ParameterError
from chrono_powercontact.laws import Anchor, LTIFilter, SpinFriction
from chrono_powercontact.laws.friction.anchor import LIMIT, TAU, D, anchored_force, fall, grip, moved_anchor
from chrono_powercontact.laws.rows import ANCHORED, FRICTION_WIDTH, friction_row

ARM = 2e-3


def test_row_is_an_anchor_without_stribeck_and_viscous_part():
    row = friction_row(SpinFriction(ARM, Anchor(2e-4, 3e-4)))
    assert row.shape == (FRICTION_WIDTH,)
    assert (row[0], row[LIMIT], row[TAU], row[D]) == (ANCHORED, 2e-4, 3e-4, 0.0)
    assert fall(row, 10.0) == 0.0


def test_moment_at_the_limit_is_the_normal_force_times_the_arm():
    row = friction_row(SpinFriction(ARM))
    assert grip(row, row[LIMIT]) == pytest.approx(ARM, rel=1e-14)
    for omega in (0.01, 1.0, 100.0):
        assert anchored_force(row, 50.0, row[LIMIT], omega)[0] == pytest.approx(50.0 * ARM, rel=1e-12)


@pytest.mark.parametrize("share", [0.1, 0.5, 0.9])
def test_smaller_moments_are_held_at_rest(share):
    row = friction_row(SpinFriction(ARM))
    angle = row[LIMIT] / 4.0 * math.atanh(share * math.tanh(4.0))
    assert anchored_force(row, 50.0, angle, 0.0)[0] == pytest.approx(share * 50.0 * ARM, rel=1e-12)


def test_rolling_moment_acts_along_the_spin_in_the_tangent_plane():
    row = friction_row(SpinFriction(ARM))
    turned = moved_anchor(row, (0.0, 0.0), (0.03, -0.04))
    np.testing.assert_allclose(anchored_force(row, 10.0, turned, (3.0, -4.0)), 10.0 * ARM * np.array((0.6, -0.8)))


@pytest.mark.parametrize(
    ("build", "message"),
    [
        (lambda: SpinFriction(0.0), "arm must be greater than 0, got 0"),
        (lambda: SpinFriction(-1e-3), "arm must be greater than 0, got -0.001"),
        (lambda: SpinFriction(math.inf), "arm must be a finite number, got inf"),
        (lambda: SpinFriction(ARM, None), "anchor must be an Anchor, got None"),
        (lambda: SpinFriction(ARM, LTIFilter(1e-3)), "anchor must be an Anchor, got LTIFilter(t_f=0.001)"),
    ],
)
def test_bad_spin_friction_is_refused_by_name_and_value(build, message):
    with pytest.raises(ParameterError) as caught:
        build()
    assert str(caught.value) == message
