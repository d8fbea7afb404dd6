"""The symbolic half of the engine against textbook equations, the thesis' Appendix A, and its own definitions."""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np
import pytest
import sympy as sp
from lagrange_models import moving_floor, oscillator, polar_mass, rates, real, top, towed_mass
from scipy.integrate import solve_ivp

from chrono_powercontact.errors import ModelError
from chrono_powercontact.lagrange.building.textbook import cart_pendulum, two_link_arm, two_masses
from chrono_powercontact.lagrange.codegen import compile_model
from chrono_powercontact.lagrange.model import (
    TIME,
    ContactPoint,
    FrictionPoint,
    Model,
    coordinates,
    is_quadratic,
    rate,
    velocities,
)
from chrono_powercontact.lagrange.rigid import angle_rotation, point_velocity
from chrono_powercontact.lagrange.runs import run_rk4
from chrono_powercontact.lagrange.system import System
from chrono_powercontact.laws.friction.dissipation import Dissipation, Friction
from chrono_powercontact.laws.friction.memory import LPVFilter
from chrono_powercontact.laws.material import Material
from chrono_powercontact.laws.normal.restriction import Restriction
from chrono_powercontact.scenarios.bodies.cube_model import cube_model
from chrono_powercontact.scenarios.bodies.pendulum_model import double_pendulum_model
from chrono_powercontact.scenarios.friction.pulled_mass import pulled_mass_model


def is_zero(expression: sp.Expr | sp.Matrix) -> bool:
    entries = expression if isinstance(expression, sp.MatrixBase) else [expression]
    return all(0 in (sp.expand(e), sp.expand(e, trig=True)) or sp.simplify(e) == 0 for e in entries)


def by_name(model: Model, values: dict[str, float]) -> dict[sp.Symbol, float]:
    """Numbers for a model's symbols, addressed by their names."""
    symbols = {s.name: s for s in (*model.q, *model.speeds, *model.parameters)}
    return {symbols[name]: value for name, value in values.items()}


def numbers(expression: sp.Matrix, values: dict[sp.Symbol, float]) -> np.ndarray:
    return np.array(expression.subs(values).evalf().tolist(), float).squeeze()


# --- building blocks -------------------------------------------------------------------------------------------


def test_rate_is_the_total_derivative() -> None:
    q = coordinates("a b")
    (a, b), (da, db) = q, velocities(q)
    assert [s.name for s in velocities(q)] == ["a_dot", "b_dot"]
    found = rate(TIME**2 * sp.sin(a) * b, q)
    assert is_zero(found - (2 * TIME * sp.sin(a) * b + TIME**2 * sp.cos(a) * b * da + TIME**2 * sp.sin(a) * db))


def test_coordinates_of_one_name_are_a_tuple() -> None:
    assert coordinates("x") == (sp.Symbol("x", real=True),)


# --- textbook systems ------------------------------------------------------------------------------------------


def test_mathematical_pendulum() -> None:
    q, (m, g, length) = coordinates("phi"), real("m g l")
    x, y = length * sp.sin(q[0]), -length * sp.cos(q[0])
    kinetic = m * (rate(x, q) ** 2 + rate(y, q) ** 2) / 2
    model = Model("pendulum", q, kinetic, m * g * y, (m, g, length))
    assert is_zero(model.mass - sp.Matrix([m * length**2]))
    assert is_zero(model.coriolis)
    assert is_zero(model.gravity - sp.Matrix([m * g * length * sp.sin(q[0])]))


def test_two_mass_oscillator_has_the_known_frequencies() -> None:
    model = two_masses()
    values = by_name(model, {"m1": 1, "m2": 2, "c1": 100, "c2": 50})
    stiffness = numbers(model.gravity.jacobian(model.q), values)
    squares = np.linalg.eigvals(np.linalg.solve(numbers(model.mass, values), stiffness))
    assert np.sqrt(np.sort(squares)) == pytest.approx([3.961434956966, 12.621688994811], rel=1e-12)
    by_hand = (350 - np.array([1, -1]) * math.sqrt(350**2 - 8 * 5000)) / 4  # (150 - w^2)(50 - 2 w^2) = 2500
    assert np.sort(squares) == pytest.approx(by_hand)


def test_two_mass_oscillator_with_rayleigh_dampers() -> None:
    system = System(
        two_masses(), {"m1": 1.0, "m2": 2.0, "c1": 100.0, "c2": 50.0, "F1": 3.0, "F2": -4.0},
        frictions={"d1": Dissipation(0.0, 0.0, 1.0, d=7.0), "d2": Dissipation(0.0, 0.0, 1.0, d=0.5)},
    )  # fmt: skip
    x1, x2, v1, v2 = 0.3, -0.2, 1.5, -0.7
    first = 3.0 - 7.0 * v1 - 0.5 * (v1 - v2) - 100.0 * x1 - 50.0 * (x1 - x2)
    second = -4.0 - 0.5 * (v2 - v1) - 50.0 * (x2 - x1)
    found = rates(system, system.state([x1, x2], [v1, v2]))
    assert found.u_dot == pytest.approx([first, second / 2.0], rel=1e-13)
    assert found.ledger[1] == pytest.approx(7.0 * v1**2 + 0.5 * (v1 - v2) ** 2)  # twice the Rayleigh function
    assert found.ledger[3] == pytest.approx(3.0 * v1 - 4.0 * v2)


