"""Whether a step is short enough for forces at its start, or needs those at its end: the explicit limit.

Semi-implicit Euler on m x'' = -k x - c x' is stable while h (h k + 2 c) < 4 m. Here k and c are the steepest slopes of
the laws, and m is the smallest effective mass at a contact.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache
from typing import Any, NamedTuple, Protocol, runtime_checkable

import numpy as np
from numpy.typing import NDArray

from ....errors import UnknownNameError
from ....laws.friction.friction_table import (
    ABSENT,
    ANCHORED,
    LUGRE,
    presliding_spring,
    rounded_speed,
    static_pull,
)
from ....laws.normal.normal_law import NormalLaw
from ....laws.normal.normal_table import normal_force, normal_record, normal_slopes
from ...contact.contact_table import Elements

AUTO, EXPLICIT, IMPLICIT = MODES = ("auto", "explicit", "implicit")
"""Forces at the start of a step (explicit) or at its end (implicit); auto compares the step with the explicit limit."""

AT_A_CORNER = 0.25
"""Effective mass at a corner of a cube, as a fraction of its mass."""

ON_CORNERS = 1.0 / 12.0
"""The same where a body stands on several contacts that all act: a flat block on four corners rocks with four times the
stiffness of one of them, at a lever that is long against its radius of gyration. A cube has twice as much."""

SEVERAL = 3
"""Number of contacts between two bodies from which on they may stand on them."""

CREEP = (1e-9, 0.0, 0.0)
"""Sliding velocity in m/s at which friction has its slope at rest."""

CLOSING = 2.0
"""Factor by which a filter that closes at rest extends the limit of an open one: the box of the scenario `slope` creeps
no more than the filter lets it up to 0.2 ms, where an open filter would allow 0.1 ms."""

FEW = 4.0
"""Multiple of the weight of a body up to which the damping of a law counts."""


def check_mode(mode: str) -> str:
    """The name of a mode, if there is such a mode."""
    if mode not in MODES:
        raise UnknownNameError("stepping", mode, MODES)
    return mode


def longest_explicit(k: float, c: float, mass: float) -> float:
    """Longest stable explicit step in s for a stiffness in N/m, a damping in N s/m and an effective mass in kg."""
    slowing = float(np.sqrt(c * c + 4.0 * k * mass)) + c
    return 4.0 * mass / slowing if slowing > 0.0 else np.inf


@cache
def law_limit(law: NormalLaw, mass: float, weight: float) -> float:
    """Longest stable explicit step in s of a normal law with an effective mass in kg, under a weight in N.

    An impact may meet the largest stiffness. Damping counts as far as the law carries a few times the weight: deeper
    inside it acts for moments only, and its force is bounded.
    """
    record = normal_record(law)
    depth = law.reach if law.reach > 0.0 else 1e-4
    limit = np.inf
    for s in law.s_0 + depth * np.linspace(-2.0, 1.0, 121):
        k, c = (max(-slope, 0.0) for slope in normal_slopes(record, s, 0.0))
        loaded = normal_force(record, s, 0.0)[0] <= FEW * weight
        limit = min(limit, longest_explicit(k, c if loaded else 0.0, mass))
    return limit


def grip_limit(law: Any, load: float, mass: float, drag: float = 0.0) -> float:
    """Longest stable explicit step in s of an anchor or of bristles; infinite if there is none.

    Args:
        law: a record of FRICTION. load: normal force in N, 1 for friction that no normal force scales.
        mass: effective mass in kg, or moment of inertia in kg m^2. drag: viscous part in N s/m or N m s.
    """
    spring, tau = presliding_spring(law)
    if spring == 0.0:
        return np.inf
    return longest_explicit(load * spring, load * spring * tau + drag, mass)


def rub_limit(law: Any, load: float, mass: float) -> float:
    """Longest stable explicit step in s of friction without anchor or bristles; infinite if there is none.

    Friction that grows by c per speed damps. Behind a filter with the time constant T_F it is a spring of c/T_F.

    Args:
        law, load, mass: as in `grip_limit`.
    """
    if law["kind"] in (ABSENT, ANCHORED, LUGRE):
        return np.inf
    damping = load * float(static_pull(law, 1.0, 1.0, rounded_speed(law, CREEP)))
    filtered = float(law["t_f"])
    if filtered > 0.0:
        return CLOSING * longest_explicit(damping / filtered, 0.0, mass)
    return longest_explicit(0.0, damping, mass)


def anchor_limit(material: Any, gravity: float) -> float:
    """Longest stable explicit step in s of an anchor under the weight of a body, whatever its mass.

    Args:
        material: a record of MATERIAL. gravity: in m/s^2.
    """
    return grip_limit(material["friction"], gravity, AT_A_CORNER)


def friction_limit(material: Any, gravity: float) -> float:
    """Longest stable explicit step in s of friction without an anchor, under the weight of a body, whatever its mass.

    Args:
        material: a record of MATERIAL. gravity: in m/s^2.
    """
    return rub_limit(material["friction"], gravity, AT_A_CORNER)


class Borne(NamedTuple):
    """What bears on the contacts of a material: least effective mass in kg, and the mass that goes with it."""

    effective: float
    mass: float


def lightest(elements: NDArray[Any], inverse: NDArray[np.float64]) -> dict[int, Borne]:
    """Smallest effective mass at the contacts of each material, from inverse masses of the bodies in 1/kg."""
    pairs = np.stack([elements["a"], elements["b"]], axis=1)
    _, pair, counts = np.unique(pairs, axis=0, return_inverse=True, return_counts=True)
    fraction = np.where(counts[pair.ravel()] >= SEVERAL, ON_CORNERS, AT_A_CORNER)
    with np.errstate(divide="ignore"):
        mass = 1.0 / (inverse[elements["a"]] + inverse[elements["b"]])
    found = {}
    for material in np.unique(elements["material"]):
        own = np.flatnonzero(elements["material"] == material)
        least = own[np.argmin(fraction[own] * mass[own])]
        found[int(material)] = Borne(float(fraction[least] * mass[least]), float(mass[least]))
    return found


@runtime_checkable
class Weighed(Protocol):
    """Contact elements that know for which bodies their materials were made."""

    @property
    def masses(self) -> NDArray[np.float64]:
        """Least mass in kg of a body that each material was made for; not a number where that is not known."""


def expected(table: Elements, lightest_body: float) -> dict[int, Borne]:
    """What will bear on materials that no contact has at present.

    It is known of some materials. Where there are no contacts at all, all others count with the lightest body, in kg.
    """
    known = table.masses if isinstance(table, Weighed) else np.full(len(table.laws), np.nan)
    found = {}
    for number, mass in enumerate(known.tolist()):
        if np.isfinite(mass):
            found[number] = Borne(ON_CORNERS * 0.5 * mass, 0.5 * mass)
        elif not len(table.elements):
            found[number] = Borne(AT_A_CORNER * 0.5 * lightest_body, 0.5 * lightest_body)
    return found


def explicit_limit(tables: Iterable[Elements], inverse: NDArray[np.float64], gravity: float) -> float:
    """Longest stable explicit step in s of all normal laws, and of friction under the weight of their bodies.

    A table without elements counts with the bodies that it expects, see `expected`.
    """
    limit = np.inf
    heaviness = 1.0 / inverse.max() if inverse.max(initial=0.0) > 0.0 else np.inf
    for table in tables:
        for material in table.records:
            limit = min(limit, anchor_limit(material, gravity), friction_limit(material, gravity))
        for number, found in (expected(table, heaviness) | lightest(table.elements, inverse)).items():
            if np.isfinite(found.mass):
                effective = float(f"{found.effective:.3g}")
                weight = gravity * float(f"{found.mass:.3g}")
                limit = min(limit, law_limit(table.laws[number].normal, effective, weight))
    return limit
