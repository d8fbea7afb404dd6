"""The abstract base class of all normal laws, built-in laws and user laws."""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import Any, ClassVar

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ...errors import ParameterError, positive

LARGEST = 1e300
"""Represents infinity in a record: finite, so that 0 times it is 0 and tanh gives the sign function."""


class NormalLaw(ABC):
    """A normal law: force in N as a function of distance s in m and normal speed v in m/s; v < 0 approaches.

    A law is a small frozen dataclass. Its parameters go by name into a record (`normal_table.normal_record`), which
    compiled engines read. The same kernels accept the law itself in place of the record, and then take arrays.
    """

    family: ClassVar[str]
    """Name of the law's slot in a record; it selects the kernels that evaluate the law."""

    fields: ClassVar[tuple[str, ...]]
    """Names of the attributes that go into the slot."""

    s_0: float
    """Distance in m at which object and barrier begin to touch."""

    @abstractmethod
    def force(self, s: ArrayLike, v: ArrayLike) -> NDArray[np.float64]:
        """Normal force in N at distance s in m and normal speed v in m/s."""

    @abstractmethod
    def potential(self, s: ArrayLike) -> NDArray[np.float64]:
        """Energy in J stored in the contact at distance s in m."""

    @property
    def has_potential(self) -> bool:
        """Whether the law has a potential; without one, stored energy and heat cannot be separated."""
        return True

    @property
    def reach(self) -> float:
        """Gap in m beyond s_0 up to which the law acts; 0 for a law that begins at s_0."""
        return 0.0

    def fill(self, slot: Any) -> None:
        """Write the parameters into the law's slot of a record; infinity becomes LARGEST."""
        for name in self.fields:
            slot[name] = min(getattr(self, name), LARGEST)

    def rest_distance(self, load: float) -> float:
        """Distance in m at which the contact carries a load in N at rest, searched down to 1000 km below s_0."""
        positive("load", load)
        depth = 1e-9
        while not float(self.force(self.s_0 - depth, 0.0)) >= load:
            depth *= 4.0
            if depth > 1e6:
                raise ParameterError(f"{self!r} cannot carry a load of {load:g} N at rest")
        from scipy.optimize import brentq

        def surplus(s: float) -> float:
            return float(self.force(s, 0.0)) - load

        if surplus(self.s_0 + self.reach) >= 0.0:
            return self.s_0 + self.reach
        return float(brentq(surplus, self.s_0 - depth, self.s_0 + self.reach, xtol=1e-15))
