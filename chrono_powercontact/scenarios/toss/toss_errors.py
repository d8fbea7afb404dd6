"""How far rolled out tosses are from measured ones."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from .toss_data import Floats, Ints, Tosses, rotations


@dataclass(frozen=True)
class TossErrors:
    """Errors of each toss: means over all of its samples.

    Attributes:
        position: distance of the centres in percent of the width. rotation: angle in degrees.
        right_face: whether the same face is up at the end.
    """

    position: Floats
    rotation: Floats
    right_face: NDArray[np.bool_]


def errors_of(tosses: Tosses, position: Floats, quaternion: Floats) -> TossErrors:
    """Errors of positions of the centre in m and of quaternions, one row per sample of the tosses."""
    apart = 100.0 / tosses.width * np.linalg.norm(position - tosses.position, axis=1)
    cosine = np.abs(np.sum(quaternion * tosses.quaternion, axis=1))
    angle = 2.0 * np.degrees(np.arccos(np.minimum(cosine, 1.0)))
    last = tosses.first[1:] - 1
    right = face_up(quaternion[last]) == face_up(tosses.quaternion[last])
    return TossErrors(_mean(apart, tosses.first), _mean(angle, tosses.first), right)


def face_up(quaternion: Floats) -> Ints:
    """Number of the face that is up: 1, 2, 3 for x, y, z of the cube, negative for the opposite face."""
    upward = rotations(quaternion).as_matrix()[:, 2, :]
    axis = np.argmax(np.abs(upward), axis=1)
    return np.asarray((axis + 1) * np.sign(upward[np.arange(len(axis)), axis]), np.int64)


def _mean(values: Floats, first: Ints) -> Floats:
    """Mean over the rows of each toss."""
    return np.asarray(np.add.reduceat(values, first[:-1]) / np.diff(first))
