"""The tables of springs that are solved for, with named fields: springs, their geometry and state."""

from __future__ import annotations

import numpy as np

SPRING = np.dtype([("motion", np.int64), ("body_1", np.int64), ("body_2", np.int64)])
"""A spring: its motion, TURN or LINE, and the numbers of its bodies on the load."""

SPRING_GEOMETRY = np.dtype(
    [("point", np.float64, (3,)), ("origin", np.float64, (3,)), ("axis", np.float64, (3,)), ("damped", np.float64)]
)
"""Geometry of a spring, body-fixed: the end of a line on body 1, its end on body 2, and the axis of a turn on body 2;
the rest is zero. Then the numerical damping of its elastic force, from 0 to 1, see `spring_rows`."""

SPRING_STATE = np.dtype([("k", np.float64), ("c", np.float64), ("surplus", np.float64)])
"""A spring at the start of a step: stiffness in N/m and damping in N s/m (or N m/rad and N m s/rad), zero if it does
not act; and by how much its force in N (or N m) without damping exceeds the one that Chrono exerts."""
