"""The thesis' block under every method: slip times, displacement, splits, iterations."""

import pytest

from chrono_powercontact.errors import DivergedError, ParameterError
from chrono_powercontact.scenarios.catalogue import find
from chrono_powercontact.scenarios.hyperstatic.block.block_statics import slip_load
from chrono_powercontact.scenarios.parameters import read_parameters

ITERATIONS = {"prox": 7.44, "pinv": 2.95, "min3": 2.90}
SLIP = {"prox": 0.0629, "pinv": 0.0621, "min3": 0.0629, "gauss": 0.0629, "handed": 0.0629, "lemke": 0.0629}


@pytest.mark.parametrize("strategy", SLIP)
def test_slip_times_of_the_rigid_block(outcome, strategy):
    run = outcome("hyperstatic_block", strategy=strategy)
    assert run.passed
    assert run.metrics["slip_time"] == pytest.approx(SLIP[strategy], abs=1e-4)
    assert run.metrics["displacement"] == pytest.approx(1.672e-4, abs=3e-7)


@pytest.mark.parametrize("strategy", ITERATIONS)
def test_iterations_per_step(outcome, strategy):
    assert outcome("hyperstatic_block", strategy=strategy).metrics["iterations"] == pytest.approx(
        ITERATIONS[strategy], abs=0.02
    )


def test_the_pseudoinverse_chatters(outcome):
    run = outcome("hyperstatic_block", strategy="pinv")
    first = run.trajectory["t"][run.trajectory["sticking_A"] < 0.5][0]
    assert run.metrics["flips"] > 10
    assert first == pytest.approx(0.0586, abs=2e-4)
    assert outcome("hyperstatic_block", strategy="prox").metrics["flips"] == 1


def test_slip_times_of_the_cut_block(outcome):
    run = outcome("hyperstatic_block", model="two")
    assert run.passed
    assert run.metrics["slip_time_a"] == pytest.approx(0.06265, abs=1e-5)
    assert run.metrics["slip_time_b"] == pytest.approx(0.06260, abs=1e-5)


def test_first_functional_fails_with_few_iterations():
    scenario = find("hyperstatic_block")
    with pytest.raises(DivergedError, match="min1"):
        scenario.run(read_parameters(scenario.parameters, {"strategy": "min1"}))


def test_first_functional_works_with_many(outcome):
    assert outcome("hyperstatic_block", strategy="min1", outer=2000, load="constant", force=9.0, time=2e-3).passed


@pytest.mark.parametrize("law", ["tanh", "lpv", "anchored", "lugre"])
def test_force_laws_share_by_normal_force(outcome, law):
    run = outcome("hyperstatic_block", law=law)
    assert run.passed
    assert run.metrics["split_at_9N"] == pytest.approx([-4.24, -4.76], rel=0.01)


def test_compliance_is_the_cut_block_without_its_steps(outcome):
    assert outcome("hyperstatic_block", strategy="compliance").metrics["split_at_9N"] == pytest.approx(
        [-0.70, -8.30], abs=0.02
    )


def test_feasible_interval_in_the_metrics(outcome):
    run = outcome("hyperstatic_block", load="constant", force=9.0, time=0.02)
    assert run.metrics["range_a"] == pytest.approx([-7.398, -0.702], abs=1e-3)
    assert run.metrics["slip_time"] is None


def test_unequal_friction(outcome):
    run = outcome("hyperstatic_block", mu_a=0.2, strategy="min3")
    assert run.passed
    assert run.metrics["slip_time"] == pytest.approx(0.01 + slip_load(0.2, 0.1) / 300.0, abs=7e-4)


def test_friction_of_zero(outcome):
    run = outcome("hyperstatic_block", mu_a=0.0, load="constant", force=3.0, time=0.02)
    assert run.passed
    assert run.metrics["split"] == pytest.approx([0.0, -3.0], abs=1e-3)


def test_chronos_contact_needs_chrono():
    scenario = find("hyperstatic_block")
    with pytest.raises(ParameterError, match="needs the engine chrono"):
        scenario.run(read_parameters(scenario.parameters, {"law": "nsc"}))


def test_comparison_without_chrono(tmp_path):
    scenario = find("hyperstatic_block")
    found = scenario.comparison(["prox", "anchored"], {"time": 0.02}, tmp_path)
    assert found["models"]["anchored"]["engine"] == "reference"
    assert (tmp_path / "compare.png").stat().st_size > 10_000


@pytest.mark.chrono
def test_the_claim_holds_up_to_the_longest_step_that_resolves_the_load():
    scenario = find("hyperstatic_block")
    longest = scenario.step_limit("chrono", scenario.parameters_on("chrono").read({})).step
    for step, holds in ((longest, True), (5.0 * longest, False)):
        p = read_parameters(scenario.parameters_on("chrono"), {"step": step})
        assert scenario.run(p, engine="chrono").passed is holds
