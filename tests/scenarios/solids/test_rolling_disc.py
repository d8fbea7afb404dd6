import numpy as np
import pytest

from chrono_powercontact.scenarios.solids.rolling_disc import DiscParameters, circle_radius, growth


def test_critical_spin_of_a_sharp_disc_is_the_textbooks():
    """A uniform disc rolls upright if v^2 > g R/3."""
    p = DiscParameters(edge=1e-9)
    assert (p.critical() * p.radius) ** 2 == pytest.approx(9.81 * p.radius / 3.0, rel=1e-6)


def test_radius_of_a_circle():
    angle = np.linspace(0.0, 2.0, 20)
    assert circle_radius(1.0 + 0.3 * np.cos(angle), 2.0 + 0.3 * np.sin(angle)) == pytest.approx(0.3)


@pytest.mark.parametrize("k", [-30.0, 30.0])
def test_growth_of_a_lean(k):
    t = np.linspace(0.0, 0.4, 4001)
    lean = np.cosh(np.sqrt(k) * t) if k > 0 else np.cos(np.sqrt(-k) * t)
    assert growth(t, 1e-3 * lean) == pytest.approx(k, rel=1e-5)
