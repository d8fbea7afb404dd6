"""The floating frame: energies against points that are summed one by one, and against whole beams."""

from __future__ import annotations

import numpy as np
import pytest
import sympy as sp

from chrono_powercontact.errors import ModelError, ParameterError
from chrono_powercontact.lagrange.beams.beam_elements import shape_rows
from chrono_powercontact.lagrange.beams.beam_modes import analytic_frequencies, eigenpairs
from chrono_powercontact.lagrange.beams.beams import Beam, RigidMass, Section
from chrono_powercontact.lagrange.beams.floating_frame import FloatingBeam, Pin, elastic_coordinates
from chrono_powercontact.lagrange.beams.reduction import Interface, ReducedBeam, reduce_beam
from chrono_powercontact.lagrange.model import coordinates, velocities

LENGTH, EI, RHO = 2.0, 50.0, 3.0
SECTION = Section(EI, RHO)
BEAM = Beam.uniform(LENGTH, SECTION, 10)


def numeric(beam: FloatingBeam, expression: object, q: np.ndarray, v: np.ndarray) -> np.ndarray:
    """An expression of a beam at coordinates q and velocities v."""
    symbols = (*beam.q, *velocities(tuple(beam.q)), *beam.parameters)
    return np.array(sp.lambdify(symbols, expression)(*q, *v, *beam.parameters.values()), float)


def free_beam(reduced: ReducedBeam, at: str | float = 0.0, shortening: bool = True) -> FloatingBeam:
    q = (*coordinates("x z phi"), *elastic_coordinates("b", reduced))
    return FloatingBeam("b", reduced, q, q[2], Pin(q[0], q[1], at), shortening)


def frequencies(*beams: FloatingBeam) -> np.ndarray:
    """Angular frequencies of small motions about zero without gravity; the kinetic energy is a quadratic form."""
    n, energies = len(beams[0].q), [(beam, beam.kinetic) for beam in beams]
    numbers = {s: v for beam in beams for s, v in beam.parameters.items()}
    form = sp.lambdify((*beams[0].q, *velocities(tuple(beams[0].q)), *numbers), sum(t for _, t in energies), cse=True)

    def energy(v: np.ndarray) -> float:
        return float(form(*np.zeros(n), *v, *numbers.values()))

    unit, stiffness = np.eye(n), np.zeros((n, n))
    mass = np.array([[energy(a + b) - energy(a) - energy(b) for a in unit] for b in unit])
    for beam in beams:
        own = [list(beam.q).index(c) for c in beam.elastic]
        stiffness[np.ix_(own, own)] = beam.reduced.stiffness
    return np.sqrt(eigenpairs(stiffness, mass)[0])


# --- against sums over points ----------------------------------------------------------------------------------


def point_energy(reduced: ReducedBeam, q: np.ndarray, v: np.ndarray) -> tuple[float, float]:
    """Kinetic energy and height times mass of five points per element and of the rigid masses, by r = R + A u."""
    beam, ends = reduced.beam, np.array(reduced.beam.stations)
    place, share = np.polynomial.legendre.leggauss(5)
    inside = (ends[:-1, None] + np.diff(ends)[:, None] * (1 + place) / 2).ravel()
    n = inside.size
    at = np.append(inside, [m.at for m in beam.masses])
    rho = np.append(RHO * (np.diff(ends)[:, None] * share / 2).ravel(), [m.mass for m in beam.masses])
    rows = shape_rows(beam, at)
    u, w, slope = (part @ reduced.basis for part in (rows.u, rows.w, rows.slope))
    bent = np.array([reduced.shortening(float(x)) for x in at])
    phi, spin, e, d = q[2], v[2], q[3:], v[3:]
    x, z = at + u @ e - bent @ e @ e / 2, w @ e
    x_dot, z_dot = u @ d - bent @ e @ d - spin * z, w @ d + spin * x
    c, s = np.cos(phi), np.sin(phi)
    speed = (v[0] + c * x_dot - s * z_dot) ** 2 + (v[1] + s * x_dot + c * z_dot) ** 2
    turning = sum(m.inertia * (spin + (slope @ d)[n + i]) ** 2 for i, m in enumerate(beam.masses))
    return float(rho @ speed + turning) / 2, float(rho @ (q[1] + s * x + c * z))


