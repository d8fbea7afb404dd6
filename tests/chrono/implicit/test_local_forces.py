"""The wrench of a block at a trial twist: the laws themselves, and their slopes."""

import numpy as np
import pytest
from contact_blocks import Stub, gathered, packed, table_of
from hypothesis import given, settings
from hypothesis import strategies as st

import chrono_powercontact as pc
from chrono_powercontact.chrono.contact.contact_table import Instant
from chrono_powercontact.chrono.contact.records import MATERIAL, TOTALS, empty, flat
from chrono_powercontact.chrono.implicit.blocks import Twist, add_wrench, twist_of
from chrono_powercontact.chrono.implicit.local_forces import (
    AMPLITUDE_LAGS,
    AT_ONCE,
    SECANT_LAGS,
    Laws,
    evaluate_block,
    lag_behind,
    moved,
)
from chrono_powercontact.chrono.joint.joint_records import JOINT, JOINT_LAW, JOINT_MEMORY
from chrono_powercontact.kernel import kernel

LAW = pc.Restriction(0.0, -1e-3, 500.0, 1.0)
RUBBING = pc.Friction(0.3, 0.4, 0.01, 0.02)
MEMORIES = [None, pc.LPVFilter(1e-3, 1e-3), pc.Anchor(1e-4, 1e-4)]
TWIST = st.lists(st.floats(-0.3, 0.3), min_size=6, max_size=6)


@kernel
def evaluated(laws, blocks, velocity, turning, slopes, lag):
    evaluate_block(laws, blocks[0], laws.stiffness[0], Twist(velocity, turning), slopes, lag)


@kernel
def left_behind(laws, blocks, velocity, turning):
    lag_behind(laws, blocks[0], Twist(velocity, turning))


def ball_on_ball(material, h, gap=-3e-4):
    """A block between two balls, with what decides its force."""
    table = table_of(pc.Sphere(Stub(0), radius=0.1), pc.Sphere(Stub(1), radius=0.1), material)
    x, r = packed(np.random.default_rng(1), [(0, 0, 0), (0, 0, 0.2 + gap)])
    _, blocks = gathered(table, x, r, np.zeros(12), np.zeros(12), 1e-3)
    joints = [np.zeros(0, dtype) for dtype in (JOINT, JOINT_LAW, JOINT_MEMORY)]
    laws = Laws(h, table.tables[2].view(MATERIAL), *joints, np.zeros(1), np.zeros(12), np.zeros(12))
    return table, x, r, blocks, laws


def force_at(laws, blocks, twist, lag=AT_ONCE):
    evaluated(laws, blocks, tuple(twist[:3]), tuple(twist[3:]), False, lag)
    return blocks[0]["force"].copy()


@pytest.mark.parametrize("memory", [None, pc.Anchor(1e-4, 1e-4)], ids=["none", "anchor"])
@given(TWIST)
@settings(max_examples=20)
def test_over_a_vanishing_step_the_wrench_is_the_explicit_one(memory, motion):
    table, x, r, blocks, laws = ball_on_ball(pc.Material(LAW, RUBBING, memory), 1e-12)
    w = np.array([*motion, *np.zeros(6)])
    twist = twist_of(blocks[0], r, w)
    evaluated(laws, blocks, twist.velocity, twist.turning, False, False)
    q, expected = np.zeros(12), np.zeros(12)
    add_wrench(blocks[0], r, 1.0, q)
    table.evaluate(Instant(x, w, 0.0, 0.0, False), expected, flat(empty(TOTALS, 1)))
    assert q == pytest.approx(expected, abs=1e-5 * np.abs(expected).max())


