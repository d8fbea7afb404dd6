"""The implicit solve of an attachment: reads Chrono's impulses from the residual and finds the forces of the step."""

from __future__ import annotations

import warnings
from collections.abc import Sequence
from operator import is_
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ...errors import SystemChangedError
from ..api.bridge import inertia_of
from ..api.views import location, zero_copy
from ..contact.addresses import Directory
from ..contact.bodies import SPEED_WIDTH
from ..contact.contact_table import Elements
from ..joint.joints import Joints
from ..joint.springs import Springs
from . import step_kernel as step
from .blocks import BLOCK
from .linked.reactions import Reactions
from .links import LinkRows
from .standstill import repeat_rest

Floats = NDArray[np.float64]

NOTHING = np.zeros(0)


class Solved(NamedTuple):
    """What the implicit solve did in the last step.

    Attributes:
        iterations: Newton iterations, or sweeps, of the island that took most. residual: largest missing velocity, or
            change by the last sweep, relative to the speeds and to what other forces change in the step. islands:
            groups of bodies solved together.
        largest: bodies in the largest island. contacts: contacts and joint forces that could act.
        impacts: contacts that began and ended within the step. resting: bodies at rest, whose forces are those of the
            last step. unconverged: steps so far with a residual above 1e-6 or, in an island of more than 16 bodies,
            above 0.05.
    """

    iterations: int = 0
    residual: float = 0.0
    islands: int = 0
    largest: int = 0
    contacts: int = 0
    impacts: int = 0
    resting: int = 0
    unconverged: int = 0


class Inertias:
    """Masses and inertias of the bodies on the load, and where Chrono keeps each in its vectors.

    Attributes:
        mass: in kg, zero if a body does not move. inertia, mobility: about body-fixed axes in kg m^2, and its inverse.
        places: for each entry of the packed velocities its index in Chrono's vectors; -1 if the body does not move.
        moving: number of bodies that move.
    """

    def __init__(self, bodies: Sequence[Any]) -> None:
        count = len(bodies)
        self.mass = np.zeros(count)
        self.inertia = np.zeros((count, 3, 3))
        self.mobility = np.zeros((count, 3, 3))
        self.places = np.full(SPEED_WIDTH * count, -1, np.int64)
        for i, body in enumerate(bodies):
            if body.IsFixed() or not body.IsActive():
                continue
            self.mass[i] = body.GetMass()
            self.inertia[i] = inertia_of(body)
            self.mobility[i] = np.linalg.inv(self.inertia[i])
            self.places[SPEED_WIDTH * i : SPEED_WIDTH * (i + 1)] = body.GetOffset_w() + np.arange(SPEED_WIDTH)
        self.moving = int(np.count_nonzero(self.mass))


