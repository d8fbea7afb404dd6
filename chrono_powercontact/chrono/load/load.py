"""The single load on all managed bodies: Chrono asks it for forces at every stage of every integrator.

It is lazy: `Update` computes nothing. The force is computed when the residual is assembled, once per evaluation.
"""

from __future__ import annotations

import ctypes
from collections.abc import Callable, Sequence
from functools import cache
from typing import Any, Protocol

from ..api.bridge import fast, pychrono
from ..api.native import function_of
from ..api.views import Mirror, Square
from ..contact.bodies import SPEED_WIDTH, STATE_WIDTH
from ..contact.many.gathering import FEW, Gathering
from ..contact.many.places import Places
from ..implicit.step_context import StepContext
from .compiled_methods import CompiledMethods


class ForceSource(Protocol):
    """The object that computes the forces."""

    @property
    def context(self) -> StepContext | None:
        """Numbers of the present step that compiled code needs; None leaves all to Python."""

    def scattered(self) -> None:
        """Chrono has distributed a state to the bodies."""

    def evaluate(self, residual: Any, factor: float) -> bool:
        """Compute the generalised force of the load at the state that it has gathered; False if it may not be used.

        Args:
            residual: Chrono's vector to which the force will be added. factor: by which it will be multiplied.
        """

    def differentiate(self, stiffness: Any, damping: Any) -> None:
        """Write K = -dQ/dx and R = -dQ/dv at the state that the load has gathered."""


@cache
def _delete() -> Callable[[int], None]:
    """The C++ operator delete: with each Update, Chrono passes flags that its Python wrapper cannot delete."""
    for library in (None, "libstdc++.so.6", "libc++.1.dylib"):
        delete = function_of(library, "_ZdlPv")
        if delete is not None:
            delete.argtypes = [ctypes.c_void_p]
            delete.restype = None
            found: Callable[[int], None] = delete
            return found
    return lambda address: None


class LazyLoad:
    """The callbacks of our load; `load_class` mixes them into PyChrono's load."""

    chrono_load: Any
    gather_x: Callable[..., None]
    gather_w: Callable[..., None]
    add_to: Callable[..., None]
    delete: Callable[[int], None]
    load_Q: Any
    _gathering: Gathering | None = None

    def __init__(self, bodies: Sequence[Any], source: ForceSource, shared: bool | None = None) -> None:
        chrono = pychrono()
        loadables = chrono.vector_ChLoadable()
        for body in bodies:
            loadables.append(body)
        self.chrono_load.__init__(self, loadables)
        self.source = source
        self.size = len(bodies)
        state = chrono.ChState()
        state.SetVect([0.0] * STATE_WIDTH * len(bodies))
        speed = chrono.ChStateDelta()
        speed.SetVect([0.0] * SPEED_WIDTH * len(bodies))
        self.x = Mirror(state, STATE_WIDTH * len(bodies), shared)
        self.w = Mirror(speed, SPEED_WIDTH * len(bodies), shared)
        self.q = Mirror(self.load_Q, SPEED_WIDTH * len(bodies), shared)
        self._are_fixed = False
        self._places: Places | None = None
        self._gathering = Gathering(loadables)
        self._methods = None
        if source.context is not None and not self.IsStiff():
            self._methods = CompiledMethods(self, source.context)

    @property
    def is_compiled(self) -> bool:
        """Whether Chrono calls compiled code, which can read its vectors."""
        return self.x.shared and self._methods is not None and self._methods.are_compiled

    @property
    def nbytes(self) -> int:
        """Memory in bytes that it holds."""
        vectors = sum(mirror.data.nbytes for mirror in (self.x, self.w, self.q))
        others = self._gathering, self._places
        return vectors + sum(other.nbytes for other in others if other is not None)

    def idle(self, idle: bool) -> None:
        """Set whether the source need not know that Chrono has distributed a state."""
        if self._methods is not None:
            self._methods.idle(idle)

    def learn_places(self, are_fixed: bool) -> None:
        """Learn anew where Chrono adds the forces of each body, if that is the same for many steps."""
        self._are_fixed = are_fixed and self.size >= FEW and self.q.shared
        self._places = None

    def gather(self) -> None:
        """Read the present state of the bodies."""
        if self._gathering is not None and self._gathering.is_possible:
            self._gathering.gather(int(self.x.vector.this), int(self.w.vector.this))
        else:
            self.gather_x(self, self.x.vector)
            self.gather_w(self, self.w.vector)
        if not self.x.shared:
            self.x.read()
            self.w.read()

    def Update(self, time: float, flags: Any = None) -> None:
        """Chrono has distributed a state; delete the flags that it passes, because its wrapper cannot."""
        if type(flags).__name__ == "SwigPyObject":
            flags.disown()
            self.delete(int(flags))
        self.source.scattered()

    def IsStiff(self) -> bool:
        """False: Chrono need not differentiate."""
        return False

    def InjectKRMMatrices(self, descriptor: Any) -> None:
        """Nothing to inject; the override avoids a call of Chrono's own empty method."""

    def LoadKRMMatrices(self, stiffness: float, damping: float, mass: float) -> None:
        """Nothing to load."""

    def LoadIntLoadResidual_Mv(self, residual: Any, velocity: Any, factor: float) -> None:
        """Nothing to add: a contact has no mass."""

    def LoadIntLoadResidual_F(self, residual: Any, factor: float) -> None:
        """Add the forces, times a factor, to Chrono's residual."""
        self.gather()
        if not self.source.evaluate(residual, factor):
            return
        if not self.q.shared:
            self.q.write()
        if not self._are_fixed or not self._add_at_places(residual, factor):
            self.add_to(self, residual, factor)

    def _add_at_places(self, residual: Any, factor: float) -> bool:
        """Add the forces of many bodies at their places; False if these are not known for such a vector."""
        if self._places is None:
            self._places = Places(self, residual.Size())
        return self._places.add(self.q.data, residual, factor)


