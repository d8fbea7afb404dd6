import numpy as np
import pytest

from chrono_powercontact.lagrange import engine
from chrono_powercontact.lagrange.lambdified import lambdified_rate
from chrono_powercontact.lagrange.layout import LEDGER
from chrono_powercontact.scenarios.catalogue import find
from chrono_powercontact.scenarios.parameters import read_parameters


@pytest.mark.parametrize("name", ["cube", "pendulum"])
def test_interpreted_and_compiled_right_hand_sides_agree(name):
    scenario = find(name)
    given = {"memory": "point"} | ({"mu_c": 0.2, "mu_s": 0.3} if name == "pendulum" else {})
    system = scenario.system(read_parameters(scenario.parameters, given))
    rate, rng = lambdified_rate(system), np.random.default_rng(3)
    n_q, n_u = (int(n) for n in system.sizes[:2])
    for _ in range(20):
        q = rng.normal(size=n_q) * 0.05
        if name == "cube":
            q[2], q[3:] = 0.05, (lambda e: e / np.linalg.norm(e))(rng.normal(size=4))
        x = system.state(q, rng.normal(size=n_u), rng.normal(size=system.memory_size))
        dx = np.zeros(x.size)
        assert engine.evaluate(system.terms, 0.0, x, *system.arguments, dx, np.zeros(len(system.columns)))
        expected = rate(0.0, x)
        assert dx[:-LEDGER] == pytest.approx(expected[:-LEDGER], rel=1e-9, abs=1e-9)


def test_filter_per_coordinate_is_refused():
    scenario = find("pendulum")
    with pytest.raises(NotImplementedError):
        lambdified_rate(scenario.system(read_parameters(scenario.parameters, {})))
