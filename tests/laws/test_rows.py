import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from chrono_powercontact.laws import (
    Anchor,
    Barrier,
    Dissipation,
    Friction,
    Hertz,
    Hooke,
    LPVFilter,
    LTIFilter,
    LuGre,
    Restriction,
    RigidRestriction,
    soft_norm,
)
from chrono_powercontact.laws.friction.anchor import anchor_pull, anchor_rate
from chrono_powercontact.laws.friction.step_friction import StepFriction
from chrono_powercontact.laws.normal.indentation import Indentation
from chrono_powercontact.laws.rows import (
    ANCHORED,
    FRICTION_WIDTH,
    NORMAL_WIDTH,
    friction_point,
    friction_row,
    normal_force,
    normal_potential,
    normal_slopes,
    static_pull,
    static_slopes,
    triple,
)

MODEST = settings(max_examples=50, deadline=None)

NORMAL = {
    "elastic": Restriction(0.010, 0.009, 200.0, 0.0),
    "viscoelastic": Restriction(0.010, 0.009, 200.0, 0.7),
    "plastic": Restriction(0.010, 0.009, 200.0, math.inf),
    "rigid": RigidRestriction(0.010, 20.0, 5.9),
    "wall": Barrier(0.010, 0.009, 200.0, 0.7, thickness=0.01, s_c_back=0.002),
    "hooke": Hooke(0.010, 1e4, 5.0),
    "hertz": Hertz(0.010, 1e6, 0.3),
    "strip": Indentation(0.010, 1e4, 5e4),
    "bulge": Indentation(0.010, 1e5, 5e4, 1.5, 1.3, 2.0),
}
RESTRICTIONS = ["elastic", "viscoelastic", "plastic", "rigid", "wall"]
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


def push(row, n, a, v, memory=None):
    v = np.asarray(v, float)
    force, rate = np.full(v.size, np.nan), np.full(v.size, np.nan)
    friction_point(row, n, a, v, np.zeros(v.size) if memory is None else np.asarray(memory, float), force, rate)
    return force, rate


def turn(angle):
    c, s = math.cos(angle), math.sin(angle)
    return np.array([[c, -s], [s, c]])


@pytest.mark.parametrize("law", NORMAL.values(), ids=NORMAL)
def test_normal_row_gives_the_force_and_energy_of_the_law(law):
    assert law.row.shape == (NORMAL_WIDTH,)
    for s in (-0.005, 0.0, 0.002, 0.0088, 0.0095, 0.0099, 0.0101, 0.013):
        for v in (-2.0, -0.01, 0.0, 0.01, 2.0):
            force, elastic, _ = normal_force(law.row, s, v)
            assert force == pytest.approx(float(law.force(s, v)), rel=1e-12, abs=1e-12)
            assert elastic == pytest.approx(float(law.force(s, 0.0)), rel=1e-12, abs=1e-12)
        assert normal_potential(law.row, s) == pytest.approx(float(law.potential(s)), rel=1e-12, abs=1e-15)


@pytest.mark.parametrize("name", RESTRICTIONS)
def test_normal_row_gives_the_activation_of_a_restriction(name):
    law = NORMAL[name]
    for s in (-0.005, 0.002, 0.0088, 0.0095, 0.0101, 0.02):
        assert normal_force(law.row, s, -0.3)[2] == pytest.approx(float(law.activation(s)), rel=1e-12, abs=1e-15)


@pytest.mark.parametrize("name", ["hooke", "hertz", "strip", "bulge"])
def test_springs_are_active_where_they_touch(name):
    law = NORMAL[name]
    assert [normal_force(law.row, s, 0.0)[2] for s in (0.009, 0.010, 0.011)] == [1.0, 0.0, 0.0]


@pytest.mark.parametrize("law", NORMAL.values(), ids=NORMAL)
def test_compiled_normal_force_equals_its_python_text(law):
    for s, v in ((0.0085, -1.0), (0.0097, 0.5), (0.02, 0.0)):
        wanted = normal_force.py_func(law.row, s, v)
        np.testing.assert_allclose(normal_force(law.row, s, v), wanted, rtol=1e-12, atol=1e-12)


