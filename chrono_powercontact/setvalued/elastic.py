"""The elastic arbiter: among all admissible contact forces, those with the least strain energy of the body.

A body that is stiff, but not rigid, takes up the forces for which its strain energy is least (Castigliano). With its
compliance known, the split is no longer a matter of the solver.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from scipy.optimize import minimize

from ..errors import NoFeasibleForceError, ParameterError
from .contact_set import ContactSet, Matrix, Touching, Vector
from .ranges import ranges_of


class Compliance(NamedTuple):
    """Strain energy lambda' C lambda/2 + d' lambda of contact forces in N.

    Attributes:
        matrix: C in m/N, displacements of the contacts under their own forces.
        bias: d in m, displacements of the contacts under all other forces.
    """

    matrix: Matrix
    bias: Vector

    def energy(self, forces: Vector) -> float:
        """Strain energy in J of contact forces in N, without that of the other forces alone."""
        return float(0.5 * forces @ self.matrix @ forces + self.bias @ forces)


def elastic_forces(contacts: ContactSet, compliance: Compliance) -> Vector:
    """Contact forces in N with the least strain energy that keep the balance within the friction cones."""
    count = len(contacts.labels)
    matrix = np.asarray(compliance.matrix, float)
    if matrix.shape != (count, count) or np.shape(compliance.bias) != (count,):
        raise ParameterError(f"the compliance must have {count} rows and columns, got the shape {matrix.shape}")
    if contacts.joints.size:
        raise ParameterError("the elastic arbiter knows contacts only, not redundant joints")
    ranges = ranges_of(contacts)
    scale = max(float(np.abs(contacts.balance).max()), 1e-300)
    start = np.array([_inside(component.low, component.high) for component in ranges]) / scale
    size = max(float(np.abs(matrix).max()), 1e-300)
    hessian = matrix / size
    slope = np.asarray(compliance.bias, float) / (size * scale)
    found = minimize(
        lambda x: 0.5 * x @ hessian @ x + slope @ x, start, jac=lambda x: hessian @ x + slope, method="SLSQP",
        constraints=_constraints(contacts, scale), options={"ftol": 1e-16, "maxiter": 500},
    )  # fmt: skip
    missing = contacts.rows.T @ found.x - contacts.balance / scale
    if np.abs(missing).max() > 1e-6:
        raise NoFeasibleForceError(f"the least strain energy was not found: {found.message}")
    return np.asarray(found.x * scale)


def _inside(low: float, high: float) -> float:
    """A number between two bounds that may be infinite."""
    if np.isfinite(low) and np.isfinite(high):
        return 0.5 * (low + high)
    return low if np.isfinite(low) else min(high, 0.0)


def _constraints(contacts: ContactSet, scale: float) -> list[dict[str, object]]:
    """Balance and cones as SciPy's SLSQP takes them, for forces over `scale`."""
    rows = contacts.rows
    balance = contacts.balance / scale
    kept: list[dict[str, object]] = [
        {"type": "eq", "fun": lambda x: rows.T @ x - balance, "jac": lambda x: rows.T},
    ]
    first = 0
    for contact in contacts.contacts:
        kept += _cone(contact, slice(first, first + len(contact.rows)))
        first += len(contact.rows)
    return kept


def _cone(contact: Touching, part: slice) -> list[dict[str, object]]:
    """The cone of one contact: facets of a planar one, the square of a circular one; or the ray of sliding."""
    size = len(contact.tangential)
    mu = contact.mu
    bounds: list[dict[str, object]] = [{"type": "ineq", "fun": lambda x: x[part][-1]}]
    if contact.sliding is not None:
        ratio = contact.sliding
        bounds.append({"type": "eq", "fun": lambda x: x[part][:size] - ratio * x[part][-1]})
    elif size == 1:
        bounds.append({"type": "ineq", "fun": lambda x: mu * x[part][-1] - x[part][0]})
        bounds.append({"type": "ineq", "fun": lambda x: mu * x[part][-1] + x[part][0]})
    elif size == 2:
        bounds.append({"type": "ineq", "fun": lambda x: (mu * x[part][-1]) ** 2 - float(x[part][:2] @ x[part][:2])})
    return bounds
