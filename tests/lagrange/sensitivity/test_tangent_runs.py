"""Derivatives of runs: against closed forms where there are some, against differences of runs elsewhere."""

import math
from dataclasses import replace
from functools import cache

import numpy as np
import pytest
import sympy as sp

from chrono_powercontact.errors import ParameterError, UnknownNameError
from chrono_powercontact.lagrange.model import TIME, ContactPoint, FrictionPoint, Model, coordinates, velocities
from chrono_powercontact.lagrange.runs import run_rk4
from chrono_powercontact.lagrange.sensitivity.variables import Setting, chosen, varied
from chrono_powercontact.lagrange.system import System
from chrono_powercontact.laws.friction.anchor import Anchor
from chrono_powercontact.laws.friction.dissipation import Dissipation, Friction
from chrono_powercontact.laws.friction.lugre import LuGre
from chrono_powercontact.laws.friction.memory import LPVFilter, LTIFilter
from chrono_powercontact.laws.friction.step_friction import StepFriction
from chrono_powercontact.laws.impact import breakthrough_speed, deepest_distance, exit_velocity, restitution
from chrono_powercontact.laws.material import Material
from chrono_powercontact.laws.normal.hertz import Hertz
from chrono_powercontact.laws.normal.hooke import Hooke
from chrono_powercontact.laws.normal.indentation import Indentation
from chrono_powercontact.laws.normal.restriction import Barrier, Restriction
from chrono_powercontact.laws.normal.user_normal import normal_law
from chrono_powercontact.numerics.slopes import slopes
from chrono_powercontact.scenarios.impact.point_mass import point_mass

G = 9.81
LAW = Restriction(0.01, 0.009, 200.0, 1.0)


def last(run, column, name):
    return run.derivative(column, name)[-1]


def test_free_impact_has_the_slopes_of_its_closed_form():
    speed = 1.0
    system = point_mass(0.05, LAW)
    run = run_rk4(system, system.state([0.012], [-speed]), 2e-6, 0.01, 50, sensitivities=["s_dot(0)", "r_d", "r_f"])
    e = float(restitution(LAW.r_d, speed))
    x, y = LAW.r_d * speed, e * LAW.r_d * speed
    slope = x * (1.0 + math.exp(-2.0 * x)) / (y * (1.0 + math.exp(2.0 * y)))
    assert -last(run, "s_dot", "s_dot(0)") == pytest.approx(slope, rel=1e-8)
    assert last(run, "s_dot", "r_d") == pytest.approx(slope * speed / LAW.r_d - y / LAW.r_d**2, rel=1e-8)
    assert last(run, "s_dot", "r_f") == pytest.approx(0.0, abs=1e-10)


def test_derivatives_are_of_fourth_order_like_the_run():
    system = point_mass(0.05, LAW)
    exact = slopes(lambda r_d: np.array([float(restitution(r_d, 1.0))]), LAW.r_d)[0]
    errors = []
    for step in (1e-4, 5e-5):
        run = run_rk4(system, system.state([0.012], [-1.0]), step, 0.01, sensitivities=["r_d"])
        errors.append(abs(last(run, "s_dot", "r_d") - exact))
    assert errors[0] / errors[1] > 10.0


def test_depth_of_an_impact_has_the_slopes_of_its_closed_form():
    names = ["s_dot(0)", "r_d", "r_f", "m", "s_c"]
    system = point_mass(0.05, LAW)
    run = run_rk4(system, system.state([0.012], [-1.0]), 2e-6, 0.01, 1, sensitivities=names)
    turn = int(np.flatnonzero(run["s_dot"] > 0.0)[0])
    near = slice(turn - 4, turn + 4)

    def at_turn(column):
        return float(np.polyval(np.polyfit(run["s_dot"][near], run[column][near], 5), 0.0))

    cases = {
        "s_dot(0)": lambda v: deepest_distance(LAW, 0.05, -v),
        "r_d": lambda r_d: deepest_distance(replace(LAW, r_d=r_d), 0.05, 1.0),
        "r_f": lambda r_f: deepest_distance(replace(LAW, r_f=r_f), 0.05, 1.0),
        "m": lambda m: deepest_distance(LAW, m, 1.0),
        "s_c": lambda s_c: deepest_distance(replace(LAW, s_c=s_c), 0.05, 1.0),
    }
    values = {"s_dot(0)": -1.0, "r_d": 1.0, "r_f": 200.0, "m": 0.05, "s_c": 0.009}
    for name, closed in cases.items():
        expected = slopes(lambda x, closed=closed: np.array([closed(x)]), values[name])[0]
        assert at_turn(f"d(s)/d({name})") == pytest.approx(expected, rel=1e-8), name


