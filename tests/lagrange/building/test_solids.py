"""Statics and mass geometry of the lecture notes: exercises 3.7 to 3.10, Steiner, angular momentum, moving points."""

from __future__ import annotations

import numpy as np
import pytest
import sympy as sp
from hypothesis import given
from hypothesis import strategies as st

from chrono_powercontact.errors import ModelError
from chrono_powercontact.lagrange.building.solids import Solid, composite_solid, reduce_forces, solid_box

M, A, B, C = sp.symbols("m a b c", positive=True)
SEEDS = st.integers(0, 10_000)


def vectors(seed: int, count: int) -> np.ndarray:
    return np.random.default_rng(seed).normal(size=(count, 3))


def numbers(matrix: sp.Matrix) -> np.ndarray:
    return np.array(matrix.tolist(), float).squeeze()


# --- forces (3.1)-(3.8), exercise 3.7 ---------------------------------------------------------------------------


def test_moment_of_one_force_has_the_components_of_the_notes() -> None:
    px, py, pz, fx, fy, fz = sp.symbols("px py pz fx fy fz")
    _, moment = reduce_forces([(fx, fy, fz)], [(px, py, pz)], (0, 0, 0))
    assert list(moment) == [fz * py - fy * pz, fx * pz - fz * px, fy * px - fx * py]


@given(SEEDS)
def test_a_force_system_moves_to_another_point_by_its_resultant(seed: int) -> None:
    forces, points, (here, there) = vectors(seed, 3), vectors(seed + 1, 3), vectors(seed + 2, 2)
    total, first = reduce_forces(forces, points, here)
    same, second = reduce_forces(forces, points, there)
    assert total == same
    assert numbers(total) == pytest.approx(forces.sum(axis=0))
    assert numbers(second) == pytest.approx(numbers(first) + np.cross(here - there, numbers(total)), abs=1e-12)


def test_forces_in_equilibrium_have_neither_force_nor_moment_about_any_point() -> None:
    forces, points = [(0, 0, 3), (0, 0, -1), (0, 0, -2)], [(0, 0, 0), (2, 0, 0), (-1, 0, 0)]
    assert reduce_forces(forces, points, (5, -7, 2)) == (sp.zeros(3, 1), sp.zeros(3, 1))


def test_a_force_without_its_point_is_refused() -> None:
    with pytest.raises(ModelError, match="every force needs its point, got 1 forces and 2 points"):
        reduce_forces([(1, 0, 0)], [(0, 0, 0), (1, 0, 0)], (0, 0, 0))
    with pytest.raises(ModelError, match="a vector must have 3 components, got 2"):
        reduce_forces([(1, 0)], [(0, 0, 0)], (0, 0, 0))


# --- centre of mass, exercise 3.8 -------------------------------------------------------------------------------


def test_two_boxes_have_the_composite_centre_of_the_exercise() -> None:
    low, high = sp.symbols("rho1 rho2", positive=True)
    both = composite_solid(
        [solid_box(low, (0, 0, 0), (2, 4, sp.Rational(1, 2))), solid_box(high, (1, 3, sp.Rational(1, 2)), (1, 2, 1))]
    )
    expected = sp.Matrix([4 * low + 3 * high, 8 * low + 8 * high, low + 2 * high]) / (4 * low + 2 * high)
    assert (both.centre - expected).applyfunc(sp.simplify) == sp.zeros(3, 1)
    assert (
        sp.Matrix([[sp.Rational(7, 6), sp.Rational(8, 3), sp.Rational(1, 2)]]) == both.centre.subs({low: 1, high: 1}).T
    )


def test_nothing_has_no_centre() -> None:
    with pytest.raises(ModelError, match="at least one part, got none"):
        composite_solid([])


# --- inertia, exercises 3.9, 3.10, Steiner (3.35)-(3.41) --------------------------------------------------------


