"""Cost of a filter update: ours against filterpy's UKF with the same compiled model, side by side in one run."""

from __future__ import annotations

import importlib
import importlib.util
import time
from collections.abc import Callable
from typing import Any

import numpy as np

from ..kernel import kernel
from ..lagrange.system import System
from ..observer.filter_model import FilterModel
from ..observer.filters.cdkf import CDKF
from ..observer.filters.filter_layout import Equations
from ..observer.filters.sigma_point_filter import SigmaPointFilter
from ..observer.filters.sigma_points import propagate
from ..observer.models import model_of, state_names
from ..scenarios.bodies.cube import Cube
from ..scenarios.bodies.pendulum import Pendulum
from ..scenarios.parameters import read_parameters

SAMPLE_TIME = 1e-3
START = np.array([0.4, -0.9, 0.5, -0.5, 0.0, 0.0])


def missing() -> str | None:
    """Why filterpy cannot be measured, in one sentence; None where it can."""
    if importlib.util.find_spec("filterpy") is None:
        return "filterpy is not installed; get it with: pip install filterpy"
    return None


def touching_pendulum() -> System:
    """The double pendulum with two contacts, friction and two memory states: six states."""
    scenario = Pendulum()
    return scenario.system(read_parameters(scenario.parameters, {"mu_c": 0.18, "mu_s": 0.2}))


def our_filter() -> SigmaPointFilter:
    """The CDKF with the pendulum's two angles measured."""
    model = model_of(touching_pendulum(), outputs=("phi1", "phi2"))
    return CDKF(model, START, np.full(6, 1e-6), np.full(6, 1e-8), np.full(2, 1e-6), SAMPLE_TIME)


@kernel
def advance_points(functions: Any, systems: Any, p: Any, points: Any, u: Any, h: float) -> None:
    """One RK4 step of every point."""
    none = np.zeros(0, np.int64)
    propagate(Equations(functions, systems, p, none, np.zeros(0, np.bool_), none), 0.0, points, u, h, 1)


def cube_filter(kind: type[SigmaPointFilter] = CDKF) -> SigmaPointFilter:
    """A filter over the cube with 8 corners that may touch: 13 states, of which its position is measured."""
    scenario = Cube()
    system = scenario.system(read_parameters(scenario.parameters, {"friction": False}))
    place = [symbol.name for symbol in system.model.q][:3]
    n = system.sizes.n_q + system.sizes.n_u
    model = model_of(system, outputs=place, states=state_names(system)[:n])
    start = np.zeros(n)
    start[2] = 0.05
    start[3] = 1.0
    return kind(model, start, np.full(n, 1e-8), np.full(n, 1e-10), np.full(3, 1e-6), SAMPLE_TIME)


def cube_update_cost(count: int = 200, rounds: int = 5, kind: type[SigmaPointFilter] = CDKF) -> float:
    """Processor time in s of one update of the cube's filter; the least of some rounds."""
    least = float("inf")
    for _ in range(rounds):
        observer = cube_filter(kind)
        y = observer.x[:3]
        begin = time.process_time()
        for _ in range(count):
            observer.update(y)
        least = min(least, (time.process_time() - begin) / count)
    return least


def compiled_step(model: FilterModel) -> Callable[[Any, float], Any]:
    """One RK4 step by the same compiled code that our filter uses, as filterpy asks for it: point by point."""
    none = np.zeros(0)
    functions = model.functions
    systems = model.systems

    def step(x: Any, h: float) -> Any:
        points = np.array(x)[None]
        advance_points(functions, systems, model.p, points, none, h)
        return points[0]

    return step


def filterpy_filter() -> Any:
    """filterpy's UKF on the same system."""
    kalman = importlib.import_module("filterpy.kalman")
    model = our_filter().model
    points = kalman.MerweScaledSigmaPoints(6, alpha=1.0, beta=2.0, kappa=0.0)
    other = kalman.UnscentedKalmanFilter(6, 2, SAMPLE_TIME, lambda x: x[:2], compiled_step(model), points)
    other.x = START.copy()
    other.P = 1e-6 * np.eye(6)
    other.Q = 1e-8 * np.eye(6)
    other.R = 1e-6 * np.eye(2)
    return other


def update_costs(count: int = 300, rounds: int = 5) -> tuple[float, float]:
    """Seconds for one update of our CDKF and of filterpy's UKF; the least of some rounds in turn."""
    ours = our_filter()
    other = filterpy_filter()
    y = START[:2]

    def theirs() -> None:
        other.predict()
        other.update(y)

    least = [float("inf")] * 2
    for _ in range(rounds + 1):
        for i, action in enumerate((lambda: ours.update(y), theirs)):
            begin = time.perf_counter()
            for _ in range(count):
                action()
            least[i] = min(least[i], (time.perf_counter() - begin) / count)
    return least[0], least[1]
