"""A crowd gives the forces of a plain list to the last bit, whatever the number of threads."""

import numba
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sphere_lists import RADIUS, cube_of_spheres, jostled, sphere_list, standing

import chrono_powercontact as pc
from chrono_powercontact.chrono.contact.many.crowd_kernel import carry_over, incidence
from chrono_powercontact.chrono.contact.many.crowds import MANY
from chrono_powercontact.chrono.contact.records import ELEMENT, TOTALS, empty, flat

LAW = pc.Restriction(0.002, 0.001, 400.0, 0.3)
FRICTION = pc.Friction(0.25, 0.3, 1e-3, 2e-3, 0.1, 1e-6)
TURNING = pc.SpinFriction(1e-3)
MATERIALS = {
    "smooth": pc.Material(LAW),
    "plain": pc.Material(LAW, FRICTION),
    "filtered": pc.Material(LAW, FRICTION, pc.LPVFilter(1e-3, 1e-3)),
    "anchored": pc.Material(LAW, FRICTION, pc.Anchor(1e-4)),
    "rolling": pc.Material(LAW, FRICTION, pc.Anchor(1e-4), rolling=TURNING, spinning=TURNING),
    "hertz": pc.Material(pc.Hertz(0.0, 1e7, 0.5), FRICTION, pc.LPVFilter(1e-3, 1e-3)),
}
SIDE = 10
PLACES = cube_of_spheres(SIDE)


def one_size():
    return np.full(len(PLACES), RADIUS)


def test_the_cube_is_a_crowd():
    part = sphere_list(one_size(), MATERIALS["plain"])
    jostled(part, PLACES, 1)
    assert len(part.elements) == 3 * SIDE**2 * (SIDE - 1) >= MANY


@pytest.mark.parametrize("name", MATERIALS)
def test_forces_and_memory_are_those_of_a_plain_list(name):
    crowd = sphere_list(one_size(), MATERIALS[name])
    plain = sphere_list(one_size(), MATERIALS[name], crowds=False)
    steps = jostled(crowd, PLACES, 6), jostled(plain, PLACES, 6)
    assert np.abs(steps[0][-1][0]).max() > 1.0
    for (q, totals), (expected, sums) in zip(*steps, strict=True):
        assert np.array_equal(q, expected)
        assert totals == pytest.approx(sums, rel=1e-11, abs=1e-13 * np.abs(sums).max())
    for field in ("load", "held", "push", "point", "friction", "psi", "mark_a", "moment", "turn"):
        assert np.array_equal(crowd.memory[field], plain.memory[field]), field


@pytest.mark.skipif(numba.config.NUMBA_NUM_THREADS < 2, reason="needs two threads of numba")
@pytest.mark.parametrize("crowds", [True, False])
def test_results_do_not_depend_on_the_number_of_threads(crowds):
    found = []
    for threads in (1, 2):
        numba.set_num_threads(threads)
        found.append(jostled(sphere_list(one_size(), MATERIALS["anchored"], crowds), PLACES, 4))
    for (q, totals), (expected, sums) in zip(*found, strict=True):
        assert np.array_equal(q, expected)
        assert np.array_equal(totals, sums)


@pytest.mark.parametrize("name", ["filtered", "anchored"])
def test_a_trial_state_keeps_nothing(name):
    crowd = sphere_list(one_size(), MATERIALS[name])
    plain = sphere_list(one_size(), MATERIALS[name], crowds=False)
    jostled(crowd, PLACES, 3)
    jostled(plain, PLACES, 3)
    before = crowd.kept.copy()
    at = standing(PLACES)
    sums = [flat(empty(TOTALS, 1)) for _ in range(2)]
    forces = np.zeros((2, at.w.size))
    for part, q, totals in zip((crowd, plain), forces, sums, strict=True):
        part.evaluate(at, q, totals)
    assert np.array_equal(*forces)
    assert sums[0] == pytest.approx(sums[1], rel=1e-12)
    assert np.array_equal(crowd.kept, before)
    assert np.array_equal(flat(crowd.reported(at)), flat(plain.reported(at)))


def test_spheres_that_part_leave_no_memory_and_no_force():
    part = sphere_list(one_size(), MATERIALS["anchored"])
    jostled(part, PLACES, 3)
    at = standing(1.04 * PLACES, commit=True)
    q = np.zeros(at.w.size)
    part.evaluate(at, q, flat(empty(TOTALS, 1)))
    assert not q.any()
    assert not part.kept[:, 0].any()


@given(st.lists(st.tuples(st.integers(0, 6), st.integers(0, 6)).filter(lambda pair: pair[0] != pair[1]), max_size=30))
def test_each_body_knows_its_elements_in_their_order(pairs):
    elements = np.array([(0, a, b, 0) for a, b in pairs], ELEMENT)
    starts = np.zeros(8, np.int32)
    members = np.zeros(2 * len(pairs), np.int32)
    incidence(flat(elements), starts, members)
    for body in range(7):
        own = [2 * e + (b == body) for e, (a, b) in enumerate(pairs) if body in (a, b)]
        assert members[starts[body] : starts[body + 1]].tolist() == own


@given(st.lists(st.integers(0, 20), unique=True), st.lists(st.integers(0, 20), unique=True))
def test_memory_passes_by_key_and_what_is_missed_is_told(old_keys, new_keys):
    """Old keys come in any order: elements that have stayed are at the end."""
    keys = np.array(sorted(new_keys), np.int64)
    old = np.array([[1.0 + key, 2.0] for key in old_keys]).reshape(-1, 2)
    old[np.array(old_keys, int) % 5 == 0] = 0.0
    new = np.zeros((keys.size, 2))
    missed = carry_over(np.array(old_keys, np.int64), old, keys, new)
    assert missed.tolist() == [e for e, key in enumerate(old_keys) if key not in new_keys and key % 5 != 0]
    for key, row in zip(keys.tolist(), new, strict=True):
        assert row[0] == (1.0 + key if key in old_keys and key % 5 != 0 else 0.0)
