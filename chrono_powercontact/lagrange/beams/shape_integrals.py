"""Integrals over a reduced beam that couple its deformation with the motion of its frame (2.39)."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from .beam_elements import GaussPoints, Matrix, gauss_points, gram, of_sections, shape_rows
from .beams import Beam
from .reduction import ReducedBeam

_NOTHING = 1e-12
"""Entries below this fraction of the largest of their kind are rounding errors."""


@dataclass(frozen=True)
class ShapeIntegrals:
    """Shape integrals in the frame of the beam, x along its axis; a displacement is S q = (U q, W q).

    Attributes:
        mass: int rho, in kg. moment: int rho x, in kg m. inertia: int rho x^2 + rotary, about station 0, in kg m^2.
        along, across: int rho U and int rho W. x_along: int rho x U. x_across: int rho x W + rotary W'.
        swelling: int rho (U^T U + W^T W). crossed: int rho U^T W, of which the skew part is the Coriolis coupling.
        shortening: int rho H. x_shortening: int rho x H; H as in `ReducedBeam.shortening`.
    """

    mass: float
    moment: float
    inertia: float
    along: NDArray[np.float64]
    across: NDArray[np.float64]
    x_along: NDArray[np.float64]
    x_across: NDArray[np.float64]
    swelling: Matrix
    crossed: Matrix
    shortening: Matrix
    x_shortening: Matrix


def shape_integrals(reduced: ReducedBeam) -> ShapeIntegrals:
    """All shape integrals of a reduced beam, rigid masses on it included."""
    x, mass, rotary, u, w, slope = _samples(reduced)
    return ShapeIntegrals(
        float(mass.sum()), float(mass @ x), float(mass @ x**2 + rotary.sum()),
        mass @ u, mass @ w, (mass * x) @ u, _clean((mass * x) @ w + rotary @ slope),
        _clean(gram(u, mass, u) + gram(w, mass, w)), _clean(gram(u, mass, w)), *_shortenings(reduced),
    )  # fmt: skip


def _samples(reduced: ReducedBeam) -> tuple[Matrix, ...]:
    """Stations, masses, rotary inertias and displacement rows u, w, slope of Gauss points and rigid masses."""
    beam = reduced.beam
    points = gauss_points(reduced.beam)
    at = np.array([body.at for body in beam.masses])
    rigid = shape_rows(beam, at)
    rows = points.rows
    mass = points.weight * of_sections(beam, "mass", points)
    rotary = points.weight * of_sections(beam, "rotary", points)
    return (
        np.append(points.x, at),
        np.append(mass, [body.mass for body in beam.masses]),
        np.append(rotary, [body.inertia for body in beam.masses]),
        np.vstack([rows.u, rigid.u]) @ reduced.basis,
        np.vstack([rows.w, rigid.w]) @ reduced.basis,
        np.vstack([rows.slope, rigid.slope]) @ reduced.basis,
    )


def _shortenings(reduced: ReducedBeam) -> tuple[Matrix, Matrix]:
    """int rho H and int rho x H: the slopes, weighted with what lies further out."""
    points = gauss_points(reduced.beam)
    slope = points.rows.slope @ reduced.basis
    mass, moment = _outboard(reduced.beam, points)
    return gram(slope, points.weight * mass, slope), gram(slope, points.weight * moment, slope)


def _outboard(beam: Beam, points: GaussPoints) -> tuple[Matrix, Matrix]:
    """Mass in kg and its first moment about station 0 in kg m beyond each Gauss point."""
    ends = np.array(beam.stations)
    density = np.array([section.mass for section in beam.sections])
    elements = density * np.diff(ends), density * np.diff(ends**2) / 2.0
    beyond = [np.append(np.cumsum(part[::-1])[::-1], 0.0)[1:][points.element] for part in elements]
    end = ends[1:][points.element]
    rho = density[points.element]
    mass = beyond[0] + rho * (end - points.x)
    moment = beyond[1] + rho * (end**2 - points.x**2) / 2.0
    for body in beam.masses:
        mass = mass + body.mass * (points.x < body.at)
        moment = moment + body.mass * body.at * (points.x < body.at)
    return mass, moment


def _clean(values: Matrix) -> Matrix:
    return np.where(np.abs(values) < _NOTHING * np.abs(values).max(initial=0.0), 0.0, values)
