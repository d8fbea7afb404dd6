"""The table of normal laws: records with named fields, and the kernels that evaluate them in compiled engines.

To add a family of laws, list it in `FAMILIES` and add a branch to each of the three kernels. A record of an unknown
kind evaluates to NaN.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from ...errors import ParameterError
from ...kernel import kernel
from ..function_pointer import USER_LAW
from .hertz import Hertz, hertz_elastic, hertz_force, hertz_potential, hertz_slopes
from .hooke import Hooke, hooke_elastic, hooke_force, hooke_potential, hooke_slopes
from .indentation import (
    Indentation,
    indentation_elastic,
    indentation_force,
    indentation_potential,
    indentation_slopes,
)
from .normal_law import NormalLaw
from .restriction import (
    RestrictionLaw,
    restriction_force,
    restriction_potential,
    restriction_response,
    restriction_slopes,
)
from .user_normal import UserNormal, user_force, user_potential, user_slopes

FAMILIES: tuple[type[NormalLaw], ...] = (RestrictionLaw, Hooke, Hertz, Indentation)
SLOTS = (*(law.family for law in FAMILIES), UserNormal.family)
RESTRICTION, HOOKE, HERTZ, INDENTATION, USER = range(5)
"""Kinds of normal laws; each is the index of its slot in SLOTS."""

NORMAL = np.dtype(
    [
        ("kind", np.int64),
        *((law.family, [(name, np.float64) for name in law.fields]) for law in FAMILIES),
        (UserNormal.family, USER_LAW),
    ]
)
"""A normal law as compiled engines read it: its kind, and a slot for the parameters of each family."""


def normal_record(law: NormalLaw) -> Any:
    """A normal law as the record that the kernels read."""
    if law.family not in SLOTS:
        raise ParameterError(f"{law!r} is of no known family {law.family!r}: allowed: {', '.join(SLOTS)}")
    record = np.zeros(1, NORMAL)[0]
    record["kind"] = SLOTS.index(law.family)
    law.fill(record[law.family])
    return record


@kernel
def normal_force(law: Any, s: float, v: float) -> tuple[float, float, float]:
    """Normal force in N, its elastic part in N, and the activation, at distance s and normal speed v."""
    if law.kind == RESTRICTION:
        return restriction_force(s, v, law.restriction)
    if law.kind == HOOKE:
        return hooke_force(s, v, law.hooke), hooke_elastic(s, law.hooke), 1.0 * (s < law.hooke.s_0)
    if law.kind == INDENTATION:
        p = law.indentation
        return indentation_force(s, v, p), indentation_elastic(s, p), 1.0 * (s < p.s_0)
    if law.kind == HERTZ:
        return hertz_force(s, v, law.hertz), hertz_elastic(s, law.hertz), 1.0 * (s < law.hertz.s_0)
    if law.kind == USER:
        return user_force(s, v, law.user)
    return np.nan, np.nan, np.nan


@kernel
def normal_potential(law: Any, s: float) -> float:
    """Energy in J stored in the contact at distance s; 0 for a law without a potential."""
    if law.kind == RESTRICTION:
        return restriction_potential(s, law.restriction)
    if law.kind == HOOKE:
        return hooke_potential(s, law.hooke)
    if law.kind == INDENTATION:
        return indentation_potential(s, law.indentation)
    if law.kind == HERTZ:
        return hertz_potential(s, law.hertz)
    if law.kind == USER:
        return user_potential(s, law.user)
    return np.nan


@kernel
def normal_slopes(law: Any, s: float, v: float) -> tuple[float, float]:
    """Derivatives of the normal force with respect to distance, in N/m, and normal speed, in N s/m."""
    if law.kind == RESTRICTION:
        return restriction_slopes(s, v, law.restriction)
    if law.kind == HOOKE:
        return hooke_slopes(s, v, law.hooke)
    if law.kind == INDENTATION:
        return indentation_slopes(s, v, law.indentation)
    if law.kind == HERTZ:
        return hertz_slopes(s, v, law.hertz)
    if law.kind == USER:
        return user_slopes(s, v, law.user)
    return np.nan, np.nan


@kernel
def normal_response(law: Any, s: float, v: float) -> tuple[float, float, float, float, float]:
    """What `normal_force` and `normal_slopes` give, at once."""
    if law.kind == RESTRICTION:
        return restriction_response(s, v, law.restriction)
    force, elastic, activation = normal_force(law, s, v)
    by_s, by_v = normal_slopes(law, s, v)
    return force, elastic, activation, by_s, by_v
