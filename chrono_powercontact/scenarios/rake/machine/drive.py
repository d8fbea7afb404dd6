"""The drive: lengths of the cylinders over time, from a file, a logged signal or a recipe, as a cubic spline."""

from __future__ import annotations

import csv
import math
from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ....errors import ParameterError
from ...parameters import Parameter, Value
from .machine import Machine
from .two_link import TwoLink

if TYPE_CHECKING:
    from scipy.interpolate import CubicSpline

Signal = NDArray[np.float64]
PACKAGED = Path(__file__).with_name("command.csv")
LARGEST_GAP = 2.0
"""Longest time in s between two knots of a command."""
CYCLE = 241.05
"""Length in s of the whole cleaning cycle."""
LOG_PERIOD, STAIR = 0.09, 1.0
"""Period of the logging controller, and of the stairs in what it logs, in s."""
LAG_KNOTS = 0.05
"""Longest time in s between two knots of a lagging command."""
SPAN = 20
"""Samples in a window of the local regression."""


@dataclass(frozen=True)
class FileParameter(Parameter):
    """A parameter that names a file; the default is the one that comes with the package."""

    def read(self, given: object) -> Value:
        """The path as it was given."""
        return str(given).strip() or self.default

    def allowed(self) -> str:
        """The allowed values in words."""
        return "a CSV file with time in s, main and knuckle cylinder length in m"


@dataclass(frozen=True)
class Command:
    """Commanded lengths of the main and the knuckle cylinder.

    Attributes:
        t: times of the knots in s, increasing. c: lengths in m, one row per cylinder line.
    """

    t: Signal
    c: Signal

    def __post_init__(self) -> None:
        steps = np.diff(self.t)
        if self.t.size < 4:
            raise ParameterError(f"a command needs at least 4 knots, got {self.t.size}")
        if not (np.all(np.isfinite(self.t)) and np.all(np.isfinite(self.c))):
            raise ParameterError("a command must hold finite numbers only, got nan or inf")
        if np.any(steps <= 0.0):
            i = int(np.argmin(steps > 0.0))
            raise ParameterError(f"times of a command must increase, got {self.t[i + 1]:g} s after {self.t[i]:g} s")
        if np.any(steps > LARGEST_GAP):
            i = int(np.argmax(steps > LARGEST_GAP))
            raise ParameterError(
                f"knots of a command may be {LARGEST_GAP:g} s apart at most, "
                f"got a gap from {self.t[i]:g} s to {self.t[i + 1]:g} s"
            )

    @cached_property
    def spline(self) -> CubicSpline:
        """Cubic spline through the knots, one row per line."""
        from scipy.interpolate import CubicSpline

        return CubicSpline(self.t, self.c, axis=1)

    def coefficients(self) -> Signal:
        """Of the spline: (line, interval, power from 3 to 0)."""
        return np.ascontiguousarray(np.moveaxis(self.spline.c, 0, 2).transpose(1, 0, 2))

    def at(self, t: ArrayLike) -> Signal:
        """Lengths in m at times in s, one row per line; held beyond the ends."""
        return np.asarray(self.spline(np.clip(np.asarray(t, float), self.t[0], self.t[-1])))

    def rate(self, t: ArrayLike) -> Signal:
        """Rates in m/s at times in s, one row per line; zero beyond the ends."""
        times = np.asarray(t, float)
        inside = (times >= self.t[0]) & (times <= self.t[-1])
        return np.where(inside, self.spline(times, 1), 0.0)

    def check(self, machine: Machine) -> None:
        """Raise where the machine cannot follow: another start, beyond a stroke, or where a loop does not close."""
        if abs(self.t[0]) > 1e-9:
            raise ParameterError(f"a command must begin at 0 s, got {self.t[0]:g} s")
        loops = TwoLink(machine).loops
        for lengths, cylinder, loop in zip(self.c, machine.cylinders, loops, strict=True):
            for length in (float(lengths.min()), float(lengths.max())):
                loop.angle(length)
                cylinder.check(length)


def read_command(path: str | Path) -> Command:
    """The command in a CSV file: time in s, main and knuckle cylinder length in m; a line of titles may come first."""
    try:
        with Path(path).open(newline="", encoding="utf-8") as file:
            reader = csv.reader(file)
            rows = [(reader.line_num, row) for row in reader if row]
    except (OSError, UnicodeDecodeError, csv.Error) as error:
        raise ParameterError(f"the command file {str(path)!r} cannot be read: {error}") from None
    numbers = [_numbers(path, line, row) for line, row in rows[1 if rows and _titles(rows[0][1]) else 0 :]]
    if not numbers:
        raise ParameterError(f"the command file {str(path)!r} has no knots")
    table = np.array(numbers)
    return Command(table[:, 0].copy(), table[:, 1:].T.copy())


