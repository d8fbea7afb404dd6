import math

import pytest

import chrono_powercontact as pc
from chrono_powercontact.errors import ParameterError
from chrono_powercontact.laws.impact_step import exit_speeds

ELASTIC = pc.Restriction(0.0, -1e-3, 2e4, 0.0)


def gained(law, step, speed, integrator="euler", mass=1.0):
    """Largest kinetic energy after an impact, over that before it."""
    return (exit_speeds(law, mass, speed, step, integrator) ** 2).max() / speed**2


@pytest.mark.parametrize("integrator", ["euler", "rk4"])
@pytest.mark.parametrize("speed", [0.1, 1.0, 10.0])
def test_a_step_for_a_speed_gains_no_energy(integrator, speed):
    step = pc.stable_contact_step(ELASTIC, 1.0, integrator, speed)
    assert step <= pc.stable_contact_step(ELASTIC, 1.0, integrator)
    assert gained(ELASTIC, step, speed, integrator) <= 1.01


def test_a_step_that_is_only_stable_may_gain_energy_in_a_fast_impact():
    stable = pc.stable_contact_step(ELASTIC, 1.0)
    assert gained(ELASTIC, 0.57 * stable, 10.0) > 1.01


def test_damping_is_allowed_for():
    law = pc.Restriction(0.0, -1e-3, 2e4, 1.0)
    step = pc.stable_contact_step(law, 1.0, speed=5.0)
    exact = float(pc.restitution(1.0, 5.0))
    assert math.sqrt(gained(law, step, 5.0)) == pytest.approx(exact, abs=0.02)


@pytest.mark.parametrize("speed", [0.0, -1.0, math.nan])
def test_the_speed_must_be_positive(speed):
    with pytest.raises(ParameterError, match="speed"):
        pc.stable_contact_step(ELASTIC, 1.0, speed=speed)
