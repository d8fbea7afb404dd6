import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from chrono_powercontact.errors import ParameterError, UnknownNameError
from chrono_powercontact.laws.normal.normal_table import normal_record
from chrono_powercontact.scenarios.gait.leg import leg_kinematics as kin
from chrono_powercontact.scenarios.gait.leg import leg_rate as rate
from chrono_powercontact.scenarios.gait.leg.drives import EXERCISES, Drive, mean_drive_input
from chrono_powercontact.scenarios.gait.leg.stages import (
    FOOT_FRICTION,
    FOOT_STOP,
    KNEE_STOP,
    SLIDE_STOP,
    TABLE_5_1,
    stage,
)
from chrono_powercontact.scenarios.gait.leg.trainer_leg import Leg

X, U = (1.1, 0.2, 0.3, -0.2, 1.0, -10.0), (5.0, 20.0)


def evaluated(model, x, u):
    """dx/dt and the work space, with its report of what acts."""
    x, room = np.array(x, float), np.zeros(1, rate.WORK)
    dx = np.zeros(x.size)
    rate.leg_rate(x, np.array(u, float), model.record, dx, room)
    return dx, room[0]


@pytest.mark.parametrize(
    ("name", "acceleration", "memory"),
    [
        ("s0", (8.514936, -1.474410), (0.0, 0.0)),
        ("s1", (-6.137630, 3.511108), (0.0, 0.0)),
        ("s2", (5.478736, -0.371421), (19.490790, -171.794763)),
        ("s3", (5.478736, -0.371421), (19.490790, -171.794763)),
    ],
)
def test_stages_meet_the_test_vectors(name, acceleration, memory):
    dx, _ = evaluated(stage(name), X, U)
    assert dx[:2] == pytest.approx(X[2:4])
    assert dx[2:4] == pytest.approx(acceleration, abs=1e-6)
    assert dx[4:] == pytest.approx(memory, abs=1e-6)


def test_knee_stop_meets_its_test_vector():
    dx, work = evaluated(stage("s3"), (0.9, 0.1, -0.5, 0.1, 1.0, 10.0), (-5.0, 20.0))
    assert work["report"]["knee"] == pytest.approx(0.023481, abs=1e-6)
    assert dx[2:4] == pytest.approx((9.686697, -0.283173), abs=1e-6)
    assert dx[4:] == pytest.approx((-26.033973, 78.530533), abs=1e-6)


def test_short_state_has_static_friction():
    short, _ = evaluated(stage("s1"), X[:4], U)
    long, _ = evaluated(stage("s1"), X, U)
    assert short == pytest.approx(long[:4])


def test_upper_stop_pushes_down_and_lower_stop_up():
    model = stage("s3")
    _, high = evaluated(model, (1.45, 0.548, 0.0, 0.3), (0.0, 0.0))
    assert high["report"]["F_upper"] == pytest.approx(float(SLIDE_STOP.force(0.002, -0.3)))
    assert high["report"]["net_slide"] < -500.0
    _, low = evaluated(model, (1.0, 0.002, 0.0, -0.3), (0.0, 0.0))
    assert low["report"]["F_lower"] == pytest.approx(float(SLIDE_STOP.force(0.002, -0.3)))
    assert low["report"]["net_slide"] > 500.0


def test_foot_rubs_with_the_speed_of_the_slide_as_in_the_thesis():
    x = (1.2, 0.085, 0.1, -0.15, 0.0, 0.0)
    model, bare = stage("s4"), stage("s3")
    dx, work = evaluated(model, x, (0.0, 0.0))
    without, _ = evaluated(bare, x, (0.0, 0.0))
    gap_rate = work["pose"]["gap_phi"] * x[2] + work["pose"]["gap_s"] * x[3]
    assert work["report"]["F_foot"] == pytest.approx(float(FOOT_STOP.force(work["report"]["d_foot"], gap_rate)))
    assert work["report"]["F_foot"] > 10.0
    opening = float(TABLE_5_1[1].memory.opening(x[3]))
    extra = float(FOOT_FRICTION.force(x[3], work["report"]["F_foot"]))
    assert dx[5] - without[5] == pytest.approx(opening * extra / 0.2)  # (5.36)
    assert dx[4] == pytest.approx(without[4])  # (5.35a)


