"""Springs of Chrono's whose force is solved for at the end of the step: ChLinkTSDA and ChLinkRSDA.

Chrono exerts the force of such a spring at the start of a step. The load adds what it lacks of that at its end, see
`spring_rows`. Coefficients, rest lengths and actuator forces are read again at every step.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any, NamedTuple

import numpy as np

from ...errors import ParameterError, SystemChangedError, finite, shown
from ..api.bridge import belongs, fast, joint_bodies, pychrono
from ..contact.readings import body_name
from ..contact.records import empty
from .joint_records import LINE, TURN
from .joints import frame_of
from .spring_records import SPRING, SPRING_GEOMETRY, SPRING_STATE

KINDS = {"ChLinkTSDA": LINE, "ChLinkRSDA": TURN}
"""Springs of Chrono's that can be solved for, and their motions."""


OFF = (0.0, 0.0, 0.0)
"""State of a spring that is switched off."""
SHORT = 1e-9
"""Step in s in which nothing moves."""


class Readers(NamedTuple):
    """Methods of a kind of spring: whether it acts, its coefficients, actuator force, deformation and force."""

    is_active: Callable[[Any], bool]
    stiffness: Callable[[Any], float]
    damping: Callable[[Any], float]
    actuator: Callable[[Any], float]
    deformation: Callable[[Any], float]
    force: Callable[[Any], float]


@cache
def readers(motion: int) -> Readers:
    """Methods of the springs with a motion."""
    chrono = pychrono()
    kind, moment = (chrono.ChLinkTSDA, "Force") if motion == LINE else (chrono.ChLinkRSDA, "Torque")
    names = ("IsActive", "GetSpringCoefficient", "GetDampingCoefficient", f"GetActuator{moment}", "GetDeformation",
             f"Get{moment}")  # fmt: skip
    return Readers(*(fast(kind, name) for name in names))


@dataclass(frozen=True)
class Spring:
    """A spring of Chrono's.

    Attributes:
        link: the spring. bodies: between which it acts; the motion is that of the first relative to the second.
        motion: TURN or LINE. geometry: a record for the kernel. guided: no link is known to guide its bodies.
    """

    link: Any
    bodies: tuple[Any, Any]
    motion: int
    geometry: Any
    guided: bool = False

    @property
    def name(self) -> str:
        """The spring for messages: its class, and its name or the names of its bodies."""
        own = self.link.GetName()
        between = " and ".join(repr(body_name(body)) for body in self.bodies)
        return f"{type(self.link).__name__} " + (repr(own) if own else f"between {between}")

    @property
    def slopes(self) -> tuple[float, float]:
        """Stiffness in N/m and damping in N s/m, or N m/rad and N m s/rad."""
        return float(self.link.GetSpringCoefficient()), float(self.link.GetDampingCoefficient())

    def check(self) -> None:
        """Raise unless the force of the spring is linear, and Chrono takes it at the start of a step."""
        wanted = "a spring that is solved for must have a linear force at the start of Chrono's steps"
        functor = self.link.GetForceFunctor() if self.motion == LINE else self.link.GetTorqueFunctor()
        if functor is not None:
            raise ParameterError(f"{wanted}, but {self.name} has a functor: use its coefficients instead")
        if self.link.GetNumCoordsPosLevel() > 0:
            raise ParameterError(f"{wanted}, but {self.name} has an ODE: remove it")
        if self.motion == LINE and is_stiff(self.link):
            raise ParameterError(f"{wanted}, but {self.name} is stiff: leave IsStiff(True) out")


def is_stiff(link: Any) -> bool:
    """Whether Chrono has the stiffness of a ChLinkTSDA in its matrix: a copy of it shows, in a system of its own."""
    chrono = pychrono()
    system = chrono.ChSystemSMC()
    bodies = [chrono.ChBody(), chrono.ChBody()]
    for i, body in enumerate(bodies):
        body.SetPos(chrono.ChVector3d(float(i), 0.0, 0.0))
        system.AddBody(body)
    copy = chrono.ChLinkTSDA(link)
    copy.Initialize(*bodies, True, chrono.ChVector3d(0.0, 0.0, 0.0), chrono.ChVector3d(0.0, 0.0, 0.0))
    system.AddLink(copy)
    system.SetSolverType(chrono.ChSolver.Type_SPARSE_LU)
    system.DoStepDynamics(SHORT)
    return bool(system.GetSystemDescriptor().HasKRMBlocks())


