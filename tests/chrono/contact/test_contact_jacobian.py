import numpy as np
import pytest
from scene import empty_system, new_body, run

import chrono_powercontact as pc
from chrono_powercontact.chrono.api.bridge import pychrono
from chrono_powercontact.chrono.contact.contact_table import ContactTable, Instant, Pair
from chrono_powercontact.chrono.contact.records import TOTALS, empty, flat
from chrono_powercontact.chrono.contact.shapes import Box, Plane, Sphere
from chrono_powercontact.errors import ParameterError

LAW = pc.Restriction(0.002, 0.001, 400.0, 3.0)
SOFT = pc.Restriction(0.0, -1e-4, 4.0, 3.0)
STATIC = pc.Material(LAW, pc.Friction(0.3, 0.4, 0.01, 0.02, 0.0, 1e-6))


class _Body:
    IsFixed = None

    def __init__(self, number):
        self.number = number

    def GetIdentifier(self):
        return self.number


def _table(shape, partner, material=STATIC):
    return ContactTable({0: Pair.of(shape, partner, material)}, {1: 0, 2: 1})


def _forces(table, x, w):
    q = np.zeros(w.size)
    table.evaluate(Instant(x, w, 0.0, 0.0, False), q, flat(empty(TOTALS, 1)))
    return q


def _numeric_damping(table, x, w):
    numeric = np.zeros((12, 12))
    for i in range(12):
        step = np.zeros(12)
        step[i] = 1e-7
        numeric[:, i] = -(_forces(table, x, w + step) - _forces(table, x, w - step)) / 2e-7
    return numeric


CUBE_ON_PLANE = np.array([0, 0, 0.0512, 1, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0], float)


def test_damping_is_the_derivative_by_the_velocity():
    table = _table(Box(_Body(1), 0.1, 0.002), Plane(_Body(2)), pc.Material(LAW))
    w = np.array([0.1, 0.05, -0.02, 0.1, -0.2, 0.3, 0, 0, 0, 0, 0, 0])
    stiffness, damping = np.zeros((12, 12)), np.zeros((12, 12))
    table.differentiate(CUBE_ON_PLANE, w, 0.0, stiffness, damping)
    assert damping == pytest.approx(_numeric_damping(table, CUBE_ON_PLANE, w), rel=1e-4, abs=1e-3)


@pytest.mark.parametrize("speed", [0.0, 0.004, 0.05])
def test_friction_adds_its_slope_along_and_across_the_slip(speed):
    table = _table(Box(_Body(1), 0.1, 0.002), Plane(_Body(2)))
    w = np.zeros(12)
    w[0] = speed
    stiffness, damping = np.zeros((12, 12)), np.zeros((12, 12))
    table.differentiate(CUBE_ON_PLANE, w, 0.0, stiffness, damping)
    numeric = _numeric_damping(table, CUBE_ON_PLANE, w)
    assert np.diag(damping)[:2] == pytest.approx(np.diag(numeric)[:2], rel=1e-3)
    assert np.allclose(damping, damping.T)


def test_stiffness_is_the_derivative_by_the_gap():
    table = _table(Sphere(_Body(1), radius=0.1), Plane(_Body(2)), pc.Material(LAW))
    x = np.array([0, 0, 0.0995, 1, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0], float)
    w, stiffness, damping = np.zeros(12), np.zeros((12, 12)), np.zeros((12, 12))
    table.differentiate(x, w, 0.0, stiffness, damping)
    up, down = x.copy(), x.copy()
    up[2] += 1e-8
    down[2] -= 1e-8
    numeric = -(_forces(table, up, w)[2] - _forces(table, down, w)[2]) / 2e-8
    assert stiffness[2, 2] == pytest.approx(numeric, rel=1e-5)
    assert stiffness[2, 8] == pytest.approx(-numeric, rel=1e-5)
    assert np.linalg.eigvalsh(stiffness).min() > -1e-6 * numeric


