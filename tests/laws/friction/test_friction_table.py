import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from chrono_powercontact.errors import ParameterError
from chrono_powercontact.laws.friction.anchor import Anchor, anchor_pull, anchor_rate
from chrono_powercontact.laws.friction.dissipation import Dissipation, Friction, soft_norm
from chrono_powercontact.laws.friction.friction_table import (
    ABSENT,
    ANCHORED,
    DISSIPATION,
    FRICTION,
    LUGRE,
    SLOTS,
    STEP,
    USER,
    filtered_friction,
    followed,
    friction_point,
    friction_record,
    remembers,
    static_friction,
    static_pull,
    static_slopes,
)
from chrono_powercontact.laws.friction.lugre import LuGre
from chrono_powercontact.laws.friction.memory import LPVFilter, LTIFilter
from chrono_powercontact.laws.friction.spin import SpinFriction
from chrono_powercontact.laws.friction.step_friction import StepFriction
from chrono_powercontact.laws.friction.user_friction import friction_law
from chrono_powercontact.numerics.vectors import triple

MODEST = settings(max_examples=50, deadline=None)

STATIC = {
    "stribeck": Friction(mu_c=0.25, mu_s=0.30, v_c=0.01, v_s=0.02, d=3.0, eps=1e-4),
    "coulomb": Friction(mu_c=0.25, mu_s=0.25, v_c=0.01, eps=1e-4),
    "alone": Dissipation(f_c=1.0, f_s=1.4, v_c=0.005, v_s=0.01, d=0.1, eps=1e-6),
}
STEPPED = StepFriction(mu_s=0.65, mu_d=0.5, v_s=5e-3, v_d=1e-2)
MEMORIES = {"lti": LTIFilter(0.03), "lpv": LPVFilter(0.03, 0.02)}
SHARP = Friction(mu_c=0.25, mu_s=0.30, v_c=0.01, v_s=0.02, d=3.0)
BRISTLES = LuGre(f_c=0.25, f_s=0.3, v_s=0.02, k=2e3, d_k=5.0, d=0.4)

components = st.floats(-0.2, 0.2)
angles = st.floats(0.0, 2.0 * math.pi)


def push(record, n, a, v, memory=None):
    v = np.asarray(v, float)
    force, rate = np.full(v.size, np.nan), np.full(v.size, np.nan)
    friction_point(record, n, a, v, np.zeros(v.size) if memory is None else np.asarray(memory, float), force, rate)
    return force, rate


def turn(angle):
    c, s = math.cos(angle), math.sin(angle)
    return np.array([[c, -s], [s, c]])


@pytest.mark.parametrize("law", [*STATIC.values(), BRISTLES], ids=[*STATIC, "lugre"])
def test_friction_records_are_of_one_dtype(law):
    assert friction_record(law).dtype == FRICTION


@pytest.mark.parametrize("name", ["stribeck", "coulomb"])
@given(st.lists(components, min_size=1, max_size=3), st.floats(0.0, 100.0), st.floats(0.0, 1.0))
@MODEST
def test_static_record_gives_the_force_of_the_law_along_the_velocity(name, v, n, a):
    law = STATIC[name]
    force, rate = push(friction_record(law), n, a, v)
    speed = float(soft_norm(v, law.eps))
    np.testing.assert_allclose(force, law.force(speed, n, a) * np.array(v) / speed, rtol=1e-12, atol=1e-13)
    np.testing.assert_array_equal(rate, 0.0)


@pytest.mark.parametrize("v", [-0.05, -0.003, 0.0, 0.008, 0.2])
def test_static_record_without_rounding_gives_the_signed_scalar_law(v):
    force, _ = push(friction_record(SHARP), 7.0, 0.6, [v])
    assert force[0] == pytest.approx(float(SHARP.force(v, 7.0, 0.6)), rel=1e-12, abs=1e-15)


@pytest.mark.parametrize("v", [-0.05, 0.003, 0.2])
def test_record_of_a_law_standing_alone_gives_its_force_under_unit_normal_force(v):
    law = STATIC["alone"]
    force, _ = push(friction_record(law), 1.0, 1.0, [v])
    assert force[0] == pytest.approx(float(law.force(v)), rel=1e-6)


@pytest.mark.parametrize("law", [*STATIC.values(), SHARP, BRISTLES], ids=[*STATIC, "sharp", "lugre"])
def test_standstill_is_no_division_by_zero(law):
    force, rate = push(friction_record(law), 5.0, 1.0, [0.0, 0.0])
    np.testing.assert_array_equal(force, 0.0)
    np.testing.assert_array_equal(rate, 0.0)


