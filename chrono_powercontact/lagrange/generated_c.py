"""The kernel of a model as C through the machine's compiler: the other way to compile it, for measurement."""

from __future__ import annotations

import ctypes
import shutil
import subprocess
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

import numpy as np
import sympy as sp
from sympy.printing.c import ccode

from .codegen import ARGUMENTS, compile_model, kernel_entries
from .model import TIME, Model


def c_source(model: Model) -> tuple[str, str]:
    """C text of the model's kernel, and of a loop over it; two files, so that the loop cannot be optimised away."""
    names = ARGUMENTS.split(", ")[1:]
    columns = {"M": len(model.speeds), "J": len(model.speeds), "S": len(model.speeds)}
    shared, targets = kernel_entries(model)
    local = {s: sp.Symbol(f"q[{i}]") for i, s in enumerate(model.q)}
    local |= {s: sp.Symbol(f"u[{i}]") for i, s in enumerate(model.speeds)}
    local |= {s: sp.Symbol(f"p[{i}]") for i, s in enumerate(model.parameters)}
    local[TIME] = sp.Symbol("t")
    lines = [f"double {symbol} = {ccode(e.xreplace(local))};" for symbol, e in shared]
    for (name, i, j), e in targets:
        index = i * columns[name] + j if name in columns else i
        lines.append(f"{name}[{index}] = {ccode(e.xreplace(local))};")
    arguments = ", ".join(f"double *restrict {name}" for name in names)
    kernel = f"#include <math.h>\nvoid terms(double t, {arguments}) {{\n  " + "\n  ".join(lines) + "\n}\n"
    call = f"q[0] += 1e-12; terms(t, {', '.join(names)});"
    loop = f"for (long i = 0; i < n; i++) {{ {call} }}"
    return kernel, f"void terms(double t, {arguments});\nvoid repeat(long n, double t, {arguments}) {{ {loop} }}\n"


def _least(action: Callable[[int], None], count: int) -> float:
    times = []
    for _ in range(5):
        begin = time.perf_counter()
        action(count)
        times.append((time.perf_counter() - begin) / count)
    return min(times)


def time_kernels(model: Model, count: int = 100_000) -> tuple[float, float] | None:
    """Seconds for one evaluation by numba and by C; None where no C compiler is found."""
    from numba import njit

    compiler = shutil.which("cc")
    if compiler is None:
        return None
    n_q = len(model.q)
    n_u = len(model.speeds)
    n_c = len(model.contacts)
    n_t = sum(len(vector) for vector in model.slips)
    shapes = [n_q, n_u, len(model.parameters), (n_u, n_u), n_u, n_q, n_c, n_c, (n_c, n_u), n_t, (n_t, n_u), 3]
    arrays = [np.full(shape, 0.3) for shape in shapes]
    terms = compile_model(model)

    @njit
    def repeat(count, q, u, p, m, h, q_dot, s, s_dot, jac, slip, slip_jac, energy):  # type: ignore[no-untyped-def]
        for _ in range(count):
            q[0] += 1e-12
            terms(0.0, q, u, p, m, h, q_dot, s, s_dot, jac, slip, slip_jac, energy)

    repeat(1, *arrays)
    with tempfile.TemporaryDirectory() as folder:
        library = Path(folder) / "terms.so"
        sources = [Path(folder) / "terms.c", Path(folder) / "repeat.c"]
        for path, text in zip(sources, c_source(model), strict=True):
            path.write_text(text)
        subprocess.run([compiler, "-O3", "-shared", "-fPIC", *map(str, sources), "-o", str(library), "-lm"], check=True)
        function = ctypes.CDLL(str(library)).repeat
        pointers = [array.ctypes.data_as(ctypes.c_void_p) for array in arrays]
        by_c = _least(lambda n: function(ctypes.c_long(n), ctypes.c_double(0.0), *pointers), count)
    return _least(lambda n: repeat(n, *arrays), count), by_c
