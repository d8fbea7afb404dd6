import dataclasses
import math

import numpy as np
import pytest
import sympy as sp
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from chrono_powercontact.errors import ParameterError
from chrono_powercontact.laws.normal.restriction import Barrier, Restriction, RigidRestriction

NOT_ONCE = ": the activation would not rise and fall once"
MODEST = settings(max_examples=60, deadline=None)

BALL = Restriction(s_0=0.010, s_c=0.009, r_f=200.0, r_d=1.0)  # thesis, Table 3.1a
WALL = Barrier(s_0=0.10, s_c=0.08, r_f=1e4, r_d=0.05, thickness=0.20, s_c_back=-0.05)  # thesis, Table 3.2


@st.composite
def laws(draw, r_d=None):
    s_0 = draw(st.floats(-0.1, 0.1))
    width = draw(st.floats(1e-4, 1e-1))
    r_d = draw(st.floats(0.0, 50.0)) if r_d is None else r_d
    return Restriction(s_0, s_0 - width, draw(st.floats(0.1, 1e5)), r_d, draw(st.floats(0.5, 0.999)))


depths = st.floats(-2.0, 4.0)  # penetration in units of s_0 - s_c
speeds = st.floats(-20.0, 20.0)


def at(law, depth):
    return law.s_0 - depth * (law.s_0 - law.s_c)


def test_steepness_and_offset_of_the_thesis_ball():
    assert BALL.r_t == pytest.approx(5293.30, abs=0.005)
    assert BALL.r_c == pytest.approx(0.0095)


@given(laws())
@MODEST
def test_activation_between_the_two_distances_is_r_a(law):
    assert law.activation(law.s_0) == pytest.approx((1.0 - law.r_a) / 2.0, rel=1e-9)
    assert law.activation(law.s_c) == pytest.approx((1.0 + law.r_a) / 2.0, rel=1e-9)


@pytest.mark.parametrize(
    ("s", "v", "force"),
    [
        (0.0102, -1.0, 0.106475),
        (0.0100, -1.0, 0.880797),
        (0.0095, -1.0, 88.079708),
        (0.0095, 0.0, 50.0),
        (0.0095, 1.0, 11.920292),
        (0.0090, -1.0, 175.278619),
        (0.0080, 2.0, 3.597242),
    ],
)
def test_force_of_the_thesis_ball(s, v, force):
    assert BALL.force(s, v) == pytest.approx(force, abs=1e-6)


@given(laws(), depths, speeds)
@MODEST
def test_force_never_pulls_and_never_exceeds_r_f(law, depth, v):
    assert 0.0 <= law.force(at(law, depth), v) <= law.r_f


@given(laws(), depths, depths, speeds, speeds)
@MODEST
def test_force_grows_with_depth_and_with_approach(law, depth, other, v, w):
    shallow, deep = sorted((depth, other))
    fast, slow = sorted((v, w))
    assert law.force(at(law, deep), v) >= law.force(at(law, shallow), v)
    assert law.force(at(law, depth), fast) >= law.force(at(law, depth), slow)


@given(laws(), depths, speeds)
@MODEST
def test_contact_never_makes_energy(law, depth, v):
    assert law.dissipated_power(at(law, depth), v) >= 0.0


@given(laws(), depths, speeds)
@MODEST
def test_power_taken_from_the_body_is_stored_or_dissipated(law, depth, v):
    s = at(law, depth)
    balance = law.force(s, 0.0) * v - law.dissipated_power(s, v)
    assert law.force(s, v) * v == pytest.approx(balance, rel=1e-12, abs=1e-12 * law.r_f * abs(v))


@given(laws(), depths)
@MODEST
def test_force_at_rest_is_the_slope_of_the_potential(law, depth):
    s, h = at(law, depth), 1e-4 / law.r_t
    slope = (law.potential(s + h) - law.potential(s - h)) / (2.0 * h)
    assert law.force(s, 0.0) == pytest.approx(-slope, abs=1e-6 * law.r_f)


