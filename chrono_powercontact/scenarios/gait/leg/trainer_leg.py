"""The leg with its numbers (Table 5.1), and the record that the compiled kernels read."""

from __future__ import annotations

import math
from dataclasses import astuple, dataclass
from typing import Any

import numpy as np

from ....errors import ParameterError, finite, not_negative, positive

LEG = np.dtype(
    [
        (name, np.float64)
        for name in (
            *("l_os", "l_us", "l_st", "x_sl", "y_sl", "cos_sl", "sin_sl"),
            *("m_kg", "m_sg", "m_sl", "gravity"),
            *("x_hf", "y_hf", "l_hf", "l_hf_0", "delta_hf", "k_hf", "s_lf_0", "k_lf"),
            *("l_b", "delta_b"),
        )
    ]
)
"""A leg as the kernels read it: lengths and guide, masses, springs, tip of the foot unit."""

REST = (0.9983617602074509, 0.07418697466491109)
"""Hip angle in rad and slide position in m at which the leg of Table 5.1 rests without drive and friction."""


@dataclass(frozen=True)
class Leg:
    """Lengths, masses and springs of one leg, in SI units, by the names of Table 5.1.

    The hip is the origin, x points forward, y up. The slide runs from (x_sl_0, y_sl_0) along a guide that rises at the
    angle delta_sl. The tip of the foot unit, l_b and delta_b from the slide's joint (5.28), is our choice: the thesis
    gives none.
    """

    l_os: float = 0.414
    l_us: float = 0.390
    l_st: float = 0.260
    m_kg: float = 2.0
    m_sg: float = 5.7
    m_sl: float = 6.4
    x_hf_0: float = -0.161
    y_hf_0: float = -0.442
    l_hf: float = 0.255
    l_hf_0: float = 0.162
    delta_hf: float = 2.050
    k_hf: float = 354.0
    x_sl_0: float = 0.840
    y_sl_0: float = -0.530
    delta_sl: float = 1.222
    s_lf_0: float = 0.522
    k_lf: float = 183.0
    l_b: float = 0.15
    delta_b: float = 1.2
    gravity: float = 9.81

    def __post_init__(self) -> None:
        for name, value in zip(self.__dataclass_fields__, astuple(self), strict=True):
            finite(name, value)
        for name in ("l_os", "l_us", "l_st", "m_kg", "m_sg", "m_sl", "l_hf", "l_b"):
            positive(name, getattr(self, name))
        for name in ("k_hf", "k_lf", "l_hf_0"):
            not_negative(name, getattr(self, name))

    @property
    def record(self) -> Any:
        """The leg as the kernels read it."""
        guide = (self.x_sl_0, self.y_sl_0, math.cos(self.delta_sl), math.sin(self.delta_sl))
        masses = (self.m_kg, self.m_sg, self.m_sl, self.gravity)
        springs = (self.x_hf_0, self.y_hf_0, self.l_hf, self.l_hf_0, self.delta_hf, self.k_hf, self.s_lf_0, self.k_lf)
        lengths = (self.l_os, self.l_us, self.l_st)
        return np.array([(*lengths, *guide, *masses, *springs, self.l_b, self.delta_b)], LEG)[0]

    def knee_to_slide(self, phi: float, s: float) -> float:
        """Distance l_KS in m between knee and slide (5.6)."""
        x = self.x_sl_0 + s * math.cos(self.delta_sl) - self.l_os * math.sin(phi)
        y = self.y_sl_0 + s * math.sin(self.delta_sl) + self.l_os * math.cos(phi)
        return math.hypot(x, y)

    def check_reach(self, phi: float, s: float) -> None:
        """Raise where shank and foot unit cannot span the distance from knee to slide: their circles do not meet."""
        span = self.knee_to_slide(phi, s)
        low = abs(self.l_us - self.l_st)
        high = self.l_us + self.l_st
        if not low < span < high:
            raise ParameterError(
                f"the leg cannot reach: at phi={phi:g} rad and s={s:g} m the slide is {span:.4g} m from the knee, "
                f"and shank and foot unit span {low:.4g} to {high:.4g} m"
            )
