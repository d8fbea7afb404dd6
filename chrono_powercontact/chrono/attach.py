"""What the user holds: `contacts = attach(system)`, then `contacts.add(...)`, and stepping as before."""

from __future__ import annotations

import weakref
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..errors import ParameterError, PowerContactError
from ..laws.material import Material
from . import contact_kernel as ck
from .api import belongs, body_key, linearized_types, pychrono
from .load import guarded, load_class
from .shapes import Shape
from .table import ContactTable, Instant, Pair, Part
from .views import Mirror

FORCES = np.dtype(
    [
        ("pair", "i8"), ("gap", "f8"), ("force", "f8"), ("activation", "f8"), ("point", "f8", 3), ("normal", "f8", 3),
        ("friction", "f8", 3), ("body_a", "U32"), ("body_b", "U32"),
    ]
)  # fmt: skip
"""One row per contact element: number of its pair, gap in m, normal force in N, activation, and in world components
the point in m, the normal towards body A, the friction force on body A in N; and the names of the bodies."""


class SystemChangedError(PowerContactError):
    """The Chrono system no longer fits the attachment: a body left it, or its state is not finite."""


@dataclass(frozen=True)
class Energy:
    """The ledger of all contacts, in J, since the first step with the attachment.

    Attributes:
        stored: elastic energy in the contacts now, less that at the first step.
        contact_heat: dissipated in the normal direction.
        friction_heat: dissipated by friction.
        exchanged: work that the contacts did on the bodies.
    """

    stored: float
    contact_heat: float
    friction_heat: float
    exchanged: float

    @property
    def error(self) -> float:
        """What is missing for the ledger to close; it falls with the step at the integrator's order."""
        return self.stored + self.contact_heat + self.friction_heat + self.exchanged


def body_name(body: Any) -> str:
    """The name that a user gave a body, or its number."""
    name = body.GetName() if hasattr(body, "GetName") else ""
    return str(name) or f"body {body_key(body)}"