@given(laws(), depths, speeds)
@MODEST
def test_force_is_the_derivative_of_the_power_function(law, depth, v):
    s, h = at(law, depth), 1e-4 / (1.0 + law.r_d)
    slope = (law.power(s, v + h) - law.power(s, v - h)) / (2.0 * h)
    assert law.force(s, v) == pytest.approx(slope, abs=1e-6 * law.r_f)


def test_thesis_power_function_derived_by_sympy_gives_the_force():
    s, v = sp.symbols("s v", real=True)
    r_t, r_c, r_f, r_d = sp.symbols("r_t r_c r_f r_d", positive=True)
    activation = (1 - sp.tanh(r_t * (s - r_c))) / 2
    power = activation * (v / 2 - sp.log(sp.cosh(r_d * v)) / (2 * r_d)) * r_f  # (3.9)
    force = activation * (1 - sp.tanh(r_d * v)) / 2 * r_f  # (3.12)
    derived = sp.diff(power, v)
    assert sp.simplify((derived - force).rewrite(sp.exp)) == 0

    law = Restriction(0.010, 0.009, 200.0, 0.7)
    values = {r_t: law.r_t, r_c: law.r_c, r_f: law.r_f, r_d: law.r_d}
    for place in [(0.0101, -2.0), (0.0096, -0.3), (0.0092, 0.0), (0.0085, 1.5)]:
        point = dict(zip((s, v), place, strict=True))
        assert law.power(*place) == pytest.approx(float(power.subs(values).subs(point)), rel=1e-12)
        assert law.force(*place) == pytest.approx(float(derived.subs(values).subs(point)), rel=1e-12)


def test_power_is_negative_on_approach_and_positive_on_separation():
    v = np.array([-3.0, -0.1, 0.1, 3.0])
    assert np.all(np.sign(BALL.power(0.0093, v)) == np.sign(v))
    assert BALL.power(0.0093, 0.0) == 0.0


@given(laws(r_d=0.0), depths, speeds)
@MODEST
def test_elastic_contact_ignores_the_speed(law, depth, v):
    s = at(law, depth)
    half = 0.5 * law.r_f * law.activation(s)
    assert law.force(s, v) == pytest.approx(half, rel=1e-14)
    assert law.power(s, v) == pytest.approx(half * v, rel=1e-14)
    assert law.dissipated_power(s, v) == 0.0


@given(laws(r_d=math.inf), depths, speeds)
@MODEST
def test_plastic_contact_resists_only_the_approach(law, depth, v):
    assume(abs(v) > 1e-9)
    s = at(law, depth)
    full = law.r_f * law.activation(s)
    assert law.force(s, v) == pytest.approx(full if v < 0.0 else 0.0, rel=1e-14)
    assert law.power(s, v) == pytest.approx(full * v if v < 0.0 else 0.0, rel=1e-12, abs=1e-9)
    assert law.dissipated_power(s, v) == pytest.approx(0.5 * full * abs(v), rel=1e-14)


def test_plastic_contact_at_rest_carries_half_of_r_f():
    law = dataclasses.replace(BALL, r_d=math.inf)
    assert law.force(law.r_c, 0.0) == pytest.approx(50.0)
    assert law.power(law.r_c, 0.0) == 0.0


@pytest.mark.parametrize(("nearly", "limit"), [(1e-12, 0.0), (1e12, math.inf)])
def test_limits_are_reached_continuously(nearly, limit):
    v = np.array([-5.0, -0.01, 0.01, 5.0])
    close, ideal = dataclasses.replace(BALL, r_d=nearly), dataclasses.replace(BALL, r_d=limit)
    np.testing.assert_allclose(close.force(0.0093, v), ideal.force(0.0093, v), atol=1e-8)
    np.testing.assert_allclose(close.power(0.0093, v), ideal.power(0.0093, v), atol=1e-8)


def test_without_strength_there_is_no_constraint():
    law = dataclasses.replace(BALL, r_f=0.0)
    assert law.force(0.0, -5.0) == 0.0
    assert law.potential(0.0) == 0.0


