"""Rigid contacts on any model: matrices of the thesis, bounds of other scenarios, bad input."""

import numpy as np
import pytest
import sympy as sp

import chrono_powercontact as pc
from chrono_powercontact.lagrange.model import velocities
from chrono_powercontact.lagrange.nonsmooth.set_valued import SetValued, force_ranges, indeterminacy, rigid_twin
from chrono_powercontact.scenarios.held.ladder_model import LadderParameters, ladder
from chrono_powercontact.scenarios.hyperstatic.block.block_models import cut_block, one_body, rigid_block, two_bodies
from chrono_powercontact.scenarios.hyperstatic.block.block_statics import LOW, NO_LOAD, REST, load_of

AT = (0.13, 0.06, 0.2)
MOVING = (0.3, -0.2, 0.7)


@pytest.mark.parametrize("model", [one_body(), two_bodies()], ids=lambda model: model.name)
def test_directions_are_the_jacobian_of_the_feet(model):
    """W^T is the Jacobian of (x_A, y_A, x_B, y_B): (B.56), (B.59)."""
    for foot in model.contacts:
        speed = foot.tangential[0]
        normal = sp.Matrix([foot.distance]).jacobian(list(model.q))
        tangential = sp.Matrix([[sp.diff(speed, v) for v in velocities(model.q)]])
        up = sum(a * b for a, b in zip(normal, velocities(model.q), strict=True))
        assert sp.simplify(sp.Matrix(list(model.direction(up))) - normal.T).is_zero_matrix
        assert tangential.shape == (1, len(model.q))


def test_third_row_is_the_lever_arm():
    rows = rigid_block(NO_LOAD).rows_of(rigid_block(NO_LOAD).terms_at(AT))
    c, s = np.cos(AT[2]), np.sin(AT[2])
    a = np.array([-0.1 * c + 0.05 * s, -0.1 * s - 0.05 * c])
    b = np.array([0.1 * c + 0.05 * s, 0.1 * s - 0.05 * c])
    assert rows[:, 2] == pytest.approx([-a[1], a[0], -b[1], b[0]])


def test_acceleration_bias_is_centripetal():
    """w = -phi'^2 r (C.14), from a difference of the contact velocities."""
    block = rigid_block(NO_LOAD)
    step = 1e-6
    before = block.terms_at(AT, MOVING)
    after = block.terms_at(np.add(AT, step * np.array(MOVING)), MOVING)
    rates = [(after.slip - before.slip) / step, (after.s_dot - before.s_dot) / step]
    c, s = np.cos(AT[2]), np.sin(AT[2])
    arms = np.array([[-0.1 * c + 0.05 * s, -0.1 * s - 0.05 * c], [0.1 * c + 0.05 * s, 0.1 * s - 0.05 * c]])
    assert np.allclose(np.array(rates).T, -(MOVING[2] ** 2) * arms, atol=1e-5)


def test_inertia_and_springs_of_the_halves():
    block = cut_block(NO_LOAD, LOW)
    out = block.terms_at((0.05, 0.05, 0.0, 0.15, 0.05, 0.0))
    assert np.diag(out.mass) == pytest.approx([8.0, 8.0, 0.0133333, 8.0, 8.0, 0.0133333], rel=1e-5)
    stretched = block.terms_at((0.05, 0.05, 0.0, 0.15 + 1e-6, 0.05, 0.0))
    assert stretched.bias[0] == pytest.approx(-1.0)
    assert stretched.bias[3] == pytest.approx(1.0)


