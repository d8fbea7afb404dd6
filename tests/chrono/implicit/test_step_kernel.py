"""Whole steps: the kernel alone with bodies in NumPy, and bounces in Chrono."""

from itertools import pairwise

import numpy as np
import pytest
from contact_blocks import Stub
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from long_steps import dropped_ball, peaks
from scene import run

import chrono_powercontact as pc
from chrono_powercontact.chrono.contact.addresses import Directory
from chrono_powercontact.chrono.contact.contact_table import ContactTable, Pair
from chrono_powercontact.chrono.implicit import step_kernel as step
from chrono_powercontact.chrono.implicit.blocks import BLOCK
from chrono_powercontact.chrono.implicit.island import LARGE
from chrono_powercontact.chrono.implicit.island_step import OUTCOME
from chrono_powercontact.chrono.joint.joints import Joints
from chrono_powercontact.laws.impact import restitution

GRAVITY = 9.81
BOUNCY = pc.Restriction(0.02, 0.0199, 500.0, 1.0)
FINE = (30.087e-3, 13.607e-3, 7.608e-3)
"""Heights of the first bounces of 50 g dropped from 0.1 m, with forces at the start of steps of 2 us."""
REST = 8.8652e-6
"""Gap in m at which the law carries 50 g."""


class World:
    """Balls of 0.1 m radius above a plane, with Chrono's linearised step in NumPy."""

    def __init__(self, material, masses, heights, speeds, gravity=GRAVITY):
        count = len(masses) + 1
        ground, *balls = (Stub(i) for i in range(count))
        shapes = [pc.Sphere(ball, radius=0.1) for ball in balls]
        pairs = [(shapes[0], pc.Plane(ground)), *pairwise(shapes)]
        table = ContactTable(
            {i: Pair.of(*pair, material) for i, pair in enumerate(pairs)}, {i: i for i in range(count)}
        )
        self.mass = np.array([0.0, *masses])
        self.x, self.w, self.q = np.zeros(7 * count), np.zeros(6 * count), np.zeros(6 * count)
        self.x[3::7] = 1.0
        self.x[9::7], self.w[8::6] = heights, speeds
        self.inertia = 0.004 * self.mass[:, None, None] * np.eye(3)
        self.mobility = np.array([np.linalg.inv(i) if i.any() else i for i in self.inertia])
        self.residual, self.gravity = np.zeros(6 * count), gravity
        self.outcome = np.zeros(OUTCOME.itemsize // 8)
        places = np.arange(6 * count)
        places[:6] = -1
        self.directory = Directory(step.DIRECTORY_SIZE)
        for i, array in {
            step.STATE: self.x, step.SPEEDS: self.w, step.FORCES: self.q, step.RESIDUAL: self.residual,
            step.PLACES: places, step.MASS: self.mass, step.INERTIA: self.inertia, step.MOBILITY: self.mobility,
            step.ROTATIONS: np.zeros((count, 3, 3)), step.IMPULSE: np.zeros(6 * count), step.FREE: np.zeros(6 * count),
            step.BLOCKS: np.zeros(8, BLOCK), step.OUTCOMES: self.outcome, step.LINK_ROWS: np.zeros((0, 6 * count)),
            step.DEMANDED: np.zeros(0), step.LINK_BODIES: np.zeros((0, 2), np.int64), step.MATERIALS: table.tables[2],
            step.EXPECTED: np.zeros(6 * count),
            **dict(enumerate(Joints().tables, step.JOINTS)),
            **dict(enumerate(table.tables, step.FIRST_TABLE)),
        }.items():  # fmt: skip
            self.directory.put(i, array)

    @property
    def told(self):
        return self.outcome.view(OUTCOME)[0]

    def step(self, h):
        self.residual[8::6] = -h * self.gravity * self.mass[1:]
        count = step.implicit_step(self.directory.entries, h)
        for i, mass in enumerate(self.mass):
            if mass > 0.0:
                own = slice(6 * i, 6 * i + 6)
                impulse = self.residual[own] + h * self.q[own]
                self.w[own] += np.append(impulse[:3] / mass, self.mobility[i] @ impulse[3:])
                self.x[7 * i : 7 * i + 3] += h * self.w[6 * i : 6 * i + 3]
        return count


@pytest.mark.parametrize("h", [1e-4, 1e-3, 1e-2, 0.05])
def test_rest_is_a_fixed_point_of_every_step(h):
    law = pc.Restriction(0.0, -1e-4, 500.0, 1.0)
    world = World(pc.Material(law), [1.0], [0.1 + law.rest_distance(GRAVITY)], [0.0])
    for _ in range(20):
        assert world.step(h) == 1
    assert abs(world.w[8]) < 1e-9
    assert world.q[8] == pytest.approx(GRAVITY)
    assert world.told["residual"] < 1e-9


def test_a_body_out_of_reach_falls_freely():
    world = World(pc.Material(BOUNCY), [1.0], [1.0], [0.0])
    assert world.step(1e-3) == 0
    assert world.w[8] == pytest.approx(-1e-3 * GRAVITY)
    assert world.told["islands"] == 0


@pytest.mark.parametrize("many", [LARGE, LARGE + 1, 30])
def test_a_column_of_any_number_of_balls_carries_its_weight(many):
    law = pc.Restriction(0.0, -1e-4, 500.0, 1.0)
    world = World(pc.Material(law), [0.05] * many, 0.1 + 0.2 * np.arange(many), np.zeros(many))
    world.directory.put(step.BLOCKS, np.zeros(many, BLOCK))
    for _ in range(400):
        assert world.step(2e-3) == many
    assert world.told["largest"] == many
    assert world.told["residual"] < 1e-5
    weights = 0.05 * GRAVITY * np.ones(many)
    assert world.q[8::6] == pytest.approx(weights, rel=1e-3)
    assert np.abs(world.w).max() < 1e-4


@given(st.floats(1e-4, 2e-2), st.floats(0.05, 20.0), st.floats(0.05, 20.0), st.floats(0.0, 5.0), st.floats(0.1, 3.0))
@settings(max_examples=60)
def test_bodies_that_meet_keep_their_momentum_and_gain_no_energy(h, one, other, r_d, speed):
    law = pc.Restriction(0.0, -1e-4, 1e4, r_d)
    world = World(pc.Material(law), [one, other], [5.0, 5.2 + law.reach + 0.5 * h * speed], [0.0, -speed], gravity=0.0)
    for _ in range(20):
        world.step(h)
        assert one * world.w[8] + other * world.w[14] == pytest.approx(-other * speed, rel=1e-9)
        assert one * world.w[8] ** 2 + other * world.w[14] ** 2 <= other * speed**2 * (1.0 + 1e-9)


@given(st.floats(1e-3, 2e-2), st.floats(0.05, 2.0), st.floats(0.05, 20.0), st.floats(0.0, 5.0), st.floats(0.1, 3.0))
@settings(max_examples=60)
def test_an_impact_within_a_step_leaves_with_the_restitution_of_the_law(h, one, other, r_d, speed):
    law = pc.Restriction(0.0, -1e-4, 1e4, r_d)
    assume(h * speed > 2.0 * law.reach)
    world = World(pc.Material(law), [one, other], [5.0, 5.2 + law.reach + 0.2 * h * speed], [0.0, -speed], gravity=0.0)
    world.step(h)
    assert world.told["impacts"] == 1
    assert world.w[14] - world.w[8] == pytest.approx(float(restitution(r_d, speed)) * speed, rel=2e-3)


def test_a_step_without_room_for_its_blocks_is_only_counted():
    law = pc.Restriction(0.0, -1e-4, 500.0, 1.0)
    world = World(pc.Material(law), [1.0, 1.0], [0.0999, 0.2997], [0.0, 0.0])
    world.directory.put(step.BLOCKS, np.zeros(1, BLOCK))
    assert step.implicit_step(world.directory.entries, 1e-3) == 2
    assert not world.q.any()
    world.directory.put(step.BLOCKS, np.zeros(2, BLOCK))
    assert world.step(1e-3) == 2
    assert world.told["largest"] == 2
    assert world.q.any()


def bounces(h, law=BOUNCY, time=0.75):
    system, ball, contacts = dropped_ball(law)
    heights, impacts = [], 0
    for _ in range(round(time / h)):
        system.DoStepDynamics(h)
        heights.append(ball.GetPos().z - 0.02)
        impacts += contacts.solver().impacts
    return peaks(heights), impacts


@pytest.mark.chrono
@pytest.mark.parametrize(("h", "near"), [(5e-4, 0.01), (1e-3, 0.01), (2e-3, 0.01), (5e-3, 0.01), (1e-2, 0.01)])
def test_a_ball_bounces_as_high_as_in_a_fine_run(h, near):
    found, impacts = bounces(h)
    assert found[:3] == pytest.approx(FINE, rel=near)
    assert impacts >= 3


@pytest.mark.chrono
@pytest.mark.parametrize("h", [1e-3, 5e-3])
def test_a_hardly_damped_ball_never_flies_higher_than_it_fell(h):
    found, _ = bounces(h, pc.Restriction(0.02, 0.0199, 500.0, 0.05), 1.0)
    assert found[:3] == pytest.approx((91.261e-3, 83.619e-3, 76.896e-3), rel=0.01)
    assert (np.diff(found) < 0.0).all()


@pytest.mark.chrono
@pytest.mark.parametrize("h", [1e-3, 5e-3, 1e-2])
def test_a_ball_comes_to_rest_where_the_law_carries_it(h):
    system, ball, _ = dropped_ball(BOUNCY)
    run(system, 2.5, h)
    assert ball.GetPos().z - 0.02 == pytest.approx(REST, abs=1e-9)
    assert ball.GetPos().z - 0.02 == pytest.approx(BOUNCY.rest_distance(0.05 * GRAVITY) - 0.02, abs=1e-9)
    assert abs(ball.GetPosDt().z) < 1e-9


@pytest.mark.chrono
@pytest.mark.parametrize(("law", "first"), [(pc.Hooke(0.02, 1e5, 2.0), 91.43e-3), (pc.Hertz(0.02, 1e7, 0.3), 60.59e-3)])
def test_laws_without_a_reach_bounce_too(law, first):
    assert bounces(1e-3, law, 0.4)[0][0] == pytest.approx(first, rel=0.03)


@pytest.mark.chrono
@pytest.mark.parametrize("h", [1e-4, 2e-4, 5e-4])
def test_the_tail_of_a_deep_law_does_not_count_as_a_long_impact(h):
    """Fine run, forces at the start of steps of 2 us: 16.851, 5.827, 2.817, 1.633 mm."""
    found, _ = bounces(h, pc.Restriction(0.02, 0.0198, 2000.0, 2.0), 0.6)
    assert found[:4] == pytest.approx((16.851e-3, 5.827e-3, 2.817e-3, 1.633e-3), rel=0.06)
