"""Rotations: matrices, spins and kinematics, free bodies against Euler's equations, and both kinds of cube."""

from __future__ import annotations

import numpy as np
import pytest
import sympy as sp
from lagrange_models import kernel_outputs, real, top
from scipy.integrate import solve_ivp
from scipy.spatial.transform import Rotation as Turn

from chrono_powercontact.lagrange.model import coordinates, rate, velocities
from chrono_powercontact.lagrange.rigid import Rotation, angle_rotation, point_velocity, quaternion_rotation
from chrono_powercontact.lagrange.runs import run_rk4
from chrono_powercontact.lagrange.system import System
from chrono_powercontact.laws.material import Material
from chrono_powercontact.laws.normal.restriction import Restriction
from chrono_powercontact.scenarios.bodies.cube_model import CORNERS, cube_model
from chrono_powercontact.trajectory import Trajectory

CUBE = {"m": 0.1, "k": 0.1, "g": 9.81}
GROUND = Restriction(0.002, 0.001, 400.0, 0.3)  # Table 3.4


def values(rotation: Rotation, q: np.ndarray, qd: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Matrix, its time derivative, and the spin, as numbers."""
    turning = rotation.matrix.applyfunc(lambda e: rate(e, rotation.q))
    at = dict(zip((*rotation.q, *velocities(rotation.q)), (*q.tolist(), *qd.tolist()), strict=True))
    matrix, matrix_rate, spin = (
        np.array(m.subs(at).tolist(), float) for m in (rotation.matrix, turning, rotation.spin)
    )
    return matrix, matrix_rate, spin[:, 0]


def vee(skew: np.ndarray) -> np.ndarray:
    return np.array([skew[2, 1], skew[0, 2], skew[1, 0]])


# --- matrices and spins ----------------------------------------------------------------------------------------


def test_angle_matrix_is_a_rotation() -> None:
    matrix = angle_rotation().matrix
    assert sp.simplify(matrix * matrix.T) == sp.eye(3)
    assert sp.simplify(matrix.det()) == 1


def test_quaternion_matrix_is_a_rotation_for_unit_quaternions() -> None:
    """Orthogonal up to terms with the factor |e|^2 - 1."""
    rotation = quaternion_rotation()
    e0, e1, e2, e3 = rotation.q
    unit = {e0: sp.sqrt(1 - e1**2 - e2**2 - e3**2)}
    product = (rotation.matrix * rotation.matrix.T).subs(unit).applyfunc(sp.expand)
    assert product == sp.eye(3)
    assert sp.expand(rotation.matrix.det().subs(unit)) == 1


def test_angle_matrix_is_the_product_of_the_thesis() -> None:
    """(3.42) maps inertial to body components; the package keeps its transpose."""
    for a, b, c in np.random.default_rng(0).uniform(-1.5, 1.5, (10, 3)):
        matrix, _, _ = values(angle_rotation(), np.array([a, b, c]), np.zeros(3))
        assert matrix == pytest.approx(Turn.from_euler("ZYX", [c, b, a]).as_matrix(), abs=1e-14)
        z = np.array([[np.cos(c), np.sin(c), 0], [-np.sin(c), np.cos(c), 0], [0, 0, 1]])
        y = np.array([[np.cos(b), 0, -np.sin(b)], [0, 1, 0], [np.sin(b), 0, np.cos(b)]])
        x = np.array([[1, 0, 0], [0, np.cos(a), np.sin(a)], [0, -np.sin(a), np.cos(a)]])
        assert pytest.approx(x @ y @ z, abs=1e-14) == matrix.T


def test_quaternion_matrix_is_that_of_scipy() -> None:
    for turn in Turn.random(10, rng=np.random.default_rng(1)):
        x, y, z, w = turn.as_quat()
        matrix, _, _ = values(quaternion_rotation(), np.array([w, x, y, z]), np.zeros(4))
        assert matrix == pytest.approx(turn.as_matrix(), abs=1e-14)


def test_spin_of_the_angles_is_space_fixed_and_not_the_printed_one() -> None:
    """S(w) = R' R^T. (3.49) prints a minus before the last term of the spin about y (E2)."""
    rng = np.random.default_rng(2)
    for _ in range(10):
        q, qd = rng.uniform(-1.5, 1.5, 3), rng.normal(size=3)
        matrix, turning, spin = values(angle_rotation(), q, qd)
        assert spin == pytest.approx(vee(turning @ matrix.T), abs=1e-12)
        printed = qd[0] * np.cos(q[1]) * np.sin(q[2]) - qd[1] * np.cos(q[2])
        assert abs(spin[1] - printed) == pytest.approx(abs(2.0 * qd[1] * np.cos(q[2])))


def test_spin_of_the_quaternion_is_body_fixed() -> None:
    """S(w) = R^T R' for a unit quaternion that stays one, and the kinematics invert it."""
    rotation, rng = quaternion_rotation(), np.random.default_rng(3)
    for turn in Turn.random(10, rng=rng):
        q, w = np.roll(turn.as_quat(), 1), rng.normal(size=3)
        flow = np.array(rotation.kinematics.subs(dict(zip(rotation.q, q.tolist(), strict=True))).tolist(), float)
        qd = flow @ w
        assert q @ qd == pytest.approx(0.0, abs=1e-14)
        matrix, turning, spin = values(rotation, q, qd)
        assert spin == pytest.approx(w, abs=1e-12)
        assert vee(matrix.T @ turning) == pytest.approx(w, abs=1e-12)


def test_velocity_of_a_point_is_that_of_the_centre_plus_spin_cross_lever() -> None:
    rotation, place, arm = angle_rotation(), coordinates("x y z"), real("r_x r_y r_z")
    q = (*place, *rotation.q)
    lever = rotation.matrix * sp.Matrix(arm)
    found = point_velocity(sp.Matrix(place) + lever, q)
    expected = sp.Matrix(velocities(place)) + rotation.spin.cross(lever)
    assert all(sp.simplify(f - e) == 0 for f, e in zip(found, expected, strict=True))


# --- a free body -----------------------------------------------------------------------------------------------

INERTIA = np.array([1.0, 2.0, 3.5])


def spun(inertia: np.ndarray, spin: list[float], step: float, time: float, every: int = 1) -> Trajectory:
    system = System(top(), dict(zip(("I1", "I2", "I3"), inertia.tolist(), strict=True)))
    return run_rk4(system, system.state([1.0, 0.0, 0.0, 0.0], spin), step, time, every)


def quaternions(run: Trajectory) -> np.ndarray:
    return np.column_stack([run[f"e{i}"] for i in range(4)])


def spins(run: Trajectory) -> np.ndarray:
    return np.column_stack([run[f"w_{axis}"] for axis in "xyz"])


def test_the_top_has_eulers_equations() -> None:
    system = System(top(), {"I1": 1.0, "I2": 2.0, "I3": 3.5})
    rng = np.random.default_rng(4)
    for turn in Turn.random(5, rng=rng):
        w = rng.normal(size=3)
        found = kernel_outputs(system, np.roll(turn.as_quat(), 1), w)
        assert np.diag(INERTIA) == pytest.approx(found.M, abs=1e-13)
        assert np.cross(w, INERTIA * w) == pytest.approx(found.h, abs=1e-13)


def test_a_torque_free_top_keeps_energy_and_angular_momentum() -> None:
    """Spun about its middle axis with a slight tilt it turns over, again and again; in space its momentum stands."""
    run = spun(INERTIA, [0.01, 5.0, 0.02], 1e-3, 20.0, 20)
    w = spins(run)
    assert w[:, 1].min() < -4.5
    energy = 0.5 * (INERTIA * w**2).sum(axis=1)
    assert run["kinetic"] == pytest.approx(energy, rel=1e-8)
    assert np.abs(energy / energy[0] - 1.0).max() < 1e-8
    momentum = Turn.from_quat(np.roll(quaternions(run), -1, axis=1)).apply(INERTIA * w)
    assert np.abs(momentum - momentum[0]).max() < 1e-7 * np.linalg.norm(momentum[0])


def test_a_torque_free_top_follows_eulers_equations() -> None:
    run = spun(INERTIA, [1.0, 2.0, 0.5], 1e-3, 10.0, 100)

    def euler(_: float, w: np.ndarray) -> np.ndarray:
        return -np.cross(w, INERTIA * w) / INERTIA

    exact = solve_ivp(euler, (0.0, 10.0), [1.0, 2.0, 0.5], t_eval=run["t"], rtol=1e-11, atol=1e-12).y.T
    assert np.abs(spins(run) - exact).max() < 1e-8


def test_a_symmetric_top_precesses_in_closed_form() -> None:
    run = spun(np.array([2.0, 2.0, 3.0]), [0.4, 0.0, 6.0], 1e-3, 5.0, 10)
    turn = (3.0 - 2.0) / 2.0 * 6.0 * run["t"]
    assert spins(run) == pytest.approx(
        np.column_stack([0.4 * np.cos(turn), 0.4 * np.sin(turn), 6.0 + 0.0 * turn]), abs=1e-9
    )


def test_quaternion_stays_of_unit_length_over_a_long_run() -> None:
    """200 s at about one turn per second; nothing renormalises it."""
    run = spun(INERTIA, [1.0, 5.0, 2.0], 1e-3, 200.0, 1000)
    assert np.abs(np.linalg.norm(quaternions(run), axis=1) - 1.0).max() < 1e-9


def test_the_error_of_the_length_falls_with_the_step() -> None:
    drift = [
        abs(np.linalg.norm(quaternions(spun(INERTIA, [1.0, 5.0, 2.0], step, 20.0))[-1]) - 1.0) for step in (0.02, 0.01)
    ]
    assert 16.0 < drift[0] / drift[1] < 64.0  # of fifth order


# --- the cube --------------------------------------------------------------------------------------------------


def cube(kind: str, material: Material | None = None) -> System:
    model = cube_model(kind)
    return System(model, CUBE, {c.name: material for c in model.contacts} if material else {})


def cube_run(kind: str, step: float, time: float, every: int = 1) -> Trajectory:
    """From a tilted start with a spin about all axes, given to both kinds of coordinates."""
    angles, rates = np.array([0.3, -0.2, 0.5]), np.array([10.0, 1.0, -3.0])
    place, speed, system = [0.0, 0.0, 0.3], [2.0, 1.0, 0.0], cube(kind, Material(GROUND))
    if kind == "angles":
        return run_rk4(system, system.state([*place, *angles], [*speed, *rates]), step, time, every)
    matrix, turning, _ = values(angle_rotation(), angles, rates)
    quaternion = np.roll(Turn.from_matrix(matrix).as_quat(), 1)
    start = system.state([*place, *quaternion], [*speed, *vee(matrix.T @ turning)])
    return run_rk4(system, start, step, time, every)


def heights(run: Trajectory) -> np.ndarray:
    return np.column_stack([run[f"s_{i}"] for i in range(1, 9)])


def test_corner_heights_of_a_tilted_cube() -> None:
    expected = [-0.051363, -0.022400, -0.042267, -0.071230, 0.042267, 0.071230, 0.051363, 0.022400]
    by_angles = kernel_outputs(cube("angles"), [0, 0, 1.0, 0.3, -0.2, 0.5], np.zeros(6)).s - 1.0
    assert by_angles == pytest.approx(expected, abs=1e-6)
    x, y, z, w = Turn.from_euler("ZYX", [0.5, -0.2, 0.3]).as_quat()
    by_quaternion = kernel_outputs(cube("quaternion"), [0, 0, 1.0, w, x, y, z], np.zeros(6)).s - 1.0
    assert by_quaternion == pytest.approx(by_angles, abs=1e-14)
    assert by_angles == pytest.approx((0.05 * CORNERS @ Turn.from_quat([x, y, z, w]).as_matrix().T)[:, 2], abs=1e-14)


def test_both_cubes_fly_alike() -> None:
    angles, quaternion = (cube_run(kind, 1e-4, 0.2, 10) for kind in ("angles", "quaternion"))
    assert heights(angles).min() > 0.0
    assert np.ptp(heights(angles)[:, 0]) > 0.05
    assert heights(quaternion) == pytest.approx(heights(angles), abs=1e-8)
    assert quaternion["kinetic"] == pytest.approx(angles["kinetic"], rel=1e-9)
    assert quaternion["z"] == pytest.approx(0.3 - 0.5 * 9.81 * quaternion["t"] ** 2, abs=1e-7)


def test_both_cubes_bounce_alike() -> None:
    """Through the first contact; later the motion is chaotic."""
    angles, quaternion = (cube_run(kind, 1e-6, 0.245, 500) for kind in ("angles", "quaternion"))
    assert heights(angles).min() < 0.002
    assert angles["contact_heat"][-1] > 1e-3
    assert heights(quaternion) == pytest.approx(heights(angles), abs=1e-7)
    assert quaternion["contact_heat"] == pytest.approx(angles["contact_heat"], rel=1e-4, abs=1e-9)
    for run, names in ((angles, ("x_dot", "y_dot")), (quaternion, ("v_x", "v_y"))):
        assert np.array_equal(run[names[0]], np.full(len(run), 2.0))  # normal forces alone leave these as they were
        assert np.array_equal(run[names[1]], np.full(len(run), 1.0))