@pytest.mark.parametrize("law", [*STATIC.values(), BRISTLES], ids=[*STATIC, "lugre"])
def test_friction_rows_have_one_width(law):
    assert friction_row(law).shape == (FRICTION_WIDTH,)


@pytest.mark.parametrize("name", ["stribeck", "coulomb"])
@given(st.lists(components, min_size=1, max_size=3), st.floats(0.0, 100.0), st.floats(0.0, 1.0))
@MODEST
def test_static_row_gives_the_force_of_the_law_along_the_velocity(name, v, n, a):
    law = STATIC[name]
    force, rate = push(friction_row(law), n, a, v)
    speed = float(soft_norm(v, law.eps))
    np.testing.assert_allclose(force, law.force(speed, n, a) * np.array(v) / speed, rtol=1e-12, atol=1e-13)
    np.testing.assert_array_equal(rate, 0.0)


@pytest.mark.parametrize("v", [-0.05, -0.003, 0.0, 0.008, 0.2])
def test_static_row_without_rounding_gives_the_signed_scalar_law(v):
    force, _ = push(friction_row(SHARP), 7.0, 0.6, [v])
    assert force[0] == pytest.approx(float(SHARP.force(v, 7.0, 0.6)), rel=1e-12, abs=1e-15)


@pytest.mark.parametrize("v", [-0.05, 0.003, 0.2])
def test_row_of_a_law_standing_alone_gives_its_force_under_unit_normal_force(v):
    law = STATIC["alone"]
    force, _ = push(friction_row(law), 1.0, 1.0, [v])
    assert force[0] == pytest.approx(float(law.force(v)), rel=1e-6)


@pytest.mark.parametrize("law", [*STATIC.values(), SHARP, BRISTLES], ids=[*STATIC, "sharp", "lugre"])
def test_standstill_is_no_division_by_zero(law):
    force, rate = push(friction_row(law), 5.0, 1.0, [0.0, 0.0])
    np.testing.assert_array_equal(force, 0.0)
    np.testing.assert_array_equal(rate, 0.0)


def test_pull_at_standstill_is_zero_without_rounding():
    row = friction_row(SHARP)
    assert static_pull(row, 5.0, 1.0, 0.0) == 0.0
    assert static_pull(row, 5.0, 0.3, 1e-9) == pytest.approx(float(SHARP.slope(0.0, 5.0, 0.3)), rel=1e-6)


@given(components, components, angles, st.sampled_from([*STATIC.values()]))
@MODEST
def test_static_friction_has_no_preferred_direction(x, y, angle, law):
    row, v = friction_row(law), np.array([x, y])
    force, _ = push(row, 4.0, 0.5, v)
    turned, _ = push(row, 4.0, 0.5, turn(angle) @ v)
    np.testing.assert_allclose(turned, turn(angle) @ force, rtol=1e-10, atol=1e-12)


@given(components, components, st.sampled_from([*STATIC.values()]))
@MODEST
def test_friction_to_be_subtracted_lies_along_the_sliding(x, y, law):
    force, _ = push(friction_row(law), 40.0, 0.5, [x, y])
    assert force @ (x, y) >= 0.0
    assert force[0] * y - force[1] * x == pytest.approx(0.0, abs=1e-12)


@given(components, st.sampled_from([*STATIC.values()]))
@MODEST
def test_a_direction_without_motion_changes_nothing(x, law):
    line, _ = push(friction_row(law), 4.0, 0.5, [x])
    plane, _ = push(friction_row(law), 4.0, 0.5, [0.0, x])
    np.testing.assert_allclose(plane, [0.0, line[0]], rtol=1e-14)


