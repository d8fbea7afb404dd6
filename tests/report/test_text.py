import numpy as np
import pytest

from chrono_powercontact.report.text import WIDTH, metric_lines, parameter_lines, shown
from chrono_powercontact.scenarios.catalogue import NAMES, find


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (0.123456789, "0.123457"),
        (np.float32(0.25), "0.25"),
        (None, "None"),
        (3, "3"),
        ([1.0, 2.5], "[1, 2.5]"),
        (list(range(9)), "[0, 1, 2, 3, 4, 5, ...]"),
        ({"80": 0.49852966774421476, "90": None}, "{80: 0.49853, 90: None}"),
        ({"power": {"x": 1 / 3}}, "{power: {x: 0.333333}}"),
    ],
)
def test_values_are_shown_with_six_digits(value, text):
    assert shown(value) == text


def test_a_metric_that_fits_is_one_line():
    assert metric_lines("mu", {"80": 0.5}) == [f"  {'mu':28} {{80: 0.5}}"]


def test_many_entries_are_wrapped_between_them():
    lines = metric_lines("mu", {f"key {i}": i / 7 for i in range(30)})
    assert len(lines) > 2
    assert max(map(len, lines)) <= WIDTH
    assert all(line.startswith(" " * 32 + "key ") for line in lines[1:])
    assert sum(line.count(": ") for line in lines) == 30


def test_nested_metrics_have_a_line_for_each_part():
    laws = {"power": [1 / 3] * 6, "anchored": [1 / 7] * 6}
    lines = metric_lines("break_away", {"force": laws, "stiction": 1.4})
    assert [line.split()[0] for line in lines] == ["break_away", "force", "power", "anchored", "stiction"]
    assert [len(line) - len(line.lstrip()) for line in lines] == [2, 4, 6, 6, 4]


@pytest.mark.parametrize("name", NAMES)
def test_parameters_keep_to_the_terminal_and_stand_in_one_column(name, monkeypatch):
    monkeypatch.setenv("COLUMNS", "100")
    lines = parameter_lines(find(name))
    assert max(map(len, lines)) <= 98
    parameters = [line for line in lines if not line.startswith("  on the chrono engine")]
    column = 4 + max(len(p.name) for p in find(name).parameters_on("chrono" if "chrono" in find(name).engines else ""))
    assert all(line[column - 2 : column] == "  " and line[column] != " " for line in parameters)


def test_load_cases_of_the_rake_cleaner_are_listed_once():
    text = "\n".join(parameter_lines(find("rake_cleaner")))
    assert "lc0 or lc1" not in text
    assert "(default lc3)" in text