@pytest.mark.parametrize("part", [0.8, 1.2])
def test_wall_that_holds_or_breaks_has_the_slopes_of_its_closed_form(part):
    wall = Barrier(s_0=0.1, s_c=0.08, r_f=1e4, r_d=0.05, thickness=0.2, s_c_back=-0.05)
    speed = part * breakthrough_speed(wall, 0.05)
    system = point_mass(0.05, wall)
    names = ["s_dot(0)", "r_d", "r_f", "m", "thickness"]
    run = run_rk4(system, system.state([0.2], [-speed]), 2e-7, 0.01, 1000, sensitivities=names)
    closed = {
        "s_dot(0)": (-speed, lambda v: exit_velocity(wall, 0.05, -v)),
        "r_d": (wall.r_d, lambda r_d: exit_velocity(replace(wall, r_d=r_d), 0.05, speed)),
        "m": (0.05, lambda m: exit_velocity(wall, m, speed)),
        "thickness": (0.2, lambda width: exit_velocity(replace(wall, thickness=width), 0.05, speed)),
    }
    assert run["s_dot"][-1] == pytest.approx(exit_velocity(wall, 0.05, speed), rel=1e-8)
    for name, (value, function) in closed.items():
        expected = slopes(lambda x, function=function: np.array([function(x)]), value)[0]
        assert last(run, "s_dot", name) == pytest.approx(expected, rel=1e-8, abs=1e-9 * speed), name


def test_bounce_between_floor_and_ceiling_has_the_slope_of_its_restitution():
    s = coordinates("s")
    sides = (ContactPoint("floor", s[0]), ContactPoint("ceiling", 1 - s[0]))
    model = Model("floor_and_ceiling", s, velocities(s)[0] ** 2 / 2, contacts=sides)
    law = Restriction(1e-2, 9e-3, 5000.0, 0.3)
    system = System(model, {}, {"floor": Material(law), "ceiling": Material(law)})
    run = run_rk4(system, system.state([0.5], [-1.0]), 1e-5, 2.2, 200, sensitivities=["s(0)"])
    first = float(restitution(law.r_d, 1.0))
    second = float(restitution(law.r_d, first))
    slope = run.derivative("s", "s(0)")
    bounced = int(np.searchsorted(run["t"], 0.8))
    assert slope[bounced] == pytest.approx(-first, rel=1e-8)
    assert slope[-1] == pytest.approx(first * second, rel=1e-7)


def test_two_balls_in_a_row_hand_on_their_motion():
    q = coordinates("a b")
    u = velocities(q)
    model = Model("two_balls", q, (u[0] ** 2 + u[1] ** 2) / 2, contacts=(ContactPoint("gap", q[1] - q[0]),))
    system = System(model, {}, {"gap": Material(Restriction(1e-3, 5e-4, 2e4, 0.0))})
    names = ["a(0)", "b(0)", "a_dot(0)", "b_dot(0)"]
    run = run_rk4(system, system.state([0.0, 0.3], [1.0, 0.0]), 5e-6, 1.0, 2000, sensitivities=names)
    gradient = [last(run, "b", name) for name in names]
    assert gradient[:2] == pytest.approx([1.0, 0.0], abs=1e-8)
    assert gradient == pytest.approx([1.0, 0.0, 1.0, 0.0], abs=1e-3)


@cache
def sled():
    """A body on a floor that a force F(t) pulls to and fro."""
    x, z = q = coordinates("x z")
    m, pull, rate = sp.symbols("m pull rate", real=True)
    u = velocities(q)
    return Model(
        "pulled_sled", q, m * (u[0] ** 2 + u[1] ** 2) / 2, m * G * z, (m, pull, rate),
        forces={x: pull * sp.sin(rate * TIME)}, contacts=(ContactPoint("floor", z, (u[0],)),),
        frictions=(FrictionPoint("guide", (u[0],)),),
    )  # fmt: skip


