import dataclasses
import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.integrate import quad, solve_ivp

from chrono_powercontact.errors import ParameterError, UnknownNameError
from chrono_powercontact.laws.friction.anchor import (
    ELASTIC,
    Anchor,
    anchor_flow,
    anchor_potential,
    anchor_pull,
    anchor_rate,
    anchored_force,
    curve,
    dragged_stretch,
    fall,
    grip,
    grip_slope,
    moved_anchor,
    moved_on,
    yielding,
)
from chrono_powercontact.laws.friction.dissipation import Dissipation, Friction
from chrono_powercontact.laws.friction.friction_table import friction_record
from chrono_powercontact.laws.normal.hertz import Hertz
from chrono_powercontact.laws.normal.hooke import Hooke
from chrono_powercontact.laws.normal.normal_table import normal_force, normal_potential, normal_record
from chrono_powercontact.laws.normal.restriction import Restriction

MODEST = settings(max_examples=60, deadline=None)
MANY = settings(max_examples=150, deadline=None)

LIMIT_M = 5e-6
STRIBECK = Friction(mu_c=0.25, mu_s=0.40, v_c=5e-5, v_s=1e-4)
WIDE = Friction(mu_c=0.3, mu_s=0.35, v_c=0.02, v_s=0.01, d=2.0)
COULOMB = Friction(mu_c=0.5, mu_s=0.5, v_c=1e-3)
LAWS = {"stribeck": STRIBECK, "wide": WIDE, "coulomb": COULOMB}
SLOTS = {name: friction_record(law, Anchor(LIMIT_M, 1e-4))["anchor"] for name, law in LAWS.items()}
PRINTED = {name: friction_record(law, Anchor(LIMIT_M, 1e-4, stiction="thesis"))["anchor"] for name, law in LAWS.items()}
UNDAMPED = {name: friction_record(law, Anchor(LIMIT_M, 0.0))["anchor"] for name, law in LAWS.items()}
NORMALS = {
    "restriction": Restriction(2e-3, 1e-3, 400.0, 3.0),
    "elastic": Restriction(2e-3, 1e-3, 400.0, 0.0),
    "hooke": Hooke(1e-3, 1e5),
    "hertz": Hertz(1e-3, 1e8, 0.3),
}

every_law = pytest.mark.parametrize("slot", SLOTS.values(), ids=SLOTS)
shares = st.floats(0.0, 1.0)
angles = st.floats(0.0, 2.0 * math.pi)
ways = st.floats(0.0, 20.0)
speeds = st.one_of(st.floats(0.0, 1e-3), st.floats(0.0, 2.0))


def polar(r, angle):
    return r * math.cos(angle), r * math.sin(angle), 0.0


def norm(z):
    return math.sqrt(z[0] ** 2 + z[1] ** 2 + z[2] ** 2)


def turned(vector, axis, angle):
    """A vector turned about a unit axis (Rodrigues)."""
    v, k = np.asarray(vector), np.asarray(axis) / np.linalg.norm(axis)
    return v * math.cos(angle) + np.cross(k, v) * math.sin(angle) + k * (k @ v) * (1.0 - math.cos(angle))


# --- grip and its potential --------------------------------------------------------------------------------------


@every_law
def test_potential_is_the_integral_of_the_grip(slot):
    for stretch in np.linspace(0.05, 1.0, 9) * LIMIT_M:
        integral, _ = quad(lambda r: grip(slot, r), 0.0, stretch, epsabs=0.0, epsrel=1e-12)
        assert anchor_potential(slot, stretch) == pytest.approx(integral, rel=1e-10)
    assert anchor_potential(slot, 0.0) == 0.0


@every_law
def test_slope_is_the_derivative_of_the_grip_and_never_negative(slot):
    step = 1e-5 * LIMIT_M
    for stretch in np.linspace(0.01, 0.99, 23) * LIMIT_M:
        difference = (grip(slot, stretch + step) - grip(slot, stretch - step)) / (2.0 * step)
        assert grip_slope(slot, stretch) == pytest.approx(difference, rel=1e-5, abs=1e-6 * grip_slope(slot, 0.0))
        assert grip_slope(slot, stretch) >= 0.0
    assert grip_slope(slot, 1.01 * LIMIT_M) == 0.0


