"""What an experiment of the catalogue is: a curve per law, figures read from it, and what is claimed of them."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ...scenario import Check, Metrics
from .three_laws import LabParameters

Vector = NDArray[np.float64]


@dataclass(frozen=True)
class Curve:
    """What one law gave: y over x, and the integration steps that it took."""

    x: Vector
    y: Vector
    steps: int


Curves = Mapping[str, Curve]


@dataclass(frozen=True)
class Case:
    """One experiment.

    Attributes:
        title: of its picture.
        across, up: labels of the axes, with units.
        curve: runs the experiment with a law, by its name.
        measure: figures of the curves.
        check: the claim about them.
        scale: factors by which x and y are drawn.
        log: whether the axis across is logarithmic.
    """

    title: str
    across: str
    up: str
    curve: Callable[[LabParameters, str], Curve]
    measure: Callable[[LabParameters, Curves], Metrics]
    check: Callable[[LabParameters, Metrics], list[Check]]
    scale: tuple[float, float] = (1.0, 1.0)
    log: bool = False