@pytest.mark.parametrize("axial", [None, 400.0], ids=["inextensible", "extensible"])
def test_energies_are_those_of_all_points_up_to_the_third_order(axial: float | None) -> None:
    beam = Beam.uniform(LENGTH, Section(EI, RHO, axial), 10, [RigidMass(1.5, 2.0, 0.4)])
    tip = Interface(LENGTH, ("u", "w", "theta") if axial else ("w", "theta"))
    reduced = reduce_beam(beam, {"tip": tip}, 1)
    floating, n = free_beam(reduced), len(reduced.names)
    random = np.random.default_rng(7)
    q, v = np.append([0.3, -0.2, 0.7], random.normal(size=n)), np.append([1.1, -0.6, 0.9], random.normal(size=n))
    kinetic, weight = floating.kinetic, floating.potential(1) - floating.potential(0)
    missing = []
    for scale in (0.02, 0.01):
        q_s, v_s = np.append(q[:3], scale * q[3:]), np.append(v[:3], scale * v[3:])
        points = point_energy(reduced, q_s, v_s)
        missing.append(abs(numeric(floating, kinetic, q_s, v_s) - points[0]))
        assert numeric(floating, weight, q_s, v_s) == pytest.approx(points[1], rel=1e-12)
    assert missing[0] < 1e-4
    assert missing[0] / missing[1] == pytest.approx(8.0, abs=1.0)


def test_shortening_can_be_left_out() -> None:
    reduced = reduce_beam(BEAM, {"tip": LENGTH})
    with_it, without = free_beam(reduced), free_beam(reduced, shortening=False)
    q, v = np.array([0.0, 0.0, 0.4, 0.1, 0.0]), np.array([0.5, 0.2, 2.0, 0.0, 0.0])
    assert numeric(with_it, with_it.kinetic, q, v) < numeric(without, without.kinetic, q, v) - 1e-4
    assert numeric(without, without.local("tip"), q, v).ravel() == pytest.approx([LENGTH, 0.1])
    assert numeric(with_it, with_it.local("tip"), q, v)[0, 0] < LENGTH - 0.6 * 0.1**2 / LENGTH


# --- rigid limits ----------------------------------------------------------------------------------------------


def test_an_undeformed_beam_is_a_rigid_body() -> None:
    floating = free_beam(reduce_beam(BEAM, {"tip": LENGTH}).orthonormal)
    q, v = np.array([1.0, 2.0, 0.6, 0.0, 0.0]), np.array([0.3, -0.8, 1.5, 0.0, 0.0])
    m, half = RHO * LENGTH, LENGTH / 2
    vx, vz = 0.3 - 1.5 * half * np.sin(0.6), -0.8 + 1.5 * half * np.cos(0.6)
    rigid = m * (vx**2 + vz**2) / 2 + m * LENGTH**2 / 12 * 1.5**2 / 2
    assert numeric(floating, floating.kinetic, q, v) == pytest.approx(rigid)
    height = 2.0 + half * np.sin(0.6)
    assert numeric(floating, floating.potential(9.81), q, v) == pytest.approx(9.81 * m * height)
    tip = numeric(floating, floating.position("tip", (0.1, -0.3)), q, v).ravel()
    turn = np.array([[np.cos(0.6), -np.sin(0.6)], [np.sin(0.6), np.cos(0.6)]])
    assert tip == pytest.approx([1.0, 2.0] + turn @ [LENGTH + 0.1, -0.3])


# --- against whole beams ---------------------------------------------------------------------------------------


@pytest.mark.parametrize("at", [0.0, "tip"])
def test_a_free_beam_has_the_modes_of_a_free_beam(at: str | float) -> None:
    """The frame is clamped to one end and hangs on either: neither may be seen in the motion."""
    floating = free_beam(reduce_beam(BEAM, {"tip": LENGTH}, 4).orthonormal, at)
    found, exact = frequencies(floating), analytic_frequencies("free-free", SECTION, LENGTH, 3)
    assert np.all(found[:3] < 1e-3 * exact[0])
    assert found[3:6] == pytest.approx(exact, rel=6e-3)


def test_a_pinned_beam_has_the_modes_of_a_pinned_beam() -> None:
    """beta L = 3.9266, 7.0686 (pinned and free)."""
    reduced = reduce_beam(BEAM, {"tip": LENGTH}, 3).orthonormal
    q = (*coordinates("phi"), *elastic_coordinates("b", reduced))
    found = frequencies(FloatingBeam("b", reduced, q, q[0]))
    assert found[0] < 1e-3
    assert found[1:3] == pytest.approx((np.array([3.926602, 7.068583]) / LENGTH) ** 2 * np.sqrt(EI / RHO), rel=2e-3)


