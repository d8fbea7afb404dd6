"""How friction falls from stiction to Coulomb friction: the shapes g(v) of the literature (thesis 2.1.2, (2.8))."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ....errors import UnknownNameError, positive
from ....kernel import FloatArray, kernel

SHAPES = ("gauss", "tustin", "lorentz")
GAUSS, TUSTIN, LORENTZ = range(3)


@kernel
def decay(shape: int, v: FloatArray, v_s: float, exponent: float) -> FloatArray:
    """g(v), 1 at rest and falling to 0.

    Gauss with an exponent exp(-|v/v_s|^n) ((2.8) has n = 2), Tustin exp(-|v|/v_s), Lorentz 1/(1 + (v/v_s)^2).
    """
    y = np.abs(v) / v_s
    if shape == TUSTIN:
        return np.exp(-y)
    if shape == LORENTZ:
        return 1.0 / (1.0 + y * y)
    return np.exp(-(y**exponent))


def shape_number(name: str) -> int:
    """The number of a shape."""
    if name not in SHAPES:
        raise UnknownNameError("Stribeck shape", name, SHAPES)
    return SHAPES.index(name)


def decay_curve(name: str, v: ArrayLike, v_s: float, exponent: float = 2.0) -> NDArray[np.float64]:
    """g(v) of a shape by its name, at speeds in m/s."""
    positive("v_s", v_s)
    positive("exponent", exponent)
    return np.asarray(decay.py_func(shape_number(name), np.asarray(v, float), v_s, exponent))
