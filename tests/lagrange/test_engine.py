"""The compiled half: small linear solver, derivative, record and the RK4 loop."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from lagrange_models import kernel_outputs, moving_floor, oscillator, rates, top, towed_mass

from chrono_powercontact.lagrange import engine
from chrono_powercontact.lagrange.runs import run_rk4
from chrono_powercontact.lagrange.system import System
from chrono_powercontact.laws.friction.dissipation import Dissipation, Friction
from chrono_powercontact.laws.friction.lugre import LuGre
from chrono_powercontact.laws.friction.memory import LPVFilter, LTIFilter
from chrono_powercontact.laws.impact import restitution
from chrono_powercontact.laws.material import Material
from chrono_powercontact.laws.normal.hertz import Hertz
from chrono_powercontact.laws.normal.hooke import Hooke
from chrono_powercontact.laws.normal.restriction import Restriction
from chrono_powercontact.numerics.cholesky import cholesky_solve
from chrono_powercontact.scenarios.bodies.pendulum_model import double_pendulum_model
from chrono_powercontact.scenarios.impact.point_mass import point_mass

# --- linear solver ---------------------------------------------------------------------------------------------


@settings(deadline=None, max_examples=100)
@given(n=st.integers(1, 7), data=st.data())
def test_cholesky_solves_symmetric_positive_definite_systems(n: int, data: st.DataObject) -> None:
    entries = st.floats(-10.0, 10.0, allow_subnormal=False)
    root, b = data.draw(arrays(float, (n, n), elements=entries)), data.draw(arrays(float, n, elements=entries))
    m = root @ root.T + np.eye(n)
    y = b.copy()
    assert cholesky_solve(m.copy(), y)
    assert y == pytest.approx(np.linalg.solve(m, b), rel=1e-8, abs=1e-8 * np.abs(b).max(initial=1e-300))


@settings(deadline=None, max_examples=100)
@given(n=st.integers(1, 6), data=st.data())
def test_cholesky_refuses_matrices_with_a_negative_direction(n: int, data: st.DataObject) -> None:
    entries = st.floats(-3.0, 3.0, allow_subnormal=False)
    root = data.draw(arrays(float, (n, n), elements=entries))
    direction = data.draw(arrays(float, n, elements=entries).filter(lambda v: v @ v > 0.1))
    m = root @ root.T
    worst = float(direction @ m @ direction + 1.0) / float(direction @ direction) ** 2
    m -= worst * np.outer(direction, direction)  # now direction^T M direction = -1
    assert not cholesky_solve(m, np.ones(n))


@pytest.mark.parametrize(
    "m",
    [[[0.0]], [[-1.0]], [[np.nan]], [[1.0, 2.0], [2.0, 1.0]], [[1.0, 1.0], [1.0, 1.0]], [[1.0, np.nan], [np.nan, 1.0]]],
)
def test_cholesky_refuses_singular_and_undefined_matrices(m: list[list[float]]) -> None:
    assert not cholesky_solve(np.array(m), np.ones(len(m)))


def test_cholesky_reads_the_lower_triangle_alone() -> None:
    m, y = np.array([[4.0, 99.0], [2.0, 3.0]]), np.array([2.0, 5.0])
    assert cholesky_solve(m, y)
    assert y == pytest.approx(np.linalg.solve([[4.0, 2.0], [2.0, 3.0]], [2.0, 5.0]))


# --- derivative ------------------------------------------------------------------------------------------------

PENDULUM = {"m1": 0.1, "m2": 0.1, "l1": 0.1, "l2": 0.1, "y0": 0.01, "g": 9.81}
GROUND = Restriction(0.01, 0.006, 400.0, 4.0)  # Table 3.3


def pendulum(friction: Friction | None = None, memory: LTIFilter | None = None, **options: object) -> System:
    materials = {"1": Material(GROUND), "2": Material(GROUND, friction, memory)}
    return System(double_pendulum_model(), PENDULUM, materials, **options)


def test_pendulum_accelerations_in_the_air() -> None:
    system = pendulum()
    found = rates(system, system.state([0.3, -0.5], [-2.0, 1.0]))
    assert found.q_dot == pytest.approx([-2.0, 1.0], abs=0.0)
    assert found.u_dot == pytest.approx([-85.558988, 66.417235], abs=1e-6)
    assert found.ledger == pytest.approx(np.zeros(4), abs=1e-4)


def test_pendulum_forces_in_a_contact_state() -> None:
    system = pendulum(Friction(0.18, 0.2, 1e-4, 1e-4))
    found = rates(system, system.state([0.02, -0.05], [-1.0, -1.0])).record
    inside = kernel_outputs(system, [0.02, -0.05], [-1.0, -1.0])
    assert [found["s_1"], found["s_2"]] == pytest.approx([0.012, 0.009], abs=1e-6)
    assert inside.s_dot == pytest.approx([-0.09998, -0.29989], abs=1e-6)
    assert [found["F_1"], found["F_2"]] == pytest.approx([0.006971, 24.25522], abs=5e-6)
    assert inside.slip == pytest.approx([-0.003999], abs=1e-6)
    assert found["Ft_2"] == pytest.approx(-0.18 * found["F_2"], rel=1e-6)  # far above the Stribeck speed, against v_t


def test_derivative_solves_the_equations_of_motion() -> None:
    """M u' + h = J^T F - S^T F_t with the recorded forces, for any memory, and the ledger's powers."""
    law, rng = Friction(0.3, 0.4, 0.02, 0.05, 2.0), np.random.default_rng(1)
    for system in (pendulum(law), pendulum(law, LPVFilter(1e-3, 0.1)), pendulum(LuGre(0.3, 0.4, 0.05, 1e3, 1.0, 2.0))):
        for _ in range(10):
            q, u = rng.uniform(-0.05, 0.02, 2), rng.normal(0.0, 2.0, 2)
            found = rates(system, system.state(q, u, rng.normal(0.0, 1e-3, 1)))
            inside = kernel_outputs(system, q, u)
            f_n = np.array([found.record["F_1"], found.record["F_2"]])
            f_t = np.array([found.record["Ft_2"]])
            assert inside.M @ found.u_dot + inside.h == pytest.approx(inside.J.T @ f_n - inside.S.T @ f_t, abs=1e-11)
            elastic = [0.5 * GROUND.r_f * float(GROUND.activation(s)) for s in inside.s]
            assert found.ledger[0] == pytest.approx(-(f_n - elastic) @ inside.s_dot, rel=1e-10, abs=1e-12)
            assert found.ledger[1] - found.ledger[2] == pytest.approx(f_t @ inside.slip, rel=1e-10, abs=1e-14)
            assert found.ledger[1] * found.ledger[2] == 0.0
            assert found.ledger[3] == pytest.approx(0.0, abs=1e-12)


def test_ledger_of_a_moving_surface_splits_heat_and_drive() -> None:
    """The wall's power is force times its own speed; only the relative motion heats."""
    friction = Friction(0.3, 0.4, 0.05, 0.1, 2.0)
    numbers = {"m": 0.2, "g": 9.81, "k": 40.0, "a": 0.004, "w": 50.0, "belt": 0.3, "f": 2.0}
    system = System(moving_floor(), numbers, {"floor": Material(Restriction(0.01, 0.005, 300.0, 3.0), friction)})
    t, q, u = 0.013, np.array([0.02, 0.009]), np.array([0.1, -0.4])
    floor, climb = 0.004 * np.sin(50.0 * t), 0.2 * np.cos(50.0 * t)
    found = rates(system, system.state(q, u), t)
    f, f_t = found.record["F_floor"], found.record["Ft_floor"]
    assert f > 1.0
    assert f_t < -1.0  # the belt runs ahead of the mass and pulls it
    spring, push = 40.0 * (floor - q[0]), 2.0 * np.cos(50.0 * t)
    assert found.ledger[1] == pytest.approx(f_t * (u[0] - 0.3))
    assert found.ledger[3] == pytest.approx(f * climb + spring * climb + push * u[0] - f_t * 0.3, rel=1e-12)


