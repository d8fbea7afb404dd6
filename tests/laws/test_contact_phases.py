import math

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import chrono_powercontact as pc
from chrono_powercontact.laws.impact import peak_force

BALL = pc.Restriction(0.010, 0.009, 200.0, 1.0)
MASS = 0.05


def ball(r_d):
    return pc.Restriction(0.010, 0.009, 200.0, r_d)


@pytest.mark.parametrize(
    ("speed", "r_d", "duration", "peak"),
    [
        (0.5, 0.1, 2.65e-3, 47.33),
        (1.0, 0.1, 2.09e-3, 92.55),
        (1.0, 1.0, 2.24e-3, 103.39),
        (1.0, 5.0, 3.07e-3, 133.84),
        (2.0, 0.5, 2.30e-3, 153.83),
        (5.0, 1.0, 4.78e-3, 199.94),
    ],
)
def test_durations_and_peaks_of_an_independent_integration(speed, r_d, duration, peak):
    """RK4 with 0.01 ms of another code, to its printed digits and its step."""
    found = pc.contact_phases(ball(r_d), MASS, speed)
    assert found.compression_time + found.restitution_time == pytest.approx(duration, abs=1.5e-5)
    assert found.peak_force == pytest.approx(peak, rel=2e-3)


@given(st.floats(0.01, 20.0), st.floats(0.1, 10.0))
@settings(max_examples=40, deadline=None)
def test_energies_balance_and_the_peak_leads(r_d, speed):
    found = pc.contact_phases(ball(r_d), MASS, speed)
    before = 0.5 * MASS * speed**2
    after = before * float(pc.restitution(r_d, speed)) ** 2
    assert found.compression_loss + found.restitution_loss + after == pytest.approx(before, rel=1e-9)
    assert found.compression_loss > 0.0
    assert found.restitution_loss > 0.0
    assert 0.0 <= found.peak_lead <= found.compression_time
    assert found.peak_force == pytest.approx(peak_force(ball(r_d), MASS, speed), rel=1e-6)
    assert found.restitution_time > found.compression_time


def test_an_elastic_impact_is_symmetric_and_loses_nothing():
    found = pc.contact_phases(ball(0.0), MASS, 1.0)
    assert found.restitution_time == pytest.approx(found.compression_time, rel=1e-9)
    assert found.compression_loss == pytest.approx(0.0, abs=1e-15)
    assert found.peak_lead == 0.0


def test_a_plastic_impact_loses_one_half_in_compression_and_one_at_standstill():
    found = pc.contact_phases(ball(math.inf), MASS, 1.0)
    assert found.restitution_time == 0.0
    assert found.compression_loss == pytest.approx(0.0125, rel=1e-12)
    assert found.restitution_loss == pytest.approx(0.0125, rel=1e-12)


def test_what_has_no_phases_is_refused():
    with pytest.raises(pc.ParameterError, match=r"a mass at 0.01 m/s turns before it reaches s_0"):
        pc.contact_phases(BALL, MASS, 0.01)
    with pytest.raises(pc.ParameterError, match="law must be a Restriction, got Hooke"):
        pc.contact_phases(pc.Hooke(0.0, 1e5), MASS, 1.0)
    with pytest.raises(pc.ParameterError, match="speed must be greater than 0, got -1"):
        pc.contact_phases(BALL, MASS, -1.0)