@pytest.mark.parametrize("name", ["stribeck", "wide"])
def test_grip_at_the_limit_is_the_stiction_coefficient(name):
    law = LAWS[name]
    assert grip(SLOTS[name], LIMIT_M) == pytest.approx(law.mu_s, rel=1e-13)
    assert grip(SLOTS[name], 7.0 * LIMIT_M) == grip(SLOTS[name], LIMIT_M)


@pytest.mark.parametrize("name", ["stribeck", "wide"])
def test_the_thesis_curve_peaks_above_the_stiction_coefficient(name):
    """Erratum E19."""
    law = LAWS[name]
    slot = friction_record(law, Anchor(LIMIT_M, stiction="thesis"))["anchor"]
    static = law.force(np.linspace(0.0, 4.0 * law.v_s, 40001), 1.0, 0.0)
    assert grip(slot, LIMIT_M) == pytest.approx(static.max(), rel=1e-7)
    assert grip(slot, LIMIT_M) > 1.001 * law.mu_s


@given(st.floats(0.05, 1.0), st.floats(1.0001, 4.0), st.floats(0.2, 20.0))
@MANY
def test_break_away_is_the_stiction_coefficient_for_any_curve(mu_c, ratio, speeds):
    """Up to the limit the grip rises to mu_s, and no curve of sliding is above it."""
    law = Friction(mu_c, ratio * mu_c, 1e-3, speeds * 1e-3)
    slot = friction_record(law, Anchor(LIMIT_M))["anchor"]
    assert grip(slot, LIMIT_M) == pytest.approx(law.mu_s, rel=1e-12)
    assert all(grip_slope(slot, r) >= -1e-9 * grip_slope(slot, 0.0) for r in np.linspace(0.0, 1.0, 40) * LIMIT_M)
    assert max(curve(slot, w) for w in np.linspace(0.0, 8.0, 400) * law.v_s) <= law.mu_s * (1.0 + 1e-12)


def test_unknown_meaning_of_stiction_is_refused():
    with pytest.raises(UnknownNameError) as caught:
        Anchor(stiction="these")
    assert str(caught.value) == "unknown stiction 'these': did you mean 'thesis'? allowed: exact, thesis"


def test_without_a_stribeck_part_the_limit_has_the_coulomb_amplitude():
    assert grip(SLOTS["coulomb"], LIMIT_M) == pytest.approx(COULOMB.mu_c, rel=1e-14)
    assert grip_slope(SLOTS["coulomb"], 0.0) == pytest.approx(4.0 * 0.5 / LIMIT_M, rel=1e-3)


@pytest.mark.parametrize("ratio", [0.05, 0.5, 1.0, 2.0, 20.0])
@pytest.mark.parametrize("mu_s", [0.3, 0.31, 0.9])
def test_peak_is_where_the_curve_is_largest_for_any_ratio_of_speeds(ratio, mu_s):
    law = Friction(mu_c=0.3, mu_s=mu_s, v_c=1e-3, v_s=ratio * 1e-3)
    slot = friction_record(law, Anchor(LIMIT_M))["anchor"]
    below = np.linspace(0.0, slot["peak"], 2001)
    assert max(curve(slot, w) for w in below) <= curve(slot, slot["peak"]) * (1.0 + 1e-12)
    assert curve(slot, slot["peak"]) == pytest.approx(law.mu_s, rel=1e-12)
    assert np.all(np.diff([curve(slot, w) for w in below]) > -1e-15)


@given(shares, st.sampled_from([*SLOTS]))
@MODEST
def test_anchor_gives_way_beyond_its_elastic_share_alone(share, name):
    alpha = yielding(SLOTS[name], share * LIMIT_M)
    assert alpha == pytest.approx(max((share - ELASTIC) / (1.0 - ELASTIC), 0.0), abs=1e-12)
    assert yielding(SLOTS[name], 2.0 * LIMIT_M) == 1.0


