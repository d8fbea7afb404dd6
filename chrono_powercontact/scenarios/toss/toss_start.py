"""States at the start of tosses, from the samples in flight: the centre of mass falls freely and the rotation is even."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from scipy.spatial.transform import Rotation

from .toss_data import Floats, Tosses, rotations
from .toss_kernel import QUATERNION, SIZE, V, W, X

TURNS = 4
"""Gauss-Newton steps for a rotation; it is nearly linear."""


@dataclass(frozen=True)
class Starts:
    """States of the cubes at their first samples, with the centre of the cube in place of the centre of mass.

    Attributes:
        states: one row per toss. at: rotation matrices at the start, as the samples give them. rate: their rates in 1/s.
        most: samples in flight that were used at most.
    """

    states: Floats
    at: Floats
    rate: Floats
    most: int | None

    def around(self, centre: Floats) -> Floats:
        """The states for a centre of mass seen from the centre of the cube, in m."""
        states = self.states.copy()
        states[:, X:QUATERNION] += self.at @ centre
        states[:, V:W] += self.rate @ centre
        return states


def ballistic_starts(tosses: Tosses, most: int | None = None) -> Starts:
    """The starts of tosses, from all of their samples in flight or at most so many."""
    count = len(tosses)
    starts = Starts(np.zeros((count, SIZE)), np.zeros((count, 3, 3)), np.zeros((count, 3, 3)), most)
    for toss in range(count):
        begin = int(tosses.first[toss])
        rows = slice(begin, begin + min(int(tosses.flight[toss]), most or len(tosses.position)))
        _fit(tosses, rows, toss, starts)
    return starts


def _fit(tosses: Tosses, rows: slice, toss: int, starts: Starts) -> None:
    """Fit one flight."""
    position = tosses.position[rows]
    turns = rotations(tosses.quaternion[rows])
    t = tosses.sample * np.arange(len(position))
    basis = np.column_stack([np.ones_like(t), t])
    lifted = position + np.outer(0.5 * tosses.gravity * t**2, (0.0, 0.0, 1.0))
    place, velocity = np.linalg.lstsq(basis, lifted, rcond=None)[0]
    turn, spin = _even_rotation(turns, t, basis)
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
