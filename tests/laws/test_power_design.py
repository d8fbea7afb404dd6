import math

import numpy as np
import pytest
import sympy as sp

import chrono_powercontact as pc
from chrono_powercontact.lagrange.impacts import free_impacts
from chrono_powercontact.laws.normal.normal_table import normal_record

SPEEDS = np.geomspace(0.1, 10.0, 13)


def falling(v):
    """A restitution that falls as plastic impacts do."""
    return 0.5 * v**-0.25


def test_a_restitution_that_falls_with_the_fourth_root_of_the_speed_is_followed():
    power = pc.design_power(falling, (0.1, 10.0))
    assert [power.restitution(v) for v in SPEEDS] == pytest.approx(falling(SPEEDS), abs=1e-3)


def test_the_engine_gives_the_restitution_of_the_quadrature():
    power = pc.design_power(falling, (0.1, 10.0))
    records = np.array([normal_record(power.law(s_0=0.0, s_c=-1e-3, r_f=2e4))] * len(SPEEDS))
    found = free_impacts(records, 0.1, 0.01, SPEEDS, 1e-6)[:, 0]
    assert found == pytest.approx([power.restitution(v) for v in SPEEDS], abs=1e-5)


def test_measured_points_are_met():
    speeds = [0.05, 0.2, 1.0, 3.0, 8.0]
    values = [0.92, 0.8, 0.62, 0.5, 0.43]
    power = pc.design_power((speeds, values))
    assert [power.restitution(v) for v in speeds] == pytest.approx(values, abs=1e-3)


def test_one_restitution_at_every_speed():
    power = pc.design_power(0.9)
    assert [power.restitution(v) for v in (1e-3, 0.1, 50.0)] == pytest.approx([0.9] * 3, abs=1e-4)
    assert power.restitution(1e-6) > 0.98


def test_a_bouncing_ball_comes_to_rest_at_its_closed_form_time():
    e, g, height = 0.9, 9.81, 0.01
    law = pc.design_power(e, (1e-4, 1.0)).law(s_0=0.0, s_c=-1e-6, r_f=5e3)
    (s,) = pc.coordinates("s")
    (v,) = pc.velocities((s,))
    m, gravity = sp.symbols("m g")
    ball = pc.Model("bounced", (s,), m * v**2 / 2, m * gravity * s, (m, gravity), {}, (pc.ContactPoint("floor", s),))
    system = pc.System(ball, {"m": 0.1, "g": g}, {"floor": pc.Material(law)})
    closed = math.sqrt(2.0 * height / g) * (1.0 + e) / (1.0 - e)
    run = pc.run_adaptive(system, system.state([height], [0.0]), 1.05 * closed, 4001, "LSODA", 1e-6, 1e-12)
    moving = np.flatnonzero(np.abs(run["s_dot"]) > 1e-3 * math.sqrt(2.0 * g * height))
    assert run["t"][moving[-1]] == pytest.approx(closed, rel=0.01)


def test_the_law_is_bounded_and_takes_energy():
    law = pc.design_power(falling, (0.1, 10.0)).law(s_0=0.0, s_c=-1e-3, r_f=100.0)
    v = np.linspace(-20.0, 20.0, 401)
    force = law.force(-1e-2, v)
    assert force.max() <= 100.0 * (1.0 + 1e-9)
    assert np.all((force - law.force(-1e-2, 0.0)) * v <= 1e-9)
    report = pc.check_law(law)
    assert report.passive
    assert report.never_pulls


@pytest.mark.parametrize(
    ("given", "speeds", "message"),
    [
        (1.2, (0.1, 1.0), "restitution must be above 0 and at most 1, got 1.2 at 0.1 m/s"),
        (lambda v: 0.5 / v, (0.6, 2.0), "the speed after an impact must rise with that before it"),
        (lambda v: min(0.2 + 0.7 * v, 1.0), (0.1, 1.5), "the energy that an impact takes must not fall with its speed"),
        (0.5, (2.0, 1.0), "speeds must be a range that rises, got 2 to 1 m/s"),
        (([1.0, 0.5], [0.5, 0.6]), (0.1, 1.0), "measured speeds must be positive and rise"),
        (([1.0, 2.0], [0.5]), (0.1, 1.0), "give as many restitutions as speeds"),
        (
            ([1.0, 2.0], [0.5, 1.5]),
            (0.1, 1.0),
            "measured restitutions must lie above 0 and at most at 1, got 0.5 to 1.5",
        ),
    ],
)
def test_what_no_passive_law_can_follow_is_refused(given, speeds, message):
    with pytest.raises(pc.ParameterError, match=message):
        pc.design_power(given, speeds)