@pytest.mark.parametrize("name", ["stribeck", "wide"])
def test_sliding_falls_from_stiction_to_the_static_law(name):
    slot, law = PRINTED[name], LAWS[name]
    assert fall(slot, 0.0) == fall(slot, -1.0) == 0.0
    for u in np.geomspace(0.1, 100.0, 13) * law.v_s:
        wanted = float(law.force(slot["peak"] + u, 1.0, 0.0))
        assert (1.0 - fall(slot, u)) * grip(slot, LIMIT_M) == pytest.approx(wanted, rel=1e-12)


@pytest.mark.parametrize("name", ["stribeck", "wide"])
def test_exact_stiction_slides_between_the_coulomb_level_and_the_printed_curve(name):
    slot, law = SLOTS[name], LAWS[name]
    for u in np.geomspace(0.1, 100.0, 13) * law.v_s:
        sliding = (1.0 - fall(slot, u)) * grip(slot, LIMIT_M)
        assert law.mu_c * math.tanh((slot["peak"] + u) / law.v_c) <= sliding * (1.0 + 1e-12)
        assert sliding <= float(law.force(slot["peak"] + u, 1.0, 0.0)) * (1.0 + 1e-12)
    assert (1.0 - fall(slot, 1.0)) * grip(slot, LIMIT_M) == pytest.approx(law.mu_c, rel=1e-12)


def test_coulomb_friction_does_not_fall():
    assert fall(SLOTS["coulomb"], 1.0) == 0.0


# --- flow --------------------------------------------------------------------------------------------------------


def integrated_flow(r, angle, way):
    """Stretch and angle to the way after `way`, from their own equations, beyond the elastic share from the start."""

    def rates(_, y):
        stretch, turn = y
        alpha = min(max((stretch / LIMIT_M - ELASTIC) / (1.0 - ELASTIC), 0.0), 1.0)
        return LIMIT_M * (1.0 - alpha) * math.cos(turn), -math.sin(turn)

    end = solve_ivp(rates, (0.0, way / LIMIT_M), (r, angle), rtol=1e-10, atol=1e-16, method="DOP853")
    return end.y[:, -1]


@pytest.mark.parametrize("angle", [0.0, 0.3, 1.0, 1.5])
@pytest.mark.parametrize("share", [0.98, 0.99, 1.0])
@pytest.mark.parametrize("way", [0.01, 0.3, 4.0])
def test_flow_solves_the_equations_of_stretch_and_angle(share, angle, way):
    z = anchor_flow(LIMIT_M, polar(share * LIMIT_M, angle), (way * LIMIT_M, 0.0, 0.0))
    stretch, turn = integrated_flow(share * LIMIT_M, angle, way * LIMIT_M)
    np.testing.assert_allclose(z, polar(stretch, turn), atol=2e-8 * LIMIT_M)


@given(shares, angles, st.floats(0.0, 1e-4), st.sampled_from([*SLOTS]))
@MODEST
def test_flow_starts_with_the_rate_of_the_law(share, angle, way, name):
    z, v = polar(share * LIMIT_M, angle), (1.0, 0.0, 0.0)
    moved = anchor_flow(LIMIT_M, z, (way * LIMIT_M, 0.0, 0.0))
    rate = anchor_rate(SLOTS[name], z, v)[:3]
    wanted = [a + way * LIMIT_M * b for a, b in zip(z, rate, strict=True)]
    turn = (1.0 - ELASTIC) * way + 60.0 * way * way  # the flow turns the angle with the limit in place of the stretch
    np.testing.assert_allclose(moved, wanted, atol=(turn + 1e-12) * LIMIT_M)


@given(shares, angles, ways, st.floats(0.0, 1.0))
@MANY
def test_way_in_two_parts_is_the_way_in_one(share, angle, way, part):
    z, whole = polar(share * LIMIT_M, angle), (way * LIMIT_M, 0.0, 0.0)
    first = anchor_flow(LIMIT_M, z, (part * way * LIMIT_M, 0.0, 0.0))
    both = anchor_flow(LIMIT_M, first, ((1.0 - part) * way * LIMIT_M, 0.0, 0.0))
    np.testing.assert_allclose(both, anchor_flow(LIMIT_M, z, whole), atol=1e-9 * LIMIT_M)


