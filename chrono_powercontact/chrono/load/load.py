"""The one load over all managed bodies: Chrono asks it for forces at every stage of every integrator.

It is lazy: `Update` computes nothing, the force is computed when the residual is assembled, exactly once per real
evaluation.
"""

from __future__ import annotations

import ctypes
from collections.abc import Callable, Sequence
from contextlib import suppress
from functools import cache
from typing import Any, Protocol

from ..api.bridge import fast, pychrono
from ..api.views import Mirror, Square


class ForceSource(Protocol):
    """Whoever computes the forces."""

    def scattered(self) -> None:
        """Chrono has distributed a state to the bodies."""

    def evaluate(self) -> bool:
        """Compute the generalised force of the load at the state that it has gathered; False if it may not be used."""

    def differentiate(self, stiffness: Any, damping: Any) -> None:
        """Write K = -dQ/dx and R = -dQ/dv at the state that the load has gathered."""


@cache
def _delete() -> Callable[[int], None]:
    """C++'s operator delete: Chrono hands over flags with each Update that its Python wrapper cannot delete."""
    for library in (None, "libstdc++.so.6", "libc++.1.dylib"):
        with suppress(OSError, AttributeError):
            delete = ctypes.CDLL(library)._ZdlPv
            delete.argtypes, delete.restype = [ctypes.c_void_p], None
            return delete
    return lambda address: None


@cache
def load_class() -> type:
    """The class of the load; made on demand, because it derives from PyChrono's."""
    base = pychrono().ChLoadCustomMultiple
    gather_x, gather_w, add_to = (
        fast(base, name) for name in ("LoadGetStateBlock_x", "LoadGetStateBlock_w", "LoadIntLoadResidual_F")
    )

    delete = _delete()

    class PowerContactLoad(base):  # type: ignore[misc, valid-type]
        """A load that asks a `ForceSource`."""

        def __init__(self, bodies: Sequence[Any], source: ForceSource, shared: bool | None = None) -> None:
            chrono = pychrono()
            loadables = chrono.vector_ChLoadable()
            for body in bodies:
                loadables.append(body)
            super().__init__(loadables)
            self.source, self.size = source, len(bodies)
            state, speed = chrono.ChState(), chrono.ChStateDelta()
            state.SetVect([0.0] * 7 * len(bodies))
            speed.SetVect([0.0] * 6 * len(bodies))
            self.x = Mirror(state, 7 * len(bodies), shared)
            self.w = Mirror(speed, 6 * len(bodies), shared)
            self.q = Mirror(self.load_Q, 6 * len(bodies), shared)

        def gather(self) -> None:
            """Read the state of the bodies as they are now."""
            gather_x(self, self.x.vector)
            gather_w(self, self.w.vector)
            if not self.x.shared:
                self.x.read()
                self.w.read()

        def Update(self, *arguments: Any) -> None:
            if len(arguments) > 1 and type(arguments[1]).__name__ == "SwigPyObject":
                arguments[1].disown()
                delete(int(arguments[1]))
            self.source.scattered()

        def IsStiff(self) -> bool:
            return False

        def InjectKRMMatrices(self, descriptor: Any) -> None:
            """Nothing to inject; answering here spares Chrono the way through its own empty method."""

        def LoadKRMMatrices(self, stiffness: float, damping: float, mass: float) -> None:
            """Nothing to load."""

        def LoadIntLoadResidual_Mv(self, residual: Any, velocity: Any, factor: float) -> None:
            """A contact has no mass."""

        def LoadIntLoadResidual_F(self, residual: Any, factor: float) -> None:
            self.gather()
            if not self.source.evaluate():
                return
            if not self.q.shared:
                self.q.write()
            add_to(self, residual, factor)

    return PowerContactLoad


@cache
def stiff_load_class() -> type:
    """The class of a load that gives Chrono its stiffness and damping, too."""
    base = pychrono().ChLoadCustomMultiple
    parent: Any = load_class()

    class StiffPowerContactLoad(parent):
        """Writes K and R by formula instead of Chrono's finite differences."""

        def __init__(self, bodies: Sequence[Any], source: ForceSource, shared: bool | None = None) -> None:
            super().__init__(bodies, source, shared)
            self.CreateJacobianMatrices()
            jacobians, size = self.GetJacobians(), 6 * len(bodies)
            self.matrices = [Square(matrix, size, shared) for matrix in (jacobians.K, jacobians.R)]

        def InjectKRMMatrices(self, descriptor: Any) -> None:
            base.InjectKRMMatrices(self, descriptor)

        def LoadKRMMatrices(self, stiffness: float, damping: float, mass: float) -> None:
            self.gather()
            self.source.differentiate(*(square.data for square in self.matrices))
            for square in self.matrices:
                square.write()
            base.LoadKRMMatrices(self, stiffness, damping, mass)

    return StiffPowerContactLoad