def test_a_box_about_its_corner() -> None:
    corner = M / 12 * sp.Matrix([
        [4 * (B**2 + C**2), -3 * A * B, -3 * A * C],
        [-3 * A * B, 4 * (A**2 + C**2), -3 * B * C],
        [-3 * A * C, -3 * B * C, 4 * (A**2 + B**2)],
    ])  # fmt: skip
    found = solid_box(M / (A * B * C), (0, 0, 0), (A, B, C)).about((0, 0, 0))
    assert (found - corner).applyfunc(sp.simplify) == sp.zeros(3)


def test_the_crane_has_the_tensor_of_the_exercise() -> None:
    a, b, c, h, length = (sp.Rational(x) for x in ("1", "1.2", "1.5", "30", "40"))
    tower = solid_box(100, (-b / 2, -c / 2, 0), (b, c, h + a / 2))
    jib = solid_box(100, (-b / 2, c / 2, h - a / 2), (b, length - c / 2, a))
    crane = composite_solid([tower, jib])
    assert (tower.mass, jib.mass) == (5490, 4710)
    assert numbers(crane.centre) == pytest.approx([0.0, 9.40845588235, 22.0610294118], rel=1e-11)
    expected = [[2635640.280, 0, 0], [0, 978746.0092, -761873.2362], [0, -761873.2362, 1659342.271]]
    assert numbers(crane.inertia) == pytest.approx(np.array(expected), rel=1e-9)


def cloud(seed: int) -> tuple[np.ndarray, np.ndarray, Solid]:
    """Masses and places of point masses that are one rigid body."""
    places = vectors(seed, 7)
    masses = 0.5 + np.random.default_rng(seed + 1).random(7)
    parts = [Solid(m, sp.Matrix(p), sp.zeros(3)) for m, p in zip(masses, places, strict=True)]
    return masses, places, composite_solid(parts)


@given(SEEDS)
def test_steiner_is_the_sum_over_all_masses(seed: int) -> None:
    masses, places, body = cloud(seed)
    about = vectors(seed + 2, 1)[0]
    arms = places - about
    tensor = sum(m * (r @ r * np.eye(3) - np.outer(r, r)) for m, r in zip(masses, arms, strict=True))
    assert numbers(body.about(about)) == pytest.approx(tensor, abs=1e-10)


@given(SEEDS)
def test_angular_momentum_about_a_moving_point_of_the_body(seed: int) -> None:
    """(3.33): l_A = m r_S x v_A + I_A w."""
    masses, places, body = cloud(seed)
    a, v_a, w = vectors(seed + 2, 3)
    arms = places - a
    velocities = v_a + np.cross(w, arms)
    momentum = (masses[:, None] * np.cross(arms, velocities)).sum(axis=0)
    centre = numbers(body.centre) - a
    expected = masses.sum() * np.cross(centre, v_a) + numbers(body.about(a)) @ w
    assert momentum == pytest.approx(expected, abs=1e-10)


@given(SEEDS)
def test_moment_about_a_moving_point_of_the_body(seed: int) -> None:
    """(3.27): l_A' = m (w x r_S) x v_A + tau_A, with tau_A = I_A w' + w x I_A w + m r_S x a_A."""
    masses, places, body = cloud(seed)
    a, v_a, a_a, w, w_dot = vectors(seed + 2, 5)
    arms = places - a
    velocities = v_a + np.cross(w, arms)
    accelerations = a_a + np.cross(w_dot, arms) + np.cross(w, np.cross(w, arms))
    moment = (masses[:, None] * np.cross(arms, accelerations)).sum(axis=0)
    change = (masses[:, None] * (np.cross(np.cross(w, arms), velocities) + np.cross(arms, accelerations))).sum(axis=0)
    centre, inertia = numbers(body.centre) - a, numbers(body.about(a))
    assert change == pytest.approx(masses.sum() * np.cross(np.cross(w, centre), v_a) + moment, abs=1e-9)
    expected = inertia @ w_dot + np.cross(w, inertia @ w) + masses.sum() * np.cross(centre, a_a)
    assert moment == pytest.approx(expected, abs=1e-9)
