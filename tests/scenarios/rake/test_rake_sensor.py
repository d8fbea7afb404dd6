import numpy as np
import pytest

from chrono_powercontact.errors import ParameterError
from chrono_powercontact.scenarios.rake.machine.machine import SEALS, machine
from chrono_powercontact.scenarios.rake.sensing.free_strokes import identify_strokes
from chrono_powercontact.scenarios.rake.sensing.machine_twin import MachineTwin
from chrono_powercontact.scenarios.rake.sensing.pressures import locking_valves
from chrono_powercontact.scenarios.rake.sensing.strokes import Strokes


def test_two_cylinder_forces_tell_pressing_force_and_friction_coefficient(outcome):
    result = outcome("rake_sensor")
    metrics = result.metrics
    assert result.passed
    assert metrics["n_error"] < 0.02
    assert metrics["mu_mean"] == pytest.approx(0.50, abs=0.01)
    low, high = metrics["mu_interval"]
    assert 0.47 < low < high < 0.53
    assert metrics["mu_true"] == pytest.approx(0.5, abs=1e-3)


def test_a_filter_that_rides_along_agrees(outcome):
    metrics = outcome("rake_sensor").metrics
    assert metrics["cdkf_mu_mean"] == pytest.approx(0.50, abs=0.02)
    assert metrics["cdkf_n_error"] < 0.03


def test_seals_flow_and_a_misplaced_rack_are_found_and_do_not_disturb(outcome):
    """What the real machine has: 3 bar in its seals, a flow of 0.73 m/s, and a rack 20 mm from where it should be."""
    result = outcome("rake_sensor", version="v3", flow=0.73, rack_offset=0.02)
    metrics = result.metrics
    assert result.passed, result.checks
    assert metrics["n_error"] < 0.03
    assert metrics["mu_mean"] == pytest.approx(0.50, abs=0.03)
    assert metrics["cdkf_mu_mean"] == pytest.approx(0.50, abs=0.03)
    assert [metrics["seal_main"], metrics["seal_knuckle"]] == pytest.approx(SEALS, rel=0.02)
    assert metrics["flow_found"] == pytest.approx(0.73, abs=0.02)
    assert metrics["rack_found"] == pytest.approx(0.02, abs=2e-3)


def test_oil_lag_locked_valves_and_debris_together_are_dealt_with(outcome):
    """Soft oil, cylinders 0.4 s behind the joystick, pressures that lock in, a load, seals, flow and a moved rack."""
    given = {"oil": 1.0, "lag": 0.4, "valves": True, "debris": 300.0, "version": "v3", "flow": 0.73}
    result = outcome("rake_sensor", rack_offset=0.01, **given)
    metrics = result.metrics
    assert result.passed, result.checks
    assert metrics["lag_found"] == pytest.approx(0.4, abs=0.05)
    assert metrics["debris_found"] == pytest.approx(300.0, rel=0.05)
    assert metrics["rack_found"] == pytest.approx(0.01, abs=2e-3)
    assert metrics["locked_time"] > 4.5


def test_oil_that_the_sensor_does_not_know_of_spoils_it(outcome):
    result = outcome("rake_sensor", oil=1.0, oil_known=False)
    assert not result.passed
    assert result.metrics["n_error"] > 0.03


def test_a_locked_valve_shows_what_it_locked_in():
    t = np.arange(0.0, 5.0, 0.5)
    commanded = np.array([np.minimum(t, 2.0), t])
    forces = np.array([100.0 * t, 10.0 * t])
    read = locking_valves(t, commanded, forces)
    assert read.locked[0].tolist() == [False] * 5 + [True] * 5
    assert not read.locked[1].any()
    assert set(read.forces[0, 5:]) == {200.0}
    np.testing.assert_array_equal(read.forces[1], forces[1])


def moved(machine_, knuckle_moves=True):
    """Both cylinders, or the main ones alone, run out slowly over the water."""
    t = np.arange(0.0, 20.0, 0.5)
    main = 3.0 + 0.01 * t
    knuckle = 4.0 + (0.005 * t if knuckle_moves else 0.0 * t)
    return Strokes(machine_, t, np.array([main, knuckle]))


def test_seals_are_found_from_a_stroke_in_air():
    twin = MachineTwin(machine("v2"))
    strokes = moved(twin.machine)
    forces = twin.held(strokes) + np.array([[6e3], [2e3]]) * strokes.directions
    found = identify_strokes(twin, strokes, forces)
    assert found.seals == pytest.approx([6e3, 2e3], rel=0.02)
    assert found.residual < 50.0


def test_a_cylinder_that_hardly_moves_says_nothing_about_its_seals():
    twin = MachineTwin(machine("v2"))
    strokes = moved(twin.machine, knuckle_moves=False)
    with pytest.raises(ParameterError, match="says nothing about the seal friction of the knuckle cylinder"):
        identify_strokes(twin, strokes, twin.held(strokes))


def test_inertia_is_what_accelerates_the_rigid_machine():
    """A horizontal main arm that starts to turn needs the moment of its inertia about the base pin."""
    twin = MachineTwin(machine("v2"))
    strokes = moved(twin.machine)
    strokes.__dict__["speeds"] = np.zeros_like(strokes.commanded)
    strokes.__dict__["accelerations"] = np.array([np.full(40, 0.1), np.zeros(40)])
    moments = twin.inertia(strokes)
    assert np.all(moments[0] > 0.1 * 0.3 * twin.machine.main.mass * twin.machine.main.length**2)