NUMBERS = {"m": 0.5, "pull": 4.0, "rate": 9.0}


def test_stopping_distance_has_the_slope_of_coulomb_friction():
    floor = Material(Restriction(1e-3, 5e-4, 200.0, 1.0), Friction(0.4, 0.4, 1e-3))
    system = System(sled(), {**NUMBERS, "pull": 0.0}, {"floor": floor})
    depth = floor.normal.rest_distance(0.5 * G)
    start = system.state([0.0, depth], [2.0, 0.0])
    run = run_rk4(system, start, 5e-5, 0.7, 100, sensitivities=["mu_c", "x_dot(0)"])
    distance = run["x"][-1]
    assert last(run, "x", "mu_c") == pytest.approx(-distance / 0.4, rel=1e-8)
    assert last(run, "x", "mu_c") == pytest.approx(-(2.0**2) / (2.0 * 0.4**2 * G), rel=1e-4)
    assert last(run, "x", "x_dot(0)") == pytest.approx(2.0 / (0.4 * G), rel=1e-3)


FLOOR = Restriction(1e-3, 5e-4, 100.0, 1.0)
CURVE = Friction(0.3, 0.4, 0.02, 0.04, d=0.1)
SYSTEMS = {
    "static": ({"floor": Material(FLOOR, CURVE)}, {}, {}, ["mu_c", "mu_s", "v_c", "d", "r_d", "m", "x_dot(0)", "rate"]),
    "smoothed": ({"floor": Material(FLOOR, replace(CURVE, eps=1e-2))}, {}, {}, ["eps", "v_s"]),
    "lpv": ({"floor": Material(FLOOR, CURVE, LPVFilter(0.01, 0.02))}, {}, {}, ["mu_c", "t_f", "v_f", "pull"]),
    "lti": ({"floor": Material(FLOOR, CURVE, LTIFilter(0.01))}, {}, {}, ["mu_s", "t_f"]),
    "lugre": ({"floor": Material(FLOOR, LuGre(0.3, 0.4, 0.02, 2e3, 5.0))}, {}, {}, ["f_c", "f_s", "v_s", "k", "d_k"]),
    "step": ({"floor": Material(FLOOR, StepFriction(0.4, 0.3, 0.02, 0.1))}, {}, {}, ["mu_d", "mu_s"]),
    "anchored": ({"floor": Material(FLOOR, CURVE, Anchor(2e-3, 1e-3))}, {}, {}, ["mu_c", "presliding", "tau", "r_f"]),
    "lagging": ({"floor": Material(FLOOR, CURVE, Anchor(2e-3, 1e-3, 1e-3))}, {}, {}, ["mu_s", "lag"]),
    "hooke": ({"floor": Material(Hooke(1e-3, 4e4, 20.0), CURVE)}, {}, {}, ["k", "c"]),
    "hertz": ({"floor": Material(Hertz(1e-3, 1e6, 0.5))}, {}, {}, ["k", "chi"]),
    "indentation": ({"floor": Material(Indentation(1e-3, 1e6, 30.0, 1.5, 1.0, 0.5))}, {}, {}, ["k", "c", "m_1"]),
    "guide": ({}, {"guide": Dissipation(1.0, 1.5, 0.02, 0.04)}, {"guide": LPVFilter(0.01, 0.02)}, ["f_c", "guide.t_f"]),
}  # fmt: skip


def system_of(case):
    contacts, frictions, memories, names = SYSTEMS[case]
    system = System(sled(), NUMBERS, contacts, frictions, memories)
    return system, system.state([0.0, 0.9e-3], [0.05, -0.01]), names


def differences(system, start, name, step, time):
    """Derivatives of all records by differences of runs, and how far those of two widths are apart."""
    setting = Setting(system, start)
    meant = chosen(setting, name)
    width = 1e-5 * abs(meant[0].value)
    ends = []
    for factor in (1.0, 0.5):
        runs = [varied(setting, meant, meant[0].value + side * factor * width) for side in (-1.0, 1.0)]
        low, high = (run_rk4(s.system, s.start, step, time, 100) for s in runs)
        ends.append((high.data - low.data) / (2.0 * factor * width))
    return (4.0 * ends[1] - ends[0]) / 3.0, np.abs(ends[1] - ends[0]).max(axis=0)


