"""A step in which nothing has changed since the last one but the states, computed without Python.

Chrono asks the load for its force once in a step of a linearised integrator. Where compiled code can take the place of
that method, see `directors`, it gathers the states, reads links and springs, and computes the forces as Python would.
It leaves a step to Python if anything else than states may be new: bodies, contacts that come near, links, the choice
between forces at the start and at the end, and every so many steps a look at the whole system.
"""

from __future__ import annotations

from typing import Any

from numba import cfunc, types

from ...kernel import kernel
from ..api.directors import CONTEXT
from ..api.native import calling
from ..contact.addresses import doubles, doubles_at, integers, integers_at
from ..contact.bodies import outgrown
from ..implicit import step_context as on
from ..implicit import step_kernel as step
from ..implicit.island_step import OUTCOME
from ..implicit.linked.row_program import read_rows
from ..implicit.standstill import repeat_rest
from ..implicit.start_forces import start_forces
from ..joint.spring_program import read_springs

Array = Any

gather = calling(types.void(types.int64, types.int64))
ask_python = calling(types.void(types.int64, types.int64, types.float64))
count_constraints = calling(types.uint32(types.int64))
prepare = calling(types.int64(types.int64, types.int64, types.float64))


@kernel
def has_changed(context: Array, vector: Array, h: float, times: Array) -> bool:
    """Whether Chrono's vectors have another size, the step is too long, or Python is to look at the system."""
    if vector[1] != context[on.LENGTH] or h > times[on.LONGEST] or context[on.LEFT] <= 0:
        return True
    return count_constraints(context[on.COUNT_CONSTRAINTS], context[on.SYSTEM]) != context[on.CONSTRAINTS]


@kernel
def has_all_near(directory: Array, ahead: float) -> bool:
    """Whether no other contacts can act in a step than those that are listed; `ahead` is its length, 0 if its start."""
    x = doubles(directory, step.STATE)
    reference = doubles(directory, step.REFERENCE)
    extents = doubles(directory, step.EXTENTS)
    rooms = doubles(directory, step.ROOMS)
    return outgrown(x, doubles(directory, step.SPEEDS), ahead, reference, extents, rooms) == 0


@kernel
def prepare_contacts(context: Array, h: float) -> int:
    """Prepare contacts that need it in each step, here of h; returns SAME, CHANGED or LEAVES."""
    if context[on.PREPARATION] == 0:
        return on.SAME
    return prepare(integers_at(context[on.PREPARATION], 1)[0], context[on.PREPARATION], context.ctypes.data, h)


@kernel
def read_others(context: Array, directory: Array, h: float) -> bool:
    """Read springs and links; False if one of them is another than before."""
    if context[on.SPRINGS] != 0 and not read_springs(context[on.SPRINGS], doubles(directory, step.SPRING_STATES)):
        return False
    return context[on.LINKS] == 0 or read_rows(context[on.LINKS], context[on.SYSTEM], h)


@kernel
def note_solved(context: Array, directory: Array, h: float, times: Array) -> None:
    """Note what an implicit solve of a step h has found."""
    told = doubles(directory, step.OUTCOMES).view(OUTCOME)[0]
    linked = doubles(directory, step.DEMANDED).size > 0
    times[on.RESTED] = h if told.resting == context[on.MOVING] and not linked else 0.0
    times[on.HANDED_OVER] = h if context[on.LINKS] != 0 and integers(directory, step.HANDED)[0] != 0 else 0.0
    context[on.UNCONVERGED] += told.missed > 0


@kernel
def is_loaded(forces: Array) -> bool:
    """Whether any force acts."""
    largest = 0.0
    for force in forces:
        largest = max(largest, abs(force))
    return largest > 0.0


@kernel
def compute(context: Array, directory: Array, h: float, times: Array) -> None:
    """Compute the forces of a step h; what is left open is for Python."""
    now = times[on.COMMITTED] + times[on.LAST]
    body = start_forces(directory, now - times[on.COMMITTED], True, True)
    times[on.COMMITTED] = now
    context[on.COMPUTED_IN] = context[on.STEPS]
    if body >= 0:
        context[on.LEFT_OPEN] = on.NOT_FINITE
        context[on.BODY] = body
    elif context[on.MODE] == on.AT_START:
        if context[on.LOOKS] != 0 and is_loaded(doubles(directory, step.LOAD)):
            context[on.LEFT_OPEN] = on.TO_LOOK_AT
    elif step.solve_step(directory, h) > doubles(directory, step.BLOCKS).view(step.BLOCK).size:
        context[on.LEFT_OPEN] = on.NO_ROOM
    else:
        note_solved(context, directory, h, times)


@kernel
def add_load(directory: Array, h: float) -> None:
    """Add the impulses of the load over a step h to Chrono's vector."""
    load = doubles(directory, step.LOAD)
    residual = doubles(directory, step.RESIDUAL)
    places = integers(directory, step.PLACES)
    for i in range(load.size):
        if places[i] >= 0:
            residual[places[i]] += h * load[i]


@kernel
def take_step(context: Array, load: int, vector: Array, h: float) -> bool:
    """Add the forces of a step h to Chrono's vector, given by its address and length; False leaves that to Python."""
    times = doubles_at(context[on.TIMES], on.NUMBERS)
    if has_changed(context, vector, h, times):
        return False
    directory = integers_at(context[on.DIRECTORY], 2 * step.DIRECTORY_SIZE)
    gather(context[on.GATHER_X], load, context[on.X])
    gather(context[on.GATHER_W], load, context[on.W])
    directory[2 * step.RESIDUAL] = vector[0]
    directory[2 * step.RESIDUAL + 1] = vector[1]
    at_end = context[on.MODE] == on.AT_END
    rests = at_end and times[on.RESTED] == h and context[on.CONSTRAINTS] == 0 and repeat_rest(directory, h)
    if not rests and context[on.NEAR] != 0 and not has_all_near(directory, h if at_end else 0.0):
        return False
    prepared = prepare_contacts(context, h)
    if prepared == on.LEAVES:
        return False
    rests = rests and prepared == on.SAME
    if at_end and not rests and not read_others(context, directory, h):
        return False
    context[on.STEPS] += 1
    context[on.LEFT] -= 1
    if rests:
        times[on.COMMITTED] += times[on.LAST]
    else:
        compute(context, directory, h, times)
    if context[on.LEFT_OPEN] != on.NOTHING:
        return False
    times[on.LAST] = h
    add_load(directory, h)
    return True


@cfunc(types.void(types.int64, types.int64, types.float64), cache=True, error_model="numpy")
def on_residual(load: int, residual: int, h: float) -> None:
    """Chrono asks for the force in a step h; the other arguments are addresses."""
    table = integers_at(load, 1)[0]
    context = integers_at(integers_at(table, CONTEXT + 1)[CONTEXT], on.WORDS)
    if context[on.MODE] == on.IN_PYTHON or not take_step(context, load, integers_at(residual, 2), h):
        ask_python(context[on.RESIDUAL], load, residual, h)
