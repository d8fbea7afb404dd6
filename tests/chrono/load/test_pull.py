import math

import numpy as np
import pytest
from scene import empty_system, new_body, run

from chrono_powercontact.chrono.load.pull import SpringPull
from chrono_powercontact.errors import ParameterError

pytestmark = pytest.mark.chrono


def test_force_is_taken_at_the_time_of_each_stage():
    """Fourth order under RK4: x = v t - v/w sin(w t) behind an end that leaves with v."""

    def error(step):
        system = empty_system(0.0, "runge_kutta")
        body = new_body(system, 0.1)
        spring = SpringPull(system, body, lambda t: (0.3 * t, 0.0, 0.0), 10.0)
        run(system, 1.0, step)
        assert spring.stiffness == 10.0
        return abs(body.GetPos().x - (0.3 - 0.03 * math.sin(10.0)))

    coarse, fine = error(0.02), error(0.01)
    assert coarse < 1e-4
    assert coarse / fine == pytest.approx(16.0, rel=0.15)


def test_relaxed_spring_pulls_along_its_line_in_proportion_to_its_stretch():
    system = empty_system(0.0)
    spring = SpringPull(system, new_body(system), lambda t: (3.0, 4.0, 0.0), 10.0, 1.0)
    assert spring.force(0.0, 0.0, 0.0, 0.0) == pytest.approx(np.array((0.6, 0.8, 0.0)) * 40.0)
    assert spring.force(0.0, 2.4, 3.2, 0.0) == pytest.approx((0.0, 0.0, 0.0), abs=1e-12)


def test_spring_needs_a_stiffness():
    system = empty_system(0.0)
    with pytest.raises(ParameterError, match="stiffness must be greater than 0"):
        SpringPull(system, new_body(system), lambda t: (0.0, 0.0, 0.0), 0.0)
