"""The order of an island: its matrix is narrow, whatever the numbers of its bodies."""

import itertools

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from chrono_powercontact.chrono.implicit.blocks import BLOCK
from chrono_powercontact.chrono.implicit.solvers.arrangement import arranged, rows_apart


def chain(order, joints):
    """Bodies that touch, or are connected by some link rows, one after the other in an order."""
    pairs = list(itertools.pairwise(order))
    blocks = np.zeros(len(pairs) if joints == 0 else 0, BLOCK)
    for block, (a, b) in zip(blocks, pairs, strict=False):
        block["a"], block["b"] = a, b
    ends = np.array([pair for pair in pairs for _ in range(joints)], np.int64).reshape(-1, 2)
    return blocks, ends


def arrange(order, joints):
    blocks, ends = chain(order, joints)
    members, rows = np.arange(len(order)), np.arange(len(ends))
    place = members.copy()
    layout = arranged(members, np.arange(len(blocks)), blocks, rows, ends, place)
    return members, rows, ends, place, layout


@given(st.permutations(range(9)), st.integers(0, 5))
@settings(max_examples=30)
def test_a_chain_is_as_narrow_as_two_bodies_and_their_link(order, joints):
    members, rows, ends, place, layout = arrange(order, joints)
    assert members.tolist() in (list(order), list(order)[::-1])
    assert place[members].tolist() == list(range(9))
    assert layout.width == (11 if joints == 0 else 5 + joints)
    assert rows_apart(rows, ends) == (max(2 * joints - 1, 0))


@given(st.permutations(range(7)), st.integers(0, 5))
@settings(max_examples=30)
def test_every_index_of_the_matrix_is_used_once(order, joints):
    _, _, _, _, layout = arrange(order, joints)
    used = [first + i for first in layout.bodies for i in range(6)] + layout.rows.tolist()
    assert sorted(used) == list(range(6 * 7 + 6 * joints))


def test_one_body_has_a_matrix_of_its_own():
    assert arrange([0], 0)[-1].width == 5


def test_limbs_of_a_star_are_eliminated_from_their_ends():
    """Three limbs of three bodies on a trunk, body 0: of each limb but one the outer bodies come first."""
    pairs = [(0, 1), (1, 2), (2, 3), (0, 4), (4, 5), (5, 6), (0, 7), (7, 8), (8, 9)]
    ends = np.array(pairs, np.int64)
    members = np.arange(10)
    place = members.copy()
    arranged(members, np.zeros(0, np.int64), np.zeros(0, BLOCK), np.arange(len(pairs)), ends, place)
    inwards = [place[outer] < place[middle] < place[inner] < place[0] for inner, middle, outer in
               ((1, 2, 3), (4, 5, 6), (7, 8, 9))]  # fmt: skip
    assert sum(inwards) == 2
