"""The folder of a sweep: every finished run at once in rows.jsonl, the whole in sweep.csv and sweep.json.

A sweep that is started again in its folder reads rows.jsonl and does only what is missing. A line that was cut off
when the process was killed is dropped. Runs that travel together come back together: where a worker sees the folder, it
writes down there what became of each run when it ends, and a sweep that was killed does not repeat it.
"""

from __future__ import annotations

import csv
import json
import os
import shutil
import socket
from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from types import TracebackType
from typing import IO, Any

from ...errors import ParameterError, PowerContactError
from ...report.folder import open_folder, plain, write_json
from .jobs import DONE, FAILED, Answer

Row = dict[str, Any]

ROWS = "rows.jsonl"
ANSWERS = "answers"
LOCK = "sweep.lock"
TABLE = "sweep.csv"
SUMMARY = "sweep.json"

FINISHED = (DONE, FAILED)
"""Runs that are not repeated; what crashed or took too long is tried again."""


class Store:
    """A folder that belongs to one sweep while it runs."""

    def __init__(self, folder: str | Path, identity: Mapping[str, Any]) -> None:
        self.folder = open_folder(folder)
        self._identity: Row = as_json(identity)
        self._lock = locked(self.folder / LOCK)
        try:
            self.rows = self._earlier()
            self._file = self._opened()
        except BaseException:
            self._release()
            raise

    def __enter__(self) -> Store:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        with suppress(OSError):
            self._file.close()
        self._release()

    def _release(self) -> None:
        """Let other sweeps use the folder."""
        if self._lock is not None:
            self._lock.close()

    def _earlier(self) -> dict[str, Row]:
        """Rows of an earlier start of the same sweep by key; raises where the folder holds another one."""
        path = self.folder / ROWS
        if not path.exists():
            if (self.folder / SUMMARY).exists() or (self.folder / TABLE).exists():
                raise ParameterError(f"{str(self.folder)!r} holds a sweep without {ROWS}: choose another folder")
            return {}
        lines = list(read_lines(path))
        if lines and lines[0] != self._identity:
            other = lines[0]
            names = {*other, *self._identity}
            differing = sorted(name for name in names if other.get(name) != self._identity.get(name))
            raise ParameterError(
                f"{str(self.folder)!r} holds another sweep ({_words(other)}), which differs from this one in its "
                f"{', '.join(differing)}: choose another folder, or delete that one"
            )
        answers = (row for file in sorted(self.folder.glob(f"{ANSWERS}/*.jsonl")) for row in read_lines(file))
        return {row["key"]: row for row in (*answers, *lines[1:]) if row["status"] in FINISHED}

    def _opened(self) -> IO[str]:
        """The file of rows, written anew with what is kept, and open for more."""
        path = self.folder / ROWS
        fresh = path.with_suffix(".new")
        try:
            with fresh.open("w", encoding="utf-8") as file:
                for line in (self._identity, *self.rows.values()):
                    file.write(json.dumps(line) + "\n")
            fresh.replace(path)
            self._drop_answers()
            return path.open("a", encoding="utf-8")
        except OSError as error:
            raise self._unwritable(error) from None

    def _drop_answers(self) -> None:
        """Remove what workers wrote down: the file of rows has it."""
        shutil.rmtree(self.folder / ANSWERS, ignore_errors=True)

    def add(self, row: Row) -> None:
        """Keep a finished run."""
        try:
            self._file.write(json.dumps(as_json(row)) + "\n")
            self._file.flush()
        except OSError as error:
            raise self._unwritable(error) from None
        self.rows[row["key"]] = row

    def _unwritable(self, error: OSError) -> PowerContactError:
        reason = error.strerror or type(error).__name__
        return PowerContactError(
            f"the sweep cannot be written to {str(self.folder)!r}: {reason}; {len(self.rows)} finished runs are kept "
            "there, and the same sweep goes on from them"
        )

    def finish(self, names: Sequence[str], rows: Sequence[Row], summary: Mapping[str, Any]) -> None:
        """Write the table and the summary."""
        try:
            write_table(self.folder / TABLE, names, rows)
            write_json(self.folder / SUMMARY, as_json(summary))
        except OSError as error:
            raise self._unwritable(error) from None
        self._drop_answers()


@dataclass(frozen=True)
class Turn:
    """A run that is to be done: its key, its parameters, its number in the plan, how often its worker was lost."""

    key: str
    point: Row
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


def as_json(value: Mapping[str, Any]) -> Row:
    """A dictionary as JSON gives it back; what JSON does not know becomes text."""
    read: Row = json.loads(json.dumps(plain(value), default=repr))
    return read


def read_lines(path: Path) -> Iterable[Row]:
    """The lines of a file of JSON lines; one that was cut off ends it."""
    with path.open(encoding="utf-8") as file:
        for line in file:
            try:
                yield json.loads(line)
            except json.JSONDecodeError:
                return


def locked(path: Path) -> IO[str] | None:
    """A file that is locked until it is closed or this process ends; None where files cannot be locked.

    Raises where another process holds it: two sweeps must not write to one folder.
    """
    try:
        import fcntl
    except ModuleNotFoundError:
        return None
    file = path.open("a", encoding="utf-8")
    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        file.close()
        raise ParameterError(
            f"another sweep is running in {str(path.parent)!r}: wait for it, or choose another folder"
        ) from None
    return file


def metric_names(rows: Iterable[Row]) -> list[str]:
    """Names of all metrics that are one number or one word, in the order in which they are met."""
    names: dict[str, None] = {}
    for row in rows:
        for name, value in (row["metrics"] or {}).items():
            if isinstance(value, bool | int | float | str):
                names[name] = None
    return list(names)


def column_of(metric: str, names: Sequence[str]) -> str:
    """The column of a metric: its name, unless a parameter or a column of every sweep has that."""
    return f"metric_{metric}" if metric in (*names, *COMMON) else metric


COMMON = ("status", "error", "wall_time", "passed")
"""Columns of every sweep, between the parameters and the metrics."""


def write_table(path: Path, names: Sequence[str], rows: Sequence[Row]) -> None:
    """Write a row for each run: parameters, status, error, wall time, verdict, metrics."""
    metrics = metric_names(rows)
    with path.open("w", newline="", encoding="utf-8") as file:
        writer = csv.writer(file)
        writer.writerow([*names, *COMMON, *(column_of(metric, names) for metric in metrics)])
        for row in rows:
            values = row["metrics"] or {}
            writer.writerow(
                [*(row["point"][name] for name in names), *(row[name] for name in COMMON), *map(values.get, metrics)]
            )


def _words(identity: Mapping[str, Any]) -> str:
    """What a sweep runs, in words."""
    what = identity.get("scenario") or identity.get("function") or "an unknown one"
    given = {**identity.get("given", {}), **identity.get("over", {})}
    version = identity.get("version")
    return f"{what} over {', '.join(given) or 'nothing'}" + (f", version {version}" if version else "")
