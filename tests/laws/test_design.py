import dataclasses
import math

import numpy as np
import pytest
import sympy as sp
from hypothesis import given, settings
from hypothesis import strategies as st

import chrono_powercontact as pc
from chrono_powercontact.errors import ParameterError, UnknownNameError
from chrono_powercontact.laws.design import (
    design_barrier,
    design_restriction,
    stable_anchor_step,
    stable_contact_step,
    stable_friction_step,
)
from chrono_powercontact.laws.friction.anchor import Anchor, anchored_force
from chrono_powercontact.laws.friction.dissipation import Dissipation, Friction
from chrono_powercontact.laws.friction.friction_table import friction_record
from chrono_powercontact.laws.friction.memory import LPVFilter, LTIFilter
from chrono_powercontact.laws.impact import (
    breaks_through,
    breakthrough_speed,
    deepest_distance,
    exit_velocity,
    restitution,
)
from chrono_powercontact.laws.normal.restriction import Restriction

FEW = settings(max_examples=15, deadline=None)

BALL = Restriction(s_0=0.010, s_c=0.009, r_f=200.0, r_d=1.0)  # thesis, Table 3.1a
FINE = Dissipation(f_c=1.0, f_s=1.4, v_c=5e-5, v_s=1e-4, d=0.1)  # thesis, Tables 2.1 and 2.2
FINE_MEMORY = LPVFilter(t_f=3e-4, v_f=1e-4)
COARSE = Dissipation(f_c=1.0, f_s=1.4, v_c=0.005, v_s=0.01, d=0.1)  # thesis, Tables 2.1 and 2.3
COARSE_MEMORY = LPVFilter(t_f=0.03, v_f=0.001)
WISH = {"s_0": 0.02, "mass": 0.5, "speed": 2.0, "restitution": 0.4}


@given(st.floats(0.02, 1.0), st.floats(0.1, 10.0), st.floats(0.01, 10.0), st.floats(10.0, 1e5), st.floats(1e3, 1e8))
@FEW
def test_force_limit_and_stiffness_are_met(e, speed, mass, force_limit, stiffness):
    law = design_restriction(
        s_0=0.02, mass=mass, speed=speed, restitution=e, force_limit=force_limit, stiffness=stiffness, r_a=0.9
    )
    assert (law.s_0, law.r_f, law.r_a) == (0.02, force_limit, 0.9)
    s = law.r_c + np.linspace(-1.0, 1.0, 2001) / law.r_t
    assert np.max(-np.gradient(law.force(s, 0.0), s)) == pytest.approx(stiffness, rel=1e-4)
    assert restitution(law.r_d, speed) == pytest.approx(e, rel=1e-9)


@given(st.floats(0.1, 1.0), st.floats(0.2, 4.0), st.floats(1.1, 8.0))
@FEW
def test_penetration_and_force_limit_are_met(e, speed, factor):
    hardest = 0.5 * speed**2 * 0.5 / 500.0  # a plastic stop under the full force
    law = design_restriction(
        s_0=0.02, mass=0.5, speed=speed, restitution=e, penetration=2.0 * factor * hardest, force_limit=500.0
    )
    assert law.r_f == 500.0
    assert 0.02 - deepest_distance(law, 0.5, speed) == pytest.approx(2.0 * factor * hardest, rel=1e-9)
    assert restitution(law.r_d, speed) == pytest.approx(e, rel=1e-9)


@pytest.mark.parametrize("penetration", [2e-3, 5e-3, 2e-2])
def test_penetration_and_stiffness_are_met(penetration):
    law = design_restriction(**WISH, penetration=penetration, stiffness=1e6)
    assert 0.02 - deepest_distance(law, 0.5, 2.0) == pytest.approx(penetration, rel=1e-9)
    assert law.r_f * law.r_t / 4.0 == pytest.approx(1e6, rel=1e-9)
    assert restitution(law.r_d, 2.0) == pytest.approx(0.4, rel=1e-9)


def test_elastic_wish_gives_an_elastic_law():
    assert design_restriction(**{**WISH, "restitution": 1.0}, force_limit=500.0, stiffness=1e6).r_d == 0.0


