import math

import pytest

from chrono_powercontact.app.runner import execute
from chrono_powercontact.scenarios.catalogue import find
from chrono_powercontact.scenarios.scenes.moving_scenes import on_slope, unit_of


@pytest.mark.parametrize(
    ("column", "unit"),
    [("F_barrier", "N"), ("N", "N"), ("N_3", "N"), ("z5", "m"), ("s_dot", "m/s"), ("est_phi", "rad"), ("M", "N m"),
     ("theta2", "rad"), ("volume", "")],
)  # fmt: skip
def test_names_of_columns_tell_their_units(column, unit):
    assert unit_of(column) == unit


def test_x_points_downhill():
    point = on_slope(1.0, 0.0, math.radians(30.0))
    assert (float(point.x), float(point.z)) == pytest.approx((math.cos(math.pi / 6.0), -0.5))


def test_curves_that_never_change_are_left_out():
    scenario = find("leg")
    run = execute(scenario, {"time": 0.02}, "reference")
    charts = {chart.title: chart.heading for chart in scenario.scene(run.outcome).charts}
    assert charts["theta"] == "theta in rad"
    assert "volume" not in charts
