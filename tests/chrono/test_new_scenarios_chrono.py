"""Slope, slide, stack and roll on Chrono: figures that others published, and the reference engine beside them."""

from functools import cache

import pytest

from chrono_powercontact.app.runner import execute
from chrono_powercontact.scenarios.catalogue import find

pytestmark = pytest.mark.chrono


@cache
def run(name, engine="chrono", **given):
    return execute(find(name), given, engine).outcome


def both(name, **given):
    return run(name, **given), run(name, "reference", **given)


def test_engines_agree_on_the_creep():
    chrono, reference = both("slope", time=2.0)
    assert chrono.passed
    assert chrono.metrics["creep"] == pytest.approx(reference.metrics["creep"], rel=1e-3)
    assert chrono.metrics["penetration"] == pytest.approx(reference.metrics["penetration"], rel=0.02)
    assert chrono.metrics["presliding"] == pytest.approx(reference.metrics["presliding"], abs=2e-6)


@pytest.mark.parametrize("integrator", ["runge_kutta", "newmark", "euler_implicit"])
def test_every_integrator_creeps_alike(integrator):
    found = run("slope", integrator=integrator, time=0.8)
    assert found.metrics["creep"] == pytest.approx(found.metrics["closed_form_creep"], rel=0.02)


def test_finer_step_comes_nearer_to_the_reference():
    reference = run("slope", "reference", time=0.5, step=1e-5).metrics["presliding"]
    errors = [abs(run("slope", time=0.5, step=h).metrics["presliding"] - reference) for h in (1e-4, 5e-5, 2.5e-5)]
    assert errors[0] > errors[1] > errors[2]


def test_corner_forces_agree():
    chrono, reference = (one.trajectory for one in both("slope", time=2.0))
    for i in (1, 2, 3, 4):
        assert chrono[f"F_{i}"][-1] == pytest.approx(reference[f"F_{i}"][-1], rel=1e-4, abs=1e-9)
        assert chrono[f"Ft_{i}"][-1] == pytest.approx(reference[f"Ft_{i}"][-1], rel=1e-3, abs=1e-9)


def test_sliding_distance_of_chronos_own_test():
    chrono, reference = both("slide")
    assert chrono.passed
    assert chrono.metrics["distance"] == pytest.approx(2.54842, rel=5e-3)
    assert chrono.metrics["distance"] == pytest.approx(reference.metrics["distance"], rel=1e-4)


def test_drakes_rolling_sphere():
    chrono, reference = both("roll")
    assert chrono.metrics["speed"] == pytest.approx(1.813582, rel=5.5e-4)
    assert chrono.metrics["spin"] == pytest.approx(1.813582 / 0.05, rel=5.5e-4)
    assert chrono.metrics["speed"] == pytest.approx(reference.metrics["speed"], rel=1e-4)


def test_stack_rests_on_its_axis():
    chrono, reference = both("stack", time=6.0)
    assert chrono.passed
    assert chrono.metrics["drift"] < 1e-6
    assert chrono.metrics["settle_time"] == pytest.approx(reference.metrics["settle_time"], abs=0.05)
    assert chrono.metrics["rest_height"] == pytest.approx(reference.metrics["rest_height"], abs=1e-6)
