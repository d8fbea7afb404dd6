"""How a law becomes a compiled kernel, and the smooth functions that all of them share.

Every kernel is written in plain NumPy, so that `kernel.py_func` takes arrays as it stands and the compiled
kernel takes scalars inside any engine's loop: one text, both uses.
"""

from __future__ import annotations

import os
from contextlib import suppress
from pathlib import Path
from typing import Any

import numpy as np
from numba import njit

FloatArray = Any  # numpy array or scalar of float64; the kernels take both

kernel = njit(cache=True, error_model="numpy")

_PACKAGE = Path(__file__).resolve().parent.parent


_USES = {
    "laws": ("laws",), "lagrange": ("laws", "lagrange"), "chrono": ("laws", "chrono"),
    "observer": ("laws", "lagrange", "observer"),
}  # fmt: skip
"""Rooms whose kernels a room's own may have inlined; all rooms unless given."""


def forget_stale_kernels() -> int:
    """Remove compiled kernels older than the newest source that they may have inlined; returns how many.

    Numba watches only the file of the function itself. A caller that has inlined a law would keep the old
    law after an edit, and a wrong number would go unnoticed.
    """
    newest: dict[str, float] = {}
    for source in _PACKAGE.rglob("*.py"):
        room = source.relative_to(_PACKAGE).parts[0]
        if b"@kernel" in source.read_bytes():
            newest[room] = max(newest.get(room, 0.0), source.stat().st_mtime)
    forgotten = 0
    for index in _PACKAGE.rglob("__pycache__/*.nbi"):
        used = _USES.get(index.relative_to(_PACKAGE).parts[0], tuple(newest))
        with suppress(OSError):  # another process may be forgetting the same ones
            if index.stat().st_mtime < max((newest.get(room, 0.0) for room in used), default=0.0):
                os.remove(index)
                forgotten += 1
    return forgotten


forget_stale_kernels()

_LOG1P_EXP_M2 = float(np.log1p(np.exp(-2.0)))


@kernel
def falling_step(x: FloatArray) -> FloatArray:
    """(1 - tanh(x))/2 as 1/(1 + exp(2x)): exact in the tail, where the difference would cancel."""
    return 1.0 / (1.0 + np.exp(np.minimum(2.0 * x, 700.0)))


@kernel
def log_cosh(x: FloatArray) -> FloatArray:
    """log(cosh(x)) without overflow at any argument and without cancellation near zero."""
    a = np.abs(x)
    near = np.minimum(a, 1.0)
    far = np.maximum(a, 1.0)
    beyond_one = (far - 1.0) + (np.log1p(np.exp(-2.0 * far)) - _LOG1P_EXP_M2)
    return np.log1p(2.0 * np.sinh(0.5 * near) ** 2) + beyond_one


@kernel
def soft_plus(x: FloatArray) -> FloatArray:
    """log(1 + exp(x)) without overflow at any argument."""
    return np.maximum(x, 0.0) + np.log1p(np.exp(-np.abs(x)))
