"""The Delassus matrix, its rank and null vectors, and the step of fixed-point iterations that follows from it."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from ..errors import ModelError
from ..kernel import kernel
from .contact_set import ContactSet, Matrix, Vector

Array = Any

ROUND_OFF = 1e-10
"""Singular values below this fraction of the largest count as zero."""

SMALLEST = 1e-12
"""Least eigenvalue of a singular Delassus matrix in the r-factor (C.9)."""


@dataclass(frozen=True)
class Indeterminacy:
    """What the balance leaves open.

    Attributes:
        columns: directions of all forces, one column each; contact components first, then joints.
        labels: names of the contact components.
        degree: number of force patterns that move nothing: independent combinations of contact and joint forces.
        of_contacts: number of patterns that change a contact force; the others are redundant joints alone.
        of_normals: number of independent ways in which normal forces can change; 0 where the balance determines them.
    """

    columns: Matrix
    labels: tuple[str, ...]
    degree: int
    of_contacts: int
    of_normals: int

    @cached_property
    def vectors(self) -> Matrix:
        """An orthonormal basis of the patterns that move nothing, one column each."""
        return null_space(self.columns)

    def __str__(self) -> str:
        if self.degree == 0:
            return "all forces are determined by the balance of forces"
        open_ones = f"{self.of_contacts} of them in contacts, {self.of_normals} in normal forces"
        return f"{self.degree} force patterns are left open by the balance of forces, {open_ones}"


def delassus(mass: Matrix, rows: Matrix) -> Matrix:
    """G = W^T M^-1 W in 1/kg (E1 of the errata), from a mass matrix and rows W^T."""
    try:
        factor = np.linalg.cholesky(np.asarray(mass, float))
    except np.linalg.LinAlgError:
        raise ModelError(
            "the mass matrix must be positive definite: a body without mass cannot be accelerated"
        ) from None
    half = np.linalg.solve(factor, np.asarray(rows, float).T)
    return np.asarray(half.T @ half)


def null_space(matrix: Matrix) -> Matrix:
    """An orthonormal basis of the vectors that a matrix maps to zero, one column each."""
    if matrix.shape[0] == 0 or not np.any(matrix):
        return np.eye(matrix.shape[1])
    _, values, basis = np.linalg.svd(matrix)
    rank = int(np.sum(values > ROUND_OFF * values[0]))
    return basis[rank:].T


def indeterminacy_of(contacts: ContactSet) -> Indeterminacy:
    """How many force patterns the balance leaves open, and which; friction cones are not considered."""
    columns = np.vstack([contacts.rows, contacts.joints]).T
    normal = np.array([label.startswith("N_") for label in contacts.labels] + [False] * len(contacts.joints), bool)
    degree = _open(columns)
    return Indeterminacy(
        columns, tuple(contacts.labels), degree, degree - _open(contacts.joints.T), degree - _open(columns[:, ~normal])
    )


def _open(columns: Matrix) -> int:
    """Number of independent combinations of columns that are zero."""
    if not columns.size or not np.any(columns):
        return columns.shape[1]
    values = np.linalg.svd(columns, compute_uv=False)
    return columns.shape[1] - int(np.sum(values > ROUND_OFF * values[0]))


def r_factor(g: Matrix) -> float:
    """Global r-factor 2/(xi_min + xi_max) of a Delassus matrix (C.8)-(C.11), in kg."""
    return float(global_r_factor.py_func(np.asarray(g, float)))


@kernel
def global_r_factor(g: Array) -> float:
    """Global r-factor (C.8)-(C.11)."""
    values = np.linalg.eigvalsh(g)
    least = values.min()
    greatest = values.max()
    if least <= ROUND_OFF * greatest:
        least = SMALLEST
    return 2.0 / (least + greatest)


def contraction(g: Matrix, r: Vector | float) -> float:
    """Spectral radius of a Jacobi sweep lambda - r G lambda on what the sweep can change."""
    values = np.linalg.eigvals(np.asarray(g, float) * np.asarray(r, float))
    real = values.real[np.abs(values) > ROUND_OFF * np.abs(values).max()]
    return float(np.abs(1.0 - real).max())