def test_weak_barrier_cannot_stop_so_soon():
    message = r"^penetration 0\.0001 m cannot be reached: these targets allow .* m to .* m$"
    with pytest.raises(ParameterError, match=message):
        design_restriction(**WISH, penetration=1e-4, force_limit=1.0)


@pytest.mark.parametrize(
    ("wishes", "named"),
    [
        ({}, "none"),
        ({"penetration": 1e-3}, "penetration"),
        ({"penetration": 1e-3, "force_limit": 1e3, "stiffness": 1e5}, "penetration, force_limit, stiffness"),
    ],
)
def test_two_wishes_are_wanted(wishes, named):
    with pytest.raises(ParameterError) as caught:
        design_restriction(**WISH, **wishes)
    assert str(caught.value) == f"give two of penetration, force_limit and stiffness, got {named}"


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"penetration": -1e-3}, "penetration must be greater than 0, got -0.001"),
        ({"force_limit": 0.0}, "force_limit must be greater than 0, got 0"),
        ({"force_limit": math.nan}, "force_limit must be a finite number, got nan"),
        ({"mass": 0.0}, "mass must be greater than 0, got 0"),
        ({"mass": -1.0}, "mass must be greater than 0, got -1"),
        ({"speed": 0.0}, "speed must be greater than 0, got 0"),
        ({"speed": math.inf}, "speed must be a finite number, got inf"),
        ({"restitution": 0.0}, "restitution must be greater than 0 and at most 1, got 0"),
        ({"restitution": 1.5}, "restitution must be greater than 0 and at most 1, got 1.5"),
        ({"s_0": math.nan}, "s_0 must be a finite number, got nan"),
    ],
)
def test_bad_wish_is_refused_by_name_and_value(change, message):
    with pytest.raises(ParameterError) as caught:
        design_restriction(**{**WISH, "penetration": 5e-3, "force_limit": 500.0, **change})
    assert str(caught.value) == message


def rk4(matrices, h, x):
    k1 = matrices @ x
    k2 = matrices @ (x + 0.5 * h * k1)
    k3 = matrices @ (x + 0.5 * h * k2)
    k4 = matrices @ (x + h * k3)
    return x + h * (k1 + 2.0 * k2 + 2.0 * k3 + k4) / 6.0


def semi_implicit(matrices, h, x):
    x = np.array(x)
    x[:, 1:] += h * (matrices @ x)[:, 1:]
    x[:, :1] += h * (matrices @ x)[:, :1]
    return x


def explicit(matrices, h, x):
    return x + h * matrices @ x


def gain(method, matrices, h):
    """Largest gain over 2^26 steps (a step matrix squared 26 times), in the norm of each oscillator's energy."""
    root = np.sqrt(np.abs(np.stack([matrices[:, 1, 0], matrices[:, 0, 1]], axis=1)))
    run = method(matrices, h, np.broadcast_to(np.eye(2), matrices.shape)) * root[:, :, None] / root[:, None, :]
    with np.errstate(over="ignore", invalid="ignore"):
        for _ in range(26):
            run = run @ run
    return np.nan_to_num(np.abs(run), nan=np.inf).max()


def contact_matrices(law, mass):
    """Contact linearised by differences of its force, at many depths, at rest and in ever faster compression."""
    ds, dv = 1e-5 / law.r_t, 1e-6 / (1.0 + law.r_d)
    haste = np.linspace(0.0, 4.0, 21) if law.r_d > 0.0 else np.zeros(1)
    s, v = np.meshgrid(law.r_c + np.linspace(-2.5, 2.5, 201) / law.r_t, -haste / max(law.r_d, 1e-9))
    k = -(law.force(s + ds, v) - law.force(s - ds, v)).ravel() / (2.0 * ds)
    c = -(law.force(s, v + dv) - law.force(s, v - dv)).ravel() / (2.0 * dv)
    return np.array([[[0.0, 1.0], [-a / mass, -b / mass]] for a, b in zip(k, c, strict=True)])


