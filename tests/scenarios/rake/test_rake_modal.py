"""The arms as beams with few modes: against their symbolic energies, against beam theory, and against rigid links."""

from __future__ import annotations

import numpy as np
import pytest
import sympy as sp

from chrono_powercontact.errors import ParameterError
from chrono_powercontact.lagrange.beams.beam_elements import CLAMPED
from chrono_powercontact.lagrange.beams.beam_modes import natural_modes
from chrono_powercontact.lagrange.beams.floating_frame import FloatingBeam, Pin, elastic_coordinates
from chrono_powercontact.lagrange.model import coordinates, velocities
from chrono_powercontact.scenarios.rake.machine.arms import (
    CELLS,
    RAKE,
    TIP,
    TRIG_ROWS,
    B,
    C,
    D,
    chain,
    mechanism,
    station_points,
)
from chrono_powercontact.scenarios.rake.machine.machine import GRAVITY, machine
from chrono_powercontact.scenarios.rake.machine.modal_arms import full_modes, knuckle_arm, main_arm, modal
from chrono_powercontact.scenarios.rake.machine.modal_terms import modal_energy, modal_point, modal_pose, modal_terms
from chrono_powercontact.scenarios.rake.machine.two_link import TwoLink
from chrono_powercontact.scenarios.rake.motion.setup import Setup

MACHINE = machine()
MODAL = modal(MACHINE)
N = len(MODAL.own)
RANDOM = np.random.default_rng(3)
Q = np.append([0.4, -1.7], 0.5 * RANDOM.normal(size=N - 2))
V = np.append([0.3, -0.5], RANDOM.normal(size=N - 2))


def evaluate(q: np.ndarray, v: np.ndarray) -> tuple[np.ndarray, np.ndarray, float, tuple[float, float]]:
    """Mass matrix, force, heat of the dampers, and energies."""
    trig, mass, force = np.zeros((TRIG_ROWS, N)), np.zeros((N, N)), np.zeros(N)
    modal_pose(MODAL, q, trig)
    heat = modal_terms(MODAL, q, v, trig, mass, force)
    return mass, force, heat, modal_energy(MODAL, q, v, trig)


def place(q: np.ndarray, station: int) -> tuple[np.ndarray, np.ndarray]:
    trig, where, jacobian = np.zeros((TRIG_ROWS, N)), np.zeros(2), np.zeros((2, N))
    modal_pose(MODAL, q, trig)
    modal_point(MODAL, q, trig, station, where, jacobian)
    return where, jacobian


def slopes(function: object, q: np.ndarray, h: float = 1e-6) -> np.ndarray:
    """Derivatives of a function by each coordinate."""
    return np.array([(function(q + h * e) - function(q - h * e)) / (2.0 * h) for e in np.eye(N)])


def test_energies_and_places_are_those_of_two_floating_beams() -> None:
    a, b = main_arm(MACHINE), knuckle_arm(MACHINE)
    q = (*coordinates("phi alpha"), *elastic_coordinates("a", a), *elastic_coordinates("b", b))
    main = FloatingBeam("a", a, q, q[0])
    knuckle = FloatingBeam("b", b, q, q[1], Pin(*main.position("elbow")))
    inert = FloatingBeam("a", a, q, q[0], shortening=False)
    carried = FloatingBeam("b", b, q, q[1], Pin(*main.position("elbow")), shortening=False)
    energies = [inert.kinetic + carried.kinetic, main.potential(GRAVITY) + knuckle.potential(GRAVITY)]
    lugs = [main.position("lug", (0.2, -0.25)), main.position("lug", (-0.2, 0.5))]
    places = [*lugs, knuckle.position(0.0, (-0.9, 0.0)), knuckle.position("scraper")]
    numbers = main.parameters | knuckle.parameters | inert.parameters | carried.parameters
    told = sp.lambdify((*q, *velocities(q), *numbers), [*energies, *places], cse=True)(*Q, *V, *numbers.values())
    assert evaluate(Q, V)[3] == pytest.approx(told[:2], rel=1e-12)
    for station, where in zip((B, C, D, TIP), told[2:], strict=True):
        assert place(Q, station)[0] == pytest.approx(np.ravel(where), abs=1e-12)


def test_the_mass_matrix_is_the_kinetic_energy() -> None:
    mass, _, _, (kinetic, _) = evaluate(Q, V)
    assert mass == pytest.approx(mass.T)
    assert V @ mass @ V / 2 == pytest.approx(kinetic)
    assert np.linalg.eigvalsh(mass)[0] > 0.0