@pytest.mark.parametrize("case", SYSTEMS)
def test_every_law_and_memory_has_the_slopes_of_differences(case):
    system, start, names = system_of(case)
    run = run_rk4(system, start, 1e-4, 0.5, 100, sensitivities=names)
    for name in names:
        expected, error = differences(system, start, name, 1e-4, 0.5)
        for i, column in enumerate(system.columns[1:], 1):
            size = np.abs(expected[:, i]).max()
            off = np.abs(run.derivative(column, name) - expected[:, i]).max()
            noise = 1e-9 * np.abs(run[column]).max() / abs(chosen(Setting(system, start), name)[0].value)
            assert off <= 1e-6 * size + 2.0 * error[i] + noise, (name, column, off, size)


def test_memory_of_the_coordinates_is_differentiated_too():
    lag = {"x": LPVFilter(0.01, 0.02), "z": LTIFilter(0.01)}
    system = System(sled(), NUMBERS, {"floor": Material(FLOOR, CURVE)}, coordinate_memory=lag)
    start = system.state([0.0, 0.9e-3], [0.05, -0.01])
    run = run_rk4(system, start, 1e-4, 0.3, 100, sensitivities=["x.t_f", "mu_c"])
    expected, _ = differences(system, start, "x.t_f", 1e-4, 0.3)
    at = system.columns.index("x")
    assert run.derivative("x", "x.t_f") == pytest.approx(expected[:, at], abs=1e-6 * np.abs(expected[:, at]).max())


def test_columns_of_the_run_are_those_without_derivatives():
    system, start, names = system_of("lpv")
    plain = run_rk4(system, start, 1e-4, 0.2, 10)
    run = run_rk4(system, start, 1e-4, 0.2, 10, sensitivities=names)
    assert run.names[: len(plain.names)] == plain.names
    assert run.data[:, : len(plain.names)] == pytest.approx(plain.data, rel=1e-9, abs=1e-12)
    assert run.steps == plain.steps


def test_more_parameters_than_directions_take_further_runs():
    system, start, _ = system_of("static")
    names = [*SYSTEMS["static"][3], "s_0", "s_c", "z(0)"]
    run = run_rk4(system, start, 1e-4, 0.1, 100, sensitivities=names)
    alone = run_rk4(system, start, 1e-4, 0.1, 100, sensitivities=["z(0)"])
    assert run.derivative("z", "z(0)") == pytest.approx(alone.derivative("z", "z(0)"), rel=1e-12)


def test_run_with_derivatives_ends_where_the_plain_one_does():
    system = point_mass(0.05, LAW)
    start = system.state([0.012], [-1.0])
    settings = (system, start, 1e-5, 1.0, 5)
    plain = run_rk4(*settings, stop=lambda run: run["s"] > 0.0121)
    run = run_rk4(*settings, stop=lambda run: run["s"] > 0.0121, sensitivities=["r_d"])
    assert len(run) == len(plain) < 1000


def test_what_has_no_derivative_is_told():
    system, start, _ = system_of("static")

    def run(names, system=system):
        return run_rk4(system, start, 1e-4, 0.01, sensitivities=names)

    with pytest.raises(
        UnknownNameError, match=r"unknown parameter to differentiate by 'mu': did you mean 'mu_s'. allowed: .*mu_c"
    ):
        run(["mu"])
    with pytest.raises(ParameterError, match="sensitivities must be a list of names, got 'mu_c'"):
        run("mu_c")
    two = replace(system, frictions={"guide": Dissipation(1.0, 1.5, 0.5)})
    with pytest.raises(ParameterError, match=r"'v_c' has several values.*name one of floor.v_c, guide.v_c"):
        run(["v_c"], two)
    assert last(run(["guide.v_c"], two), "x", "guide.v_c") != 0.0

    @normal_law
    def spring(s, v, p):
        return p.k * max(p.s_0 - s, 0.0)

    with pytest.raises(ParameterError, match="point 'floor' is a user's function, which has no exact derivatives"):
        run(["m"], replace(system, contacts={"floor": Material(spring(s_0=1e-3, k=1e4))}))
