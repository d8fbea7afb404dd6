"""What workers of an executor write down by themselves: a run is kept when it ends, not when its task comes back.

Runs that travel together come back together. Where a worker sees the folder of the sweep, it appends what became of
each run to a file of its own there, and a sweep that was killed does not repeat it.
"""

from __future__ import annotations

import json
import os
import socket
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from .jobs import Answer
from .plan import Point
from .store import ANSWERS, ROWS, Row, as_json


@dataclass(frozen=True)
class Turn:
    """A run that is to be done: its key, its parameters, its number in the plan, how often its worker was lost."""

    key: str
    point: Point
    number: int
    lost: int = 0


def row_of(turn: Turn, answer: Answer) -> Row:
    """What is kept of a run, as JSON gives it back."""
    return as_json(
        {
            "key": turn.key, "number": turn.number, "point": turn.point, "status": answer.status,
            "error": answer.error, "wall_time": answer.wall_time, "passed": answer.passed,
            "metrics": dict(answer.metrics or {}),
        }
    )  # fmt: skip


@dataclass(frozen=True)
class Journal:
    """Where the runs of a task are written down: the folder of the sweep, and the runs."""

    folder: str
    turns: tuple[Turn, ...]

    def note(self, place: int, answer: Answer) -> None:
        """Write down what became of a run of the task, if the folder is seen from here and can be written to."""
        folder = Path(self.folder)
        if not (folder / ROWS).exists():
            return
        with suppress(OSError):
            (folder / ANSWERS).mkdir(exist_ok=True)
            path = folder / ANSWERS / f"{socket.gethostname()}-{os.getpid()}.jsonl"
            with path.open("a", encoding="utf-8") as file:
                file.write(json.dumps(row_of(self.turns[place], answer)) + "\n")