def test_pull_at_standstill_is_zero_without_rounding():
    record = friction_record(SHARP)
    assert static_pull(record, 5.0, 1.0, 0.0) == 0.0
    assert static_pull(record, 5.0, 0.3, 1e-9) == pytest.approx(float(SHARP.slope(0.0, 5.0, 0.3)), rel=1e-6)


@given(components, components, angles, st.sampled_from([*STATIC.values()]))
@MODEST
def test_static_friction_has_no_preferred_direction(x, y, angle, law):
    record, v = friction_record(law), np.array([x, y])
    force, _ = push(record, 4.0, 0.5, v)
    turned, _ = push(record, 4.0, 0.5, turn(angle) @ v)
    np.testing.assert_allclose(turned, turn(angle) @ force, rtol=1e-10, atol=1e-12)


@given(components, components, st.sampled_from([*STATIC.values()]))
@MODEST
def test_friction_to_be_subtracted_lies_along_the_sliding(x, y, law):
    force, _ = push(friction_record(law), 40.0, 0.5, [x, y])
    assert force @ (x, y) >= 0.0
    assert force[0] * y - force[1] * x == pytest.approx(0.0, abs=1e-12)


@given(components, st.sampled_from([*STATIC.values()]))
@MODEST
def test_a_direction_without_motion_changes_nothing(x, law):
    line, _ = push(friction_record(law), 4.0, 0.5, [x])
    plane, _ = push(friction_record(law), 4.0, 0.5, [0.0, x])
    np.testing.assert_allclose(plane, [0.0, line[0]], rtol=1e-14)


@given(st.floats(0.01, 0.2), angles)
@MODEST
def test_rounding_speed_acts_alike_in_every_direction_and_fades(speed, angle):
    v = speed * np.array([math.cos(angle), math.sin(angle)])
    wanted = float(SHARP.force(speed, 4.0, 0.5))
    for eps, tolerance in ((1e-3, 0.1), (1e-6, 1e-7)):
        law = Friction(SHARP.mu_c, SHARP.mu_s, SHARP.v_c, SHARP.v_s, SHARP.d, eps)
        norm = np.linalg.norm(push(friction_record(law), 4.0, 0.5, v)[0])
        along_x = push(friction_record(law), 4.0, 0.5, [speed, 0.0])[0][0]
        assert norm == pytest.approx(along_x, rel=1e-12)
        assert norm == pytest.approx(wanted, rel=tolerance)


@pytest.mark.parametrize("memory", MEMORIES.values(), ids=MEMORIES)
@given(st.lists(components, min_size=1, max_size=3), st.floats(0.0, 100.0), st.floats(0.0, 1.0))
@MODEST
def test_record_with_memory_gives_the_remembered_force_and_the_rate_of_the_filter(memory, v, n, a):
    law = STATIC["stribeck"]
    remembered = np.linspace(-1.0, 2.0, len(v))
    force, rate = push(friction_record(law, memory), n, a, v, remembered)
    speed = float(soft_norm(v, law.eps))
    static = law.force(speed, n, a) * np.array(v) / speed
    np.testing.assert_array_equal(force, remembered)
    np.testing.assert_allclose(rate, memory.rate(remembered, static, np.linalg.norm(v)), rtol=1e-9, atol=1e-10)


def test_rounding_speed_does_not_leak_the_force_held_at_rest():
    law = Friction(mu_c=0.25, mu_s=0.30, v_c=0.01, v_s=0.02, eps=0.01)
    _, rate = push(friction_record(law, MEMORIES["lpv"]), 4.0, 1.0, [0.0, 0.0], [0.7, -0.2])
    np.testing.assert_array_equal(rate, 0.0)


@given(components, components, angles)
@MODEST
def test_memory_has_no_preferred_direction(x, y, angle):
    record = friction_record(STATIC["stribeck"], MEMORIES["lpv"])
    v, q = np.array([x, y]), np.array([0.7, -0.2])
    _, rate = push(record, 4.0, 0.5, v, q)
    _, turned = push(record, 4.0, 0.5, turn(angle) @ v, turn(angle) @ q)
    np.testing.assert_allclose(turned, turn(angle) @ rate, rtol=1e-9, atol=1e-10)


@given(components, st.floats(-3e-4, 3e-4))
@MODEST
def test_lugre_record_gives_the_rate_and_force_of_the_law(v, z):
    force, rate = push(friction_record(BRISTLES), 1.0, 1.0, [v], [z])
    assert rate[0] == pytest.approx(float(BRISTLES.rate(v, z)), rel=1e-12, abs=1e-15)
    assert force[0] == pytest.approx(float(BRISTLES.force(v, z)), rel=1e-12, abs=1e-14)


