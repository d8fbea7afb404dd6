"""Systems of the reference engine inside a filter."""

import numpy as np
import pytest

from chrono_powercontact.errors import UnknownNameError
from chrono_powercontact.lagrange.runs import run_rk4
from chrono_powercontact.laws.normal.restriction import Restriction
from chrono_powercontact.observer.filters.cdkf import CDKF
from chrono_powercontact.observer.filters.ukf import UKF
from chrono_powercontact.observer.models import model_of, moving_states, state_names
from chrono_powercontact.scenarios.bodies.pendulum import Pendulum
from chrono_powercontact.scenarios.impact.point_mass import point_mass
from chrono_powercontact.scenarios.parameters import read_parameters


def pendulum_system(**values):
    scenario = Pendulum()
    return scenario.system(read_parameters(scenario.parameters, values))


def carried(system, x_0, sample_time, inputs=(), kind=CDKF, **options):
    """A filter so sure of its state that it predicts like the engine."""
    model = model_of(system, outputs=state_names(system)[:1], inputs=inputs, **options)
    n = len(model.states)
    return kind(model, x_0, np.full(n, 1e-24), np.full(n, 1e-24), [1.0], sample_time)


def test_the_accelerations_of_the_double_pendulum_are_those_of_the_spec():
    system = pendulum_system()
    observer = carried(system, [0.3, -0.5, -2.0, 1.0, 0.0, 0.0], 1e-6)
    before = observer.x
    rate = (observer.predict() - before)[2:4] / 1e-6
    np.testing.assert_allclose(rate, [-85.558988, 66.417235], rtol=1e-4)


@pytest.mark.parametrize("memory", ["coordinate", "point"])
def test_without_uncertainty_it_runs_like_the_engine_through_impacts_and_friction(memory):
    system = pendulum_system(mu_c=0.18, mu_s=0.2, memory=memory)
    run = run_rk4(system, system.state([0.6, -0.9], [0.0, -2.0]), 1e-4, 0.1)
    names = state_names(system)
    observer = carried(system, [0.6, -0.9, 0.0, -2.0] + [0.0] * (len(names) - 4), 1e-4)
    assert run["F_2"].max() > 10.0
    for _ in range(1000):
        observer.predict()
    np.testing.assert_allclose(observer.x, [run[name][-1] for name in names], rtol=1e-6, atol=1e-7)


def test_memory_that_is_not_kept_is_not_estimated():
    kept = pendulum_system(memory="point", mu_c=0.1, mu_s=0.1)
    assert moving_states(kept) == state_names(kept)
    static = point_mass(1.0, Restriction(0.01, 0.006, 400.0, 4.0))
    assert moving_states(static) == ["s", "s_dot"]


def test_an_input_sets_a_parameter_of_the_model():
    system = point_mass(2.0, Restriction(0.01, 0.006, 400.0, 4.0), gravity=9.81)
    observer = carried(system, [1.0, 0.0], 0.01, inputs=("g",))
    observer.predict([3.0])
    np.testing.assert_allclose(observer.x, [1.0 - 0.5 * 3.0 * 1e-4, -0.03], rtol=1e-10)
    observer.predict([-3.0])
    assert observer.x[1] == pytest.approx(0.0, abs=1e-12)
    assert carried(system, [1.0, 0.0], 0.01).predict()[1] == pytest.approx(-0.0981)


@pytest.mark.parametrize("kind", [CDKF, UKF])
def test_the_contact_in_the_model_keeps_the_estimate_through_impacts(kind):
    """A ball bounces; only its noisy height is seen. A filter that does not know the floor loses the speed."""
    law = Restriction(0.01, 0.006, 400.0, 0.5)
    system, free = point_mass(0.1, law, 9.81), point_mass(0.1, Restriction(-9.0, -9.1, 400.0, 0.5), 9.81)
    run = run_rk4(system, system.state([0.1], [0.0]), 1e-4, 1.0, every=10)
    ys = run["s"][1:] + 1e-3 * np.random.default_rng(1).normal(size=len(run) - 1)
    errors = []
    for known in (system, free):
        model = model_of(known, outputs=("s",))
        observer = kind(model, [0.1, 0.0], [1e-6, 1e-4], [1e-10, 1e-6], [1e-6], 1e-3, 1e-4)
        errors.append(np.sqrt(np.mean((observer.run(ys)["s_dot"] - run["s_dot"][1:]) ** 2)))
    assert errors[0] < 0.1
    assert errors[0] < 0.2 * errors[1]


def test_unknown_names_are_refused():
    system = point_mass(1.0, Restriction(0.01, 0.006, 400.0, 4.0))
    with pytest.raises(UnknownNameError, match="unknown input 'force'"):
        model_of(system, outputs=("s",), inputs=("force",))
    with pytest.raises(UnknownNameError, match="unknown state 'height'"):
        model_of(system, outputs=("s",), states=("height",))
    with pytest.raises(UnknownNameError, match="unknown output 'x'"):
        model_of(system, outputs=("x",))