def friction_matrices(law, memory, mass):
    """Steady sliding (speed, remembered force), linearised by differences at many speeds; falling branches left out."""
    matrices = []
    for v in np.geomspace(0.02 * law.v_c, 8.0 * law.v_s, 400):
        static, dv, dq = float(law.force(v)), 1e-4 * law.v_c, 1e-3
        rates = [float(memory.rate(static, law.force(w), w)) for w in (v - dv, v + dv)]
        decays = [float(memory.rate(static + q, static, v)) for q in (-dq, dq)]
        by_v, by_q = (rates[1] - rates[0]) / (2.0 * dv), (decays[1] - decays[0]) / (2.0 * dq)
        if by_v > 0.0:
            matrices.append([[0.0, -1.0 / mass], [by_v, by_q]])
    return np.array(matrices)


def test_undamped_contact_has_the_classical_step_limits():
    law = dataclasses.replace(BALL, r_d=0.0)
    omega = math.sqrt(law.r_f * law.r_t / 4.0 / 0.05)
    assert stable_contact_step(law, 0.05, "rk4") == pytest.approx(2.0 * math.sqrt(2.0) / omega, rel=1e-5)
    assert stable_contact_step(law, 0.05) == pytest.approx(2.0 / omega, rel=1e-5)


@pytest.mark.parametrize("r_d", [0.0, 1.0, 20.0])
@pytest.mark.parametrize(("integrator", "method"), [("rk4", rk4), ("euler", semi_implicit)])
def test_contact_step_limit_divides_bounded_from_growing_runs(r_d, integrator, method):
    law = dataclasses.replace(BALL, r_d=r_d)
    limit = stable_contact_step(law, 0.05, integrator)
    matrices = contact_matrices(law, 0.05)
    assert gain(method, matrices, 0.99 * limit) < 20.0
    assert gain(method, matrices, 1.02 * limit) > 1e3


def test_fast_compression_doubles_the_stiffness_that_limits_the_step():
    law = dataclasses.replace(BALL, r_d=0.01)
    omega = math.sqrt(law.r_f * law.r_t / 2.0 / 0.05)
    assert stable_contact_step(law, 0.05, "rk4") == pytest.approx(2.0 * math.sqrt(2.0) / omega, rel=1e-5)


def test_strong_damping_limits_the_step_alone():
    law = dataclasses.replace(BALL, r_d=1e4)
    rate = 0.5 * law.r_f * law.r_d / 0.05
    assert stable_contact_step(law, 0.05, "rk4") == pytest.approx(2.785294 / rate, rel=1e-4)


@given(st.one_of(st.just(0.0), st.floats(1e-3, 20.0)), st.floats(0.01, 10.0))
@FEW
def test_heavier_body_allows_a_longer_contact_step(r_d, mass):
    law = dataclasses.replace(BALL, r_d=r_d)
    assert stable_contact_step(law, 4.0 * mass) > 1.5 * stable_contact_step(law, mass)


def test_thesis_friction_step_limits():
    assert 0.2e-3 < stable_friction_step(FINE, 0.1, FINE_MEMORY, integrator="rk4") < 0.5e-3
    assert stable_friction_step(COARSE, 0.1, COARSE_MEMORY, integrator="rk4") > 10e-3


@pytest.mark.parametrize(
    ("law", "memory"),
    [
        (FINE, FINE_MEMORY),
        (COARSE, COARSE_MEMORY),
        (COARSE, LTIFilter(0.03)),
        (COARSE, LPVFilter(2e-4, 0.01)),
    ],
)
@pytest.mark.parametrize(("integrator", "method"), [("rk4", rk4), ("euler", explicit)])
def test_friction_step_limit_divides_bounded_from_growing_runs(law, memory, integrator, method):
    limit = stable_friction_step(law, 0.1, memory, integrator=integrator)
    matrices = friction_matrices(law, memory, 0.1)
    assert gain(method, matrices, 0.98 * limit) < 20.0
    assert gain(method, matrices, 1.02 * limit) > 1e3


def test_friction_without_memory_is_limited_by_its_steepest_slope():
    slope = 1.0 / 5e-5 + 0.435962 * math.exp(0.5) / 1e-4 + 0.1
    assert stable_friction_step(FINE, 0.1, integrator="rk4") == pytest.approx(2.785294 * 0.1 / slope, rel=1e-4)
    assert stable_friction_step(FINE, 0.1) == pytest.approx(2.0 * 0.1 / slope, rel=1e-4)


