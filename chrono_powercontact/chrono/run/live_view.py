"""A running system in the browser, for machines without a screen; it looks like a visual system of Chrono's."""

from __future__ import annotations

import weakref
from typing import Any

from ...view.recording import needing_viser
from ..attachment import living_on
from .scene_recording import SceneRecording

SLIP_SPEED = 1e-3
"""Sliding speed in m/s above which a contact is shown as sliding."""


class LiveView:
    """The present instant of a system on a server; the methods are those of a visual system."""

    def __init__(self, system: Any, title: str) -> None:
        self._system = weakref.ref(system)
        self._recording = SceneRecording(system, living_on(system), title, SLIP_SPEED, None)
        self._stage = needing_viser("live_stage").LiveStage(self._recording)
        weakref.finalize(system, self._stage.close)
        self._draw()

    @property
    def address(self) -> str:
        """Where to look."""
        return f"http://127.0.0.1:{self._stage.port}"

    def Run(self) -> bool:
        """Wait while the run is paused; it goes on in any case."""
        self._stage.wait()
        return True

    def BeginScene(self) -> None:
        """Nothing to prepare."""

    def Render(self) -> None:
        """Show the present instant, if someone looks."""
        if self._stage.watched:
            self._draw()

    def EndScene(self) -> None:
        """Nothing to finish."""

    def _draw(self) -> None:
        system = self._system()
        if system is None:
            return
        self._recording.sample(system.GetChTime())
        if self._recording.pieces:
            self._stage.show()
