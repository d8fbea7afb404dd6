"""Scenes under Chrono's own contact: known figures, the matching rule, and what a comparison reports."""

import math
from functools import cache

import pytest

from chrono_powercontact.app.compare import compare
from chrono_powercontact.app.runner import execute
from chrono_powercontact.chrono.run.surfaces import BUILT_IN, Surface, SurfaceRequest, built_in_creep, surface
from chrono_powercontact.errors import ParameterError, UnknownNameError
from chrono_powercontact.scenarios.catalogue import find

pytestmark = pytest.mark.chrono

DEFAULT_INTEGRATOR = "euler_implicit_linearized"


@cache
def run(name, law, **given):
    return execute(find(name), {"law": law, "integrator": DEFAULT_INTEGRATOR, **given}, "chrono").outcome


@pytest.mark.parametrize(
    ("law", "creep"),
    [("smc-hooke-default", 24852e-6), ("smc-hertz-default", 38036e-6), ("smc-plaincoulomb-default", 184857e-6)],
)
def test_default_material_creeps_as_was_measured_elsewhere(law, creep):
    assert run("slope", law, time=2.0).metrics["creep"] == pytest.approx(creep, rel=2e-3)


@pytest.mark.parametrize("law", ["nsc", "nsc-default"])
def test_nsc_stands_still(law):
    assert abs(run("slope", law, time=1.0).metrics["creep"]) < 1e-7


@pytest.mark.parametrize("law", [name for name in BUILT_IN if name.startswith("smc")])
def test_creep_is_that_of_chronos_own_formulas(law):
    metrics = run("slope", law, time=2.0).metrics
    assert metrics["creep"] == pytest.approx(metrics["closed_form_creep"], rel=5e-3)


@pytest.mark.parametrize(("law", "creep"), [("smc-hooke", 3697e-6), ("smc-hertz", 7895e-6)])
def test_stiffer_material_creeps_as_was_measured_elsewhere(law, creep):
    load, grade = 9.81 * math.cos(math.radians(20.0)) / 4.0, math.tan(math.radians(20.0))
    loads = [load * (1 - grade)] * 2 + [load * (1 + grade)] * 2
    assert built_in_creep(law, Surface(0.5, young=2e7), loads, 1.0, grade, 1e-4) == pytest.approx(creep, rel=1e-2)


@pytest.mark.parametrize("law", ["smc-hooke", "smc-hertz", "smc-plaincoulomb"])
def test_matched_material_sinks_as_deep_as_the_power_law(law):
    ours = execute(find("slope"), {"angle": 0.0, "time": 1.0}, "reference").outcome.trajectory
    theirs = run("slope", law, angle=0.0, time=1.0).trajectory
    depth = 0.002 - ours["s_1"][-1]
    assert depth > 1e-5
    assert 0.002 - theirs["s_1"][-1] == pytest.approx(depth, rel=0.02)


@pytest.mark.parametrize("law", ["smc-hooke", "nsc"])
def test_box_slides_to_rest_as_coulomb_says(law):
    assert run("slide", law).metrics["distance"] == pytest.approx(2.54842, rel=5e-3)


def test_forces_at_the_corners_lean_downhill():
    trajectory, grade = run("slope", "smc-hooke-default", time=2.0).trajectory, math.tan(math.radians(20.0))
    assert trajectory["F_2"][-1] / trajectory["F_1"][-1] == pytest.approx((1 + grade) / (1 - grade), rel=0.02)
    assert trajectory["F_4"][-1] == 0.0


def test_nsc_returns_at_most_the_restitution_that_it_was_asked_for():
    """How much it returns is a matter of where the ball is when the last step before its impact ends."""
    within_a_step = [0.1 + 1.7e-6 * k for k in range(8)]
    found = [run("drop", "nsc", time=0.25, height=height).metrics for height in within_a_step]
    returned = [metrics["restitution_got"] / metrics["restitution_asked"] for metrics in found]
    assert max(returned) == pytest.approx(1.0, abs=0.04)
    assert min(returned) < 0.9


def test_a_dropped_ball_goes_as_deep_as_ours():
    depth = execute(find("drop"), {"time": 0.3}, "reference").outcome.metrics["penetration"]
    assert run("drop", "smc-hooke", time=0.3).metrics["penetration"] == pytest.approx(depth, rel=0.3)


def test_cube_and_pendulum_meet_the_ground_when_ours_do():
    cube = execute(find("cube"), {"time": 0.5}, "reference").outcome.metrics["first_contact"]
    swing = execute(find("pendulum"), {"time": 0.4}, "reference").outcome.metrics
    assert run("cube", "smc-hertz", time=0.5).metrics["first_contact"] == pytest.approx(cube, abs=2e-3)
    for law in ("smc-hooke", "nsc"):
        theirs = run("pendulum", law, time=0.4).metrics
        assert theirs["contact_times_2"][0] == pytest.approx(swing["contact_times_2"][0], abs=1e-3)


def test_a_step_that_is_far_too_long_is_reported_not_crashed(tmp_path):
    result = compare(find("cube"), ["smc-hooke"], {"step": 0.02, "time": 1.0}, tmp_path)
    row = result["models"]["smc-hooke"]
    assert row.get("largest_step") is None


def test_table_holds_what_a_user_wants_to_know(tmp_path):
    result = compare(find("slope"), ["power", "smc-hooke", "nsc"], {"time": 0.5}, tmp_path)
    power, hooke, nsc = (result["models"][name] for name in ("power", "smc-hooke", "nsc"))
    assert {row["engine"] for row in (power, hooke, nsc)} == {"chrono"}
    assert abs(nsc["creep"]) < power["creep"] < 0.1 * hooke["creep"]
    assert all(row["us_per_step"] > 0.0 and row["largest_step"] >= 1e-4 for row in (power, hooke, nsc))
    assert "as deep as the power law" in result["rule"]
    assert (tmp_path / "compare.png").stat().st_size > 10_000


def test_nsc_refuses_integrators_that_it_does_not_have():
    with pytest.raises(ParameterError, match="NSC supports only the integrators"):
        execute(find("slope"), {"law": "nsc", "integrator": "runge_kutta"}, "chrono")


def test_a_request_names_a_load_or_a_striking_mass():
    with pytest.raises(ParameterError, match="give a load or a striking mass"):
        SurfaceRequest(0.5, 0.5, 1.0, 1.0, 1e-3)
    with pytest.raises(UnknownNameError, match="contact law of Chrono"):
        surface("smc-hook", SurfaceRequest(0.5, 0.5, 1.0, 1.0, 1e-3, load=1.0))