def test_foot_may_rub_with_its_own_speed():
    x = (1.2, 0.085, 0.1, -0.15, 0.0, 0.0, 7.0)
    _, work = evaluated(stage("s4", foot_point=True), x, (0.0, 0.0))
    _, slick = evaluated(stage("s4", foot_point=True), (*x[:6], 0.0), (0.0, 0.0))
    along = work["pose"]["along_phi"], work["pose"]["along_s"]
    assert slick["report"]["net_hip"] - work["report"]["net_hip"] == pytest.approx(7.0 * along[0])
    assert slick["report"]["net_slide"] - work["report"]["net_slide"] == pytest.approx(7.0 * along[1])


@given(st.floats(-0.05, 0.5), st.floats(-3.0, 3.0))
def test_contact_that_is_left_out_of_reach_would_have_no_force(angle, speed):
    force, lost, stored = rate.touch(normal_record(KNEE_STOP), angle, speed)
    assert force == pytest.approx(float(KNEE_STOP.force(angle, speed)), rel=1e-12, abs=1e-30)
    assert stored == pytest.approx(float(KNEE_STOP.potential(angle)), rel=1e-12, abs=1e-30)
    assert lost == pytest.approx(float(KNEE_STOP.dissipated_power(angle, speed)), rel=1e-9, abs=1e-12)


@given(st.floats(0.0, 0.05), st.floats(-1.0, 1.0), st.floats(-1.0, 1.0))
def test_net_input_less_weight_accelerates(knee, w, v):
    model = stage("s3")
    x = (0.9 + 0.4 * knee, 0.1, w, v, 1.0, -5.0)
    dx, work = evaluated(model, x, U)
    pose = work["pose"]
    m11, m12, m22 = kin.inertia(model.leg.record, pose)
    g1, g2, _ = kin.weight(model.leg.record, pose, x[1])
    assert work["report"]["net_hip"] - g1 == pytest.approx(m11 * dx[2] + m12 * dx[3], rel=1e-9, abs=1e-9)
    assert work["report"]["net_slide"] - g2 == pytest.approx(m12 * dx[2] + m22 * dx[3], rel=1e-9, abs=1e-9)


def test_drive_is_held_over_a_sample_and_has_its_mean_at_a_jump():
    drive = Drive((8.0, 6.0), (45.0, 65.0), 4.5)
    assert drive.at(np.array([0.99, 1.0])).tolist() == [[0.0, 0.0], [8.0, 45.0]]
    held = drive.held().at(np.array([1.02, 1.0299]))
    assert held[0].tolist() == held[1].tolist()
    assert drive.at(np.array([1.02]))[0].tolist() == held[0].tolist()
    u = np.zeros(2)
    mean_drive_input(1.0, drive.record, u)
    assert u == pytest.approx((4.0, 22.5), abs=1e-4)


@pytest.mark.parametrize("exercise", EXERCISES)
def test_exercises_begin_after_a_second(exercise):
    drive, time = EXERCISES[exercise]
    assert np.all(drive.at(np.linspace(0.0, 0.999, 20)) == 0.0)
    assert time >= 10.0


def test_unknown_names_are_refused():
    with pytest.raises(UnknownNameError, match="stage 's5'"):
        stage("s5")
    with pytest.raises(UnknownNameError, match="friction 'tabel': did you mean 'table'"):
        stage("s2", friction="tabel")
    with pytest.raises(UnknownNameError, match="memory 'lvp'"):
        stage("s2", memory="lvp")


@pytest.mark.parametrize(
    ("name", "q", "message"),
    [
        ("s3", (0.7, 0.07), "the knee is over-stretched at the start: .* its angle is -0.3624 rad, allowed is above 0"),
        ("s3", (1.6, 0.0), "the leg cannot reach"),
        ("s3", (1.2, -0.01), r"the slide starts beyond its stops: s=-0.01 m, allowed is 0 to 0.55 m"),
        ("s4", (1.3, 0.05), "the tip of the foot starts behind the guide"),
    ],
)
def test_limits_crossed_at_the_start_are_told(name, q, message):
    with pytest.raises(ParameterError, match=message):
        stage(name, Leg()).check_start(*q)


def test_bare_leg_may_start_beyond_stops_that_it_does_not_have():
    stage("s2").check_start(0.7, 0.07)