CART = {
    "m1": 2.0, "m2": 0.5, "l": 0.8, "c": 30.0, "g": 9.81, "F": 0.0, "x": 0.1, "phi": 0.4, "x_dot": 0.3, "phi_dot": 1.2,
}  # fmt: skip


def test_cart_pendulum_matrices() -> None:
    model = cart_pendulum()
    (x, phi), (_, dphi), (m1, m2, length, c, g, _) = model.q, velocities(model.q), model.parameters
    coupling, sine = m2 * length * sp.cos(phi), sp.sin(phi)
    assert is_zero(model.mass - sp.Matrix([[m1 + m2, coupling], [coupling, m2 * length**2]]))
    assert is_zero(model.coriolis - sp.Matrix([[0, -m2 * length * dphi * sine], [0, 0]]))
    assert is_zero(model.gravity - sp.Matrix([c * x, m2 * g * length * sine]))


def test_cart_pendulum_accelerations() -> None:
    model = cart_pendulum()
    (x, phi), (_, dphi), (m1, m2, length, c, g, force) = model.q, velocities(model.q), model.parameters
    push, below = force - c * x + m2 * length * dphi**2 * sp.sin(phi), m1 + m2 * sp.sin(phi) ** 2
    expected = sp.Matrix([
        (push + m2 * g * sp.sin(2 * phi) / 2) / below,
        -((m1 + m2) * g * sp.sin(phi) + push * sp.cos(phi)) / (length * below),
    ])  # fmt: skip
    assert is_zero(model.mass.LUsolve(-model.bias) - expected)
    values = by_name(model, CART)
    found = numbers(model.mass.LUsolve(-model.bias), values)
    assert found == pytest.approx([-0.489627036561, -4.211521966328], rel=1e-11)
    assert float(model.kinetic.subs(values)) == pytest.approx(0.475532783136, rel=1e-11)
    assert float(model.potential.subs(values)) == pytest.approx(-3.464243340467, rel=1e-11)


def test_cart_pendulum_linearised_frequencies() -> None:
    model = cart_pendulum()
    rest = by_name(model, CART | {"x": 0.0, "phi": 0.0, "x_dot": 0.0, "phi_dot": 0.0})
    stiffness = numbers(model.gravity.jacobian(model.q), rest)
    squares = np.linalg.eigvals(np.linalg.solve(numbers(model.mass, rest), stiffness))
    assert np.sqrt(np.sort(squares)) == pytest.approx([2.894978436403, 4.684786532251], rel=1e-11)


ARM = {
    "l1": 0.5, "l2": 0.4, "s1": 0.25, "s2": 0.2, "m1": 2.0, "m2": 1.5, "I1": 0.04, "I2": 0.02, "g": 9.81,
    "q1": 0.3, "q2": 0.8, "q1_dot": 1.1, "q2_dot": -0.7, "u1": 0.0, "u2": 0.0,
}  # fmt: skip


def test_two_link_arm_matrices() -> None:
    model = two_link_arm()
    (q1, q2), (d1, d2), (m1, m2, l1, _, s1, s2, i1, i2, g, _, _) = model.q, velocities(model.q), model.parameters
    m12, h = i2 + m2 * (s2**2 + l1 * s2 * sp.cos(q2)), -m2 * l1 * s2 * sp.sin(q2)
    m11 = i1 + m1 * s1**2 + i2 + m2 * (l1**2 + s2**2 + 2 * l1 * s2 * sp.cos(q2))
    assert is_zero(model.mass - sp.Matrix([[m11, m12], [m12, i2 + m2 * s2**2]]))
    assert is_zero(model.coriolis - sp.Matrix([[h * d2, h * (d1 + d2)], [-h * d1, 0]]))
    g2 = m2 * g * s2 * sp.cos(q1 + q2)
    assert is_zero(model.gravity - sp.Matrix([(m1 * s1 + m2 * l1) * g * sp.cos(q1) + g2, g2]))


def test_two_link_arm_numbers() -> None:
    model = two_link_arm()
    values = by_name(model, ARM)
    assert numbers(model.mass, values) == pytest.approx(
        np.array([[0.829012012804, 0.184506006402], [0.184506006402, 0.08]]), rel=1e-11
    )
    assert numbers(model.coriolis, values) == pytest.approx(
        np.array([[0.075322389544, -0.043041365454], [0.118363754998, 0.0]]), rel=1e-10
    )
    assert numbers(model.gravity, values) == pytest.approx([13.049747083258, 1.334933385355], rel=1e-12)
    accelerations = np.linalg.solve(numbers(model.mass, values), -numbers(model.bias, values))
    assert accelerations == pytest.approx([-24.248110967425, 37.609857519252], rel=1e-11)


def test_outer_torque_at_rest_without_gravity_accelerates_in_its_own_direction() -> None:
    model = two_link_arm()
    values = by_name(model, ARM | {"g": 0.0, "q1_dot": 0.0, "q2_dot": 0.0, "u1": 0.5})
    assert np.linalg.solve(numbers(model.mass, values), -numbers(model.bias, values))[0] > 0.0


def test_quasi_velocities_bring_their_own_inertial_forces() -> None:
    """Radial and tangential speed of a free mass: m v_r' = m v_t^2/r, m v_t' = -m v_r v_t/r."""
    model = polar_mass()
    (r, _), (radial, tangential), (m,) = model.q, model.u, model.parameters
    assert is_zero(model.in_speeds(model.mass) - m * sp.eye(2))
    assert is_zero(model.bias - m * tangential / r * sp.Matrix([-tangential, radial]))


