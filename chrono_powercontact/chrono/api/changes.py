"""Notices changes that a script makes to bodies, shapes and callbacks, wherever it holds them.

PyChrono's proxies are temporary: `system.GetBodies()[0]` is another object at every call. So the methods of its classes
are wrapped, once for the process. A wrapped method does what it did, and then counts.
"""

from __future__ import annotations

import weakref
from collections.abc import Callable, Iterator
from functools import cache, wraps
from typing import Any

from .bridge import address, pychrono

NOTICED = {
    "ChBody": ("AddCollisionModel", "AddCollisionShape", "EnableCollision", "SetFixed", "SetMass"),
    "ChCollisionModel": (
        "AddCylinder", "AddShape", "AddShapes", "AllowCollisionsWith", "Clear", "DisallowCollisionsWith", "SetFamily",
        "SetFamilyGroup", "SetFamilyMask",
    ),
    "ChCollisionSystem": ("BindAll", "BindItem", "RegisterNarrowphaseCallback"),
    "ChContactContainer": ("RegisterAddContactCallback",),
    "ChLinkBase": ("SetBroken", "SetDisabled"),
    "ChLinkRSDA": ("RegisterTorqueFunctor",),
    "ChLinkTSDA": ("IsStiff", "RegisterForceFunctor", "RegisterODE"),
    "ChParticleEmitter": ("EmitParticles",),
    "ChParticleProcessor": ("ProcessParticles",),
}  # fmt: skip
"""Methods that change what may touch, or how, by class."""


class Changes:
    """Counts the calls of all noticed methods; equal counts mean that none was called in between."""

    def __init__(self) -> None:
        self.count = 0


CHANGES = Changes()

NARROW = "RegisterNarrowphaseCallback"
_NARROWPHASE: dict[int, weakref.ref[Any]] = {}
"""The last narrow-phase callback that a script registered, by the address of the collision system."""

_REMEMBERED: weakref.WeakSet[Any] = weakref.WeakSet()
"""All narrow-phase callbacks that were ever remembered."""


def narrowphase_callback(collision: Any) -> Any:
    """The narrow-phase callback that a script registered on a collision system since `notice_changes`, or None."""
    known = _NARROWPHASE.get(address(collision))
    return known() if known is not None else None


def remember_narrowphase(collision: Any, callback: Any) -> None:
    """Remember the narrow-phase callback of a collision system; None for none."""
    _NARROWPHASE.pop(address(collision), None)
    if callback is not None:
        _NARROWPHASE[address(collision)] = weakref.ref(callback)
        _REMEMBERED.add(callback)


def is_remembered(callback: Any) -> bool:
    """Whether it is known on which collision system a callback is or was registered."""
    return callback in _REMEMBERED


def _recorded(method: Callable[..., Any]) -> Callable[..., Any]:
    """The method that registers a narrow-phase callback, which also remembers it."""

    @wraps(method)
    def registering(collision: Any, callback: Any) -> Any:
        remember_narrowphase(collision, callback)
        result = method(collision, callback)
        CHANGES.count += 1
        return result

    return registering


def _noticed(method: Callable[..., Any]) -> Callable[..., Any]:
    """The method, which also counts."""

    @wraps(method)
    def counting(*arguments: Any, **named: Any) -> Any:
        result = method(*arguments, **named)
        CHANGES.count += 1
        return result

    return counting


def quietly(proxy: Any, method: str, *arguments: Any) -> Any:
    """Call a method of a proxy without counting it: what this package does itself is no news."""
    function = getattr(type(proxy), method)
    return getattr(function, "__wrapped__", function)(proxy, *arguments)


def family(kind: type) -> Iterator[type]:
    """A class and all classes that derive from it."""
    yield kind
    children: list[type] = kind.__subclasses__()
    for child in children:
        yield from family(child)


@cache
def notice_changes() -> None:
    """Wrap the methods in NOTICED, once for the process."""
    for name, methods in NOTICED.items():
        for kind in family(getattr(pychrono(), name)):
            for method in methods:
                if method in vars(kind):
                    wrapped = _recorded if method == NARROW else _noticed
                    setattr(kind, method, wrapped(vars(kind)[method]))