def spring_of(link: Any, system: Any, numerical_damping: float = 1.0) -> Spring:
    """A spring of Chrono's in a system, to be solved for, with a numerical damping from 0 to 1."""
    chrono = pychrono()
    motion = next((motion for name, motion in KINDS.items() if isinstance(link, getattr(chrono, name))), None)
    if motion is None:
        raise ParameterError(f"link must be a {' or a '.join(KINDS)}, got {shown(link)}")
    first, second = joint_bodies(link, system)
    if first.IsFixed() and second.IsFixed():
        raise ParameterError("both bodies of the spring are fixed: a force between them does nothing")
    geometry = empty(SPRING_GEOMETRY, 1)[0]
    if not 0.0 <= finite("numerical_damping", numerical_damping) <= 1.0:
        raise ParameterError(f"numerical_damping must be between 0 and 1, got {numerical_damping:g}")
    geometry["damped"] = numerical_damping
    if motion == LINE:
        for name, point in (("point", link.GetPoint1Rel()), ("origin", link.GetPoint2Rel())):
            geometry[name] = point.x, point.y, point.z
        spring = Spring(link, (first, second), motion, geometry)
    else:
        geometry["axis"] = frame_of(link.GetFrame1Rel())[1][:, 2]
        spring = Spring(link, (second, first), motion, geometry)
    spring.check()
    return spring


class Springs:
    """All springs of an attachment that are solved for, as tables for the kernel."""

    def __init__(self) -> None:
        self._springs: dict[int, Spring] = {}
        self._indices: dict[int, Sequence[int]] = {}
        self._count = 0
        self._rebuild()

    def __len__(self) -> int:
        return len(self._springs)

    @property
    def springs(self) -> Mapping[int, Spring]:
        """All springs by number; no number is given twice."""
        return self._springs

    def add(self, spring: Spring, indices: Sequence[int]) -> int:
        """Add a spring, with the numbers of its bodies on the load; returns its number."""
        if any(other.link.GetIdentifier() == spring.link.GetIdentifier() for other in self._springs.values()):
            raise ParameterError(f"{spring.name} is solved for already")
        number = self._count
        self._count += 1
        self._springs[number] = spring
        self._indices[number] = indices
        self._rebuild()
        return number

    def remove(self, number: int) -> None:
        """Remove a spring; its number comes from `add`."""
        if number not in self._springs:
            raise ParameterError(f"there is no spring {number}; there are {sorted(self._springs)}")
        del self._springs[number]
        self._rebuild()

    def check(self, system: Any) -> None:
        """Raise if a spring can no longer be solved for."""
        for spring in self._springs.values():
            if not belongs(spring.link, system):
                raise SystemChangedError(f"{spring.name} was removed from the system: call remove_spring first")
            spring.check()

    def _rebuild(self) -> None:
        """Rebuild the tables."""
        springs = self._springs.values()
        heads = [(spring.motion, *self._indices[number]) for number, spring in self._springs.items()]
        self._read = [(spring.link, readers(spring.motion)) for spring in springs]
        self._state = empty(SPRING_STATE, len(springs))
        self._numbers = self._state.view(np.float64)
        geometry = np.array([spring.geometry for spring in springs], SPRING_GEOMETRY)
        self.tables = np.array(heads, SPRING).view(np.int64), geometry.view(np.float64), self._numbers
        """Springs, geometry and state as flat tables."""

    def read(self) -> None:
        """Read the state of all springs at the start of a step."""
        numbers: list[float] = []
        for link, (is_active, stiffness, damping, actuator, deformation, force) in self._read:
            if is_active(link):
                k = stiffness(link)
                numbers += k, damping(link), actuator(link) - k * deformation(link) - force(link)
            else:
                numbers += OFF
        self._numbers[:] = numbers
