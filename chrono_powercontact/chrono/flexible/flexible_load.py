"""Chrono's loads for contacts of nodes: one that exerts the forces, and one without forces for each block of slopes."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from typing import Any, Protocol

from ..api.bridge import pychrono
from ..api.directors import replace_methods
from ..api.views import Mirror, Square
from ..load.compiled_methods import do_nothing
from ..load.load import LazyLoad, load_class


class SlopeSource(Protocol):
    """The object that computes forces and slopes."""

    def scattered(self) -> None:
        """Chrono has distributed a state."""

    def evaluate(self, residual: Any, factor: float) -> bool:
        """Compute the generalised forces at the state that the load has gathered; False if they may not be used."""

    def differentiate_pairs(self) -> None:
        """Write the slopes of all pairs to their blocks."""


class StepAbandoned(Exception):
    """Ends a step of Chrono's from within; users see the reason instead."""


def _loadables(things: Sequence[Any]) -> Any:
    """Bodies and nodes as Chrono's loads take them."""
    loadables = pychrono().vector_ChLoadable()
    for thing in things:
        loadables.append(thing)
    return loadables


class FlexibleLoad(LazyLoad):
    """The forces of all pairs, over bodies and nodes, each with its own number of coordinates."""

    slopes: SlopeSource

    def __init__(self, things: Sequence[Any], source: SlopeSource, shared: bool | None = None) -> None:
        self.chrono_load.__init__(self, _loadables(things))
        self.slopes = source
        self.source = source  # type: ignore[assignment]
        self.size = len(things)
        chrono = pychrono()
        state = chrono.ChState()
        speed = chrono.ChStateDelta()
        positions, speeds = self.sizes
        state.SetVect([0.0] * positions)
        speed.SetVect([0.0] * speeds)
        self.x = Mirror(state, positions, shared)
        self.w = Mirror(speed, speeds, shared)
        self.q = Mirror(self.load_Q, speeds, shared)
        self._methods = None

    @property
    def sizes(self) -> tuple[int, int]:
        """Numbers of states and of velocities that Chrono gives now."""
        return self.LoadGetNumCoordsPosLevel(), self.LoadGetNumCoordsVelLevel()  # type: ignore[attr-defined]

    def LoadIntLoadResidual_F(self, residual: Any, factor: float) -> None:
        """Add the forces to Chrono's residual, or end the step.

        Chrono's direct solvers do not survive a state that is not finite. An exception that leaves this method ends the
        step before they are asked; its reason is kept by the source.
        """
        self.gather()
        if not self.source.evaluate(residual, factor):
            raise StepAbandoned
        if not self.q.shared:
            self.q.write()
        self.add_to(self, residual, factor)

    def LoadKRMMatrices(self, stiffness: float, damping: float, mass: float) -> None:
        """Chrono is about to load matrices: write the blocks, which come after this load in their container."""
        self.gather()
        self.slopes.differentiate_pairs()


class Silent:
    """A source of no forces."""

    context = None

    def scattered(self) -> None:
        """Nothing depends on the state."""

    def evaluate(self, residual: Any, factor: float) -> bool:
        """No forces."""
        return False

    def differentiate(self, stiffness: Any, damping: Any) -> None:
        """No slopes of its own: they are written from outside."""


SILENT = Silent()


class SlopeBlock(LazyLoad):
    """Stiffness and damping of one pair; the forces are those of the `FlexibleLoad` before it."""

    def __init__(self, things: Sequence[Any], shared: bool | None = None) -> None:
        self.chrono_load.__init__(self, _loadables(things))
        self.source = SILENT
        self.size = len(things)
        self.CreateJacobianMatrices()  # type: ignore[attr-defined]
        jacobians = self.GetJacobians()  # type: ignore[attr-defined]
        self.width = int(self.LoadGetNumCoordsVelLevel())  # type: ignore[attr-defined]
        self.stiffness = Square(jacobians.K, self.width, shared)
        self.damping = Square(jacobians.R, self.width, shared)
        idle = ("Update", "IsStiff", "LoadIntLoadResidual_F", "LoadIntLoadResidual_Mv")
        replace_methods(self, dict.fromkeys(idle, do_nothing.address), 0)

    def LoadIntLoadResidual_F(self, residual: Any, factor: float) -> None:
        """No force."""


@cache
def flexible_load_class() -> type:
    """The class of the load with the forces; made on demand, because PyChrono is imported on demand."""
    return type("PowerContactFlexibleLoad", (FlexibleLoad, load_class()), {})


@cache
def slope_block_class() -> type:
    """The class of a block of slopes: Chrono itself injects and loads its matrices."""
    base = pychrono().ChLoadCustomMultiple
    own = {"InjectKRMMatrices": base.InjectKRMMatrices, "LoadKRMMatrices": base.LoadKRMMatrices}
    return type("PowerContactSlopeBlock", (SlopeBlock, load_class()), own)
