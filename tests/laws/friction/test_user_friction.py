"""A user law of friction: the same as the built-in one of the same formula, and refused where it is wrong."""

import dataclasses
import math

import numpy as np
import pytest

from chrono_powercontact.errors import ParameterError
from chrono_powercontact.laws.friction.anchor import Anchor, anchored_force, fall, grip
from chrono_powercontact.laws.friction.dissipation import Friction
from chrono_powercontact.laws.friction.friction_law import FrictionLaw
from chrono_powercontact.laws.friction.friction_table import (
    ANCHORED,
    USER,
    filtered_friction,
    friction_record,
    static_friction,
    static_slopes,
)
from chrono_powercontact.laws.friction.memory import LPVFilter, LTIFilter
from chrono_powercontact.laws.friction.user_friction import FrictionDefinition, friction_law
from chrono_powercontact.laws.material import Material
from chrono_powercontact.laws.normal.restriction import Restriction

BUILT_IN = Friction(mu_c=0.25, mu_s=0.40, v_c=0.01, v_s=0.02)
NUMBERS = {"c": 0.25, "v_c": 0.01, "delta": BUILT_IN.curve.delta, "v_s": 0.02}
SPEEDS = (0.0, 1e-6, 0.003, 0.01, 0.025, 0.1, 3.0)
LOADS = (0.0, 0.3, 5.0, 2e3)


def slope(v, n, p):
    y = v / p.v_s
    e = math.exp(-2.0 * v / p.v_c)
    sech2 = 4.0 * e / (1.0 + e) ** 2
    return n * p.c * sech2 / p.v_c + n * p.delta * (1.0 - y * y) * math.exp(0.5 - 0.5 * y * y) / p.v_s


def stribeck(v, n, p):
    y = v / p.v_s
    return n * (p.c * np.tanh(v / p.v_c) + p.delta * y * np.exp(0.5 - 0.5 * y * y))


def coulomb(v, n, p):
    return p.mu * n * np.tanh(v / p.v_c)


PLAIN = friction_law(stribeck)(**NUMBERS)
EXACT = friction_law(slope=slope)(stribeck)(**NUMBERS)

every_law = pytest.mark.parametrize("law", [PLAIN, EXACT], ids=["plain", "exact"])


@every_law
def test_force_is_that_of_the_built_in_law_of_the_same_formula(law):
    own, built_in = friction_record(law), friction_record(BUILT_IN)
    assert own["kind"] == USER
    for v in SPEEDS:
        for n in LOADS:
            wanted = pytest.approx(static_friction(built_in, n, 1.0, v), rel=1e-14, abs=1e-300)
            assert static_friction(own, n, 1.0, v) == wanted
            assert float(law.force(v, n)) == wanted


def test_forces_are_odd_in_the_speed_and_taken_over_arrays():
    v, n = np.meshgrid(SPEEDS, LOADS)
    np.testing.assert_allclose(PLAIN.force(v, n), BUILT_IN.force(v, n), rtol=1e-14)
    np.testing.assert_array_equal(PLAIN.force(-v, n), -PLAIN.force(v, n))
    np.testing.assert_allclose(PLAIN.force(np.array(SPEEDS)), BUILT_IN.force(SPEEDS, 1.0), rtol=1e-14)


def test_a_slope_that_is_given_is_that_of_the_built_in_law():
    own, built_in = friction_record(EXACT), friction_record(BUILT_IN)
    for v in SPEEDS:
        for n in LOADS:
            wanted = static_slopes(built_in, n, 1.0, v)
            np.testing.assert_allclose(static_slopes(own, n, 1.0, v), wanted, rtol=1e-11, atol=1e-290)


def test_a_slope_that_is_not_given_is_a_difference_of_the_force():
    own, built_in = friction_record(PLAIN), friction_record(BUILT_IN)
    for v in SPEEDS:
        for n in LOADS:
            wanted = static_slopes(built_in, n, 1.0, v)
            np.testing.assert_allclose(static_slopes(own, n, 1.0, v), wanted, rtol=2e-5, atol=2e-5 * n)


@pytest.mark.parametrize("memory", [None, LTIFilter(0.03), LPVFilter(0.03, 0.02)], ids=["none", "lti", "lpv"])
def test_behind_a_filter_it_is_the_built_in_law(memory):
    v, held, earlier = (0.003, -0.004, 0.0), (0.5, 0.2, -0.1), (0.1, 0.3, 0.2)
    results = [
        filtered_friction(friction_record(law, memory), 5.0, 1.0, v, held, earlier, 0.4, 1e-2)
        for law in (PLAIN, BUILT_IN)
    ]
    for own, built_in in zip(*results, strict=True):
        np.testing.assert_allclose(own, built_in, rtol=1e-13, atol=1e-15)


def test_the_peak_is_where_the_curve_is_largest():
    speed, force = PLAIN.peak()
    fine = BUILT_IN.force(np.linspace(0.0, 0.1, 100001), 1.0)
    assert force == pytest.approx(fine.max(), rel=2e-3)
    assert 0.015 < speed < 0.03


def test_with_an_anchor_it_holds_up_to_its_own_peak():
    record = friction_record(PLAIN, Anchor(5e-6, 1e-4))
    slot = record["anchor"]
    assert record["kind"] == ANCHORED
    assert slot["user"]["force"] != 0
    assert (slot["limit"], slot["tau"]) == (5e-6, 1e-4)
    assert grip(slot, 5e-6) == pytest.approx(PLAIN.peak()[1], rel=1e-12)
    assert 0.0 < anchored_force(slot, 10.0, 1e-6, 0.0)[0] < 10.0 * PLAIN.peak()[1]