@given(st.floats(0.01, 0.2), angles)
@MODEST
def test_rounding_speed_acts_alike_in_every_direction_and_fades(speed, angle):
    v = speed * np.array([math.cos(angle), math.sin(angle)])
    wanted = float(SHARP.force(speed, 4.0, 0.5))
    for eps, tolerance in ((1e-3, 0.1), (1e-6, 1e-7)):
        law = Friction(SHARP.mu_c, SHARP.mu_s, SHARP.v_c, SHARP.v_s, SHARP.d, eps)
        norm = np.linalg.norm(push(friction_row(law), 4.0, 0.5, v)[0])
        along_x = push(friction_row(law), 4.0, 0.5, [speed, 0.0])[0][0]
        assert norm == pytest.approx(along_x, rel=1e-12)
        assert norm == pytest.approx(wanted, rel=tolerance)


@pytest.mark.parametrize("memory", MEMORIES.values(), ids=MEMORIES)
@given(st.lists(components, min_size=1, max_size=3), st.floats(0.0, 100.0), st.floats(0.0, 1.0))
@MODEST
def test_row_with_memory_gives_the_remembered_force_and_the_rate_of_the_filter(memory, v, n, a):
    law = STATIC["stribeck"]
    remembered = np.linspace(-1.0, 2.0, len(v))
    force, rate = push(friction_row(law, memory), n, a, v, remembered)
    speed = float(soft_norm(v, law.eps))
    static = law.force(speed, n, a) * np.array(v) / speed
    np.testing.assert_array_equal(force, remembered)
    np.testing.assert_allclose(rate, memory.rate(remembered, static, np.linalg.norm(v)), rtol=1e-9, atol=1e-10)


def test_rounding_speed_does_not_leak_the_force_held_at_rest():
    law = Friction(mu_c=0.25, mu_s=0.30, v_c=0.01, v_s=0.02, eps=0.01)
    _, rate = push(friction_row(law, MEMORIES["lpv"]), 4.0, 1.0, [0.0, 0.0], [0.7, -0.2])
    np.testing.assert_array_equal(rate, 0.0)


@given(components, components, angles)
@MODEST
def test_memory_has_no_preferred_direction(x, y, angle):
    row = friction_row(STATIC["stribeck"], MEMORIES["lpv"])
    v, q = np.array([x, y]), np.array([0.7, -0.2])
    _, rate = push(row, 4.0, 0.5, v, q)
    _, turned = push(row, 4.0, 0.5, turn(angle) @ v, turn(angle) @ q)
    np.testing.assert_allclose(turned, turn(angle) @ rate, rtol=1e-9, atol=1e-10)


@given(components, st.floats(-3e-4, 3e-4))
@MODEST
def test_lugre_row_gives_the_rate_and_force_of_the_law(v, z):
    force, rate = push(friction_row(BRISTLES), 1.0, 1.0, [v], [z])
    assert rate[0] == pytest.approx(float(BRISTLES.rate(v, z)), rel=1e-12, abs=1e-15)
    assert force[0] == pytest.approx(float(BRISTLES.force(v, z)), rel=1e-12, abs=1e-14)


def test_lugre_row_scales_bristles_by_the_normal_force_and_viscosity_by_the_activation():
    v, z = 0.03, 1e-4
    rate = float(BRISTLES.rate(v, z))
    force, _ = push(friction_row(BRISTLES), 8.0, 0.3, [v], [z])
    assert force[0] == pytest.approx(8.0 * (2e3 * z + 5.0 * rate) + 0.3 * 0.4 * v, rel=1e-12)


@given(components, components, angles)
@MODEST
def test_lugre_row_has_no_preferred_direction(x, y, angle):
    row, v, z = friction_row(BRISTLES), np.array([x, y]), np.array([1e-4, -5e-5])
    force, rate = push(row, 4.0, 0.5, v, z)
    turned_force, turned_rate = push(row, 4.0, 0.5, turn(angle) @ v, turn(angle) @ z)
    np.testing.assert_allclose(turned_force, turn(angle) @ force, rtol=1e-9, atol=1e-11)
    np.testing.assert_allclose(turned_rate, turn(angle) @ rate, rtol=1e-9, atol=1e-12)


@pytest.mark.parametrize("law", [*STATIC.values(), SHARP], ids=[*STATIC, "sharp"])
def test_anchored_rows_have_the_same_width(law):
    row = friction_row(law, Anchor())
    assert row.shape == (FRICTION_WIDTH,)
    assert row[0] == ANCHORED


