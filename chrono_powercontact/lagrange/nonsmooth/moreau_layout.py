"""How Moreau's time stepping lays out its numbers: contacts, settings, and a record."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numba import from_dtype

Array = Any

CONTACT = np.dtype(
    [
        ("slip", np.int64),
        ("size", np.int64),
        ("row", np.int64),
        ("mu", np.float64),
        ("closed_at", np.float64),
    ]
)
"""A contact: its first slip component, the number of these, its first component in the vector of all forces, mu, and
the distance in m at which it is closed."""

SETTINGS = np.dtype(
    [
        ("step", np.float64), ("gap", np.float64), ("speed", np.float64), ("increment", np.float64),
        ("reduction", np.float64), ("outer", np.int64), ("inner", np.int64), ("restarts", np.int64),
        ("strategy", np.int64), ("gauss_seidel", np.int64), ("project", np.int64), ("warm", np.int64),
    ]
)  # fmt: skip
"""Step in s; tolerances of a closed contact in m, of stick in m/s and of the impulses in N s; factor of the r-factors
at a restart; limits of outer and inner iterations and of restarts; number of the strategy; and whether sweeps are
Gauss-Seidel's, states are projected, and warm starts are used."""

CONTACTS = from_dtype(CONTACT)[::1]
SETTING = from_dtype(SETTINGS)[::1]

PROX, PINV, HANDED, MIN1, MIN2, MIN3, GAUSS, COMPLIANCE, LEMKE = range(9)
"""Numbers of the strategies."""


class Mechanism(NamedTuple):
    """A model inside compiled code: its kernel and parameters, its contacts (see CONTACT), and room for its terms."""

    terms: Any
    parameters: Array
    contacts: Array
    out: Any


class Step(NamedTuple):
    """What does not change while the impulses of a step are sought.

    Attributes:
        end: time in s. base: coordinates from which the velocity at the end acts for the time `reach` in s.
        free: velocity without contacts. inverse: of the mass matrix, or of what stands in its place.
        rows: directions of the contact forces. force: applied forces. open: whether each contact is open.
        drive: accelerations of the contacts without their forces.
    """

    end: float
    base: Array
    reach: float
    free: Array
    inverse: Array
    rows: Array
    force: Array
    open: Array
    drive: Array


class Choice(NamedTuple):
    """What a strategy is given.

    Attributes:
        start: impulses in N s from which every step starts. scale: factors of the r-factors (for the pseudoinverse, the
            weights of the forces). selected: weights of the generalised forces in the functional min3.
        compliance, bias: secondary criterion x' C x/2 + c' x of the tangential forces, in m/N and m.
    """

    start: Array
    scale: Array
    selected: Array
    compliance: Array
    bias: Array


class Flags(NamedTuple):
    """State of the contacts at the start of a step: sticking or not, and sliding velocities in m/s."""

    sticking: Array
    slip: Array
