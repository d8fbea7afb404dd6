"""A small recording for tests: a ball that falls, a box that slides, contacts that come and go."""

import numpy as np

from chrono_powercontact.view.pieces import BALL, BOX, PLANE, Piece
from chrono_powercontact.view.recording import CONTACT, NO_CONTACTS, Chart, Frame, Recording

COUNT = 40

SHAKING = 2e-3
"""By how much in m the balls of a heap shake at first: noise is what packs worst."""


def contact(x, sliding, force=10.0):
    row = np.zeros(1, CONTACT)
    row["a"], row["b"] = 0, 2
    row["point"] = (x, 0.0, 0.0)
    row["normal"] = (0.0, 0.0, force)
    row["friction"] = (-3.0, 0.0, 0.0)
    row["sliding"] = sliding
    return row


def small_recording(count=COUNT):
    t = np.linspace(0.0, 1.0, count)
    frames = []
    for i, now in enumerate(t):
        height = 1.0 - 0.8 * now
        positions = np.array([[0.5 * now, 0.0, height], [1.0, 0.5 * now, 0.1], [0.0, 0.0, 0.0]])
        rotations = np.tile([1.0, 0.0, 0.0, 0.0], (3, 1))
        touching = contact(0.5 * now, i > count // 2) if i > count // 4 else NO_CONTACTS
        frames.append(Frame(float(now), positions, rotations, touching, (1.0 - now, now)))
    pieces = [
        Piece(0, BALL, (0.1,), (224, 129, 42)),
        Piece(1, BOX, (0.2, 0.2, 0.2), (31, 111, 180)),
        Piece(2, PLANE, (), (148, 156, 166)),
    ]
    charts = (Chart("energy", "J", ("kinetic", "heat")),)
    return Recording("a small scene", ["ball", "box", "ground"], pieces, ("kinetic", "heat"), charts, frames)


def heap(bodies, count):
    """Balls that fall, roll and come to rest on each other: three contacts for each, all of which change."""
    rng = np.random.default_rng(1)
    t = np.linspace(0.0, count / 60.0, count)
    start = rng.uniform(0.0, 1.0, (bodies, 3)) * (0.4, 0.4, 1.0)
    drift = rng.normal(0.0, 0.02, (bodies, 3))
    spin = rng.normal(0.0, 1.0, (bodies, 3))
    pairs = rng.integers(0, bodies, (3 * bodies, 2))
    frames = []
    for now in t:
        slow = 1.0 - np.exp(-2.0 * now)
        place = start + slow * drift - np.outer(slow * start[:, 2], (0.0, 0.0, 0.5))
        place += rng.normal(0.0, SHAKING, place.shape) * (1.0 - slow)
        half = 0.5 * slow * spin
        angle = np.linalg.norm(half, axis=1, keepdims=True)
        turn = np.hstack([np.cos(angle), half * np.sinc(angle / np.pi)])
        frames.append(Frame(float(now), place, turn, _touching(place, pairs, slow, rng), (1.0 - slow, slow)))
    pieces = [Piece(number, BALL, (0.02,), (224, 129, 42)) for number in range(bodies)]
    charts = (Chart("energy", "J", ("kinetic", "heat")),)
    names = [f"ball {number}" for number in range(bodies)]
    return Recording("a heap", names, pieces, ("kinetic", "heat"), charts, frames)


def _touching(place, pairs, slow, rng):
    """Contacts between pairs of bodies, more of them the more the heap has settled."""
    acting = pairs[: int(slow * len(pairs))]
    found = np.zeros(len(acting), CONTACT)
    found["a"], found["b"] = acting.T
    between = place[acting[:, 0]] - place[acting[:, 1]]
    found["point"] = 0.5 * (place[acting[:, 0]] + place[acting[:, 1]])
    found["normal"] = 10.0 * between
    found["friction"] = 2.0 * np.cross(between, (0.0, 0.0, 1.0))
    found["sliding"] = rng.random(len(acting)) > slow
    return found
