import math

import numpy as np
import pytest

from chrono_powercontact.errors import ParameterError
from chrono_powercontact.laws.friction.anchor import Anchor, anchored_force, fall, grip, moved_anchor
from chrono_powercontact.laws.friction.friction_table import ANCHORED, FRICTION, friction_record
from chrono_powercontact.laws.friction.memory import LTIFilter
from chrono_powercontact.laws.friction.spin import SpinFriction

ARM = 2e-3


def test_record_is_an_anchor_without_stribeck_and_viscous_part():
    record = friction_record(SpinFriction(ARM, Anchor(2e-4, 3e-4)))
    slot = record["anchor"]
    assert record.dtype == FRICTION
    assert (record["kind"], slot["limit"], slot["tau"], slot["d"]) == (ANCHORED, 2e-4, 3e-4, 0.0)
    assert fall(slot, 10.0) == 0.0


def test_moment_at_the_limit_is_the_normal_force_times_the_arm():
    slot = friction_record(SpinFriction(ARM))["anchor"]
    assert grip(slot, slot["limit"]) == pytest.approx(ARM, rel=1e-14)
    for omega in (0.01, 1.0, 100.0):
        assert anchored_force(slot, 50.0, slot["limit"], omega)[0] == pytest.approx(50.0 * ARM, rel=1e-12)


@pytest.mark.parametrize("share", [0.1, 0.5, 0.9])
def test_smaller_moments_are_held_at_rest(share):
    slot = friction_record(SpinFriction(ARM))["anchor"]
    angle = slot["limit"] / 4.0 * math.atanh(share * math.tanh(4.0))
    assert anchored_force(slot, 50.0, angle, 0.0)[0] == pytest.approx(share * 50.0 * ARM, rel=1e-12)


def test_rolling_moment_acts_along_the_spin_in_the_tangent_plane():
    slot = friction_record(SpinFriction(ARM))["anchor"]
    turned = moved_anchor(slot, (0.0, 0.0), (0.03, -0.04))
    np.testing.assert_allclose(anchored_force(slot, 10.0, turned, (3.0, -4.0)), 10.0 * ARM * np.array((0.6, -0.8)))


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