# --- inertia from the kinetic energy of a turning body ---------------------------------------------------------


def inertia_tensor(boxes: list[list[tuple[sp.Expr, sp.Expr]]], density: sp.Expr, about: list[sp.Expr]) -> sp.Matrix:
    """Inertia tensor of boxes, as the mass matrix of a body that turns about a point, at zero angles."""
    turn, r = angle_rotation(), real("r_x r_y r_z")
    velocity = point_velocity(turn.matrix * (sp.Matrix(r) - sp.Matrix(about)), turn.q)
    square = sum(v.subs(dict.fromkeys(turn.q, 0)) ** 2 for v in velocity)
    ranges = [[(c, *side) for c, side in zip(r, box, strict=True)] for box in boxes]
    kinetic = sum(sp.integrate(sp.expand(square), *box) for box in ranges)
    parameters = sorted(sp.sympify(density * kinetic).free_symbols - set(velocities(turn.q)), key=str)
    return Model("body", turn.q, density * kinetic / 2, parameters=tuple(parameters)).mass


def test_box_inertia_about_corner_and_centre() -> None:
    m, a, b, c = real("m a b c")
    box = [[(0, a), (0, b), (0, c)]]
    corner = m / 12 * sp.Matrix([
        [4 * (b**2 + c**2), -3 * a * b, -3 * a * c],
        [-3 * a * b, 4 * (a**2 + c**2), -3 * b * c],
        [-3 * a * c, -3 * b * c, 4 * (a**2 + b**2)],
    ])  # fmt: skip
    assert is_zero(inertia_tensor(box, m / (a * b * c), [0, 0, 0]) - corner)
    centre = m / 12 * sp.diag(b**2 + c**2, a**2 + c**2, a**2 + b**2)
    assert is_zero(inertia_tensor(box, m / (a * b * c), [a / 2, b / 2, c / 2]) - centre)


def test_crane_inertia_is_the_published_composite_tensor() -> None:
    a, b, c, h, length, density = (sp.Rational(x) for x in ("1", "1.2", "1.5", "30", "40", "100"))
    tower = [(-b / 2, b / 2), (-c / 2, c / 2), (0, h + a / 2)]
    jib = [(-b / 2, b / 2), (c / 2, length), (h - a / 2, h + a / 2)]
    m_t, m_j = density * b * c * (h + a / 2), density * a * b * (length - c / 2)
    assert (m_t, m_j) == (5490, 4710)
    centre = (m_t * sp.Matrix([0, 0, (h + a / 2) / 2]) + m_j * sp.Matrix([0, (length + c / 2) / 2, h])) / (m_t + m_j)
    assert [float(x) for x in centre] == pytest.approx([0.0, 9.40845588235, 22.0610294118], rel=1e-11)
    tensor = np.array(inertia_tensor([tower, jib], density, list(centre)).tolist(), float)
    expected = [[2635640.280, 0, 0], [0, 978746.0092, -761873.2362], [0, -761873.2362, 1659342.271]]
    assert tensor == pytest.approx(np.array(expected), rel=1e-9)


def test_swinging_right_angle() -> None:
    (phi,), (m, l1, l2, g, r) = coordinates("phi"), real("m l1 l2 g r")
    turn = sp.Matrix([[sp.cos(phi), -sp.sin(phi)], [sp.sin(phi), sp.cos(phi)]])
    kinetic, potential = sp.Integer(0), sp.Integer(0)
    for place, end in ((sp.Matrix([0, -r]), l1), (sp.Matrix([r, -l1]), l2)):
        point = turn * place
        v = point.applyfunc(lambda e: rate(e, (phi,)))
        kinetic += m / (l1 + l2) * sp.integrate(sp.expand(v.dot(v)), (r, 0, end)) / 2
        potential += m / (l1 + l2) * g * sp.integrate(point[1], (r, 0, end))
    model = Model("angle", (phi,), kinetic, potential, (m, l1, l2, g))
    assert is_zero(model.mass[0] - m * (l1**3 + 3 * l1**2 * l2 + l2**3) / (3 * (l1 + l2)))
    torque = m * g / (2 * (l1 + l2)) * (l1 * (l1 + 2 * l2) * sp.sin(phi) + l2**2 * sp.cos(phi))
    assert is_zero(model.gravity[0] - torque)
    values = {m: 2.0, l1: 0.7, l2: 0.4, g: 9.81}
    rest = -math.atan2(0.4**2, 0.7 * (0.7 + 0.8))
    assert rest == pytest.approx(-0.15121769015, rel=1e-10)
    assert float(model.gravity[0].subs(values | {phi: rest})) == pytest.approx(0.0, abs=1e-12)
    inertia = float(sp.simplify(model.mass[0]).subs(values))
    assert inertia == pytest.approx(0.60303030303, rel=1e-10)
    stiffness = float(sp.diff(model.gravity[0], phi).subs(values | {phi: rest}))
    assert math.sqrt(stiffness / inertia) == pytest.approx(3.9632867253, rel=1e-10)


# --- structure -------------------------------------------------------------------------------------------------

MODELS = {
    "cart": cart_pendulum,
    "arm": two_link_arm,
    "double_pendulum": double_pendulum_model,
    "cube": lambda: cube_model("angles"),
    "polar_mass": polar_mass,
    "top": top,
}


