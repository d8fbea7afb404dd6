"""Materials by keys: masses of one class share one, and a pair without one is named."""

import numpy as np
import pytest

from chrono_powercontact.chrono.takeover.materials.pair_keys import find_slots, lighter_of, pair_key

MASSES = np.array([1.0, 1.9, 4.1, np.inf])


def test_masses_within_a_factor_of_two_share_a_key():
    assert pair_key(1.0, 3, 5) == pair_key(1.99, 5, 3)
    assert pair_key(1.0, 3, 5) != pair_key(2.0, 3, 5)
    assert pair_key(1.0, 3, 5) != pair_key(1.0, 3, 6)


@pytest.mark.parametrize(("a", "b", "mass"), [(0, 1, 1.0), (3, 2, 4.1), (3, 3, 1.0)])
def test_the_lighter_body_counts_and_none_that_does_not_move(a, b, mass):
    assert lighter_of(MASSES, a, b) == mass


def test_the_first_pair_without_a_material_is_told():
    first = np.array([0, 1, 2])
    second = np.array([3, 3, 3])
    surfaces = np.array([(0, 1), (1, 0), (0, 1)])
    keys = np.array([pair_key(1.0, 0, 1)])
    slots = np.full(3, -1)
    assert find_slots(first, second, surfaces, MASSES, keys, np.array([7]), slots) == 2
    assert slots.tolist() == [7, 7, -1]
    both = np.array([pair_key(1.0, 0, 1), pair_key(4.1, 0, 1)])
    assert find_slots(first, second, surfaces, MASSES, both, np.array([7, 8]), slots) == 3
    assert slots.tolist() == [7, 7, 8]