def test_contact_friction_is_limited_like_the_law_standing_alone():
    contact = Friction(mu_c=0.5, mu_s=0.7, v_c=0.005, v_s=0.01)
    alone = Dissipation(f_c=2.0, f_s=2.8, v_c=0.005, v_s=0.01)
    for memory in (None, COARSE_MEMORY):
        wanted = stable_friction_step(alone, 0.1, memory)
        assert stable_friction_step(contact, 0.1, memory, normal=4.0) == pytest.approx(wanted, rel=1e-9)


def test_without_friction_any_step_is_stable():
    assert stable_friction_step(Dissipation(0.0, 0.0, 0.01), 1.0) == math.inf


@pytest.mark.parametrize("mass", [0.0, -1.0, math.nan, math.inf])
def test_step_limits_need_a_mass(mass):
    for limit in (lambda: stable_contact_step(BALL, mass), lambda: stable_friction_step(COARSE, mass)):
        with pytest.raises(ParameterError, match=f"^mass must be .*, got {mass:g}$"):
            limit()


@pytest.mark.parametrize("limit", [stable_contact_step, stable_friction_step])
def test_unknown_integrator_is_refused_with_the_known_ones(limit):
    law = BALL if limit is stable_contact_step else COARSE
    with pytest.raises(UnknownNameError) as caught:
        limit(law, 0.1, integrator="rk5")
    assert str(caught.value) == "unknown integrator 'rk5': did you mean 'rk4'? allowed: euler, rk4"


def test_a_filter_that_opens_late_bounds_the_step_by_its_own_time():
    law = Dissipation(1.0, 1.4, 0.005, 0.01, 0.1)
    assert stable_friction_step(law, 0.1, LPVFilter(1e-3, 10.0), integrator="rk4") == pytest.approx(2.785e-3, rel=0.02)


def test_a_design_for_an_impossible_mass_is_refused():
    with pytest.raises(ParameterError, match="mass must be greater than 0"):
        design_restriction(s_0=0.0, mass=-1.0, speed=1.0, restitution=0.5, force_limit=10.0, stiffness=1e4)


def anchor_matrices(law, anchor, mass):
    """Mass on its anchor, linearised by differences of the force at many stretches below the elastic limit."""
    slot, dz, dv = friction_record(law, anchor)["anchor"], 1e-6 * anchor.presliding, 1e-6 * anchor.presliding / 1e-3
    matrices = []
    for z in np.linspace(0.0, 0.97, 80) * anchor.presliding:
        k = (anchored_force(slot, 1.0, z + dz, 0.0) - anchored_force(slot, 1.0, z - dz, 0.0))[0] / (2.0 * dz)
        c = (anchored_force(slot, 1.0, z, dv) - anchored_force(slot, 1.0, z, -dv))[0] / (2.0 * dv)
        matrices.append([[0.0, 1.0], [-k / mass, -c / mass]])
    return np.array(matrices)


@pytest.mark.parametrize("anchor", [Anchor(5e-6, 0.0), Anchor(5e-6, 1e-4), Anchor(5e-6, 5e-3)])
@pytest.mark.parametrize(("integrator", "method"), [("rk4", rk4), ("euler", semi_implicit)])
def test_anchor_step_limit_divides_bounded_from_growing_runs(anchor, integrator, method):
    law = Dissipation(f_c=1.0, f_s=1.4, v_c=5e-5, v_s=1e-4)
    limit = stable_anchor_step(law, 0.1, anchor, integrator=integrator)
    matrices = anchor_matrices(law, anchor, 0.1)
    assert gain(method, matrices, 0.99 * limit) < 50.0
    assert gain(method, matrices, 1.02 * limit) > 1e3


