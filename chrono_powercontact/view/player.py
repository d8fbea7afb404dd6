"""A recording in a browser: a server on this machine, with slider, play, speed and curves; inline in a notebook."""

from __future__ import annotations

import sys
import time
import webbrowser
from importlib import import_module
from typing import Any

import numpy as np
from viser import uplot

from .recording import Chart, Recording
from .scene_page import CURVES, camera_at
from .stage import Stage
from .viewer import HOST, server

SPEEDS = ("1/100", "1/50", "1/20", "1/10", "1/4", "1/2", "1", "2", "4")
"""Ratios of simulated to real time."""

TICK = 1.0 / 60.0
"""Interval in s at which the scene may change."""

LAST = 1e6
"""Place of the curves: below all that is added later."""

LONGEST = 12.0
"""A run is slowed down until it lasts no longer than this, in s, but not sped up."""


def in_notebook() -> bool:
    """Whether a notebook can show HTML."""
    shell = sys.modules.get("IPython")
    running = shell.get_ipython() if shell is not None else None
    return running is not None and type(running).__name__ == "ZMQInteractiveShell"


def play(recording: Recording, port: int | None = None, browser: bool = True) -> None:
    """Show a recording until Ctrl-C; in a notebook, inline."""
    recording.check()
    if in_notebook():
        notebook = import_module("IPython.display")
        notebook.display(notebook.HTML(recording._repr_html_()))
        return
    with server(port, recording.title) as running:
        player = Player(running, recording)
        tell_address(running.get_port(), browser)
        try:
            while True:
                time.sleep(TICK)
                player.advance(TICK)
        except KeyboardInterrupt:
            print("stopped", file=sys.stderr)


def tell_address(port: int, browser: bool) -> None:
    """Print where to look, and open a browser there if there is one."""
    address = f"http://{HOST}:{port}"
    print(f"look at {address} (Ctrl-C ends)", file=sys.stderr, flush=True)
    if browser and not webbrowser.open(address):
        print("no browser could be opened: open that address yourself", file=sys.stderr, flush=True)


def usual_speed(length: float) -> str:
    """The speed at which a run of a length in s is played at first."""
    return next((speed for speed in SPEEDS[:6] if length / ratio_of(speed) <= LONGEST), "1")


def ratio_of(speed: str) -> float:
    """A speed as a number."""
    above, _, below = speed.partition("/")
    return float(above) / float(below or 1.0)


class Player:
    """Moves a recording on a server of viser's."""

    def __init__(self, running: Any, recording: Recording) -> None:
        self._running = running
        self._set_up(recording)
        camera_at(running, self._stage, np.asarray(recording.up, float))
        gui = running.gui
        self._playing = gui.add_checkbox("play", True)
        length = float(self._t[-1] - self._t[0])
        self._speed = gui.add_dropdown("speed", SPEEDS, initial_value=usual_speed(length))
        self._slider = gui.add_slider("frame", 0, max(len(recording) - 1, 1), 1, 0)
        self._time = gui.add_markdown("")
        self._folder = gui.add_folder("curves", order=LAST)
        self._charts = self._draw_charts()
        self._now = float(self._t[0])
        self._slider.on_update(self._seek)
        self.show(0)

    def change(self, recording: Recording) -> None:
        """Go on with another recording at the same instant, from the same camera."""
        recording.check()
        for _, plot in self._charts:
            plot.remove()
        with self._running.atomic():
            self._running.scene.reset()
            self._set_up(recording)
        self._slider.max = max(len(recording) - 1, 1)
        self._charts = self._draw_charts()
        self._now = float(np.clip(self._now, self._t[0], self._t[-1]))
        self.show(max(int(np.searchsorted(self._t, self._now, side="right")) - 1, 0))
        self._slider.value = self.frame

    def advance(self, seconds: float) -> None:
        """Let real time pass."""
        if not self._playing.value:
            return
        self._now += seconds * ratio_of(self._speed.value)
        if self._now > self._t[-1]:
            self._now = float(self._t[0])
        frame = int(np.searchsorted(self._t, self._now, side="right")) - 1
        if frame != self.frame:
            self.show(max(frame, 0))
            self._slider.value = self.frame

    def show(self, frame: int) -> None:
        """Show a frame."""
        self.frame = frame
        self._stage.show(frame)
        contacts = self._recording.frames[frame].contacts
        sliding = int(contacts["sliding"].sum())
        told = f"**t = {self._t[frame]:.4g} s**, {contacts.size - sliding} contacts stick, {sliding} slide"
        self._time.content = told
        for chart, plot in self._charts:
            plot.data = self._until(chart, frame)

    def _seek(self, event: Any) -> None:
        """The user has moved the slider."""
        if event.client is not None and int(self._slider.value) != self.frame:
            self._playing.value = False
            self.show(int(self._slider.value))
            self._now = float(self._t[self.frame])

    def _set_up(self, recording: Recording) -> None:
        """Draw the first frame of a recording."""
        self._recording = recording
        self._t = recording.t
        self._running.scene.set_up_direction(tuple(recording.up))
        self._stage = Stage(self._running.scene, recording)

    def _draw_charts(self) -> list[tuple[Chart, Any]]:
        """The curves of the recording."""
        with self._folder:
            return [(chart, self._chart(self._running.gui, chart)) for chart in self._recording.charts]

    def _chart(self, gui: Any, chart: Chart) -> Any:
        """Curves of a chart."""
        series = [uplot.Series(label="t in s")]
        colours = (CURVES * len(chart.columns))[: len(chart.columns)]
        named = zip(chart.columns, colours, strict=True)
        series += [uplot.Series(label=name, stroke=colour, width=2) for name, colour in named]
        return gui.add_uplot(
            self._until(chart, 0), tuple(series), title=chart.heading, aspect=1.6,
            scales={"x": uplot.Scale(time=False, min=float(self._t[0]), max=float(self._t[-1]))},
        )  # fmt: skip

    def _until(self, chart: Chart, frame: int) -> tuple[Any, ...]:
        """The curves of a chart up to a frame; what comes later is a gap."""
        later = np.arange(len(self._t)) > frame
        return (self._t, *(np.where(later, np.nan, self._recording[name]) for name in chart.columns))
