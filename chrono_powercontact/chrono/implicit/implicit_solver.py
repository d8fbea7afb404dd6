"""The implicit solve of an attachment: reads Chrono's impulses from the residual and finds the forces of the step."""

from __future__ import annotations

import warnings
from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ...errors import SystemChangedError
from ..api.bridge import inertia_of
from ..api.views import location, zero_copy
from ..contact.bodies import SPEED_WIDTH
from ..contact.contact_table import Elements
from ..joint.joints import Joints
from ..joint.springs import Springs
from . import step_kernel as step
from .linked.iterations import Iterations
from .linked.links import LinkRows
from .linked.reactions import Reactions
from .standstill import repeat_rest
from .step_arrays import StepArrays
from .step_context import HANDED_OVER, RESTED, STEPS, UNCONVERGED, StepContext, time, word

Floats = NDArray[np.float64]


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
            self.places[SPEED_WIDTH * i : SPEED_WIDTH * (i + 1)] = body.GetOffset_w() + np.arange(SPEED_WIDTH)
        moving = self.mass != 0.0
        self.mobility[moving] = np.linalg.inv(self.inertia[moving])
        self.moving = int(np.count_nonzero(moving))


class ImplicitSolver:
    """Solves for the forces at the end of the step.

    Attributes:
        expected: impulses on the bodies that Chrono will add after ours, in N s and N m s.
        rested: the last step in s, if all bodies were at rest at its end, otherwise 0.
        handed_over: the present step in s, if impulses of links are handed over in it, otherwise 0.
        inertias: masses and inertias of the bodies, None if they must be read. links: rows of the links.
        iterations: of Chrono's solver.
    """

    rested: float = time(RESTED)
    handed_over: float = time(HANDED_OVER)
    _unconverged: int = word(UNCONVERGED)

    def __init__(self, arrays: StepArrays, context: StepContext) -> None:
        self.context = context
        self.expected = np.zeros(0)
        self.inertias: Inertias | None = None
        self.links = LinkRows()
        self._length = -1
        self._arrays = arrays
        self._reactions: Reactions | None = None
        self.iterations = Iterations()
        self._handed = np.zeros(1, np.int64)
        self._told = arrays.outcome[0]
        self._missed = arrays.outcome["missed"]
        self._resting = arrays.outcome["resting"]
        arrays.put(step.HANDED, self._handed)
        self._warned = False

    def forget(self) -> None:
        """Read masses and links again at the next step."""
        self.inertias = None
        self.iterations.restore()
        self.rested = 0.0

    @property
    def solved(self) -> Solved:
        """What the solve did in the last step."""
        numbers = {name: self._told[name].item() for name in Solved._fields if name != "unconverged"}
        return Solved(**numbers, unconverged=self._unconverged)

    def prepare(self, load: Any, bodies: Sequence[Any], residual: Any) -> None:
        """Find Chrono's vector of impulses, and read the masses if they are not known or a body was fixed or freed."""
        length = residual.Size()
        if zero_copy():
            self._arrays.point(step.RESIDUAL, location(residual), length)
        else:
            self._arrays.put(step.RESIDUAL, np.array(residual.GetVectorData(length)))
        self.know_bodies(load, bodies, length)

    def know_bodies(self, load: Any, bodies: Sequence[Any], length: int) -> Inertias:
        """Masses and places of the bodies in Chrono's vectors of a length, read again if that has changed."""
        known = self.inertias
        if known is None or known.mass.size != len(bodies) or length != self._length:
            known = Inertias(bodies)
            self.inertias = known
            self._length = length
            self._enter_bodies(known)
        return known

    def repeats(
        self, system: Any, tables: Sequence[Elements], joints: Joints, springs: Springs, residual: Any, h: float
    ) -> bool:
        """Repeat the forces of the last step if all bodies rest and nothing else has changed; False otherwise."""
        if h != self.rested or not self._arrays.has_entered(tables, joints, springs):
            return False
        if residual.Size() != self._length or system.GetNumConstraintsBilateral() != 0:
            return False
        self._arrays.point(step.RESIDUAL, location(residual), self._length)
        return repeat_rest(self._arrays.entries, h)

    def solve(self, system: Any, springs: Springs, h: float) -> None:
        """Write the generalised forces of a step h in s to the load, which has gathered the state; see `prepare`."""
        if self.inertias is None:
            raise SystemChangedError("an implicit step was not prepared")
        if len(springs):
            springs.read()
        if self.links.read(system, self.inertias.places, h, len(springs)):
            put = self._arrays.put
            put(step.LINK_ROWS, self.links.jacobian)
            put(step.DEMANDED, self.links.demanded)
            put(step.LINK_BODIES, self.links.bodies)
            put(step.SOFTNESS, self.links.softness)
            put(step.ONE_SIDED, self.links.one_sided)
            put(step.PULLS, self.links.impulse)
            iterative = system.GetSolver().AsIterative()
            self._handed[0] = iterative is not None
            self.iterations.belong_to(iterative)
        self.solve_rows(h)

    def solve_rows(self, h: float) -> None:
        """Solve a step h whose links and springs have been read, with room for all blocks."""
        count = step.implicit_step(self._arrays.entries, h)
        if count > self._arrays.room():
            self._arrays.make_room(count)
            step.implicit_step(self._arrays.entries, h)
        at_rest = self._resting[0] == self.moving and not self.links.demanded.size
        self.rested = h if at_rest and zero_copy() else 0.0
        self.handed_over = h if self.hands_over else 0.0
        if self._missed[0] > 0:
            self._unconverged += 1
        self.judge(h)

    @property
    def moving(self) -> int:
        """Number of bodies that move."""
        return self.inertias.moving if self.inertias is not None else 0

    @property
    def hands_over(self) -> bool:
        """Whether the impulses of links are handed over to Chrono."""
        return bool(self._handed[0] and len(self.links.numbers))

    @property
    def has_no_links(self) -> bool:
        """Whether it is known that no link holds a body on the load."""
        return self.inertias is not None and not self.links.demanded.size

    def pass_over(self) -> None:
        """A step in which nothing acts."""
        self._arrays.outcome.fill(0)
        self.rested = 0.0
        self.handed_over = 0.0

    def add_reactions(self, system: Any) -> None:
        """Add what was handed over in the step to the reactions of Chrono's links, once, for those who read them."""
        step = self.context.words[STEPS]
        if self._reactions is None:
            self._reactions = Reactions(system)
        if self._reactions.added_in != step:
            self._reactions.add(system, self.links.numbers, self.links.impulse, self.handed_over)
            self._reactions.added_in = step

    def take_off_reactions(self, system: Any) -> None:
        """Undo that before the next step."""
        self.handed_over = 0.0
        if self._reactions is not None and self._reactions.added_in == self.context.words[STEPS]:
            self._reactions.take_off(system)

    def _enter_bodies(self, own: Inertias) -> None:
        """Enter the masses, and space for a step, into the directory."""
        size = own.places.size
        put = self._arrays.put
        put(step.FORCES, np.zeros(size))
        put(step.PLACES, own.places)
        put(step.MASS, own.mass)
        put(step.INERTIA, own.inertia)
        put(step.MOBILITY, own.mobility)
        put(step.IMPULSE, np.zeros(size))
        put(step.FREE, np.zeros(size))
        self.expected = np.zeros(size)
        put(step.EXPECTED, self.expected)
        self.links.clear()

    def judge(self, h: float) -> None:
        """Warn of the first step that did not converge; h is the step in s."""
        if self._warned or not self._unconverged:
            return
        self._warned = True
        warnings.warn(
            f"the contact forces of a step of {h:g} s did not converge: {self._told['residual']:.1e} of the speed is "
            "missing; see contacts.solver()",
            stacklevel=2,
        )
