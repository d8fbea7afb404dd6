import numpy as np
import pytest

from chrono_powercontact.scenarios.bodies.stack_model import column_model


def test_column_rests_to_chronos_own_figures(outcome):
    run = outcome("stack")
    assert run.metrics["mean_kinetic"] < 1e-9
    assert run.metrics["settle_time"] < 10.0
    assert run.metrics["drift"] < 1e-6
    assert run.passed


def test_every_contact_carries_what_is_above_it(outcome):
    run = outcome("stack").trajectory
    carried = [run[f"F_{i + 1}"][-1] for i in range(5)]
    assert carried == pytest.approx([9.81 * n for n in (5, 4, 3, 2, 1)], rel=1e-9)


def test_rest_heights_are_those_of_the_closed_form(outcome):
    metrics = outcome("stack").metrics
    assert metrics["height_error"] < 1e-9
    assert 8.9 < metrics["rest_height"] < 9.0


def test_energy_never_rises_above_the_start(outcome):
    run = outcome("stack").trajectory
    assert outcome("stack").metrics["energy_gain"] < 1e-6
    assert np.abs(run.ledger_error).max() / run.energy[0] < 1e-3


def test_a_lone_sphere_is_a_drop(outcome):
    run = outcome("stack", spheres=1, time=6.0)
    assert run.trajectory["F_1"][-1] == pytest.approx(9.81, rel=1e-6)


def test_gaps_of_touching_spheres_are_zero():
    model = column_model(3)
    touching = {q: 2 * i + 1 for i, q in enumerate(model.q)}
    radius = next(symbol for symbol in model.parameters if symbol.name == "r")
    assert [point.distance.subs(touching).subs(radius, 1) for point in model.contacts] == [0, 0, 0]
