"""Bounds of contact forces against closed forms and against scipy's linear programming."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.optimize import linprog

from chrono_powercontact.errors import NoFeasibleForceError, ParameterError, UnknownNameError
from chrono_powercontact.scenarios.hyperstatic.block.block_models import block_ranges
from chrono_powercontact.scenarios.hyperstatic.block.block_statics import WEIGHT, slip_load, stick_interval
from chrono_powercontact.setvalued.contact_set import contact_set, touching
from chrono_powercontact.setvalued.ranges import ranges_of

PUBLISHED = {2: (-7.748, 5.948), 3: (-7.698, 4.998), 9: (-7.398, -0.702), 15: (-7.098, -6.402)}
"""Intervals in N of T_A under loads in N (section 9.6)."""

EXACT = 1e-7
"""Error of a bound over the largest force in the balance; Clarabel ends at a relative gap of 1e-8."""


@pytest.mark.parametrize("force", PUBLISHED)
def test_published_intervals(force):
    found = block_ranges(force, 0.1, 0.1)["T_A"]
    assert (found.low, found.high) == pytest.approx(PUBLISHED[force], abs=1e-3)
    assert not found.determined


@given(st.floats(0.01, 0.4), st.floats(0.01, 0.4), st.floats(0.0, 0.99))
def test_closed_form_for_any_friction(mu_a, mu_b, part):
    force = part * slip_load(mu_a, mu_b)
    found = block_ranges(force, mu_a, mu_b)["T_A"]
    known = tuple(map(float, stick_interval(force, mu_a, mu_b)))
    assert (found.low, found.high) == pytest.approx(known, abs=EXACT * WEIGHT)


def test_no_feasible_force():
    with pytest.raises(NoFeasibleForceError, match="the bodies must move"):
        block_ranges(1.001 * slip_load(0.1, 0.1), 0.1, 0.1)


def test_sliding_is_determined():
    found = block_ranges(27.0, 0.1, 0.1, sliding=True)
    assert found.determined
    assert [part.low for part in found] == pytest.approx([-6.781, 67.806, -8.915, 89.154], abs=1e-3)
    assert "all 4 contact force components are determined" in str(found)


def test_friction_of_zero_and_no_contact():
    found = block_ranges(0.0, 0.0, 0.0)
    assert found.determined
    assert found["T_A"].low == 0.0
    with pytest.raises(NoFeasibleForceError):
        block_ranges(1.0, 0.0, 0.0)
    assert "no contact" in str(ranges_of(contact_set([], (0.0, 0.0))))
    with pytest.raises(NoFeasibleForceError):
        ranges_of(contact_set([], (0.0, 1.0)))


def test_wedge_is_unbounded():
    """A block between two walls can be squeezed without limit."""
    walls = [touching("left", (1.0, 0.0), ((0.0, 1.0),), 0.5), touching("right", (-1.0, 0.0), ((0.0, 1.0),), 0.5)]
    found = ranges_of(contact_set(walls, (0.0, 10.0)))
    assert found["N_left"].low == pytest.approx(10.0)
    assert found["N_left"].high == np.inf
    assert found["N_left"].place is None


def feet_in_space(points, mu):
    feet = []
    for i, (x, y) in enumerate(points):
        rows = [np.concatenate([axis, np.cross((x, y, -0.3), axis)]) for axis in np.eye(3)]
        feet.append(touching(str(i), rows[2], rows[:2], mu))
    return feet


def facet_bounds(feet, balance, objective, outer):
    """Largest value by scipy, with 128 facets inside or outside of each cone."""
    facets = 128
    stretch = 1.0 / np.cos(np.pi / facets) if outer else 1.0
    angles = 2.0 * np.pi * np.arange(facets) / facets
    rays = []
    for i, foot in enumerate(feet):
        for angle in angles:
            ray = np.zeros(3 * len(feet))
            ray[3 * i : 3 * i + 2] = stretch * foot.mu * np.array([np.cos(angle), np.sin(angle)])
            ray[3 * i + 2] = 1.0
            rays.append(ray)
    spanned = np.array(rays).T
    rows = np.vstack([foot.rows for foot in feet])
    return -linprog(-objective @ spanned, A_eq=rows.T @ spanned, b_eq=balance).fun


@settings(max_examples=8)
@given(st.integers(0, 1000), st.integers(3, 6))
def test_cones_in_space_lie_between_facets(seed, count):
    random = np.random.default_rng(seed)
    feet = feet_in_space(random.uniform(-1.0, 1.0, (count, 2)), 0.5)
    inside = random.uniform(0.2, 1.0, count)
    forces = np.zeros(3 * count)
    forces[2::3] = inside
    forces[0::3] = 0.3 * inside * random.uniform(-1.0, 1.0, count)
    balance = np.vstack([foot.rows for foot in feet]).T @ forces
    found = ranges_of(contact_set(feet, balance))
    for k in random.choice(3 * count, 3, replace=False):
        objective = np.eye(3 * count)[k]
        low = facet_bounds(feet, balance, objective, outer=False)
        high = facet_bounds(feet, balance, objective, outer=True)
        assert low - 1e-7 <= found[int(k)].high <= high + 1e-7
        assert found[int(k)].low - 1e-7 <= forces[k] <= found[int(k)].high + 1e-7


def test_four_legs_share_one_pattern():
    found = ranges_of(contact_set(feet_in_space([(1, 1), (-1, 1), (-1, -1), (1, -1)], 0.0), (0, 0, 100.0, 0, 0, 0)))
    assert [(part.low, part.high) for part in found if part.name.startswith("N")] == [
        pytest.approx((0.0, 50.0), abs=EXACT * 100.0)
    ] * 4
    assert found.indeterminacy.of_normals == 1


def test_joints_take_part():
    """A rod on a foot and in a redundant pair of joints: the foot's force is open."""
    foot = touching("A", (0.0, 1.0), (), acting=(3.0,))
    found = ranges_of(contact_set([foot], None, ((0.0, 1.0),)))
    assert found["N_A"].high == np.inf
    assert found["N_A"].acting == 3.0


def test_groups_do_not_disturb_each_other():
    feet = [touching("A", (1.0, 0.0)), touching("B", (0.0, 1.0)), touching("C", (0.0, 1.0))]
    found = ranges_of(contact_set(feet, (5.0, 7.0)))
    assert found["N_A"].determined
    assert (found["N_B"].low, found["N_B"].high) == pytest.approx((0.0, 7.0), abs=EXACT * 7.0)


def test_where_the_acting_force_lies():
    feet = [touching("B", (1.0,), acting=(2.0,)), touching("C", (1.0,), acting=(6.0,))]
    found = ranges_of(contact_set(feet))
    assert found["N_B"].place == pytest.approx(0.25)
    assert found["N_B"].outside == 0.0
    assert "acting 2 N" in str(found["N_B"])


def test_names_and_bodies_that_cannot_move():
    with pytest.raises(UnknownNameError, match="N_A"):
        block_ranges(1.0, 0.1, 0.1)["N_X"]
    with pytest.raises(ParameterError, match="cannot move"):
        ranges_of(contact_set([touching("A", (0.0, 0.0))], (0.0, 0.0)))
