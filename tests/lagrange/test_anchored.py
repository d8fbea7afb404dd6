"""Friction that sticks in the reference engine: anchors, rolling and spinning, and their energy ledger."""

from __future__ import annotations

import math
from functools import cache

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from lagrange_models import moving_floor, real, towed_mass

from chrono_powercontact.errors import ModelError, ParameterError
from chrono_powercontact.lagrange.model import ContactPoint, Model, coordinates, velocities
from chrono_powercontact.lagrange.runs import run_adaptive, run_rk4
from chrono_powercontact.lagrange.system import System
from chrono_powercontact.laws.friction.anchor import Anchor, anchor_potential, curve, grip
from chrono_powercontact.laws.friction.dissipation import Dissipation, Friction
from chrono_powercontact.laws.friction.friction_table import friction_record
from chrono_powercontact.laws.friction.lugre import LuGre
from chrono_powercontact.laws.friction.memory import LPVFilter
from chrono_powercontact.laws.friction.spin import SpinFriction
from chrono_powercontact.laws.material import Material
from chrono_powercontact.laws.normal.restriction import Restriction
from chrono_powercontact.trajectory import Trajectory


def anchored(law: Friction) -> np.void:
    """The slot of a law on an anchor."""
    return friction_record(law, Anchor())["anchor"]


GROUND = Restriction(2e-3, 1e-3, 400.0, 3.0)
SLIDING = Friction(mu_c=0.3, mu_s=0.4, v_c=5e-5, v_s=1e-4)
COULOMB = Friction(mu_c=0.4, mu_s=0.4, v_c=1e-3)
WEIGHT = 9.81
REST = float(GROUND.rest_distance(WEIGHT))
STILL = {"m": 1.0, "g": WEIGHT, "k": 0.0, "a": 0.0, "w": 0.0, "belt": 0.0, "f": 0.0}
STICTION = WEIGHT * curve(anchored(SLIDING), anchored(SLIDING)["peak"])


def floor(friction: Friction | LuGre = SLIDING, memory: Anchor | None = Anchor(), **numbers: float) -> System:  # noqa: B008
    return System(moving_floor(), STILL | numbers, {"floor": Material(GROUND, friction, memory)})


def run(
    system: System, time: float, q: tuple[float, float] = (0.0, REST), u: tuple[float, float] = (0.0, 0.0),
    step: float = 1e-4, every: int = 1,
) -> Trajectory:  # fmt: skip
    return run_rk4(system, system.state(q, u), step, time, every)


# --- stick and break-away ----------------------------------------------------------------------------------------


@pytest.mark.parametrize("share", [0.2, 0.7])
@pytest.mark.parametrize("friction", [SLIDING, COULOMB], ids=["stribeck", "coulomb"])
def test_mass_stands_under_a_load_below_stiction(friction: Friction, share: float) -> None:
    load = share * 0.4 * WEIGHT
    held = run(floor(friction, f=load), 1.5, every=10)
    assert np.abs(held["x_dot"][-100:]).max() < 1e-9
    assert abs(held["x"][-1] - held["x"][-100]) < 1e-12
    assert 0.0 < held["x"][-1] < Anchor().presliding
    assert held["Ft_floor"][-1] == pytest.approx(load, rel=1e-6)
    assert held["memory_floor"][-1] == pytest.approx(held["x"][-1], abs=1e-15)


def test_presliding_is_where_the_grip_carries_the_load() -> None:
    x = run(floor(COULOMB, f=0.5 * 0.4 * WEIGHT), 1.0)["x"][-1]
    assert float(grip(anchored(COULOMB), x)) == pytest.approx(0.2, rel=1e-6)


@pytest.mark.parametrize("tau", [0.0, 1e-3])
def test_sudden_load_breaks_loose_where_it_can_pull_the_anchor_over_its_limit(tau: float) -> None:
    slot = anchored(SLIDING)
    bound = WEIGHT * anchor_potential(slot, slot["limit"]) / slot["limit"]
    assert bound == pytest.approx(0.709 * STICTION, rel=1e-2)
    assert run(floor(memory=Anchor(5e-6, tau), f=0.97 * bound), 0.3)["x"].max() < 5e-6
    loose = run(floor(memory=Anchor(5e-6, tau), f=1.15 * bound), 0.3)["x"].max() > 1e-3
    assert bool(loose) == (tau == 0.0)