@pytest.mark.parametrize("memory", MEMORIES, ids=["none", "filter", "anchor"])
@given(TWIST)
@settings(max_examples=20)
def test_slopes_are_derivatives_of_the_force(memory, motion):
    *_, blocks, laws = ball_on_ball(pc.Material(LAW, RUBBING, memory), 2e-3)
    twist = np.array(motion)
    evaluated(laws, blocks, tuple(twist[:3]), tuple(twist[3:]), True, AT_ONCE)
    slopes, change = blocks[0]["by_v"].copy(), 1e-6 * np.eye(6)
    numeric = np.transpose(
        [(force_at(laws, blocks, twist + step) - force_at(laws, blocks, twist - step)) / 2e-6 for step in change[:3]]
    )
    assert slopes == pytest.approx(numeric, abs=2e-3 * np.abs(numeric).max() + 1e-6)


@pytest.mark.parametrize("memory", MEMORIES, ids=["none", "filter", "anchor"])
@given(TWIST, TWIST)
@settings(max_examples=30)
def test_with_friction_that_lags_forces_only_resist(memory, one, other):
    """A monotone force: between any two motions it takes energy, so the lagged problem has a minimum."""
    *_, blocks, laws = ball_on_ball(pc.Material(LAW, pc.Friction(0.3, 0.3, 0.01), memory), 2e-3)
    blocks["load"] = 20.0
    first, second = np.array(one), np.array(other)
    first[3:] = second[3:] = 0.0
    change = force_at(laws, blocks, first, AMPLITUDE_LAGS) - force_at(laws, blocks, second, AMPLITUDE_LAGS)
    assert change @ (first - second)[:3] <= 1e-9


@pytest.mark.parametrize("memory", MEMORIES, ids=["none", "filter", "anchor"])
@given(TWIST, TWIST, TWIST)
@settings(max_examples=30)
def test_by_its_secant_friction_resists_also_where_it_falls_with_the_speed(memory, earlier, one, other):
    *_, blocks, laws = ball_on_ball(pc.Material(LAW, RUBBING, memory), 2e-3)
    blocks["load"] = 20.0
    left_behind(laws, blocks, tuple(earlier[:3]), (0.0, 0.0, 0.0))
    first, second = np.array(one), np.array(other)
    first[3:] = second[3:] = 0.0
    change = force_at(laws, blocks, first, SECANT_LAGS) - force_at(laws, blocks, second, SECANT_LAGS)
    assert change @ (first - second)[:3] <= 1e-9


@pytest.mark.parametrize("memory", MEMORIES, ids=["none", "filter", "anchor"])
@given(TWIST)
@settings(max_examples=30)
def test_friction_that_has_caught_up_is_that_of_the_law(memory, motion):
    *_, blocks, laws = ball_on_ball(pc.Material(LAW, RUBBING, memory), 2e-3)
    twist = np.array([*motion[:3], 0.0, 0.0, 0.0])
    expected = force_at(laws, blocks, twist)
    blocks["load"] = expected @ blocks[0]["normal"]
    left_behind(laws, blocks, tuple(twist[:3]), (0.0, 0.0, 0.0))
    assert force_at(laws, blocks, twist, SECANT_LAGS) == pytest.approx(expected, rel=1e-9, abs=1e-9)


@given(st.floats(-0.5, 0.5))
def test_an_impact_pushes_to_its_exit_speed_and_never_pulls(speed):
    *_, blocks, laws = ball_on_ball(pc.Material(LAW), 2e-3)
    normal = blocks[0]["normal"]
    blocks["target"], laws.stiffness[0] = 0.2, 1e4
    found = force_at(laws, blocks, np.array([*(speed * normal), 0, 0, 0])) @ normal
    assert found == pytest.approx(1e4 * max(0.2 - speed, 0.0), abs=1e-9)


def test_beyond_its_reach_nothing_acts():
    *_, blocks, laws = ball_on_ball(pc.Material(LAW, RUBBING), 2e-3)
    away = 10.0 * blocks[0]["normal"]
    assert not force_at(laws, blocks, np.array([*away, 0, 0, 0])).any()


@pytest.mark.parametrize("i", range(3))
def test_one_component_is_changed(i):
    expected = np.array([1.0, 2.0, 3.0])
    expected[i] += 0.5
    assert moved((1.0, 2.0, 3.0), i, 0.5) == tuple(expected)
