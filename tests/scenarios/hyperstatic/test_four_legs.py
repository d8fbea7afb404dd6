"""A table on four legs: normal forces that statics leaves open decide when it slips."""

import numpy as np
import pytest

from chrono_powercontact.errors import ParameterError
from chrono_powercontact.scenarios.catalogue import find
from chrono_powercontact.scenarios.hyperstatic.four_legs_model import table_ranges
from chrono_powercontact.scenarios.hyperstatic.four_legs_statics import FourLegsParameters, statics
from chrono_powercontact.scenarios.parameters import read_parameters


def test_a_short_leg_decides(outcome):
    run = outcome("four_legs")
    assert run.passed
    assert run.metrics["closed_form_normals"] == pytest.approx([12.025, 37.025, 12.025, 37.025])


def test_equal_legs_share_equally(outcome):
    run = outcome("four_legs", short=0.0)
    assert run.passed
    assert run.metrics["slip_pull"] == pytest.approx(0.4 * 98.1, rel=0.02)


def test_it_rests_below(outcome):
    assert outcome("four_legs", pull=30.0).passed


def test_ranges_hold_what_four_springs_give():
    p = FourLegsParameters()
    ranges = table_ranges(p, 0.0)
    for i, force in enumerate(statics(p).normals, 1):
        assert ranges[f"N_{i}"].low <= force <= ranges[f"N_{i}"].high
    assert np.isclose(ranges["N_1"].high, 0.5 * p.weight())


def test_a_leg_that_lifts_off_is_refused():
    scenario = find("four_legs")
    with pytest.raises(ParameterError, match="where leg 1 lifts off"):
        scenario.run(read_parameters(scenario.parameters, {"short": 2e-3}))


def test_it_turns_where_the_front_legs_differ_in_friction(outcome):
    run = outcome("four_legs")
    assert run.metrics["turned"] == pytest.approx(-0.019, abs=2e-4)
    assert run.metrics["last_feasible_pull"] < run.metrics["guided_feasible_pull"]
    assert abs(outcome("four_legs", short=0.0, mu_a=0.4, mu_b=0.4).metrics["turned"]) < 1e-9
