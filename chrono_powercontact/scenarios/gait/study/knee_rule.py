"""The thesis' own rule for the knee stop (Fig. 5.8): it is pressed with a varying torque, and its angle is read.

r_c is the least angle that is measured, and r_t is chosen so that the activation is nearly 0 at the least contact. A
stop that is pressed at rest is activated by 2 M/r_f: the rule finds the true r_c if the largest torque is r_f/4.
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ....errors import ParameterError
from ....laws.normal.restriction import Restriction

Array = NDArray[np.float64]

NEARLY_NOTHING = 0.01
"""Activation that counts as nearly 0."""


class KneeRule(NamedTuple):
    """What the rule gives: steepness in 1/rad and angle in rad."""

    r_t: float
    r_c: float


def pressed_angles(knee: Restriction, torques: Array) -> Array:
    """Angles in rad at which a knee stop at rest carries some torques in N m."""
    return np.array([knee.rest_distance(torque) for torque in torques])


def knee_rule(angles: Array) -> KneeRule:
    """r_t and r_c from the angles that a pressed stop showed, from the least contact to the largest torque."""
    least, most = float(np.min(angles)), float(np.max(angles))
    if not least < most:
        raise ParameterError(f"the angles of a pressed stop must differ, got {least:g} rad alone")
    return KneeRule(math.log((1.0 - NEARLY_NOTHING) / NEARLY_NOTHING) / (2.0 * (most - least)), least)
