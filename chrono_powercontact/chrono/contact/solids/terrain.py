"""Terrain: a height field on a body, with a continuous normal."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, ClassVar

import numpy as np
from numpy.typing import ArrayLike

from ....errors import ParameterError, positive, shown
from ..shapes import GROUND, REFERENCE, Shape, Target, Vector, check_body, check_frame, rotation_matrix, vector
from . import probes as pr
from .solid_shapes import solid_target


def grid_of(heights: ArrayLike) -> Vector:
    """A table of heights in m; raises for anything else."""
    try:
        grid = np.ascontiguousarray(heights, float)
    except (TypeError, ValueError):
        grid = np.zeros(0)
    if grid.ndim != 2 or min(grid.shape) < 2:
        raise ParameterError(f"heights must be a table of at least 2 by 2 numbers, got {shown(heights)}")
    bad = np.argwhere(~np.isfinite(grid))
    if len(bad):
        row, column = bad[0]
        raise ParameterError(
            f"heights must be finite, got {grid[row, column]} at row {row}, column {column}, one of {len(bad)}"
        )
    return grid


@dataclass(frozen=True, eq=False)
class HeightField(Shape):
    """A ground whose height is given on a grid: rows follow x, columns y, and the height is along z.

    Between the grid's points the surface is bicubic, with a continuous normal. Beyond its rim it goes on level.

    Attributes:
        body: the ChBody. heights: table in m. spacing: of the grid in m, one number or two (along x and y).
        at: middle of the grid at height 0, in m. rotation: quaternion on the body. frame: see `Shape`.
    """

    body: Any
    heights: ArrayLike
    spacing: float | Sequence[float]
    at: ArrayLike = (0.0, 0.0, 0.0)
    rotation: Sequence[float] = (1.0, 0.0, 0.0, 0.0)
    frame: str = REFERENCE
    rank: ClassVar[int] = GROUND
    is_curved: ClassVar[bool] = True
    grid: Vector = field(init=False, repr=False)
    cells: tuple[float, float] = field(init=False, repr=False)
    corner: Vector = field(init=False, repr=False)
    turn: Vector = field(init=False, repr=False)

    def __post_init__(self) -> None:
        check_body("body", self.body)
        check_frame(self.frame)
        grid = grid_of(self.heights)
        given = np.ravel(np.asarray(self.spacing, float))
        if given.size not in (1, 2):
            raise ParameterError(f"spacing must be one or two numbers in m, got {shown(self.spacing)}")
        wide, deep = (positive("spacing", float(value)) for value in np.broadcast_to(given, 2))
        turn = rotation_matrix(self.rotation)
        half = np.array([0.5 * wide * (grid.shape[0] - 1), 0.5 * deep * (grid.shape[1] - 1), 0.0])
        object.__setattr__(self, "grid", grid)
        object.__setattr__(self, "cells", (wide, deep))
        object.__setattr__(self, "corner", vector("at", self.at) - turn @ half)
        object.__setattr__(self, "turn", turn)

    @property
    def targets(self) -> Sequence[Target]:
        """The whole ground."""
        target = solid_target(pr.HEIGHTS, self.corner, self.turn, (*self.cells, 0.0), 0.0)
        target.parts["b_out"] = (self.grid.ctypes.data, *self.grid.shape)
        return [target]
