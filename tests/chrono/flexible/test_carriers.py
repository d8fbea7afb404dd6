"""Carriers follow nodes: their velocities are the rates of their states, and no power is lost on the way back."""

import numpy as np
import pytest

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
    keep_frames,
)

TURNING = 7, 6
PLAIN = 3, 3


def quaternion(rng):
    e = rng.normal(size=4)
    return e / np.linalg.norm(e)


def nodes_of(kind):
    return {POINT: [PLAIN], FRAME: [TURNING], LINK: [PLAIN, PLAIN], TURNING_LINK: [TURNING, TURNING]}[kind]


class Scene:
    """One carrier of a kind on nodes in random states."""

    def __init__(self, kind, seed=0):
        rng = np.random.default_rng(seed)
        widths = nodes_of(kind)
        self.widths = widths
        parts = [np.concatenate([rng.normal(size=3), quaternion(rng)][: 1 + (n == 7)]) for n, _ in widths]
        self.x = np.concatenate(parts)
        self.w = rng.normal(size=sum(n for _, n in widths))
        second = widths[0] if len(widths) > 1 else (0, 0)
        self.heads = np.array([(kind, 0, 0, *second, 1, 1)], CARRIER).view(np.int64)
        self.frames = np.zeros(FRAME_WIDTH)
        first_frames(self.x, self.heads, self.frames)

    def carried(self, x=None, w=None):
        states = np.zeros(7)
        speeds = np.zeros(6)
        carry(self.x if x is None else x, self.w if w is None else w, self.heads, self.frames, states, speeds)
        return states, speeds

    def moved(self, h):
        """States of the nodes after a time h at constant velocities."""
        x = self.x.copy()
        i = j = 0
        for states, speeds in self.widths:
            x[i : i + 3] += h * self.w[j : j + 3]
            if states == 7:
                x[i + 3 : i + 7] = product(x[i + 3 : i + 7], exponential(h * self.w[j + 3 : j + 6]))
            i += states
            j += speeds
        return x


def product(a, b):
    scalar = a[0] * b[0] - a[1:] @ b[1:]
    return np.concatenate([[scalar], a[0] * b[1:] + b[0] * a[1:] + np.cross(a[1:], b[1:])])


def exponential(turn):
    angle = np.linalg.norm(turn)
    return np.concatenate([[np.cos(angle / 2)], np.sin(angle / 2) * turn / angle])


def matrix(e):
    s, u = e[0], e[1:]
    cross = np.array([[0, -u[2], u[1]], [u[2], 0, -u[0]], [-u[1], u[0], 0]])
    return np.eye(3) + 2 * s * cross + 2 * cross @ cross


@pytest.mark.parametrize("kind", [POINT, FRAME, LINK, TURNING_LINK])
@pytest.mark.parametrize("seed", range(3))
def test_velocities_are_the_rates_of_the_states(kind, seed):
    scene = Scene(kind, seed)
    _, speeds = scene.carried()
    h = 1e-5
    ahead, _ = scene.carried(scene.moved(h))
    behind, _ = scene.carried(scene.moved(-h))
    assert (ahead[:3] - behind[:3]) / (2 * h) == pytest.approx(speeds[:3], abs=1e-8)
    middle, _ = scene.carried()
    rate = (matrix(ahead[3:]) - matrix(behind[3:])) / (2 * h)
    spin = matrix(middle[3:]).T @ rate
    assert [spin[2, 1], spin[0, 2], spin[1, 0]] == pytest.approx(speeds[3:].tolist(), abs=1e-6)


@pytest.mark.parametrize("kind", [POINT, FRAME, LINK, TURNING_LINK])
@pytest.mark.parametrize("seed", range(3))
def test_forces_have_the_same_power_on_the_nodes(kind, seed):
    scene = Scene(kind, seed)
    states, speeds = scene.carried()
    forces = np.random.default_rng(seed).normal(size=6)
    q = np.zeros(scene.w.size)
    hand_on(scene.x, scene.heads, states, forces, q)
    assert q @ scene.w == pytest.approx(forces @ speeds, rel=1e-12)


@pytest.mark.parametrize("kind", [POINT, FRAME, LINK, TURNING_LINK])
def test_the_resultant_force_arrives(kind):
    scene = Scene(kind)
    states, _ = scene.carried()
    forces = np.array((1.0, 2.0, 3.0, 0.0, 0.0, 0.0))
    q = np.zeros(scene.w.size)
    hand_on(scene.x, scene.heads, states, forces, q)
    width = scene.w.size // len(nodes_of(kind))
    assert q.reshape(-1, width)[:, :3].sum(axis=0) == pytest.approx(forces[:3])


@pytest.mark.parametrize("direction", [(1, 0, 0), (-1, 0, 0), (0, 1, 0), (0, 0, -1), (-1, 1e-9, 0), (-1, 2, 3)])
def test_the_x_axis_of_a_link_points_along_it(direction):
    scene = Scene(LINK)
    scene.x[3:6] = scene.x[:3] + direction
    first_frames(scene.x, scene.heads, scene.frames)
    states, _ = scene.carried()
    along = np.array(direction) / np.linalg.norm(direction)
    assert matrix(states[3:])[:, 0] == pytest.approx(along, abs=1e-9)
    assert np.linalg.norm(states[3:]) == pytest.approx(1.0, abs=1e-12)


def test_a_fixed_node_gets_no_force():
    scene = Scene(TURNING_LINK)
    scene.heads.view(CARRIER)["free0"] = 0
    states, _ = scene.carried()
    q = np.zeros(12)
    hand_on(scene.x, scene.heads, states, np.ones(6), q)
    assert not q[:6].any()
    assert q[6:].all()


def test_a_commit_keeps_the_rotation_of_a_link():
    """A link that turns with its nodes about its axis by a full turn, in a hundred steps, is back where it began."""
    scene = Scene(TURNING_LINK)
    scene.x[:] = (0, 0, 0, 1, 0, 0, 0, 0, 0, 1, 1, 0, 0, 0)
    first_frames(scene.x, scene.heads, scene.frames)
    began, _ = scene.carried()
    step = exponential(np.array((0.0, 0.0, 2 * np.pi / 100)))
    for _ in range(100):
        for i in (3, 10):
            scene.x[i : i + 4] = product(scene.x[i : i + 4], step)
        states, _ = scene.carried()
        keep_frames(scene.x, scene.heads, states, scene.frames)
    assert matrix(states[3:]) == pytest.approx(matrix(began[3:]), abs=1e-10)
