"""The masses of the dithered load as a moving scene: one beside the other, their displacements magnified alike."""

from __future__ import annotations

import numpy as np

from ....trajectory import Trajectory
from ....view.drawn import Drawn, recording_of
from ....view.pieces import BOX
from ....view.recording import Recording
from ...scenes.moving_scenes import FRAMES, SLIP
from .case import Curves

EDGE = 0.2
"""Edge of a mass, over the longest displacement."""


def masses(curves: Curves, title: str) -> Recording:
    """Three masses under the same load, one for each law."""
    longest = max(float(np.abs(curve.y).max()) for curve in curves.values())
    rows = min(curve.x.size for curve in curves.values())
    columns = {name: curve.y[:rows] / longest for name, curve in curves.items()}
    t = next(iter(curves.values())).x[:rows]
    run = Trajectory(("t", *columns), np.column_stack([t, *columns.values()]), rows)
    bodies = [
        Drawn(name, BOX, (EDGE, EDGE, EDGE), (name, 2.0 * EDGE * lane, 0.5 * EDGE)) for lane, name in enumerate(columns)
    ]
    width = 2.0 * EDGE * (len(columns) + 1)
    middle = EDGE * (len(columns) - 1)
    bodies.append(Drawn("ground", BOX, (1.8, width, 0.02), (0.5, middle, -0.01), fixed=True))
    told = f"{title} Masses under a dithered load, displacements magnified to 1 m"
    return recording_of(run, bodies, [], tuple(columns), FRAMES, told, SLIP)
