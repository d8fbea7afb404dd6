"""A running scene on a server of viser's: only the present instant, and a pause."""

from __future__ import annotations

import time

import numpy as np

from .recording import Recording
from .scene_page import camera_at
from .stage import Stage
from .viewer import start, stop

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
        self._camera = False

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
        """Show the last frame."""
        recording = self._recording
        del recording.frames[:-1]
        with self._server.atomic():
            stage = Stage(self._server.scene, recording)
        if not self._camera:
            camera_at(self._server, stage, np.asarray(recording.up, float))
            self._camera = True
        contacts = recording.frames[-1].contacts
        sliding = int(contacts["sliding"].sum())
        told = f"**t = {recording.frames[-1].t:.4g} s**, {contacts.size - sliding} contacts stick, {sliding} slide"
        self._time.content = told

    def close(self) -> None:
        """Stop the server."""
        stop(self._server)