def test_lugre_record_scales_bristles_by_the_normal_force_and_viscosity_by_the_activation():
    v, z = 0.03, 1e-4
    rate = float(BRISTLES.rate(v, z))
    force, _ = push(friction_record(BRISTLES), 8.0, 0.3, [v], [z])
    assert force[0] == pytest.approx(8.0 * (2e3 * z + 5.0 * rate) + 0.3 * 0.4 * v, rel=1e-12)


@given(components, components, angles)
@MODEST
def test_lugre_record_has_no_preferred_direction(x, y, angle):
    record, v, z = friction_record(BRISTLES), np.array([x, y]), np.array([1e-4, -5e-5])
    force, rate = push(record, 4.0, 0.5, v, z)
    turned_force, turned_rate = push(record, 4.0, 0.5, turn(angle) @ v, turn(angle) @ z)
    np.testing.assert_allclose(turned_force, turn(angle) @ force, rtol=1e-9, atol=1e-11)
    np.testing.assert_allclose(turned_rate, turn(angle) @ rate, rtol=1e-9, atol=1e-12)


@pytest.mark.parametrize("law", [*STATIC.values(), SHARP], ids=[*STATIC, "sharp"])
def test_anchored_records_are_of_the_same_dtype(law):
    record = friction_record(law, Anchor())
    assert record.dtype == FRICTION
    assert record["kind"] == ANCHORED


@given(st.lists(st.tuples(components, st.floats(-3e-6, 3e-6)), min_size=1, max_size=3), st.floats(0.0, 100.0))
@MODEST
def test_anchored_record_gives_the_pull_and_the_rate_of_the_anchor(parts, n):
    record, v, z = friction_record(SHARP, Anchor()), *(np.array(part) for part in zip(*parts, strict=True))
    force, rate = push(record, n, 0.4, v, z)
    np.testing.assert_array_equal(force, anchor_pull(record["anchor"], n, 0.4, triple(z), triple(v))[: v.size])
    np.testing.assert_array_equal(rate, anchor_rate(record["anchor"], triple(z), triple(v))[: v.size])


def test_anchored_record_holds_a_force_at_standstill():
    record = friction_record(SHARP, Anchor())
    force, rate = push(record, 5.0, 1.0, [0.0, 0.0], [3e-6, -4e-6])
    np.testing.assert_allclose(force / np.linalg.norm(force), [0.6, -0.8], rtol=1e-12)
    assert np.linalg.norm(force) == pytest.approx(5.0 * SHARP.mu_s, rel=1e-9)
    np.testing.assert_array_equal(rate, 0.0)


@given(st.lists(components, min_size=1, max_size=3), st.floats(0.0, 100.0))
@MODEST
def test_stepped_record_gives_the_force_of_the_law_along_the_velocity(v, n):
    force, rate = push(friction_record(STEPPED), n, 1.0, v)
    speed = math.hypot(*v)
    along = np.array(v) / speed if speed > 0.0 else np.zeros(len(v))
    np.testing.assert_allclose(force, STEPPED.force(speed, n) * along, rtol=1e-12, atol=1e-13)
    np.testing.assert_array_equal(rate, 0.0)


@pytest.mark.parametrize("law", [STEPPED, SHARP], ids=["stepped", "sharp"])
def test_static_slopes_are_those_of_the_force(law):
    record, h = friction_record(law), 1e-7
    for v in (1e-3, 4e-3, 7e-3, 0.015):
        rise = ((v + h) * static_pull(record, 8.0, 0.5, v + h) - (v - h) * static_pull(record, 8.0, 0.5, v - h)) / (
            2.0 * h
        )
        along, across = static_slopes(record, 8.0, 0.5, v)
        assert along == pytest.approx(rise, rel=1e-5, abs=1e-3)
        assert across == static_pull(record, 8.0, 0.5, v)


def test_stepped_friction_at_rest_is_the_dashpot_of_the_law():
    wanted = pytest.approx(STEPPED.creep_damping(8.0), rel=1e-12)
    assert static_slopes(friction_record(STEPPED), 8.0, 1.0, 0.0) == (wanted, wanted)


# --- kinds -------------------------------------------------------------------------------------------------------


@friction_law
def plain(v, n, p):
    return p.mu * n * np.tanh(v / p.v_c)


