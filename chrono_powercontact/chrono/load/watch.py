"""Watches calls on a Chrono system: steps, and whatever changes its bodies, solver or integrator."""

from __future__ import annotations

import weakref
from collections.abc import Sequence
from threading import get_ident
from typing import Any, Protocol

from ..api.bridge import fast
from .interrupts import MAIN, SIGINT, Deferring, begin_step, handler_for_steps, present_handler

ARRIVING = ("Add", "AddBatch", "AddBody", "AddLink", "AddMesh", "AddOtherPhysicsItem", "AddShaft")
LEAVING = (
    "Clear", "Remove", "RemoveAllBodies", "RemoveAllLinks", "RemoveAllMeshes", "RemoveAllOtherPhysicsItems",
    "RemoveAllShafts", "RemoveBody", "RemoveLink", "RemoveMesh", "RemoveOtherPhysicsItem", "RemoveShaft",
)  # fmt: skip
CHANGING = (
    "EnableSolverMatrixWrite", "SetCollisionSystem", "SetCollisionSystemType", "SetSolver",
    "SetSolverType", "SetTimestepper", "SetTimestepperType",
)  # fmt: skip
"""Methods of a system that may add something, remove something, or change integrator, solver or collision system."""

EMPTYING = ("Clear", "RemoveAllBodies")
"""Methods that remove all bodies but leave them in the collision system, which then asks bodies that are gone."""

DRIVING = (
    "DoAssembly", "DoFrameDynamics", "DoFrameKinematics", "DoStaticAnalysis", "DoStaticLinear", "DoStaticNonlinear",
    "DoStaticNonlinearRheonomic", "DoStaticRelaxing", "DoStepKinematics",
)  # fmt: skip
"""Methods of a system other than DoStepDynamics that ask for forces or step it."""


class Watcher(Protocol):
    """An object that is notified of calls on a system."""

    def prepare(self) -> None:
        """Forces will be asked for, outside of DoStepDynamics."""

    def raise_failures(self) -> None:
        """Forces were asked for: raise what callbacks had to defer."""

    def before_step(self) -> None:
        """DoStepDynamics is about to step."""

    def after_step(self) -> None:
        """DoStepDynamics has stepped."""

    def abandon_step(self) -> None:
        """DoStepDynamics has raised an exception."""

    def request_check(self, leaving: bool = False) -> None:
        """Bodies, solver, integrator or collision system may have changed; `leaving`: something may have left."""

    def shift_time(self, by: float) -> None:
        """The script has set the time of the system, to so many seconds more than it was."""


class Watch:
    """Passes the calls on a system on to Chrono, and tells watchers, a list that may change."""

    def __init__(self, system: Any, watchers: Sequence[Watcher]) -> None:
        self._system = weakref.ref(system)
        self._kind = type(system)
        self._fast_step = fast(self._kind, "DoStepDynamics")
        self._watchers = watchers

    def stepping(self) -> Any:
        """DoStepDynamics: what callbacks had to defer is raised after the step, and so is Ctrl-C.

        A closure: what a step of a small scene costs is mostly Python.
        """
        alive = self._system
        slow_step = self._kind.DoStepDynamics
        fast_step = self._fast_step
        watchers = self._watchers

        def step(step_size: float, **named: Any) -> Any:
            interrupts = present_handler(SIGINT)
            if type(interrupts) is not Deferring or get_ident() != MAIN:
                interrupts = handler_for_steps(interrupts)
            interrupts.depth += 1
            try:
                for watcher in watchers:
                    watcher.before_step()
                result = slow_step(alive(), step_size, **named) if named else fast_step(alive(), step_size)
                for watcher in watchers:
                    watcher.after_step()
            except BaseException:
                for watcher in watchers:
                    watcher.abandon_step()
                raise
            finally:
                interrupts.depth -= 1
                if interrupts.noted:
                    interrupts.release()
            return result

        return step

    def driven(self, method: str) -> Any:
        """The method of the system, which steps it or asks for forces.

        Where Chrono has failed because of something that a callback had to defer, that is raised instead.
        """

        def driving(*arguments: Any, **named: Any) -> Any:
            interrupts = begin_step()
            try:
                for watcher in self._watchers:
                    watcher.prepare()
                result = getattr(self._kind, method)(self._system(), *arguments, **named)
                for watcher in self._watchers:
                    watcher.raise_failures()
            except RuntimeError:
                for watcher in self._watchers:
                    watcher.raise_failures()
                raise
            finally:
                interrupts.end_step()
            return result

        return driving

    def changed(self, method: str, leaving: bool) -> Any:
        """The method of the system, which changes it."""

        def changing(*arguments: Any, **named: Any) -> Any:
            for watcher in self._watchers:
                watcher.request_check(leaving)
            if method in EMPTYING:
                self._remove_bodies()
            return getattr(self._kind, method)(self._system(), *arguments, **named)

        return changing

    def setting_time(self, time: float) -> Any:
        """SetChTime: no time has passed, and nothing has moved."""
        system = self._system()
        by = time - self._kind.GetChTime(system)
        result = self._kind.SetChTime(system, time)
        for watcher in self._watchers:
            watcher.shift_time(by)
        return result

    def _remove_bodies(self) -> None:
        """Remove the bodies one by one, which also takes them out of the collision system."""
        system = self._system()
        for body in tuple(self._kind.GetBodies(system)):
            self._kind.RemoveBody(system, body)


def watch(system: Any, watchers: Sequence[Watcher]) -> None:
    """Notify watchers, a list that may change, of steps and of possible changes of the system."""
    kind = type(system)
    calls = Watch(system, watchers)
    system.DoStepDynamics = calls.stepping()
    wrapped = {method: calls.driven(method) for method in DRIVING if hasattr(kind, method)}
    for method in (*ARRIVING, *LEAVING, *CHANGING):
        if hasattr(kind, method):
            wrapped[method] = calls.changed(method, method in LEAVING)
    if hasattr(kind, "SetChTime"):
        wrapped["SetChTime"] = calls.setting_time
    for method, call in wrapped.items():
        setattr(system, method, call)