@given(st.floats(1.0, 1e5), st.floats(-0.1, 0.1), st.floats(0.1, 0.999))
@MODEST
def test_law_from_steepness_has_that_steepness_and_offset(r_t, r_c, r_a):
    law = Restriction.from_steepness(r_t, r_c, 50.0, 1.5, r_a)
    assert law.r_t == pytest.approx(r_t, rel=1e-9)
    assert law.r_c == pytest.approx(r_c, abs=1e-15)
    assert (law.r_f, law.r_d, law.r_a) == (50.0, 1.5, r_a)


@given(laws())
@MODEST
def test_stiffness_is_the_steepest_slope_of_the_force_at_rest(law):
    s = law.r_c + np.linspace(-3.0, 3.0, 1201) / law.r_t
    steepest = np.max(-np.gradient(law.force(s, 0.0), s))
    assert law.stiffness == pytest.approx(steepest, rel=1e-4)


def test_ball_under_gravity_rests_at_the_known_distance():
    law = Restriction(s_0=0.010, s_c=0.0095, r_f=20.0, r_d=5.9)  # thesis, Table 3.1b
    distance = law.rest_distance(0.05 * 9.81)
    assert distance == pytest.approx(9.890018e-3, abs=5e-10)
    assert law.force(distance, 0.0) == pytest.approx(0.4905, rel=1e-10)


def test_light_body_rests_outside_s_0():
    pendulum = Restriction(s_0=0.010, s_c=0.006, r_f=400.0, r_d=4.0)  # thesis, Table 3.3
    assert pendulum.rest_distance(0.981) == pytest.approx(10.0073e-3, abs=5e-8)


@given(laws(), st.floats(1e-6, 0.499999))
@MODEST
def test_rest_distance_carries_the_load(law, share):
    load = share * law.r_f
    assert law.force(law.rest_distance(load), 0.0) == pytest.approx(load, rel=1e-6)


@pytest.mark.parametrize("load", [-1.0, 0.0, 100.0, 150.0, math.nan, math.inf])
def test_no_rest_under_a_load_the_contact_cannot_carry(load):
    with pytest.raises(ParameterError, match=rf"^load must lie between 0 and r_f/2 = 100 N, got {load:g}$"):
        BALL.rest_distance(load)


def test_rigid_activation_jumps_at_s_0():
    law = RigidRestriction(s_0=0.01, r_f=20.0, r_d=5.9)
    s = np.array([-1.0, 0.0, 0.01 - 1e-15, 0.01, 0.01 + 1e-15, 1.0])
    np.testing.assert_array_equal(law.activation(s), [1.0, 1.0, 1.0, 0.5, 0.0, 0.0])


def test_rigid_contact_resists_with_the_full_power_function():
    law = RigidRestriction(s_0=0.01, r_f=20.0, r_d=5.9)
    v = np.array([-0.2, 0.0, 0.2])
    np.testing.assert_allclose(law.force(0.005, v), 10.0 * (1.0 - np.tanh(5.9 * v)), rtol=1e-14)
    np.testing.assert_array_equal(law.force(0.011, v), 0.0)


def test_rigid_potential_is_half_of_r_f_times_the_penetration():
    law = RigidRestriction(s_0=0.01, r_f=20.0, r_d=5.9)
    np.testing.assert_allclose(law.potential([-0.03, 0.0, 0.01, 0.5]), [0.4, 0.1, 0.0, 0.0], atol=1e-15)


def test_rigid_is_the_limit_of_a_thin_transition():
    rigid, thin = RigidRestriction(0.01, 20.0, 5.9), Restriction(0.01, 0.01 - 1e-9, 20.0, 5.9)
    s, v = np.meshgrid([0.0, 0.009, 0.0099, 0.0101, 0.02], [-1.0, 0.0, 1.0])
    np.testing.assert_allclose(thin.force(s, v), rigid.force(s, v), atol=1e-9)
    np.testing.assert_allclose(thin.potential(s), rigid.potential(s), atol=1e-7)


