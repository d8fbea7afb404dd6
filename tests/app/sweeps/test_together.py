"""Sweeps whose runs are one compiled loop."""

import pytest

import chrono_powercontact as pc
from chrono_powercontact.app.sweeps.sweep import sweep

OVER = {"height": [0.02, 0.05], "r_d": [0.5, 2.0]}
GIVEN = {"time": 0.15}


def test_an_ensemble_gives_the_rows_of_single_runs():
    together = sweep("drop", OVER, given=GIVEN, engine="reference", executor="ensemble")
    alone = sweep("drop", OVER, given=GIVEN, engine="reference", executor="here")
    assert together.values("status") == ["done"] * 4
    assert [row["metrics"] for row in together.rows] == [row["metrics"] for row in alone.rows]
    assert together.values("passed") == alone.values("passed")


def test_runs_with_another_step_are_another_ensemble():
    table = sweep(
        "drop", {"step": [1e-5, 2e-5], "r_d": [0.5, 1.0]}, given=GIVEN, engine="reference", executor="ensemble"
    )
    assert table.values("status") == ["done"] * 4


def test_a_step_that_is_too_fine_costs_its_row():
    table = sweep("drop", {"step": [1e-5, 1e-12]}, given=GIVEN, engine="reference", executor="ensemble")
    assert table.values("status") == ["done", "failed"]
    assert "step must be at least" in table.failures[0]["error"]


@pytest.mark.parametrize(("what", "limits"), [("wall", {}), ("drop", {"timeout": 1.0}), ("drop", {"jobs": 2})])
def test_what_is_no_ensemble_is_refused(what, limits):
    with pytest.raises(pc.ParameterError, match="executor 'ensemble' is for scenarios that are one run of RK4"):
        sweep(what, {"mass": [0.05]}, engine="reference", executor="ensemble", **limits)
