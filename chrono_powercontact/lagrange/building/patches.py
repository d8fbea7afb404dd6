"""Contact patches in the reference engine: friction that slides and spins at once.

A patch of radius R resists the slip and, at its radius, the spin about the normal as one vector of sliding velocities
(Contensou 1963): R times the angular velocity is a further component of the slip; the friction along it is a moment.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

import sympy as sp

from ...errors import ModelError
from ..model import ContactPoint, Model


def radius_name(point: str) -> str:
    """Name of the parameter that holds the radius in m of the patch of a contact point."""
    return f"patch_{point}"


def patched_point(point: ContactPoint) -> ContactPoint:
    """A contact point whose slip has the spin of its patch as a last component."""
    if not point.spinning or not point.tangential:
        raise ModelError(
            f"contact point {point.name!r} has a patch but no "
            f"{'relative angular velocity about the normal' if point.tangential else 'tangential velocity'}"
        )
    spin = tuple(sp.Symbol(radius_name(point.name)) * component for component in point.spinning)
    return replace(point, tangential=(*point.tangential, *spin))


def with_patches(model: Model, points: Iterable[str]) -> Model:
    """A model in which some contact points have patches, whose radii are further parameters; see `radius_name`."""
    chosen = set(points)
    if not chosen:
        return model
    contacts = tuple(patched_point(point) if point.name in chosen else point for point in model.contacts)
    radii = tuple(sp.Symbol(radius_name(point.name)) for point in model.contacts if point.name in chosen)
    return replace(model, contacts=contacts, parameters=(*model.parameters, *radii))
