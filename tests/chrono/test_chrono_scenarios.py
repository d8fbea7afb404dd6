"""Scenarios on Chrono against the reference engine and the closed forms."""

import numpy as np
import pytest

from chrono_powercontact.app.runner import execute
from chrono_powercontact.scenarios.catalogue import find

pytestmark = pytest.mark.chrono


def both(name, **given):
    """Metrics on the reference engine and on Chrono, whose integrator may be given."""
    plain = {key: value for key, value in given.items() if key != "integrator"}
    on_chrono = execute(find(name), given, "chrono")
    return execute(find(name), plain, "reference").outcome.metrics, on_chrono.outcome.metrics


@pytest.mark.parametrize("given", [{}, {"speed": 3.0}, {"r_d": 0.0}, {"law": "flores"}, {"law": "hooke"}])
def test_ball_restitutes_as_on_the_reference_engine(given):
    reference, chrono = both("ball", **given)
    assert chrono["restitution"] == pytest.approx(reference["restitution"], rel=1e-8)
    assert chrono["min_distance"] == pytest.approx(reference["min_distance"], rel=1e-8)
    assert chrono["contact_time"] == pytest.approx(reference["contact_time"], rel=1e-8)


@pytest.mark.parametrize(
    ("integrator", "allowed"),
    [("hht", 2e-4), ("newmark", 5e-3), ("euler_implicit", 5e-2), ("euler_implicit_linearized", 2e-3)],
)
def test_ball_meets_the_closed_form_under_other_integrators(integrator, allowed):
    metrics = execute(find("ball"), {"integrator": integrator}, "chrono").outcome.metrics
    assert metrics["restitution"] == pytest.approx(metrics["closed_form_restitution"], rel=allowed)


@pytest.mark.parametrize("speed", [200.0, 256.0, 257.0, 270.0])
def test_wall_breaks_or_holds_and_the_ball_leaves_with_the_same_speed(speed):
    reference, chrono = both("wall", speed=speed)
    assert chrono["broke_through"] is (speed > 256.515)
    assert chrono["exit_velocity"] == pytest.approx(reference["exit_velocity"], rel=1e-8)


def test_barrier_without_a_front_at_a_positive_distance_works():
    reference, chrono = both("wall", s_0=0.0, s_c=-0.02, s_c_back=-0.15)
    assert chrono["exit_velocity"] == pytest.approx(reference["exit_velocity"], rel=1e-8)


def test_dropped_ball_comes_to_rest_and_carries_its_weight():
    reference, chrono = both("drop", step=5e-5, time=0.6)
    assert chrono["restitutions"] == pytest.approx(reference["restitutions"], rel=1e-6)
    assert chrono["rest_distance"] == pytest.approx(chrono["closed_form_rest_distance"], abs=1e-7)
    assert chrono["rest_force"] == pytest.approx(chrono["weight"], rel=1e-4)


def test_pendulum_touches_and_rests_as_on_the_reference_engine():
    reference, chrono = both("pendulum", time=0.8)
    for mass in (1, 2):
        assert len(reference[f"contact_times_{mass}"]) >= 6
        assert chrono[f"contact_times_{mass}"] == pytest.approx(reference[f"contact_times_{mass}"], abs=1e-6)
        assert chrono[f"contact_peaks_{mass}"] == pytest.approx(reference[f"contact_peaks_{mass}"], rel=1e-3)
    assert chrono["rest_angles"] == pytest.approx(reference["rest_angles"], abs=1e-6)
    assert chrono["max_energy_gain"] < 1e-9


def test_pendulum_meets_the_contact_times_under_hht():
    reference, chrono = both("pendulum", time=0.32, integrator="hht")
    for mass, count in ((1, 1), (2, 5)):
        times = reference[f"contact_times_{mass}"]
        assert len(times) == count
        assert chrono[f"contact_times_{mass}"] == pytest.approx(times, abs=2e-4)


def test_rough_pendulum_meets_the_reference_engine_and_nears_it_with_the_step():
    given = {"mu_c": 0.36, "mu_s": 0.4, "memory": "point", "time": 0.3}
    target = execute(find("pendulum"), {**given, "step": 1e-5}, "reference").outcome.metrics
    euler = {**given, "integrator": "euler_implicit_linearized"}
    runs = [execute(find("pendulum"), {**euler, "step": h}, "chrono").outcome.metrics for h in (1e-4, 5e-5)]
    for name, count, allowed in (("contact_times_2", 4, 5e-4), ("rest_angles", 2, 1e-3)):
        coarse, fine = (np.abs(np.subtract(run[name][:count], target[name][:count])).max() for run in runs)
        assert fine < 0.7 * coarse < allowed
    assert target["contact_times_1"] == runs[1]["contact_times_1"] == []


def test_smooth_cube_keeps_its_horizontal_velocity_and_its_first_contact():
    reference, chrono = both("cube", friction=False, time=0.8)
    assert chrono["first_contact"] == pytest.approx(reference["first_contact"], abs=1e-8)
    assert chrono["velocity_drift"] < 1e-9
    assert chrono["max_energy_gain"] < 1e-9
    assert chrono["energy_end"] < 0.9 * chrono["energy_start"]


@pytest.mark.parametrize(
    "given", [{"friction": False}, {}, {"contact_point": "surface"}], ids=["smooth", "corner", "surface"]
)
def test_cube_meets_the_reference_engine_through_its_first_contacts(given):
    """At 1e-5 s the reference engine is converged to some nm up to 0.69 s; the first corner touches at 0.435 s."""
    given = {**given, "step": 1e-5, "time": 0.5}
    reference, chrono = (execute(find("cube"), given, engine).outcome.trajectory for engine in ("reference", "chrono"))
    for name in ("x", "y", "z", *(f"s_{corner}" for corner in range(1, 9))):
        assert np.abs(chrono[name] - reference[name]).max() < 1e-6, name


def test_rough_cube_only_loses_energy():
    reference, chrono = both("cube", time=0.6)
    assert chrono["first_contact"] == pytest.approx(reference["first_contact"], abs=1e-6)
    assert chrono["velocity_drift"] > 0.1
    assert chrono["max_energy_gain"] <= chrono["handed_back"] + 1e-9


def test_cube_numbers_its_corners_as_the_reference_engine():
    runs = [execute(find("cube"), {"time": 0.3}, engine).outcome.trajectory for engine in ("chrono", "reference")]
    for corner in range(1, 9):
        assert runs[0][f"s_{corner}"] == pytest.approx(runs[1][f"s_{corner}"], abs=1e-8)