def test_two_beams_welded_together_are_one_cantilever() -> None:
    first = reduce_beam(Beam.uniform(0.8, SECTION, 8), {"end": 0.8}, 3).orthonormal
    second = reduce_beam(Beam.uniform(1.2, SECTION, 12), {"tip": 1.2}, 3)
    q = (*elastic_coordinates("a", first), *elastic_coordinates("b", second))
    a = FloatingBeam("a", first, q, sp.Integer(0))
    b = FloatingBeam("b", second, q, a.angle_at("end"), Pin(*a.position("end")))
    exact = analytic_frequencies("cantilever", SECTION, LENGTH, 4)
    assert frequencies(a, b)[:4] == pytest.approx(exact, rel=1e-3)


def test_a_spinning_rod_is_stretched() -> None:
    """u(L) = rho w^2 L^3/(3 EA), from dT/dq = dV/dq at a constant spin."""
    reduced = reduce_beam(Beam.uniform(LENGTH, Section(EI, RHO, 4e3), 10), {"tip": Interface(LENGTH, ("u",))}, 2)
    q = (*coordinates("phi"), *elastic_coordinates("b", reduced))
    rod, v = FloatingBeam("b", reduced, q, q[0]), velocities(q)
    pull = [sp.diff(rod.kinetic, c).subs(dict.fromkeys((*q, *v[1:]), 0)) for c in q[1:]]
    force = numeric(rod, pull, np.zeros(len(q)), np.array([5.0, *np.zeros(len(q) - 1)]))
    stretch = np.linalg.solve(reduced.stiffness, force)
    assert (reduced.displacement("tip") @ stretch)[0] == pytest.approx(RHO * 25.0 * LENGTH**3 / (3 * 4e3), rel=1e-3)


def test_sections_turn_with_the_beam() -> None:
    reduced = reduce_beam(BEAM, {"tip": LENGTH})
    floating = free_beam(reduced)
    q, v = np.array([0.0, 0.0, 0.2, 0.0, 0.05]), np.zeros(5)
    assert numeric(floating, floating.angle_at("tip"), q, v) == pytest.approx(0.25)
    lug = numeric(floating, floating.local("tip", (0.4, 0.3)) - floating.local("tip"), q, v).ravel()
    turned = [0.4 * np.cos(0.05) - 0.3 * np.sin(0.05), 0.4 * np.sin(0.05) + 0.3 * np.cos(0.05)]
    assert lug == pytest.approx(turned, abs=3e-5)


# --- damping, names --------------------------------------------------------------------------------------------


@pytest.mark.parametrize("orthonormal", [True, False])
def test_rayleigh_damping_acts_on_the_elastic_block_alone(orthonormal: bool) -> None:
    reduced = reduce_beam(BEAM, {"tip": LENGTH}, 1)
    floating = free_beam(reduced.orthonormal if orthonormal else reduced)
    laws = floating.damping_laws(alpha=0.3, beta=0.02)
    d = np.array([laws[point.name].d for point in floating.frictions])
    v = velocities(tuple(floating.q))
    rows = [[sp.diff(point.velocity[0], c) for c in v] for point in floating.frictions]
    directions = numeric(floating, rows, np.zeros(6), np.zeros(6))
    damping = directions.T @ np.diag(d) @ directions
    expected = 0.3 * floating.reduced.mass + 0.02 * floating.reduced.stiffness
    assert not damping[:3].any()
    assert damping[3:, 3:] == pytest.approx(expected, abs=1e-8 * np.abs(expected).max())


def test_wrong_damping_and_missing_coordinates_are_refused() -> None:
    reduced = reduce_beam(BEAM, {"tip": LENGTH})
    with pytest.raises(ParameterError, match="beta must not be negative, got -1"):
        free_beam(reduced).damping_laws(beta=-1.0)
    with pytest.raises(ModelError, match=r"beam 'b' needs the coordinates \['b_2'\]"):
        FloatingBeam("b", reduced, coordinates("phi b_1"), sp.Integer(0))


def test_zeros_and_ones_get_no_symbols() -> None:
    floating = free_beam(reduce_beam(BEAM, {"tip": LENGTH}, 1).orthonormal)
    assert floating.kinetic.free_symbols - {*floating.q, *velocities(tuple(floating.q))} <= set(floating.parameters)
    names = {s.name for s in floating.parameters}
    assert "b_mass" in names
    assert not any(name.startswith(("b_m_ff", "b_crossed", "b_along")) for name in names)
