"""Numbers of features last as long as these are listed, and are used again afterwards."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from chrono_powercontact.chrono.takeover.solids.feature_numbers import FeatureNumbers
from chrono_powercontact.errors import ParameterError

NONE = np.zeros(0, np.int64)


def test_features_that_stay_keep_their_numbers():
    numbers = FeatureNumbers(100)
    first = numbers.of(7, [(0, 5), (1, 2), (2, 3, 4)], NONE)
    second = numbers.of(7, [(2, 3, 4), (0, 9), (0, 5)], first)
    assert second[0] == first[2]
    assert second[2] == first[0]
    assert second[1] not in first


@given(st.lists(st.sets(st.integers(0, 30), max_size=12), min_size=1, max_size=12))
def test_no_two_features_share_a_number(lists):
    """What is listed has numbers of its own, and nobody gets that of a feature that is still in the list."""
    numbers = FeatureNumbers(24)
    present = {}
    for features in lists:
        names = sorted((feature,) for feature in features)
        new = dict(zip(names, numbers.of(0, names, np.array(list(present.values()), np.int64)).tolist(), strict=True))
        assert len(set(new.values())) == len(new)
        for name, number in new.items():
            assert present.get(name, number) == number
            assert number not in {old for other, old in present.items() if other != name}
        present = new


def test_too_many_features_are_told():
    with pytest.raises(ParameterError, match="more than 2 corners and edges"):
        FeatureNumbers(2).of(0, [(0,), (1,), (2,)], NONE)