def test_record_holds_the_energies_and_the_potential_of_each_normal_law() -> None:
    laws = [Restriction(0.01, 0.008, 300.0, 3.0), Hooke(0.01, 2e4, 3.0), Hertz(0.01, 1e6, 0.4)]
    numbers = {"m": 0.2, "g": 9.81, "k": 40.0, "a": 0.0, "w": 0.0, "belt": 0.0, "f": 0.0}
    for law in laws:
        system = System(moving_floor(), numbers, {"floor": Material(law)})
        found = rates(system, system.state([0.02, 0.0085], [0.1, -0.4]), 0.0).record
        assert found["kinetic"] == pytest.approx(0.1 * (0.01 + 0.16))
        assert found["potential"] == pytest.approx(0.2 * 9.81 * 0.0085 + 20.0 * 0.02**2)
        assert found["stored"] == pytest.approx(float(law.potential(0.0085)), rel=1e-12)
        assert found["F_floor"] == pytest.approx(float(law.force(0.0085, -0.4)), rel=1e-12)


def test_points_without_a_law_exert_nothing() -> None:
    bare = System(double_pendulum_model(), PENDULUM)
    found = rates(bare, bare.state([-0.1, 0.0], [-1.0, -1.0])).record  # both masses below the ground
    assert [found[name] for name in ("F_1", "F_2", "Ft_2", "stored")] == [0.0] * 4


