"""Switches Chrono's built-in contact off for bodies that were taken over, and on again."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from typing import Any

from ..api.bridge import address, belongs, pychrono, shape_instance
from ..api.changes import quietly
from .collision_shapes import own_types
from .frozen import FrozenContacts
from .user_callbacks import callback_class


def _is_same(first: Any, second: Any) -> bool:
    """Whether two proxies stand for the same object; None is like nothing."""
    return first is not None and second is not None and address(first) == address(second)


@contextmanager
def without_pairs(models: Iterable[Any]) -> Iterator[None]:
    """Let no model form a pair that is added to collision detection meanwhile: to remove it, Bullet searches all pairs.

    The models must have been removed at the end.
    """
    masks = [(model, model.GetFamilyMask()) for model in models]
    for model, _ in masks:
        quietly(model, "SetFamilyMask", 0)
    yield
    for model, mask in masks:
        quietly(model, "SetFamilyMask", mask)


class BuiltInContact:
    """Switches Chrono's built-in contact off and on again."""

    def __init__(self, frozen: FrozenContacts) -> None:
        self.callback = callback_class()(frozen.found, own_types(), frozen.begin)
        self._collision: Any = None
        self._envelopes: list[tuple[Any, float]] = []
        self._removed: dict[int, Any] = {}

    def switch_off(self, system: Any, bodies: dict[int, Any], detect: bool, reach: float) -> None:
        """Switch it off for bodies by number; with `detect` Chrono still detects contacts, up to a gap `reach` in m."""
        collision = system.GetCollisionSystem()
        if detect or not _is_same(self._collision, collision):
            self.switch_on(system)
        if collision is None:
            return
        self._collision = collision
        models = {place: body.GetCollisionModel() for place, body in bodies.items()}
        leave = not detect and pychrono().CastToChCollisionSystemBullet(collision) is not None
        with without_pairs(models.values() if leave and not collision.IsInitialized() else ()):
            collision.Initialize()
            if leave:
                self._remove(bodies, models)
        known = {} if leave else {address(model): place for place, model in models.items()}
        self.callback.found.know_models(known)
        self.callback.found.forget_shapes()
        self.callback.found.ask_about_all(self.callback.users is not None)
        quietly(collision, "RegisterNarrowphaseCallback", self.callback)
        if detect:
            self._widen(models.values(), reach)

    def switch_on(self, system: Any) -> None:
        """Let Chrono's built-in contact act again; a callback of the script is asked as before."""
        if self._collision is None:
            return
        quietly(self._collision, "RegisterNarrowphaseCallback", self.callback.users)
        if _is_same(self._collision, system.GetCollisionSystem()):
            for body in self._removed.values():
                model = body.GetCollisionModel()
                if belongs(body, system) and body.IsCollisionEnabled() and not model.HasImplementation():
                    self._collision.Add(model)
        for model, envelope in self._envelopes:
            self._set_envelope(model, envelope)
        self._removed = {}
        self._envelopes = []
        self._collision = None

    def _remove(self, bodies: dict[int, Any], models: dict[int, Any]) -> None:
        """Remove models from collision detection; the bodies keep their flag EnableCollision."""
        self._removed = bodies
        for model in models.values():
            if model.HasImplementation():
                self._collision.Remove(model)

    def _widen(self, models: Iterable[Any], reach: float) -> None:
        """Let Chrono detect contacts before they touch, because our law acts earlier; a mesh cannot be widened."""
        cast = pychrono().CastToChCollisionShapeTriangleMesh
        for model in models:
            shapes = [shape_instance(model, i)[0] for i in range(model.GetNumShapes())]
            if model.GetEnvelope() < reach and all(cast(shape) is None for shape in shapes):
                self._envelopes.append((model, model.GetEnvelope()))
                self._set_envelope(model, reach)

    def _set_envelope(self, model: Any, envelope: float) -> None:
        present = model.HasImplementation()
        if present:
            self._collision.Remove(model)
        model.SetEnvelope(envelope)
        if present:
            self._collision.Add(model)
