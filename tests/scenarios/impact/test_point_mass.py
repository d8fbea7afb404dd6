import numpy as np
import pytest

from chrono_powercontact.lagrange.runs import run_rk4
from chrono_powercontact.laws.normal.restriction import Restriction
from chrono_powercontact.scenarios.impact.point_mass import point_mass


def test_free_fall_is_a_parabola():
    system = point_mass(2.0, Restriction(0.01, 0.009, 100.0, 1.0), 9.81)
    run = run_rk4(system, system.state([10.0], [1.0]), 1e-3, 1.0)
    assert np.abs(run["s"] - (10.0 + run["t"] - 0.5 * 9.81 * run["t"] ** 2)).max() < 1e-12
    assert run["kinetic"][0] + run["potential"][0] == pytest.approx(1.0 + 2.0 * 9.81 * 10.0)
