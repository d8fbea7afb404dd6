"""Kernels that are always inlined where compiled code calls them.

A structure of arrays counts a reference to each array wherever it is handed to a function that is not inlined. In the
inner loop of an engine that can cost as much as the loop itself. A file that uses `inlined` should contain a `@kernel`
too, because that is how stale kernels are found (`kernel.forget_stale_kernels`).
"""

from __future__ import annotations

from numba import njit

inlined = njit(cache=True, error_model="numpy", forceinline=True)