class ImplicitSolver:
    """Solves for the forces at the end of the step.

    Attributes:
        expected: impulses on the bodies that Chrono will add after ours, in N s and N m s.
        rested: the last step in s, if all bodies were at rest at its end, otherwise 0.
        handed_over: the present step in s, if impulses of links are handed over in it, otherwise 0.
    """

    def __init__(self) -> None:
        self.expected = np.zeros(0)
        self._inertias: Inertias | None = None
        self._length = -1
        self._last = np.zeros(0)
        self._links = LinkRows()
        self._reactions: Reactions | None = None
        self._handed = np.zeros(1, np.int64)
        self._directory = Directory(step.DIRECTORY_SIZE)
        self._outcome = np.zeros(1, step.OUTCOME)
        self._told = self._outcome[0]
        self._missed = self._outcome["missed"]
        self._resting = self._outcome["resting"]
        self._directory.put(step.OUTCOMES, self._outcome)
        self._directory.put(step.BLOCKS, np.zeros(64, BLOCK))
        self._directory.put(step.HANDED, self._handed)
        self._entered: list[Any] = []
        self._unconverged = 0
        self.rested = 0.0
        self.handed_over = 0.0

    def forget(self) -> None:
        """Read masses and links again at the next step."""
        self._inertias = None
        self.rested = 0.0

    @property
    def solved(self) -> Solved:
        """What the solve did in the last step."""
        numbers = {name: self._told[name].item() for name in Solved._fields if name != "unconverged"}
        return Solved(**numbers, unconverged=self._unconverged)

    def prepare(self, load: Any, bodies: Sequence[Any], kept: Floats, residual: Any) -> None:
        """Find Chrono's vector of impulses, and read the masses if they are not known or a body was fixed or freed.

        `kept` is the last step for the energy book.
        """
        length = residual.Size()
        if zero_copy():
            self._directory.point(step.RESIDUAL, location(residual), length)
        else:
            self._directory.put(step.RESIDUAL, np.array(residual.GetVectorData(length)))
        if self._inertias is None or self._inertias.mass.size != len(bodies) or length != self._length:
            self._inertias = Inertias(bodies)
            self._length = length
            self._enter_bodies(self._inertias, load)
        self._directory.put(step.KEPT, kept)

    def repeats(
        self, system: Any, tables: Sequence[Elements], joints: Joints, springs: Springs, residual: Any, h: float
    ) -> bool:
        """Repeat the forces of the last step if all bodies rest and nothing else has changed; False otherwise."""
        if h != self.rested or not self._has_entered(self._flats(tables, joints, springs)):
            return False
        if residual.Size() != self._length or system.GetNumConstraintsBilateral() != 0:
            return False
        self._directory.point(step.RESIDUAL, location(residual), self._length)
        return repeat_rest(self._directory.entries, h)

    def solve(self, system: Any, tables: Sequence[Elements], joints: Joints, springs: Springs, h: float) -> None:
        """Write the generalised forces of a step h in s to the load, which has gathered the state; see `prepare`."""
        if self._inertias is None:
            raise SystemChangedError("an implicit step was not prepared")
        directory = self._directory
        if len(springs):
            springs.read()
        if self._links.read(system, self._inertias.places, h, len(springs)):
            directory.put(step.LINK_ROWS, self._links.jacobian)
            directory.put(step.DEMANDED, self._links.demanded)
            directory.put(step.LINK_BODIES, self._links.bodies)
            directory.put(step.SOFTNESS, self._links.softness)
            directory.put(step.ONE_SIDED, self._links.one_sided)
            directory.put(step.PULLS, self._links.impulse)
            self._handed[0] = system.GetSolver().AsIterative() is not None
        self._enter_tables(tables, joints, springs)
        count = step.implicit_step(directory.entries, h)
        if count > 0 and directory.entries[2 * step.BLOCKS + 1] < count * (BLOCK.itemsize // 8):
            directory.put(step.BLOCKS, np.zeros(2 * count, BLOCK))
            count = step.implicit_step(directory.entries, h)
        self._note_rest(h, self._inertias.moving)
        self.handed_over = h if self._handed[0] and len(self._links.numbers) else 0.0
        if self._missed[0] > 0:
            self._judge(h)

    @property
    def has_no_links(self) -> bool:
        """Whether it is known that no link holds a body on the load."""
        return self._inertias is not None and not self._links.demanded.size

    def pass_over(self) -> None:
        """A step in which nothing acts."""
        self._outcome.fill(0)
        self.rested = 0.0
        self.handed_over = 0.0

    def add_reactions(self, system: Any) -> None:
        """Add what was handed over in the step to the reactions of Chrono's links, for those who read them."""
        if self._reactions is None:
            self._reactions = Reactions(system)
        self._reactions.add(system, self._links.numbers, self._links.impulse, self.handed_over)

    def take_off_reactions(self, system: Any) -> None:
        """Undo that before the next step."""
        self.handed_over = 0.0
        if self._reactions is not None and self._reactions.are_added:
            self._reactions.take_off(system)

    def _note_rest(self, h: float, moving: int) -> None:
        """Note a step of h at whose end all bodies are at rest."""
        at_rest = self._resting[0] == moving and not len(self._links.demanded)
        self.rested = h if at_rest and zero_copy() else 0.0

    def _enter_bodies(self, own: Inertias, load: Any) -> None:
        """Enter the masses, and space for a step, into the directory."""
        size = own.places.size
        self._last = np.zeros(size)
        put = self._directory.put
        put(step.STATE, load.x.data)
        put(step.SPEEDS, load.w.data)
        put(step.FORCES, self._last)
        put(step.PLACES, own.places)
        put(step.MASS, own.mass)
        put(step.INERTIA, own.inertia)
        put(step.MOBILITY, own.mobility)
        put(step.ROTATIONS, np.zeros((own.mass.size, 3, 3)))
        put(step.IMPULSE, np.zeros(size))
        put(step.FREE, np.zeros(size))
        self.expected = np.zeros(size)
        put(step.EXPECTED, self.expected)
        put(step.LOAD, load.q.data)
        self._links.clear()

    def _enter_tables(self, tables: Sequence[Elements], joints: Joints, springs: Springs) -> None:
        """Enter the tables of springs, contacts and joint forces into the directory."""
        flats = self._flats(tables, joints, springs)
        if self._has_entered(flats):
            return
        self._entered = flats
        firsts = [step.SPRINGS, step.JOINTS, *(step.FIRST_TABLE + step.PER_TABLE * i for i in range(len(tables)))]
        for first, arrays in zip(firsts, flats, strict=True):
            for i, array in enumerate(arrays):
                self._directory.put(first + i, array)
        for i in range(step.FIRST_TABLE + step.PER_TABLE * len(tables), step.DIRECTORY_SIZE):
            self._directory.put(i, NOTHING)
        self._directory.put(step.MATERIALS, np.concatenate([table.tables[2] for table in tables]))

    def _flats(self, tables: Sequence[Elements], joints: Joints, springs: Springs) -> list[Any]:
        """Tables of springs, joint forces and contacts as flat arrays."""
        return [springs.tables, joints.tables, *[table.tables for table in tables]]

    def _has_entered(self, flats: list[Any]) -> bool:
        """Whether these tables are in the directory."""
        return len(flats) == len(self._entered) and all(map(is_, flats, self._entered))

    def _judge(self, h: float) -> None:
        """Count a step that did not converge, and warn of the first one."""
        missing = self._told["residual"]
        self._unconverged += 1
        if self._unconverged == 1:
            warnings.warn(
                f"the contact forces of a step of {h:g} s did not converge: {missing:.1e} of the speed is missing; "
                "see contacts.solver()",
                stacklevel=2,
            )
