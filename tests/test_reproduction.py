"""The reproduction page says what its table says, and every line of the table names something that exists."""

import runpy
from pathlib import Path

import pytest
from faults import FAULTS

from chrono_powercontact.scenarios.catalogue import NAMES

SCRIPT = runpy.run_path(str(Path(__file__).resolve().parents[1] / "docs" / "write_reproduction.py"))
LINES = SCRIPT["read_table"]()
ROWS = SCRIPT["kept_rows"]()
LONG = ("stick_slip", "stick_slip_2d", "cartesian_pendulum", "four_bar", "leg", "cube", "rake_sensor", "hysteresis")
"""Scenarios that take seconds: tests of their own hold their claims and figures."""
QUICK = [
    line for line in LINES if line.scenario and line.scenario not in LONG and line.run != "run arm_modes case=machine"
]


def test_every_source_has_lines():
    assert {line.source for line in LINES} == set(SCRIPT["SOURCES"])
    assert len({(line.place, line.content) for line in LINES}) == len(LINES)


@pytest.mark.parametrize("line", LINES, ids=lambda line: f"{line.source}: {line.place}")
def test_line_is_complete_and_its_proof_exists(line):
    assert line.engine in ("reference", "chrono", "both", "none")
    assert line.verdict in ("by proof", "differs", "not there")
    assert line.note or line.verdict == "by proof", "a verdict against the source needs its reason"
    assert not line.within or (line.scenario and line.ours and line.theirs)
    row = ROWS[SCRIPT["key_of"](SCRIPT["row_of"](line, "", "differs"))]
    if not SCRIPT["is_there"](line):
        assert "**not there**" in row, f"{line.proof} is not in this version"
    else:
        assert f"**{line.verdict}**" in row if line.verdict != "by proof" else "**not there**" not in row, (
            f"python docs/write_reproduction.py {line.scenario or ''}"
        )


def test_a_line_that_is_not_run_here_is_held_by_the_guard_of_claims():
    """Each of these scenarios runs without its fault there, and must hold."""
    judged = {fault.scenario for fault in FAULTS}
    assert {line.scenario for line in LINES if line.scenario} <= judged


def test_tests_that_are_named_are_not_skipped():
    """A test that never runs proves nothing; those that need PyChrono are named as such by the engine."""
    for line in LINES:
        for proof in line.tests:
            source = (SCRIPT["ROOT"] / proof.split("::")[0]).read_text(encoding="utf-8")
            before = source.split(f"def {proof.split('::')[1]}(")[0].rsplit("\n\n\n", 1)[-1]
            assert not any(mark in before for mark in ("mark.skip", "mark.xfail")), proof


def test_page_has_exactly_the_lines_of_the_table():
    assert list(ROWS) == [SCRIPT["key_of"](SCRIPT["row_of"](line, "", "differs")) for line in LINES]


@pytest.mark.parametrize("line", QUICK, ids=lambda line: line.content)
def test_quick_lines_come_out_as_the_page_says(line):
    ours, verdict = SCRIPT["judged"](line)
    assert ROWS[SCRIPT["key_of"](SCRIPT["row_of"](line, "", "differs"))] == SCRIPT["row_of"](line, ours, verdict)


def test_metrics_are_found_by_their_paths():
    metrics = {"a": [1.0, 2.0], "b": {"c": 3.0}}
    assert [SCRIPT["metric"](metrics, path) for path in ("a[1]", "a#", "b.c")] == [2.0, 2.0, 3.0]


def test_numbers_begin_a_text():
    assert SCRIPT["number_in"]("-83.0690 m/s") == -83.069
    assert SCRIPT["number_in"]("9.3566e-3 m") == 9.3566e-3
    with pytest.raises(SystemExit, match="must begin with a number"):
        SCRIPT["number_in"]("about 3")


def test_unknown_scenarios_are_named():
    assert "ball" in NAMES
    with pytest.raises(SystemExit, match="no such scenario: bal; there are ball"):
        SCRIPT["main"](["bal"])
