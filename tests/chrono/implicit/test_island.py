"""An island: its links are satisfied and do no work."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from chrono_powercontact.chrono.implicit.blocks import BLOCK
from chrono_powercontact.chrono.implicit.island import (
    Links,
    MovingBodies,
    energy_of,
    free_island,
    island_at,
    leave_island,
    scale_of,
)
from chrono_powercontact.chrono.implicit.islands import Groups

ISLAND = st.lists(st.floats(0.1, 10.0), min_size=2, max_size=2)


def one_island(masses, rows, w, impulse):
    count = len(masses)
    inertia = np.array([mass * np.diag([0.01, 0.02, 0.03]) for mass in masses])
    turns = np.tile(np.eye(3), (count, 1, 1))
    bodies = MovingBodies(turns, np.array(masses), inertia, np.linalg.inv(inertia), w, impulse)
    none = np.zeros(len(rows))
    ends = np.tile(np.arange(2), (len(rows), 1))
    links = Links(rows, none, ends, none, np.zeros(len(rows), np.int64), len(rows), len(rows), np.zeros(len(rows)))
    numbers = np.arange(count)
    nothing = np.zeros(0, np.int64)
    groups = Groups(
        numbers, np.array([0, count]), nothing, np.zeros(2, np.int64), np.arange(len(rows)), np.array([0, len(rows)])
    )
    return bodies, links, island_at(groups, 0, bodies, links, np.zeros(0, BLOCK), np.full(count, -1))


@given(ISLAND, st.integers(0, 2**32 - 1))
@settings(max_examples=30)
def test_links_are_satisfied_and_do_no_work(masses, seed):
    """Velocities after other forces: the projected inverse mass, computed here with a pseudo-inverse."""
    rng = np.random.default_rng(seed)
    rows = np.hstack([np.eye(3, 6), -np.eye(3, 6)])
    rows[:, 3:6], rows[:, 9:] = rng.normal(size=(2, 3, 3))
    w, impulse, out = rng.normal(size=12), rng.normal(size=12), np.zeros(12)
    bodies, links, island = one_island(masses, rows, w, impulse)
    free_island(bodies, links, island, np.zeros(12), 1e-3, out)
    mass = np.zeros((12, 12))
    for i in range(2):
        mass[6 * i : 6 * i + 3, 6 * i : 6 * i + 3] = masses[i] * np.eye(3)
        mass[6 * i + 3 : 6 * i + 6, 6 * i + 3 : 6 * i + 6] = bodies.inertia[i]
    lazy = np.linalg.inv(mass)
    loose = w + lazy @ impulse
    expected = loose - lazy @ rows.T @ np.linalg.pinv(rows @ lazy @ rows.T) @ (rows @ loose)
    assert out == pytest.approx(expected, abs=1e-7 * np.abs(loose).max())
    assert rows @ out == pytest.approx(np.zeros(3), abs=1e-7)
    assert energy_of(bodies, island, w) == pytest.approx(w @ mass @ w)
    assert scale_of(bodies, island) == pytest.approx(w @ mass @ w + impulse @ lazy @ impulse)


def test_redundant_links_are_solved_as_well():
    row = np.hstack([np.eye(1, 6), -np.eye(1, 6)])
    w, out = np.zeros(12), np.zeros(12)
    impulse = np.zeros(12)
    impulse[0] = 1.0
    bodies, links, island = one_island([1.0, 3.0], np.vstack([row, row]), w, impulse)
    free_island(bodies, links, island, np.zeros(12), 1e-3, out)
    assert out[[0, 6]] == pytest.approx([0.25, 0.25], rel=1e-6)


def test_an_island_that_is_left_has_no_indices():
    _, _, island = one_island([1.0, 3.0], np.zeros((0, 12)), np.zeros(12), np.zeros(12))
    assert island.place.tolist() == [0, 1]
    leave_island(island)
    assert island.place.tolist() == [-1, -1]