def test_undamped_anchor_has_the_classical_step_limits_of_its_spring():
    law, anchor = Friction(mu_c=0.5, mu_s=0.5, v_c=1e-3), Anchor(5e-6, 0.0)
    omega = math.sqrt(4.0 * 0.5 / math.tanh(4.0) * 9.81 / 5e-6)
    for mass in (0.1, 1.0, 1000.0):
        limit = stable_anchor_step(law, mass, anchor, normal=9.81 * mass, integrator="rk4")
        assert limit == pytest.approx(2.0 * math.sqrt(2.0) / omega, rel=1e-4)
        euler = stable_anchor_step(law, mass, anchor, normal=9.81 * mass)
        assert euler == pytest.approx(2.0 / omega, rel=1e-4)


def test_friction_step_with_an_anchor_is_the_anchors():
    wanted = stable_anchor_step(FINE, 0.1, Anchor())
    assert stable_friction_step(FINE, 0.1, Anchor()) == wanted
    assert wanted > 2e-4  # the default anchor bears the step of Table 2.2


def test_four_times_the_presliding_allows_twice_the_step():
    short, long = (stable_anchor_step(FINE, 0.1, Anchor(z, 0.0)) for z in (5e-6, 2e-5))
    assert long == pytest.approx(2.0 * short, rel=1e-3)


def test_anchor_step_needs_a_mass_and_a_known_integrator():
    with pytest.raises(ParameterError, match=r"^mass must be greater than 0, got -1$"):
        stable_anchor_step(FINE, -1.0, Anchor())
    with pytest.raises(ParameterError, match=r"^anchor must be an Anchor, got LPVFilter"):
        stable_anchor_step(FINE, 1.0, LPVFilter(1e-3, 1e-4))
    with pytest.raises(UnknownNameError, match="unknown integrator 'rk5'"):
        stable_anchor_step(FINE, 1.0, Anchor(), integrator="rk5")


WALL = {"s_0": 0.1, "thickness": 0.2, "mass": 0.05, "holds": 200.0, "breaks": 270.0}


@given(st.floats(1.0, 300.0), st.floats(1.02, 3.0), st.floats(0.05, 1.0), st.floats(0.02, 0.4))
@FEW
def test_a_designed_wall_holds_one_speed_and_breaks_at_the_other(holds, ratio, e, edge):
    wish = {**WALL, "holds": holds, "breaks": ratio * holds, "restitution": e, "edge": edge}
    wall = design_barrier(**wish)
    assert not breaks_through(wall, 0.05, holds)
    assert breaks_through(wall, 0.05, ratio * holds)
    assert breakthrough_speed(wall, 0.05) == pytest.approx(holds * math.sqrt(0.5 * (1.0 + ratio**2)), rel=1e-9)
    assert exit_velocity(wall, 0.05, holds) == pytest.approx(e * holds, rel=1e-9)


@pytest.mark.parametrize(("speed", "through"), [(200.0, False), (270.0, True)])
def test_a_designed_wall_does_so_in_a_run(speed, through):
    wall = design_barrier(**WALL)
    (x,) = pc.coordinates("x")
    (v,) = pc.velocities((x,))
    m = sp.Symbol("m")
    model = pc.Model("shot", (x,), m * v**2 / 2, sp.Integer(0), (m,), contacts=(pc.ContactPoint("wall", x),))
    system = pc.System(model, {"m": 0.05}, {"wall": pc.Material(wall)})
    run = pc.run_rk4(system, system.state([0.2], [-speed]), step=1e-6, time=0.01)
    assert (run["x"][-1] < wall.s_0_back) == through
    assert run["x_dot"][-1] == pytest.approx(exit_velocity(wall, 0.05, speed), rel=1e-3)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"breaks": 200.0}, "breaks must be faster than holds, got breaks=200 and holds=200"),
        ({"holds": -1.0}, "holds must be greater than 0, got -1"),
        ({"edge": 0.5}, "edge must lie between 0 and 1/2, got 0.5"),
        ({"thickness": 0.0}, "thickness must be greater than 0, got 0"),
        ({"mass": math.nan}, "mass must be a finite number, got nan"),
        ({"restitution": 2.0}, "restitution must be greater than 0 and at most 1, got 2"),
    ],
)
def test_a_wall_that_cannot_be_is_refused_by_name_and_value(change, message):
    with pytest.raises(ParameterError) as caught:
        design_barrier(**{**WALL, **change})
    assert str(caught.value) == message
