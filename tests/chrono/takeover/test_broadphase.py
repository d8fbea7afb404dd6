import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from chrono_powercontact.chrono.takeover.broadphase import FEW, TRAITS, near_pairs, size_levels

EVERYBODY = 0x7FFF


def traits_of(count, bodies=None, group=1, mask=EVERYBODY, free=1):
    traits = np.zeros(count, TRAITS)
    traits["body"] = np.arange(count) if bodies is None else bodies
    traits["group"], traits["mask"], traits["free"], traits["name"] = group, mask, free, np.arange(count)
    return traits


def brute_force(centres, radii, traits):
    pairs = set()
    for i in range(len(radii)):
        for j in range(i + 1, len(radii)):
            near = ((centres[i] - centres[j]) ** 2).sum() <= (radii[i] + radii[j]) ** 2
            one, other = traits[i], traits[j]
            met = one["group"] & other["mask"] and other["group"] & one["mask"]
            if near and met and one["body"] != other["body"] and (one["free"] or other["free"]):
                pairs.add((i, j))
    return pairs


def found(centres, radii, traits):
    pairs = [tuple(pair) for pair in near_pairs(centres, radii, traits).tolist()]
    assert len(pairs) == len(set(pairs)), "a pair was found twice"
    return set(pairs)


@settings(max_examples=60, deadline=None)
@given(
    count=st.integers(1, 80), spread=st.floats(0.01, 100.0), decades=st.floats(0.0, 4.0), shift=st.floats(-1e4, 1e4),
    seed=st.integers(0, 2**32 - 1),
)  # fmt: skip
def test_finds_the_same_pairs_as_brute_force_for_any_mixture_of_sizes(count, spread, decades, shift, seed):
    random = np.random.default_rng(seed)
    centres = random.uniform(-spread, spread, (count, 3)) + shift
    radii = 0.05 * 10.0 ** random.uniform(-decades / 2, decades / 2, count)
    traits = traits_of(count)
    assert found(centres, radii, traits) == brute_force(centres, radii, traits)


@settings(max_examples=40, deadline=None)
@given(count=st.integers(2, 40), seed=st.integers(0, 2**32 - 1))
def test_respects_bodies_families_and_fixed_bodies(count, seed):
    random = np.random.default_rng(seed)
    centres, radii = random.uniform(-0.3, 0.3, (count, 3)), np.full(count, 0.2)
    groups, masks = 1 << random.integers(0, 3, count), random.integers(0, 8, count)
    traits = traits_of(count, random.integers(0, count // 2 + 1, count), groups, masks, random.integers(0, 2, count))
    assert found(centres, radii, traits) == brute_force(centres, radii, traits)


def test_families_must_agree_both_ways():
    centres, radii = np.zeros((2, 3)), np.ones(2)
    traits = traits_of(2)
    traits["group"], traits["mask"] = (2, 1), (1, EVERYBODY)
    assert found(centres, radii, traits) == {(0, 1)}
    traits["mask"][1] = EVERYBODY & ~2
    assert found(centres, radii, traits) == set()


def test_spheres_on_the_corners_of_cells_are_not_missed():
    """A lattice whose points lie exactly on the borders of the cells; neighbours just overlap."""
    side = 5
    centres = np.array([(x, y, z) for x in range(side) for y in range(side) for z in range(side)], float)
    radii = np.full(len(centres), 0.5 + 1e-12)
    assert len(found(centres, radii, traits_of(len(centres)))) == 3 * side**2 * (side - 1)


def test_a_level_doubles_its_size():
    levels = np.zeros(4, np.int64)
    assert size_levels(np.array([1.0, 2.0, 2.1, 1e3]), levels) == 1.0
    assert levels.tolist() == [0, 1, 2, 10]


def test_more_pairs_than_expected_are_all_found():
    count = 4 * FEW
    centres, radii, traits = np.zeros((count, 3)), np.ones(count), traits_of(count)
    assert len(near_pairs(centres, radii, traits, room=1)) == count * (count - 1) // 2


@pytest.mark.parametrize("count", [0, 1])
def test_nothing_touches_where_there_is_nothing(count):
    assert len(near_pairs(np.zeros((count, 3)), np.ones(count), traits_of(count))) == 0
