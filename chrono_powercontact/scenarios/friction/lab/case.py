"""What an experiment of the catalogue is: a curve per law, figures read from it, and what is claimed of them."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from types import SimpleNamespace

import numpy as np
from numpy.typing import NDArray

from ...scenario import Check, Metrics

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
        title: of its picture. across, up: labels of the axes, with units; x and y are drawn times `scale`.
        curve: runs the experiment with a law, by its name.
        measure: figures of the curves. check: the claim about them.
        log: whether the axis across is logarithmic.
    """

    title: str
    across: str
    up: str
    curve: Callable[[SimpleNamespace, str], Curve]
    measure: Callable[[SimpleNamespace, Curves], Metrics]
    check: Callable[[SimpleNamespace, Metrics], list[Check]]
    scale: tuple[float, float] = (1.0, 1.0)
    log: bool = False


def above(name: str, value: float, limit: float, unit: str = "") -> Check:
    """A check that a value exceeds a limit."""
    tail = f" {unit}" if unit else ""
    return Check(f"{name} {value:.3g}{tail} (more than {limit:.3g}{tail})", bool(value > limit))
