"""One run of a sweep, and those of a function that takes a dictionary and returns one."""

from __future__ import annotations

import hashlib
import inspect
import pickle
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Protocol

from ...errors import ParameterError, PowerContactError

DONE = "done"
FAILED = "failed"
TIMED_OUT = "timed out"
CRASHED = "crashed"
STATUSES = (DONE, FAILED, TIMED_OUT, CRASHED)
"""What may become of a run."""

Config = Callable[[dict[str, Any]], Mapping[str, Any]]
"""A function of a dictionary of parameters that returns a dictionary of results."""


@dataclass(frozen=True)
class Answer:
    """What became of a run.

    Attributes:
        status: one of STATUSES. error: its sentence. wall_time: in s. passed: verdict on the claim, None without one.
        metrics: by name.
    """

    status: str
    error: str = ""
    wall_time: float = 0.0
    passed: bool | None = None
    metrics: Mapping[str, Any] | None = None


class Job(Protocol):
    """A run that can be sent to another process."""

    def __call__(self) -> tuple[bool | None, Mapping[str, Any]]:
        """Run; returns the verdict on the claim and the metrics."""


class Source(Protocol):
    """What a sweep runs."""

    @property
    def identity(self) -> dict[str, Any]:
        """By which its runs are known, besides their parameters."""

    def job(self, point: Mapping[str, Any]) -> Job:
        """The run with some values of the swept parameters."""

    def check(self, point: Mapping[str, Any]) -> None:
        """Raise where the values of a run cannot be used."""


@dataclass(frozen=True)
class FunctionJob:
    """A call of a function; one that travels is packed as bytes."""

    function: bytes | Config
    config: Mapping[str, Any]

    def __call__(self) -> tuple[bool | None, Mapping[str, Any]]:
        """Call it; a result that is no dictionary is an error."""
        function = pickle.loads(self.function) if isinstance(self.function, bytes) else self.function
        result = function(dict(self.config))
        if not isinstance(result, Mapping):
            raise ParameterError(f"a swept function must return a dictionary, got {type(result).__name__}")
        metrics = {str(name): value for name, value in result.items() if name != "passed"}
        passed = result.get("passed")
        return (None if passed is None else bool(passed)), metrics


@dataclass(frozen=True)
class FunctionSource:
    """Calls of a function with parameters that all of them share."""

    function: Config
    given: Mapping[str, Any]
    packed: bytes | None

    @property
    def identity(self) -> dict[str, Any]:
        """By which its runs are known: its name and its text, besides their parameters."""
        return {"function": name_of(self.function), "text": text_of(self.function), "given": dict(self.given)}

    def job(self, point: Mapping[str, Any]) -> FunctionJob:
        """The call with some values of the swept parameters."""
        return FunctionJob(self.packed or self.function, {**self.given, **point})

    def check(self, point: Mapping[str, Any]) -> None:
        """A function checks its parameters itself."""


def name_of(function: Config) -> str:
    """The name of a function with its module."""
    kind = type(function)
    return f"{getattr(function, '__module__', kind.__module__)}.{getattr(function, '__qualname__', kind.__qualname__)}"


def text_of(function: Config) -> str:
    """A hash of the text of a function; empty where there is none to read."""
    try:
        return hashlib.sha256(inspect.getsource(function).encode()).hexdigest()[:16]
    except (OSError, TypeError):
        return ""


def pack(function: Config) -> bytes:
    """A function as bytes; one that another process cannot import is packed by value, which needs cloudpickle."""
    importable = getattr(function, "__module__", "__main__") != "__main__"
    try:
        import cloudpickle
    except ModuleNotFoundError:
        if importable:
            return _pickled(function)
        raise ParameterError(
            f"{name_of(function)!r} cannot be imported by another process: install cloudpickle "
            "(pip install cloudpickle), or put the function into a module"
        ) from None
    packed: bytes = cloudpickle.dumps(function)
    return packed


def _pickled(function: Config) -> bytes:
    try:
        return pickle.dumps(function)
    except (pickle.PicklingError, AttributeError, TypeError):
        raise ParameterError(
            f"{name_of(function)!r} cannot be sent to another process: install cloudpickle (pip install cloudpickle)"
        ) from None


def perform(job: Callable[[], tuple[bool | None, Mapping[str, Any]]]) -> Answer:
    """Run a job in this process; what it raises becomes part of the answer."""
    begin = time.perf_counter()
    try:
        passed, metrics = job()
    except KeyboardInterrupt:
        raise
    except MemoryError:
        return Answer(FAILED, "the run does not fit into the memory that it may use", time.perf_counter() - begin)
    except PowerContactError as error:
        return Answer(FAILED, str(error), time.perf_counter() - begin)
    except (Exception, SystemExit) as error:
        sentence = f"{type(error).__name__}: {error}".splitlines()[0]
        return Answer(FAILED, sentence, time.perf_counter() - begin)
    return Answer(DONE, "", time.perf_counter() - begin, passed, dict(metrics))
