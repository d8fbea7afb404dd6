"""The slopes of contacts of nodes are those of their forces, by differences."""

import numpy as np
import pytest

import chrono_powercontact as pc
from chrono_powercontact.chrono.contact.contact_table import ContactTable, Instant, Pair
from chrono_powercontact.chrono.contact.records import TOTALS, empty, flat
from chrono_powercontact.chrono.flexible import pair_slopes as ps
from chrono_powercontact.chrono.flexible.carriers import (
    CARRIER,
    FRAME,
    FRAME_WIDTH,
    LINK,
    POINT,
    TURNING_LINK,
    carry,
    first_frames,
    hand_on,
)
from chrono_powercontact.chrono.flexible.node_shapes import BeamLink, NodeSphere, StandIn

STIFFNESS = 1e5
RADIUS = 0.02
LENGTH = 0.5
MATERIAL = pc.Material(pc.Hooke(s_0=0.0, k=STIFFNESS, c=30.0), pc.Friction(mu_c=0.3, mu_s=0.3, v_c=200.0))
WIDTHS = {POINT: [3], FRAME: [6], LINK: [3, 3], TURNING_LINK: [6, 6]}


class Scene:
    """A carrier that touches a plane on a body ever so slightly and slides slowly.

    There, what the slopes neglect hardly matters: rotations of lever arms, and how friction grows with the depth.
    """

    def __init__(self, kind, rng):
        self.widths = WIDTHS[kind]
        states = [n + (n == 6) for n in self.widths]
        second = (7 + states[0], 6 + self.widths[0]) if len(states) > 1 else (0, 0)
        self.carriers = np.array([(FRAME, 0, 0, 0, 0, 1, 0), (kind, 7, 6, *second, 1, 1)], CARRIER)
        self.heads = self.carriers.view(np.int64)
        self.x = np.zeros(7 + sum(states))
        self.x[3] = 1.0
        for place, along in ((self.carriers[1]["x0"], 0.0), (self.carriers[1]["x1"], LENGTH)):
            if place:
                self.x[place : place + 3] = (along, 0.1, RADIUS - 1e-6)
                self.x[place + 3 : place + 4] = 1.0 if 6 in self.widths else self.x[place + 3 : place + 4]
        self.w = 0.01 * rng.normal(size=6 + sum(self.widths))
        ground = StandIn([], "ground")
        own = StandIn([None] * len(states), "carrier")
        shape = NodeSphere(own, RADIUS) if kind < LINK else BeamLink(own, RADIUS, LENGTH, True)
        pair = Pair.of(shape, pc.Plane(ground), MATERIAL)
        self.table = ContactTable({0: pair}, {ground.GetIdentifier(): 0, own.GetIdentifier(): 1})
        second_width = self.widths[1] if len(self.widths) > 1 else 0
        self.pairs = np.array([(1, 0, 0, len(pair.elements), self.widths[0], second_width)], ps.PAIR)
        self.frames = np.zeros(2 * FRAME_WIDTH)
        first_frames(self.x, self.heads, self.frames)

    def carried(self, x, w):
        states = np.zeros(14)
        speeds = np.zeros(12)
        carry(x, w, self.heads, self.frames, states, speeds)
        return states, speeds

    def forces(self, x, w):
        """Generalised forces of the nodes, then those of the body."""
        states, speeds = self.carried(x, w)
        forces = np.zeros(12)
        self.table.evaluate(Instant(states, speeds, 0.0, 0.0, False), forces, flat(empty(TOTALS, 1)))
        q = np.zeros(w.size)
        hand_on(x, self.heads, states, forces, q)
        return np.concatenate([q[6:], q[:6]])

    def moved(self, j, h):
        """States after a small motion h of velocity number j, the nodes' first."""
        w = np.zeros(self.w.size)
        w[(j + 6) % self.w.size] = h
        x = self.x.copy()
        i = k = 0
        for n in [6, *self.widths]:
            x[i : i + 3] += w[k : k + 3]
            if n == 6:
                x[i + 4 : i + 7] += 0.5 * w[k + 3 : k + 6]
                i += 4
                k += 3
            i += 3
            k += 3
        return x

    def slopes(self):
        """K and R over the coordinates of the nodes and the body."""
        states, speeds = self.carried(self.x, self.w)
        stiffness = np.zeros((1, 12, 12))
        damping = np.zeros((1, 12, 12))
        active = np.zeros(1, bool)
        tables = self.table.arguments
        pairs = self.pairs.view(np.int64)
        ps.pair_slopes(states, speeds, *tables, 0.0, pairs, stiffness, damping, active)
        n = self.w.size
        found = []
        for slopes in (stiffness, damping):
            blocks = np.zeros((1, ps.WIDEST, ps.WIDEST))
            ps.node_blocks(self.x, self.heads, states, pairs, active, slopes, blocks)
            found.append(blocks[0, :n, :n])
        return found


@pytest.mark.parametrize("kind", [POINT, FRAME, LINK, TURNING_LINK])
def test_slopes_are_those_of_the_forces(kind):
    scene = Scene(kind, np.random.default_rng(kind))
    stiffness, damping = scene.slopes()
    n = scene.w.size
    h = 1e-8
    by_place = [(scene.forces(scene.moved(j, h), scene.w) - scene.forces(scene.moved(j, -h), scene.w)) / (2 * h)
                for j in range(n)]  # fmt: skip
    by_speed = []
    for j in range(n):
        change = np.zeros(n)
        change[(j + 6) % n] = 1e-6
        more = scene.forces(scene.x, scene.w + change)
        less = scene.forces(scene.x, scene.w - change)
        by_speed.append((more - less) / 2e-6)
    assert np.abs(stiffness).max() > 0.1 * STIFFNESS
    assert stiffness == pytest.approx(-np.array(by_place).T, abs=1e-4 * STIFFNESS)
    assert damping == pytest.approx(-np.array(by_speed).T, abs=1e-3 * np.abs(damping).max())


def test_a_pair_apart_has_no_slopes():
    scene = Scene(LINK, np.random.default_rng(0))
    scene.x[[9, 12]] += 1.0
    stiffness, damping = scene.slopes()
    assert not stiffness.any()
    assert not damping.any()


def test_old_damping_is_damping_times_the_velocity():
    rng = np.random.default_rng(1)
    pairs = np.array([(1, 0, 0, 0, 3, 0)], ps.PAIR).view(np.int64)
    damping = rng.normal(size=(1, 12, 12))
    speeds = rng.normal(size=12)
    forces = np.zeros(12)
    ps.add_old_damping(pairs, np.ones(1, bool), damping, speeds, forces)
    expected = damping[0] @ np.concatenate([speeds[6:], speeds[:6]])
    assert np.concatenate([forces[6:], forces[:6]]) == pytest.approx(expected)