class StiffLoad(LazyLoad):
    """A load that also writes its analytical stiffness K and damping R, in place of Chrono's finite differences."""

    def __init__(self, bodies: Sequence[Any], source: ForceSource, shared: bool | None = None) -> None:
        super().__init__(bodies, source, shared)
        self.CreateJacobianMatrices()  # type: ignore[attr-defined]
        jacobians = self.GetJacobians()  # type: ignore[attr-defined]
        size = SPEED_WIDTH * len(bodies)
        self.matrices = [Square(matrix, size, shared) for matrix in (jacobians.K, jacobians.R)]

    def IsStiff(self) -> bool:
        """True: there are matrices to load."""
        return True

    def InjectKRMMatrices(self, descriptor: Any) -> None:
        """Let Chrono inject the matrices."""
        self.chrono_load.InjectKRMMatrices(self, descriptor)

    def LoadKRMMatrices(self, stiffness: float, damping: float, mass: float) -> None:
        """Write K and R, and let Chrono load them."""
        self.gather()
        self.source.differentiate(*(square.data for square in self.matrices))
        for square in self.matrices:
            square.write()
        self.chrono_load.LoadKRMMatrices(self, stiffness, damping, mass)


def _mixed(kind: type) -> type:
    """PyChrono's load with our methods; made on demand, because PyChrono is imported on demand."""
    base = pychrono().ChLoadCustomMultiple
    own = {
        "chrono_load": base,
        "gather_x": staticmethod(fast(base, "LoadGetStateBlock_x")),
        "gather_w": staticmethod(fast(base, "LoadGetStateBlock_w")),
        "add_to": staticmethod(fast(base, "LoadIntLoadResidual_F")),
        "delete": staticmethod(_delete()),
    }
    return type(f"PowerContact{kind.__name__}", (kind, base), own)


@cache
def load_class() -> type:
    """The class of the load."""
    return _mixed(LazyLoad)


@cache
def stiff_load_class() -> type:
    """The class of a load that also gives Chrono its stiffness and damping."""
    return _mixed(StiffLoad)
