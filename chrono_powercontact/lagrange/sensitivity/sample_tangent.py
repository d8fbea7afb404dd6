"""A system of the reference engine over a sample with exact derivatives: dual numbers through RK4."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ...errors import ParameterError
from ...numerics.dual.dual_arrays import rows_of
from ...numerics.dual.dual_type import DIRECTIONS, WIDTH
from ...numerics.dual.seeded import Seeded
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
        self._terms = dual_terms(system.model)
        self._system = system
        self._states = states
        self._inputs = inputs
        self._step = step
        self._steps = steps
        self._moving = len(states)
        self._size = len(states) + len(entries)
        self._passes = [self._seeded(entries, begin) for begin in range(0, self._size, DIRECTIONS)]
        self._rows = np.zeros((1, len(system.columns), WIDTH))

    def _seeded(self, entries: Sequence[int], begin: int) -> Seeded:
        """All numbers of the system, with derivatives of one in the directions of a pass that are numbers."""
        given = self._system.arguments
        blocks = [given.parameters, given.normal, given.friction, given.filters]
        return Seeded(blocks, entries, [self._moving + i - begin for i in range(len(entries))])

    def __call__(self, t: float, x: Array, u: Array) -> tuple[Array, Array]:
        """State a sample after x at a time in s, with the input held, and its derivatives by x."""
        after = x.copy()
        jacobian = np.eye(self._size)
        for number, seeded in enumerate(self._passes):
            begin = number * DIRECTIONS
            full = np.zeros((self._system.state_size, WIDTH))
            full[self._states, 0] = x[: self._moving]
            for direction in range(begin, min(begin + DIRECTIONS, self._moving)):
                full[self._states[direction], 1 + direction - begin] = 1.0
            seeded.set_values(x[self._moving :])
            self._run(t, full, u, seeded.blocks)
            after[: self._moving] = full[self._states, 0]
            count = min(DIRECTIONS, self._size - begin)
            jacobian[: self._moving, begin : begin + count] = full[self._states, 1 : 1 + count]
        return after, jacobian

    def _run(self, t: float, full: Array, u: Array, blocks: list[NDArray[Any]]) -> None:
        """Advance a full state of dual numbers by a sample, in place."""
        given = self._system.arguments
        parameters, normal, friction, filters = blocks
        parameters[self._inputs, 0] = u
        done = rk4_tangent(
            self._terms, t, full, parameters, given.sizes, rows_of(normal), given.points, rows_of(friction),
            rows_of(filters), given.mode, self._step, 0, self._steps, self._rows,
        )  # fmt: skip
        if done < 1:
            full[:] = np.nan