def test_a_mass_matrix_that_is_not_positive_definite_is_told() -> None:
    system = System(double_pendulum_model(), PENDULUM | {"m2": -0.2})
    assert not rates(system, system.state([0.3, -0.5], [0.0, 0.0])).regular
    assert rates(pendulum(), pendulum().state([0.3, -0.5], [0.0, 0.0])).regular


def test_friction_at_standstill_is_zero_without_rounding_and_without_memory() -> None:
    law = Dissipation(1.0, 1.4, 0.005, 0.01, 0.1)
    system = System(towed_mass(), {"m": 0.1, "k": 0.0, "pull": 0.0, "angle": 0.0}, frictions={"plane": law})
    assert np.array_equal(rates(system, system.state([0.0, 0.0], [0.0, 0.0])).u_dot, [0.0, 0.0])


# --- RK4 -------------------------------------------------------------------------------------------------------


def orders(errors: list[float]) -> np.ndarray:
    """Order of convergence from the errors of runs whose steps are halved each time."""
    return np.log2(np.array(errors[:-1]) / np.array(errors[1:]))


def test_rk4_is_of_order_4_on_an_oscillator() -> None:
    system = System(oscillator(), {"m": 2.0, "k": 18.0})
    errors = []
    for step in (0.1, 0.05, 0.025, 0.0125):
        run = run_rk4(system, system.state([0.7], [1.2]), step, 2.0)
        exact = 0.7 * np.cos(3.0 * run["t"]) + 0.4 * np.sin(3.0 * run["t"])
        errors.append(float(np.abs(run["x"] - exact).max()))
    assert orders(errors) == pytest.approx([4.0, 4.0, 4.0], abs=0.2)
    assert errors[-1] < 1e-6


def test_one_rk4_step_is_the_taylor_polynomial_of_a_linear_system() -> None:
    system = System(oscillator(), {"m": 1.0, "k": 4.0})
    run = run_rk4(system, system.state([0.7], [1.2]), 0.3, 0.3)
    a = 0.3 * np.array([[0.0, 1.0], [-4.0, 0.0]])
    growth = np.eye(2) + a + a @ a / 2 + a @ a @ a / 6 + a @ a @ a @ a / 24
    assert [run["x"][1], run["x_dot"][1]] == pytest.approx(growth @ [0.7, 1.2], rel=1e-14)


def test_rk4_is_of_order_4_through_an_impact() -> None:
    """The free impact leaves with the closed form's restitution; its error falls with the fourth power of the step."""
    system = point_mass(0.05, Restriction(0.01, 0.008, 200.0, 1.0))
    exact = 0.5 * float(restitution(1.0, 0.5))
    errors = []
    for step in (2e-4, 1e-4, 5e-5, 2.5e-5):
        run = run_rk4(system, system.state([0.02], [-0.5]), step, 0.1)
        assert run["s"][-1] > 0.02
        errors.append(abs(run["s_dot"][-1] - exact))
    assert orders(errors) == pytest.approx([4.0, 4.0, 4.0], abs=0.7)


