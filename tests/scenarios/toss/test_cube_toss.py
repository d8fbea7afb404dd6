from dataclasses import replace

import numpy as np
import pytest

from chrono_powercontact.errors import ParameterError
from chrono_powercontact.scenarios.catalogue import find
from chrono_powercontact.scenarios.parameters import read_parameters
from chrono_powercontact.scenarios.toss.cube_toss import TRUE_CENTRE, TRUE_MU, TRUE_RESTITUTION, VALUES
from chrono_powercontact.scenarios.toss.simulated_tosses import TRUTH, simulated_tosses
from chrono_powercontact.scenarios.toss.toss_errors import face_up
from chrono_powercontact.scenarios.toss.toss_fit import FITTED, fit_cube, values_of
from chrono_powercontact.scenarios.toss.toss_start import ballistic_starts


def test_simulated_tosses_give_their_cube_back(outcome):
    metrics = outcome("cube_toss", fit=6).metrics
    truth = values_of(TRUTH)
    assert metrics["mu"] == pytest.approx(truth["mu"], abs=2e-3)
    assert metrics["load_exponent"] == pytest.approx(truth["load_exponent"], abs=5e-3)
    assert metrics["restitution"] == pytest.approx(truth["restitution"], abs=0.01)
    assert metrics["inertia_across"] == pytest.approx(truth["inertia_across"], rel=0.02)
    assert metrics["right_face"] == 1.0


def test_metrics_have_their_names(outcome):
    metrics = outcome("cube_toss", fit=6).metrics
    for name in ("position_error", "rotation_error"):
        assert 0.0 < metrics[f"{name}_median"] < 2.0 * metrics[f"{name}_mean"]
    for name in ("mu", "restitution"):
        low, high = metrics[f"{name}_interval"]
        assert low <= metrics[name] <= high
    assert (metrics["fitted_on"], metrics["judged_on"]) == (6, 3)


def test_what_is_not_fitted_keeps_its_value():
    p = read_parameters(find("cube_toss").parameters, {"centre": False, "inertia": False, "load": False})
    assert p.free() == ["mu", "restitution", "half", "radius"]
    assert set(VALUES) == set(FITTED)


def test_tosses_that_judge_decide_on_nothing():
    tosses = simulated_tosses(8, 1)
    chosen = np.arange(4)
    moved = tosses.position.copy()
    moved[tosses.first[4] :] += np.random.default_rng(0).normal(0.0, 3e-4, moved[tosses.first[4] :].shape)
    values = [
        fit_cube(some, ballistic_starts(some), chosen, ["mu"], 0, lambda part: None)
        for some in (tosses, replace(tosses, position=moved, gravity=9.0))
    ]
    assert values[0].values == values[1].values
    assert values[0].tosses.gravity == values[1].tosses.gravity


def test_the_truth_that_is_checked_is_that_of_the_simulation():
    assert (TRUTH.mu, TRUTH.restitution, TRUTH.centre[2]) == (TRUE_MU, TRUE_RESTITUTION, TRUE_CENTRE)


def test_the_face_that_is_up():
    half = np.sqrt(0.5)
    turns = np.array([(1.0, 0.0, 0.0, 0.0), (half, half, 0.0, 0.0), (half, 0.0, half, 0.0), (0.0, 1.0, 0.0, 0.0)])
    assert face_up(turns).tolist() == [3, 2, -1, -3]


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"data": "no/such/file.npz"}, "data must be the path of a file with tosses, got 'no/such/file.npz'"),
        ({"start": 2}, "start must be 0 or at least 3 samples, got 2"),
        ({"fit": 1}, "parameter fit must be at least 2, got 1"),
    ],
)
def test_bad_parameters_are_one_sentence(given, message):
    scenario = find("cube_toss")
    with pytest.raises(ParameterError, match=message):
        scenario.run(read_parameters(scenario.parameters, given))
