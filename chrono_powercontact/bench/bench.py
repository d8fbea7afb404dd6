"""Speed as ratios measured in one run: every figure is ours against something else on the same machine, now."""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass
from functools import wraps
from pathlib import Path
from typing import Any

import numpy as np

from .. import __version__
from ..chrono.api.bridge import missing
from ..errors import ParameterError, UnknownNameError
from ..lagrange import engine
from ..lagrange.generated_c import time_kernels
from ..lagrange.lambdified import lambdified_rate
from ..laws.normal.restriction import Restriction
from ..observer.export.c_check import agreement, compiler
from ..report.folder import write_json
from ..scenarios.bodies.cube import Cube
from ..scenarios.bodies.cube_model import START_MOTION, cube_model
from ..scenarios.catalogue import find
from ..scenarios.parameters import read_parameters
from . import observer_speed
from .chrono_speed import anchor_costs, implicit_costs, sphere_costs, step_costs, user_law_costs
from .orders import measured_order
from .real_time import PERIOD, real_time_loop


@dataclass(frozen=True)
class Ratio:
    """One comparison.

    Attributes:
        ours, other: times in s of what the labels say.
        ratio: how many times longer the other takes.
        target: ratio that we want to reach at least.
    """

    case: str
    ours_is: str
    other_is: str
    ours: float
    other: float
    ratio: float
    target: float


Case = Callable[[], Ratio | str]
"""A benchmark: it gives a ratio, or the reason why it cannot be measured here."""


def _best(action: Callable[[], object], repeats: int = 3) -> float:
    """Least time in s of some repeats."""
    times = []
    for _ in range(repeats):
        begin = time.perf_counter()
        action()
        times.append(time.perf_counter() - begin)
    return min(times)


def with_pychrono(case: Case) -> Case:
    """A case that needs PyChrono: it gives the reason where PyChrono is missing."""

    @wraps(case)
    def guarded() -> Ratio | str:
        reason = missing()
        return case() if reason is None else reason

    return guarded


def _rk4_step(rate: Callable[[float, Any], Any], x: Any, h: float) -> Any:
    """An RK4 step in Python, of a rate that does not depend on time."""
    k1 = rate(0.0, x)
    k2 = rate(0.0, x + 0.5 * h * k1)
    k3 = rate(0.0, x + 0.5 * h * k2)
    return x + h / 6.0 * (k1 + 2.0 * k2 + 2.0 * k3 + rate(0.0, x + h * k3))


