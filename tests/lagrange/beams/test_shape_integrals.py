"""Shape integrals of reduced beams: against closed forms, and against sums over many points."""

from __future__ import annotations

import numpy as np
import pytest

from chrono_powercontact.lagrange.beams.beam_elements import shape_rows
from chrono_powercontact.lagrange.beams.beams import Beam, RigidMass, Section
from chrono_powercontact.lagrange.beams.reduction import Interface, ReducedBeam, reduce_beam
from chrono_powercontact.lagrange.beams.shape_integrals import shape_integrals

LENGTH, RHO = 3.0, 2.0
PLAIN = Beam.uniform(LENGTH, Section(5.0, RHO), 6)


def test_a_rigid_beam_has_mass_moment_and_inertia() -> None:
    rake = RigidMass(2.6, 9.0, 1.2)
    beam = Beam.uniform(LENGTH, Section(5.0, RHO, rotary=0.1), 6, [rake])
    known = shape_integrals(reduce_beam(beam, {"tip": LENGTH}))
    assert known.mass == pytest.approx(6.0 + 9.0)
    assert known.moment == pytest.approx(9.0 + 9.0 * 2.6)
    assert known.inertia == pytest.approx(18.0 + 0.3 + 9.0 * 2.6**2 + 1.2)


def test_integrals_of_a_parabola() -> None:
    """w = q (x/L)^2 (a cantilever under an end moment); every integral is a polynomial."""
    reduced = reduce_beam(PLAIN, {"tip": LENGTH})
    q = np.array([1.0, 2.0 / LENGTH])
    known, m = shape_integrals(reduced), RHO * LENGTH
    assert known.across @ q == pytest.approx(m / 3)
    assert known.x_across @ q == pytest.approx(m * LENGTH / 4)
    assert q @ known.swelling @ q == pytest.approx(m / 5)
    assert q @ known.shortening @ q == pytest.approx(4 / 3 / LENGTH * m / 4)
    assert q @ known.x_shortening @ q == pytest.approx(4 / 3 / LENGTH * m * LENGTH / 5)
    assert not known.along.any()
    assert not known.x_along.any()
    assert not known.crossed.any()


def stretched() -> ReducedBeam:
    """Two sections, a rigid mass, an extensible axis, three interfaces and two modes."""
    parts = [(1.0, Section(5.0, 2.0, 40.0, 0.05)), (2.0, Section(3.0, 1.0, 30.0))]
    beam = Beam.pieces(parts, 5, [RigidMass(2.5, 4.0, 0.3)])
    places = {"lug": 1.3, "tip": Interface(3.0, ("u", "w", "theta"))}
    return reduce_beam(beam, places, 2)


def test_integrals_are_sums_over_many_points() -> None:
    reduced = stretched()
    known, n = shape_integrals(reduced), 6000
    x = (np.arange(n) + 0.5) * 3.0 / n
    rows = shape_rows(reduced.beam, np.append(x, 2.5))
    u, w, slope = (part @ reduced.basis for part in (rows.u, rows.w, rows.slope))
    rho = np.append(np.where(x < 1.0, 2.0, 1.0) * 3.0 / n, 4.0)
    rotary = np.append(np.where(x < 1.0, 0.05, 0.0) * 3.0 / n, 0.3)
    x = np.append(x, 2.5)
    assert known.along == pytest.approx(rho @ u, rel=1e-5)
    assert known.x_along == pytest.approx((rho * x) @ u, rel=1e-5)
    assert known.across == pytest.approx(rho @ w, rel=1e-5)
    assert known.x_across == pytest.approx((rho * x) @ w + rotary @ slope, rel=1e-5)
    scale = np.abs(known.swelling).max()
    assert known.swelling == pytest.approx((u.T * rho) @ u + (w.T * rho) @ w, abs=1e-5 * scale)
    assert known.crossed == pytest.approx((u.T * rho) @ w, abs=1e-5 * scale)
    assert np.abs(known.crossed).max() > 0.01 * scale
    assert reduced.mass == pytest.approx(known.swelling + (slope.T * rotary) @ slope, abs=1e-5 * scale)


def test_shortening_integrals_are_sums_of_the_shortening_of_the_points() -> None:
    reduced = stretched()
    known, n = shape_integrals(reduced), 60
    x = (np.arange(n) + 0.5) * 3.0 / n
    rho = np.where(x < 1.0, 2.0, 1.0) * 3.0 / n
    tables = [reduced.shortening(float(at)) for at in (*x, 2.5)]
    rho, x = np.append(rho, 4.0), np.append(x, 2.5)
    scale = np.abs(known.x_shortening).max()
    assert known.shortening == pytest.approx(np.einsum("k,kij->ij", rho, tables), abs=3e-4 * scale)
    assert known.x_shortening == pytest.approx(np.einsum("k,kij->ij", rho * x, tables), abs=3e-4 * scale)


def test_orthonormal_modes_carry_the_mass_of_the_rigid_motions() -> None:
    """Modal participation: sum (int rho x W)^2 comes up to int rho x^2 with the number of modes."""
    known = shape_integrals(reduce_beam(PLAIN, {"tip": LENGTH}, 10).orthonormal)
    assert 0.999 < known.x_across @ known.x_across / known.inertia < 1.0
    assert 0.95 < known.across @ known.across / known.mass < 1.0