@given(shares, st.lists(st.tuples(ways, angles), min_size=1, max_size=12))
@MANY
def test_stretch_never_exceeds_the_limit(share, path):
    z = polar(share * LIMIT_M, 0.7)
    for way, angle in path:
        z = anchor_flow(LIMIT_M, z, polar(way * LIMIT_M, angle))
        assert norm(z) <= LIMIT_M * (1.0 + 1e-14)


@given(st.floats(0.0, 0.98), angles, st.floats(0.0, 2.0), angles)
@MODEST
def test_anchor_is_carried_along_within_its_elastic_share(share, angle, way, heading):
    z, w = np.array(polar(share * LIMIT_M, angle)), np.array(polar(way * LIMIT_M, heading))
    if norm(z + w) < 0.9799 * LIMIT_M:
        np.testing.assert_allclose(anchor_flow(LIMIT_M, tuple(z), tuple(w)), z + w, atol=1e-15 * LIMIT_M)


def test_long_way_leaves_the_anchor_at_its_limit_along_the_way():
    for angle in (0.0, 1.0, 2.0, 3.0, math.pi):
        z = anchor_flow(LIMIT_M, polar(0.5 * LIMIT_M, angle), (50.0 * LIMIT_M, 0.0, 0.0))
        np.testing.assert_allclose(z, (LIMIT_M, 0.0, 0.0), atol=1e-14 * LIMIT_M)


def test_no_way_moves_nothing():
    z = polar(0.99 * LIMIT_M, 1.0)
    assert anchor_flow(LIMIT_M, z, (0.0, 0.0, 0.0)) == z


@given(
    shares,
    angles,
    st.floats(0.0, 3.0),
    angles,
    st.tuples(*[st.floats(0.1, 1.0)] * 3),
    angles,
    st.sampled_from([*SLOTS]),
)
@MODEST
def test_law_has_no_preferred_direction_in_space(share, angle, way, heading, axis, turn, name):
    slot, z, w = SLOTS[name], polar(share * LIMIT_M, angle), polar(way * LIMIT_M, heading)
    v = polar(0.01 * way, heading)
    z_t, w_t, v_t = (tuple(turned(x, axis, turn)) for x in (z, w, v))
    np.testing.assert_allclose(
        anchor_flow(LIMIT_M, z_t, w_t), turned(anchor_flow(LIMIT_M, z, w), axis, turn), atol=1e-11 * LIMIT_M
    )
    pulled = anchor_pull(slot, 7.0, 0.5, z, v)
    np.testing.assert_allclose(anchor_pull(slot, 7.0, 0.5, z_t, v_t), turned(pulled, axis, turn), atol=1e-11)
    rate, rate_t = anchor_rate(slot, z, v), anchor_rate(slot, z_t, v_t)
    np.testing.assert_allclose(rate_t[:3], turned(rate[:3], axis, turn), atol=1e-13)
    assert rate_t[3] == pytest.approx(rate[3], abs=1e-13)


# --- force -------------------------------------------------------------------------------------------------------


@given(shares, angles, st.floats(-1e-2, 1e-2), st.floats(-1e-2, 1e-2), st.sampled_from([*SLOTS]))
@MANY
def test_force_is_continuous(share, angle, vx, vy, name):
    slot, small = SLOTS[name], 1e-9
    z, v = polar(share * LIMIT_M, angle), (vx, vy, 0.0)
    force = np.array(anchor_pull(slot, 1.0, 1.0, z, v))
    z_near = polar(share * LIMIT_M * (1.0 - small), angle + small)
    v_near = (vx + 1e-12, vy - 1e-12, 0.0)
    np.testing.assert_allclose(anchor_pull(slot, 1.0, 1.0, z_near, v_near), force, atol=1e-6)


