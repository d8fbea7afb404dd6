import numpy as np
import pytest

from chrono_powercontact.app.compare import compare, largest_step, table
from chrono_powercontact.chrono.api.bridge import PyChronoError
from chrono_powercontact.errors import ParameterError, UnknownNameError
from chrono_powercontact.scenarios.catalogue import find
from chrono_powercontact.scenarios.parameters import read_parameters
from chrono_powercontact.scenarios.scenario import Outcome
from chrono_powercontact.trajectory import Trajectory


def test_rivals_stand_beside_the_power_law(tmp_path):
    result = compare(find("stick_slip"), ["power", "lugre"], {}, tmp_path)
    power, lugre = result["models"]["power"], result["models"]["lugre"]
    assert power["peak_friction"] == pytest.approx(1.4075, abs=1e-3)
    assert lugre["drift"] == pytest.approx(0.0, abs=1e-9)
    assert power["us_per_step"] > 0.0
    assert (power["largest_step"], lugre["largest_step"]) == (2e-4, 4e-4)
    assert (tmp_path / "compare.png").stat().st_size > 10_000


def test_a_rival_that_diverges_is_named_not_dropped(tmp_path):
    result = compare(find("stick_slip"), ["power", "lugre"], {"step": 2e-3}, tmp_path)
    assert "smaller step" in result["models"]["power"]["failed"]
    assert "failed" in table(result)


def test_unknown_model_is_refused(tmp_path):
    with pytest.raises(UnknownNameError):
        compare(find("ball"), ["newto"], {}, tmp_path)


def test_table_has_a_column_per_model():
    text = table({"models": {"a": {"x": 1.0, "y": [1.0] * 9}, "b": {"x": None, "z": "w"}}})
    assert text.splitlines()[0].split() == ["a", "b"]
    assert "..." in text
    assert "-" in text


def test_where_every_model_needs_chrono_its_absence_is_an_error(tmp_path, monkeypatch):
    monkeypatch.setattr("chrono_powercontact.app.compare.api.missing", lambda: "PyChrono is not installed")
    with pytest.raises(PyChronoError, match="PyChrono is not installed"):
        compare(find("adoption"), [], {}, tmp_path / "out")
    assert not (tmp_path / "out").exists()


def test_chronos_own_contact_is_named_as_missing_where_chrono_is(tmp_path, monkeypatch):
    monkeypatch.setattr("chrono_powercontact.app.compare.api.missing", lambda: "PyChrono is not installed")
    result = compare(find("slope"), ["power", "smc-hooke"], {"time": 0.3}, tmp_path)
    assert result["models"]["power"]["engine"] == "reference"
    assert result["models"]["smc-hooke"] == {"engine": "missing"}
    assert "smc-hooke is missing: PyChrono is not installed" in table(result)


def test_largest_step_is_a_doubled_one_that_still_behaves(tmp_path):
    row = compare(find("slope"), ["power"], {"time": 0.5}, tmp_path)["models"]["power"]
    doublings = np.log2(row["largest_step"] / 1e-4)
    assert doublings == pytest.approx(round(doublings))
    assert 1 <= doublings <= 4


def test_a_scenario_without_a_step_has_no_largest_one():
    scenario = find("gait_observer")
    first = Outcome(read_parameters(scenario.parameters, {}), Trajectory(("t",), np.zeros((1, 1)), 0), {})
    assert largest_step(scenario, {}, "reference", first) is None


def test_a_scenario_without_rivals_names_those_that_have_some(tmp_path):
    with pytest.raises(
        ParameterError, match=r"no rivals to compare with; those that have are ball, .*, rake_cleaner, "
    ):
        compare(find("roll"), [], {}, tmp_path)


def test_a_model_that_misbehaves_at_its_own_step_has_no_largest_one(tmp_path):
    given = {"memory": "static", "time": 0.5}
    assert compare(find("slope"), ["power"], given, tmp_path)["models"]["power"]["largest_step"] is None


@pytest.mark.chrono
def test_an_anchored_box_stays_at_rest_with_every_step_that_chrono_itself_allows(tmp_path):
    rows = compare(find("slope"), ["anchored", "nsc"], {"time": 1.0, "step": 1e-3}, tmp_path)["models"]
    assert rows["anchored"]["engine"] == rows["nsc"]["engine"] == "chrono"
    assert rows["anchored"]["largest_step"] >= 0.02
    assert rows["anchored"]["largest_step"] >= rows["nsc"]["largest_step"]
