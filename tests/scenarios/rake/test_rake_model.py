import numpy as np
import pytest

from chrono_powercontact.errors import UnknownNameError
from chrono_powercontact.numerics.cholesky import cholesky_solve
from chrono_powercontact.scenarios.rake.machine.arm_terms import arm_energy, point, pose, terms
from chrono_powercontact.scenarios.rake.machine.arms import (
    TIP,
    TRIG_ROWS,
    B,
    C,
    D,
    chain,
    mechanism,
    pieces,
    spring,
    straight,
    with_rake,
)
from chrono_powercontact.scenarios.rake.machine.machine import machine
from chrono_powercontact.scenarios.rake.machine.statics import Statics

MACHINE = machine()
CHAIN = chain(MACHINE)
Q = np.array([-0.43, -0.41, -0.40, -1.65, -1.63, -1.60])
V = np.array([0.03, -0.02, 0.05, 0.1, -0.04, 0.07])


def test_segments_are_those_of_the_reference():
    main, knuckle = pieces(MACHINE.main, MACHINE.main.joints), pieces(MACHINE.knuckle, MACHINE.knuckle.joints)
    last = with_rake(knuckle[-1], MACHINE)
    assert [x.mass for x in main] == pytest.approx([393.75, 787.5, 393.75])
    assert [x.inertia for x in main] == pytest.approx([73.83, 590.62, 73.83], abs=0.01)
    assert (last.mass, last.inertia, last.centre) == pytest.approx((1110.0, 251.3, 1.4865), abs=0.05)
    assert spring(MACHINE.main) == pytest.approx(5.90625e7)
    assert spring(MACHINE.knuckle) == pytest.approx(6.5390625e6)


def test_inertia_and_weights_are_those_of_the_reference():
    assert np.diag(CHAIN.inertia) == pytest.approx([6794.3, 20975.6, 4136.5, 6330.0, 19440.0, 2452.7], abs=0.05)
    assert CHAIN.inertia[0, 1:] == pytest.approx([11373.8, 4358.0, 4905.0, 7920.0, 2475.0], abs=0.1)
    assert CHAIN.weight == pytest.approx([45883.2, 74384.3, 28501.1, 32078.7, 51796.8, 16186.5], abs=0.05)


def test_straight_arms_weigh_and_turn_like_the_rigid_ones():
    rigid = chain(MACHINE, flexible=False)
    groups = np.kron(np.eye(2), np.ones((1, 3)))
    whole = groups @ (CHAIN.inertia + np.diag(CHAIN.own)) @ groups.T
    assert whole == pytest.approx(rigid.inertia + np.diag(rigid.own), rel=1e-12)
    assert groups @ CHAIN.weight == pytest.approx(rigid.weight, rel=1e-12)


def evaluate(q, v):
    n = q.size
    trig, mass, force = np.zeros((TRIG_ROWS, n)), np.zeros((n, n)), np.zeros(n)
    pose(CHAIN, q, trig)
    heat = terms(CHAIN, q, v, trig, mass, force)
    return mass, force, heat, arm_energy(CHAIN, q, v, trig)


def test_forces_follow_from_the_energies():
    def lagrangian(q, v):
        kinetic, potential = evaluate(q, v)[3]
        return kinetic - potential

    h, e = 1e-5, np.eye(6)
    mass, force, heat, _ = evaluate(Q, V)
    gradient = np.array([(lagrangian(Q + h * x, V) - lagrangian(Q - h * x, V)) / (2 * h) for x in e])
    impulse_rate = (evaluate(Q + h * V, V)[0] @ V - evaluate(Q - h * V, V)[0] @ V) / (2 * h)
    damping = CHAIN.beta * CHAIN.springs @ V
    assert force == pytest.approx(gradient - impulse_rate - damping, rel=1e-5, abs=0.05)
    assert heat == pytest.approx(V @ damping)
    assert evaluate(Q, V)[3][0] == pytest.approx(0.5 * V @ mass @ V)


@pytest.mark.parametrize("station", [B, C, D, TIP])
def test_jacobians_of_the_stations_are_slopes(station):
    def place(q):
        trig, where, jacobian = np.zeros((TRIG_ROWS, 6)), np.zeros(2), np.zeros((2, 6))
        pose(CHAIN, q, trig)
        point(CHAIN, q, trig, station, where, jacobian)
        return where, jacobian

    slopes = np.array([(place(Q + 1e-6 * x)[0] - place(Q - 1e-6 * x)[0]) / 2e-6 for x in np.eye(6)]).T
    assert place(Q)[1] == pytest.approx(slopes, abs=1e-8)


def test_lines_of_straight_arms_have_the_lengths_of_the_loops():
    statics = Statics(MACHINE, CHAIN)
    from chrono_powercontact.scenarios.rake.machine.two_link import TwoLink

    q = straight(CHAIN, MACHINE, 0.2, -1.8)
    assert statics.lines(q)[0] == pytest.approx(TwoLink(MACHINE).lengths(0.2, -1.8), rel=1e-12)


def test_small_systems_are_solved():
    mass, force, _, _ = evaluate(Q, V)
    m, b = mass.copy(), force.copy()
    assert cholesky_solve(m, b)
    assert b == pytest.approx(np.linalg.solve(mass, force), rel=1e-10)
    assert not cholesky_solve(-mass, force.copy())


def test_unknown_arms_are_refused():
    with pytest.raises(UnknownNameError, match="unknown kind of arms 'rubber'"):
        mechanism(MACHINE, "rubber")
