"""Tosses that the package simulates itself, with known values and the noise of the published measurements."""

from __future__ import annotations

import numpy as np
from scipy.spatial.transform import Rotation

from .toss_body import TossedCube, toss_records
from .toss_data import Tosses, rotations, tosses_of
from .toss_kernel import QUATERNION, SIZE, V, W, X, toss_ensemble

TRUTH = TossedCube(
    mu=0.18,
    restitution=0.25,
    inertia=(2.7e-3, 2.6e-3),
    centre=(0.5e-3, -0.4e-3, 5e-3),
    load_exponent=0.03,
)
"""The cube that is tossed: like the published one."""

SAMPLE = 1.0 / 148.0
SAMPLES = 100
"""Time between two samples in s, and their number in a toss."""

PLACE_NOISE = 5e-5
ANGLE_NOISE = 4e-4
"""Standard deviations in m and rad of a measurement, about those of the published ones in flight."""

HEIGHT = (0.13, 0.17)
SPEED = (1.0, 1.3)
SPIN = (1.6, 6.3)
"""Ranges of height in m, horizontal speed in m/s and angular velocity in rad/s at the start."""


def simulated_tosses(count: int, seed: int, truth: TossedCube = TRUTH) -> Tosses:
    """Noisy samples of so many tosses of a cube."""
    draw = np.random.default_rng([seed, count])
    starts = np.zeros((count, SIZE))
    heading = draw.uniform(0.0, 2.0 * np.pi, count)
    starts[:, X + 2] = draw.uniform(*HEIGHT, count)
    starts[:, QUATERNION:V] = Rotation.random(count, random_state=draw).as_quat()[:, [3, 0, 1, 2]]
    starts[:, V : V + 2] = draw.uniform(*SPEED, (count, 1)) * np.column_stack([np.cos(heading), np.sin(heading)])
    axis = draw.standard_normal((count, 3))
    starts[:, W:SIZE] = draw.uniform(*SPIN, (count, 1)) * axis / np.linalg.norm(axis, axis=1, keepdims=True)
    first = SAMPLES * np.arange(count + 1)
    run = toss_ensemble(toss_records([truth]), starts, first, SAMPLE)
    turn = rotations(run[:, QUATERNION:V])
    place = run[:, X:QUATERNION] - turn.apply(truth.centre) + PLACE_NOISE * draw.standard_normal((len(run), 3))
    seen = Rotation.from_rotvec(ANGLE_NOISE * draw.standard_normal((len(run), 3))) * turn
    return tosses_of(first, SAMPLE, place, seen.as_quat()[:, [3, 0, 1, 2]])
