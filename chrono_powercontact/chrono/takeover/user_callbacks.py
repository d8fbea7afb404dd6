"""Callbacks of the script's own on Chrono's collision detection, beside ours.

A collision system has one narrow-phase callback. Ours takes its place and asks the script's own first: what that
refuses, neither we nor Chrono use. It cannot refuse contacts between spheres, boxes and capsules, which Chrono does not
find for us. An AddContactCallback is asked about materials that we design, see `contact_callback`.
"""

from __future__ import annotations

import gc
from collections.abc import Callable
from functools import cache
from typing import Any

from ..api.bridge import address, pychrono
from ..api.changes import family, is_remembered, narrowphase_callback, remember_narrowphase
from ..api.foreign_steps import following_class
from ..api.telling import Once
from .found_contacts import FoundContacts

ADD_CONTACT = "add contact"
SEVERAL = "several"
CUSTOM = "custom"


class Silencing:
    """Suppresses Chrono's own force on bodies that were taken over, and notes contacts of foreign shapes.

    The callback of the script, `users`, is asked first: what that refuses, neither we nor Chrono use.

    Attributes:
        found: receives the contacts. own: types of our shapes. owned: addresses of hulls and meshes that are ours too.
        begin: called at the first contact of a step.
        surface_of: gives the number of a shape's surface. failures: receives what is raised.
    """

    base: Any

    def __init__(self, found: FoundContacts, own: frozenset[int], begin: Callable[[], None]) -> None:
        self.base.__init__(self)
        self.found = found
        self.own = own
        self.owned: frozenset[int] = frozenset()
        self.begin = begin
        self.surface_of: Callable[[Any], int] = lambda shape: 0
        self.failures: list[BaseException] = []
        self.users: Any = None
        self.once: Once | None = None
        found.lead(self)

    def OnNarrowphase(self, contact: Any) -> bool:
        """Whether Chrono is to use a contact."""
        try:
            if self.users is None or self.users.OnNarrowphase(contact):
                return self._passes(contact)
            self._tell_refused(contact)
        except BaseException as error:
            self.failures.append(error)
        return False

    def _passes(self, contact: Any) -> bool:
        """The same if the script does not mind; notes those that are ours to use."""
        found = self.found
        if address(contact.modelA) not in found.models or address(contact.modelB) not in found.models:
            return True
        if not found.has_begun:
            self.begin()
        for shape in (contact.shapeA, contact.shapeB):
            place = address(shape)
            if not found.knows_shape(place):
                found.know_shape(place, self.surface_of(shape), self.is_own(shape))
        found.note(int(contact.this))
        return False

    def is_own(self, shape: Any) -> bool:
        """Whether a shape is not foreign; the triangles of a mesh are parts of it."""
        if int(shape.GetType()) in self.own:
            return True
        if not self.owned:
            return False
        parent = shape.GetParentShape() if hasattr(shape, "GetParentShape") else None
        return address(shape) in self.owned or (parent is not None and address(parent) in self.owned)

    def _tell_refused(self, contact: Any) -> None:
        """Warn if the script refuses a contact that is not Chrono's to find."""
        models = self.found.models
        known = address(contact.modelA) in models and address(contact.modelB) in models
        if known and self.is_own(contact.shapeA) and self.is_own(contact.shapeB) and self.once:
            name = type(self.users).__name__
            self.once.tell(
                self.users,
                f"{name}.OnNarrowphase refuses contacts between spheres, boxes or capsules that were taken over, "
                "which touch all the same: use collision families",
            )


@cache
def callback_class() -> type:
    """The class of our narrow-phase callback; made on demand, because it derives from PyChrono's."""
    base = pychrono().NarrowphaseCallback
    return type("Silencer", (Silencing, base), {"base": base})


def _living(kind: type) -> list[Any]:
    """A script's objects of a class of callbacks: PyChrono keeps only a borrowed pointer, so a script keeps them.

    A callback is of a class of the script's own. To go through all objects of a process takes a tenth of a second, so
    only those that refer to such a class are looked at, and none where there is no such class.
    """
    ours = callback_class(), following_class()
    own = [child for child in family(kind) if child is not kind and not issubclass(child, ours)]
    return [thing for thing in gc.get_referrers(*own) if type(thing) in own] if own else []


def users_narrowphase(collision: Any, once: Once) -> Any:
    """The narrow-phase callback of the script on a collision system, or None.

    PyChrono does not tell which one was registered before the first `attach`. If there is one that was not seen to be
    registered since, it is that one.
    """
    if collision is None:
        return None
    known = narrowphase_callback(collision)
    if known is not None:
        return known
    others = [one for one in _living(pychrono().NarrowphaseCallback) if not is_remembered(one)]
    if len(others) > 1:
        names = ", ".join(sorted({type(one).__name__ for one in others}))
        once.tell(
            SEVERAL,
            f"there are several narrow-phase callbacks ({names}): register the one that counts again after take_over",
        )
    if len(others) != 1:
        return None
    remember_narrowphase(collision, others[0])
    return others[0]


def contact_callback(system: Any) -> Any:
    """The AddContactCallback of the script, or None; PyChrono before version 10 does not tell.

    PyChrono gives a proxy. The object of the script behind it raises its own errors, not those of SWIG.
    """
    read = getattr(system.GetContactContainer(), "GetAddContactCallback", None)
    proxy = read() if read is not None else None
    if proxy is None:
        return None
    same = [one for one in _living(type(proxy)) if address(one) == address(proxy)]
    return same[0] if same else proxy


def warn_of_contact_callback(callback: Any, once: Once) -> None:
    """Warn that an AddContactCallback is not asked, because all contacts have a material that was given."""
    name = type(callback).__name__
    once.tell(
        ADD_CONTACT,
        f"the AddContactCallback {name} is not asked about contacts with a given material: call take_over() without "
        "one, or give materials by pairs of bodies",
    )


def warn_of_custom_collision(once: Once) -> None:
    """Warn that contacts which a callback of the script adds to Chrono's container stay Chrono's."""
    kind = getattr(pychrono(), "CustomCollisionCallback", None)
    living = _living(kind) if kind is not None else []
    if living:
        names = ", ".join(sorted({type(one).__name__ for one in living}))
        once.tell(CUSTOM, f"contacts that {names} adds by AddContact are not ours: Chrono's own law acts in them")
