"""Steps a Chrono system and records named columns and the energy ledger, as the reference engine does."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, fields, replace
from time import perf_counter
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ...errors import DivergedError, LawError, ParameterError, StateError, SystemChangedError, positive
from ...progress import Progress
from ...trajectory import Trajectory
from ..api.bridge import inertia_of
from ..attachment import Attachment, core_of
from ..contact.bodies import SPEED_WIDTH, STATE_WIDTH
from ..contact.records import REPORT, TOTALS
from ..joint.joint_records import JOINT_REPORT
from .keyboard import stopped_between_steps

Signal = NDArray[np.float64]

BLOCKS = 50
"""Number of blocks of a run; after each, progress is reported and the stop condition is checked."""


LEDGER = np.dtype([(name, np.float64) for name in ("contact_heat", "friction_heat", "handed_back", "step_loss")])
"""What the energy book of an attachment tells, in J, where forces are those at the end of the steps."""


@dataclass(frozen=True)
class Samples:
    """What was sampled before every step of a block; the first axis counts the steps.

    Attributes:
        t: time in s.
        x: position in m and quaternion of each body, 7 numbers.
        w: velocity in m/s (world) and angular velocity in rad/s (body) of each body, 6 numbers.
        report: what each contact element does, records of REPORT. totals: sums over all parts, records of TOTALS.
        joints: what each joint force does, records of JOINT_REPORT. booked: the energy book, records of LEDGER.
    """

    t: Signal
    x: Signal
    w: Signal
    report: NDArray[Any]
    totals: NDArray[Any]
    joints: NDArray[Any]
    booked: NDArray[Any]

    @classmethod
    def room(cls, count: int, bodies: int, elements: int, joints: int = 0) -> Samples:
        """Empty samples."""
        return cls(
            np.zeros(count),
            np.zeros((count, bodies, STATE_WIDTH)),
            np.zeros((count, bodies, SPEED_WIDTH)),
            np.zeros((count, elements), REPORT),
            np.zeros(count, TOTALS),
            np.zeros((count, joints), JOINT_REPORT),
            np.zeros(count, LEDGER),
        )

    def first(self, count: int) -> Samples:
        """The first samples only."""
        return Samples(*(getattr(self, column.name)[:count] for column in fields(self)))

    @property
    def gap(self) -> Signal:
        """Gap in m of each contact element."""
        return self.report["gap"]

    @property
    def force(self) -> Signal:
        """Normal force in N of each contact element."""
        return self.report["force"]

    @property
    def friction(self) -> Signal:
        """Friction force in N on body A of each contact element, in world components."""
        return self.report["friction"]

    @property
    def joint_friction(self) -> Signal:
        """Friction in N (or N m) of each joint force against the speeds along its two directions."""
        return self.joints["friction"]


Columns = Callable[[Samples], Mapping[str, Signal]]
"""Names and values of the columns of a scene. `kinetic` and `potential` replace the energies computed from the bodies.
`drive_power` in W is not recorded, but integrated to the column `drive_work`."""


def cumulative(power: Signal, step: float) -> Signal:
    """Fourth-order integral of an equally spaced signal from its start to each sample."""
    if power.size < 4:
        pieces = 0.5 * (power[1:] + power[:-1])
    else:
        inner = (13.0 * (power[1:-2] + power[2:-1]) - power[:-3] - power[3:]) / 24.0
        ends = [(9.0 * f[0] + 19.0 * f[1] - 5.0 * f[2] + f[3]) / 24.0 for f in (power[:4], power[:-5:-1])]
        pieces = np.concatenate([ends[:1], inner, ends[1:]])
    return step * np.concatenate([[0.0], np.cumsum(pieces)])


class Recorder:
    """Records a run of the system of an attachment.

    Args:
        contacts: the attachment. Its contacts must not change during a run.
        bodies: bodies whose states and energies are recorded.
        columns: what is recorded besides the ledger.
    """

    def __init__(self, contacts: Attachment, bodies: Sequence[Any], columns: Columns) -> None:
        self._system = contacts.system
        self._contacts = contacts
        self._core = core_of(contacts)
        self._columns = columns
        self._places = self._core.register(*bodies)
        self._elements = contacts.size
        self._masses = np.array([body.GetMass() for body in bodies])
        self._inertias = np.array([inertia_of(body) for body in bodies])
        gravity = self._system.GetGravitationalAcceleration()
        self._gravity = np.array([gravity.x, gravity.y, gravity.z])

    def run(
        self,
        step: float,
        time: float,
        every: int = 1,
        progress: Progress = lambda fraction: None,
        stop: Callable[[Trajectory], NDArray[np.bool_]] | None = None,
    ) -> Trajectory:
        """Run the system for a time in s with a fixed step in s; the arguments are those of `run_rk4`.

        A run that fails raises DivergedError with the rows recorded before.
        """
        positive("step", step)
        positive("time", time)
        if not isinstance(every, int) or every < 1:
            raise ParameterError(f"every must be an integer of at least 1, got {every!r}")
        count = max(round(time / step / every), 1) * every + 1
        tables: list[dict[str, Signal]] = []
        self._costs: list[float] = []
        self._booked = self._core.stepper.solves(step)
        size = -(-count // BLOCKS)
        for begin in range(0, count, size):
            length = min(size, count - begin)
            samples = Samples.room(length, len(self._places), self._elements, self._contacts.joint_count)
            with stopped_between_steps() as check_keyboard:
                done, failure = self._fill(samples, begin, step, count, check_keyboard)
            tables.append(self._table(samples.first(done)))
            bad = np.flatnonzero(~np.isfinite(np.column_stack(list(tables[-1].values()))).all(axis=1))
            if failure is not None or bad.size:
                rows = begin + (int(bad[0]) if bad.size else done)
                kept = _joined(tables, step, every, rows, self._booked)
                raise _diverged(failure, kept, step) from failure
            progress((begin + length) / count)
            end = self._end(tables[-1], begin, every, stop)
            if end is not None:
                progress(1.0)
                return self._with_cost(_joined(tables, step, every, end + 1, self._booked))
        return self._with_cost(_joined(tables, step, every, count, self._booked))

    def _with_cost(self, run: Trajectory) -> Trajectory:
        """The run with the time per step, without recording: the median, because other processes interrupt."""
        return replace(run, step_cost=1e6 * float(np.median(self._costs)))

    def _fill(
        self, samples: Samples, begin: int, step: float, count: int, check_keyboard: Callable[[], None]
    ) -> tuple[int, Exception | None]:
        """Sample and step; returns the number of samples and the exception, if any."""
        system = self._system
        contacts = self._contacts
        places = self._places
        totals = samples.totals.view(np.float64).reshape(samples.t.size, -1)
        for i in range(samples.t.size):
            try:
                if contacts.size != self._elements:
                    raise ParameterError("contacts were added or removed during a recorded run")
                at = self._core.observe(samples.report[i], totals[i], samples.joints[i])
                if at is not None:
                    samples.x[i] = at.x.reshape(-1, STATE_WIDTH)[places]
                    samples.w[i] = at.w.reshape(-1, SPEED_WIDTH)[places]
                samples.t[i] = (begin + i) * step
                if self._booked:
                    told = self._core.stepper.balance()
                    samples.booked[i] = told.contact_heat, told.friction_heat, told.handed_back, told.step - told.unpaid
                if begin + i + 1 < count:
                    clock = perf_counter()
                    system.DoStepDynamics(step)
                    self._costs.append(perf_counter() - clock)
                check_keyboard()
            except Exception as error:
                return i, error
        return samples.t.size, None

    def _table(self, samples: Samples) -> dict[str, Signal]:
        """Columns of a block; powers stand for integrals, which `_joined` computes, unless the book tells them."""
        own = dict(self._columns(samples))
        drive = own.pop("drive_power", 0.0 * samples.t)
        friction = samples.totals["friction_power"]
        turning = samples.w[:, :, 3:]
        kinetic = 0.5 * (samples.w[:, :, :3] ** 2).sum(axis=2) @ self._masses
        kinetic += 0.5 * np.einsum("tbi,bij,tbj->t", turning, self._inertias, turning)
        ledger = {
            "contact_heat": samples.totals["contact_power"], "friction_heat": np.maximum(friction, 0.0),
            "handed_back": np.maximum(-friction, 0.0), "drive_work": drive, "kinetic": kinetic,
            "potential": -np.einsum("tbi,i,b->t", samples.x[:, :, :3], self._gravity, self._masses),
            "stored": samples.totals["stored"],
        }  # fmt: skip
        if self._booked:
            ledger |= {name: samples.booked[name] for name in LEDGER.names or ()}
        return {"t": samples.t, **{k: v for k, v in own.items() if k not in ledger}, **ledger, **own}

    def _end(self, table: dict[str, Signal], begin: int, every: int, stop: Any) -> int | None:
        """Number of the first recorded sample at which the run may stop."""
        if stop is None:
            return None
        rows = np.flatnonzero(stop(Trajectory(tuple(table), np.column_stack(list(table.values())), 0)))
        rows = rows[(begin + rows) % every == 0]
        return begin + int(rows[0]) if rows.size else None


def _joined(
    tables: Sequence[Mapping[str, Signal]], step: float, every: int, count: int, booked: bool = False
) -> Trajectory:
    """The trajectory of the first `count` samples: powers are integrated over all steps, then rows are thinned."""
    whole = {name: np.concatenate([table[name] for table in tables])[:count] for name in tables[0]}
    for name in ("drive_work",) if booked else ("contact_heat", "friction_heat", "handed_back", "drive_work"):
        whole[name] = cumulative(whole[name], step) if count else whole[name]
    data = np.column_stack(list(whole.values()))[::every]
    return Trajectory(tuple(whole), data, max(count - 1, 0))


def _diverged(failure: Exception | None, kept: Trajectory, step: float) -> DivergedError:
    """The error that ended a run, in one sentence, with the rows recorded before."""
    until = f"after {kept['t'][-1]:.6g} s" if len(kept) else "at the start"
    ended = f"the run on Chrono ended {until}"
    shorter = f"a smaller step than {step:g} s"
    if isinstance(failure, LawError):
        return DivergedError(f"{ended} ({failure}): use {shorter} or a law that is finite there", kept)
    if isinstance(failure, SystemChangedError) and not isinstance(failure, StateError):
        return DivergedError(f"{ended}: {failure}", kept)
    if failure is None or isinstance(failure, StateError | RuntimeError):
        reason = f"{failure}" if failure is not None else "a column is no longer finite"
        return DivergedError(f"{ended} ({reason}): use {shorter}", kept)
    return DivergedError(f"{ended}: {type(failure).__name__}: {failure}", kept)