@every_law
def test_force_at_rest_is_the_grip_of_the_anchor(slot):
    for share in (0.0, 0.2, 0.7, 0.99):
        force = anchor_pull(slot, 7.0, 1.0, polar(share * LIMIT_M, 0.4), (0.0, 0.0, 0.0))
        np.testing.assert_allclose(force, polar(7.0 * grip(slot, share * LIMIT_M), 0.4), rtol=1e-12, atol=1e-15)


@pytest.mark.parametrize("name", ["stribeck", "wide"])
def test_steady_sliding_has_the_force_of_the_static_law_beyond_its_peak(name):
    slot, law = PRINTED[name], LAWS[name]
    for u in np.geomspace(0.1, 100.0, 7) * law.v_s:
        force = anchored_force(slot, 5.0, LIMIT_M, u)
        wanted = float(law.force(slot["peak"] + u, 5.0, 0.0)) + law.d * u
        assert force[0] == pytest.approx(wanted, rel=1e-10)


@pytest.mark.parametrize("name", SLOTS)
@pytest.mark.parametrize("heading", [0.0, 0.9, 2.5])
def test_slow_motion_breaks_away_at_stiction(name, heading):
    slot = friction_record(dataclasses.replace(LAWS[name], d=0.0), Anchor(LIMIT_M, 0.0))["anchor"]
    z, forces = np.zeros(2), []
    for _ in range(400):
        way = 0.01 * LIMIT_M * np.array((math.cos(heading), math.sin(heading)))
        z = moved_anchor(slot, z, way)
        forces.append(np.linalg.norm(anchored_force(slot, 10.0, z, way * 1e-3)))
    stiction = 10.0 * curve(slot, slot["peak"])
    assert max(forces) == pytest.approx(stiction, rel=1e-5)
    assert np.argmax(np.array(forces) > 0.999 * stiction) * 0.01 < 1.0
    assert forces[-1] == pytest.approx(stiction, rel=1e-5)


def test_viscous_part_follows_the_activation_and_the_true_speed():
    still, moving = (anchor_pull(SLOTS["wide"], 0.0, a, (0.0, 0.0, 0.0), (0.3, -0.1, 0.2)) for a in (0.0, 0.5))
    assert still == (0.0, 0.0, 0.0)
    np.testing.assert_allclose(moving, 0.5 * WIDE.d * np.array((0.3, -0.1, 0.2)), rtol=1e-14)


# --- passivity ---------------------------------------------------------------------------------------------------


def power_given(slot, normal, s, s_dot, z, v):
    """Power in W that the contact hands out above what leaves its potential U(s - psi), and the scale of its parts."""
    *_, psi_dot = anchor_rate(slot, z, v)
    n, elastic, a = normal_force(normal, s - anchor_potential(slot, norm(z)), s_dot - psi_dot)
    work = float(np.dot(anchor_pull(slot, n, a, z, v), v))
    return (n - elastic) * (s_dot - psi_dot) + n * psi_dot - work, abs(n * psi_dot) + abs(work) + abs(n * s_dot)


@given(
    shares, angles, speeds, angles, st.floats(-1e-3, 4e-3), st.floats(-2.0, 2.0),
    st.sampled_from([*SLOTS.values(), *UNDAMPED.values()]), st.sampled_from([*NORMALS.values()]),
)  # fmt: skip
@settings(max_examples=500, deadline=None)
def test_no_state_and_no_load_gets_power_out_of_the_contact(share, angle, speed, heading, s, s_dot, slot, normal):
    z, v = polar(share * LIMIT_M, angle), polar(speed, heading)
    given_out, scale = power_given(slot, normal_record(normal), s, s_dot, z, v)
    assert given_out <= 1e-12 * scale + 1e-15


def power_put_in(slot, normal, s, s_dot, z, v):
    """Power in W that a motion with the rates s_dot and v puts into the contact, and the energy in J kept there."""
    *_, psi_dot = anchor_rate(slot, z, v)
    psi = anchor_potential(slot, norm(z))
    n, _, a = normal_force(normal, s - psi, s_dot - psi_dot)
    return float(np.dot(anchor_pull(slot, n, a, z, v), v)) - n * s_dot, normal_potential(normal, s - psi)


