"""Sealed kernels as functions that Python can call."""

from numba import njit


def callable_from_python(kernel):
    return njit(lambda *arguments: kernel(*arguments))
