"""The history of a multistep run through a switch of coordinates, as the paper does it: unwound from differences.

Adams' method here keeps the derivative of the whole tree at its nodes, so that a switch only reads other rows. The
paper's integrator stores modified divided differences of the integrated state alone. They are unwound to the past
derivatives, these are integrated back to the past states, and (3) gives the whole tree at each node.
"""

from __future__ import annotations

import numpy as np

from ...numerics.adams import Adams, interpolation_weights
from ...numerics.divided_differences import modified_differences, unwound
from .loops import Floats, LoopSystem


def unwound_rates(system: LoopSystem, adams: Adams, position: Floats) -> list[Floats]:
    """Rates of the full state at the nodes that the order needs, newest first, in the coordinates before a switch.

    Args:
        adams: the integrator, still in the coordinates before the switch.
        position: of the whole tree at the newest node.
    """
    count = min(adams.order + 1, len(adams.times))
    past = np.array([rate[adams.rows] for rate in adams.rates[:count]])
    offsets, rates = unwound(*modified_differences(adams.times[:count], past))
    free = system.loop.freedom
    n = len(system.names)
    names = [system.names[i] for i in adams.rows[:free]]
    found = [adams.rates[0]]
    q = position.copy()
    for offset, rate in zip(offsets[1:], rates[1:], strict=True):
        z = adams.z + offset * (interpolation_weights(offsets / offset) @ rates)
        q[adams.rows[:free]] = z[:free]
        motion = system.motion(q, z[free : 2 * free], rate[free : 2 * free], names, adams.t + offset)
        q = motion.position
        full = np.zeros_like(adams.rates[0])
        full[adams.rows] = rate
        full[:n] = motion.velocity
        full[n : 2 * n] = motion.acceleration
        found.append(full)
    return found