@pytest.mark.parametrize("name", MODELS)
def test_mass_rate_minus_twice_coriolis_is_skew(name: str) -> None:
    model = MODELS[name]()
    mass_rate = model.mass_q.applyfunc(lambda e: rate(e, model.q))
    skew = mass_rate - 2 * model.coriolis
    assert is_zero(skew + skew.T)


def test_only_the_christoffel_matrix_is_skew() -> None:
    """Another C with the same C q' keeps q'^T (M' - 2C) q' = 0, but not w^T (M' - 2C) w for every w."""
    model = cart_pendulum()
    m, q, qd = model.mass_q, model.q, model.q_dot

    def entry(k: int, j: int) -> sp.Expr:
        return sum((sp.diff(m[k, j], q[i]) - sp.diff(m[j, i], q[k]) / 2) * qd[i] for i in range(2))

    other = sp.Matrix(2, 2, entry)
    assert is_zero(other * qd - model.coriolis * qd)
    skew = m.applyfunc(lambda e: rate(e, q)) - 2 * other
    assert is_zero((qd.T * skew * qd)[0])
    assert not is_zero(skew + skew.T)


@pytest.mark.parametrize("name", [*MODELS, "pulled", "floor", "towed", "two_masses"])
def test_energy_changes_by_the_power_of_the_drives_alone(name: str) -> None:
    """d(T + V)/dt = dV/dt at rest + Q q' along M u' = -h, identically in the state."""
    builders = MODELS | {
        "pulled": pulled_mass_model, "floor": moving_floor, "towed": towed_mass, "two_masses": two_masses,
    }  # fmt: skip
    model = builders[name]()
    kinetic, potential, drive = model.in_speeds(sp.Matrix([model.kinetic, model.potential, model.drive]))
    u, flow = sp.Matrix(model.speeds), model.in_speeds(model.q_dot)
    along = sum((sp.diff(kinetic + potential, c) * d for c, d in zip(model.q, flow, strict=True)), sp.Integer(0))
    assert is_zero(sp.Matrix([sp.diff(kinetic, w) for w in u]) - model.in_speeds(model.mass) * u)
    assert is_zero(along - (u.T * model.bias)[0] + sp.diff(potential, TIME) - drive)


def test_drive_power_of_a_pulled_spring() -> None:
    model = towed_mass()
    (x, y), (_, k, pull, angle) = model.q, model.parameters
    force = [k * (pull * TIME * sp.cos(angle) - x), k * (pull * TIME * sp.sin(angle) - y)]
    assert is_zero(model.drive - pull * (force[0] * sp.cos(angle) + force[1] * sp.sin(angle)))


# --- the thesis' Appendix A ------------------------------------------------------------------------------------


def test_double_pendulum_is_appendix_a2_with_the_sign_of_e1() -> None:
    model = double_pendulum_model()
    (p1, p2), (w1, w2), (m1, m2, l1, l2, _, g) = model.q, velocities(model.q), model.parameters
    a1, a2 = real("a1 a2")
    motion = model.mass * sp.Matrix([a1, a2]) + model.bias

    def first(sign: int) -> sp.Expr:
        return (
            g * (sp.cos(p1 + p2) * l2 * m2 + sp.cos(p1) * l1 * (m1 + m2))
            - l1 * l2 * m2 * sp.sin(p2) * (2 * w1 * w2 + sign * w2**2)
            + ((2 * sp.cos(p2) * l1 + l2) * l2 * m2 + l1**2 * (m1 + m2)) * a1
            + (sp.cos(p2) * l1 + l2) * l2 * m2 * a2
        )

    second = l2 * m2 * (g * sp.cos(p1 + p2) + l1 * sp.sin(p2) * w1**2 + (sp.cos(p2) * l1 + l2) * a1 + l2 * a2)
    assert is_zero(motion - sp.Matrix([first(+1), second]))
    assert is_zero(motion[0] - first(-1) + 2 * l1 * l2 * m2 * w2**2 * sp.sin(p2))  # the print is off by this


def test_double_pendulum_energies_and_distances_are_those_of_the_thesis() -> None:
    model = double_pendulum_model()
    (p1, p2), (w1, w2), (m1, m2, l1, l2, y0, g) = model.q, velocities(model.q), model.parameters
    t2 = (l1**2 + l2**2 + 2 * l1 * l2 * sp.cos(p2)) * w1**2 + 2 * l2 * (l2 + l1 * sp.cos(p2)) * w1 * w2 + l2**2 * w2**2
    assert is_zero(model.kinetic - m1 * l1**2 * w1**2 / 2 - m2 * t2 / 2)  # (3.34)
    s1, s2 = (c.distance for c in model.contacts)
    assert is_zero(s1 - y0 - l1 * sp.sin(p1))  # (3.35)
    assert is_zero(s2 - y0 - l1 * sp.sin(p1) - l2 * sp.sin(p1 + p2))  # (3.36)
    assert is_zero(model.potential - g * (m1 * (s1 - y0) + m2 * (s2 - y0)))
    slip = -sp.sin(p1) * l1 * w1 - sp.sin(p1 + p2) * l2 * (w1 + w2)  # (4.7)
    assert is_zero(model.slips[0][0] - slip)
    assert model.slip_names == ["2"]


