"""A running scene on a server of viser's: only the present instant, and a pause."""

from __future__ import annotations

import time

import numpy as np

from .recording import Recording
from .scene_page import camera_at
from .slots import slots_of
from .stage import Measures, Stage, measured
from .viewer import start, stop

SLOWLY = 0.05
"""By which share the length of arrows follows the forces from frame to frame."""

PAUSED = 0.05
"""Interval in s at which a paused scene looks whether it may go on."""


class LiveStage:
    """Shows the last frame of a recording that grows; frames that were shown are forgotten."""

    def __init__(self, recording: Recording, port: int | None = None) -> None:
        """Start a server, on this machine only."""
        self._recording = recording
        self._server = start(port, recording.title)
        self._pause = self._server.gui.add_checkbox("pause", False)
        self._time = self._server.gui.add_markdown("")
        self._stage: Stage | None = None
        self._measures: Measures | None = None
        self._touched = False

    @property
    def port(self) -> int:
        """The port of the server."""
        return int(self._server.get_port())

    @property
    def watched(self) -> bool:
        """Whether a browser looks at it."""
        return bool(self._server.get_clients())

    def wait(self) -> None:
        """Wait as long as someone who looks has paused the run."""
        while self._pause.value and self.watched:
            time.sleep(PAUSED)

    def show(self) -> None:
        """Show the last frame, by the measures of the frames before."""
        recording = self._recording
        self._measures = self._measured()
        del recording.frames[:-1]
        with self._server.atomic():
            before = self._stage
            self._stage = Stage(self._server.scene, recording, self._measures, before)
            if before is None:
                camera_at(self._server, self._stage, np.asarray(recording.up, float))
            else:
                _forget(before, self._stage)
        contacts = recording.frames[-1].contacts
        sliding = int(contacts["sliding"].sum())
        told = f"**t = {recording.frames[-1].t:.4g} s**, {contacts.size - sliding} contacts stick, {sliding} slide"
        self._time.content = told

    def _measured(self) -> Measures:
        """Where the scene was at first, what has moved so far, and an arrow's length that follows the forces slowly."""
        contacts = self._recording.frames[-1].contacts
        now = measured(self._recording, slots_of([contacts]))
        before = self._measures or now
        moves = now.moves.copy()
        moves[: before.moves.size] |= before.moves
        newton = before.newton_per_metre
        if contacts.size:
            newton += (SLOWLY if self._touched else 1.0) * (now.newton_per_metre - newton)
            self._touched = True
        return Measures(before.extent, moves, newton)

    def close(self) -> None:
        """Stop the server."""
        stop(self._server)


def _forget(before: Stage, now: Stage) -> None:
    """Take away what is drawn no longer."""
    for name in before.nodes.keys() - now.nodes.keys():
        before.nodes[name].remove()