def test_rk4_takes_time_at_the_stages() -> None:
    """A spring whose end runs away: evaluated at the wrong time within a step, the error would be of the order h."""
    system = System(towed_mass(), {"m": 1.0, "k": 6.0, "pull": 1.0, "angle": 0.0})
    run = run_rk4(system, system.state([0.0, 0.0], [0.0, 0.0]), 0.01, 1.0)
    w = np.sqrt(6.0)
    assert run["x"] == pytest.approx(run["t"] - np.sin(w * run["t"]) / w, abs=1e-8)
    assert run["x"][-1] > 0.5
    assert np.array_equal(run["y"], np.zeros(101))


@pytest.mark.parametrize("memory", ["none", "point", "coordinate"])
def test_records_do_not_depend_on_how_often_they_are_taken(memory: str) -> None:
    law, keep = Friction(0.18, 0.2, 1e-3, 2e-3), LPVFilter(5e-4, 1e-3)
    options = {"coordinate_memory": {"phi1": keep, "phi2": keep}} if memory == "coordinate" else {}
    system = pendulum(law, keep if memory == "point" else None, **options)
    start = system.state([0.3, -0.8], [0.0, 0.0])
    dense, sparse = (run_rk4(system, start, 1e-4, 0.2, every) for every in (1, 10))
    assert dense.data.shape[0] == 2001
    assert sparse.data.shape[0] == 201
    assert max(dense["F_2"]) > 10.0
    assert np.array_equal(dense.data[::10], sparse.data)


def test_rk4_continues_from_the_step_number_it_is_given() -> None:
    """Two blocks joined are one block: time is counted in steps, not summed."""
    numbers = {"m": 0.2, "g": 9.81, "k": 40.0, "a": 0.004, "w": 50.0, "belt": 0.3, "f": 2.0}
    system = System(moving_floor(), numbers, {"floor": Material(Restriction(0.01, 0.005, 300.0, 3.0))})
    whole, parts = np.zeros((40, len(system.columns))), np.zeros((40, len(system.columns)))
    x = system.state([0.0, 0.02], [0.0, 0.0])
    y = x.copy()
    assert engine.rk4(system.terms, 0.0, x, *system.arguments, 1e-3, 0, 3, whole) == 40
    assert engine.rk4(system.terms, 0.0, y, *system.arguments, 1e-3, 0, 3, parts[:15]) == 15
    assert engine.rk4(system.terms, 0.0, y, *system.arguments, 1e-3, 45, 3, parts[15:]) == 25
    assert np.array_equal(whole, parts)
    assert np.array_equal(whole[:, 0], 1e-3 * np.arange(0, 120, 3))


def test_rk4_stops_where_the_state_is_no_longer_finite() -> None:
    system = System(oscillator(), {"m": 1.0, "k": 1e6})
    rows = np.zeros((400, len(system.columns)))
    done = engine.rk4(system.terms, 0.0, system.state([1.0], [0.0]), *system.arguments, 0.1, 0, 1, rows)
    assert 5 < done < 400
    assert np.all(np.isfinite(rows[:done, :7]))  # time, state and ledger
    assert not np.any(rows[done:])


def test_quasi_velocities_are_integrated_with_their_own_kinematics() -> None:
    system = System(top(), {"I1": 1.0, "I2": 1.0, "I3": 1.0})
    found = rates(system, system.state([0.5, 0.5, -0.5, 0.5], [2.0, 4.0, 6.0]))
    e0, e1, e2, e3 = 0.5, 0.5, -0.5, 0.5
    product = [  # half the quaternion product e * (0, w)
        (-e1 * 2.0 - e2 * 4.0 - e3 * 6.0) / 2.0,
        (e0 * 2.0 + e2 * 6.0 - e3 * 4.0) / 2.0,
        (e0 * 4.0 + e3 * 2.0 - e1 * 6.0) / 2.0,
        (e0 * 6.0 + e1 * 4.0 - e2 * 2.0) / 2.0,
    ]
    assert found.q_dot == pytest.approx(product)
    assert found.u_dot == pytest.approx(np.zeros(3), abs=1e-14)
