"""What a switch costs Adams' method."""

import pytest

from chrono_powercontact.scenarios.loops.cartesian_pendulum import CartesianPendulum, CartesianPendulumParameters
from chrono_powercontact.scenarios.loops.histories import history_costs
from chrono_powercontact.scenarios.loops.loop_scenario import measured_histories, saves


def test_kept_histories_cost_less_and_end_as_well():
    scenario, p = CartesianPendulum(), CartesianPendulumParameters()
    q, u = scenario.start(p)
    costs = history_costs(scenario.build(p), q, u, scenario.first, 2.0, 1.0)
    assert {cost.switches for cost in costs.values()} == {costs["convert"].switches}
    assert costs["unwind"].evaluations < costs["restart"].evaluations
    assert max(cost.error for cost in costs.values()) < 1e-6
    metrics = {**measured_histories(costs), "switches": costs["convert"].switches}
    assert metrics["saved_by_unwind"] == pytest.approx(1 - costs["unwind"].evaluations / costs["restart"].evaluations)
    assert [check.passed for check in saves(metrics, 0.99)] == [False, False]
    assert saves({**metrics, "switches": 0}, 0.99) == []