def heat_of(slot, normal, corners, scale, time, steps=100):
    """Work in J put in on a way through corners, less the rise of the energy kept; and the largest energy on the way.

    Each leg takes the same time; the work is summed by Simpson's rule.
    """
    path = np.array([(0.0, 0.0, 1e-3), *((scale * r * math.cos(a), scale * r * math.sin(a), s) for r, a, s in corners)])
    z, work, kept, h = (0.0, 0.0, 0.0), 0.0, [normal_potential(normal, 1e-3)], time / steps
    for here, leg in zip(path[:-1], np.diff(path, axis=0), strict=True):
        s_dot, v = leg[2] / time, (leg[0] / time, leg[1] / time, 0.0)
        half = tuple(0.5 * h * x for x in v)
        powers = [power_put_in(slot, normal, here[2], s_dot, z, v)[0]]
        for k in range(1, 2 * steps + 1):
            z = anchor_flow(slot["limit"], z, half)
            power, energy = power_put_in(slot, normal, here[2] + 0.5 * k * h * s_dot, s_dot, z, v)
            powers.append(power)
            kept.append(energy)
        work += h / 6.0 * (2.0 * sum(powers) + 2.0 * sum(powers[1::2]) - powers[0] - powers[-1])
    return work - (kept[-1] - kept[0]), max(kept)


corner = st.tuples(st.floats(0.0, 1.0), angles, st.floats(7e-4, 1.3e-3))


@pytest.mark.parametrize("scale", [0.4, 1.0, 4.0])
@given(st.lists(corner, min_size=2, max_size=6), st.sampled_from([3e-3, 1.0]), st.data())
@settings(max_examples=12, deadline=None)
def test_no_prescribed_motion_gets_energy_out_of_the_contact(scale, corners, time, data):
    slot = data.draw(st.sampled_from([*SLOTS.values(), *UNDAMPED.values()]))
    normal = normal_record(NORMALS[data.draw(st.sampled_from(["restriction", "elastic"]))])
    heat, largest = heat_of(slot, normal, corners, scale * LIMIT_M, time)
    assert heat >= -1e-6 * largest


@pytest.mark.parametrize("name", UNDAMPED)
def test_undamped_anchor_gives_back_what_it_took(name):
    corners = [(0.9, 0.3, 8e-4), (0.8, 2.0, 1.2e-3), (0.3, 4.0, 9e-4), (0.0, 0.0, 1e-3)]
    slot = friction_record(dataclasses.replace(LAWS[name], d=0.0), Anchor(LIMIT_M, 0.0))["anchor"]
    heat, largest = heat_of(slot, normal_record(NORMALS["elastic"]), corners, LIMIT_M, 1.0)
    assert abs(heat) < 1e-7 * largest


# --- refusals ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("build", "message"),
    [
        (lambda: Anchor(0.0), "presliding must be greater than 0, got 0"),
        (lambda: Anchor(-1e-6), "presliding must be greater than 0, got -1e-06"),
        (lambda: Anchor(math.nan), "presliding must be a finite number, got nan"),
        (lambda: Anchor(1e-6, -1e-4), "tau must not be negative, got -0.0001"),
        (lambda: Anchor(1e-6, math.inf), "tau must be a finite number, got inf"),
        (lambda: Anchor(1e-6, 0.0, -1e-7), "lag must not be negative, got -1e-07"),
        (lambda: Anchor(1e-6, 0.0, 2e-6), "lag must not exceed presliding, got lag=2e-06 m and presliding=1e-06 m"),
        (lambda: Friction(0.4, 0.3, 1e-3, 2e-3), "mu_s must not be below mu_c, got mu_s=0.3 and mu_c=0.4"),
        (lambda: Dissipation(0.4, 0.3, 1e-3, 2e-3), "f_s must not be below f_c, got f_s=0.3 and f_c=0.4"),
    ],
)
def test_bad_anchor_is_refused_by_name_and_value(build, message):
    with pytest.raises(ParameterError) as caught:
        build()
    assert str(caught.value) == message


