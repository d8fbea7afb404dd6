"""States at the start of tosses, from the samples in flight: the centre of mass falls freely, the cube turns evenly."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from scipy.spatial.transform import Rotation

from .toss_body import TossedCube
from .toss_data import Floats, Tosses, rotations
from .toss_kernel import QUATERNION, SIZE, V, W, X

TURNS = 4
"""Gauss-Newton steps for a rotation; it is nearly linear."""


@dataclass(frozen=True)
class Starts:
    """States of the cubes at their first samples, with the centre of the cube in place of the centre of mass.

    They are fitted with an even rotation; `of` corrects them for a cube whose moments of inertia differ.

    Attributes:
        states: one row per toss. time: of flight in s, from which each was fitted.
        at: rotation matrices at the start, as the samples give them. rate: their rates in 1/s.
        most: samples in flight that were used at most.
    """

    states: Floats
    time: Floats
    at: Floats
    rate: Floats
    most: int | None

    def of(self, cube: TossedCube) -> Floats:
        """The states of a cube: of its centre of mass, and with an angular velocity that its inertia changes in flight.

        An acceleration a of the rotation makes the even rotation that fits best over a time T faster by a T/2 and
        puts it a T^2/12 behind at the start.
        """
        states = self.states.copy()
        centre = np.array(cube.centre)
        states[:, X:QUATERNION] += self.at @ centre
        states[:, V:W] += self.rate @ centre
        across, along = cube.inertia
        x, y, z = states[:, W:SIZE].T
        gain = (across - along) / across * np.column_stack([y * z, -z * x, np.zeros_like(z)])
        time = self.time[:, None]
        turn = rotations(states[:, QUATERNION:V]) * Rotation.from_rotvec(gain * time**2 / 12.0)
        states[:, QUATERNION:V] = turn.as_quat()[:, [3, 0, 1, 2]]
        states[:, W:SIZE] -= 0.5 * gain * time
        return states


def ballistic_starts(tosses: Tosses, most: int | None = None) -> Starts:
    """The starts of tosses, from all of their samples in flight or at most so many."""
    count = len(tosses)
    starts = Starts(np.zeros((count, SIZE)), np.zeros(count), np.zeros((count, 3, 3)), np.zeros((count, 3, 3)), most)
    for toss in range(count):
        begin = int(tosses.first[toss])
        rows = slice(begin, begin + min(int(tosses.flight[toss]), most or len(tosses.position)))
        _fit(tosses, rows, toss, starts)
    return starts


def _fit(tosses: Tosses, rows: slice, toss: int, starts: Starts) -> None:
    """Fit one flight."""
    position = tosses.position[rows]
    turns = rotations(tosses.quaternion[rows])
    t = tosses.sample * np.arange(len(position), dtype=np.float64)
    basis = np.column_stack([np.ones_like(t), t])
    lifted = position + np.outer(0.5 * tosses.gravity * t**2, (0.0, 0.0, 1.0))
    place, velocity = np.linalg.lstsq(basis, lifted, rcond=None)[0]
    turn, spin = _even_rotation(turns, t, basis)
    starts.time[toss] = t[-1]
    state = starts.states[toss]
    state[X:QUATERNION] = place
    state[QUATERNION:V] = turn.as_quat()[[3, 0, 1, 2]]
    state[V:W] = velocity
    state[W:SIZE] = turn.inv().apply(spin)
    at, rate = np.linalg.lstsq(basis, turns.as_matrix().reshape(len(t), 9), rcond=None)[0]
    starts.at[toss] = at.reshape(3, 3)
    starts.rate[toss] = rate.reshape(3, 3)


def _even_rotation(turns: Rotation, t: Floats, basis: Floats) -> tuple[Rotation, Floats]:
    """Rotation at the start and angular velocity in rad/s, in the world, of an even rotation through some others."""
    turn = turns[0]
    spin = (turns[len(t) - 1] * turns[0].inv()).as_rotvec() / t[-1]
    for _ in range(TURNS):
        misfit = (turns * (Rotation.from_rotvec(np.outer(t, spin)) * turn).inv()).as_rotvec()
        shift, faster = np.linalg.lstsq(basis, misfit, rcond=None)[0]
        turn = Rotation.from_rotvec(shift) * turn
        spin = spin + faster
    return turn, spin
