"""How a law becomes a compiled kernel, and how stale kernels are dropped after an edit.

Every kernel is written in plain NumPy, so that `kernel.py_func` takes arrays as it stands and the compiled
kernel takes scalars inside any engine's loop: one text, both uses.
"""

from __future__ import annotations

import os
from collections.abc import Iterable
from contextlib import suppress
from pathlib import Path
from typing import Any

from numba import njit

FloatArray = Any
"""NumPy array or scalar of float64; the kernels take both."""

kernel = njit(cache=True, error_model="numpy")

_PACKAGE = Path(__file__).resolve().parent

_USES = {
    "numerics": ("numerics",),
    "laws": ("numerics", "laws"),
    "lagrange": ("numerics", "laws", "lagrange"),
    "chrono": ("numerics", "laws", "chrono"),
    "observer": ("numerics", "laws", "lagrange", "observer"),
}
"""Rooms whose kernels a room's own may have inlined; all rooms unless given."""


def _times(paths: Iterable[Path]) -> dict[Path, float]:
    """When each file was last written; one that another process has just removed is left out."""
    times = {}
    for path in paths:
        with suppress(OSError):
            times[path] = path.stat().st_mtime
    return times


def forget_stale_kernels() -> int:
    """Remove compiled kernels older than the newest source that they may have inlined; returns how many.

    Numba watches only the file of the function itself. A caller that has inlined a law would keep the old
    law after an edit, and a wrong number would go unnoticed. Sources are read only where one of them is newer than a
    compiled kernel: an installed package just compares times.
    """
    compiled = _times(_PACKAGE.rglob("__pycache__/*.nbi"))
    if not compiled:
        return 0
    oldest = min(compiled.values())
    newest: dict[str, float] = {}
    for source, written in _times(_PACKAGE.rglob("*.py")).items():
        if written > oldest and b"@kernel" in source.read_bytes():
            room = _room(source)
            newest[room] = max(newest.get(room, 0.0), written)
    forgotten = 0
    for index, written in compiled.items():
        used = _USES.get(_room(index), tuple(newest))
        if written < max((newest.get(room, 0.0) for room in used), default=0.0):
            with suppress(OSError):
                os.remove(index)
                forgotten += 1
    return forgotten


def _room(path: Path) -> str:
    """The room of the package that a file belongs to."""
    return path.relative_to(_PACKAGE).parts[0]


forget_stale_kernels()