def test_a_dragged_anchor_follows_the_fall_of_the_law_below_its_peak():
    slot = friction_record(PLAIN, Anchor(5e-6, 0.0))["anchor"]
    speed, force = PLAIN.peak()
    for u in (0.0, 0.01, 0.05, 1.0):
        sliding = float(PLAIN.force(speed + u, 1.0)) / float(PLAIN.force(speed, 1.0))
        assert 1.0 - fall(slot, u) == pytest.approx(min(sliding, 1.0), rel=1e-12)
        pulled = anchored_force(slot, 10.0, 5e-6, u)[0]
        assert pulled == pytest.approx(10.0 * force * min(sliding, 1.0), rel=1e-9)


def test_a_law_without_a_fall_is_dragged_with_its_peak():
    slot = friction_record(friction_law(coulomb)(mu=0.3, v_c=1e-3), Anchor(5e-6, 0.0))["anchor"]
    for u in (0.0, 0.01, 1.0):
        assert anchored_force(slot, 10.0, 5e-6, u)[0] == pytest.approx(3.0, rel=1e-3)


def test_a_law_without_friction_has_nothing_for_an_anchor_to_hold():
    message = r"law coulomb\(mu=0, v_c=0.001\) is nowhere positive, so an anchor has nothing to hold"
    with pytest.raises(ParameterError, match=message):
        friction_record(friction_law(coulomb)(mu=0.0, v_c=1e-3), Anchor())


def test_it_is_a_friction_law_for_a_material_with_any_memory():
    assert isinstance(PLAIN, FrictionLaw)
    for memory in (None, LTIFilter(1e-3), LPVFilter(1e-3, 1e-3), Anchor()):
        assert Material(Restriction(0.0, -1e-3, 100.0, 1.0), PLAIN, memory).friction is PLAIN


def test_it_may_be_used_as_a_decorator_with_and_without_arguments():
    @friction_law
    def one(v, n, p):
        return p.mu * n

    @friction_law(slope=slope)
    def two(v, n, p):
        return p.c * n * v

    assert isinstance(one, FrictionDefinition)
    assert one(mu=0.3).force(1.0, 10.0) == 3.0
    assert two(**NUMBERS).force(2.0, 10.0) == 5.0


def test_a_law_needs_no_numbers():
    @friction_law
    def fixed(v, n, p):
        return 0.1 * n * np.tanh(v / 1e-3)

    law = fixed()
    assert law.force(1.0, 10.0) == pytest.approx(1.0)
    assert repr(law) == "fixed()"
    assert static_friction(friction_record(law), 10.0, 1.0, 1.0) == pytest.approx(1.0)


def test_it_shows_itself_by_its_name_and_numbers():
    assert repr(friction_law(coulomb)(mu=0.3, v_c=1e-3)) == "coulomb(mu=0.3, v_c=0.001)"


def test_laws_with_equal_functions_and_numbers_are_equal():
    definition = friction_law(coulomb)
    law = definition(mu=0.3, v_c=1e-3)
    assert law == definition(mu=0.3, v_c=1e-3) == friction_law(coulomb)(mu=0.3, v_c=1e-3)
    assert hash(law) == hash(definition(mu=0.3, v_c=1e-3))
    assert law != definition(mu=0.4, v_c=1e-3)
    assert PLAIN != EXACT
    assert law == definition(v_c=1e-3, mu=0.3)


def test_it_cannot_be_changed():
    with pytest.raises(dataclasses.FrozenInstanceError):
        PLAIN.values = ()


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: friction_law(coulomb)(mu=0.3), r"^law 'coulomb' needs a value for v_c: call coulomb\(v_c=...\)$"),
        (lambda: friction_law(coulomb)(mu=math.nan, v_c=1.0), "^mu of law 'coulomb' must be a finite number, got nan$"),
        (lambda: friction_law(lambda v, n: n), r"a friction law '<lambda>' must take \(v, n, p\), got \(v, n\)"),
        (lambda: friction_law("mu"), r"a friction law must be a Python function of \(v, n, p\), got 'mu'"),
        (lambda: friction_law(slope=lambda v: 0.0)(coulomb), r"the slope of a friction law '<lambda>' must take"),
        (
            lambda: friction_law(coulomb)(mu=0.3, v_c=1.0, **{f"n{i}": 0.0 for i in range(11)}),
            "law 'coulomb' may have at most 12 numbers, got 13",
        ),
    ],
)
def test_a_wrong_law_is_refused(make, message):
    with pytest.raises(ParameterError, match=message):
        make()


def test_a_law_that_gives_not_a_number_is_refused_with_the_place():
    def endless(v, n, p):
        return n / v * 0.0

    with pytest.raises(ParameterError) as caught:
        friction_law(endless)()
    assert str(caught.value) == "law endless() gives nan at v = 0 m/s and n = 0 N: a law must be finite everywhere"


def test_a_law_that_does_not_compile_is_named_with_its_line():
    @friction_law
    def wordy(v, n, p):
        return str(p)

    with pytest.raises(ParameterError, match=r"^law 'wordy' must return one number, but 'wordy' at line \d+ of "):
        wordy(mu=0.3)