def cube_step() -> Ratio:
    """An RK4 step of the cube with friction: compiled, and through lambdify with NumPy."""
    cube = Cube()
    system = cube.system(read_parameters(cube.parameters, {}))
    x0 = system.state((0.0, 0.0, 0.051, 1.0, 0.0, 0.0, 0.0), START_MOTION)
    steps = 20_000
    rows = np.zeros((2, len(system.columns)))
    rate = lambdified_rate(system)

    def compiled() -> None:
        engine.rk4(system.terms, 0.0, x0.copy(), *system.arguments, 1e-5, 0, steps // 2, rows)

    def interpreted() -> None:
        x = x0.copy()
        for _ in range(50):
            x = _rk4_step(rate, x, 1e-5)

    compiled()
    ours = _best(compiled) / steps
    other = _best(interpreted) / 50
    return Ratio("cube_step", "compiled RK4 step", "RK4 step by lambdify and NumPy", ours, other, other / ours, 30.0)


def _impact_in_python(law: Restriction, speed: float, mass: float, h: float) -> None:
    """A free impact by RK4 in a Python loop."""
    s = 0.012
    v = -speed
    while s <= 0.012:
        a1 = float(law.force(s, v)) / mass
        a2 = float(law.force(s + 0.5 * h * v, v + 0.5 * h * a1)) / mass
        a3 = float(law.force(s + 0.5 * h * (v + 0.5 * h * a1), v + 0.5 * h * a2)) / mass
        a4 = float(law.force(s + h * (v + 0.5 * h * a2), v + h * a3)) / mass
        s += h * v + h * h / 6.0 * (a1 + a2 + a3)
        v += h / 6.0 * (a1 + 2.0 * a2 + 2.0 * a3 + a4)


def restitution_map() -> Ratio:
    """50 x 50 impacts in one parallel pass, and the same RK4 in a Python loop (timed on 10, scaled to 2500)."""
    scenario = find("restitution_map")
    p = read_parameters(scenario.parameters, {"n_speed": 50, "n_r_d": 50})
    scenario.run(p)
    ours = _best(lambda: scenario.run(p))
    points = [(v, r_d) for v in np.geomspace(0.1, 5.0, 5) for r_d in (0.1, 1.0)]

    def loop() -> None:
        for speed, r_d in points:
            _impact_in_python(Restriction(p.s_0, p.s_c, p.r_f, r_d), speed, p.mass, p.step)

    other = _best(loop, 1) * 2500 / len(points)
    return Ratio("restitution_map", "one parallel pass", "a Python loop", ours, other, other / ours, 30.0)


def second_start() -> Ratio:
    """`run cube` from an empty cache, and once more with the kernels on disk."""
    with tempfile.TemporaryDirectory() as folder:
        environment = {**os.environ, "POWERCONTACT_CACHE": folder, "NUMBA_CACHE_DIR": str(Path(folder) / "numba")}
        command = [sys.executable, "-m", "chrono_powercontact", "run", "cube", "--engine", "reference"]
        command += ["--quiet", "--out", folder + "/run"]

        def start() -> None:
            subprocess.run(command, env=environment, check=True, stdout=subprocess.DEVNULL)

        first = _best(start, 1)
        second = _best(start, 2)
    return Ratio("second_start", "run cube, kernels cached", "run cube, first time", second, first, first / second, 5.0)


def generated_c() -> Ratio | str:
    """The cube's kernel by numba, and as C through the machine's compiler."""
    times = time_kernels(cube_model("quaternion"))
    if times is None:
        return "it needs a C compiler (cc)"
    ours, other = times
    return Ratio("generated_c", "kernel by numba", "kernel by generated C, cc -O3", ours, other, other / ours, 0.8)


def _chrono_cubes(count: int, steps: int, target: float) -> Ratio:
    ours, smc, _ = step_costs(count, steps)
    return Ratio(f"chrono_{count}", f"{count} cubes, our contacts", "Chrono's SMC", ours, smc, smc / ours, target)


@with_pychrono
def chrono_1() -> Ratio | str:
    """A step of Chrono with one resting cube: our eight corners with friction and memory, and SMC."""
    return _chrono_cubes(1, 5000, 0.4)


@with_pychrono
def chrono_100() -> Ratio | str:
    """A step of Chrono with 100 resting cubes."""
    return _chrono_cubes(100, 300, 1.0)


@with_pychrono
def chrono_1000() -> Ratio | str:
    """A step of Chrono with 1000 resting cubes."""
    return _chrono_cubes(1000, 40, 1.0)


@with_pychrono
def chrono_anchor() -> Ratio | str:
    """What the contacts of 100 resting cubes add to a step of Chrono: on anchors, and on the filter of the thesis."""
    ours, filtered = anchor_costs(100, 300)
    return Ratio("chrono_anchor", "anchored contacts", "contacts with LPV", ours, filtered, filtered / ours, 1.0 / 1.3)


@with_pychrono
def chrono_user_law() -> Ratio | str:
    """A step of Chrono with 100 resting cubes on Hooke's law: as a user writes it, and built in."""
    user, built_in = user_law_costs(100, 300)
    return Ratio("chrono_user_law", "user law", "built-in law", user, built_in, built_in / user, 1.0 / 1.2)


@with_pychrono
def chrono_implicit() -> Ratio | str:
    """A step of Chrono with one resting cube on anchors: with the forces at its end, and at its start."""
    implicit, explicit = implicit_costs(1, 5000)
    return Ratio(
        "chrono_implicit",
        "forces at the end",
        "forces at the start",
        implicit,
        explicit,
        explicit / implicit,
        1.0 / 1.7,
    )


@with_pychrono
def chrono_spheres() -> Ratio | str:
    """A step of Chrono with 200 spheres in a box, taken over by our law, and with SMC."""
    ours, smc = sphere_costs(200, 300)
    return Ratio("chrono_spheres", "200 spheres, our contacts", "Chrono's SMC", ours, smc, smc / ours, 0.5)


@with_pychrono
def chrono_order() -> Ratio | str:
    """Error of Chrono's RUNGE_KUTTA with our contact during an impact, at a step and at half of it: order 4 is 16."""
    coarse, fine, _ = measured_order("runge_kutta")
    return Ratio("chrono_order", "error at 0.1 ms (m)", "error at 0.2 ms (m)", fine, coarse, coarse / fine, 14.0)


def observer_update() -> Ratio | str:
    """An update of the CDKF with six states and contacts, and of filterpy's UKF with the same compiled model."""
    reason = observer_speed.missing()
    if reason is not None:
        return reason
    ours, other = observer_speed.update_costs()
    return Ratio("observer_update", "CDKF update, n = 6", "filterpy's UKF", ours, other, other / ours, 2.0)


def observer_cube() -> Ratio:
    """An update with 13 states and 8 contacts, against the millisecond that a loop of 1 kHz leaves."""
    ours = observer_speed.cube_update_cost()
    return Ratio("observer_cube", "CDKF update, n = 13, 8 contacts", "1 ms", ours, 1e-3, 1e-3 / ours, 1.0)


def observer_c() -> Ratio | str:
    """A sample of the gait trainer's observer in numba, and as exported to C."""
    scenario = find("gait_observer")
    p = read_parameters(scenario.parameters, {})
    observer = scenario.exported_observer(p)
    try:
        compiler()
    except ParameterError as error:
        return str(error)
    if observer is None:
        return "gait_observer exports no observer"
    found = agreement(observer, *scenario.export_samples(p))
    ratio = found.python_time / found.c_time
    return Ratio("observer_c", "exported C99, S3", "numba", found.c_time, found.python_time, ratio, 2.0)


def real_time() -> Ratio:
    """Plant, observer and controller at 1 kHz: how late 99 of 100 periods start at most."""
    loop = real_time_loop()
    print(loop.sentence, flush=True)
    late = float(np.quantile(loop.late, 0.99))
    return Ratio("real_time", "99 % of starts late by less than", "period", late, PERIOD, PERIOD / late, 1.0)


CASES: dict[str, Case] = {
    "cube_step": cube_step,
    "restitution_map": restitution_map,
    "generated_c": generated_c,
    "second_start": second_start,
    "chrono_1": chrono_1,
    "chrono_100": chrono_100,
    "chrono_1000": chrono_1000,
    "chrono_anchor": chrono_anchor,
    "chrono_user_law": chrono_user_law,
    "chrono_implicit": chrono_implicit,
    "chrono_spheres": chrono_spheres,
    "chrono_order": chrono_order,
    "observer_update": observer_update,
    "observer_cube": observer_cube,
    "observer_c": observer_c,
    "real_time": real_time,
}


def _amount(case: str, value: float) -> str:
    return f"{value:.2g}" if case == "chrono_order" else _duration(value)


def _duration(seconds: float) -> str:
    if seconds < 1e-3:
        return f"{seconds * 1e6:.3g} us"
    return f"{seconds * 1e3:.3g} ms" if seconds < 1.0 else f"{seconds:.3g} s"


def run_benchmarks(only: Sequence[str] = (), out: str | None = None) -> list[Ratio]:
    """Run the cases, print each ratio as it is measured, and write them to a JSON file where asked."""
    for name in only:
        if name not in CASES:
            raise UnknownNameError("benchmark", name, CASES)
    results = []
    for name in only or CASES:
        result = CASES[name]()
        if isinstance(result, str):
            print(f"{name:16} skipped: {result}")
            continue
        results.append(result)
        verdict = "reached" if result.ratio >= result.target else "missed"
        print(
            f"{name:16} {result.ratio:8.3g} x   {result.ours_is} {_amount(name, result.ours)}, "
            f"{result.other_is} {_amount(name, result.other)}; target {result.target:g} {verdict}",
            flush=True,
        )
    if out:
        write_json(Path(out), {"package_version": __version__, "results": [asdict(result) for result in results]})
    return results
