"""How the rows of the Jacobian of a system's links are read with few calls of Chrono.

A first reading takes one call for each row and finds its bodies. From then on rows whose links share no body are read
together, with a unit multiplier for each of them: they are found in different entries of the result. In a chain of
joints two neighbours share a body, so two joints' worth of calls read all of them.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numba import njit, types
from numpy.typing import NDArray

from ....kernel import kernel
from ...api.bridge import fast, pychrono
from ...api.views import Mirror
from ...contact.addresses import Directory, doubles, integers
from ...contact.bodies import SPEED_WIDTH

Array = Any
Floats = NDArray[np.float64]
Integers = NDArray[np.int64]

NEGLIGIBLE = 1e-12
"""Largest entry of a row that counts as none: the row of a link that does not act."""

RECOVERY = 0.6
"""Largest speed in m/s or rad/s at which Chrono corrects constraints unless a script sets another one, which it does
not tell. It matters only where links are further apart than this in a step."""

PLACES, NUMBERS, COLOURS, BODIES, SUPPORTS, MISSING, JACOBIAN, DEMANDED, FIRST_PULL = range(9)
"""Arrays in the directory of a reading: places of the packed velocities in Chrono's vectors; for each row its number
among Chrono's constraints, the call that reads it, and its bodies; for each call where it may have entries; what the
constraints miss; the rows and the velocities that they demand; and from FIRST_PULL on the result of each call."""


class SystemRows:
    """Methods of a Chrono system that tell its constraints, without the Python layer of its proxy."""

    def __init__(self, kind: type) -> None:
        self.contacts = fast(kind, "GetContactContainer")
        self.integrator = fast(kind, "GetTimestepperType")
        self.speeds = fast(kind, "GetNumCoordsVelLevel")
        self.constraints = fast(kind, "GetNumConstraints")
        self._linearized = pychrono().ChTimestepper.Type_EULER_IMPLICIT_LINEARIZED
        self.load_jacobians = fast(kind, "LoadConstraintJacobians")
        self.add_pull = fast(kind, "LoadResidual_CqL")
        self.add_error = fast(kind, "LoadConstraint_C")
        self.add_motion = fast(kind, "LoadConstraint_Ct")

    def sizes(self, system: Any) -> tuple[int, int]:
        """Number of velocities, and of all constraints."""
        return self.speeds(system), self.constraints(system)

    def count(self, system: Any) -> int:
        """Number of constraints without those of Chrono's own contacts, which come last."""
        return int(self.constraints(system) - self.contacts(system).GetNumConstraints())

    def clamp(self, system: Any) -> float:
        """Largest speed in m/s or rad/s at which Chrono's step corrects what a constraint misses; 0 if it is any."""
        return RECOVERY if self.integrator(system) == self._linearized else 0.0


def vector_of(size: int) -> Mirror:
    """A vector of Chrono's with zeros."""
    mirror = Mirror(pychrono().ChVectorDynamicd(size), size)
    mirror.data[:] = 0.0
    mirror.write()
    return mirror


def rows_one_by_one(system: Any, rows: SystemRows) -> Floats:
    """Rows of the Jacobian over all velocities of the system, each with a call of its own."""
    speeds, constraints = rows.sizes(system)
    count = rows.count(system)
    pull = vector_of(speeds)
    unit = vector_of(constraints)
    found = np.zeros((count, speeds))
    for i in range(count):
        pull.data[:] = 0.0
        unit.data[:] = 0.0
        unit.data[i] = 1.0
        pull.write()
        unit.write()
        rows.add_pull(system, pull.vector, unit.vector, 1.0)
        found[i] = pull.read()
    return found


