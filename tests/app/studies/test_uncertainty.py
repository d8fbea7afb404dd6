import pytest

from chrono_powercontact.app.studies.uncertainty import uncertainty
from chrono_powercontact.errors import ParameterError


def test_derivatives_and_ensemble_agree_where_the_spread_is_small():
    found = uncertainty("ball", {"speed": 0.01, "r_d": 0.02}, {"step": 2e-5}, runs=300, seed=4)
    for metric in ("restitution", "min_distance", "peak_force"):
        spread = found[metric]
        assert spread.ensemble == pytest.approx(spread.linear, rel=0.15), metric
        assert spread.mean == pytest.approx(spread.value, abs=spread.linear)
        assert sum(spread.shares.values()) == pytest.approx(1.0)
    assert found["restitution"].shares["r_d"] == pytest.approx(0.8, abs=0.01)


def test_spreads_that_cannot_be_used_are_told():
    with pytest.raises(ParameterError, match="spread of speed must be greater than 0, got -1"):
        uncertainty("ball", {"speed": -1.0})
    with pytest.raises(ParameterError, match="runs must be a whole number of at least 2, got 1"):
        uncertainty("ball", {"speed": 0.1}, runs=1)