@pytest.mark.parametrize("modes", [(0, 0), (15, 15), full_modes(MACHINE)])
def test_every_number_of_modes_has_a_definite_mass(modes: tuple[int, int]) -> None:
    """With all of them the frames are nearly free to turn against their arms: what is left of the mass is small."""
    setup = Setup(arms="modal", modes=modes)
    rest = setup.statics.settle(*setup.command.c[:, 0])
    mass = setup.statics.inertia(rest.q)[0]
    scale = 1.0 / np.sqrt(np.diag(mass))
    assert np.linalg.eigvalsh(mass * np.outer(scale, scale))[0] > 1e-12


def test_full_arms_have_all_modes_of_their_meshes() -> None:
    main, knuckle = full_modes(MACHINE)
    assert len(mechanism(MACHINE, "full").own) == 2 + 3 + main + 2 + knuckle
    with pytest.raises(ParameterError, match=f"between 0 and {main}, the displacements inside, got {main + 1}"):
        main_arm(MACHINE, main + 1)


def test_the_force_follows_from_the_energies() -> None:
    """force = -(M' v - dT/dq) - dV/dq - beta K v, by difference quotients."""
    mass_rate = (evaluate(Q + 1e-6 * V, V)[0] - evaluate(Q - 1e-6 * V, V)[0]) / 2e-6
    inertia = mass_rate @ V - slopes(lambda q: evaluate(q, V)[3][0], Q)
    expected = -inertia - slopes(lambda q: evaluate(q, V)[3][1], Q) - MACHINE.beta * MODAL.springs @ V
    _, force, heat, _ = evaluate(Q, V)
    assert force == pytest.approx(expected, abs=1e-7 * np.abs(expected).max())
    assert heat == pytest.approx(MACHINE.beta * V @ MODAL.springs @ V)


@pytest.mark.parametrize("station", [B, C, D, TIP, RAKE, CELLS, CELLS + 11])
def test_derivatives_of_places_are_those_of_the_places(station: int) -> None:
    assert place(Q, station)[1] == pytest.approx(slopes(lambda q: place(q, station)[0], Q).T, abs=1e-7)


def test_undeformed_arms_are_the_rigid_links() -> None:
    straight, turning = np.append(Q[:2], np.zeros(N - 2)), np.append(V[:2], np.zeros(N - 2))
    rigid, two = chain(MACHINE, flexible=False), TwoLink(MACHINE)
    mass, force, _, _ = evaluate(straight, np.zeros(N))
    apart = np.cos(Q[0] - Q[1])
    turn = np.array([[1.0, apart], [apart, 1.0]])
    assert mass[:2, :2] == pytest.approx(rigid.inertia * turn + np.diag(rigid.own), rel=1e-10)
    assert force[:2] == pytest.approx(-rigid.weight * np.cos(Q[:2]), rel=1e-10)
    assert place(straight, TIP)[0] == pytest.approx(two.tip(*Q[:2]))
    for station, (arm, along, above) in enumerate(station_points(MACHINE)):
        origin = two.elbow(Q[0]) if arm else np.zeros(2)
        c, s = np.cos(Q[arm]), np.sin(Q[arm])
        assert place(straight, station)[0] == pytest.approx(
            origin + np.array([c * along - s * above, s * along + c * above])
        )
    assert evaluate(straight, turning)[3][0] == pytest.approx(turning[:2] @ mass[:2, :2] @ turning[:2] / 2)


def test_the_slowest_modes_of_the_arms_are_those_of_the_beams() -> None:
    for arm in (main_arm(MACHINE), knuckle_arm(MACHINE)):
        whole = natural_modes(arm.beam, CLAMPED, 2).frequencies
        assert arm.frequencies[:2] == pytest.approx(whole, rel=0.01)
        assert np.all(arm.frequencies[:2] >= whole * (1.0 - 1e-9))


@pytest.mark.parametrize("modes", [0, 2])
def test_statics_are_those_of_the_beams(modes: int) -> None:
    """A force across the scraper of the held knuckle arm, and one at the elbow of the held main arm: F L^3/(3 EI)."""
    for arm, name, body in (
        (knuckle_arm(MACHINE, modes), "scraper", MACHINE.knuckle),
        (main_arm(MACHINE, modes), "elbow", MACHINE.main),
    ):
        bent = arm.displacement(name)[1] @ arm.static({(name, "w"): 1e4})
        assert bent == pytest.approx(1e4 * body.length**3 / (3.0 * body.stiffness), rel=1e-8)
