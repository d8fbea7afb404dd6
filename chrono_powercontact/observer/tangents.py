"""What a filter asks of a model's exact derivatives, and those of a system of the reference engine."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from ..lagrange.system import System
from .system_rate import HEAD_WIDTH, POINT_WIDTH

Array = NDArray[np.float64]


class Tangent(Protocol):
    """A sample of a model with its derivatives."""

    def __call__(self, t: float, x: Array, u: Array) -> tuple[Array, Array]:
        """State a sample after x at a time in s, with the input held, and its derivatives by x."""


def system_tangent(
    system: System, states: NDArray[np.int64], inputs: NDArray[np.int64], slots: Sequence[int], step: float, steps: int
) -> Tangent:  # fmt: skip
    """A system over a sample of so many RK4 steps of a length in s; the other arguments are those of a filter's p.

    It is loaded here and not before: its kernels are compiled for dual numbers.
    """
    from ..lagrange.sensitivity.sample_tangent import SampleTangent

    first = HEAD_WIDTH + len(states) + len(inputs) + len(system.arguments.points) * POINT_WIDTH
    return SampleTangent(system, states, inputs, [slot - first for slot in slots], step, steps)