def test_load_beyond_stiction_slides_against_coulomb_friction() -> None:
    load = 1.2 * STICTION
    slide = run(floor(f=load), 0.5)
    assert slide["x_dot"][-1] == pytest.approx((load - 0.3 * WEIGHT) * 0.5, rel=1e-2)
    assert slide["Ft_floor"][-1] == pytest.approx(0.3 * WEIGHT, rel=1e-4)
    assert slide["memory_floor"][-1] == pytest.approx(Anchor().presliding, rel=1e-9)


def test_slow_pull_breaks_away_at_stiction() -> None:
    law = Dissipation(f_c=1.0, f_s=1.4, v_c=5e-5, v_s=1e-4)
    peak = float(curve(anchored(law), anchored(law)["peak"]))
    for angle in (0.0, 0.7, 2.0):
        numbers = {"m": 0.1, "k": 10.0, "pull": 0.1, "angle": angle}
        system = System(towed_mass(), numbers, frictions={"plane": law}, memories={"plane": Anchor()})
        pulled = run_rk4(system, system.state([0.0, 0.0], [0.0, 0.0]), 1e-4, 1.45)
        x, y, fx, fy = (pulled[name] for name in ("x", "y", "Ft_plane_x", "Ft_plane_y"))
        assert np.hypot(fx, fy).max() == pytest.approx(peak, rel=2e-3)
        assert pulled["t"][np.hypot(x, y) < 2e-5][-1] == pytest.approx(peak / (10.0 * 0.1), abs=8e-3)
        np.testing.assert_allclose(x * math.sin(angle), y * math.cos(angle), atol=1e-12)


def test_pulled_mass_stops_where_all_energy_has_become_heat() -> None:
    slide = run(floor(COULOMB), 1.0, u=(2.0, 0.0))
    assert slide["x"][-1] == pytest.approx(2.0**2 / (2.0 * 0.4 * WEIGHT), rel=1e-4)
    assert abs(slide["x_dot"][-1]) < 1e-10
    assert slide["friction_heat"][-1] == pytest.approx(2.0, rel=1e-4)


# --- no ratchet --------------------------------------------------------------------------------------------------


