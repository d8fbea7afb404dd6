"""Computes the forces and slopes of the contacts of nodes, and commits their memory and their energy book.

All integrators are treated alike: forces are evaluated at the states that Chrono distributes, and the memory is
committed at the state that a step has reached.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ...errors import LawError, StateError
from ..contact.bodies import SPEED_WIDTH, STATE_WIDTH
from ..contact.contact_table import NO_REPORT, ContactTable, Instant
from ..contact.readings import Energy
from ..contact.records import REPORT, TOTALS, empty, flat
from ..load.energy_book import EnergyBook
from ..load.step_clock import StepClock
from . import pair_slopes as ps
from .carriers import FRAME_WIDTH, LINK, carry, first_frames, hand_on, keep_frames
from .flexible_layout import Layout
from .flexible_load import FlexibleLoad, SlopeBlock

Floats = NDArray[np.float64]

FAR = 1e9
"""Distance in m at which a node has left every scene: an iteration of the integrator diverges."""


def diverged(time: float) -> StateError:
    """The error for a state that is not finite at a time in s."""
    return StateError(
        f"a node in contact, or a body that it may touch, has left the scene at {time:.6g} s: use a shorter step, and "
        "let HHT and EULER_IMPLICIT update their Jacobian in every iteration (SetJacobianUpdateMethod)"
    )


class FlexibleForces:
    """Forces of the contacts of one set of nodes.

    Attributes:
        table: the contact elements. clock, book: of the steps. layout: bodies, nodes and carriers.
        load, blocks: Chrono's loads. failures: exceptions in callbacks, raised after the step.
        driven: whether DoStepDynamics is running.
    """

    context = None
    layout: Layout
    load: FlexibleLoad
    blocks: Sequence[SlopeBlock]

    def __init__(self, system: Any, table: ContactTable, carriers: int, pairs: int) -> None:
        self.clock = StepClock(system)
        self.book = EnergyBook()
        self.table = table
        self.failures: list[BaseException] = []
        self.driven = False
        self._states = np.zeros(STATE_WIDTH * carriers)
        self._speeds = np.zeros(SPEED_WIDTH * carriers)
        self._forces = np.zeros(SPEED_WIDTH * carriers)
        self._frames = np.zeros(FRAME_WIDTH * carriers)
        self._stiffness = np.zeros((pairs, ps.BOTH, ps.BOTH))
        self._damping = np.zeros((pairs, ps.BOTH, ps.BOTH))
        self._blocks = np.zeros((pairs, ps.WIDEST, ps.WIDEST))
        self._active = np.zeros(pairs, bool)
        self._written = np.zeros(pairs, bool)
        self._step = 0.0
        self._last: tuple[Floats, Floats, float] | None = None

    def lay_out(self, layout: Layout, pairs: NDArray[Any], load: FlexibleLoad, blocks: Sequence[SlopeBlock]) -> None:
        """Take on a layout with its loads; the first time, begin at the present state."""
        self.layout = layout
        self.load = load
        self.blocks = blocks
        self._pairs = pairs.view(np.int64)
        self._heads = layout.carriers.view(np.int64)
        self._x = np.concatenate([np.zeros(layout.x), layout.held_coordinates()])
        self._w = np.zeros(layout.w + SPEED_WIDTH)
        self._written.fill(False)
        self._last = None
        if not self.book.is_open:
            self._open()

    def _open(self) -> None:
        """Begin at the present state."""
        self._gather()
        first_frames(self._x, self._heads, self._frames)
        self._fit_links()
        self.clock.read_integrator()
        totals, _ = self._sums(self.now(), NO_REPORT)
        self.book.open_with(float(totals.view(TOTALS)[0]["stored"]))
        self._commit(self.clock.now())

    def read_held(self) -> None:
        """Read where fixed nodes are."""
        self._x[self.layout.x :] = self.layout.held_coordinates()

    def _gather(self) -> None:
        """Read the present state of bodies and nodes."""
        self.load.gather()
        self._take(self.load.x.data, self.load.w.data)

    def _take(self, x: Floats, w: Floats) -> None:
        """Take on a state of the load; fixed nodes stay behind it."""
        self._x[: self.layout.x] = x
        self._w[: self.layout.w] = w

    def _carry(self) -> None:
        """Bring the carriers to the state of bodies and nodes; raises if it is not finite, or far away."""
        if not np.abs(self._x).max() < FAR or not np.isfinite(self._w).all():
            raise diverged(self.clock.now())
        carry(self._x, self._w, self._heads, self._frames, self._states, self._speeds)

    def _fit_links(self) -> None:
        """Give the links the present distances of their nodes; a commit is often enough, for strains grow slowly."""
        carriers = self.layout.carriers
        links = carriers["kind"] >= LINK
        if not links.any():
            return
        start = self._x[carriers["x0"][:, None] + np.arange(3)]
        end = self._x[carriers["x1"][:, None] + np.arange(3)]
        half = 0.5 * np.linalg.norm(end - start, axis=1)
        for side in ("a", "b"):
            owner = self.table.elements[side]
            mine = links[owner]
            for name in (f"{side}0", f"{side}1"):
                along = self.table.geometry[name][:, 0]
                along[mine] = np.copysign(half[owner[mine]], along[mine])

    def _add_forces(self, time: float, commit: bool) -> None:
        """Compute the forces at the state of the carriers; at a commit write the memory and the book."""
        book = self.book
        since = time - self.clock.committed
        self._forces.fill(0.0)
        book.totals.fill(0.0)
        at = Instant(self._states, self._speeds, time, since, commit)
        self.table.evaluate(at, self._forces, book.totals)
        if book.close(self._forces, self._speeds, since, commit) >= 0:
            raise self._explain(at)

    def _explain(self, at: Instant) -> Exception:
        """The error for forces that are not finite: caused by a law, otherwise by the state of the nodes."""
        blamed = self.table.blame(at)
        if blamed is not None:
            return LawError(f"{blamed} at {at.time:.6g} s: a law must be finite everywhere")
        return diverged(at.time)

    def _commit(self, time: float) -> None:
        """Commit at the state of bodies and nodes, which a step has reached."""
        self._carry()
        self._add_forces(time, True)
        keep_frames(self._x, self._heads, self._states, self._frames)
        self._fit_links()
        self.clock.committed = time

    @property
    def is_stale(self) -> bool:
        """Whether something else than DoStepDynamics has moved the nodes since the last commit."""
        return self._last is not None

    def commit_now(self) -> None:
        """Commit at the present state."""
        self._last = None
        if not self.failures:
            self._gather()
            self._commit(self.clock.now())

    def scattered(self) -> None:
        """Chrono has distributed a state: it may be the last one of a step that something else drives."""
        if self.driven or self.failures:
            return
        try:
            begun, time = self.clock.read()
            if begun:
                self._begin_step()
            self.load.gather()
            self._last = self.load.x.data.copy(), self.load.w.data.copy(), time
        except BaseException as error:
            self.failures.append(error)

    def _begin_step(self) -> None:
        """A step has begun that DoStepDynamics does not drive: commit the state that the last one has reached."""
        if self._last is not None:
            x, w, time = self._last
            self._last = None
            self._take(x, w)
            self._commit(time)

    def evaluate(self, residual: Any, factor: float) -> bool:
        """Compute the forces at the state that the load has gathered; an exception is kept until after the step."""
        if self.failures:
            return False
        try:
            begun, time = self.clock.read()
            if begun and not self.driven:
                self._begin_step()
            self._take(self.load.x.data, self.load.w.data)
            self._carry()
            self._add_forces(time, False)
            self._step = factor if self.clock.once else time - self.clock.committed
            if self.clock.once:
                self._differentiate()
                ps.add_old_damping(self._pairs, self._active, self._damping, self._speeds, self._forces)
            hand_on(self._x, self._heads, self._states, self._forces, self.load.q.data)
        except BaseException as error:
            self.failures.append(error)
            return False
        return True

    def _differentiate(self) -> None:
        """Compute the slopes of all pairs at the state of the carriers."""
        ps.pair_slopes(
            self._states, self._speeds, *self.table.arguments, self._step, self._pairs,
            self._stiffness, self._damping, self._active,
        )  # fmt: skip

    def differentiate_pairs(self) -> None:
        """Write the slopes of all pairs to their blocks, at the state that the load has gathered.

        A step of a linearised integrator has just evaluated them with the forces.
        """
        if self.failures:
            return
        try:
            if not (self.clock.once and self.driven):
                self._take(self.load.x.data, self.load.w.data)
                self._carry()
                self._differentiate()
            self._write(self._stiffness, "stiffness")
            self._write(self._damping, "damping")
            self._written = self._active.copy()
        except BaseException as error:
            self.failures.append(error)

    def _write(self, slopes: Floats, name: str) -> None:
        """Write the matrices of active pairs to Chrono's, and zeros to those that were active before."""
        ps.node_blocks(self._x, self._heads, self._states, self._pairs, self._active, slopes, self._blocks)
        for p in np.flatnonzero(self._active | self._written).tolist():
            block = self.blocks[p]
            square = getattr(block, name)
            square.data[:] = self._blocks[p, : block.width, : block.width] if self._active[p] else 0.0
            square.write()

    def now(self) -> Instant:
        """The present state, as the contact elements know it."""
        self._gather()
        self._carry()
        time = self.clock.now()
        return Instant(self._states, self._speeds, time, time - self.clock.committed, False)

    def _sums(self, at: Instant, lines: NDArray[Any]) -> tuple[Floats, Floats]:
        """Flat TOTALS at a state, and the forces on the carriers; `lines` receives reports, if there are any."""
        totals = flat(empty(TOTALS, 1))
        forces = np.zeros(at.w.size)
        self.table.report(at, forces, totals, lines)
        return totals, forces

    def reports(self) -> NDArray[Any]:
        """What each contact element does now, records of REPORT."""
        lines = empty(REPORT, len(self.table))
        self._sums(self.now(), lines)
        return lines

    def on_nodes(self) -> Floats:
        """Contact forces in N on all nodes now, one row each."""
        _, forces = self._sums(self.now(), NO_REPORT)
        q = np.zeros(self.layout.w)
        hand_on(self._x, self._heads, self._states, forces, q)
        return self.layout.of_nodes(q)

    def energy(self, unsplit: tuple[str, ...]) -> Energy:
        """The energy ledger at the last commit; `unsplit` are names of laws without a potential."""
        book = self.book.entries
        totals, _ = self._sums(self.now(), NO_REPORT)
        stored = float(totals.view(TOTALS)[0]["stored"] - book["stored_at_opening"])
        return Energy(
            stored, float(book["contact_heat"]), float(book["friction_heat"]), float(book["work"]), unsplit,
            float(book["handed_back"]),
        )  # fmt: skip