def cube_residual(kinetic: sp.Expr | None = None) -> sp.Matrix:
    """The cube's equations in the angles less (A.6), with accelerations as symbols."""
    cube = cube_model("angles")
    m, k, g = cube.parameters
    model = cube if kinetic is None else Model("cube", cube.q, kinetic, cube.potential, cube.parameters)
    a = sp.Matrix(real("a_x a_y a_z a_alpha a_beta a_gamma"))
    _, _, _, da, db, dc = velocities(model.q)
    beta = model.q[4]
    printed = sp.Matrix([
        m * a[0],
        m * a[1],
        m * a[2] + g * m,
        m / 12 * (-2 * k**2 * sp.cos(beta) * db * dc + 2 * k**2 * a[3] - 2 * k**2 * sp.sin(beta) * a[5]),
        k**2 * m / 6 * sp.cos(beta) * da * dc + k**2 * m / 6 * a[4],
        m / 12 * (-2 * k**2 * sp.cos(beta) * da * db - 2 * k**2 * sp.sin(beta) * a[3] + 2 * k**2 * a[5]),
    ])  # fmt: skip
    return (model.mass * a + model.bias - printed).applyfunc(sp.simplify)


def test_cube_in_angles_is_appendix_a6() -> None:
    assert is_zero(cube_residual())


def test_cube_with_the_printed_spin_is_not_appendix_a6() -> None:
    """(3.49) prints a minus in the spin about y (E2); with it all three equations of the angles go wrong."""
    m, k, _ = cube_model("angles").parameters
    q = cube_model("angles").q
    *place, da, db, dc = velocities(q)
    beta, gamma = q[4:]
    spin = sp.Matrix([
        da * sp.cos(beta) * sp.cos(gamma) - db * sp.sin(gamma),
        da * sp.cos(beta) * sp.sin(gamma) - db * sp.cos(gamma),
        dc - da * sp.sin(beta),
    ])  # fmt: skip
    residual = cube_residual(m * sum(v**2 for v in place) / 2 + m * k**2 / 12 * spin.dot(spin))
    assert [entry == 0 for entry in residual] == [True, True, True, False, False, False]


# --- J^T F is the thesis' derivative of R and D by the generalised velocities ----------------------------------


def restriction_power(s: sp.Expr, v: sp.Expr, law: Restriction) -> sp.Expr:
    """R of one contact, (3.9) with the law's numbers."""
    activation = (1 - sp.tanh(law.r_t * (s - law.r_c))) / 2
    return activation * (v / 2 - sp.log(sp.cosh(law.r_d * v)) / (2 * law.r_d)) * law.r_f


def dissipation_power(s: sp.Expr, slip: sp.Expr, held: sp.Expr, law: Restriction, friction: Friction) -> sp.Expr:
    """D^R of one contact, (4.5), with F~ as the symbol `held`."""
    activation = (1 - sp.tanh(law.r_t * (s - law.r_c))) / 2
    e = sp.exp(sp.Rational(1, 2) - (slip / friction.v_s) ** 2 / 2)
    excess = friction.mu_s - friction.mu_c * math.tanh(friction.v_s / friction.v_c)
    grip = friction.mu_c * friction.v_c * sp.log(sp.cosh(slip / friction.v_c)) - excess * friction.v_s * e
    return activation * (held * grip + friction.d * slip**2 / 2 + friction.d * friction.v_s**2 * e)


PENDULUM = {"m1": 0.1, "m2": 0.13, "l1": 0.1, "l2": 0.12, "y0": 0.01, "g": 9.81}
GROUND_1 = Restriction(0.01, 0.006, 400.0, 4.0)
GROUND_2 = Restriction(0.011, 0.006, 300.0, 2.5)
ROUGH = Friction(0.3, 0.4, 0.02, 0.05, 2.0)


class PendulumOnGround:
    """The double pendulum's R and D^R, written down from (3.35), (3.36), (4.7), (3.28) and (4.5)."""

    def __init__(self) -> None:
        self.symbols = real("phi1 phi2 w1 w2")
        p1, p2, w1, w2 = self.symbols
        l1, l2, y0 = PENDULUM["l1"], PENDULUM["l2"], PENDULUM["y0"]
        s1 = y0 + sp.sin(p1) * l1
        s2 = s1 + sp.sin(p1 + p2) * l2
        v1 = sp.cos(p1) * l1 * w1
        v2 = v1 + sp.cos(p1 + p2) * l2 * (w1 + w2)
        slip = -sp.sin(p1) * l1 * w1 - sp.sin(p1 + p2) * l2 * (w1 + w2)
        restriction = restriction_power(s1, v1, GROUND_1) + restriction_power(s2, v2, GROUND_2)
        held, resistance = sp.Symbol("held"), (1 - sp.tanh(GROUND_2.r_d * v2)) / 2 * GROUND_2.r_f
        dissipation = dissipation_power(s2, slip, held, GROUND_2, ROUGH)
        self.contact = self.function([sp.diff(restriction, w) for w in (w1, w2)])
        self.friction = self.function([sp.diff(dissipation, w).subs(held, resistance) for w in (w1, w2)])
        self.not_held = self.function([sp.diff(dissipation.subs(held, resistance), w) for w in (w1, w2)])

    def function(self, expressions: list[sp.Expr]) -> Callable[..., list[float]]:
        return sp.lambdify(self.symbols, expressions, "math")

    @staticmethod
    def mass(phi2: float) -> np.ndarray:
        m1, m2, l1, l2 = (PENDULUM[name] for name in ("m1", "m2", "l1", "l2"))
        coupling = m2 * l2 * (l2 + l1 * math.cos(phi2))
        first = m1 * l1**2 + m2 * (l1**2 + l2**2 + 2 * l1 * l2 * math.cos(phi2))
        return np.array([[first, coupling], [coupling, m2 * l2**2]])

    @staticmethod
    def states() -> list[np.ndarray]:
        """Both masses near the ground, the speeds such that no tanh is saturated."""
        rng = np.random.default_rng(3)
        return [rng.uniform((-0.06, -0.06, -3.0, -3.0), (0.02, 0.06, 3.0, 3.0)) for _ in range(12)]


