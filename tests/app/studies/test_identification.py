import numpy as np
import pytest

from chrono_powercontact.app.studies.identification import identify
from chrono_powercontact.errors import ParameterError, UnknownNameError
from chrono_powercontact.scenarios.catalogue import find
from chrono_powercontact.scenarios.parameters import read_parameters

SETTING = {"time": 0.25, "step": 1e-4}
TRUE = {"r_d": 3.0, "height": 0.105}


def measurement(seed, sigma=1e-4):
    scenario = find("drop")
    run = scenario.run(read_parameters(scenario.parameters, {**SETTING, **TRUE})).trajectory
    kept = slice(0, None, 25)
    noise = sigma * np.random.default_rng(seed).standard_normal(run["t"][kept].size)
    return {"t": run["t"][kept], "s": run["s"][kept] + noise}


def test_a_bounce_gives_back_its_parameters_with_intervals():
    found = identify("drop", measurement(1), ["r_d", "height"], {"s": 1e-4}, SETTING)
    assert found.fit.residual == pytest.approx(1.0, abs=0.2)
    assert found.fit.evaluations < 20
    for name, true in TRUE.items():
        low, high = found.interval(name)
        assert low < true < high
        assert high - low < 0.02 * true
        assert found.value(name) == pytest.approx(true, rel=0.01)
    assert "misfit over the noise" in str(found)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"s": None}, "needs the times under 't' and a column, got t"),
        ({"s": np.full(101, np.nan)}, "column 's' has gaps"),
        ({"s": np.zeros(7)}, "must have one value for each of 101 times"),
        ({"t": np.linspace(0.0, 9.0, 101)}, "the measurement lasts from 0 to 9 s, the run from 0 to 0.25 s"),
    ],
)
def test_measurements_that_cannot_be_used_are_told(change, message):
    table = {key: values for key, values in {**measurement(1), **change}.items() if values is not None}
    with pytest.raises(ParameterError, match=message):
        identify("drop", table, ["r_d"], {"s": 1e-4}, SETTING)


def test_unknown_columns_parameters_and_noise_are_told():
    table = measurement(1)
    with pytest.raises(ParameterError, match="noise of column 's' must be greater than 0, got None"):
        identify("drop", table, ["r_d"], {}, SETTING)
    with pytest.raises(UnknownNameError, match="unknown column 'z'"):
        identify("drop", {"t": table["t"], "z": table["s"]}, ["r_d"], {"z": 1.0}, SETTING)
    with pytest.raises(UnknownNameError, match="unknown bounded parameter 'mass'"):
        identify("drop", table, ["r_d"], {"s": 1e-4}, SETTING, {"mass": (0.0, 1.0)})
    with pytest.raises(ParameterError, match="needs the name of a parameter to vary, got none"):
        identify("drop", table, [], {"s": 1e-4}, SETTING)


def test_data_in_other_units_are_told_by_their_misfit():
    t = np.linspace(0.0, 0.2, 21)
    found = identify("drop", {"t": t, "s": np.linspace(100.0, 50.0, 21)}, ["r_d"], {"s": 1e-4}, {"time": 0.25})
    assert "the model does not follow the data, whose units may be others" in str(found)