def test_wall_steepness_and_offset_of_the_back():
    assert WALL.r_t == pytest.approx(264.665, abs=5e-4)
    assert WALL.r_t_back == pytest.approx(105.866, abs=5e-4)
    assert WALL.s_0_back == pytest.approx(-0.10)
    assert WALL.r_c_back == pytest.approx(-0.075)


def test_wall_acceleration_is_that_of_the_thesis():
    s, v = np.meshgrid(np.linspace(-0.15, 0.15, 61), [-270.0, -10.0, 0.0, 30.0])
    front, back = np.tanh(WALL.r_t * (s - 0.09)), np.tanh(WALL.r_t_back * (s + 0.075))
    wanted = 1e4 / (4.0 * 0.05) * (back - front) * (1.0 - np.tanh(0.05 * v))  # (3.32)
    np.testing.assert_allclose(WALL.force(s, v) / 0.05, wanted, rtol=1e-9, atol=1e-6)


def test_wall_force_stays_within_r_f_and_ends_behind_the_wall():
    s, v = np.meshgrid(np.linspace(-1.0, 1.0, 4001), [-300.0, 0.0, 300.0])
    force = WALL.force(s, v)
    assert force.min() >= -1e-15 * WALL.r_f
    assert force.max() <= WALL.r_f
    np.testing.assert_allclose(WALL.force(-0.5, [-300.0, 0.0, 300.0]), 0.0, atol=1e-30)
    assert WALL.activation(0.0) == pytest.approx(1.0, abs=1e-6)


def test_wall_as_steep_behind_as_in_front_never_pulls():
    wall = Barrier(s_0=0.10, s_c=0.08, r_f=1e4, r_d=0.05, thickness=0.20, s_c_back=-0.08)
    assert wall.force(np.linspace(-1.0, 1.0, 4001), -30.0).min() >= 0.0


def test_wall_force_at_rest_is_the_slope_of_its_potential():
    s, h = np.linspace(-0.2, 0.2, 81), 1e-6
    slope = (WALL.potential(s + h) - WALL.potential(s - h)) / (2.0 * h)
    np.testing.assert_allclose(WALL.force(s, 0.0), -slope, atol=1e-5 * WALL.r_f)


def test_wall_stores_a_finite_energy():
    assert WALL.potential(-1.0) == pytest.approx(0.5 * 1e4 * (0.09 + 0.075), rel=1e-12)
    assert WALL.potential(1.0) == pytest.approx(0.0, abs=1e-12)


def test_wall_front_equals_the_plain_restriction():
    front = Restriction(0.10, 0.08, 1e4, 0.05)
    s = np.linspace(0.05, 0.2, 31)
    np.testing.assert_allclose(WALL.force(s, -20.0), front.force(s, -20.0), rtol=1e-9, atol=1e-6)


def test_laws_take_arrays_of_both_arguments():
    s, v = np.array([0.0095, 0.0095]), np.array([-1.0, 1.0])
    assert BALL.force(s[:, None], v).shape == (2, 2)
    np.testing.assert_allclose(BALL.force(s, v), [88.079708, 11.920292], atol=1e-6)


