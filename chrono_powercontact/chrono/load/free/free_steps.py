"""Lets compiled code take the steps of many bodies that no link connects, in place of Chrono's integrator; see
`free_step`."""

from __future__ import annotations

import weakref
from typing import TYPE_CHECKING, Any

import numpy as np
from numba import config, get_num_threads

from ...api.bridge import address, holders_of, pychrono
from ...api.directors import give_table, methods_of, table_of, take_table, words_at
from ...api.native import ask_address, method_address
from ...contact.many.gathering import tables_of
from . import free_step as free
from .body_methods import BodyMethods, body_methods, time_of_integrator

if TYPE_CHECKING:
    from ..stepping import Stepper

MANY = 256
"""Number of bodies on the load from which such steps are worth it."""

ADVANCE = "ChTimestepperEulerImplicitLinearized9OnAdvanceEd"
"""End of the symbol of the integrator's step."""

METHODS = {
    free.COUNT_CONTACTS: "count_contacts", free.COUNT_CONSTRAINTS: "count_constraints",
    free.COUNT_SPEEDS: "count_speeds", free.GATHER: "gather", free.SCATTER: "scatter",
}  # fmt: skip
LISTS = {
    free.BODIES: "list_bodies", free.ITEMS: "list_items", free.LINKS: "list_links", free.SHAFTS: "list_shafts",
    free.MESHES: "list_meshes",
}  # fmt: skip
"""Methods of the system by the words of their addresses, and of its assembly by the words of what they return."""

HOLDERS = 2
"""Who holds an integrator that no script does: the system, and our proxy."""


class FreeSteps:
    """Steps without Chrono's integrator, for a stepper."""

    def __init__(self, context: int) -> None:
        """`context` is the address of the words of a step."""
        self._words = np.zeros(free.SIZE, np.int64)
        self._words[free.STEP] = context
        self._arrays: list[Any] = []
        self._held = 0
        self._let_go: Any = None

    @property
    def are_taken(self) -> bool:
        """Whether compiled code takes the steps in which nothing else than bodies is in the system."""
        return bool(self._words[free.READY])

    @property
    def taken(self) -> int:
        """Number of steps that compiled code has taken."""
        return int(self._words[free.TAKEN])

    @property
    def nbytes(self) -> int:
        """Memory in bytes that it holds."""
        return sum(array.nbytes for array in self._arrays)

    def begin(self, stepper: Stepper) -> None:
        """A step is about to begin: learn all that is needed for it, if that is due."""
        if self._words[free.DUE]:
            self._learn(stepper)
        if self.are_taken:
            self._words[free.THREADS] = get_num_threads()
            self._words[free.FORCES_FIRST] = stepper.watch.implicit

    def add_forces(self, h: float) -> None:
        """If such a step h runs, have the forces on the bodies in the residual that the load was given."""
        if self._words[free.RUNS] and not self._words[free.ADDED]:
            free.add_all_forces(self._words, h)

    def look(self, stepper: Stepper) -> None:
        """Look whether steps may be taken; it may be in one."""
        if not _may(stepper):
            self.stop()
        elif not self.are_taken:
            self._words[free.DUE] = 1

    def stop(self) -> None:
        """Leave the steps to Chrono until it is known again that they may be taken."""
        self._words[free.READY] = 0

    def release(self) -> None:
        """Let go of Chrono's integrator."""
        self.stop()
        self._held = 0
        if self._let_go is not None:
            self._let_go()

    def _learn(self, stepper: Stepper) -> None:
        """Learn what is needed."""
        self._words[free.DUE] = 0
        self.stop()
        methods = body_methods()
        if methods is None or not _may(stepper) or not self._hold(stepper.system):
            return
        self._know(stepper, methods)
        if methods.takes_forces(stepper.container) and methods.has(self._tables()):
            self._words[free.READY] = 1

    def _hold(self, system: Any) -> bool:
        """Take the place of the integrator's own step.

        False if that is another integrator, is another's already, or is held by a script, which may read from it what
        free steps do not write.
        """
        integrator = system.GetTimestepper()
        place = address(integrator)
        if place == self._held:
            return True
        self.release()
        methods = methods_of(place)
        found = next((own for symbol, own in methods.items() if symbol.endswith(ADVANCE)), None)
        time = time_of_integrator(integrator)
        if found is None or not time or holders_of(integrator) != HOLDERS:
            return False
        self._words[free.OWN_ADVANCE] = found[1]
        self._words[free.TIME] = time
        before = table_of(place)
        table = give_table(place, len(methods), {found[0]: free.on_advance.address}, self._words.ctypes.data)
        self._let_go = weakref.finalize(self, _give_back, integrator, before, table)
        self._held = place
        return True

    def _know(self, stepper: Stepper, methods: BodyMethods) -> None:
        """Know the system, its lists, and room for what is computed."""
        words = self._words
        system = stepper.system
        words[free.SYSTEM] = address(system)
        words[free.CONTAINER] = stepper.container
        for word, name in METHODS.items():
            words[word] = method_address(name)
        assembly = address(system.GetAssembly())
        for word, name in LISTS.items():
            words[word] = ask_address(method_address(name), assembly)
        words[free.SPEEDS] = system.GetNumCoordsVelLevel()
        impulses = np.zeros(int(words[free.SPEEDS]))
        head = np.array([impulses.ctypes.data, impulses.size, words[free.SYSTEM]], np.int64)
        scratch = np.zeros((config.NUMBA_NUM_THREADS, free.ROOM), np.int64)
        for room in scratch:
            free.prepare_scratch(room.ctypes.data, int(words[free.SYSTEM]))
        self._arrays = [impulses, head, scratch, *methods]
        words[free.RESIDUAL] = head.ctypes.data
        words[free.SCRATCH] = scratch.ctypes.data
        words[free.PLACES] = methods.places.ctypes.data
        words[free.LISTS] = methods.lists.ctypes.data

    def _tables(self) -> list[int]:
        """Addresses of the tables of the classes of all bodies in the system."""
        first, last = words_at(int(self._words[free.BODIES]), 2)
        bodies = words_at(int(first), int(last - first) // 8)[::2]
        found: list[int] = np.unique(tables_of(np.ascontiguousarray(bodies))).tolist()
        return found


def _may(stepper: Stepper) -> bool:
    """Whether such steps are worth it, and the system's settings allow them."""
    if stepper.load is None or stepper.stiff or not stepper.load.is_compiled:
        return False
    if len(stepper.bodies) < MANY or not stepper.clock.once:
        return False
    system = stepper.system
    if system.GetSolver().GetType() != pychrono().ChSolver.Type_PSOR or system.IsSolverMatrixWriteEnabled():
        return False
    return all(map(method_address, (*METHODS.values(), *LISTS.values())))


def _give_back(integrator: Any, before: int, table: Any) -> None:
    """Let an integrator take its own steps again."""
    take_table(address(integrator), before, table)
