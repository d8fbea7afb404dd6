"""A hopper: its parameters, its rates, and its claim on Chrono."""

import numpy as np
import pytest

from chrono_powercontact.app.runner import execute
from chrono_powercontact.errors import ParameterError
from chrono_powercontact.scenarios.catalogue import find
from chrono_powercontact.scenarios.solids.hopper import HopperParameters, bed_of, rates


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"narrowest": 8.0, "widest": 8.0}, "widest must be more than narrowest, 8, got 8"),
        ({"width": 20.0}, "width must be at least twice that of the widest slot, 24, got 20"),
    ],
)
def test_slots_that_do_not_fit_are_refused_in_one_sentence(given, message):
    with pytest.raises(ParameterError, match=message):
        HopperParameters(**given).check_widths()


def test_rate_of_a_flow_that_slows_down():
    p = HopperParameters(grains=1000)
    t = np.linspace(0.0, 1.0, 101)
    mean, change = rates(p, t, 1000.0 * (t - 0.25 * t**2))
    assert 700.0 < mean < 1000.0
    assert -0.3 < change < -0.1


def test_flow_that_has_jammed_has_no_rate():
    assert rates(HopperParameters(), np.linspace(0.0, 1.0, 11), np.zeros(11)) == (0.0, np.inf)


def test_bed_is_as_dense_as_its_grains_and_voids():
    p = HopperParameters(grains=200, spread=0.0)
    hopper = p.hopper()
    places = np.zeros((200, 3))
    places[:, 2] = np.linspace(0.0, 0.2, 200)
    volume = 0.2 * hopper.width * hopper.depth
    assert bed_of(hopper, places).density == pytest.approx(hopper.masses.sum() / volume)


@pytest.mark.chrono
def test_small_hopper_flows_about_as_the_law_says():
    """Too small to tell the power: every flow lies within a third of the law with the usual coefficient, 0.9."""
    given = {"grains": 200, "width": 16.0, "narrowest": 6.0, "widest": 8.0, "slots": 3}
    metrics = execute(find("hopper"), given, "chrono").outcome.metrics
    coefficients = [metrics[f"coefficient_{k}"] for k in (1, 2, 3)]
    assert coefficients == pytest.approx([0.9] * 3, rel=0.33)
