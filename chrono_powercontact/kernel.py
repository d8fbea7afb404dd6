"""The decorator that compiles kernels, and the removal of stale compiled kernels after an edit.

Every kernel is written in plain NumPy. `kernel.py_func` takes arrays as it is, and the compiled kernel takes scalars
inside the loop of an engine. One source serves both.
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from types import FunctionType
from typing import Any

from numba import config, njit
from numba.core.registry import CPUDispatcher

from .borrowing import BorrowingCompiler

FloatArray = Any
"""NumPy array or scalar of float64; the kernels take both."""


class Kernel(CPUDispatcher):
    """A compiled function in two forms: one that Python calls, and one for other kernels, both kept on disk.

    The second has no code that takes Python objects apart and makes new ones. With structures of many arrays that is
    longer than the function itself, and a third of the time that an engine takes to compile.
    """

    _inner: Any = None

    @property
    def _numba_type_(self) -> Any:
        """What numba takes for this object inside another kernel: the form without wrappers."""
        if self._inner is None:
            given = self.py_func
            own = FunctionType(given.__code__, given.__globals__, given.__name__, given.__defaults__, given.__closure__)
            own.__qualname__ = f"{given.__qualname__}.inner"
            options = {**self.targetoptions, "no_cpython_wrapper": True}
            self._inner = CPUDispatcher(own, targetoptions=options, pipeline_class=BorrowingCompiler)
            self._inner.enable_caching()
        return self._inner._numba_type_


def _compiler(**options: Any) -> Callable[[Callable[..., Any]], Any]:
    """A decorator that makes kernels with further options of numba."""

    def decorate(function: Callable[..., Any]) -> Any:
        wanted = {"nopython": True, "error_model": "numpy", "no_cfunc_wrapper": True, **options}
        made = Kernel(function, targetoptions=wanted, pipeline_class=BorrowingCompiler)
        made.enable_caching()
        return made

    return decorate


kernel = _compiler()
"""Compiles a function and keeps the machine code on disk."""

inlined = _compiler(forceinline=True)
"""The same for a function that the machine code always copies into its caller.

If a structure of arrays is passed to a function that is not copied, numba counts a reference to each array. In the
inner loop of an engine that can cost as much as the loop itself.
"""

inner = njit(cache=True, error_model="numpy", forceinline=True, no_cpython_wrapper=True, no_cfunc_wrapper=True)
"""Like `inlined`, for a function that Python cannot call: what it returns may be arrays of dual numbers."""

expanded = njit(cache=True, error_model="numpy", inline="always")
"""The same for a function that is copied before types are inferred: slower to compile, faster with large structures."""

_COMPILED = re.compile(rb"@(kernel|inlined|inner|expanded|sealed)\b|np\.dtype\(")

_PACKAGE = Path(__file__).resolve().parent

_USES = {
    "numerics": ("numerics",),
    "laws": ("numerics", "laws"),
    "setvalued": ("numerics", "laws", "setvalued"),
    "lagrange": ("numerics", "laws", "setvalued", "lagrange"),
    "chrono": ("numerics", "laws", "chrono"),
    "observer": ("numerics", "laws", "setvalued", "lagrange", "observer"),
}
"""For each subpackage, those whose kernels it may have inlined; one that is not listed may have inlined any."""


def _times(ending: str) -> dict[str, float]:
    """Time at which each file of the package was last written; one that another process has just removed is left out.

    Strings instead of paths: every start of the program waits for this.
    """
    times = {}
    for folder, _, names in os.walk(_PACKAGE):
        for name in names:
            if name.endswith(ending):
                with suppress(OSError):
                    times[f"{folder}{os.sep}{name}"] = os.stat(f"{folder}{os.sep}{name}").st_mtime
    return times


def forget_stale_kernels() -> int:
    """Remove compiled kernels older than the newest source that they may have inlined; returns their number.

    Numba watches only the file of the function itself. A caller that has inlined a law would keep the old law after an
    edit, and wrong numbers would go unnoticed. A source is read only if it is newer than the oldest compiled kernel, so
    an installed package only compares times.
    """
    compiled = _times(".nbi")
    if not compiled:
        return 0
    oldest = min(compiled.values())
    newest: dict[str, float] = {}
    for source, written in _times(".py").items():
        if written > oldest and _COMPILED.search(Path(source).read_bytes()):
            name = _subpackage(source)
            newest[name] = max(newest.get(name, 0.0), written)
    if not newest:
        return 0
    forgotten = 0
    for index, written in compiled.items():
        used = _USES.get(_subpackage(index), tuple(newest))
        if written < max((newest.get(name, 0.0) for name in used), default=0.0):
            with suppress(OSError):
                os.remove(index)
                forgotten += 1
    return forgotten


def is_compiled(subpackage: str) -> bool:
    """Whether machine code of a subpackage is on disk; also True if numba keeps it in a folder of the user's choice."""
    return bool(config.CACHE_DIR) or any((_PACKAGE / subpackage).rglob("__pycache__/*.nbi"))


def _subpackage(path: str) -> str:
    """Name of the subpackage that a file belongs to."""
    return Path(path).relative_to(_PACKAGE).parts[0]


forget_stale_kernels()
