"""The gait trainer on Chrono against the reference engine, and observed there."""

from dataclasses import replace
from functools import cache

import numpy as np
import pytest

from chrono_powercontact.errors import ParameterError
from chrono_powercontact.scenarios.catalogue import find
from chrono_powercontact.scenarios.gait.leg.drives import EXERCISES
from chrono_powercontact.scenarios.gait.leg.leg_scene import leg_scene
from chrono_powercontact.scenarios.gait.leg.simulate import run_stage
from chrono_powercontact.scenarios.gait.leg.stages import stage
from chrono_powercontact.scenarios.gait.leg.trainer_leg import REST
from chrono_powercontact.scenarios.parameters import read_parameters

pytestmark = pytest.mark.chrono


REACHED = {"lpv": 1.0809, "anchored": 1.1061}
"""Time in s at which the knee reaches its stop, on Chrono at steps of 0.5 ms."""


@cache
def both(time, **given):
    """Trajectories of Chrono and of the reference engine, the latter with a finer step."""
    scenario = find("gait_trainer")
    p = read_parameters(scenario.parameters_on("chrono"), {"time": time, **given})
    chrono = scenario.run(p, engine="chrono")
    return chrono, scenario.simulate(replace(p, step=1e-4), lambda _: None)


def apart(first, second, name):
    return np.abs(first[name] - second[name]).max()


def test_engines_agree_through_the_impact_on_the_knee_stop():
    outcome, reference = both(1.3, step=5e-4)
    chrono = outcome.trajectory
    assert outcome.passed, outcome.checks
    assert apart(chrono, reference, "phi") < 3e-5
    assert apart(chrono, reference, "s") < 5e-6
    assert apart(chrono, reference, "F_knee") < 0.5
    assert reference["F_knee"].max() > 40.0
    assert apart(chrono, reference, "knee") < 6e-5
    assert apart(chrono, reference, "Q_slide") < 0.01
    assert outcome.metrics["ledger_error"] < 1e-3


def test_difference_of_the_engines_falls_with_the_square_of_the_step():
    errors = [
        apart(outcome.trajectory, reference, "phi") for outcome, reference in (both(1.3, step=h) for h in (1e-3, 5e-4))
    ]
    assert 3.0 < errors[0] / errors[1] < 5.0


@pytest.mark.parametrize("step", [2.5e-3, 5e-3])
@pytest.mark.parametrize("memory", ["lpv", "anchored"])
def test_claims_hold_through_the_impact_at_five_and_ten_times_the_usual_step(memory, step):
    outcome, reference = both(1.3, memory=memory, step=step)
    assert outcome.passed, outcome.checks
    assert outcome.metrics["least_knee_angle"] == pytest.approx(reference["knee"].min(), abs=2e-3)
    assert outcome.metrics["knee_contact"] == pytest.approx(REACHED[memory], abs=step)


@pytest.mark.parametrize("memory", ["lpv", "anchored"])
def test_sharp_friction_holds_the_slide_on_both_engines(memory):
    outcome, reference = both(1.5, friction="sharp", memory=memory, step=5e-4)
    assert apart(outcome.trajectory, reference, "phi") < 1e-4
    assert apart(outcome.trajectory, reference, "s") < 1e-4


def test_foot_and_upper_stop_agree_in_the_third_exercise():
    outcome, reference = both(2.2, scenario=3, stage="s4", friction="sharp", step=1e-3)
    assert outcome.passed, outcome.checks
    assert reference["F_foot"].max() > 50.0
    assert apart(outcome.trajectory, reference, "phi") < 1e-3
    assert apart(outcome.trajectory, reference, "s") < 3e-4
    assert apart(outcome.trajectory, reference, "d_foot") < 1e-4
    assert apart(outcome.trajectory, reference, "F_foot") < 0.05 * reference["F_foot"].max()


def test_bare_leg_rests_on_chrono():
    run = leg_scene(stage("s0", coriolis=True), EXERCISES[1][0], REST).run(1e-3, 0.3)
    assert np.ptp(run["phi"]) < 1e-6
    assert np.ptp(run["s"]) < 1e-6


def test_held_inputs_give_the_run_of_the_reference_engine():
    drive, model = EXERCISES[1][0].held(), stage("s2", friction="sharp", coriolis=True)
    chrono = leg_scene(model, drive, REST).run(5e-4, 1.6, 20)
    reference = run_stage(model, drive, 1e-4, 1.6, every=100)
    assert apart(chrono, reference, "phi") < 2e-4
    assert apart(chrono, reference, "s") < 1e-4
    assert apart(chrono, reference, "M") == 0.0


def test_friction_that_a_joint_cannot_have_is_told():
    plain = stage("s3")
    wavy = replace(plain, hip=replace(plain.hip, wave=(0.15, 1.0, 0.0)))
    with pytest.raises(ParameterError, match="on Chrono the friction of the hip cannot vary along its axis"):
        leg_scene(wavy, EXERCISES[1][0], REST)


def test_bristles_give_the_run_of_the_reference_engine():
    drive, model = EXERCISES[1][0].held(), stage("s2", friction="lugre", coriolis=True)
    chrono = leg_scene(model, drive, REST).run(2e-4, 1.6, 50)
    reference = run_stage(model, drive, 1e-4, 1.6, every=100)
    assert apart(chrono, reference, "phi") < 2e-4
    assert apart(chrono, reference, "s") < 1e-4


def test_leg_that_cannot_reach_is_told_before_chrono_assembles_it():
    with pytest.raises(ParameterError, match="the leg cannot reach"):
        leg_scene(stage("s3"), EXERCISES[1][0], (1.6, 0.0))


def test_observers_rank_on_the_chrono_plant_as_on_the_others():
    scenario = find("gait_observer")
    for exercise, name, share in ((1, "s2", 0.6), (2, "s3", 0.3)):
        given = {"plant": "chrono", "scenario": exercise, "stage": name}
        outcome = scenario.run(read_parameters(scenario.parameters, given))
        assert outcome.passed, outcome.checks
        assert outcome.metrics["rms_omega"] < share * outcome.metrics["rival_rms_omega"]
