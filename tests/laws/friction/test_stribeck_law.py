import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import chrono_powercontact as pc
from chrono_powercontact.errors import ParameterError
from chrono_powercontact.laws.friction.anchor import anchored_force, easing, grip
from chrono_powercontact.laws.friction.friction_table import friction_record, static_friction
from chrono_powercontact.laws.friction.stribeck_law import measured_friction, stribeck_law

GROUND = pc.Restriction(s_0=2e-3, s_c=1e-3, r_f=400.0, r_d=3.0)
SPEEDS = [0.0, 0.01, 0.1, 1.0]
POINTS = [0.40, 0.35, 0.28, 0.25]


@stribeck_law
def falling(v, p):
    """A curve that falls with the speed."""
    return p.mu / (1.0 + 3.0 * v)


FALLING = falling(mu=0.4, v_c=1e-3)
MEASURED = measured_friction(SPEEDS, POINTS, v_c=1e-3)


def test_a_function_is_the_friction_coefficient_in_sliding():
    v = np.array([0.01, 0.5, 2.0])
    np.testing.assert_allclose(FALLING.force(v, 20.0), 20.0 * 0.4 / (1.0 + 3.0 * v), rtol=1e-7)
    assert FALLING.force(-0.5, 20.0) == pytest.approx(-20.0 * 0.4 / 2.5)
    assert FALLING.force(0.0, 20.0) == 0.0


def test_measured_points_are_met_and_the_ends_are_held():
    np.testing.assert_allclose(MEASURED.coefficient(SPEEDS), POINTS, rtol=1e-14)
    np.testing.assert_allclose(MEASURED.coefficient([1.0, 5.0, 100.0]), POINTS[-1], rtol=1e-14)
    np.testing.assert_allclose(MEASURED.force(SPEEDS[1:], 1.0), POINTS[1:], rtol=1e-3)
    late = measured_friction([0.1, 1.0], [0.3, 0.2], v_c=1e-3)
    np.testing.assert_allclose(late.coefficient([0.0, 0.05]), 0.3)


@given(st.lists(st.floats(0.05, 1.0), min_size=3, max_size=6), st.floats(0.0, 2.0))
@settings(max_examples=10, deadline=None)
def test_the_curve_never_leaves_the_range_of_its_neighbours(values, v):
    speeds = np.linspace(0.0, 2.0, len(values))
    law = measured_friction(speeds, values, v_c=1e-3)
    i = min(int(np.searchsorted(speeds, v, "right")), len(values) - 1)
    low, high = sorted((values[i - 1], values[i]))
    assert low - 1e-12 <= float(law.coefficient(v)) <= high + 1e-12


@pytest.mark.parametrize("law", [FALLING, MEASURED], ids=["function", "points"])
def test_compiled_engines_read_the_same_force(law):
    record = friction_record(law)
    for v in (0.0, 1e-3, 0.02, 3.0):
        assert static_friction(record, 7.0, 1.0, v) == pytest.approx(float(law.force(v, 7.0)), rel=1e-14)


@pytest.mark.parametrize("law", [FALLING, MEASURED], ids=["function", "points"])
def test_an_anchor_yields_at_rest_and_slides_on_the_curve_itself(law):
    slot = friction_record(law, pc.Anchor(5e-6, 0.0))["anchor"]
    rest = float(law.coefficient(0.0))
    assert grip(slot, 5e-6) == pytest.approx(rest, rel=1e-14)
    for v in (1e-3, 0.02, 0.5):
        (force,) = anchored_force(slot, 10.0, 5e-6, v)
        assert force == pytest.approx(10.0 * float(law.coefficient(v)), rel=1e-12)
        assert easing(slot, (5e-6, 0.0, 0.0), (v, 0.0, 0.0)) == pytest.approx(float(law.coefficient(v)) / rest)


def test_it_is_a_law_like_the_others():
    for memory in (None, pc.LPVFilter(1e-3, 1e-3), pc.Anchor()):
        assert pc.Material(GROUND, FALLING, memory).friction is FALLING
    assert falling(mu=0.4, v_c=1e-3) == FALLING
    assert falling(mu=0.3, v_c=1e-3) != FALLING
    assert measured_friction(SPEEDS, POINTS, v_c=1e-3) == MEASURED
    assert repr(FALLING) == "falling(mu=0.4, v_c=0.001)"
    assert falling.call == "falling(v_c=..., mu=...)"


@stribeck_law
def rising(v, p):
    return 0.2 + v


@stribeck_law
def sinking(v, p):
    return 0.2 - v


FEW = "speeds and coefficients must be two or more of each, got {} speeds and 1 coefficients"
UNNAMED = "give the parameters of law 'falling' by name, falling(v_c=..., mu=...), got (0.4, 0.001)"
QUARTER = "v_c must be at most a quarter of the least speed, 0.0025 m/s, got 0.01"


@pytest.mark.parametrize(
    ("build", "message"),
    [
        (lambda: falling(mu=0.4), "law 'falling' needs v_c, the speed in m/s up to which friction is rounded off"),
        (lambda: falling(v_c=1e-3), "law 'falling' needs a value for mu: call falling(mu=...)"),
        (lambda: falling(mu=0.4, v_c=0.0), "v_c must be greater than 0, got 0"),
        (lambda: falling(0.4, 1e-3), UNNAMED),
        (lambda: measured_friction([0.0], [0.4], 1e-3), FEW.format(1)),
        (lambda: measured_friction([0.0, 1.0], [0.4], 1e-3), FEW.format(2)),
        (lambda: measured_friction([1.0, 0.0], [0.4, 0.3], 1e-3), "speeds must rise from 0 or more, got [1.0, 0.0]"),
        (lambda: measured_friction([0.0, math.nan], [0.4, 0.3], 1e-3), "speeds must be a finite number, got nan"),
        (lambda: measured_friction([0.0, 1.0], [0.4, -0.3], 1e-3), "coefficients must be greater than 0, got -0.3"),
        (lambda: measured_friction(SPEEDS, POINTS, 0.01), QUARTER),
        (lambda: stribeck_law(lambda v: 0.1), "a Stribeck curve '<lambda>' must take (v, p), got (v)"),
    ],
)  # fmt: skip
def test_bad_curve_is_refused_by_name_and_value(build, message):
    with pytest.raises(ParameterError) as caught:
        build()
    assert str(caught.value) == message


def test_a_curve_that_would_drive_the_motion_is_refused():
    with pytest.raises(ParameterError, match=r"^curve .* gives -[\d.]+ at v = [\d.]+ m/s: it must be finite and not"):
        sinking(v_c=1e-3)


def test_a_curve_that_rises_above_rest_cannot_be_anchored():
    law = rising(v_c=1e-3)
    pc.Material(GROUND, law, pc.LPVFilter(1e-3, 1e-3))
    with pytest.raises(ParameterError, match=r"^behind an Anchor a Stribeck curve must not exceed its value at rest"):
        pc.Material(GROUND, law, pc.Anchor())
