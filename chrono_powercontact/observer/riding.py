"""An observer rides on a run: it reads named measurements at its sample times, estimates, and records side by side."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from ..errors import ParameterError, UnknownNameError, finite, not_negative
from .consistency import nees
from .filters.sigma_point_filter import SigmaPointFilter
from .observation import Array, Observation, column_names

if TYPE_CHECKING:
    from ..trajectory import Trajectory

Reading = Callable[[], float]
"""A function without arguments that returns a number: an angle in rad, a position in m, a drive's force in N."""


def _complete(kind: str, given: Sequence[str], known: Sequence[str], all_needed: bool = True) -> None:
    for name in given:
        if name not in known:
            raise UnknownNameError(kind, name, known)
    missing = [name for name in known if name not in given]
    if all_needed and missing:
        raise ParameterError(f"each {kind} of the observer needs a reading, missing {missing}")


class Ride:
    """An observer on a simulation that runs step by step, in Chrono or elsewhere.

    Call it with the time after every step, or at every sample: it acts when its sample time has come. The first call
    sets the start. Samples missed by the next call at a sample time are predicted over, and counted as skipped by the
    observer. An input is read at the beginning of a sample and taken as held to its end.

    >>> ride = Ride(observer, {"phi": angle_of_the_hinge}, noise={"phi": 1e-3}, seed=1, truth={"omega": speed})
    >>> while system.GetChTime() < 3.0:
    ...     ride(system.GetChTime())
    ...     system.DoStepDynamics(1e-4)
    >>> ride.observation().rms("omega")

    Args:
        observer: the filter.
        readings: a reading for each output. drives: one for each input.
        noise: standard deviation of white noise added to an output, in its unit; seed: of that noise.
        truth: readings of states, to be recorded beside the estimates.
    """

    def __init__(
        self, observer: SigmaPointFilter, readings: Mapping[str, Reading], drives: Mapping[str, Reading] | None = None,
        noise: Mapping[str, float] | None = None, seed: int = 0, truth: Mapping[str, Reading] | None = None,
    ) -> None:  # fmt: skip
        model = observer.model
        self.observer = observer
        self._readings = dict(readings)
        self._drives = dict(drives or {})
        self._truth = dict(truth or {})
        _complete("output", list(self._readings), model.outputs)
        _complete("input", list(self._drives), model.inputs)
        _complete("state", list(self._truth), model.states, all_needed=False)
        _complete("output", list(noise or {}), model.outputs, all_needed=False)
        self._noise = np.array([not_negative(f"noise of {n}", (noise or {}).get(n, 0.0)) for n in model.outputs])
        self._chance = np.random.default_rng(seed)
        self._rows: list[Array] = []
        self._begin = math.nan
        self._held = np.zeros(len(model.inputs))

    def __call__(self, time: float) -> bool:
        """Take a sample where one is due at this time in s; True where it was."""
        finite("time", time)
        if not self._rows:
            self._start(time)
            self._record(time, np.full(len(self._noise), np.nan))
        else:
            period = self.observer.sample_time
            due = self._begin + len(self._rows) * period
            if time < due - 1e-6 * period:
                return False
            missed = round((time - due) / period)
            if abs(time - due - missed * period) > 1e-6 * period:
                raise ParameterError(
                    f"a sample was due at {due:.9g} s, the time is {time:.9g} s: "
                    f"the sample time {period:g} s must be a multiple of the simulation's step"
                )
            for late in range(missed):
                self._miss(due + late * period)
            measured = self._read(self._readings, self.observer.model.outputs)
            measured += self._noise * self._chance.standard_normal(len(self._noise))
            self.observer.update(measured, self._held)
            self._record(time, measured)
        self._held = self._read(self._drives, self.observer.model.inputs)
        return True

    def _miss(self, time: float) -> None:
        """A sample that never came: predicted over with the input that was held, and counted."""
        nothing = np.full(len(self._noise), np.nan)
        self.observer.update(nothing, self._held)
        self._record(time, nothing)

    def _start(self, time: float) -> None:
        if abs(time - self.observer.t) > 1e-6 * self.observer.sample_time:
            raise ParameterError(f"the observer is at {self.observer.t:g} s, the run at {time:g} s: give it t_0")
        self._begin = time

    def _read(self, readings: Mapping[str, Reading], names: Sequence[str]) -> Array:
        return np.array([float(readings[name]()) for name in names])

    def _record(self, time: float, measured: Array) -> None:
        observer = self.observer
        innovation = observer.innovation if self._rows else np.full(len(measured), np.nan)
        truth = self._read(self._truth, list(self._truth))
        parts: list[Any] = [[time], observer.x, observer.sigma, innovation, [observer.nis], measured, self._held, truth]
        if self._known_truth:
            true = truth[[list(self._truth).index(name) for name in observer.model.states]]
            parts.append(nees(observer.x - true, observer.factor))
        self._rows.append(np.concatenate(parts))

    @property
    def _known_truth(self) -> bool:
        return len(self._truth) == len(self.observer.model.states)

    def observation(self) -> Observation:
        """What was recorded so far; `nees` is there where the truth of every state is known."""
        model = self.observer.model
        names = (
            "t", *column_names(model.states, model.outputs), *(f"measured_{name}" for name in model.outputs),
            *(f"input_{name}" for name in model.inputs), *(f"true_{name}" for name in self._truth),
            *(("nees",) if self._known_truth else ()),
        )  # fmt: skip
        return Observation(names, np.array(self._rows).reshape(-1, len(names)), np.zeros((0, 0, 0)))


def ride_trajectory(
    observer: SigmaPointFilter, run: Trajectory, drives: Mapping[str, Callable[[float], float]] | None = None,
    columns: Mapping[str, str] | None = None, noise: Mapping[str, float] | None = None, seed: int = 0,
) -> Observation:  # fmt: skip
    """An observer rides on a run of the reference engine after the fact.

    Args:
        run: its records must meet the observer's sample times.
        drives: each input as a function of the time in s.
        columns: column of the run for outputs and states whose names differ from it.
        noise, seed: as for `Ride`.
    """
    names = dict(columns or {})
    model = observer.model
    row = 0

    def reading(name: str) -> Reading:
        column = run[names.get(name, name)]
        return lambda: float(column[row])

    def drive(function: Callable[[float], float]) -> Reading:
        return lambda: function(float(run["t"][row]))

    truth = {name: reading(name) for name in model.states if names.get(name, name) in run.names}
    readings = {name: reading(name) for name in model.outputs}
    inputs = {name: drive(function) for name, function in (drives or {}).items()}
    ride = Ride(observer, readings, inputs, noise, seed, truth)
    for row in range(len(run)):
        ride(float(run["t"][row]))
    return ride.observation()
