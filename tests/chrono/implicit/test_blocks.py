"""Blocks: which contacts may act, and their levers."""

import numpy as np
import pytest
from contact_blocks import Stub, gathered, packed, table_of
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.spatial.transform import Rotation

import chrono_powercontact as pc
from chrono_powercontact.chrono.contact.contact_table import Instant
from chrono_powercontact.chrono.contact.records import TOTALS, empty, flat
from chrono_powercontact.chrono.implicit.blocks import BLOCK, CONTACT, add_wrench, twist_of

SEED = st.integers(0, 2**32 - 1)
LAW = pc.Restriction(0.0, -1e-4, 500.0, 1.0)


def random_block(rng, x):
    block = np.zeros(1, BLOCK)[0]
    block["a"], block["b"] = 0, 1
    point = rng.normal(size=3)
    block["point"], block["arm_a"], block["arm_b"] = point, point - x[:3], point - x[7:10]
    block["force"], block["moment"] = rng.normal(size=(2, 3))
    return block


@given(SEED)
@settings(max_examples=50)
def test_forces_act_where_velocities_are_measured_and_have_a_reaction(seed):
    rng = np.random.default_rng(seed)
    x, r = packed(rng, rng.normal(size=(2, 3)))
    block, w, q = random_block(rng, x), rng.normal(size=12), np.zeros(12)
    twist = twist_of(block, r, w)
    add_wrench(block, r, 2.0, q)
    power = block["force"] @ twist.velocity + block["moment"] @ twist.turning
    assert q @ w == pytest.approx(2.0 * power, abs=1e-12)
    total = q[:3] + q[6:9]
    moment = r[0] @ q[3:6] + r[1] @ q[9:] + np.cross(x[:3], q[:3]) + np.cross(x[7:10], q[6:9])
    assert total == pytest.approx(np.zeros(3), abs=1e-14)
    assert moment == pytest.approx(np.zeros(3), abs=1e-13)


@given(SEED)
@settings(max_examples=30)
def test_the_twist_is_the_relative_motion_of_the_points_that_touch(seed):
    rng = np.random.default_rng(seed)
    x, r = packed(rng, rng.normal(size=(2, 3)))
    block, w = random_block(rng, x), rng.normal(size=12)
    turning = r[0] @ w[3:6], r[1] @ w[9:]
    a = w[:3] + np.cross(turning[0], block["point"] - x[:3])
    b = w[6:9] + np.cross(turning[1], block["point"] - x[7:10])
    twist = twist_of(block, r, w)
    assert twist.velocity == pytest.approx(a - b)
    assert twist.turning == pytest.approx(turning[0] - turning[1])


def ball_above(gap):
    """A ball over a plane, with a gap in m."""
    table = table_of(pc.Sphere(Stub(0), radius=0.1), pc.Plane(Stub(1)), pc.Material(LAW))
    x = np.array([0, 0, 0.1 + gap, 1, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0], float)
    r = np.tile(np.eye(3), (2, 1, 1))
    return table, x, r


@pytest.mark.parametrize(("speed", "counted"), [(0.0, 0), (0.5, 0), (2.0, 1)])
def test_a_contact_counts_if_its_bodies_may_meet_within_the_step(speed, counted):
    table, x, r = ball_above(1e-3)
    w = np.zeros(12)
    w[2] = -speed
    assert gathered(table, x, r, w, w, 1e-3)[0] == counted


def test_a_contact_counts_if_other_forces_may_close_it():
    table, x, r = ball_above(1e-3)
    free = np.zeros(12)
    free[2] = -1.0
    assert gathered(table, x, r, np.zeros(12), free, 1e-3)[0] == 1


def test_without_room_blocks_are_counted():
    table = table_of(pc.Box(Stub(0), 0.1), pc.Plane(Stub(1)), pc.Material(LAW))
    x = np.array([0, 0, 0.05, 1, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0], float)
    count, blocks = gathered(table, x, np.tile(np.eye(3), (2, 1, 1)), np.zeros(12), np.zeros(12), 1e-3, room=3)
    assert count == 4
    assert (blocks["kind"] == CONTACT).all()
    assert blocks["gap"] == pytest.approx(np.zeros(3), abs=1e-15)
    assert np.isnan(blocks["target"]).all()


@given(SEED)
@settings(max_examples=20)
def test_a_rotating_corner_comes_nearer_as_its_path_bends(seed):
    """The gap of a spinning box over a plane after a step, with the curvature of the path, to third order."""
    rng = np.random.default_rng(seed)
    table = table_of(pc.Box(Stub(0), 0.2), pc.Plane(Stub(1)), pc.Material(LAW))
    x = np.array([0, 0, 0.12, 1, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0], float)
    w = np.zeros(12)
    w[3:6] = 5.0 * rng.normal(size=3)
    _, blocks = gathered(table, x, np.tile(np.eye(3), (2, 1, 1)), w, w, 1.0)  # bend for h = 1, in m/s^2
    spin = w[3:6]
    arms = blocks["arm_a"] + 0.5 * blocks["gap"][:, None] * blocks["normal"]

    def worst(h):
        ways = Rotation.from_rotvec(h * spin).apply(arms) - arms
        predicted = h * np.cross(spin, arms)[:, 2] + h * h * blocks["bend"]
        return np.abs(ways[:, 2] - predicted).max()

    assert worst(1e-3) < 0.15 * worst(2e-3) + 1e-15


def test_the_force_of_a_block_is_that_of_the_contact():
    """The geometry of blocks is that of the explicit forces."""
    rng = np.random.default_rng(3)
    table = table_of(pc.Sphere(Stub(0), radius=0.1), pc.Sphere(Stub(1), radius=0.2), pc.Material(LAW))
    x, r = packed(rng, [(0, 0, 0), (0.2, 0.1, 0.19)])
    _, (block,) = gathered(table, x, r, np.zeros(12), np.zeros(12), 1e-3)
    q, expected = np.zeros(12), np.zeros(12)
    block["force"] = LAW.force(block["gap"], 0.0) * block["normal"]
    add_wrench(block, r, 1.0, q)
    table.evaluate(Instant(x, np.zeros(12), 0.0, 0.0, False), expected, flat(empty(TOTALS, 1)))
    assert q == pytest.approx(expected, rel=1e-9)
