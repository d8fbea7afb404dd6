"""Euler's disc: its closed form, the fit of its end, and its claim on Chrono."""

import math

import numpy as np
import pytest

from chrono_powercontact.app.runner import execute
from chrono_powercontact.scenarios.catalogue import find
from chrono_powercontact.scenarios.solids.euler_disc import EulerDiscParameters, fitted_end


def test_centre_of_a_thin_disc_is_at_rest_at_the_textbooks_precession():
    p = EulerDiscParameters(edge=1e-9)
    disc = p.rest()
    thin = 4.0 * 9.81 / (p.radius * math.sin(math.radians(p.tilt)))
    assert disc.precession**2 == pytest.approx(thin, rel=1e-6)
    assert disc.circle() == pytest.approx(0.0, abs=1e-12)


def test_time_until_it_lies_flat_at_small_angles():
    p = EulerDiscParameters(tilt=1e-3)
    small = 1.5 * p.radius / p.arm * math.sqrt(p.radius * math.radians(p.tilt) / 9.81)
    assert p.flat_at() == pytest.approx(small, rel=1e-6)


@pytest.mark.parametrize("power", [2.0, 2.0 / 3.0])
def test_fit_finds_power_and_end(power):
    t = np.linspace(0.0, 2.0, 400)
    assert fitted_end(t, 0.06 * (1.0 - t / 3.5) ** power) == pytest.approx((power, 3.5), rel=1e-3)


def test_rigid_disc_loses_what_rolling_friction_takes():
    """The energy of the rolling body follows the closed form, in which its centre rests, to 2 %."""
    p = EulerDiscParameters()
    start = p.start()
    times = np.linspace(0.0, 0.5, 3)
    verticals, turning, _ = p.rigid().roll(start.turn, start.turning, times)
    flat = p.mass * 9.81 * p.edge
    energies = [p.rigid().energy(n, w) - flat for n, w in zip(verticals, turning, strict=True)]
    assert energies[-1] / energies[0] == pytest.approx((1.0 - 0.5 / p.flat_at()) ** 2, rel=0.02)


@pytest.mark.chrono
def test_claim_holds():
    outcome = execute(find("euler_disc"), {"time": 2.4}, "chrono").outcome
    assert outcome.passed, [check.text for check in outcome.checks if not check.passed]