def test_law_cannot_be_changed():
    with pytest.raises(dataclasses.FrozenInstanceError):
        BALL.r_f = 1.0


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"s_c": 0.010}, "s_c must be less than s_0, got s_c=0.01 and s_0=0.01"),
        ({"s_c": 0.011}, "s_c must be less than s_0, got s_c=0.011 and s_0=0.01"),
        ({"s_0": math.nan}, "s_0 must be a finite number, got nan"),
        ({"s_c": -math.inf}, "s_c must be a finite number, got -inf"),
        ({"r_f": -1.0}, "r_f must not be negative, got -1"),
        ({"r_f": math.inf}, "r_f must be a finite number, got inf"),
        ({"r_f": math.nan}, "r_f must be a finite number, got nan"),
        ({"r_d": -0.5}, "r_d must not be negative, got -0.5"),
        ({"r_d": math.nan}, "r_d must be a finite number, got nan"),
        ({"r_d": -math.inf}, "r_d must be a finite number, got -inf"),
        ({"r_a": 0.0}, "r_a must lie between 0 and 1, got 0"),
        ({"r_a": 1.0}, "r_a must lie between 0 and 1, got 1"),
        ({"r_a": math.nan}, "r_a must be a finite number, got nan"),
        ({"r_f": "strong"}, "r_f must be a number, got 'strong'"),
    ],
)
def test_bad_restriction_is_refused_by_name_and_value(change, message):
    with pytest.raises(ParameterError) as caught:
        dataclasses.replace(BALL, **change)
    assert str(caught.value) == message


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"s_0": math.inf}, "s_0 must be a finite number, got inf"),
        ({"r_f": -2.0}, "r_f must not be negative, got -2"),
        ({"r_d": -2.0}, "r_d must not be negative, got -2"),
    ],
)
def test_bad_rigid_restriction_is_refused(change, message):
    with pytest.raises(ParameterError) as caught:
        RigidRestriction(**{"s_0": 0.01, "r_f": 20.0, "r_d": 1.0, **change})
    assert str(caught.value) == message


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"thickness": 0.0}, "thickness must be greater than 0, got 0"),
        ({"thickness": -0.2}, "thickness must be greater than 0, got -0.2"),
        ({"s_c_back": math.nan}, "s_c_back must be a finite number, got nan"),
        ({"s_c_back": -0.11}, "s_c_back must lie between s_0 - thickness = -0.1 and s_c = 0.08, got -0.11" + NOT_ONCE),
        ({"s_c_back": 0.08}, "s_c_back must lie between s_0 - thickness = -0.1 and s_c = 0.08, got 0.08" + NOT_ONCE),
        ({"s_c": 0.2}, "s_c must not exceed s_0, got s_c=0.2 and s_0=0.1"),
    ],
)
def test_bad_wall_is_refused(change, message):
    with pytest.raises(ParameterError) as caught:
        dataclasses.replace(WALL, **change)
    assert str(caught.value) == message


@pytest.mark.parametrize("r_t", [0.0, -10.0, math.nan])
def test_bad_steepness_is_refused(r_t):
    with pytest.raises(ParameterError, match=f"^r_t must be .*, got {r_t:g}$"):
        Restriction.from_steepness(r_t, 0.0, 1.0, 1.0)


def test_a_wall_with_unlike_sides_pulls_less_than_the_share_left_out():
    wall = Barrier(0.1, 0.0999, 1e4, 0.05, thickness=0.1, s_c_back=0.09)
    pull = wall.force(np.linspace(0.1, 0.2, 1001), 0.0).min()
    assert -0.005 * 1e4 < pull < 0.0


def test_an_impossible_share_is_refused_before_it_is_used():
    with pytest.raises(ParameterError, match="r_a must lie between 0 and 1, got 1"):
        Restriction.from_steepness(100.0, 0.0, 1.0, 1.0, r_a=1.0)


def test_a_wall_may_have_rigid_sides():
    """(3.25): the limit of ever steeper sides, in any mixture."""
    s = np.linspace(-0.2, 0.2, 801)
    s = s[(np.abs(s - 0.1) > 1e-6) & (np.abs(s + 0.1) > 1e-6)]
    rigid = dataclasses.replace(WALL, s_c=0.10, s_c_back=-0.1)
    np.testing.assert_array_equal(rigid.activation(s), (np.sign(s + 0.1) - np.sign(s - 0.1)) / 2.0)
    front = dataclasses.replace(WALL, s_c=0.10)
    steep = dataclasses.replace(WALL, s_c=0.10 - 1e-9)
    np.testing.assert_allclose(front.activation(s), steep.activation(s), atol=1e-12)
    assert np.all(np.isfinite(rigid.potential(s)))
    assert rigid.potential(-0.05) == pytest.approx(0.5 * 1e4 * 0.15, rel=1e-12)
