"""A restriction with the same restitution at every speed.

The damping of a restriction function grows with the speed until it is as large as the elastic force, so a fast impact
is nearly plastic. Here it grows to a fraction of it only, the loss: F = (r_f/2) R_a (1 - loss tanh(r_d v)). At speeds
well above 1/r_d the force is (1 + loss) times the elastic one on the way in and (1 - loss) times on the way out, at
every depth, so the restitution e satisfies e^2 = (1 - loss)/(1 + loss), whatever the speed and the mass. Below 1/r_d
the impact becomes elastic, with a damping that brings bodies to rest. The power function (3.6) has the loss 1.
"""

from __future__ import annotations

from dataclasses import dataclass

from ...errors import ParameterError, finite
from .restriction import SmoothRestriction


@dataclass(frozen=True)
class SteadyRestriction(SmoothRestriction):
    """Unilateral contact with one restitution at all speeds well above 1/r_d.

    Attributes:
        s_0: distance at which object and barrier begin to touch, in m.
        s_c: distance at which the activation is complete, in m; less than s_0.
        r_f: largest force that the barrier can exert in compression as the restitution goes to 0, in N.
        r_d: dissipation, in s/m: 1/r_d is the speed below which impacts become elastic.
        e: restitution, 0 to 1.
        r_a: fraction of the activation that lies between s_0 and s_c; in (0, 1).
    """

    s_0: float
    s_c: float
    r_f: float
    r_d: float
    e: float
    r_a: float = 0.99

    def __post_init__(self) -> None:
        self.check()
        if not 0.0 <= finite("restitution", self.e) <= 1.0:
            raise ParameterError(f"restitution must lie between 0 and 1, got {self.e:g}")

    @property
    def loss(self) -> float:
        """Largest damping force as a fraction of the elastic one, 0 to 1."""
        return (1.0 - self.e**2) / (1.0 + self.e**2)
