"""Parts of a pass that threads take in turn, and passes that follow each other without a break.

Each thread has a share of the parts, next to each other: what it wrote in the last step is still in its cache. When its
share is done it takes parts from the end of another one, because parts are not equal: contacts that bear load take
longer, and a thread that slept begins late. What a part gives must not depend on who takes it.

Between two passes threads wait for those that are still at a part. None waits for a thread that has not begun.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from llvmlite import ir
from numba import get_num_threads, types
from numba.extending import intrinsic
from numpy.typing import NDArray

from ....kernel import kernel

Array = Any

WORDS = 16
"""Words of each thread in the turns of a pass, which keep threads apart in the cache. The first ones count the parts of
its share that are taken, those that it took of them itself, and those that others took; with the first thread also all
parts that are done."""
TAKEN, FROM_FRONT, FROM_BACK, DONE = range(4)


@intrinsic
def count_up(context: Any, address: Any, more: Any) -> Any:
    """Add to the integer at an address, at once for all threads; what it was before."""
    signature = types.int64(types.int64, types.int64)

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        pointer = builder.inttoptr(arguments[0], ir.IntType(64).as_pointer())
        return builder.atomic_rmw("add", pointer, arguments[1], "acq_rel")

    return signature, generate


def new_turns(passes: int) -> NDArray[np.int64]:
    """Turns of passes over parts of which none is taken yet, for numba's present number of threads."""
    return np.zeros((passes, get_num_threads(), WORDS), np.int64)


@kernel
def word(turns: Array, thread: int, which: int) -> int:
    """Address of a word of a thread."""
    return turns.ctypes.data + 8 * (WORDS * thread + which)


@kernel
def share(parts: int, threads: int, thread: int) -> int:
    """Number of the part at which the share of a thread begins."""
    return parts * thread // threads


@kernel
def next_part(turns: Array, thread: int, parts: int) -> int:
    """Number of the part of a pass that a thread takes next, -1 if all are taken; `turns` are those of the pass."""
    threads = turns.shape[0]
    for i in range(threads):
        owner = (thread + i) % threads
        first = share(parts, threads, owner)
        end = share(parts, threads, owner + 1)
        if count_up(word(turns, owner, TAKEN), 1) < end - first:
            if i == 0:
                return first + count_up(word(turns, owner, FROM_FRONT), 1)
            return end - 1 - count_up(word(turns, owner, FROM_BACK), 1)
    return -1


@kernel
def end_part(turns: Array) -> None:
    """A part of a pass is done."""
    count_up(word(turns, 0, DONE), 1)


@kernel
def wait_for(turns: Array, parts: int) -> None:
    """Wait until all parts of a pass are done; a thread calls it when all are taken."""
    while count_up(word(turns, 0, DONE), 0) < parts:
        pass
