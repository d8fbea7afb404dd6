"""Masonry: the angles of the rigid-block formula, and columns with and without mortar on Chrono."""

import math

import pytest

from chrono_powercontact.app.runner import execute
from chrono_powercontact.errors import ParameterError
from chrono_powercontact.scenarios.catalogue import find
from chrono_powercontact.scenarios.solids.masonry import MasonryParameters


def test_collapse_angle_of_a_sharp_block():
    p = MasonryParameters(blocks=1, width=0.1, height=0.2, edge=1e-12)
    assert math.tan(p.collapse()) == pytest.approx(0.5)


def test_mortar_holds_the_moment_that_the_weight_has_beyond_the_dry_angle():
    p = MasonryParameters(mortar=2000.0)
    angle = p.collapse()
    weight = p.blocks * p.mass * 9.81
    arms = 0.5 * p.blocks * p.height * math.sin(angle) - 0.5 * p.footing() * math.cos(angle)
    assert weight * arms == pytest.approx(2.0 * p.bond() * p.footing())
    assert angle > MasonryParameters().collapse()


def test_mortar_too_strong_to_break_is_refused_in_one_sentence():
    with pytest.raises(ParameterError, match="mortar must be weak enough for the column to fall, got 1e\\+06 Pa"):
        MasonryParameters(mortar=1e6).collapse()


def test_mortar_bears_its_strength_and_then_nothing():
    p = MasonryParameters(mortar=2000.0)
    law = p.mortared().normal
    assert float(law.force(-1e-4, 0.0)) == pytest.approx(p.bond(), rel=1e-3)
    assert float(law.force(-1e-3, 0.0)) == pytest.approx(0.0, abs=1e-9)
    assert float(law.force(1e-4, 0.0)) == pytest.approx(0.0, abs=1e-9)


@pytest.mark.chrono
@pytest.mark.parametrize(("mortar", "blocks", "step"), [(0.0, 2, 1e-3), (2000.0, 3, 1e-3), (1500.0, 3, 2e-3)])
def test_claim_holds(mortar, blocks, step):
    given = {"mortar": mortar, "blocks": blocks, "step": step, "time": 1.0}
    outcome = execute(find("masonry"), given, "chrono").outcome
    assert outcome.passed, [check.text for check in outcome.checks if not check.passed]


@pytest.mark.chrono
def test_no_creep_in_ten_minutes():
    """After it has settled the column does not move by a single digit."""
    given = {"time": 600.0, "step": 2e-3, "blocks": 2}
    outcome = execute(find("masonry"), given, "chrono").outcome
    assert outcome.metrics["creep"] == 0.0
