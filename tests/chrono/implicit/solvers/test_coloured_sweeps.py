"""Columns of a colour share no moving body, so that the number of threads does not matter."""

from itertools import pairwise

import numba
import numpy as np
import pytest
from ball_islands import ball_problem, pile
from hypothesis import given, settings
from hypothesis import strategies as st
from taken import cube_of_balls

import chrono_powercontact as pc
from chrono_powercontact.chrono.attachment import core_of
from chrono_powercontact.chrono.implicit.solvers import coloured_sweeps as cs
from chrono_powercontact.chrono.implicit.solvers.contact_sweeps import SWEPT

FRICTION = pc.Friction(0.4, 0.5, 1e-3, 2e-3, 0.1, 1e-6)
ANCHORED = pc.Material(pc.Restriction(0.0, -1e-3, 500.0, 1.0), FRICTION, pc.Anchor(1e-4))
BODIES = 40


def swept(pairs):
    contacts = np.zeros(len(pairs), SWEPT)
    contacts["a"], contacts["b"] = np.array(pairs).T
    return contacts


@given(
    st.lists(st.tuples(st.integers(0, BODIES - 1), st.integers(-1, BODIES - 1)), min_size=1, max_size=60),
    st.integers(1, 9),
)
def test_columns_of_a_colour_share_no_body(pairs, size):
    contacts = swept(pairs)
    firsts = np.append(np.arange(0, len(pairs), size), len(pairs))
    order, starts = cs.columns_by_colour(contacts, firsts, BODIES)
    assert sorted(order.tolist()) == list(range(firsts.size - 1))
    for first, last in pairwise(starts.tolist()):
        own = [
            set(np.append(*(contacts[side][firsts[c] : firsts[c + 1]] for side in "ab")).tolist()) - {-1}
            for c in order[first:last]
        ]
        assert sum(map(len, own)) == len(set().union(*own))


def test_a_body_under_very_many_columns_is_not_swept_by_colours():
    contacts = swept([(0, 1 + i) for i in range(cs.COLOURS + 1)])
    order, _ = cs.columns_by_colour(contacts, np.arange(len(contacts) + 1), len(contacts) + 1)
    assert order.size == 0


def test_few_contacts_form_no_columns():
    problem, _ = ball_problem(ANCHORED, pile(np.random.default_rng(0), 3), np.zeros((3, 6)), 2e-3)
    columns = cs.columns_of(problem)
    assert columns.order.size == 0
    assert cs.by_columns(problem, columns).island.blocks.tolist() == problem.island.blocks.tolist()


@given(st.integers(0, 2**31))
@settings(max_examples=10)
def test_places_across_do_not_change_along_the_pull(seed):
    """Balls of a pile lie above each other: their contacts are nearly in one place across."""
    problem, _ = ball_problem(ANCHORED, pile(np.random.default_rng(seed), 5), np.zeros((5, 6)), 2e-3)
    assert cs.pulled_along(problem) == pytest.approx((0.0, 0.0, -1.0))
    places = np.empty((problem.island.blocks.size, 2))
    cs.across(problem, places)
    assert places.min() == 0.0
    assert places.max() < 0.041
    points = problem.blocks["point"][problem.island.blocks][:, :2]
    assert np.linalg.norm(places - places[0], axis=1) == pytest.approx(np.linalg.norm(points - points[0], axis=1))


@pytest.mark.chrono
@pytest.mark.skipif(numba.config.NUMBA_NUM_THREADS < 2, reason="needs two threads of numba")
def test_a_large_heap_moves_alike_on_one_and_two_threads():
    found = []
    for threads in (1, 2):
        numba.set_num_threads(threads)
        system = cube_of_balls(18)
        contacts = pc.attach(system, stepping="implicit")
        contacts.take_over(ANCHORED)
        for _ in range(4):
            system.DoStepDynamics(1e-3)
        assert contacts.solver().contacts >= cs.MANY
        assert contacts.solver().residual < 0.05
        load = core_of(contacts).stepper.load
        load.gather()
        found.append(np.append(load.x.data, load.w.data))
    assert np.array_equal(*found)
