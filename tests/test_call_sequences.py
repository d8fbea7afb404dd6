"""No sequence of calls ends the process, raises an error that is not ours, or hangs."""

import json
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]
sys.path.append(str(ROOT / "benchmarks"))

from call_scene import CALLS, Scene, run_sequence  # noqa: E402
from call_sequences import survey  # noqa: E402

pytestmark = pytest.mark.chrono

SEQUENCES = 300


def test_three_hundred_random_sequences_are_survived():
    findings = survey(0, SEQUENCES)
    assert (findings.crashes, findings.errors, findings.hangs) == ([], [], [])


def test_a_number_repeats_a_sequence():
    told = [[], []]
    counts = [run_sequence(7, calls.append) for calls in told]
    assert told[0] == told[1]
    assert counts[0] == counts[1]


def test_every_call_has_a_method():
    assert all(callable(getattr(Scene, name)) for name in CALLS)


def test_the_last_survey_found_nothing():
    kept = json.loads((ROOT / "benchmarks" / "call_sequences.json").read_text())
    assert kept["sequences"] >= 10_000
    assert kept["crashes"] == kept["errors"] == kept["hangs"] == []
    assert kept["growth_in_mb_per_1000"] < 2.0
