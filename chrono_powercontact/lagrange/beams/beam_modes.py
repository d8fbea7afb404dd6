"""Natural modes of beams: from finite elements, and in closed form for uniform beams as the yardstick."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ...errors import ParameterError, UnknownNameError
from .beam_elements import Held, Matrix, free_columns, mass_matrix, shape_rows, size, stiffness_matrix
from .beams import Beam, Section

_CHARACTERISTIC: dict[str, Callable[[float], float]] = {
    "cantilever": lambda z: np.cos(z) + 1.0 / np.cosh(z),
    "free-free": lambda z: np.cos(z) - 1.0 / np.cosh(z),
    "clamped-clamped": lambda z: np.cos(z) - 1.0 / np.cosh(z),
    "simply supported": np.sin,
}
"""Characteristic functions of a uniform beam whose roots are beta L, divided by cosh where they grow with it."""


@dataclass(frozen=True)
class Modes:
    """Natural modes of a beam.

    Attributes:
        beam: with a node at each support.
        frequencies: angular frequencies in rad/s, rising; rigid motions have zero.
        shapes: displacements of the nodes, one column per mode, of unit modal mass.
    """

    beam: Beam
    frequencies: NDArray[np.float64]
    shapes: Matrix

    def deflection(self, x: ArrayLike) -> Matrix:
        """Deflection across the axis at stations x in m, one column per mode."""
        return shape_rows(self.beam, x).w @ self.shapes


def eigenpairs(stiffness: Matrix, mass: Matrix) -> tuple[Matrix, Matrix]:
    """Squared angular frequencies, rising, and vectors of unit modal mass of K x = w^2 M x."""
    from scipy.linalg import eigh

    squares, vectors = eigh(stiffness, mass)
    largest = vectors[np.abs(vectors).argmax(axis=0), np.arange(squares.size)]
    return np.maximum(squares, 0.0), vectors * np.where(largest < 0.0, -1.0, 1.0)


def natural_modes(beam: Beam, held: Held, count: int) -> Modes:
    """The lowest natural modes of a beam whose named components are held at zero; `held` may be empty."""
    beam = beam.with_node(*held)
    free = free_columns(beam, held)
    if not isinstance(count, int) or not 1 <= count <= len(free):
        raise ParameterError(f"count must be a whole number between 1 and {len(free)}, got {count!r}")
    block = np.ix_(free, free)
    squares, vectors = eigenpairs(stiffness_matrix(beam)[block], mass_matrix(beam)[block])
    shapes = np.zeros((size(beam), count))
    shapes[free] = vectors[:, :count]
    return Modes(beam, np.sqrt(squares[:count]), shapes)


def wave_numbers(kind: str, count: int) -> NDArray[np.float64]:
    """The first roots beta L of a uniform beam's characteristic equation, without its rigid motions."""
    from scipy.optimize import brentq

    if kind not in _CHARACTERISTIC:
        raise UnknownNameError("kind of beam", kind, _CHARACTERISTIC)
    middle = {"cantilever": -0.5, "simply supported": 0.0}.get(kind, 0.5)
    around = [(n + middle) * np.pi for n in range(1, count + 1)]
    return np.array([brentq(_CHARACTERISTIC[kind], z - 1.0, z + 1.0, xtol=1e-14) for z in around])


def analytic_frequencies(kind: str, section: Section, length: float, count: int) -> NDArray[np.float64]:
    """Angular frequencies in rad/s of a uniform beam: beta^2 sqrt(EI/(rho A)), rigid motions left out."""
    return (wave_numbers(kind, count) / length) ** 2 * np.sqrt(section.bending / section.mass)


def analytic_shape(kind: str, mode: int, x: ArrayLike) -> NDArray[np.float64]:
    """Mode shape number `mode` (from 1) of a uniform beam at x/L between 0 and 1, with the maximum 1."""
    z = wave_numbers(kind, mode)[-1]
    x = np.asarray(x, float)
    fine = np.linspace(0.0, 1.0, 2001)
    return _shape(kind, z, x) / np.abs(_shape(kind, z, fine)).max()


def _shape(kind: str, z: float, x: NDArray[np.float64]) -> NDArray[np.float64]:
    if kind == "simply supported":
        return np.sin(z * x)
    sign = 1.0 if kind == "free-free" else -1.0
    other = np.sinh(z) - np.sin(z) if kind != "cantilever" else np.sinh(z) + np.sin(z)
    ratio = (np.cosh(z) - np.cos(z) if kind != "cantilever" else np.cosh(z) + np.cos(z)) / other
    return np.cosh(z * x) + sign * np.cos(z * x) - ratio * (np.sinh(z * x) + sign * np.sin(z * x))