def test_vectors_of_any_size_are_triples():
    assert triple(np.array([1.0])) == (1.0, 0.0, 0.0)
    assert triple(np.array([1.0, 2.0])) == (1.0, 2.0, 0.0)
    assert triple(np.array([1.0, 2.0, 3.0])) == (1.0, 2.0, 3.0)


@given(st.lists(st.tuples(components, st.floats(-3e-6, 3e-6)), min_size=1, max_size=3), st.floats(0.0, 100.0))
@MODEST
def test_anchored_row_gives_the_pull_and_the_rate_of_the_anchor(parts, n):
    row, v, z = friction_row(SHARP, Anchor()), *(np.array(part) for part in zip(*parts, strict=True))
    force, rate = push(row, n, 0.4, v, z)
    np.testing.assert_array_equal(force, anchor_pull(row, n, 0.4, triple(z), triple(v))[: v.size])
    np.testing.assert_array_equal(rate, anchor_rate(row, triple(z), triple(v))[: v.size])


def test_anchored_row_holds_a_force_at_standstill():
    row = friction_row(SHARP, Anchor())
    force, rate = push(row, 5.0, 1.0, [0.0, 0.0], [3e-6, -4e-6])
    np.testing.assert_allclose(force / np.linalg.norm(force), [0.6, -0.8], rtol=1e-12)
    assert 1.5 <= np.linalg.norm(force) <= 1.52
    np.testing.assert_array_equal(rate, 0.0)


@given(st.lists(components, min_size=1, max_size=3), st.floats(0.0, 100.0))
@MODEST
def test_stepped_row_gives_the_force_of_the_law_along_the_velocity(v, n):
    force, rate = push(friction_row(STEPPED), n, 1.0, v)
    speed = math.hypot(*v)
    along = np.array(v) / speed if speed > 0.0 else np.zeros(len(v))
    np.testing.assert_allclose(force, STEPPED.force(speed, n) * along, rtol=1e-12, atol=1e-13)
    np.testing.assert_array_equal(rate, 0.0)


@pytest.mark.parametrize("name", ["viscoelastic", "wall", "hooke", "hertz", "strip", "bulge"])
def test_normal_slopes_are_those_of_the_force(name):
    law, h = NORMAL[name], 1e-8
    for s in (0.0085, 0.0093, 0.0101):
        for v in (-0.4, 0.02):
            by_s = (normal_force(law.row, s + h, v)[0] - normal_force(law.row, s - h, v)[0]) / (2.0 * h)
            by_v = (normal_force(law.row, s, v + h)[0] - normal_force(law.row, s, v - h)[0]) / (2.0 * h)
            np.testing.assert_allclose(normal_slopes(law.row, s, v), (by_s, by_v), rtol=1e-4, atol=1e-3)


def test_indentation_has_no_slope_where_its_damper_would_pull():
    assert normal_slopes(NORMAL["strip"].row, 0.0095, 5.0) == (0.0, 0.0)


@pytest.mark.parametrize("law", [STEPPED, SHARP], ids=["stepped", "sharp"])
def test_static_slopes_are_those_of_the_force(law):
    row, h = friction_row(law), 1e-7
    for v in (1e-3, 4e-3, 7e-3, 0.015):
        rise = ((v + h) * static_pull(row, 8.0, 0.5, v + h) - (v - h) * static_pull(row, 8.0, 0.5, v - h)) / (2.0 * h)
        along, across = static_slopes(row, 8.0, 0.5, v)
        assert along == pytest.approx(rise, rel=1e-5, abs=1e-3)
        assert across == static_pull(row, 8.0, 0.5, v)


def test_stepped_friction_at_rest_is_the_dashpot_of_the_law():
    wanted = pytest.approx(STEPPED.creep_damping(8.0), rel=1e-12)
    assert static_slopes(friction_row(STEPPED), 8.0, 1.0, 0.0) == (wanted, wanted)
