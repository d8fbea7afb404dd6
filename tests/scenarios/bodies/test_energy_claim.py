from chrono_powercontact.scenarios.bodies.energy_claim import energy_claim
from chrono_powercontact.scenarios.scenario import verdict

RISING = {"max_energy_gain": 2e-5, "handed_back": 3e-5, "friction_heat": 1e-2}


def test_a_rise_needs_a_filter_that_hands_it_back():
    assert verdict(energy_claim(RISING, True, 1e-9)) is True
    assert verdict(energy_claim(RISING, False, 1e-9)) is False
    assert verdict(energy_claim(RISING | {"max_energy_gain": 1e-4}, True, 1e-9)) is False


def test_friction_takes_more_than_it_hands_back():
    assert verdict(energy_claim(RISING | {"friction_heat": 1e-5}, True, 1e-9)) is False