def supports_of(system: Any, found: Floats) -> NDArray[np.bool_]:
    """Where each row may ever have entries: the velocities of all bodies of its link.

    A row that is of no link gets them all, and shares its call with no other.
    """
    chrono = pychrono()
    support = np.ones(found.shape, bool)
    for link in system.GetLinks():
        between = chrono.CastToChLink(link)
        first = link.GetOffset_L()
        own = slice(first, first + link.GetNumConstraints())
        frames = (between.GetBody1(), between.GetBody2()) if between is not None else ()
        bodies = [chrono.CastToChBody(frame) for frame in frames if frame is not None]
        if len(bodies) != 2 or any(body is None for body in bodies):
            continue
        likely = np.zeros(found.shape[1], bool)
        for body in bodies:
            if not body.IsFixed() and body.IsActive():
                likely[body.GetOffset_w() : body.GetOffset_w() + SPEED_WIDTH] = True
        if not (np.abs(found[own][:, ~likely]) > NEGLIGIBLE).any():
            support[own] = likely
    return support


def one_sided_rows(system: Any, count: int) -> NDArray[np.bool_]:
    """Which of a number of rows push only: limits of joints and ropes, behind the other rows of their link."""
    found = np.zeros(count, bool)
    for link in system.GetLinks():
        if not link.IsActive():
            continue
        first = link.GetOffset_L()
        found[first + link.GetNumConstraintsBilateral() : first + link.GetNumConstraints()] = True
    return found


def holds_others(found: Floats, places: Integers) -> NDArray[np.bool_]:
    """Which rows also act on something else than the bodies on the load, such as shafts: these are left to Chrono."""
    others = np.ones(found.shape[1], bool)
    others[places[places >= 0]] = False
    held: NDArray[np.bool_] = np.abs(found[:, others]).max(axis=1, initial=0.0) > NEGLIGIBLE
    return held


def coloured(support: NDArray[np.bool_]) -> list[list[int]]:
    """Rows in groups in which no two share an entry, each in the first group that has room for it."""
    groups: list[list[int]] = []
    taken: list[NDArray[np.bool_]] = []
    for row, entries in enumerate(support):
        for group, used in zip(groups, taken, strict=True):
            if not (used & entries).any():
                group.append(row)
                used |= entries
                break
        else:
            groups.append([row])
            taken.append(entries.copy())
    return groups


def bodies_of_rows(jacobian: Floats) -> Integers:
    """For each row the first two bodies with an entry; -1 if there are fewer."""
    bodies = jacobian.shape[1] // SPEED_WIDTH
    size = np.abs(jacobian.reshape(len(jacobian), bodies, SPEED_WIDTH)).max(axis=2, initial=0.0)
    result = np.full((len(jacobian), 2), -1, np.int64)
    for row, entries in zip(result, size, strict=True):
        found = np.flatnonzero(entries > NEGLIGIBLE)
        row[: min(len(found), 2)] = found[:2]
    return result


