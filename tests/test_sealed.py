"""Sealed kernels: called with structures, taken from disk by a new process, and not copied into their callers."""

import subprocess
import sys
from typing import Any, NamedTuple

import numpy as np
import pytest
from numba import njit, typeof, types
from sealed_calls import callable_from_python

from chrono_powercontact.sealed import sealed

POINT = np.dtype([("x", np.float64), ("v", np.float64, (3,))])


class Cloud(NamedTuple):
    points: Any
    scale: float


CLOUD = typeof(Cloud(np.zeros(0, POINT), 1.0))
PAIR = types.Tuple((types.float64, types.int64))


@sealed(PAIR(CLOUD, types.float64[::1], types.boolean))
def weigh(cloud, out, double):
    total = 0.0
    for i in range(cloud.points.size):
        out[i] = cloud.scale * (cloud.points[i].x + cloud.points[i].v[2])
        total += out[i]
    return (2.0 if double else 1.0) * total, cloud.points.size


@sealed(types.void(types.float64[::1]))
def clear(values):
    for i in range(values.size):
        values[i] = 0.0


@njit
def weigh_and_clear(points, scale, out):
    total, count = weigh(Cloud(points, scale), out, True)
    kept = out[0]
    clear(out)
    return total, count, kept


def points():
    cloud = np.zeros(3, POINT)
    cloud["x"] = [1.0, 2.0, 3.0]
    cloud["v"][:, 2] = 0.5
    return cloud


def test_a_kernel_calls_it_with_structures_of_arrays():
    out = np.zeros(3)
    assert weigh_and_clear(points(), 2.0, out) == (30.0, 3, 3.0)
    assert not out.any()


def test_python_calls_it_through_a_kernel():
    out = np.zeros(3)
    assert callable_from_python(weigh)(Cloud(points(), 2.0), out, False) == (15.0, 3)
    assert out == pytest.approx([3.0, 5.0, 7.0])


def test_a_caller_knows_its_symbol_alone():
    weigh_and_clear(points(), 2.0, np.zeros(3))
    (code,) = weigh_and_clear.inspect_llvm().values()
    assert [line for line in code.splitlines() if line.startswith("declare") and f"{__name__}.weigh" in line]
    assert not [line for line in code.splitlines() if line.startswith("define") and "weighE" in line]


SCRIPT = """
import numpy as np
from numba import njit, types
from chrono_powercontact.sealed import sealed

@sealed(types.float64(types.float64[::1]))
def total(values):
    found = 0.0
    for value in values:
        found += value
    return found

@njit(types.float64(types.float64[::1]), cache=True)
def mean(values):
    return total(values) / values.size

print(mean(np.array([1.0, 2.0, 6.0])), sum(mean.stats.cache_hits.values()))
"""


def test_a_new_process_takes_the_caller_from_disk(tmp_path):
    script = tmp_path / "mean.py"
    script.write_text(SCRIPT)
    said = [
        subprocess.run([sys.executable, str(script)], capture_output=True, text=True, check=True).stdout.split()
        for _ in range(2)
    ]
    assert said == [["3.0", "0"], ["3.0", "1"]]
