"""Steps without Python: when they are possible, and what compiled code needs to know for them, see `regular_step`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ..api.bridge import owner_of
from ..api.native import method_address
from ..implicit import step_context as on
from ..implicit import step_kernel as step
from ..implicit.linked.row_program import RowProgram, can_read_rows
from ..implicit.step_context import StepContext
from ..joint.spring_program import spring_program

if TYPE_CHECKING:
    from .stepping import Stepper

METHODS = {on.GATHER_X: "gather_x", on.GATHER_W: "gather_w", on.COUNT_CONSTRAINTS: "count_constraints"}
"""C++ methods that every step needs, by the words of their addresses."""


class Routine:
    """Knows whether the next step may be computed without Python, because all that Python would look at is unchanged.

    Attributes:
        mode: how the next step is computed: in Python, or the forces at its start or at its end without it.
        hands_over_all: whether the impulses of all constraints will be handed over to Chrono.
    """

    def __init__(self, context: StepContext) -> None:
        self.mode = on.IN_PYTHON
        self.hands_over_all = False
        self._context = context
        self._owners: list[tuple[Any, Any]] = []
        self._parts = 0
        self._table: Any = None
        self._load: Any = None
        self._inertias: Any = None
        self._rows: RowProgram | None = None
        self._springs: Any = None

    def holds(self, stepper: Stepper) -> bool:
        """Whether what was learnt is still true."""
        if stepper.check_due or stepper.failures or stepper.load is not self._load:
            return False
        if stepper.table is not self._table or len(stepper.parts) != self._parts:
            return False
        if stepper.solver.inertias is not self._inertias:
            return False
        for owner, tables in self._owners:
            if owner.tables is not tables:
                return False
        for part in stepper.parts:  # noqa: SIM110
            if not part.is_regular:
                return False
        return True

    def learn(self, stepper: Stepper, length: int) -> None:
        """A step was computed in Python, with Chrono's vectors of a length: take note of what the next one needs."""
        if not self._is_possible(stepper):
            self.mode = on.IN_PYTHON
            return
        words = self._context.words
        words[on.CONSTRAINTS] = stepper.system.GetNumConstraints()
        words[on.LOOKS] = not stepper.watch.has_looked
        words[on.PREPARATION] = max((part.preparation for part in stepper.parts), default=0)
        self._context.times[on.LONGEST] = stepper.watch.longest
        solver = stepper.solver
        self.hands_over_all = solver.hands_over and len(solver.links.numbers) == words[on.CONSTRAINTS]
        if not (self.mode and words[on.LENGTH] == length and self._is_known(stepper)):
            self._learn_all(stepper, length)

    def _is_known(self, stepper: Stepper) -> bool:
        """Whether all that was learnt is still true."""
        mode = on.AT_END if stepper.watch.implicit else on.AT_START
        same_links = self._rows is None or self._rows.plan is stepper.solver.links.plan
        return self.mode == mode and same_links and not len(stepper.springs) and self.holds(stepper)

    def _learn_all(self, stepper: Stepper, length: int) -> None:
        """Take note of all that the next step needs."""
        self.mode = on.IN_PYTHON
        words = self._context.words
        self._inertias = stepper.solver.know_bodies(stepper.load, stepper.bodies, length)
        for word, name in METHODS.items():
            words[word] = method_address(name)
        words[on.SYSTEM] = owner_of(stepper.roster.members()[0])
        words[on.LENGTH] = length
        words[on.MOVING] = self._inertias.moving
        words[on.X] = int(stepper.load.x.vector.this)
        words[on.W] = int(stepper.load.w.vector.this)
        if self._learn_springs(stepper) and self._learn_links(stepper) and self._learn_near(stepper):
            self._remember(stepper)
            self.mode = on.AT_END if stepper.watch.implicit else on.AT_START

    def _is_possible(self, stepper: Stepper) -> bool:
        """Whether compiled code can take the next step at all."""
        if stepper.stiff or not stepper.load.is_compiled or not all(part.is_regular for part in stepper.parts):
            return False
        return len(list(stepper.others())) <= 1 and all(map(method_address, METHODS.values()))

    def _learn_springs(self, stepper: Stepper) -> bool:
        """Where springs keep their numbers; False if one cannot be read."""
        springs = stepper.springs.springs.values()
        self._springs = spring_program((spring.link, spring.motion) for spring in springs)
        if self._springs is None:
            return False
        self._context.words[on.SPRINGS] = self._springs.ctypes.data if len(springs) else 0
        return True

    def _learn_links(self, stepper: Stepper) -> bool:
        """How the rows of links are read; False if they cannot be."""
        plan = stepper.solver.links.plan if stepper.watch.implicit else None
        if plan is None:
            self._rows = None
            self._context.words[on.LINKS] = 0
            return True
        if not can_read_rows():
            return False
        if self._rows is None or self._rows.plan is not plan:
            self._rows = RowProgram(plan, stepper.solver.links.clamp(stepper.system))
        self._context.words[on.LINKS] = self._rows.words.ctypes.data
        return True

    def _learn_near(self, stepper: Stepper) -> bool:
        """For which states the contacts that are near were listed; False if they must be listed anew."""
        listed = [part.listed for part in stepper.parts if part.listed is not None]
        self._context.words[on.NEAR] = len(listed)
        for near in listed:
            if near.reference is None:
                return False
            stepper.arrays.put(step.REFERENCE, near.reference)
            stepper.arrays.put(step.EXTENTS, near.shapes.extents)
            stepper.arrays.put(step.ROOMS, near.rooms)
        return True

    def _remember(self, stepper: Stepper) -> None:
        """Remember what must be the same in the next step."""
        self._load = stepper.load
        self._table = stepper.table
        self._parts = len(stepper.parts)
        tables = [table for table in stepper.tables() if not table.is_prepared]
        owners: list[Any] = [stepper.joints, stepper.springs, *tables]
        self._owners = [(owner, owner.tables) for owner in owners]