def test_slot_holds_the_numbers_of_the_anchor():
    anchor = Anchor(2e-6, 3e-4)
    slot = friction_record(COULOMB, anchor)["anchor"]
    assert (slot["limit"], slot["tau"]) == (2e-6, 3e-4)
    assert slot["kappa"] * slot["limit"] == pytest.approx(slot["peak"], rel=1e-14)
    assert slot["c"] == pytest.approx(0.5 / math.tanh(4.0), rel=1e-14)


# --- lag ---------------------------------------------------------------------------------------------------------


LAGS = st.floats(0.05, 1.0)
lagging = st.sampled_from(["stribeck", "wide"])


def lagged(name, lag, tau=1e-4):
    return friction_record(LAWS[name], Anchor(LIMIT_M, tau, lag * LIMIT_M))["anchor"]


@given(lagging, LAGS, shares, angles, speeds, angles, st.floats(-1e-3, 4e-3), st.floats(-2.0, 2.0))
@settings(max_examples=300, deadline=None)
def test_an_anchor_with_a_lag_gives_no_power_in_any_state(name, lag, share, angle, speed, heading, s, s_dot):
    z, v = polar(share * LIMIT_M, angle), polar(speed, heading)
    normal = normal_record(NORMALS["restriction"])
    given_out, scale = power_given(lagged(name, lag), normal, s, s_dot, z, v)
    assert given_out <= 1e-12 * scale + 1e-15


@given(lagging, LAGS, st.floats(0.0, 1.0), angles)
@MANY
def test_an_anchor_with_a_lag_holds_any_stretch_without_creep(name, lag, share, angle):
    slot, z = lagged(name, lag), polar(share * LIMIT_M, angle)
    assert anchor_rate(slot, z, (0.0, 0.0, 0.0)) == (0.0, 0.0, 0.0, 0.0)
    force = anchor_pull(slot, 1.0, 1.0, z, (0.0, 0.0, 0.0))
    np.testing.assert_allclose(force, polar(grip(slot, share * LIMIT_M), angle), atol=1e-14)


@given(lagging, LAGS, st.floats(1e-3, 1e2))
@MANY
def test_steady_sliding_with_a_lag_has_the_force_without_it(name, lag, factor):
    law = dataclasses.replace(LAWS[name], d=0.0)
    u = factor * law.v_s
    slot = friction_record(law, Anchor(LIMIT_M, 1e-4, lag * LIMIT_M))["anchor"]
    z = moved_on(slot, (0.0, 0.0, 0.0), (u, 0.0, 0.0), (100.0 * LIMIT_M, 0.0, 0.0))
    force = anchor_pull(slot, 1.0, 1.0, z, (u, 0.0, 0.0))[0]
    assert force == pytest.approx(curve(slot, slot["peak"] + u), rel=1e-6)


def test_sliding_friction_follows_a_change_of_speed_over_the_lag():
    """After a jump of the speed the stretch relaxes as exp(-distance/lag)."""
    slot = lagged("stribeck", 0.2, tau=0.0)
    slow, fast = 1e-3 * STRIBECK.v_s, 50.0 * STRIBECK.v_s
    z = moved_on(slot, (0.0, 0.0, 0.0), (slow, 0.0, 0.0), (100.0 * LIMIT_M, 0.0, 0.0))[0]
    end = dragged_stretch(slot, fast)
    for distance in (0.1, 0.5, 1.0, 2.0):
        way = distance * 0.2 * LIMIT_M
        moved = moved_on(slot, (z, 0.0, 0.0), (fast, 0.0, 0.0), (way, 0.0, 0.0))[0]
        assert moved - end == pytest.approx((z - end) * math.exp(-distance), rel=1e-9)


def test_without_a_lag_nothing_changes():
    plain = friction_record(STRIBECK, Anchor(LIMIT_M, 1e-4))["anchor"]
    z, v, way = polar(0.99 * LIMIT_M, 0.3), (1e-3, 2e-4, 0.0), (0.1 * LIMIT_M, 0.0, 0.0)
    assert moved_on(plain, z, v, way) == anchor_flow(LIMIT_M, z, way)
