"""A system of the reference engine over a sample with exact derivatives: dual numbers through RK4."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ...errors import ParameterError
from ...numerics.dual.dual_arrays import rows_of
from ...numerics.dual.dual_type import WIDTH
from ...numerics.dual.sample_jacobian import SampleJacobian
from ..system import System
from .dual_kernels import dual_terms
from .tangent_engine import rk4_tangent
from .variables import has_user_law

Array = NDArray[np.float64]


class SampleTangent:
    """A system of the reference engine over a sample.

    Args:
        states, inputs: indices of the filter's states in the full state, and of its inputs among the parameters.
        entries: places of estimated numbers in parameters, normal laws, friction laws and filters, taken as one plain
            vector. step: of RK4 in s. steps: per sample.
    """

    def __init__(
        self, system: System, states: NDArray[np.int64], inputs: NDArray[np.int64], entries: Sequence[int], step: float,
        steps: int,
    ) -> None:  # fmt: skip
        point = has_user_law(system)
        if point is not None:
            raise ParameterError(
                f"the law of point {point!r} is a user's function, which has no exact derivatives: "
                "take jacobians='differences'"
            )
        self._terms = dual_terms(system.terms)
        self._given = system.arguments
        self._inputs = inputs
        self._step = step
        self._steps = steps
        blocks = [self._given.parameters, self._given.normal, self._given.friction, self._given.filters]
        self._jacobian = SampleJacobian(blocks, entries, states, system.state_size)
        self._rows = np.zeros((1, len(system.columns), WIDTH))

    def __call__(self, t: float, x: Array, u: Array) -> tuple[Array, Array]:
        """State a sample after x at a time in s, with the input held, and its derivatives by x."""
        return self._jacobian(x, partial(self._run, t, u))

    def _run(self, t: float, u: Array, full: Array, blocks: list[NDArray[Any]]) -> None:
        """Advance a full state of dual numbers by a sample, in place."""
        given = self._given
        parameters, normal, friction, filters = blocks
        parameters[self._inputs, 0] = u
        done = rk4_tangent(
            self._terms, t, full, parameters, given.sizes, rows_of(normal), given.points, rows_of(friction),
            rows_of(filters), given.mode, self._step, 0, self._steps, self._rows,
        )  # fmt: skip
        if done < 1:
            full[:] = np.nan
