"""Contacts give no energy that they have not taken before, whatever the scene and the step."""

import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]
sys.path.append(str(ROOT / "benchmarks"))

import thrown_scenes as scenes  # noqa: E402


@pytest.mark.chrono
@pytest.mark.filterwarnings("ignore:the contact forces of a step")
@pytest.mark.parametrize("seed", range(40))
def test_contacts_of_thrown_bodies_give_no_more_than_they_stored(seed):
    """The sum with the stored energy may jump.

    In steps of several ms a fast body may pass the end of its contact's normal. It is then deeper than the solve could
    know, and the energy of that depth is not given back.
    """
    outcome = scenes.watched(seed, scenes.thrown(seed))
    assert outcome.gained <= scenes.ALLOWED
    assert outcome.jump <= 1e-3 or outcome.step > 1e-3
    assert outcome.unconverged <= 2e-3 * outcome.steps + 1


@pytest.mark.chrono
@pytest.mark.filterwarnings("ignore:the contact forces of a step")
@pytest.mark.parametrize("seed", range(20))
def test_designed_contacts_let_no_body_through_the_ground(seed):
    outcome = scenes.watched(seed, scenes.thrown_and_taken_over(seed))
    assert outcome.gained <= scenes.ALLOWED
    assert outcome.lowest > 0.0


@pytest.mark.parametrize("seed", range(5))
def test_steps_lie_in_their_range(seed):
    assert scenes.SHORTEST <= scenes.random_step(seed) <= scenes.LONGEST
