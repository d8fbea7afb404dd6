"""Moreau's midpoint rule: results R1 to R9 of the thesis, selection rules, and what ends a run."""

from dataclasses import replace

import numpy as np
import pytest
import sympy as sp

from chrono_powercontact.errors import DivergedError, ModelError, ParameterError, UnknownNameError
from chrono_powercontact.lagrange.model import ContactPoint, Model, coordinates, velocities
from chrono_powercontact.lagrange.nonsmooth.moreau import Moreau, linearised_forces, run_implicit_moreau, run_moreau
from chrono_powercontact.lagrange.nonsmooth.set_valued import SetValued
from chrono_powercontact.scenarios.hyperstatic.block.block_models import cut_block, rigid_block
from chrono_powercontact.scenarios.hyperstatic.block.block_statics import LOW, NO_LOAD, REST, load_of, sagging
from chrono_powercontact.scenarios.hyperstatic.energy_runs import explicit_diverges
from chrono_powercontact.setvalued.delassus import r_factor

STILL = (0.0, 0.0, 0.0)
START = np.array([-0.05, 0.0, 0.05, 0.0])
PROJECTED = Moreau(project=True)
FORCES = ("T_A", "N_A", "T_B", "N_B")


def last(run):
    return [float(run[name][-1]) for name in FORCES]


def under(force, how=PROJECTED, speed=0.0, time=0.01):
    return run_moreau(rigid_block(load_of("constant", force)), REST, (speed, 0.0, 0.0), time, how)


def test_start_values_select_the_split():
    """R5 and R6: (5.5) and (5.7)."""
    plain = under(2.0)
    assert last(plain) == pytest.approx([-0.99992, 77.48011, -0.99992, 79.47989], abs=1e-4)
    assert plain["outer"][-1] == 10
    started = under(2.0, replace(PROJECTED, start=START))
    assert last(started) == pytest.approx([-7.748, 77.480, 5.748, 79.480], abs=2e-3)
    assert started["outer"][-1] == 12


@pytest.mark.parametrize("start", [None, START])
def test_sliding_does_not_depend_on_the_start(start):
    """R7: (5.8)."""
    run = under(2.0, replace(PROJECTED, start=start), speed=0.2)
    assert last(run) == pytest.approx([-7.4056, 74.056, -8.2904, 82.904], abs=1e-3)


def test_least_acceleration_of_the_third_kind():
    """R9: Fig. 5.5."""
    run = under(10.0, replace(PROJECTED, strategy="min3", selected=("x",)), time=0.1)
    t_a, n_a, t_b, n_b = last(run)
    assert (n_a, n_b) == pytest.approx((73.48, 83.48), abs=1e-3)
    assert (t_a / n_a, t_b / n_b) == pytest.approx((-0.068046, -0.059895), abs=1e-5)
    assert run["outer"][-1] == 3


def test_first_functional_needs_many_iterations():
    """R10: it does not converge in 20 outer iterations, by a contraction of 0.9931 it does in 2000."""
    how = replace(PROJECTED, strategy="min1")
    with pytest.raises(DivergedError, match=r"did not converge by min1 .* more than 20 outer"):
        under(10.0, how)
    run = under(10.0, replace(how, outer=2000), time=1e-3)
    assert run["T_A"][-1] + run["T_B"][-1] == pytest.approx(-10.0, rel=5e-3)
    assert 800 < run["outer"][-1] < 1000


def test_r_factors_weight_the_split():
    """Selection rule 2.12 with its correction: a third of the r-factor takes a third of the load (9.4)."""
    scale = np.array([1.0 / 3.0, 1.0, 1.0, 1.0])
    run = under(2.0, replace(PROJECTED, scale=scale, outer=200))
    assert run["T_B"][-1] / run["T_A"][-1] == pytest.approx(3.0, abs=5e-3)


def test_too_large_r_factors_are_halved():
    """Three times the r-factor at B contracts by -0.96: a restart halves one, and the ratio misses 3 (9.4)."""
    run = under(2.0, replace(PROJECTED, scale=np.array([1.0, 1.0, 3.0, 1.0]), outer=200))
    assert run["T_B"][-1] / run["T_A"][-1] == pytest.approx(2.989, abs=5e-3)


def test_gauss_seidel_gives_all_to_the_first():
    g = rigid_block(NO_LOAD).delassus_at(REST)
    exact = np.full(4, 1.0 / (g[0, 0] * r_factor(g)))
    exact[1::2] = 1.0
    run = under(2.0, replace(PROJECTED, sweep="gauss_seidel", scale=exact))
    assert run["T_A"][-1] == pytest.approx(-2.0, abs=1e-3)
    assert run["T_B"][-1] == pytest.approx(0.0, abs=1e-3)


def test_warm_start_stays_where_it_is():
    started = replace(PROJECTED, start=START, warm=True)
    assert under(2.0, started)["T_A"][-1] == pytest.approx(-7.748, abs=5e-3)


@pytest.mark.parametrize("strategy", ["pinv", "handed", "min2", "gauss", "lemke"])
def test_every_strategy_balances_the_load(strategy):
    run = under(9.0, replace(PROJECTED, strategy=strategy))
    t_a, n_a, t_b, n_b = last(run)
    assert t_a + t_b == pytest.approx(-9.0, abs=2e-3)
    assert (n_a, n_b) == pytest.approx((73.98, 82.98), abs=2e-3)


