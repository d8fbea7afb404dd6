"""A step of Chrono's linearised integrator for bodies that no link connects, all bodies in one pass and in parallel.

Without constraints the integrator does nothing but M v' = M v + h f and x' = x + h v' for each body by itself. Chrono
goes over all bodies a dozen times for it, on one thread. Here each body is advanced at once, by the methods of Chrono's
that those passes call and in the same order, so the result is the same to the last bit.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numba import cfunc, njit, prange, types

from ....kernel import inlined, kernel
from ...api.directors import CONTEXT
from ...api.native import calling
from ...contact.addresses import doubles_at, integers_at
from ...contact.bodies import SPEED_WIDTH, STATE_WIDTH
from ...contact.many.turns import WORDS, next_part
from ...implicit import step_context as on

Array = Any

(
    READY, OWN_ADVANCE, SYSTEM, STEP, BODIES, ITEMS, LINKS, SHAFTS, MESHES, CONTAINER, COUNT_CONTACTS,
    COUNT_CONSTRAINTS, COUNT_SPEEDS, GATHER, SCATTER, TIME, RESIDUAL, SPEEDS, PLACES, LISTS, SCRATCH,
    THREADS, DUE, FORCES_FIRST, RUNS, ADDED, TAKEN, SIZE,
) = range(28)  # fmt: skip
"""Words of a free step. READY: whether steps may be taken. OWN_ADVANCE: address of Chrono's step. SYSTEM, CONTAINER:
of the system, and of the container of our load. STEP: of the words of the step. BODIES, ITEMS, LINKS, SHAFTS, MESHES:
of Chrono's lists. COUNT_CONTACTS, COUNT_CONSTRAINTS, COUNT_SPEEDS, GATHER, SCATTER: of methods of the system. TIME: of
the time that the integrator keeps. RESIDUAL: of the head of the vector of impulses, zero between steps, and SPEEDS its
length. PLACES: of the numbers of the methods of a body in its table, see METHODS. LISTS: of the two places in a body
where the lists of its markers and of its forces begin. SCRATCH: of ROOM words for each thread. THREADS: how many there
are. DUE: whether it is to be learnt, before the next step, whether steps may be taken. FORCES_FIRST: whether the load
is to find the forces on the bodies in the residual. RUNS: whether such a step runs, and ADDED whether these forces are
in it. TAKEN: number of such steps."""

(
    IS_ACTIVE, UPDATE, TAKE_STATE, ADD_FORCES, ADD_MOMENTUM, VARIABLES, KEEP, INCREMENT, SET_STATE, SET_ACCELERATION,
    OFFSET, SOLVE, METHODS,
) = range(13)  # fmt: skip
"""Methods of a body: whether it moves, Update, IntStateGather, IntLoadResidual_F, IntLoadResidual_Mv, Variables,
IntToDescriptor, IntStateIncrement, IntStateScatter, IntStateScatterAcceleration, GetSubBlockOffset; and of its
variables ComputeMassInverseTimesVector."""

X, NEW_X, V, NEW_V, R, WAY, A, NOTHING, VECTORS = range(9)
"""Vectors of a body: its state before and after the step, its velocity, what acts on it, the increment of the state,
and its acceleration; and an empty one."""

HEAD = 3
WIDTH = 8
ROOM = (HEAD + WIDTH) * VECTORS
"""Words of the head of a vector as Chrono sees it (address, length, and the system), of its numbers, and of all."""

EVERYTHING = np.uint32(7)
"""Chrono's flags for an update of everything."""
START = np.uint32(0)
"""Offset of the numbers of a body in its own vectors."""

PART = 64
"""Number of bodies that a thread takes at a time."""
MANY_PARTS = 8
"""Number of parts from which threads share them: the rest of Chrono finds few bodies faster in one thread's cache."""

ask = calling(types.int64(types.int64))
ask_whether = calling(types.uint8(types.int64))
ask_offset = calling(types.uint32(types.int64, types.uint32))
count = calling(types.uint32(types.int64))
update = calling(types.void(types.int64, types.float64, types.uint32))
take_state = calling(types.void(types.int64, types.uint32, types.int64, types.uint32, types.int64, types.int64))
add_forces = calling(types.void(types.int64, types.uint32, types.int64, types.float64))
add_momentum = calling(types.void(types.int64, types.uint32, types.int64, types.int64, types.float64))
solve = calling(types.void(types.int64, types.int64, types.int64))
keep = calling(types.void(types.int64, types.uint32, types.int64, types.int64, types.uint32, types.int64, types.int64))
increment = calling(types.void(types.int64, types.uint32, types.int64, types.int64, types.uint32, types.int64))
set_state = calling(
    types.void(types.int64, types.uint32, types.int64, types.uint32, types.int64, types.float64, types.uint32)
)
set_acceleration = calling(types.void(types.int64, types.uint32, types.int64))
gather = calling(types.void(types.int64, types.int64, types.int64, types.int64))
scatter = calling(types.void(types.int64, types.int64, types.int64, types.float64, types.uint32))
advance = calling(types.void(types.int64, types.float64))