def way_per_cycle(system: System, cycles: int, start: float, u: tuple[float, float] = (0.0, 0.0)) -> float:
    """Way in m by which the mass has moved in each of the later cycles of 50 ms."""
    trajectory = run(system, 0.05 * cycles, (start, REST), u, every=500)
    x = trajectory["x"]
    return float(abs(x[-1] - x[cycles // 2]) / (cycles - cycles // 2))


DITHER = {"k": 100.0, "w": 2.0 * math.pi / 0.05}
BIAS = 0.4 * STICTION / DITHER["k"]


def test_dithered_load_below_stiction_does_not_ratchet() -> None:
    assert way_per_cycle(floor(f=0.4 * STICTION, **DITHER), 60, BIAS) < 1e-12


def test_lugre_ratchets_under_the_same_load() -> None:
    bristles = LuGre(f_c=0.3, f_s=0.4, v_s=0.01, k=0.4 / 5e-6, d_k=40.0)
    assert way_per_cycle(floor(bristles, None, f=0.4 * STICTION, **DITHER), 60, BIAS) > 1e-8


def test_normal_force_that_varies_below_the_limit_does_not_ratchet() -> None:
    heaving = floor(**DITHER | {"a": 2e-5})
    normal = run(heaving, 1.0, (BIAS, REST))["F_floor"]
    assert normal.max() > 1.15 * normal.min()
    assert way_per_cycle(heaving, 60, BIAS) < 1e-12


# --- energy ------------------------------------------------------------------------------------------------------


@settings(deadline=None, max_examples=25)
@given(
    st.floats(-3.0, 3.0), st.floats(-0.5, 0.5), st.floats(-1e-3, 1e-3), st.floats(0.0, 300.0), st.floats(0.0, 0.05),
    st.sampled_from([SLIDING, COULOMB]), st.sampled_from([1e-4, 5e-5]), st.sampled_from([0.0, 1e-4]),
)  # fmt: skip
def test_no_start_gains_energy(
    speed: float, rise: float, above: float, k: float, x: float, friction: Friction, step: float, tau: float
) -> None:
    trajectory = run(floor(friction, Anchor(5e-6, tau), k=k), 0.15, (x, REST + above), (speed, rise), step)
    energy = trajectory.energy
    assert trajectory.max_energy_gain < 1e-9 * energy[0]
    assert np.all(trajectory["handed_back"] == 0.0)


@settings(deadline=None, max_examples=20)
@given(
    st.floats(0.0, 12.0), st.floats(0.0, 2e-4), st.floats(1.0, 300.0), st.floats(-0.3, 0.3), st.floats(0.0, 300.0),
    st.sampled_from([SLIDING, COULOMB]),
)  # fmt: skip
def test_no_load_on_a_heaving_running_floor_gets_energy_out_of_the_contact(
    load: float, heave: float, w: float, belt: float, k: float, friction: Friction
) -> None:
    driven = run(floor(friction, f=load, a=heave, w=w, belt=belt, k=k), 0.2, (0.0, REST))
    heat = driven["contact_heat"] + driven["friction_heat"]
    scale = 1e-3 + np.abs(driven.energy).max()
    assert np.diff(heat).min() > -1e-5 * scale
    assert np.abs(driven.ledger_error).max() < 1e-4 * scale


def test_ledger_closes_the_better_the_smaller_the_step() -> None:
    errors = [
        np.abs(run(floor(COULOMB, Anchor(5e-5, 1e-4), k=200.0), 0.4, (0.02, REST + 1e-4), step=h).ledger_error).max()
        for h in (1e-4, 5e-5, 2.5e-5)
    ]
    assert errors[0] < 1e-5
    assert errors[2] < 0.5 * errors[0]


def test_energy_in_stick_is_the_potential_of_the_anchor() -> None:
    held = run(floor(COULOMB, f=0.5 * 0.4 * WEIGHT), 1.0)
    psi = float(anchor_potential(anchored(COULOMB), held["x"][-1]))
    assert held["stored"][-1] == pytest.approx(float(GROUND.potential(held["y"][-1] - psi)), rel=1e-12)
    assert held["y"][-1] - psi == pytest.approx(REST, abs=1e-12)
    assert psi > 1e-8


# --- numerics ----------------------------------------------------------------------------------------------------


def test_smaller_steps_come_to_the_same_place() -> None:
    def end(step: float) -> float:
        return float(run(floor(k=400.0), 0.5, (0.05, REST), step=step)["x"][-1])

    ends = [end(step) for step in (2e-4, 1e-4, 5e-5, 2.5e-5)]
    differences = np.abs(np.diff(ends))
    assert differences[0] < 2e-4
    assert differences[2] < 2e-5


def test_adaptive_integrator_that_resolves_the_anchor_agrees() -> None:
    soft = floor(COULOMB, Anchor(1e-3, 1e-3), f=1.5)
    fine = run(soft, 0.2, u=(0.3, 0.0), step=1e-4)
    adaptive = run_adaptive(soft, soft.state((0.0, REST), (0.3, 0.0)), 0.2, len(fine), rtol=1e-9, atol=1e-11)
    assert fine["x"].max() > 5e-3
    assert np.abs(fine["x"] - adaptive["x"]).max() < 5e-7
    assert np.abs(fine["memory_floor"] - adaptive["memory_floor"]).max() < 1e-6
    assert fine["friction_heat"][-1] == pytest.approx(adaptive["friction_heat"][-1], rel=5e-4)


def test_step_beyond_the_anchor_still_slides_right() -> None:
    slide = run(floor(COULOMB), 0.2, u=(3.0, 0.0), step=5e-4)
    assert 100.0 * Anchor().presliding < 3.0 * 5e-4
    assert slide["x_dot"][-1] == pytest.approx(3.0 - 0.4 * WEIGHT * 0.2, rel=1e-4)


# --- opening -----------------------------------------------------------------------------------------------------


def test_contact_that_opens_lets_its_anchor_go() -> None:
    jump = run(floor(f=0.5 * STICTION), 0.4, (0.0, REST), (0.0, 0.0))
    thrown = run(floor(), 0.05, (0.0, REST), (0.02, 1.0))
    assert jump["memory_floor"][-1] > 1e-6
    assert thrown["memory_floor"][1] > 0.0
    air = thrown["F_floor"] < 1e-9
    assert air.any()
    assert np.all(thrown["memory_floor"][air][5:] == 0.0)


def test_bouncing_mass_gains_nothing_from_released_anchors() -> None:
    bounce = run(floor(), 0.6, (0.0, REST + 0.01), (1.0, 0.0))
    opened = np.diff((bounce["memory_floor"] != 0.0).astype(int))
    assert (opened < 0).sum() >= 1
    assert bounce.max_energy_gain < 1e-9


# --- rolling and spinning ----------------------------------------------------------------------------------------

RADIUS, ARM = 0.1, 2e-3
INERTIA = 0.4 * RADIUS**2


@cache
def ball() -> Model:
    """A ball of radius r over the ground that rolls along x and spins about the normal; moments act on both spins."""
    q = _, s, _, _ = coordinates("x s roll yaw")
    p = m, g, r, to_roll, to_spin = real("m g r to_roll to_spin")
    vx, vs, spin, yaw = velocities(q)
    point = ContactPoint("ground", s, (vx - r * spin,), (spin,), (yaw,))
    kinetic = m * (vx**2 + vs**2) / 2 + m * r**2 * (spin**2 + yaw**2) / 5
    return Model("test_anchored_ball", q, kinetic, m * g * s, p, {q[2]: to_roll, q[3]: to_spin}, (point,))


def rolled(time: float, u: tuple[float, ...] = (0.0,) * 4, **moments: float) -> Trajectory:
    numbers = {"m": 1.0, "g": WEIGHT, "r": RADIUS, "to_roll": 0.0, "to_spin": 0.0} | moments
    rolling, spinning = (SpinFriction(arm, Anchor(1e-4, 1e-3)) for arm in (ARM, 2.0 * ARM))
    material = Material(GROUND, COULOMB, Anchor(), rolling, spinning)
    system = System(ball(), numbers, {"ground": material})
    return run_rk4(system, system.state([0.0, REST, 0.0, 0.0], u), 1e-4, time)


def test_rolling_ball_is_braked_by_the_arm_of_the_normal_force() -> None:
    run = rolled(1.0, (1.0, 0.0, 1.0 / RADIUS, 0.0))
    braking = WEIGHT * ARM / (INERTIA + RADIUS**2)
    assert run["roll_dot"][-1] == pytest.approx(1.0 / RADIUS - braking, rel=1e-4)
    assert run["x_dot"][-1] == pytest.approx(RADIUS * run["roll_dot"][-1], rel=1e-5)
    assert run["Ft_ground_rolling"][-1] == pytest.approx(WEIGHT * ARM, rel=1e-6)
    assert run.max_energy_gain < 1e-9


def test_spinning_ball_is_braked_to_a_stop_and_stays() -> None:
    run = rolled(0.5, (0.0, 0.0, 0.0, 3.0))
    braking = WEIGHT * 2.0 * ARM / INERTIA
    at = int(np.argmin(np.abs(run["t"] - 0.1)))
    assert run["yaw_dot"][at] == pytest.approx(3.0 - braking * run["t"][at], rel=1e-4)
    assert abs(run["yaw_dot"][-1]) < 1e-9
    assert run["yaw"][-1] == pytest.approx(3.0**2 / (2.0 * braking), rel=1e-3)


@pytest.mark.parametrize(("moment", "coordinate", "arm"), [("to_roll", "roll", ARM), ("to_spin", "yaw", 2.0 * ARM)])
def test_moment_below_the_limit_is_held_and_one_above_turns(moment: str, coordinate: str, arm: float) -> None:
    held, turning = (rolled(0.5, **{moment: share * WEIGHT * arm}) for share in (0.8, 1.3))
    assert np.abs(held[f"{coordinate}_dot"][-100:]).max() < 1e-4
    assert 0.0 < held[coordinate][-1] < 1e-4
    assert turning[coordinate][-1] > 1e-2


# --- refusals ----------------------------------------------------------------------------------------------------


def test_anchor_cannot_be_filtered_per_coordinate() -> None:
    filters = {"x": LPVFilter(1e-3, 1e-3), "y": LPVFilter(1e-3, 1e-3)}
    with pytest.raises(ModelError, match="an anchor is at the point: it cannot be combined"):
        System(moving_floor(), STILL, {"floor": Material(GROUND, SLIDING, Anchor())}, coordinate_memory=filters)


@pytest.mark.parametrize("kind", ["rolling", "spinning"])
def test_rolling_and_spinning_need_a_relative_spin(kind: str) -> None:
    with pytest.raises(ModelError, match=f"contact point 'floor' has {kind} friction but no relative angular velocity"):
        System(moving_floor(), STILL, {"floor": Material(GROUND, **{kind: SpinFriction(ARM)})})


def test_anchor_needs_a_dissipation_law_at_its_friction_point() -> None:
    with pytest.raises(ParameterError, match="the memory of friction point 'plane' needs a Dissipation law to filter"):
        System(towed_mass(), {"m": 1.0, "k": 0.0, "pull": 0.0, "angle": 0.0}, memories={"plane": Anchor()})