def test_forces_of_the_halves_are_those_of_the_thesis():
    """h of (B.58), coupling forces (B.14)-(B.23) included, against Lagrange's equations, anywhere and in motion."""
    q = np.array((0.05, 0.05, 0.2, 0.15, 0.06, -0.1))
    u = np.array((0.3, -0.2, 0.7, 0.1, 0.4, -0.5))
    out = cut_block(load_of("constant", 9.0), LOW).terms_at(q, u)

    def arm(angle, x, y):
        return np.array([x * np.cos(angle) - y * np.sin(angle), x * np.sin(angle) + y * np.cos(angle)])

    def turned(rate, r):
        return rate * np.array([-r[1], r[0]])

    left, right, pulled = arm(q[2], 0.05, 0.0), arm(q[5], -0.05, 0.0), arm(q[5], 0.05, 0.05)
    gap = q[3:5] + right - q[:2] - left
    gap_rate = u[3:5] + turned(u[5], right) - u[:2] - turned(u[2], left)
    force = LOW.c_t * gap + LOW.d_t * gap_rate
    moment = LOW.c_r * (q[5] - q[2]) + LOW.d_r * (u[5] - u[2])
    weight = np.array([0.0, -8.0 * 9.81])
    h = [
        *(force + weight), moment + left[0] * force[1] - left[1] * force[0],
        *(-force + weight + (9.0, 0.0)), -moment - pulled[1] * 9.0 - right[0] * force[1] + right[1] * force[0],
    ]  # fmt: skip
    assert -out.bias == pytest.approx(h, rel=1e-9, abs=1e-9)


def test_ranges_of_a_ladder():
    p = LadderParameters()
    found = force_ranges(ladder(p), (*p.start(), p.lean()), gap=1e-3)
    assert not found.determined
    weight = p.mass * 9.81
    c, s = np.cos(p.lean()), np.sin(p.lean())
    assert found["N_wall"].low == pytest.approx(0.5 * weight * c / (s + p.mu_wall * c), rel=0.01)
    assert found["T_wall"].high == pytest.approx(p.mu_wall * found["N_wall"].low)
    assert found["N_floor"].low == pytest.approx(weight - found["T_wall"].high)
    assert indeterminacy(ladder(p), (*p.start(), p.lean()), gap=1e-3).degree == 1


def test_twin_closes_where_the_law_begins():
    p = LadderParameters()
    twin = rigid_twin(ladder(p))
    assert twin.closed_at["floor"] == p.s_0
    assert twin.mu["wall"] == pytest.approx(p.mu_wall)


def test_sliding_contacts_follow_their_law():
    block = rigid_block(load_of("constant", 2.0))
    rate = (2.0 - 15.696) / 16.0
    found = force_ranges(block, REST, (0.2, 0.0, 0.0), acceleration=(rate, 0.0, 0.0))
    assert found.determined
    assert [part.low for part in found] == pytest.approx([-7.4056, 74.056, -8.2904, 82.904], abs=1e-3)


def test_bad_input():
    block = rigid_block(load_of("constant", 30.0))
    with pytest.raises(pc.PowerContactError, match="the bodies must move"):
        force_ranges(block, REST)
    with pytest.raises(pc.ParameterError, match="need its coordinates"):
        force_ranges(block)
    with pytest.raises(pc.ParameterError, match="q must have 3 entries"):
        force_ranges(block, (0.0, np.nan, 0.0))
    with pytest.raises(pc.ParameterError, match="acceleration must have 3 entries"):
        force_ranges(block, REST, acceleration=(1.0,))
    with pytest.raises(pc.ParameterError, match="must be a System"):
        force_ranges("block", REST)
    with pytest.raises(pc.UnknownNameError, match="contact point 'C'"):
        SetValued(one_body(), block.parameters, {"C": 0.1})
    with pytest.raises(pc.ParameterError, match="mu of A"):
        SetValued(one_body(), block.parameters, {"A": -0.1})
    massless = SetValued(one_body(), {**block.parameters, "theta": 0.0}, {"A": 0.1, "B": 0.1})
    with pytest.raises(pc.ModelError, match="positive definite"):
        force_ranges(massless, REST)


def test_an_open_contact_has_no_force():
    block = rigid_block(NO_LOAD)
    with pytest.raises(pc.PowerContactError, match="must move"):
        force_ranges(block, (0.1, 0.5, 0.0))