class Attachment:
    """Power-based contacts on a Chrono system. Made by `attach`; lives until `detach` or the end of the system."""

    def __init__(self, system: Any, shared: bool | None = None) -> None:
        self._system = weakref.ref(system)
        self._shared = shared
        self._pairs: dict[int, Pair] = {}
        self._count = 0
        self._bodies: list[Any] = []
        self._index: dict[int, int] = {}
        self._table = ContactTable({}, {})
        self.parts: list[Part] = []
        self._totals = np.zeros(3)
        self._container: Any = None
        self._load: Any = None
        self._failures: list[BaseException] = []
        self._steps, self._linearized = -1, True
        self._time = float(system.GetChTime())
        self._book = np.zeros(3)
        self._power: NDArray[np.float64] | None = None
        self._stored_at_start = 0.0
        self._last: tuple[NDArray[np.float64], NDArray[np.float64], float] | None = None

    @property
    def system(self) -> Any:
        """The Chrono system."""
        system = self._system()
        if system is None:
            raise SystemChangedError("the Chrono system of this attachment no longer exists")
        return system

    def add(self, shape: Shape, partner: Shape, material: Material) -> int:
        """Let two shapes touch; returns the number of the pair, for `remove`."""
        if not isinstance(material, Material):
            raise ParameterError(f"material must be a Material, got {type(material).__name__}")
        if body_key(shape.body) == body_key(partner.body):
            raise ParameterError(f"a shape of {body_name(shape.body)!r} cannot touch a shape of the same body")
        if shape.body.IsFixed() and partner.body.IsFixed():
            raise ParameterError("both bodies are fixed: a contact between them does nothing")
        pair = Pair.of(shape, partner, material)
        self.register(shape.body, partner.body)
        self._pairs[self._count] = pair
        self._count += 1
        self._rebuild()
        return self._count - 1

    def remove(self, pair: int) -> None:
        """Take a pair out; its number comes from `add`."""
        if pair not in self._pairs:
            raise ParameterError(f"there is no pair {pair}; there are {sorted(self._pairs)}")
        del self._pairs[pair]
        self._rebuild()

    def forces(self) -> NDArray[Any]:
        """What every contact element does now, as a structured array of dtype FORCES."""
        self.raise_failures()
        result, report = np.zeros(len(self._table), FORCES), np.zeros((len(self._table), ck.REPORT_WIDTH))
        if self._load is not None:
            at = self._now()
            self._table.report(at, np.zeros(at.w.size), np.zeros(3), report)
        result["pair"] = [number for number, _ in self._table.keys]
        for name, column in (("gap", ck.GAP), ("force", ck.FORCE), ("activation", ck.ACTIVATION)):
            result[name] = report[:, column]
        for name, column in (("point", ck.POINT), ("normal", ck.NORMAL), ("friction", ck.FRICTION)):
            result[name] = report[:, column : column + 3]
        names = np.array([body_name(body) for body in self._bodies] or [""])
        result["body_a"] = names[self._table.elements[:, ck.BODY_A]]
        result["body_b"] = names[self._table.elements[:, ck.BODY_B]]
        return result

    def energy(self) -> Energy:
        """The energy ledger of all contacts."""
        self.raise_failures()
        return Energy(self._stored() - self._stored_at_start, *(float(part) for part in self._book))

    def detach(self) -> None:
        """Take all contacts out of the system; Chrono goes on without them."""
        system = self._system()
        if system is not None and self._container is not None:
            system.Remove(self._container)
        self._container, self._load = None, None
        self._pairs.clear()
        self.parts.clear()
        self._table = ContactTable({}, {})
        for attachments in _ALIVE.values():
            if self in attachments:
                attachments.remove(self)

    def raise_failures(self) -> None:
        """Raise what a callback of Chrono had to keep to itself."""
        if self._failures:
            failure = self._failures[0]
            self._failures.clear()
            raise failure

    def scattered(self) -> None:
        """Chrono has distributed a state to the bodies: it may be the last one of the step."""
        if not self._linearized:
            guarded(self._keep_state, self._failures)

    def evaluate(self, x: Mirror, w: Mirror, q: Mirror) -> None:
        """Forces at the state that the bodies have now."""
        if self._failures or not guarded(lambda: self._evaluate(x.data, w.data, q.data), self._failures):
            q.data[:] = 0.0
        q.write()

    def register(self, *bodies: Any) -> list[int]:
        """Numbers of bodies on the load; new ones are taken on it."""
        known = len(self._bodies)
        for body in bodies:
            if not belongs(body, self.system):
                raise ParameterError(f"{body_name(body)!r} is not in this system: call system.AddBody(body) first")
            if body_key(body) not in self._index:
                self._index[body_key(body)] = len(self._bodies)
                self._bodies.append(body)
        if self._load is None or len(self._bodies) != known:
            self._install()
        return [self._index[body_key(body)] for body in bodies]

    def _rebuild(self) -> None:
        """New tables; the memory of elements that stay is kept."""
        self._table = ContactTable(self._pairs, self._index, self._table)

    def _install(self) -> None:
        """Put a load over the present bodies into the system, in place of the earlier one."""
        system, chrono = self.system, pychrono()
        if self._container is not None:
            system.Remove(self._container)
        self._container, self._load = chrono.ChLoadContainer(), load_class()(self._bodies, self, self._shared)
        self._container.Add(self._load)
        system.Add(self._container)
        self._last = None

    def _evaluate(self, x: NDArray[np.float64], w: NDArray[np.float64], q: NDArray[np.float64]) -> None:
        system = self.system
        time, commit = system.GetChTime(), False
        if system.GetNumSteps() != self._steps:
            self._begin_step(system)
            commit = self._linearized
        self._sum(Instant(x, w, time, time - self._time, commit), q)
        if commit:
            self._add_to_book(time, q, w)

    def _sum(self, at: Instant, q: NDArray[np.float64]) -> None:
        """Forces of all parts into q, their energy and powers into the totals."""
        q[:] = 0.0
        self._totals[:] = 0.0
        self._table.evaluate(at, q, self._totals)
        for part in self.parts:
            part.evaluate(at, q, self._totals)
        body = ck.first_not_finite(q)
        if body >= 0:
            raise SystemChangedError(f"the state of {body_name(self._bodies[body])!r} is not finite at {at.time:.6g} s")

    def _begin_step(self, system: Any) -> None:
        """A new step: check the bodies, and close the last step where forces are not evaluated at its end."""
        self._steps = system.GetNumSteps()
        self._linearized = system.GetTimestepperType() in linearized_types()
        body = self._bodies[self._steps % len(self._bodies)]
        if not belongs(body, system):
            raise SystemChangedError(f"{body_name(body)!r} has left the system while it is attached: detach first")
        if not self._linearized and self._last is not None:
            x, w, time = self._last
            q = np.zeros(w.size)
            self._sum(Instant(x, w, time, time - self._time, True), q)
            self._add_to_book(time, q, w)

    def _keep_state(self) -> None:
        system = self.system
        if system.GetNumSteps() != self._steps:
            self._begin_step(system)
        self._load.gather()
        self._last = self._load.x.data.copy(), self._load.w.data.copy(), float(system.GetChTime())

    def _add_to_book(self, time: float, q: NDArray[np.float64], w: NDArray[np.float64]) -> None:
        """Heat and work since the last commit, by the trapezoidal rule."""
        stored, heat, rub = self._totals
        power = np.array((heat, rub, q @ w))
        if self._power is None:
            self._stored_at_start = float(stored)
        else:
            self._book += 0.5 * (time - self._time) * (power + self._power)
        self._power, self._time = power, time

    def _now(self) -> Instant:
        """The present state of the bodies."""
        self._load.gather()
        time = self.system.GetChTime()
        return Instant(self._load.x.data, self._load.w.data, time, time - self._time, False)

    def _stored(self) -> float:
        """Energy in J stored in all parts now."""
        totals = np.zeros(3)
        if self._load is not None:
            at = self._now()
            for part in (self._table, *self.parts):
                part.evaluate(at, np.zeros(at.w.size), totals)
        return float(totals[0])


_ALIVE: dict[int, list[Attachment]] = {}
"""Attachments by the identity of their system's proxy: Chrono holds borrowed pointers, Python must keep them alive."""


def attach(system: Any, *, shared: bool | None = None) -> Attachment:
    """Give a Chrono system power-based contacts; step it as before.

    Args:
        shared: whether NumPy looks at Chrono's vectors without a copy; None finds out.
    """
    pychrono()
    if not hasattr(system, "DoStepDynamics"):
        raise ParameterError(f"system must be a ChSystem, got {type(system).__name__}")
    if id(system) not in _ALIVE:
        _ALIVE[id(system)] = []
        weakref.finalize(system, _ALIVE.pop, id(system), None)
        _raise_after_steps(system)
    attachment = Attachment(system, shared)
    _ALIVE[id(system)].append(attachment)
    return attachment


def _raise_after_steps(system: Any) -> None:
    """Let DoStepDynamics raise what a callback had to keep to itself."""
    attachments, step, alive = _ALIVE[id(system)], type(system).DoStepDynamics, weakref.ref(system)

    def stepping(*arguments: Any, **named: Any) -> Any:
        result = step(alive(), *arguments, **named)
        for attachment in attachments:
            if attachment._failures:
                attachment.raise_failures()
        return result

    system.DoStepDynamics = stepping
