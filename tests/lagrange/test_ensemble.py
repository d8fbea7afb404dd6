import numpy as np
import pytest

import chrono_powercontact as pc
from chrono_powercontact.lagrange.ensemble import use_threads
from chrono_powercontact.scenarios.impact.point_mass import point_mass

LAWS = [pc.Restriction(0.01, 0.009, 200.0, r_d) for r_d in (0.0, 1.0, 5.0)]


@pytest.fixture(scope="module")
def systems():
    return [point_mass(0.05, law, 9.81) for law in LAWS]


@pytest.fixture(scope="module")
def starts(systems):
    return [system.state([0.02 + 0.01 * i], [-0.1]) for i, system in enumerate(systems)]


def test_each_run_of_an_ensemble_is_that_of_rk4(systems, starts):
    together = pc.run_ensemble(systems, starts, 1e-5, 0.1, 10)
    for number, (system, start) in enumerate(zip(systems, starts, strict=True)):
        alone = pc.run_rk4(system, start, 1e-5, 0.1, 10)
        np.testing.assert_array_equal(together.run(number).data, alone.data)
    assert together["s"].shape == (3, 1001)


def test_one_thread_and_all_of_them_give_the_same(systems, starts):
    together = pc.run_ensemble(systems, starts, 1e-5, 0.02, 10)
    before = use_threads(1)
    try:
        alone = pc.run_ensemble(systems, starts, 1e-5, 0.02, 10)
    finally:
        use_threads(before)
    np.testing.assert_array_equal(alone.data, together.data)


def test_one_system_serves_all_states_and_only_some_columns_are_kept(systems, starts):
    together = pc.run_ensemble(systems[1], starts, 1e-5, 0.05, 100, columns=("t", "s"))
    assert together.names == ("t", "s")
    assert len(together) == 3
    assert together["s"][:, 0] == pytest.approx([0.02, 0.03, 0.04])


def test_a_run_that_diverges_costs_itself_alone(systems, starts):
    stiff = point_mass(1e-9, pc.Hooke(0.01, 1e6), 9.81)
    together = pc.run_ensemble([systems[0], stiff], [starts[0], stiff.state([0.0], [-1e304])], 1e-3, 0.2)
    assert together.diverged == (1,)
    assert np.all(np.isfinite(together.run(0).data))
    with pytest.raises(pc.DivergedError, match="run 1 of the ensemble is no longer finite"):
        together.run(1)


def test_bad_input_is_one_sentence(systems, starts):
    with pytest.raises(pc.ParameterError, match="needs at least one initial state, got none"):
        pc.run_ensemble(systems, [], 1e-5, 0.1)
    with pytest.raises(pc.ParameterError, match="give one system, or one for each of the 3 states, got 2"):
        pc.run_ensemble(systems[:2], starts, 1e-5, 0.1)
    with pytest.raises(pc.UnknownNameError, match="unknown column 'sdot'"):
        pc.run_ensemble(systems, starts, 1e-5, 0.1, columns=("sdot",))
    with pytest.raises(pc.ParameterError, match="the records would take"):
        pc.run_ensemble(systems[0], [starts[0]] * 1000, 1e-7, 1.0)