def test_explicit_is_unstable_and_implicit_rests():
    """R2."""
    block = cut_block(NO_LOAD, LOW)
    long = Moreau(step=0.01)
    assert explicit_diverges(long.step)
    run = run_implicit_moreau(block, sagging(LOW), np.zeros(6), 1.0, long)
    names = ("x1", "y1", "phi1", "x2", "y2", "phi2")
    assert max(np.abs(run[name] - run[name][0]).max() for name in names) == pytest.approx(9.9e-8, abs=2e-9)


def test_linearised_forces_against_differences():
    """H_q and H_u of section 2.8."""
    block = cut_block(load_of("ramp", 27.0), LOW)
    linear = linearised_forces(block)
    numbers = block.system.arguments.parameters
    q = np.add(sagging(LOW), (1e-6, -1e-6, 2e-6, 1e-6, 3e-6, -2e-6))
    u = np.array([0.1, -0.2, 0.3, 0.2, 0.1, -0.4])
    _, by_q, by_u, by_t = (np.asarray(part, float) for part in linear(0.05, q, u, numbers))
    for k in range(6):
        e = np.zeros(6)
        e[k] = 1e-7
        force = [np.ravel(linear(0.05, q + s * e, u, numbers)[0]) for s in (1, -1)]
        assert np.allclose((force[0] - force[1]) / 2e-7, by_q[:, k], rtol=1e-5, atol=20.0)
        force = [np.ravel(linear(0.05, q, u + s * e, numbers)[0]) for s in (1, -1)]
        assert np.allclose((force[0] - force[1]) / 2e-7, by_u[:, k], atol=1e-3)
    assert by_t.ravel()[3] == pytest.approx(300.0)


@pytest.mark.parametrize(("force", "split"), [(10.0, (-4.304, -5.696)), (11.5, (-7.304, -4.196))])
def test_two_masses_remember_a_step(force, split):
    """Erratum E12: the split of a compliant reference depends on its history."""
    q = coordinates("x_a y_a x_b y_b")
    x_a, y_a, x_b, y_b = q
    p = sp.symbols("m c g f", real=True)
    m, c, g, f = p
    speeds = velocities(q)
    model = Model(
        "two_masses", q, m * sum(v**2 for v in speeds) / 2, c * (x_b - x_a) ** 2 / 2 + m * g * (y_a + y_b), p,
        {x_b: f}, (ContactPoint("A", y_a, (speeds[0],)), ContactPoint("B", y_b, (speeds[2],))),
    )  # fmt: skip
    rigid = SetValued(model, {"m": 8.0, "c": 1e6, "g": 9.81, "f": force}, {"A": 0.1, "B": 0.1})
    run = run_moreau(rigid, np.zeros(4), np.zeros(4), 0.05, Moreau(step=2e-6), every=50)
    assert (run["T_A"][-1], run["T_B"][-1]) == pytest.approx(split, abs=2e-3)


def test_friction_in_space_is_a_disc():
    q = coordinates("x y z")
    speeds = velocities(q)
    m, g = sp.symbols("m g")
    model = Model(
        "sliding_point", q, m * sum(v**2 for v in speeds) / 2, m * g * q[2], (m, g),
        contacts=(ContactPoint("floor", q[2], speeds[:2]),),
    )  # fmt: skip
    rigid = SetValued(model, {"m": 2.0, "g": 10.0}, {"floor": 0.5})
    run = run_moreau(rigid, STILL, (0.3, 0.4, 0.0), 0.2, Moreau(step=1e-3))
    assert run["T_floor_x"][5] / run["T_floor_y"][5] == pytest.approx(0.75)
    assert np.hypot(run["T_floor_x"][5], run["T_floor_y"][5]) == pytest.approx(10.0)
    way = np.hypot(run["x"][-1], run["y"][-1])
    assert way == pytest.approx(0.5**2 / (2.0 * 5.0), rel=1e-3)
    with pytest.raises(ParameterError, match="in space only prox"):
        run_moreau(rigid, STILL, STILL, 0.1, Moreau(strategy="pinv"))


def test_a_contact_that_opens_in_the_step():
    run = run_moreau(rigid_block(NO_LOAD), np.add(REST, (0.0, 1e-3, 0.0)), STILL, 0.02, Moreau())
    opened = run["closed_A"] == 0.0
    assert opened[5]
    assert run["N_A"][5] == 0.0
    assert run["N_A"][-1] + run["N_B"][-1] == pytest.approx(156.96, rel=1e-2)


def test_bad_input():
    block = rigid_block(NO_LOAD)
    for settings, words in (
        ({"strategy": "best"}, "strategy 'best'"),
        ({"sweep": "random"}, "sweep 'random'"),
    ):
        with pytest.raises(UnknownNameError, match=words):
            Moreau(**settings)
    with pytest.raises(ParameterError, match="step must be greater"):
        Moreau(step=0.0)
    with pytest.raises(ParameterError, match="outer must be at least 1"):
        Moreau(outer=0)
    with pytest.raises(ParameterError, match="start must have 4 entries"):
        run_moreau(block, REST, STILL, 0.01, Moreau(start=np.array([np.nan] * 4)))
    with pytest.raises(ParameterError, match="needs the coordinates"):
        run_moreau(block, REST, STILL, 0.01, Moreau(strategy="min3"))
    with pytest.raises(UnknownNameError, match="coordinate 'w'"):
        run_moreau(block, REST, STILL, 0.01, Moreau(strategy="min3", selected=("w",)))
    with pytest.raises(ParameterError, match="compliance must have the shape"):
        run_moreau(block, REST, STILL, 0.01, Moreau(strategy="compliance", compliance=np.eye(3)))
    massless = replace(block, parameters={**block.parameters, "m": 0.0})
    with pytest.raises(ModelError, match="positive definite"):
        run_moreau(massless, REST, STILL, 0.01)