@inlined
def head(scratch: int, which: int) -> int:
    """Address of the head of a vector."""
    return scratch + 8 * HEAD * which


@inlined
def place(scratch: int, which: int) -> int:
    """Address of the numbers of a vector."""
    return scratch + 8 * (HEAD * VECTORS + WIDTH * which)


@inlined
def numbers(scratch: int, which: int) -> Array:
    """Numbers of a vector."""
    return doubles_at(place(scratch, which), WIDTH)


@kernel
def prepare_scratch(scratch: int, system: int) -> None:
    """Write the heads of the vectors."""
    for which in range(VECTORS):
        words = integers_at(head(scratch, which), HEAD)
        words[0] = place(scratch, which)
        words[1] = STATE_WIDTH if which in (X, NEW_X) else SPEED_WIDTH
        words[2] = system


@inlined
def method(owner: int, places: Array, which: int) -> int:
    """Address of a virtual method of an object."""
    return integers_at(integers_at(owner, 1)[0], places[which] + 1)[places[which]]


@kernel
def is_plain(body: int, lists: Array) -> bool:
    """Whether a body has neither markers nor forces, whose functions may be a script's."""
    for place in lists:
        ends = integers_at(body + place, 2)
        if ends[0] != ends[1]:
            return False
    return True


@kernel
def take_impulses(residual: Array, first: int, impulses: Array) -> None:
    """Move the impulses on a body, which begin at a place, out of the residual."""
    for i in range(SPEED_WIDTH):
        impulses[i] = residual[first + i]
        residual[first + i] = 0.0


@kernel
def measure(before: Array, after: Array, h: float, way: Array, acceleration: Array) -> None:
    """Write the increment of the state in a step h and the acceleration, by the velocities before and after it."""
    for i in range(SPEED_WIDTH):
        way[i] = after[i] * h
        acceleration[i] = (after[i] - before[i]) * (1.0 / h)


@kernel
def advance_body(body: int, places: Array, residual: Array, added: bool, scratch: int, time: float, h: float) -> None:
    """Advance a body by a step h that ends at a time, with the impulses in the residual, which become zero.

    These are those of the load, and those of the forces on the body if they are added.
    """
    if not ask_whether(method(body, places, IS_ACTIVE), body):
        update(method(body, places, UPDATE), body, time, EVERYTHING)
        return
    x, new_x, v, new_v = head(scratch, X), head(scratch, NEW_X), head(scratch, V), head(scratch, NEW_V)
    r, nothing = head(scratch, R), head(scratch, NOTHING)
    take_impulses(residual, ask_offset(method(body, places, OFFSET), body, START), numbers(scratch, R))
    take_state(method(body, places, TAKE_STATE), body, START, x, START, v, place(scratch, NOTHING))
    if not added:
        add_forces(method(body, places, ADD_FORCES), body, START, r, h)
    add_momentum(method(body, places, ADD_MOMENTUM), body, START, r, v, 1.0)
    variables = ask(method(body, places, VARIABLES), body)
    solve(method(variables, places, SOLVE), variables, new_v, r)
    keep(method(body, places, KEEP), body, START, new_v, r, START, nothing, nothing)
    measure(numbers(scratch, V), numbers(scratch, NEW_V), h, numbers(scratch, WAY), numbers(scratch, A))
    increment(method(body, places, INCREMENT), body, START, new_x, x, START, head(scratch, WAY))
    set_state(method(body, places, SET_STATE), body, START, new_x, START, new_v, time, EVERYTHING)
    set_acceleration(method(body, places, SET_ACCELERATION), body, START, head(scratch, A))