@pytest.fixture(scope="module")
def on_ground() -> PendulumOnGround:
    return PendulumOnGround()


def test_contact_forces_are_the_derivative_of_the_restriction_function(on_ground: PendulumOnGround) -> None:
    """M (u' with contacts - u' without) = dR/dq' (3.29)."""
    model = double_pendulum_model()
    free = System(model, PENDULUM)
    touching = System(model, PENDULUM, {"1": Material(GROUND_1), "2": Material(GROUND_2)})
    for state in on_ground.states():
        gain = [rates(s, s.state(state[:2], state[2:])).u_dot for s in (touching, free)]
        force = on_ground.mass(state[1]) @ (gain[0] - gain[1])
        assert force == pytest.approx(on_ground.contact(*state), rel=1e-10, abs=1e-10)


def test_friction_is_the_derivative_of_the_dissipation_function_with_the_normal_force_held(
    on_ground: PendulumOnGround,
) -> None:
    """M (u' without friction - u' with) = dD^R/dq' with F~ held (4.5), (4.6); without holding it is something else."""
    model = double_pendulum_model()
    smooth = System(model, PENDULUM, {"2": Material(GROUND_2)})
    rough = System(model, PENDULUM, {"2": Material(GROUND_2, ROUGH)})
    apart = []
    for state in on_ground.states():
        gain = [rates(s, s.state(state[:2], state[2:])).u_dot for s in (smooth, rough)]
        force = on_ground.mass(state[1]) @ (gain[0] - gain[1])
        assert force == pytest.approx(on_ground.friction(*state), rel=1e-9, abs=1e-10)
        apart.append(np.abs(force - on_ground.not_held(*state)).max())
    assert max(apart) > 1e-3


def test_coordinate_memory_is_filtered_towards_the_derivative_of_the_dissipation_function(
    on_ground: PendulumOnGround,
) -> None:
    """(4.6a) with the filtered forces, (4.6b) for their rates."""
    model, rng = double_pendulum_model(), np.random.default_rng(5)
    filters = {"phi1": LPVFilter(5e-4, 1.3), "phi2": LPVFilter(7e-4, 0.8)}
    smooth = System(model, PENDULUM, {"2": Material(GROUND_2)})
    rough = System(model, PENDULUM, {"2": Material(GROUND_2, ROUGH)}, coordinate_memory=filters)
    for state in on_ground.states():
        memory = rng.normal(0.0, 1.0, 2)
        found = rates(rough, rough.state(state[:2], state[2:], memory))
        static = np.array(on_ground.friction(*state))
        opening = 1.0 - np.exp(-((state[2:] / [1.3, 0.8]) ** 2))
        assert found.memory == pytest.approx(opening / [5e-4, 7e-4] * (static - memory), rel=1e-9, abs=1e-8)
        without = rates(smooth, smooth.state(state[:2], state[2:])).u_dot
        assert on_ground.mass(state[1]) @ (without - found.u_dot) == pytest.approx(memory, rel=1e-9, abs=1e-10)


def test_planar_friction_is_the_derivative_of_the_dissipation_function() -> None:
    """(2.22) and (2.23) with the rate in its third term (E4)."""
    v1, v2 = real("v1 v2")
    law = Dissipation(1.0, 1.4, 0.05, 0.1, 0.3, 1e-2)
    w = sp.sqrt(v1**2 + v2**2 + law.eps**2)
    excess = law.f_s - law.f_c * math.tanh(law.v_s / law.v_c) - law.d * law.v_s
    power = (
        law.d * w**2 / 2
        + law.f_c * law.v_c * sp.log(sp.cosh(w / law.v_c))
        - excess * law.v_s * sp.exp(sp.Rational(1, 2) - w**2 / (2 * law.v_s**2))
    )
    slope = [sp.diff(power, v) for v in (v1, v2)]
    numbers = {"m": 0.2, "k": 0.0, "pull": 0.0, "angle": 0.0}
    system = System(towed_mass(), numbers, frictions={"plane": law})
    rng = np.random.default_rng(7)
    for speed in rng.normal(0.0, 0.1, (20, 2)):
        expected = [float(e.evalf(30, subs={v1: speed[0], v2: speed[1]})) for e in slope]
        assert -0.2 * rates(system, system.state([0.0, 0.0], speed)).u_dot == pytest.approx(expected, rel=1e-11)


def test_forces_at_a_moving_surface_are_the_derivatives_too() -> None:
    """With s(q, t) and a running belt: normal speed and slip contain the surface's motion, the directions do not."""
    law, friction = Restriction(0.01, 0.005, 300.0, 3.0), Friction(0.3, 0.4, 0.05, 0.1, 2.0)
    values = {"m": 0.2, "g": 0.0, "k": 0.0, "a": 0.004, "w": 50.0, "belt": 0.3, "f": 0.0}
    system = System(moving_floor(), values, {"floor": Material(law, friction)})
    y, vx, vy, held = real("y vx vy held")
    rng = np.random.default_rng(11)
    for _ in range(10):
        t, height, speed = rng.uniform(0.0, 0.2), rng.uniform(0.004, 0.012), rng.normal(0.0, 0.3, 2)
        floor, climb = 0.004 * math.sin(50.0 * t), 0.2 * math.cos(50.0 * t)
        at = {y: height, vx: speed[0], vy: speed[1]}
        normal = sp.diff(restriction_power(y - floor, vy - climb, law), vy)
        resistance = (1 - sp.tanh(law.r_d * (vy - climb))) / 2 * law.r_f
        pull = sp.diff(dissipation_power(y - floor, vx - 0.3, held, law, friction), vx).subs(held, resistance)
        found = 0.2 * rates(system, system.state([0.0, height], speed), t).u_dot
        assert found == pytest.approx([-float(pull.evalf(30, subs=at)), float(normal.evalf(30, subs=at))], rel=1e-9)


