"""No sequence of calls ends the process, raises an error that is not ours, or hangs."""

import json
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]
sys.path.append(str(ROOT / "benchmarks"))

from call_scene import CALLS, Scene, run_sequence  # noqa: E402
from call_sequences import COLLECT, WARM, growth, held, survey  # noqa: E402

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


def test_what_is_allocated_is_held_until_it_is_freed():
    before = held()
    block = bytearray(50_000_000)
    assert held() - before == pytest.approx(50.0, abs=1.0)
    del block
    assert held() - before == pytest.approx(0.0, abs=1.0)


def test_growth_is_what_each_sequence_leaves_behind():
    leaking = [100.0 + 3e-3 * number for number in range(WARM + 20 * COLLECT + 1)]
    assert growth(leaking) == pytest.approx(3.0)


def test_the_last_survey_found_nothing():
    kept = json.loads((ROOT / "benchmarks" / "call_sequences.json").read_text())
    assert kept["sequences"] >= 10_000
    assert kept["crashes"] == kept["errors"] == kept["hangs"] == []
    assert kept["growth_in_mb_per_1000"] < 2.0
