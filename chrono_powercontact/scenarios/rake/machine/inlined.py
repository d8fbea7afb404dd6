"""A kernel that is copied into its caller.

Numba counts the references of every array that it passes to a function, also of those in a tuple. The machine is a
tuple of many arrays and its parts are small: copied into their caller they take 7.4 us a step, called 12.5 us.
"""

from __future__ import annotations

from numba import njit

inlined = njit(inline="always", cache=True, error_model="numpy")