# --- what a model may not be -----------------------------------------------------------------------------------


def mass_point(**changes: object) -> Model:
    (x,), (m,) = coordinates("x"), real("m")
    (v,) = velocities((x,))
    return Model(**({"name": "point", "q": (x,), "kinetic": m * v**2 / 2, "parameters": (m,)} | changes))


X, V = coordinates("x")[0], velocities(coordinates("x"))[0]
M, K = real("m K")
W = sp.Symbol("y_dot", real=True)


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"q": ()}, "'point' has no coordinates"),
        ({"kinetic": K * V**2 / 2}, r"\['K'\] are neither coordinates nor parameters"),
        ({"potential": K * X}, r"\['K'\] are neither"),
        ({"contacts": (ContactPoint("a", X - K),)}, r"\['K'\] are neither"),
        ({"contacts": (ContactPoint("a", X, (K * V,)),)}, r"\['K'\] are neither"),
        ({"frictions": (FrictionPoint("a", (K * V,)),)}, r"\['K'\] are neither"),
        ({"potential": sp.Symbol("x") * M}, r"\['x'\] are neither"),  # not the real symbol that is the coordinate
        ({"forces": {X: K}}, r"\['K'\] are neither"),
        ({"u": coordinates("w"), "kinematics": sp.Matrix([K])}, r"\['K'\] are neither"),
        ({"contacts": (ContactPoint("a", X), ContactPoint("a", 2 * X))}, r"unique, got \['a'\] twice"),
        ({"contacts": (ContactPoint("b", X),), "frictions": (FrictionPoint("b", (V,)),)}, r"unique, got \['b'\] twice"),
        ({"u": coordinates("w")}, "go together"),
        ({"kinematics": sp.eye(1)}, "go together"),
        ({"u": coordinates("w"), "kinematics": sp.eye(2)}, r"shape \(1, 1\), got \(2, 2\)"),
    ],
)
def test_a_model_that_is_none_is_refused(changes: dict[str, object], message: str) -> None:
    with pytest.raises(ModelError, match=message):
        mass_point(**changes)


@pytest.mark.parametrize(
    "kinetic", [M * V, M * V**2 + M * V, M * V**3, M * V**2 + M, M * sp.sqrt(1 + V**2), M * (V + 3) ** 2]
)
def test_kinetic_energy_must_be_a_quadratic_form(kinetic: sp.Expr) -> None:
    model = mass_point(kinetic=kinetic)
    with pytest.raises(ModelError, match=r"'point': the kinetic energy must be a quadratic form in \[x_dot\]"):
        model.check_quadratic()
    with pytest.raises(ModelError, match="quadratic form"):
        compile_model(model)


def test_a_hidden_quadratic_form_is_accepted() -> None:
    mass_point(kinetic=M * V**2 * (sp.sin(X) ** 2 + sp.cos(X) ** 2) + M * ((V + 1) ** 2 - 2 * V - 1)).check_quadratic()


def numeric_chain(count: int) -> Model:
    """Bars on a string of hinges, with angles from one to the next and numbers in place of parameters."""
    q = coordinates(" ".join(f"phi_{i}" for i in range(count)))
    x, y, angle, kinetic = (sp.Integer(0),) * 4
    for turn in q:
        angle += turn
        across, up = x + 0.6173 * sp.cos(angle), y + 0.6173 * sp.sin(angle)
        kinetic += 131.257 * (rate(across, q) ** 2 + rate(up, q) ** 2) + 0.3665 * rate(angle, q) ** 2
        x, y = x + 1.2347 * sp.cos(angle), y + 1.2347 * sp.sin(angle)
    return Model("numeric_chain", q, kinetic)


def test_a_long_chain_with_rounded_numbers_is_accepted() -> None:
    numeric_chain(8).check_quadratic()


@pytest.mark.parametrize(
    "expression", [V * sp.Abs(V), V**3 / W, sp.sqrt(V**4 + W**4), V**2 + 1e-9 * V, V**2 + 1e-9 * sp.cos(X) * V * W**2]
)
def test_what_only_looks_like_a_quadratic_form_is_none(expression: sp.Expr) -> None:
    assert not is_quadratic(expression, (V, W))


@pytest.mark.parametrize("expression", [sp.Integer(0), V * W, M * (V - W) ** 2 / X, (V + X) ** 2 - 2 * V * X - X**2])
def test_quadratic_forms_may_be_of_any_rank(expression: sp.Expr) -> None:
    assert is_quadratic(expression, (V, W))


@pytest.mark.parametrize("symbol", [sp.Symbol("x"), M])
def test_outer_forces_act_on_coordinates(symbol: sp.Symbol) -> None:
    with pytest.raises(ModelError):
        mass_point(forces={symbol: M})


