"""The mechanisms with closed loops against the numbers of our digest and closed forms."""

from __future__ import annotations

import math

import numpy as np
import pytest

from chrono_powercontact.lagrange.loops.loops import LoopSystem, Projection
from chrono_powercontact.lagrange.loops.mechanisms import (
    DOUBLE_ROCKER,
    FOUR_BAR,
    LEG,
    PENDULUM,
    SLIDER_CRANK,
    cartesian_pendulum,
    four_bar,
    leg_on_slide,
    slider_crank,
)
from chrono_powercontact.lagrange.system import System

SHORT = PENDULUM | {"m": 0.7, "l": 0.8}
CLOSE = {"rel": 2e-9, "abs": 1e-10}


def of(loop, numbers) -> LoopSystem:
    return LoopSystem(loop, System(loop.tree, numbers))


def crank_rocker(independent=None) -> tuple[np.ndarray, Projection]:
    system = of(four_bar(), FOUR_BAR | {"tau": 0.4})
    x = system.state([0.7, 0.0, 1.4], [5.0], ["theta1"])
    return x, system.project(x, independent)


def test_four_bar_position_velocity_and_acceleration() -> None:
    x, found = crank_rocker()
    assert x[:3] == pytest.approx([0.7, -0.0428694537, 1.4343384096], **CLOSE)
    assert x[3:6] == pytest.approx([5.0, -6.5925284936, 0.1222211052], **CLOSE)
    assert found.acceleration == pytest.approx([-52.914394847, 81.1485371777, 17.2773371528], **CLOSE)


def test_four_bar_minimal_equations() -> None:
    _, found = crank_rocker(["theta1"])
    assert found.tangent[:, 0] == pytest.approx([1.0, -1.3185056987, 0.0244442210], **CLOSE)
    assert found.zeta == pytest.approx([0.0, 11.3806060278, 18.5707883169], **CLOSE)
    assert found.mass_i[0, 0] == pytest.approx(0.0055245529, rel=2e-8)
    assert found.inertial_i[0] == pytest.approx(0.0839250116, rel=2e-9)
    assert found.applied_i[0] == pytest.approx(-0.2084033615, rel=2e-9)


def test_four_bar_reaction_on_the_coupler() -> None:
    assert crank_rocker()[1].reaction == pytest.approx([2.996576764, 7.8832372623], **CLOSE)


def free_bodies(q, u, a, n) -> dict[str, np.ndarray]:
    """Pin forces of the four-bar from Newton's and Euler's equations of its three bars: nine equations, eight forces.

    Forces on crank (O), coupler (B and C) and rocker (D); the torque of the crank is the ninth unknown.
    """
    angle = np.array([q[0], q[0] + q[1], q[2]])
    spin, rise = np.array([u[0], u[0] + u[1], u[2]]), np.array([a[0], a[0] + a[1], a[2]])
    ahead = np.stack([np.cos(angle), np.sin(angle)], axis=1)
    half = 0.5 * np.array([n["l1"], n["l2"], n["l3"]])[:, None] * ahead
    aside = np.stack([-half[:, 1], half[:, 0]], axis=1)
    own = rise[:, None] * aside - (spin**2)[:, None] * half
    centre = np.array([own[0], 2 * own[0] + own[1], own[2]])
    matrix, right = np.zeros((9, 9)), np.zeros(9)
    forces = [  # pin's columns, then body, arm from its centre, sign
        (0, 0, -half[0], 1.0), (2, 1, -half[1], 1.0), (2, 0, half[0], -1.0),
        (4, 1, half[1], 1.0), (4, 2, half[2], -1.0), (6, 2, -half[2], 1.0),
    ]  # fmt: skip
    for column, body, arm, sign in forces:
        matrix[3 * body, column] += sign
        matrix[3 * body + 1, column + 1] += sign
        matrix[3 * body + 2, column : column + 2] += sign * np.array([-arm[1], arm[0]])
    matrix[2, 8] = 1.0
    for body, (m, length) in enumerate(zip((n["m1"], n["m2"], n["m3"]), (n["l1"], n["l2"], n["l3"]), strict=True)):
        right[3 * body : 3 * body + 2] = m * (centre[body] + [0.0, n["g"]])
        right[3 * body + 2] = m * length**2 / 12 * rise[body]
    solution = np.linalg.solve(matrix, right)
    return {"O": solution[:2], "B": solution[2:4], "C": solution[4:6], "D": solution[6:8], "tau": solution[8]}


