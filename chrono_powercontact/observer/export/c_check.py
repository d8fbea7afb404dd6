"""Compiles an exported filter with the machine's C compiler and runs it beside the Python one."""

from __future__ import annotations

import ctypes
import shutil
import subprocess
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ...errors import DivergedError, ParameterError
from ..filters.checks import table
from ..filters.sigma_point_filter import SigmaPointFilter
from .c_filter import c_source

Array = NDArray[np.float64]

COMPILERS = ("cc", "gcc", "clang")
FLAGS = ("-std=c99", "-O2", "-Wall", "-Wextra", "-pedantic", "-Werror")
ROUNDS = 5


def compiler() -> str:
    """Path of a C compiler."""
    for name in COMPILERS:
        path = shutil.which(name)
        if path is not None:
            return path
    raise ParameterError(
        f"no C compiler was found, looked for {', '.join(COMPILERS)}: install one, or export unchecked"
    )


def built(source: Path, library: Path) -> None:
    """Compile a file as a shared library."""
    command = [compiler(), *FLAGS, "-shared", "-fPIC", str(source), "-o", str(library), "-lm"]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode != 0:
        raise ParameterError(f"the C compiler refused the exported file: {done.stderr.strip()[:500]}")


def structure(states: int, outputs: int) -> type[ctypes.Structure]:
    """observer_t of the template."""

    class Observer(ctypes.Structure):
        _fields_ = [
            ("t", ctypes.c_double),
            ("x", ctypes.c_double * states),
            ("s", ctypes.c_double * (states * states)),
            ("innovation", ctypes.c_double * outputs),
            ("nis", ctypes.c_double),
            ("skipped", ctypes.c_long),
            ("lifted", ctypes.c_long),
            ("collapsed", ctypes.c_long),
        ]

    return Observer


@dataclass(frozen=True)
class CRun:
    """What a compiled filter made of some samples.

    Attributes:
        x, nis: estimate and NIS of each sample. skipped: measurements. time: processor time in s per sample.
    """

    x: Array
    nis: Array
    skipped: int
    time: float


def run_c(source: str, states: int, us: ArrayLike, ys: ArrayLike, rounds: int = 1) -> CRun:
    """Compile the text of an exported filter and run it over samples; the time is the least of some rounds."""
    inputs = np.ascontiguousarray(us, float)
    measured = np.ascontiguousarray(ys, float)
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "observer.c"
        file.write_text(source, encoding="utf-8")
        built(file, file.with_suffix(".so"))
        library = ctypes.CDLL(str(file.with_suffix(".so")))
        least = float("inf")
        for _ in range(rounds):
            run = _samples(library, states, inputs, measured)
            least = min(least, run.time)
    return CRun(run.x, run.nis, run.skipped, least)


def _samples(library: Any, states: int, us: Array, ys: Array) -> CRun:
    observer = structure(states, ys.shape[1])()
    here = ctypes.byref(observer)
    xs = np.zeros((len(ys), states))
    nis = np.zeros(len(ys))
    rows = [(u.ctypes.data_as(ctypes.c_void_p), y.ctypes.data_as(ctypes.c_void_p)) for u, y in zip(us, ys, strict=True)]
    library.observer_start(here)
    begin = time.process_time()
    for k, (u, y) in enumerate(rows):
        if not library.observer_update(here, u, y):
            raise DivergedError(f"the exported filter left the finite numbers in sample {k}")
        xs[k] = observer.x
        nis[k] = observer.nis
    return CRun(xs, nis, int(observer.skipped), (time.process_time() - begin) / len(ys))


@dataclass(frozen=True)
class Agreement:
    """How far C and Python are apart, and what they cost.

    Attributes:
        difference: largest difference of an estimate over the largest value of its state.
        c_time, python_time: processor time in s per sample.
    """

    difference: float
    c_time: float
    python_time: float

    @property
    def sentence(self) -> str:
        """In words."""
        ratio = self.c_time / self.python_time
        return (
            f"C agrees with Python to {self.difference:.1e} and takes {1e6 * self.c_time:.1f} us per sample, "
            f"{ratio:.2f} of numba's time"
        )


def agreement(observer: SigmaPointFilter, us: ArrayLike, ys: ArrayLike) -> Agreement:
    """Compare the exported filter with the Python one over samples; the observer itself is left as it is."""
    measured = table("ys", ys, len(observer.model.outputs))
    inputs = table("us", us, len(observer.model.inputs), len(measured))
    in_c = run_c(c_source(observer), len(observer.model.states), inputs, measured, ROUNDS)
    least = float("inf")
    for _ in range(ROUNDS):
        twin = observer.twin()
        begin = time.process_time()
        seen = twin.run(measured, inputs)
        least = min(least, (time.process_time() - begin) / len(measured))
    estimates = np.column_stack([seen[name] for name in observer.model.states])
    size = np.abs(estimates).max(axis=0) + np.finfo(float).tiny
    return Agreement(float((np.abs(in_c.x - estimates) / size).max()), in_c.time, least)
