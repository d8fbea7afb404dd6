"""A demo of Chrono's as a scene that can be stepped, and the few calls of which all of them are made."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from ...chrono.api.bridge import pychrono

Place = Sequence[float]
"""A position or a size in m."""


def nothing() -> None:
    """What most demos do between steps."""


@dataclass(frozen=True)
class Demo:
    """A scene of a demo.

    Attributes:
        system: of Chrono. bodies: those whose motion is looked at. step: of the demo, in s.
        before_step: what its loop does before each step, such as steering or reading forces.
        stepping: what steps it, if that is not the system itself; takes the step in s.
        up: 1 where y points up, 2 where z does. kept: what must live as long as the system.
    """

    system: Any
    bodies: Sequence[Any]
    step: float
    before_step: Callable[[], None] = nothing
    stepping: Callable[[float], Any] | None = None
    up: int = 1
    kept: tuple[Any, ...] = ()

    def advance(self, step: float) -> None:
        """One round of its loop."""
        self.before_step()
        advance = self.system.DoStepDynamics if self.stepping is None else self.stepping
        advance(step)


def vector(place: Place) -> Any:
    """A vector of Chrono's."""
    return pychrono().ChVector3d(*map(float, place))


def frame(place: Place = (0.0, 0.0, 0.0), turn: Any = None) -> Any:
    """A frame of Chrono's at a position in m, with a quaternion."""
    chrono = pychrono()
    return chrono.ChFramed(vector(place), chrono.QUNIT if turn is None else turn)


def new_system(kind: str, gravity: Place = (0.0, -9.81, 0.0)) -> Any:
    """A system with contact of a kind, "NSC" or "SMC", and Bullet's collision detection; gravity in m/s^2."""
    chrono = pychrono()
    system = getattr(chrono, f"ChSystem{kind}")()
    system.SetGravitationalAcceleration(vector(gravity))
    system.SetCollisionSystemType(chrono.ChCollisionSystem.Type_BULLET)
    return system


def set_margins(envelope: float, margin: float) -> None:
    """Set the margins in m of collision models that are made from now on."""
    model = pychrono().ChCollisionModel
    model.SetDefaultSuggestedEnvelope(envelope)
    model.SetDefaultSuggestedMargin(margin)


def material(kind: str, **numbers: float) -> Any:
    """A contact material of a kind; each number goes to the setter of its name, as in Friction=0.3."""
    made = getattr(pychrono(), f"ChContactMaterial{kind}")()
    for name, value in numbers.items():
        getattr(made, f"Set{name}")(value)
    return made


def shaped(body: Any, *shapes: Any) -> None:
    """Give a body collision shapes, each alone or with its place on the body in m."""
    for shape in shapes:
        if isinstance(shape, tuple):
            body.AddCollisionShape(shape[0], frame(shape[1]))
        else:
            body.AddCollisionShape(shape)
    body.EnableCollision(True)


def add_body(
    system: Any, name: str, at: Place, *shapes: Any, mass: float = 1.0, inertia: Place = (1.0, 1.0, 1.0),
    fixed: bool = False,
) -> Any:  # fmt: skip
    """A body with collision shapes; mass in kg and moments of inertia in kg m^2 are 1 unless given."""
    body = pychrono().ChBody()
    body.SetName(name)
    body.SetMass(mass)
    body.SetInertiaXX(vector(inertia))
    body.SetPos(vector(at))
    body.SetFixed(fixed)
    shaped(body, *shapes)
    system.Add(body)
    return body


def add_box(system: Any, name: str, size: Place, density: float, at: Place, surface: Any, fixed: bool = False) -> Any:
    """A homogeneous box with a density in kg/m^3."""
    body = pychrono().ChBodyEasyBox(*map(float, size), density, False, True, surface)
    body.SetName(name)
    body.SetPos(vector(at))
    body.SetFixed(fixed)
    system.Add(body)
    return body


def turning(angle: float, axis: Place) -> Any:
    """The quaternion of a rotation by an angle in rad about an axis."""
    return pychrono().QuatFromAngleAxis(angle, vector(axis))


def constant(value: float) -> Any:
    """A function of time that is constant."""
    return pychrono().ChFunctionConst(value)
