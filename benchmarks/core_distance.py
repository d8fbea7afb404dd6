"""How long a word takes from one core to another: it decides what two threads gain where they share bodies.

Cores with a common cache are 20 to 50 ns apart, others 100 to 200 ns. A virtual machine may be moved from one kind of
pair to the other while it runs.
"""

from __future__ import annotations

import time
from typing import Any

import numba
import numpy as np

from chrono_powercontact.chrono.contact.many.turns import count_up

Array = Any

TIMES = 100_000


@numba.njit(parallel=True)
def play(ball: Array, times: int) -> None:
    """Two threads take turns to count."""
    for thread in numba.prange(2):
        for i in range(times):
            while count_up(ball.ctypes.data, 0) != 2 * i + thread:
                pass
            count_up(ball.ctypes.data, 1)


def between_cores() -> float:
    """Time in s that a word takes from the core of one of two threads to that of the other."""
    before = numba.get_num_threads()
    numba.set_num_threads(2)
    play(np.zeros(1, np.int64), 10)
    begin = time.perf_counter()
    play(np.zeros(1, np.int64), TIMES)
    taken = time.perf_counter() - begin
    numba.set_num_threads(before)
    return taken / (2 * TIMES)


if __name__ == "__main__":
    print(f"{1e9 * between_cores():.0f} ns from core to core")