def _titles(row: list[str]) -> bool:
    """Whether no cell of a row is a number."""
    for cell in row:
        try:
            float(cell)
        except ValueError:
            continue
        return False
    return True


def _numbers(path: str | Path, line: int, row: list[str]) -> list[float]:
    try:
        values = [float(cell) for cell in row]
    except ValueError:
        values = []
    if len(values) != 3 or not all(map(math.isfinite, values)):
        raise ParameterError(
            f"line {line} of the command file {str(path)!r} must hold three numbers (time in s, main and knuckle "
            f"cylinder length in m), got {','.join(row)!r}"
        )
    return values


def blend(x: ArrayLike) -> Signal:
    """Quintic from 0 to 1 with rest at both ends."""
    y = np.clip(np.asarray(x, float), 0.0, 1.0)
    return y**3 * (10.0 - 15.0 * y + 6.0 * y * y)


def join(first: Command, second: Command) -> Command:
    """One command after the other."""
    later = second.t > first.t[-1] + 1e-9
    return Command(np.concatenate([first.t, second.t[later]]), np.concatenate([first.c, second.c[:, later]], axis=1))


def with_return(command: Command, machine: Machine, end: float = CYCLE) -> Command:
    """The command, and then: off the rack, to the dump position, wait, back to where it began, rest until the end."""
    start = command.c[:, -1]
    parked = command.c[:, 0]
    begin = float(command.t[-1])
    phi = TwoLink(machine).angles(*parked)[0]
    dump = np.array(TwoLink(machine).lengths(phi, phi - math.radians(80.0)))
    pace = (end - begin) / (CYCLE - 125.0)
    stations = [(0.0, 15.0, np.array([parked[0], start[1]])), (15.0, 45.0, dump), (60.0, 95.0, parked)]
    t = begin + np.append(np.arange(0.5, (end - begin) - 0.25, 0.5), end - begin)
    c = np.repeat(start[:, None], t.size, axis=1)
    at = start
    for first, last, target in stations:
        c += blend((t - begin - pace * first) / (pace * (last - first))) * (target - at)[:, None]
        at = target
    return join(command, Command(t, c))


def lagged(command: Command, lag: float) -> Command:
    """What cylinders do that follow the command as a first-order lag of a time constant in s, from rest."""
    if lag == 0.0:
        return command
    from scipy.signal import lfilter

    apart = min(LAG_KNOTS, 0.25 * lag)
    t = np.append(np.arange(0.0, command.t[-1] - 0.5 * apart, apart), command.t[-1])
    c = command.at(t)
    kept = math.exp(-apart / lag)
    ahead = 1.0 - lag / apart * (1.0 - kept)
    moved = lfilter([ahead, 1.0 - kept - ahead], [1.0, -kept], c - c[:, :1], axis=1)
    return Command(t, c[:, :1] + moved)


def logged(command: Command, until: float) -> Command:
    """What the controller logs: stairs of one second, sampled every 90 ms."""
    t = np.arange(0.0, until, LOG_PERIOD)
    return Command(t, command.at(np.floor(t / STAIR + 1e-9) * STAIR))


def _lowess() -> Callable[..., Signal]:
    try:
        module = import_module("statsmodels.nonparametric.smoothers_lowess")
    except ImportError:
        raise ParameterError(
            "smoothing a logged drive needs statsmodels, which is not installed: pip install statsmodels "
            "(this package with [rake] brings it)"
        ) from None
    smoother: Callable[..., Signal] = module.lowess
    return smoother


def regressed(command: Command, span: int = SPAN) -> Command:
    """LOWESS: local linear regression with tricube weights over a span of samples."""
    smooth = _lowess()
    fraction = min(span / command.t.size, 1.0)
    return Command(
        command.t, np.array([smooth(c, command.t, frac=fraction, it=0, return_sorted=False) for c in command.c])
    )


def averaged(command: Command, width: float = STAIR) -> Command:
    """Moving mean over a width in s, the ends repeated."""
    half = max(round(0.5 * width / float(np.median(np.diff(command.t))) - 0.5), 0)
    padded = np.pad(command.c, ((0, 0), (half, half)), mode="edge")
    window = np.ones(2 * half + 1) / (2 * half + 1)
    return Command(command.t, np.array([np.convolve(c, window, mode="valid") for c in padded]))