def _resting_ball(integrator, jacobian, shared=None):
    system = empty_system(9.81, integrator)
    system.SetSolverType(pychrono().ChSolver.Type_SPARSE_LU)
    ground, ball = new_body(system, fixed=True), new_body(system, 0.05, (0, 0, 0.1))
    contacts = pc.attach(system, stepping="explicit", jacobian=jacobian, shared=shared)
    contacts.add(pc.Sphere(ball, radius=0.1), pc.Plane(ground), pc.Material(SOFT))
    return system, ball


@pytest.mark.chrono
@pytest.mark.parametrize("integrator", ["euler_implicit_linearized", "euler_implicit", "hht", "newmark"])
def test_a_jacobian_carries_a_step_that_is_unstable_without(integrator):
    system, ball = _resting_ball(integrator, True)
    run(system, 1.0, 4e-3)
    rest = SOFT.rest_distance(0.05 * 9.81)
    ringing = integrator in ("hht", "newmark")  # they add hardly any damping of their own
    assert ball.GetPos().z - 0.1 == pytest.approx(rest, abs=3e-4 if ringing else 1e-5)
    if integrator == "euler_implicit_linearized":
        system, ball = _resting_ball(integrator, False)
        run(system, 1.0, 4e-3)
        assert abs(ball.GetPosDt().z) > 1e-3


@pytest.mark.chrono
def test_damping_is_not_counted_twice():
    """A contact in sliding, strongly damped: with and without Jacobian the same decay at a fine step."""
    ends = []
    for jacobian in (False, True):
        system = empty_system(9.81)
        system.SetSolverType(pychrono().ChSolver.Type_SPARSE_LU)
        ground, block = (
            new_body(system, fixed=True),
            new_body(system, 1.0, (0, 0, 0.0999), (0.02, 0, 0), inertia=(9, 9, 9)),
        )
        material = pc.Material(pc.Restriction(0.0, -0.001, 40.0, 30.0), pc.Friction(0.3, 0.3, 0.05, None, 0.0, 1e-9))
        pc.attach(system, jacobian=jacobian).add(pc.Points(block, [(0, 0, 0)], 0.1), pc.Plane(ground), material)
        run(system, 0.02, 2e-5)
        ends.append(block.GetPosDt().x)
    assert ends[0] == pytest.approx(ends[1], rel=1e-2)
    assert ends[0] < 0.9 * 0.02


@pytest.mark.chrono
def test_matrices_without_a_shared_view_give_the_same():
    ends = []
    for shared in (True, False):
        system, ball = _resting_ball("euler_implicit_linearized", True, shared)
        run(system, 0.05, 1e-3)
        ends.append(ball.GetPos().z)
    assert ends[0] == pytest.approx(ends[1], abs=1e-15)


@pytest.mark.chrono
def test_a_solver_that_ignores_the_jacobian_is_refused():
    system = empty_system()
    ground, ball = new_body(system, fixed=True), new_body(system)
    with pytest.raises(ParameterError, match="SPARSE_LU"):
        pc.attach(system, jacobian=True).add(pc.Sphere(ball, radius=0.1), pc.Plane(ground), pc.Material(LAW))


@pytest.mark.chrono
def test_a_solver_that_ignores_the_jacobian_is_refused_while_it_runs():
    system, _ = _resting_ball("euler_implicit_linearized", True)
    run(system, 0.005, 1e-3)
    system.SetSolverType(pychrono().ChSolver.Type_PSOR)
    with pytest.raises(ParameterError, match="a Jacobian needs a linear solver"):
        system.DoStepDynamics(1e-3)
    system.SetSolverType(pychrono().ChSolver.Type_SPARSE_LU)
    run(system, 0.01, 1e-3)
    assert system.GetChTime() == pytest.approx(0.01)


@pytest.mark.chrono
def test_too_many_bodies_for_dense_matrices_are_refused():
    system = empty_system()
    system.SetSolverType(pychrono().ChSolver.Type_SPARSE_LU)
    ground = new_body(system, fixed=True)
    contacts = pc.attach(system, jacobian=True)
    with pytest.raises(ParameterError, match="at most 60 bodies, got 71"):
        contacts.add_all(
            (pc.Sphere(new_body(system), radius=0.1), pc.Plane(ground), pc.Material(LAW)) for _ in range(70)
        )