def test_kinetic_energy_that_depends_on_time_needs_a_moving_base() -> None:
    model = mass_point(kinetic=M * (1 + TIME) * V**2 / 2)
    with pytest.raises(ModelError, match="the kinetic energy must not contain the time explicitly, unless moving_base"):
        model.check_quadratic()
    with pytest.raises(ModelError, match="time explicitly"):
        compile_model(model)


@pytest.mark.parametrize("kinetic", [M * V**3, M * sp.sqrt(1 + V**2), M * V * sp.Abs(V)])
def test_a_moving_base_brings_no_other_powers_of_the_velocities(kinetic: sp.Expr) -> None:
    with pytest.raises(ModelError, match="quadratic form"):
        mass_point(kinetic=kinetic, moving_base=True).check_quadratic()


def swinging_base() -> Model:
    """Pendulum whose pivot moves as a sin(w t) along x and lifts with b t^2/2."""
    q, p = coordinates("phi"), real("m l g a w b")
    m, length, g, a, w, b = p
    bob = sp.Matrix([a * sp.sin(w * TIME) + length * sp.sin(q[0]), b * TIME**2 / 2 - length * sp.cos(q[0])])
    v = bob.applyfunc(lambda e: rate(e, q))
    return Model("swinging_base", q, m * v.dot(v) / 2, m * g * bob[1], p, moving_base=True)


def test_a_pendulum_on_a_moving_base_has_the_inertial_forces_of_its_pivot() -> None:
    model = swinging_base()
    (phi,), (m, length, g, a, w, b) = model.q, model.parameters
    pull = m * length * (-a * w**2 * sp.sin(w * TIME) * sp.cos(phi) + (g + b) * sp.sin(phi))
    assert is_zero(model.mass[0] - m * length**2)
    assert is_zero(model.bias[0] - pull)


def test_a_bead_on_a_turning_hoop_has_its_bifurcation() -> None:
    """T0 = m (r w sin(theta))^2/2 is a centrifugal potential: beyond w^2 = g/r the lowest point is no rest."""
    (theta,), (m, r, g, w) = coordinates("theta"), real("m r g w")
    (speed,) = velocities((theta,))
    kinetic = m * r**2 * (speed**2 + w**2 * sp.sin(theta) ** 2) / 2
    model = Model("hoop", (theta,), kinetic, -m * g * r * sp.cos(theta), (m, r, g, w), moving_base=True)
    model.check_quadratic()
    aside = sp.acos(g / (r * w**2))
    assert sp.simplify(model.bias[0].subs(theta, aside)) == 0
    assert sp.simplify(model.bias[0].diff(theta).subs(theta, 0) - m * r * (g - r * w**2)) == 0


def test_ledger_of_a_moving_base_closes_in_a_run() -> None:
    system = System(swinging_base(), {"m": 1.3, "l": 0.7, "g": 9.81, "a": 0.2, "w": 5.0, "b": 0.4})
    run = run_rk4(system, system.state([0.5], [1.0]), 1e-3, 2.0)
    assert np.ptp(run.energy) > 1.0
    assert np.abs(run.ledger_error).max() < 1e-8
    angle = solve_ivp(
        lambda t, y: [y[1], (0.2 * 25 * math.sin(5 * t) * math.cos(y[0]) - 10.21 * math.sin(y[0])) / 0.7],
        (0.0, 2.0), [0.5, 1.0], method="DOP853", rtol=1e-11, atol=1e-11,
    ).y[0, -1]  # fmt: skip
    assert run["phi"][-1] == pytest.approx(angle, abs=1e-8)


@pytest.mark.parametrize(
    "changes",
    [
        {"frictions": (FrictionPoint("a", (V**2,)),)},
        {"contacts": (ContactPoint("a", X, (V**2,)),)},
        {"contacts": (ContactPoint("a", X + M * V),)},
        {"potential": M * V},
    ],
)
def test_distances_potentials_and_slips_have_the_velocities_where_they_belong(changes: dict[str, object]) -> None:
    with pytest.raises(ModelError):
        mass_point(**changes).check_quadratic()


# --- LaTeX -----------------------------------------------------------------------------------------------------


def test_latex_shows_mass_matrix_bias_distances_and_forces() -> None:
    model = double_pendulum_model()
    text = model.latex()
    assert text.startswith("\\begin{align}\n")
    assert text.endswith("\n\\end{align}")
    assert rf"M &= {sp.latex(sp.simplify(model.mass))}" in text
    assert rf"h &= {sp.latex(sp.simplify(model.bias))}" in text
    assert rf"s_{{1}} &= {sp.latex(model.contacts[0].distance)}" in text
    forces = r"J_{n,1}^T F_{\perp,1} + J_{n,2}^T F_{\perp,2} - J_{t,2}^T F_{t,2}"
    assert rf"M \dot u + h &= {forces}" in text


def test_latex_without_contacts_and_with_friction_alone() -> None:
    assert r"M \dot u + h &= 0" in oscillator().latex()
    assert r"M \dot u + h &= - J_{t,plane}^T F_{t,plane}" in towed_mass().latex()


def test_latex_of_the_matrices_shows_rates_as_dots() -> None:
    matrices = cart_pendulum().matrices_latex()
    assert list(matrices) == ["M", "C", "g", "Q"]
    assert r"\dot{\phi}" in matrices["C"]
    assert "phi_dot" not in "".join(matrices.values())
    assert "k" in swinging_base().matrices_latex()
