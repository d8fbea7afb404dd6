"""Islands against the connected components of a graph."""

from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.sparse import coo_matrix
from scipy.sparse.csgraph import connected_components

from chrono_powercontact.chrono.implicit.blocks import BLOCK
from chrono_powercontact.chrono.implicit.islands import islands_of, root_of

BODIES = 7
PAIRS = st.lists(st.tuples(st.integers(0, BODIES - 1), st.integers(0, BODIES - 1)), max_size=8)


def blocks_between(pairs):
    blocks = np.zeros(len(pairs), BLOCK)
    for block, (a, b) in zip(blocks, pairs, strict=True):
        block["a"], block["b"] = a, b
    return blocks


def rows_between(pairs):
    return np.array(pairs, np.int64).reshape(len(pairs), 2)


def sets(members, starts):
    return [set(map(int, members[i:j])) for i, j in pairwise(starts)]


@given(st.lists(st.booleans(), min_size=BODIES, max_size=BODIES), PAIRS, PAIRS)
@settings(max_examples=200)
def test_islands_are_the_connected_groups_of_moving_bodies_that_a_block_touches(moving, contacts, links):
    mass = np.where(moving, 2.0, 0.0)
    links = [(a, b if moving[b] and a != b else -1) for a, b in links if moving[a]]
    found = islands_of(mass, blocks_between(contacts), rows_between(links), len(links))

    edges = [(a, b) for a, b in contacts if moving[a] and moving[b]] + [(a, b) for a, b in links if b >= 0]
    one, other = np.array(edges, int).reshape(-1, 2).T
    _, group = connected_components(coo_matrix((np.ones(len(edges)), (one, other)), (BODIES, BODIES)), False)
    touched = {group[body] for pair in contacts for body in pair if moving[body]}
    expected = {frozenset(i for i in range(BODIES) if group[i] == g and moving[i]) for g in touched}

    islands = sets(found.bodies, found.bodies_at)
    assert {frozenset(island) for island in islands} == expected
    assert len(islands) == len(expected)
    for island, own in zip(islands, sets(found.blocks, found.blocks_at), strict=True):
        assert own == {e for e, pair in enumerate(contacts) if island & {i for i in pair if moving[i]}}
    for island, own in zip(islands, sets(found.rows, found.rows_at), strict=True):
        assert own == {c for c, (a, _) in enumerate(links) if a in island}


def test_a_fixed_body_connects_nothing():
    found = islands_of(np.array([0.0, 1.0, 1.0]), blocks_between([(1, 0), (2, 0)]), rows_between([]), 0)
    assert sets(found.bodies, found.bodies_at) == [{1}, {2}]


def test_a_link_connects_what_touches_the_ground_apart():
    found = islands_of(np.array([0.0, 1.0, 1.0]), blocks_between([(1, 0), (2, 0)]), rows_between([(1, 2)]), 1)
    assert sets(found.bodies, found.bodies_at) == [{1, 2}]
    assert sets(found.rows, found.rows_at) == [{0}]


def test_links_that_nobody_else_solves_for_make_an_island_without_a_contact():
    """Rows from the first one on that is handed over to Chrono; the others stay with it."""
    mass = np.ones(5)
    rows = rows_between([(0, 1), (2, 3)])
    assert sets(*islands_of(mass, blocks_between([]), rows, 2)[:2]) == []
    assert sets(*islands_of(mass, blocks_between([]), rows, 1)[:2]) == [{2, 3}]
    assert sets(*islands_of(mass, blocks_between([]), rows, 0)[:2]) == [{0, 1}, {2, 3}]


@pytest.mark.parametrize("body", range(5))
def test_the_path_to_a_representative_is_shortened(body):
    parent = np.array([0, 0, 1, 2, 3])
    assert root_of(parent, body) == 0
    assert parent[body] in (0, max(body - 2, 0))
