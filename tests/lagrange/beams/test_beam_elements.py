"""Finite elements of beams: textbook matrices, exact statics, rigid motions."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from chrono_powercontact.errors import ParameterError
from chrono_powercontact.lagrange.beams.beam_elements import (
    CLAMPED,
    columns,
    free_columns,
    gauss_points,
    mass_matrix,
    shape_rows,
    stiffness_matrix,
)
from chrono_powercontact.lagrange.beams.beams import Beam, RigidMass, Section

LENGTH, EI, EA, RHO = 2.0, 7.0, 30.0, 5.0
ELEMENT = Beam.uniform(LENGTH, Section(EI, RHO, EA), 1)
LUMPY = Beam.pieces(
    [(1.0, Section(4.0, 2.0, 50.0, 0.3)), (2.0, Section(9.0, 1.0, 80.0))], 3, [RigidMass(2.2, 6.0, 0.7)]
)


def test_element_matrices_are_the_textbook_ones() -> None:
    n = LENGTH
    bend = EI / n**3 * np.array([[12, 6 * n, -12, 6 * n], [6 * n, 4 * n**2, -6 * n, 2 * n**2],
                                 [-12, -6 * n, 12, -6 * n], [6 * n, 2 * n**2, -6 * n, 4 * n**2]])  # fmt: skip
    mass = RHO * n / 420 * np.array([[156, 22 * n, 54, -13 * n], [22 * n, 4 * n**2, 13 * n, -3 * n**2],
                                     [54, 13 * n, 156, -22 * n], [-13 * n, -3 * n**2, -22 * n, 4 * n**2]])  # fmt: skip
    across, along = np.ix_([1, 2, 4, 5], [1, 2, 4, 5]), np.ix_([0, 3], [0, 3])
    assert stiffness_matrix(ELEMENT)[across] == pytest.approx(bend)
    assert mass_matrix(ELEMENT)[across] == pytest.approx(mass)
    assert stiffness_matrix(ELEMENT)[along] == pytest.approx(EA / n * np.array([[1, -1], [-1, 1]]))
    assert mass_matrix(ELEMENT)[along] == pytest.approx(RHO * n / 6 * np.array([[2, 1], [1, 2]]))


def test_rigid_motions_cost_no_energy_and_weigh_what_the_beam_weighs() -> None:
    x = np.array(LUMPY.stations)
    along, across, turn = (np.zeros(3 * x.size) for _ in range(3))
    along[0::3], across[1::3], turn[1::3], turn[2::3] = 1.0, 1.0, x, 1.0
    stiffness, mass = stiffness_matrix(LUMPY), mass_matrix(LUMPY)
    for motion in (along, across, turn):
        assert np.abs(stiffness @ motion).max() < 1e-12 * np.abs(stiffness).max()
    assert along @ mass @ along == pytest.approx(2.0 + 2.0 + 6.0)
    assert across @ mass @ across == pytest.approx(10.0)
    beam = 2.0 * 1.0 / 3.0 + 0.3 + 1.0 * (27.0 - 1.0) / 3.0
    assert turn @ mass @ turn == pytest.approx(beam + 6.0 * 2.2**2 + 0.7)


@given(st.integers(1, 10), st.integers(1, 9))
def test_a_cantilever_under_loads_at_a_node_is_exact(place: int, elements: int) -> None:
    """w(L) = F a^2 (3 L - a)/(6 EI) for a force at a, M a (2 L - a)/(2 EI) for a moment; also along the axis."""
    a = 0.1 * place * LENGTH
    beam = Beam.uniform(LENGTH, Section(EI, RHO, EA), elements).with_node(a)
    free = free_columns(beam, CLAMPED)
    force = np.zeros((3 * len(beam.stations), 3))
    force[columns(beam, {a: ("u", "w", "theta")}), range(3)] = 1.0
    moved = np.zeros_like(force)
    moved[free] = np.linalg.solve(stiffness_matrix(beam)[np.ix_(free, free)], force[free])
    assert moved[-3:, 0] == pytest.approx([a / EA, 0.0, 0.0], abs=1e-12)
    assert moved[-2:, 1] == pytest.approx([a**2 * (3 * LENGTH - a) / (6 * EI), a**2 / (2 * EI)], rel=1e-8)
    assert moved[-2:, 2] == pytest.approx([a * (2 * LENGTH - a) / (2 * EI), a / EI], rel=1e-8)


@given(st.lists(st.floats(-2.0, 2.0), min_size=4, max_size=4), st.floats(0.0, 3.0))
def test_shape_functions_carry_every_cubic(c: list[float], at: float) -> None:
    x = np.array(LUMPY.stations)
    cubic, slope = np.polynomial.Polynomial(c), np.polynomial.Polynomial(c).deriv()
    nodes = np.zeros(3 * x.size)
    nodes[0::3], nodes[1::3], nodes[2::3] = 2.0 * x, cubic(x), slope(x)
    rows = shape_rows(LUMPY, at)
    assert (rows.w @ nodes)[0] == pytest.approx(cubic(at), abs=1e-9)
    assert (rows.slope @ nodes)[0] == pytest.approx(slope(at), abs=1e-9)
    assert (rows.curvature @ nodes)[0] == pytest.approx(slope.deriv()(at), abs=1e-8)
    assert (rows.u @ nodes)[0] == pytest.approx(2.0 * at, abs=1e-12)
    assert (rows.strain @ nodes)[0] == pytest.approx(2.0)


@pytest.mark.parametrize("until", [0.0, 0.7, 2.2, 3.0])
def test_gauss_points_integrate_to_any_station(until: float) -> None:
    points = gauss_points(LUMPY, until)
    assert points.weight @ points.x**7 == pytest.approx(until**8 / 8)


def test_an_inextensible_axis_has_no_coordinates_along_it() -> None:
    beam = Beam.uniform(1.0, Section(1.0, 1.0), 2)
    assert free_columns(beam, CLAMPED) == [4, 5, 7, 8]
    assert free_columns(beam, {}) == [1, 2, 4, 5, 7, 8]


def test_unknown_components_are_refused() -> None:
    with pytest.raises(ParameterError, match="a component must be one of u, w, theta, got 'phi'"):
        columns(ELEMENT, {0.0: ("phi",)})
