"""Stick-slip on Chrono against the reference engine. The fine runs end after the first slip, for time."""

import numpy as np
import pytest

from chrono_powercontact.app.runner import execute
from chrono_powercontact.chrono.api.bridge import INTEGRATORS
from chrono_powercontact.scenarios.catalogue import find
from chrono_powercontact.scenarios.events import episodes
from chrono_powercontact.scenarios.friction import stick_slip, stick_slip_2d
from chrono_powercontact.scenarios.parameters import read_parameters

pytestmark = pytest.mark.chrono


def both(name, **given):
    """Trajectories of Chrono and of the reference engine."""
    scenario = find(name)
    p = read_parameters(scenario.parameters_on("chrono"), given)
    return scenario.simulate_chrono(p, lambda _: None), scenario.simulate(p, lambda _: None)


def first_slip(run, *speeds):
    speed = np.hypot(*(run[name] for name in speeds)) if len(speeds) > 1 else np.abs(run[speeds[0]])
    return episodes(run["t"], speed - stick_slip.SLIP_SPEED, stick_slip.SLIP_PAUSE)[0], speed.max()


@pytest.mark.parametrize(("integrator", "tolerance"), [("runge_kutta", 5e-5), ("euler_implicit_linearized", 5e-4)])
def test_first_slip_at_the_step_of_the_thesis_is_that_of_the_reference_engine(monkeypatch, integrator, tolerance):
    monkeypatch.setattr(stick_slip, "RUN_TIME", 1.8)
    chrono, reference = both("stick_slip", integrator=integrator)
    slip, speed = first_slip(chrono, "x_dot")
    expected, expected_speed = first_slip(reference, "x_dot")
    assert slip == pytest.approx(expected, abs=tolerance)
    assert speed == pytest.approx(expected_speed, rel=5e-4)
    assert chrono["Ft_plane"].max() == pytest.approx(reference["Ft_plane"].max(), rel=5e-4)
    assert np.abs(chrono.ledger_error).max() < 5e-5
    for column in ("friction_heat", "drive_work", "potential"):
        assert chrono[column][-1] == pytest.approx(reference[column][-1], abs=1e-4), column


@pytest.mark.parametrize("memory", ["coordinate", "point"])
def test_first_slip_in_the_plane_is_that_of_the_reference_engine(monkeypatch, memory):
    monkeypatch.setattr(stick_slip_2d, "RUN_TIME", 1.6)
    chrono, reference = both("stick_slip_2d", memory=memory)
    slip, speed = first_slip(chrono, "x_dot", "y_dot")
    expected, expected_speed = first_slip(reference, "x_dot", "y_dot")
    assert slip == pytest.approx(expected, abs=1e-4)
    assert speed == pytest.approx(expected_speed, rel=5e-4)
    scenario, p = find("stick_slip_2d"), read_parameters(find("stick_slip_2d").parameters, {"memory": memory})
    peaks = [np.hypot(*scenario.friction(p, run)).max() for run in (chrono, reference)]
    assert peaks[0] == pytest.approx(peaks[1], rel=5e-4)
    assert chrono["y"][-1] == pytest.approx(reference["y"][-1], abs=1e-4)


@pytest.mark.parametrize("integrator", INTEGRATORS)
def test_every_integrator_meets_the_claim_of_the_coarse_table_with_a_step_of_a_millisecond(integrator):
    scenario = find("stick_slip")
    p = read_parameters(scenario.parameters_on("chrono"), {"table": "coarse", "step": 1e-3, "integrator": integrator})
    outcome = scenario.run(p, engine="chrono")
    assert outcome.passed
    assert outcome.metrics["slip_starts"][0] == pytest.approx(1.43, abs=2e-3)
    assert outcome.metrics["max_speed"] == pytest.approx(0.5035, rel=1.5e-2)
    assert outcome.metrics["peak_friction"] == pytest.approx(1.395, rel=5e-3)


def test_coarse_table_slips_thrice_at_its_own_step_of_ten_milliseconds():
    scenario = find("stick_slip")
    outcome = scenario.run(read_parameters(scenario.parameters_on("chrono"), {"table": "coarse"}), engine="chrono")
    assert outcome.metrics["slip_starts"] == pytest.approx([1.43, 2.65, 3.86], abs=0.0105)
    assert outcome.metrics["max_speed"] == pytest.approx(0.5035, rel=5e-3)
    assert outcome.metrics["peak_friction"] == pytest.approx(1.3948, rel=5e-3)


def test_bristles_slip_as_on_the_reference_engine():
    chrono, reference = (
        execute(find("stick_slip"), {"friction": "lugre", "step": 2e-4}, engine).outcome.metrics
        for engine in ("chrono", "reference")
    )
    assert chrono["slip_starts"] == pytest.approx(reference["slip_starts"], abs=5e-4)
    assert chrono["peak_friction"] == pytest.approx(reference["peak_friction"], rel=1e-3)
    assert chrono["drift"] == pytest.approx(0.0, abs=1e-9)