def test_four_bar_agrees_with_newton_and_euler_for_each_bar() -> None:
    x, found = crank_rocker()
    pins = free_bodies(x[:3], x[3:6], found.acceleration, FOUR_BAR)
    assert pins["tau"] == pytest.approx(0.4, rel=1e-10)
    assert pins["C"] == pytest.approx(found.reaction, rel=1e-10)
    assert pins["O"] == pytest.approx([-4.1530195258, 3.6077684859], **CLOSE)
    assert pins["B"] == pytest.approx([-4.5272028855, 0.1171835777], **CLOSE)
    assert pins["D"] == pytest.approx([1.0707162535, 16.9749832968], **CLOSE)


def test_four_bar_criterion_and_dead_points_of_the_rocker() -> None:
    system, x = of(four_bar(), FOUR_BAR), crank_rocker()[0]
    assert system.projections(x[:3]) ** 2 == pytest.approx([0.8022041305, 0.5852474383, 0.0020279467], **CLOSE)
    for crank in (0.6676677019, 4.1898208809):  # crank and coupler in one line
        place = system.close([crank, 0.0 if crank < 3 else -np.pi, 1.4], ["theta1"])
        assert system.projections(place)[2] < 1e-8


def test_explicit_closure_of_the_four_bar_follows_both_branches_and_whole_turns() -> None:
    """The second solution by Freudenstein's equation: A cos + B sin + C = 0 of the rocker's angle."""
    system, n = of(four_bar(), FOUR_BAR), FOUR_BAR
    assert list(system.masks) == [1]
    for guess, sign in (([0.7, 0.0, 1.4], -1.0), ([0.7, -2.0, -0.9], 1.0), ([0.7 + 4 * np.pi, 0.0, 1.4], -1.0)):
        place = system.close(guess, ["theta1"])
        a = 2 * n["l3"] * (n["l4"] - n["l1"] * math.cos(0.7))
        b = -2 * n["l3"] * n["l1"] * math.sin(0.7)
        c = (n["l4"] - n["l1"] * math.cos(0.7)) ** 2 + (n["l1"] * math.sin(0.7)) ** 2 + n["l3"] ** 2 - n["l2"] ** 2
        rocker = 2 * math.atan2(-b + sign * math.sqrt(a * a + b * b - c * c), c - a)
        assert math.remainder(place[2] - rocker, 2 * math.pi) == pytest.approx(0.0, abs=1e-12)
        assert place[0] == guess[0]
        assert np.abs(place - guess).max() < 1.5


def test_slider_crank_numbers() -> None:
    system = of(slider_crank(), SLIDER_CRANK | {"tau": 0.4, "F": -12.0})
    x = system.state([0.7, -0.8, 0.3], [5.0], ["theta1"])
    found = system.project(x, ["theta1"])
    assert x[:3] == pytest.approx([0.7, -0.8486190656, 0.3731771685], **CLOSE)
    assert x[3:6] == pytest.approx([5.0, -6.2889456723, -0.3793660902], **CLOSE)
    assert found.acceleration == pytest.approx([36.3275519007, -40.5128272445, -4.9312279621], **CLOSE)
    parts = [found.mass_i[0, 0], found.inertial_i[0], found.applied_i[0]]
    assert parts == pytest.approx([0.0132660868, 0.2283060125, 0.7102304678], rel=5e-9)
    assert found.reaction == pytest.approx([-8.5481404266, 6.5020343245], **CLOSE)
    assert 0.7 * found.acceleration[2] == pytest.approx(-12.0 - found.reaction[0], rel=1e-10)  # Newton for the slider


def test_slider_stands_still_at_its_dead_point() -> None:
    system = of(slider_crank(), SLIDER_CRANK)
    top = math.asin(0.02 / 0.4)
    assert system.projections(system.close([top, 0.0, 0.4], ["theta1"]))[2] < 1e-8


def test_leg_with_two_degrees_of_freedom() -> None:
    system = of(leg_on_slide(), LEG | {"tau": 15.0, "F": -20.0})
    x = system.state([0.35, 0.6, 0.8, 0.1], [1.2, -0.4], ["theta", "s"])
    found = system.project(x, ["theta", "s"])
    assert x[:4] == pytest.approx([0.35, 0.6710456864, 0.8694033394, 0.1], **CLOSE)
    assert x[4:8] == pytest.approx([1.2, 2.5918994083, -3.9454005317, -0.4], **CLOSE)
    assert found.zeta == pytest.approx([0.0, -6.7679746190, -17.9511834554, 0.0], **CLOSE)
    assert found.mass_i.ravel() == pytest.approx([0.8674350480, 0.2766389697, 0.2766389697, 3.7190573376], **CLOSE)
    assert found.inertial_i == pytest.approx([1.5834696025, 2.9872863723], **CLOSE)
    assert found.applied_i == pytest.approx([3.0824862440, -14.7877323716], **CLOSE)
    assert found.acceleration[[0, 3]] == pytest.approx([3.3313710742, -5.0272432254], **CLOSE)
    assert found.reaction == pytest.approx([-6.1748737833, -0.6201409067], **CLOSE)


