import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from chrono_powercontact.errors import ParameterError
from chrono_powercontact.scenarios.gait.leg import leg_kinematics as kin
from chrono_powercontact.scenarios.gait.leg.trainer_leg import REST, Leg

LEG = Leg()
P = LEG.record
H = 1e-6


def pose(phi, s):
    return kin.poses_along(LEG, phi, s)[0]


def usual(phi, s):
    """The pose, where the knee is bent and the leg far from stretched: there the slopes are small."""
    at = pose(phi, s)
    assume(at["knee_angle"] > 0.2 and at["stretch"] < 0.95)
    return at


angles, places = st.floats(0.9, 1.5), st.floats(0.02, 0.5)
speeds = st.floats(-2.0, 2.0)


def differences(phi, s, of):
    """Central differences of a function of the pose by phi and s."""
    return [
        (of(pose(phi + a, s + b), s + b) - of(pose(phi - a, s - b), s - b)) / (2.0 * H) for a, b in ((H, 0.0), (0.0, H))
    ]


@pytest.mark.parametrize(
    ("q", "mass", "weight", "knee", "slopes"),
    [
        ((1.1, 0.2), (0.407605, 0.215389, 9.659177), (1.846838, 32.407564), 0.229545, (1.905559, -1.938885)),
        ((1.4, 0.4), (0.519194, 0.472218, 10.637650), (12.771167, 78.160763), 0.363930, (1.745649, -2.210856)),
    ],
)
def test_leg_meets_the_test_vectors(q, mass, weight, knee, slopes):
    at = pose(*q)
    assert kin.inertia(P, at) == pytest.approx(mass, abs=1e-6)
    assert kin.weight(P, at, q[1])[:2] == pytest.approx(weight, abs=1e-6)
    assert at["knee_angle"] == pytest.approx(knee, abs=1e-6)
    assert (at["knee_phi"], at["knee_s"]) == pytest.approx(slopes, abs=1e-6)


def test_points_meet_the_test_vectors():
    at = pose(1.1, 0.2)
    assert at["knee"] == pytest.approx((0.368960, -0.187789), abs=1e-6)
    assert at["slide"] == pytest.approx((0.908353, -0.342043), abs=1e-6)
    assert at["ankle"] == pytest.approx((0.667162, -0.439136), abs=1e-6)
    assert at["shank"] == pytest.approx(0.870455, abs=1e-6)
    assert LEG.knee_to_slide(1.1, 0.2) == pytest.approx(0.561017, abs=1e-6)


@given(angles, places)
def test_shank_and_foot_unit_keep_their_lengths(phi, s):
    at = usual(phi, s)
    ankle = at["ankle"]
    assert np.hypot(*(ankle - at["knee"])) == pytest.approx(LEG.l_us, rel=1e-12)
    assert np.hypot(*(ankle - at["slide"])) == pytest.approx(LEG.l_st, rel=1e-9)


@given(angles, places)
def test_knee_angle_is_that_of_the_appendix(phi, s):
    at = usual(phi, s)
    x, y = at["slide"]
    up, ahead = np.cos(phi) * LEG.l_os + y, LEG.l_os * np.sin(phi) - x
    square = ahead**2 + up**2
    cosine = (LEG.l_us**2 - LEG.l_st**2 + square) / (2.0 * LEG.l_us * np.sqrt(square))
    expected = phi - np.pi / 2 + np.arctan(up / ahead) + np.arccos(cosine)  # (A.11)
    assert at["knee_angle"] == pytest.approx(expected, abs=1e-9)


@given(angles, places)
def test_slopes_are_those_of_the_places(phi, s):
    at = usual(phi, s)
    for name, slopes in (("knee_angle", ("knee_phi", "knee_s")), ("gap", ("gap_phi", "gap_s"))):
        found = differences(phi, s, lambda x, _, k=name: x[k])
        assert [at[slope] for slope in slopes] == pytest.approx(found, rel=1e-6, abs=1e-7)
    for i in (0, 1):
        found = differences(phi, s, lambda x, _, k=i: x["ankle"][k])
        assert (at["ankle_phi"][i], at["ankle_s"][i]) == pytest.approx(found, rel=1e-6, abs=1e-7)
    along = differences(phi, s, lambda x, _: x["tip"] @ np.array((P["cos_sl"], P["sin_sl"])))
    assert (at["along_phi"], at["along_s"]) == pytest.approx(along, rel=1e-6, abs=1e-7)


@given(angles, places)
def test_weight_is_the_slope_of_the_potential_energy(phi, s):
    at = usual(phi, s)
    found = differences(phi, s, lambda x, place: kin.weight(P, x, place)[2])
    assert kin.weight(P, at, s)[:2] == pytest.approx(found, rel=1e-5, abs=1e-5)


@given(angles, places, speeds, speeds)
def test_coriolis_terms_follow_from_the_mass_matrix(phi, s, w, v):
    at = usual(phi, s)

    def mass(x, _):
        a, b, c = kin.inertia(P, x)
        return np.array([[a, b], [b, c]])

    by_phi, by_s = differences(phi, s, mass)
    q = np.array([w, v])
    rate = by_phi * w + by_s * v
    expected = rate @ q - 0.5 * np.array([q @ by_phi @ q, q @ by_s @ q])
    assert kin.velocity_forces(P, at, w, v) == pytest.approx(expected, rel=1e-4, abs=1e-5)


@given(angles, places)
def test_signed_distance_is_that_to_the_foot_of_the_normal(phi, s):
    at = usual(phi, s)
    t, (x, y) = np.tan(LEG.delta_sl), at["tip"]
    c = y + x / t - LEG.y_sl_0 + t * LEG.x_sl_0
    foot = np.array([t / (1 + t**2) * c, t**2 / (1 + t**2) * c + LEG.y_sl_0 - t * LEG.x_sl_0])  # (5.31), E3
    assert abs(at["gap"]) == pytest.approx(np.hypot(*(at["tip"] - foot)), abs=1e-12)


def test_tip_falls_towards_the_guide_when_the_knee_rises():
    assert pose(0.95, 0.1)["gap"] > pose(1.1, 0.1)["gap"] > 0.0 > pose(1.35, 0.1)["gap"]


def test_leg_of_the_table_rests_where_it_is_said_to():
    at = pose(*REST)
    assert kin.weight(P, at, REST[1])[:2] == pytest.approx((0.0, 0.0), abs=1e-10)
    assert pytest.approx(REST, abs=1e-4) == (0.9984, 0.0742)
    assert at["knee_angle"] == pytest.approx(0.2595, abs=1e-4)


@pytest.mark.parametrize(("q", "span"), [((1.6, 0.0), "0.6896 m from the knee"), ((1.0, 5.0), "m from the knee")])
def test_leg_that_cannot_reach_is_told(q, span):
    with pytest.raises(ParameterError, match=rf"^the leg cannot reach: .*{span}, and shank and foot unit span 0.13 to"):
        LEG.check_reach(*q)


@pytest.mark.parametrize(("name", "value"), [("l_us", 0.0), ("m_sg", -1.0), ("k_hf", -1.0), ("phi", None)])
def test_impossible_leg_is_refused(name, value):
    with pytest.raises((ParameterError, TypeError), match=name):
        Leg(**{name: value})
