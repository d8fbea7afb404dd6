"""A decorator for kernels that are always inlined in compiled code.

If a structure of arrays is passed to a function that is not inlined, numba counts a reference to each array. In the
inner loop of an engine that can cost as much as the loop itself. A file that uses `inlined` should also contain a
`@kernel`, because that is how stale kernels are found (`kernel.forget_stale_kernels`).
"""

from __future__ import annotations

from numba import njit

inlined = njit(cache=True, error_model="numpy", forceinline=True)
