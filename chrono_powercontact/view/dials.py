"""Parameters that someone who looks at a run may change: sliders, boxes and lists beside the scene."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from threading import Event
from typing import Any

Value = float | int | bool | str

POSITIONS = 200
"""Positions of a slider."""


@dataclass(frozen=True)
class Dial:
    """One parameter.

    Attributes:
        name: of the parameter. label: what is written beside it. value: at first; its type decides what it looks like.
        low, high: of a number. choices: of a word. hint: shown where the mouse rests.
    """

    name: str
    label: str
    value: Value
    low: float = 0.0
    high: float = 1.0
    choices: tuple[str, ...] = ()
    hint: str = ""


class Dials:
    """Dials on a server of viser's; `changed` tells once that one was moved."""

    def __init__(self, running: Any, dials: Sequence[Dial]) -> None:
        self._moved = Event()
        with running.gui.add_folder("parameters"):
            self._handles = {dial.name: _add(running.gui, dial) for dial in dials}
            self._told = running.gui.add_markdown("")
        for handle in self._handles.values():
            handle.on_update(lambda _: self._moved.set())

    def changed(self) -> bool:
        """Whether a dial was moved since the last call."""
        moved = self._moved.is_set()
        self._moved.clear()
        return moved

    def values(self) -> dict[str, Value]:
        """The present values by name."""
        return {name: handle.value for name, handle in self._handles.items()}

    def turn(self, name: str, value: Value) -> None:
        """Move a dial, as someone in the browser would."""
        self._handles[name].value = value
        self._moved.set()

    def tell(self, sentence: str) -> None:
        """Write a sentence below the dials."""
        self._told.content = sentence


def _add(gui: Any, dial: Dial) -> Any:
    """What a dial looks like."""
    if isinstance(dial.value, bool):
        return gui.add_checkbox(dial.label, dial.value, hint=dial.hint)
    if dial.choices:
        return gui.add_dropdown(dial.label, dial.choices, initial_value=dial.value, hint=dial.hint)
    whole = isinstance(dial.value, int)
    low, high = (round(dial.low), round(dial.high)) if whole else (dial.low, dial.high)
    step = 1 if whole else (high - low) / POSITIONS
    return gui.add_slider(dial.label, low, high, step, dial.value, hint=dial.hint)