KINDS = {
    "none": (None, None, ABSENT, False),
    "static": (SHARP, None, DISSIPATION, False),
    "filtered": (SHARP, MEMORIES["lpv"], DISSIPATION, True),
    "anchored": (SHARP, Anchor(), ANCHORED, True),
    "lugre": (BRISTLES, None, LUGRE, True),
    "stepped": (STEPPED, None, STEP, False),
    "user": (plain(mu=0.3, v_c=1e-3), None, USER, False),
    "user filtered": (plain(mu=0.3, v_c=1e-3), MEMORIES["lti"], USER, True),
    "user anchored": (plain(mu=0.3, v_c=1e-3), Anchor(), ANCHORED, True),
    "spin": (SpinFriction(2e-3), None, ANCHORED, True),
}


@pytest.mark.parametrize("name", KINDS)
def test_each_law_has_its_kind_and_says_whether_it_remembers(name):
    law, memory, kind, remembering = KINDS[name]
    record = friction_record(law, memory)
    assert record["kind"] == kind
    assert remembers(record) == remembering
    assert (record["t_f"], record["v_f"]) == (memory.numbers if isinstance(memory, LTIFilter) else (0.0, 0.0))
    assert record["eps"] == getattr(law, "eps", 0.0)


def test_kinds_are_in_the_order_of_the_slots():
    kinds = {"dissipation": DISSIPATION, "lugre": LUGRE, "anchor": ANCHORED, "step": STEP, "user": USER}
    assert sorted(kinds, key=kinds.__getitem__) == list(SLOTS)
    assert set(SLOTS) <= set(FRICTION.names)
    assert ABSENT not in kinds.values()


@pytest.mark.parametrize("kind", [ABSENT, LUGRE, ANCHORED, len(SLOTS), 99])
def test_a_kind_without_static_friction_is_not_a_number_rather_than_some_law(kind):
    record = friction_record(SHARP)
    record["kind"] = kind
    assert math.isnan(static_friction(record, 5.0, 1.0, 0.01))
    assert math.isnan(static_pull(record, 5.0, 1.0, 0.01))
    assert np.isnan(static_slopes(record, 5.0, 1.0, 0.01)).all()


def test_an_unknown_kind_gives_a_point_no_number():
    record = friction_record(SHARP)
    record["kind"] = 99
    assert np.isnan(push(record, 5.0, 1.0, [0.01, 0.02])[0]).all()


@pytest.mark.parametrize("law", [SHARP, STEPPED, plain(mu=0.3, v_c=1e-3)], ids=["sharp", "stepped", "user"])
def test_every_static_law_is_finite(law):
    record = friction_record(law)
    for speed in (0.0, 1e-9, 1e-3, 0.1, 10.0):
        for n in (0.0, 1.0, 1e4):
            assert np.isfinite(static_friction(record, n, 1.0, speed))
            assert np.isfinite(static_slopes(record, n, 1.0, speed)).all()


def test_a_law_that_fills_no_known_slot_is_refused_with_the_known_ones():
    class Stray(StepFriction):
        def slot(self, memory):
            return "stray"

    with pytest.raises(ParameterError, match="fills no known slot 'stray': allowed: dissipation, lugre, anchor"):
        friction_record(Stray(0.5, 0.4, 1e-3, 2e-3))


# --- filtered friction ---------------------------------------------------------------------------------------------


def test_without_a_filter_the_friction_is_the_static_one_and_nothing_is_held_back():
    v = (0.003, -0.004, 0.0)
    force, static, gate = filtered_friction(friction_record(SHARP), 5.0, 1.0, v, v, v, 0.3, 0.1)
    wanted = float(SHARP.force(0.005, 5.0)) * np.array((0.6, -0.8, 0.0))
    np.testing.assert_allclose(force, wanted, rtol=1e-12)
    assert static == force
    assert gate == 1.0


def test_filtered_friction_follows_the_static_one_component_by_component():
    memory, v, held, earlier = MEMORIES["lpv"], (0.003, -0.004, 0.0), (0.5, 0.2, -0.1), (0.1, 0.3, 0.2)
    record = friction_record(SHARP, memory)
    force, static, gate = filtered_friction(record, 5.0, 1.0, v, held, earlier, 0.4, 1e-2)
    assert gate == pytest.approx(float(memory.opening(0.005)), rel=1e-14)
    for i in range(3):
        assert force[i] == followed(memory.t_f, held[i], earlier[i], static[i], 0.4, gate, 1e-2)


def test_a_negative_opening_holds_the_static_force_at_its_present_value():
    memory = MEMORIES["lti"]
    assert followed(memory.t_f, 0.5, 99.0, 2.0, -1.0, 1.0, 0.01) == pytest.approx(
        float(memory.step(0.5, 2.0, 1.0, 0.01)), rel=1e-14
    )
