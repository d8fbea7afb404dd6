"""Natural modes of beams against the closed forms of Euler and Bernoulli."""

from __future__ import annotations

import numpy as np
import pytest

from chrono_powercontact.errors import ParameterError, UnknownNameError
from chrono_powercontact.lagrange.beams.beam_elements import CLAMPED, mass_matrix, stiffness_matrix
from chrono_powercontact.lagrange.beams.beam_modes import (
    analytic_frequencies,
    analytic_shape,
    eigenpairs,
    natural_modes,
    wave_numbers,
)
from chrono_powercontact.lagrange.beams.beams import Beam, RigidMass, Section

LENGTH = 6.0
SECTION = Section(1.89e8, 262.5)
KINDS = {
    "cantilever": (CLAMPED, 0),
    "simply supported": ({0.0: ("w",), LENGTH: ("w",)}, 0),
    "free-free": ({}, 2),
    "clamped-clamped": ({0.0: ("w", "theta"), LENGTH: ("w", "theta")}, 0),
}


@pytest.mark.parametrize(
    ("kind", "published"),
    [
        ("cantilever", [1.875104, 4.694091, 7.854757, 10.995541]),
        ("free-free", [4.730041, 7.853205, 10.995608, 14.137165]),
        ("clamped-clamped", [4.730041, 7.853205, 10.995608, 14.137165]),
        ("simply supported", [np.pi, 2 * np.pi, 3 * np.pi, 4 * np.pi]),
    ],
)
def test_wave_numbers_are_the_published_ones(kind: str, published: list[float]) -> None:
    assert wave_numbers(kind, 4) == pytest.approx(published, abs=1e-6)


@pytest.mark.parametrize("kind", KINDS)
def test_frequencies_of_uniform_beams(kind: str) -> None:
    """Cubic elements come from above, with the fourth order of the element length."""
    held, rigid = KINDS[kind]
    exact = analytic_frequencies(kind, SECTION, LENGTH, 5)
    errors = []
    for elements in (10, 20):
        found = natural_modes(Beam.uniform(LENGTH, SECTION, elements), held, 5 + rigid).frequencies
        assert np.all(found[:rigid] < 1e-3 * exact[0])
        errors.append(found[rigid:] / exact - 1.0)
    assert np.all(errors[1] > -1e-9)
    assert np.all(errors[1] < 4e-4)
    assert errors[1][0] < 3e-6
    assert np.log2(errors[0][4] / errors[1][4]) == pytest.approx(4.0, abs=0.3)


@pytest.mark.parametrize("mode", [1, 2, 3])
@pytest.mark.parametrize("kind", KINDS)
def test_shapes_of_uniform_beams(kind: str, mode: int) -> None:
    held, rigid = KINDS[kind]
    modes = natural_modes(Beam.uniform(LENGTH, SECTION, 40), held, mode + rigid)
    x = np.linspace(0.0, 1.0, 201)
    found, exact = modes.deflection(LENGTH * x)[:, -1], analytic_shape(kind, mode, x)
    found *= (found @ exact) / (found @ found)
    assert np.abs(exact).max() == pytest.approx(1.0, abs=1e-3)
    assert np.abs(found - exact).max() < 2e-5


def test_a_heavy_tip_makes_a_cantilever_a_spring() -> None:
    """w^2 = 3 EI/(L^3 (m + 33/140 m_beam)) after Rayleigh."""
    beam = Beam.uniform(LENGTH, SECTION, 20, [RigidMass(LENGTH, 2e4)])
    first = natural_modes(beam, CLAMPED, 1).frequencies[0]
    assert first**2 == pytest.approx(3 * 1.89e8 / LENGTH**3 / (2e4 + 33 / 140 * 1575.0), rel=1e-4)


def test_an_extensible_rod_has_its_axial_modes() -> None:
    beam = Beam.uniform(2.0, Section(1e2, 3.0, axial=50.0), 40)
    first = natural_modes(beam, CLAMPED, 1).frequencies[0]
    assert first == pytest.approx(np.pi / 4.0 * np.sqrt(50.0 / 3.0), rel=1e-4)


def test_shapes_have_unit_modal_mass() -> None:
    modes = natural_modes(Beam.uniform(LENGTH, SECTION), CLAMPED, 4)
    assert modes.shapes.T @ mass_matrix(modes.beam) @ modes.shapes == pytest.approx(np.eye(4), abs=1e-9)
    stiff = modes.shapes.T @ stiffness_matrix(modes.beam) @ modes.shapes
    assert stiff == pytest.approx(np.diag(modes.frequencies**2), abs=1e-6 * modes.frequencies[-1] ** 2)


def test_eigenpairs_have_a_definite_sign() -> None:
    _, vectors = eigenpairs(np.diag([2.0, 1.0]), np.eye(2))
    assert vectors == pytest.approx(np.array([[0.0, 1.0], [1.0, 0.0]]))


@pytest.mark.parametrize("count", [0, 41, 1.5])
def test_a_wrong_number_of_modes_is_refused(count: int) -> None:
    with pytest.raises(ParameterError, match=f"count must be a whole number between 1 and 40, got {count}"):
        natural_modes(Beam.uniform(LENGTH, SECTION), CLAMPED, count)


def test_an_unknown_kind_is_refused() -> None:
    with pytest.raises(UnknownNameError, match="did you mean 'cantilever'"):
        wave_numbers("cantilevr", 1)
