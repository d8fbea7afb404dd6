"""A small recording for tests: a ball that falls, a box that slides, contacts that come and go."""

import numpy as np

from chrono_powercontact.view.pieces import BALL, BOX, PLANE, Piece
from chrono_powercontact.view.recording import CONTACT, NO_CONTACTS, Chart, Frame, Recording

COUNT = 40


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
