"""Where Chrono's bodies have what a free step needs: the places of their virtual methods, and of two of their lists.

Both are the same for every class of bodies. They are looked up once for the process, on a body that is made for it; if
anything is not found, as in another version of Chrono, there are no free steps.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import cache
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ...api.bridge import address, pychrono
from ...api.directors import method_names, symbol_at, table_of, words_at
from ...api.native import VECTOR, ask_address
from . import free_step as free

Integers = NDArray[np.int64]

METHODS = {
    free.IS_ACTIVE: "8IsActiveEv",
    free.UPDATE: "6UpdateEdNS_11UpdateFlagsE",
    free.TAKE_STATE: "14IntStateGatherEjRNS_7ChStateEjRNS_12ChStateDeltaERd",
    free.ADD_FORCES: f"17IntLoadResidual_FEj{VECTOR}d",
    free.ADD_MOMENTUM: f"18IntLoadResidual_MvEj{VECTOR}RKS3_d",
    free.VARIABLES: "9VariablesEv",
    free.KEEP: f"15IntToDescriptorEjRKNS_12ChStateDeltaERK{VECTOR[1:]}jS8_S8_",
    free.INCREMENT: "17IntStateIncrementEjRNS_7ChStateERKS1_jRKNS_12ChStateDeltaE",
    free.SET_STATE: "15IntStateScatterEjRKNS_7ChStateEjRKNS_12ChStateDeltaEdNS_11UpdateFlagsE",
    free.SET_ACCELERATION: "27IntStateScatterAccelerationEjRKNS_12ChStateDeltaE",
    free.OFFSET: "17GetSubBlockOffsetEj",
}
"""Ends of the symbols of the methods of a body, whatever its class."""

SOLVE = (
    "_ZNK6chrono22ChVariablesBodyOwnMass29ComputeMassInverseTimesVectorEN5Eigen3RefINS1_6MatrixIdLin1ELi1ELi0ELin1E"
    "Li1EEELi0ENS1_11InnerStrideILi1EEEEERKNS2_IKS4_Li0ES6_EE"
)
"""Symbol of the method of its variables."""

MOST = 100
FEW = 24
"""Numbers of methods among which those of a body, and of its variables, are."""

WORDS = 64
CLOCK_WORDS = 8
"""Numbers of words of a body among which its lists are, and of an integrator among which its time is."""


class BodyMethods(NamedTuple):
    """Places of the methods of a body in its table, and of the lists of its markers and forces in its memory."""

    places: Integers
    lists: Integers

    def has(self, tables: Iterable[int]) -> bool:
        """Whether bodies with these tables have the methods at these places."""
        return all(leads_to(table, int(self.places[which]), end) for table in tables for which, end in METHODS.items())

    def takes_forces(self, item: int) -> bool:
        """Whether another item in a system, given by its address, has the method for forces at the same place."""
        return leads_to(table_of(item), int(self.places[free.ADD_FORCES]), METHODS[free.ADD_FORCES])


def leads_to(table: int, place: int, end: str) -> bool:
    """Whether the entry at a place of a table leads to a method whose symbol has an end."""
    return symbol_at(int(words_at(table, place + 1)[place])).endswith(end)


def _places() -> Integers | None:
    """Places of the methods in their tables; None if one is not found."""
    body = pychrono().ChBody()
    names = method_names(address(body), MOST)
    places = np.zeros(free.METHODS, np.int64)
    for which, end in METHODS.items():
        found = [i for i, name in enumerate(names) if name.endswith(end)]
        if not found:
            return None
        places[which] = found[0]
    names = method_names(_variables_of(address(body), int(places[free.VARIABLES])), FEW)
    if SOLVE not in names:
        return None
    places[free.SOLVE] = names.index(SOLVE)
    return places


def _variables_of(body: int, place: int) -> int:
    """Address of the variables of a body."""
    return ask_address(int(words_at(table_of(body), place + 1)[place]), body)


def words_changed(owner: int, count: int, act: Callable[[], Any]) -> Integers:
    """Numbers of those of the first words of an object at an address that an action changes."""
    before = words_at(owner, count).copy()
    act()
    return np.flatnonzero(words_at(owner, count) != before)


def _list_filled(kind: str, call: str) -> int:
    """Bytes from the beginning of a body to the list to which a call adds an object of a kind; 0 if it is not found."""
    chrono: Any = pychrono()
    body = chrono.ChBody()
    changed = words_changed(address(body), WORDS, lambda: getattr(body, call)(getattr(chrono, kind)()))
    if changed.size != 3 or not (np.diff(changed) == 1).all():
        return 0
    first, last, _ = words_at(address(body), WORDS)[changed]
    return 8 * int(changed[0]) if last - first == 16 else 0


def time_of_integrator(integrator: Any) -> int:
    """Address of the time that an integrator keeps; 0 if it is not found."""
    place = address(integrator)
    time = integrator.GetTime()
    changed = words_changed(place, CLOCK_WORDS, lambda: integrator.SetTime(time + 1.0))
    integrator.SetTime(time)
    return place + 8 * int(changed[0]) if changed.size == 1 else 0


@cache
def body_methods() -> BodyMethods | None:
    """The places, or None if one is not found."""
    places = _places()
    lists = np.array([_list_filled("ChMarker", "AddMarker"), _list_filled("ChForce", "AddForce")], np.int64)
    return None if places is None or not lists.all() else BodyMethods(places, lists)