@kernel
def advance_part(words: Array, part: int, plain: bool, thread: int, time: float, h: float) -> int:
    """Advance those bodies of a part that are plain, or the others; returns how many were left."""
    ends = integers_at(words[BODIES], 2)
    pointers = integers_at(ends[0], (ends[1] - ends[0]) // 8)
    places = integers_at(words[PLACES], METHODS)
    lists = integers_at(words[LISTS], 2)
    residual = doubles_at(integers_at(words[RESIDUAL], 1)[0], words[SPEEDS])
    scratch = words[SCRATCH] + 8 * ROOM * thread
    added = words[ADDED] != 0
    left = 0
    for i in range(PART * part, min(PART * (part + 1), pointers.size // 2)):
        body = pointers[2 * i]
        if is_plain(body, lists) == plain:
            advance_body(body, places, residual, added, scratch, time, h)
        else:
            left += 1
    return left


@kernel
def add_all_forces(words: Array, h: float) -> None:
    """Add the impulses in a step h of the forces on the bodies to the residual."""
    ends = integers_at(words[BODIES], 2)
    pointers = integers_at(ends[0], (ends[1] - ends[0]) // 8)
    places = integers_at(words[PLACES], METHODS)
    for body in pointers[::2]:
        if ask_whether(method(body, places, IS_ACTIVE), body):
            first = ask_offset(method(body, places, OFFSET), body, START)
            add_forces(method(body, places, ADD_FORCES), body, first, words[RESIDUAL], h)
    words[ADDED] = 1


@kernel
def take_parts(words: Array, left: Array, turns: Array, thread: int, time: float, h: float) -> None:
    """Advance plain bodies of parts in turn."""
    part = next_part(turns, thread, left.size)
    while part >= 0:
        left[part] = advance_part(words, part, True, thread, time, h)
        part = next_part(turns, thread, left.size)


@njit(cache=True, parallel=True, error_model="numpy")
def advance_in_parallel(words: Array, left: Array, turns: Array, time: float, h: float) -> None:
    """Advance all plain bodies, and write how many are left of each part."""
    for thread in prange(turns.shape[0]):
        take_parts(words, left, turns, thread, time, h)


@kernel
def hidden(words: Array) -> int:
    """Hide the bodies from the system; returns the end of their list."""
    ends = integers_at(words[BODIES], 2)
    end = ends[1]
    ends[1] = ends[0]
    return end


@kernel
def show(words: Array, end: int) -> None:
    """Show the bodies again."""
    integers_at(words[BODIES], 2)[1] = end


@kernel
def time_of(words: Array) -> float:
    """Time of the system in s; it also gathers what is not a body, and that has no state."""
    end = hidden(words)
    nothing = head(words[SCRATCH], NOTHING)
    gather(words[GATHER], words[SYSTEM], nothing, nothing, place(words[SCRATCH], NOTHING))
    show(words, end)
    return numbers(words[SCRATCH], NOTHING)[0]


@kernel
def end_step(words: Array, time: float) -> None:
    """Tell the system and the integrator the time at the end of the step, and update what is not a body."""
    end = hidden(words)
    nothing = head(words[SCRATCH], NOTHING)
    scatter(words[SCATTER], words[SYSTEM], nothing, nothing, time, EVERYTHING)
    show(words, end)
    doubles_at(words[TIME], 1)[0] = time
    words[TAKEN] += 1


@kernel
def is_empty(vector: int) -> bool:
    """Whether a list of Chrono's is empty."""
    ends = integers_at(vector, 2)
    return ends[0] == ends[1]


@kernel
def is_free(words: Array) -> bool:
    """Whether nothing but bodies and our load is in the system, and no contact of Chrono's."""
    if words[READY] == 0 or integers_at(words[STEP], on.WORDS)[on.IDLE] == 0:
        return False
    items = integers_at(words[ITEMS], 2)
    if items[1] - items[0] != 16 or integers_at(items[0], 1)[0] != words[CONTAINER]:
        return False
    if not (is_empty(words[LINKS]) and is_empty(words[SHAFTS]) and is_empty(words[MESHES])):
        return False
    system = words[SYSTEM]
    if count(words[COUNT_CONTACTS], system) or count(words[COUNT_CONSTRAINTS], system):
        return False
    words[DUE] = count(words[COUNT_SPEEDS], system) != words[SPEEDS]
    return not words[DUE]


@kernel
def take_free_step(words: Array, h: float) -> None:
    """Advance the system by a step h."""
    time = time_of(words) + h
    places = integers_at(words[PLACES], METHODS)
    words[ADDED] = 0
    if words[FORCES_FIRST] != 0:
        add_all_forces(words, h)
    words[RUNS] = 1
    add_forces(method(words[CONTAINER], places, ADD_FORCES), words[CONTAINER], START, words[RESIDUAL], h)
    words[RUNS] = 0
    ends = integers_at(words[BODIES], 2)
    left = np.zeros(-(-((ends[1] - ends[0]) // 16) // PART), np.int64)
    turns = np.zeros((words[THREADS], WORDS), np.int64)
    if turns.shape[0] == 1 or left.size < MANY_PARTS:
        take_parts(words, left, turns, 0, time, h)
    else:
        advance_in_parallel(words, left, turns, time, h)
    for part in range(left.size):
        if left[part] > 0:
            advance_part(words, part, False, 0, time, h)
    end_step(words, time)


@cfunc(types.void(types.int64, types.float64), cache=True, error_model="numpy")
def on_advance(stepper: int, h: float) -> None:
    """Chrono's integrator, given by its address, is to take a step h."""
    table = integers_at(stepper, 1)[0]
    words = integers_at(integers_at(table, CONTEXT + 1)[CONTEXT], SIZE)
    if is_free(words):
        take_free_step(words, h)
    else:
        advance(words[OWN_ADVANCE], stepper, h)
