import pytest

from chrono_powercontact.compare import compare, table
from chrono_powercontact.errors import UnknownNameError
from chrono_powercontact.scenarios import find


def test_rivals_stand_beside_the_power_law(tmp_path):
    result = compare(find("stick_slip"), ["power", "lugre"], {}, tmp_path)
    power, lugre = result["models"]["power"], result["models"]["lugre"]
    assert power["peak_friction"] == pytest.approx(1.4075, abs=1e-3)
    assert lugre["drift"] == pytest.approx(0.0, abs=1e-9)
    assert power["us_per_step"] > 0.0
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
