"""Measured tosses: read from a file, checked, with the time in flight and the gravity that the flights show."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from zipfile import BadZipFile

import numpy as np
from numpy.typing import NDArray
from scipy.spatial.transform import Rotation

from ...errors import ParameterError

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]

SHAPES = {"first": (None,), "t": (None,), "position": (None, 3), "quaternion": (None, 4)}
"""Arrays that a file must hold, with their shapes."""

WIDTH = 0.1048
"""Width of the published cube in m, to which errors are relative."""

HALF = 0.0484
RADIUS = 0.0024
"""Distance of the corner spheres from the mid planes, and their radius, in m, before they are fitted."""

CLEAR = 1.5e-3
"""Height in m of the lowest corner above the ground down to which a cube counts as flying."""

LEAST_FLIGHT = 3
"""Samples in flight that a start needs."""

UNEVEN = 0.01
"""Deviation of a time step from the usual one, relative to it, that is a gap."""

GRAVITY_RANGE = (9.0, 10.5)
"""Gravity in m/s^2 that flights may show; other values mean other units."""


@dataclass(frozen=True)
class Tosses:
    """Tosses of a cube, sampled evenly.

    Attributes:
        first: first row of each toss, and the number of all rows.
        sample: time between two rows in s.
        position: centre of the cube in m, the ground at z = 0. quaternion: w, x, y, z, body to world.
        flight: number of samples at the start of each toss in which no corner touches.
        gravity: in m/s^2, as the flights show it. width: of the cube in m.
    """

    first: Ints
    sample: float
    position: Floats
    quaternion: Floats
    flight: Ints
    gravity: float
    width: float = WIDTH

    def __len__(self) -> int:
        return len(self.first) - 1

    def rows(self, toss: int) -> slice:
        """The rows of a toss."""
        return slice(int(self.first[toss]), int(self.first[toss + 1]))


def rotations(quaternion: Floats) -> Rotation:
    """Rotations of quaternions w, x, y, z."""
    return Rotation.from_quat(quaternion[:, [1, 2, 3, 0]])


def read_tosses(path: str | Path) -> Tosses:
    """The tosses of a file with the arrays `first`, `t`, `position`, `quaternion` (and `half_width_published`)."""
    arrays = _arrays(Path(path).expanduser())
    first = np.asarray(arrays["first"], np.int64)
    rows = len(arrays["t"])
    if len(first) < 2 or first[0] != 0 or first[-1] != rows or np.any(np.diff(first) <= LEAST_FLIGHT):
        raise ParameterError(
            f"first must rise from 0 to the {rows} rows of the file in steps above {LEAST_FLIGHT}, "
            f"got {first[:3].tolist()} ... {first[-1]}"
        )
    quaternion = np.asarray(arrays["quaternion"], float)
    length = np.linalg.norm(quaternion, axis=1)
    if np.any(np.abs(length - 1.0) > 0.01):
        worst = int(np.argmax(np.abs(length - 1.0)))
        raise ParameterError(f"each quaternion must have the length 1, got {length[worst]:g} in row {worst}")
    position = np.asarray(arrays["position"], float)
    sample = _sample(np.asarray(arrays["t"], float), first)
    width = 2.0 * float(arrays["half_width_published"]) if "half_width_published" in arrays else WIDTH
    return tosses_of(first, sample, position, quaternion / length[:, None], width)


def tosses_of(first: Ints, sample: float, position: Floats, quaternion: Floats, width: float = WIDTH) -> Tosses:
    """Tosses from their samples: flights are found and gravity is measured."""
    flight = _flights(first, position, quaternion)
    gravity = _gravity(first[:-1], sample, position[:, 2], flight)
    low, high = GRAVITY_RANGE
    if not low <= gravity <= high:
        raise ParameterError(
            f"the flights show a gravity of {gravity:.3g} m/s^2, which must lie between {low:g} and {high:g}: "
            "positions must be in m and times in s"
        )
    return Tosses(first, sample, position, quaternion, flight, gravity, width)


def _arrays(path: Path) -> Mapping[str, NDArray[np.generic]]:
    """The arrays of a file, all there, of the right shape and finite."""
    if not path.is_file():
        raise ParameterError(f"data must be the path of a file with tosses, got {str(path)!r}, which is not a file")
    try:
        with np.load(path) as file:
            arrays = {name: file[name] for name in file.files}
    except (OSError, ValueError, AttributeError, TypeError, EOFError, BadZipFile):
        raise ParameterError(f"data must be a file of NumPy's npz format, got {str(path)!r}") from None
    for name, shape in SHAPES.items():
        if name not in arrays:
            raise ParameterError(f"{path.name} must hold the arrays {', '.join(SHAPES)}; {name!r} is missing")
        found = arrays[name].shape
        if len(found) != len(shape) or found[1:] != shape[1:]:
            raise ParameterError(f"{name} must have the shape {shape}, got {found}")
        if arrays[name].dtype.kind not in "fiu":
            raise ParameterError(f"{name} must hold numbers, got the type {arrays[name].dtype}")
        if not np.all(np.isfinite(arrays[name])):
            row = int(np.argmin(np.isfinite(arrays[name]).reshape(len(arrays[name]), -1).all(axis=1)))
            raise ParameterError(f"{name} must be finite, it is not in row {row}")
    counts = {name: len(arrays[name]) for name in ("t", "position", "quaternion")}
    if len(set(counts.values())) != 1:
        raise ParameterError(f"t, position and quaternion must have the same number of rows, got {counts}")
    return arrays


def _sample(t: Floats, first: Ints) -> float:
    """The time between two rows in s; raises where a toss has a gap."""
    steps = np.diff(t)
    inside = np.ones(len(steps), bool)
    inside[first[1:-1] - 1] = False
    usual = float(np.median(steps[inside]))
    if not usual > 0.0:
        raise ParameterError(f"times must rise within a toss, got a usual step of {usual:g} s")
    uneven = np.flatnonzero(inside & (np.abs(steps - usual) > UNEVEN * usual + 1e-6))
    if uneven.size:
        row = int(uneven[0])
        toss = int(np.searchsorted(first, row, side="right")) - 1
        raise ParameterError(
            f"toss {toss} has a gap: {steps[row]:.4g} s after its sample {row - int(first[toss])}, "
            f"all steps must be {usual:.4g} s"
        )
    return usual


def _flights(first: Ints, position: Floats, quaternion: Floats) -> Ints:
    """Number of samples of each toss before its lowest corner comes near the ground."""
    upward = rotations(quaternion).as_matrix()[:, 2, :]
    lowest = position[:, 2] - RADIUS - HALF * np.abs(upward).sum(axis=1)
    flights = []
    for toss, (begin, end) in enumerate(pairwise(first.tolist())):
        near = np.flatnonzero(lowest[begin:end] < CLEAR)
        count = int(near[0]) if near.size else int(end - begin)
        if count < LEAST_FLIGHT:
            raise ParameterError(
                f"toss {toss} must begin with {LEAST_FLIGHT} samples in flight, got {count}: "
                f"its lowest corner is {1e3 * lowest[begin]:.3g} mm above the ground at the start "
                "(positions must be in m, the ground at z = 0)"
            )
        flights.append(count)
    return np.array(flights)


def gravity_about(tosses: Tosses, chosen: Ints, centre: Floats) -> float:
    """Gravity in m/s^2 that the flights of some tosses show at a centre of mass, in m from the centre of the cube."""
    height = tosses.position[:, 2] + rotations(tosses.quaternion).as_matrix()[:, 2, :] @ centre
    return _gravity(tosses.first[chosen], tosses.sample, height, tosses.flight[chosen])


def _gravity(first: Ints, sample: float, height: Floats, flight: Ints) -> float:
    """Gravity in m/s^2 that flights from some first rows show together: each weighs as its length allows."""
    total = 0.0
    weight = 0.0
    for begin, count in zip(first, flight, strict=True):
        t = sample * (np.arange(count) - 0.5 * (count - 1))
        bent = t**2 - np.mean(t**2)
        total -= 2.0 * float(bent @ height[begin : begin + count])
        weight += float(bent @ bent)
    return total / weight