class RowPlan:
    """Reads the rows of a system's links, as long as the same links act between the same bodies.

    Attributes:
        bodies: for each row that acts on bodies on the load their numbers, -1 for none.
        numbers: of these rows among Chrono's constraints. one_sided: which of them push only.
        calls: the vectors of each call, its result and its unit multipliers. missing: what the constraints miss.
        directory: the arrays of a reading.
    """

    def __init__(self, system: Any, rows: SystemRows, places: Integers) -> None:
        rows.load_jacobians(system)
        found = rows_one_by_one(system, rows)
        own = np.where(places >= 0, found[:, np.maximum(places, 0)], 0.0)
        acting = np.flatnonzero((np.abs(own).max(axis=1, initial=0.0) > NEGLIGIBLE) & ~holds_others(found, places))
        support = supports_of(system, found)
        within = np.where(places >= 0, support[:, np.maximum(places, 0)], False)
        shared = ~support.all(axis=1, keepdims=True)
        self.bodies = bodies_of_rows(np.where(shared, within.astype(float), own)[acting])
        self.numbers = acting
        self.one_sided = one_sided_rows(system, len(found))[acting]
        self._rows = rows
        alive = np.abs(found).max(axis=1, initial=0.0) > NEGLIGIBLE
        self._enter(found.shape[1], rows.constraints(system), support, alive, acting, places)

    def _enter(
        self, speeds: int, constraints: int, support: NDArray[np.bool_], alive: NDArray[np.bool_], acting: Integers,
        places: Integers,
    ) -> None:  # fmt: skip
        """Make the vectors of all calls, and enter the arrays of a reading into a directory.

        Where only rows without entries may have some, none are allowed: a link that is switched on again is noticed.
        """
        groups = coloured(support)
        colour = np.zeros(len(support), np.int64)
        self.calls = []
        directory = Directory(FIRST_PULL + len(groups))
        for number, group in enumerate(groups):
            colour[group] = number
            unit = vector_of(constraints)
            unit.data[group] = 1.0
            unit.write()
            self.calls.append((vector_of(speeds), unit))
            directory.put(FIRST_PULL + number, self.calls[-1][0].data)
        self.missing = vector_of(constraints)
        allowed = np.array([(support & alive[:, None])[group].any(axis=0) for group in groups], np.int64)
        directory.put(PLACES, places)
        directory.put(NUMBERS, acting)
        directory.put(COLOURS, colour[acting])
        directory.put(BODIES, self.bodies)
        directory.put(SUPPORTS, allowed)
        directory.put(MISSING, self.missing.data)
        self.directory = directory

    def read(self, system: Any, h: float, jacobian: Floats, demanded: Floats) -> bool:
        """Read all rows and what they demand over a step of h; False if the links connect other bodies than before."""
        rows = self._rows
        self.directory.put(JACOBIAN, jacobian)
        self.directory.put(DEMANDED, demanded)
        rows.load_jacobians(system)
        for pull, unit in self.calls:
            rows.add_pull(system, pull.vector, unit.vector, 1.0)
        missing = self.missing
        clamp = rows.clamp(system)
        rows.add_error(system, missing.vector, 1.0 / h, clamp > 0.0, clamp)
        rows.add_motion(system, missing.vector, 1.0)
        if missing.shared:
            return bool(take_rows(self.directory.entries))
        return self._read_copies()

    def _read_copies(self) -> bool:
        """The same where NumPy cannot view Chrono's vectors."""
        mirrors = [*(pull for pull, _ in self.calls), self.missing]
        for mirror in mirrors:
            mirror.read()
        result = bool(take_rows(self.directory.entries))
        for mirror in mirrors:
            mirror.write()
        return result


@kernel
def take_pull(pull: Array, allowed: Array) -> bool:
    """Clear the result of a call; False if it has entries where none may be."""
    fits = True
    for k in range(pull.size):
        if allowed[k] == 0 and abs(pull[k]) > NEGLIGIBLE:
            fits = False
        pull[k] = 0.0
    return fits


@kernel
def all_act(jacobian: Array, bodies: Array) -> bool:
    """Whether all rows have entries: those of a link that is switched off have none."""
    for c in range(bodies.shape[0]):
        largest = 0.0
        for body in bodies[c]:
            if body >= 0:
                for i in range(SPEED_WIDTH * body, SPEED_WIDTH * (body + 1)):
                    largest = max(largest, abs(jacobian[c, i]))
        if not largest > NEGLIGIBLE:
            return False
    return True


@njit(types.boolean(types.int64[::1]), cache=True, error_model="numpy")
def take_rows(directory: Array) -> bool:
    """Sort the results of all calls into rows, and clear them; False if there are entries where none may be."""
    places = integers(directory, PLACES)
    numbers = integers(directory, NUMBERS)
    colours = integers(directory, COLOURS)
    bodies = integers(directory, BODIES).reshape(numbers.size, 2)
    missing = doubles(directory, MISSING)
    jacobian = doubles(directory, JACOBIAN)
    demanded = doubles(directory, DEMANDED)
    for c in range(numbers.size):
        pull = doubles(directory, FIRST_PULL + colours[c])
        demanded[c] = -missing[numbers[c]]
        for body in bodies[c]:
            if body >= 0:
                for i in range(SPEED_WIDTH * body, SPEED_WIDTH * (body + 1)):
                    jacobian[places.size * c + i] = pull[places[i]]
    fits = all_act(jacobian[: numbers.size * places.size].reshape(numbers.size, places.size), bodies)
    allowed = integers(directory, SUPPORTS)
    for number in range(directory.size // 2 - FIRST_PULL):
        pull = doubles(directory, FIRST_PULL + number)
        fits = take_pull(pull, allowed[pull.size * number : pull.size * (number + 1)]) and fits
    for i in range(missing.size):
        missing[i] = 0.0
    return fits
