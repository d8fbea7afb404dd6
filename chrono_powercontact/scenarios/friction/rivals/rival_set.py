"""The laws that are compared, from one set of parameters."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from ....laws.friction.anchor import ANCHOR, Anchor
from ....laws.friction.dissipation import Dissipation
from ....laws.friction.friction_table import friction_record
from ....laws.friction.memory import LPVFilter
from ....laws.strands import RATIO, friction_side_by_side
from ...parameters import Stepped, count, mass_of, number, time_step
from .rival_friction import KINDS, PARTS, RIVAL, Rival
from .stribeck_shapes import shape_number

SLOW_RATIO = 0.3
"""Reach of the fast element of Bliman and Sorine over that of the slow one."""


@dataclass(frozen=True)
class RivalParameters(Stepped):
    """Numbers that the laws share: amplitudes of Table 2.1, a Stribeck speed, one stiffness of presliding."""

    mass: float = mass_of(0.1)
    f_c: float = number(1.0, "Coulomb amplitude", "N", above=0.0)
    f_s: float = number(1.4, "stiction amplitude; above f_c", "N", above=0.0)
    v_s: float = number(
        0.02, "Stribeck speed of the classical curve; ours peaks at half of it (2.16)", "m/s", above=0.0
    )
    exponent: float = number(2.0, "exponent of the Gaussian curve", above=0.0)
    k: float = number(1e4, "stiffness of bristles and elements", "N/m", above=0.0)
    d_k: float = number(10.0, "damping of bristles", "N s/m", minimum=0.0)
    d: float = number(0.1, "viscous coefficient", "N s/m", minimum=0.0)
    band: float = number(1e-4, "half the stick band of Karnopp", "m/s", above=0.0)
    attraction: float = number(200.0, "rate at which slipping Maxwell elements relax", "N/s", above=0.0)
    transition: float = number(8.0, "exponent of the transition of the Leuven law", above=0.0)
    tau: float = number(3e-4, "damping time of the anchors", "s", minimum=0.0)
    lag: float = number(0.3, "lag of an anchor that has one, as a fraction of its presliding", above=0.0, maximum=1.0)
    strands: int = count(PARTS, "anchors side by side", minimum=2, maximum=2 * PARTS)
    inherited: ClassVar[None]
    step: float = time_step(5e-5)

    @property
    def presliding(self) -> float:
        """Displacement in m at which stiction is reached."""
        return self.f_s / self.k

    def power_law(self) -> Dissipation:
        """The dissipation function with the ratios of (2.16): v_S = 2 vhat_S = 4 v_C."""
        return Dissipation(self.f_c, self.f_s, 0.25 * self.v_s, 0.5 * self.v_s, self.d)

    def anchor(self, lag: float = 0.0) -> Anchor:
        """The anchor; lag as a fraction of its presliding."""
        return Anchor(self.presliding, self.tau, lag * self.presliding)


def _numbers(p: RivalParameters, kind: str, shape: str = "gauss") -> Any:
    """The record of a law."""
    law = np.zeros(1, RIVAL)[0]
    law["kind"] = KINDS.index(kind)
    law["shape"] = shape_number(shape)
    for name in ("f_c", "f_s", "v_s", "exponent", "k", "d_k", "d", "band", "attraction", "transition"):
        law[name] = getattr(p, name)
    law["fast"] = fast_amplitude(p.f_c, p.f_s, SLOW_RATIO)
    law["slow"] = law["fast"] - p.f_c
    law["ratio"] = SLOW_RATIO
    law["share"] = 1.0 / PARTS
    law["limit"] = p.presliding * RATIO ** (np.arange(PARTS) + 1.0 - PARTS)
    return law


def overshoot(fast: float, f_c: float, ratio: float) -> float:
    """Largest force in N of Bliman and Sorine's law on its way to f_c."""
    slow = fast - f_c
    if slow <= 0.0:
        return f_c
    reaches = np.log(fast / (ratio * slow)) / (1.0 - ratio)
    return float(-fast * np.expm1(-reaches) + slow * np.expm1(-ratio * reaches))


def fast_amplitude(f_c: float, f_s: float, ratio: float) -> float:
    """Amplitude in N of the fast element with which the law's overshoot is f_s, by bisection."""
    low = f_c
    high = 100.0 * f_s
    for _ in range(80):
        middle = 0.5 * (low + high)
        if overshoot(middle, f_c, ratio) < f_s:
            low = middle
        else:
            high = middle
    return 0.5 * (low + high)


def _anchors(parts: tuple[tuple[Dissipation, Anchor], ...]) -> Any:
    """Slots of anchors side by side."""
    slots = np.zeros(len(parts), ANCHOR)
    for i, (law, anchor) in enumerate(parts):
        slots[i] = friction_record(law, anchor)["anchor"]
    return slots


def _rival(p: RivalParameters, kind: str, shape: str = "gauss", anchors: Any = None) -> Rival:
    """A law with the slots of anchors that it has, and one that it does not use where it has none."""
    slots = _anchors(((p.power_law(), p.anchor()),)) if anchors is None else anchors
    power = friction_record(p.power_law(), LPVFilter(0.03, 0.1 * 0.5 * p.v_s))
    return Rival(_numbers(p, kind, shape), slots, power)


def _side_by_side(p: RivalParameters, lag: float) -> Rival:
    """Anchors side by side."""
    return _rival(p, "anchored", anchors=_anchors(friction_side_by_side(p.power_law(), p.anchor(lag), p.strands)))


BUILDERS: dict[str, Callable[[RivalParameters], Rival]] = {
    "gauss": lambda p: _rival(p, "classical", "gauss"),
    "tustin": lambda p: _rival(p, "classical", "tustin"),
    "lorentz": lambda p: _rival(p, "classical", "lorentz"),
    "karnopp": lambda p: _rival(p, "karnopp"),
    "dahl": lambda p: _rival(p, "dahl"),
    "bliman_sorine": lambda p: _rival(p, "bliman_sorine"),
    "lugre": lambda p: _rival(p, "lugre"),
    "leuven": lambda p: _rival(p, "leuven"),
    "maxwell_slip": lambda p: _rival(p, "maxwell"),
    "power": lambda p: _rival(p, "power"),
    "anchor": lambda p: _rival(p, "anchored"),
    "anchor_lag": lambda p: _rival(p, "anchored", anchors=_anchors(((p.power_law(), p.anchor(p.lag)),))),
    "strands": lambda p: _side_by_side(p, 0.0),
    "strands_lag": lambda p: _side_by_side(p, p.lag),
}
"""The laws by name, in the order of the sources; the last ones are the anchored law and its options."""

RIVALS = tuple(BUILDERS)