def test_leg_drives_for_a_wished_motion() -> None:
    system = of(leg_on_slide(), LEG)
    x = system.state([0.35, 0.6, 0.8, 0.1], [1.2, -0.4], ["theta", "s"])
    drives = system.project(x, ["theta", "s"]).drives([3.0, 1.5])
    assert drives == pytest.approx([16.5182469571, 4.1835216594], **CLOSE)
    driven = of(leg_on_slide(), LEG | {"tau": drives[0], "F": drives[1]}).project(x)
    assert driven.acceleration[[0, 3]] == pytest.approx([3.0, 1.5], rel=1e-10)
    assert driven.reaction == pytest.approx([-2.1327590656, -5.3202738856], **CLOSE)


def test_leg_criterion_ranks_pairs() -> None:
    system = of(leg_on_slide(), LEG)
    place = system.close([0.35, 0.6, 0.8, 0.1], ["theta", "s"])
    assert system.projections(place) ** 2 == pytest.approx([0.8854, 0.3647, 0.0644, 0.8224], abs=5e-5)
    assert system.best(place) == ("theta", "s")
    assert system.volume(place, ["theta", "s"]) == pytest.approx(0.843, abs=5e-4)
    assert system.volume(place, ["kappa", "epsilon"]) == pytest.approx(0.0023, abs=5e-5)


@pytest.mark.parametrize("phi", [0.3, 1.1, 2.5, -2.0])
def test_cartesian_pendulum_in_closed_form(phi: float) -> None:
    """I_c = -y1/y2, M_I = m l^2/y2^2, k_I = m l^2 y1 y1'^2/y2^4, q_I = m g y1/y2; tension m g cos + m l phi'^2."""
    m, length, g = SHORT["m"], SHORT["l"], SHORT["g"]
    system, w = of(cartesian_pendulum(), SHORT), 2.5
    y1, y2 = length * math.sin(phi), -length * math.cos(phi)
    x = system.state([y1, y2], [length * w * math.cos(phi)], ["y1"])
    found = system.project(x, ["y1"])
    assert x[3] == pytest.approx(length * w * math.sin(phi), rel=1e-10)
    assert found.tangent[1, 0] == pytest.approx(-y1 / y2, rel=1e-10)
    assert found.mass_i[0, 0] == pytest.approx(m * length**2 / y2**2, rel=1e-10)
    assert found.inertial_i[0] == pytest.approx(m * length**2 * y1 * x[2] ** 2 / y2**4, rel=1e-10)
    assert found.applied_i[0] == pytest.approx(m * g * y1 / y2, rel=1e-10)
    assert found.reaction[0] == pytest.approx(-(m * g * math.cos(phi) + m * length * w**2), rel=1e-10)
    assert system.projections(x[:2]) == pytest.approx([abs(math.cos(phi)), abs(math.sin(phi))], rel=1e-10)


def test_pendulum_on_a_moving_pivot() -> None:
    """l phi'' = -g sin(phi) - x_P'' cos(phi), seen in Cartesian coordinates with a closure that moves with time."""
    a, w, length, g, t, phi, spin = 0.1, 3.0, 0.8, 9.81, 0.4, 0.6, 1.7
    system = of(cartesian_pendulum(), SHORT | {"a": a, "w": w})
    pivot = [a * math.sin(w * t), a * w * math.cos(w * t), -a * w * w * math.sin(w * t)]
    ahead, aside = np.array([math.sin(phi), -math.cos(phi)]), np.array([math.cos(phi), math.sin(phi)])
    place = length * ahead + [pivot[0], 0.0]
    speed = length * spin * aside + [pivot[1], 0.0]
    rise = -(g * math.sin(phi) + pivot[2] * math.cos(phi)) / length
    wanted = length * (rise * aside - spin**2 * ahead) + [pivot[2], 0.0]
    for name, index in (("y1", 0), ("y2", 1)):
        x = system.state(place, [speed[index]], [name], t=t)
        assert x[2:4] == pytest.approx(speed, rel=1e-10)
        assert system.project(x, [name], t).acceleration == pytest.approx(wanted, rel=1e-9)


def test_double_rocker_closes_where_the_digest_says() -> None:
    system = of(four_bar(), DOUBLE_ROCKER)
    place = system.close([-1.2, 1.7, -2.3], ["theta1"])
    assert place == pytest.approx([-1.2, 1.6646853, -2.27838153], abs=5e-8)
