"""A closed loop with its numbers: closing it, its minimal equations, reactions, and the choice of coordinates."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np
from numba.core.types import CompileResultWAP
from numpy.typing import ArrayLike, NDArray

from ...errors import ModelError, ParameterError, UnknownNameError
from ..system import System
from . import loop_engine
from .loop_choice import pivoted_choice, tangent_rows, volume_of
from .loop_codegen import compile_loop
from .loop_kinematics import (
    CLOSED,
    JUMPED,
    MASSLESS,
    OTHER_BRANCH,
    SINGULAR,
    UNWATCHED,
    Choice,
    ClosureKernels,
    LoopTerms,
    choice_size,
    evaluate_closure,
    loop_terms,
    split_choice,
)
from .loop_model import Loop

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]

CONSISTENT = 1e-8
"""How far a state may be from closing its loops, in m or rad, and in m/s or rad/s relative to its speed."""


class LoopKernels(NamedTuple):
    """Compiled functions of a loop: equations of the tree, closure equations, explicit closures."""

    terms: Any
    closure: Any
    explicit: Any


@dataclass(frozen=True)
class Projection:
    """The minimal equations (4) at one state, and what they were made of.

    Attributes:
        independent: names of the independent coordinates.
        mass: M. jacobian: Phi_y. locked: B. tangent: J_c. zeta: of (3), over all coordinates.
        mass_i: M_I. inertial_i: k_I. applied_i: q_I, with the forces of all laws.
        velocity, acceleration: of all coordinates. free_acceleration: M^-1 (q - k), without reactions.
        reaction: f at the cut joints, in N or N m on body a (7).
    """

    independent: tuple[str, ...]
    mass: Floats
    jacobian: Floats
    locked: Floats
    tangent: Floats
    zeta: Floats
    mass_i: Floats
    inertial_i: Floats
    applied_i: Floats
    velocity: Floats
    acceleration: Floats
    free_acceleration: Floats
    reaction: Floats

    def drives(self, acceleration: ArrayLike) -> Floats:
        """Forces along the independent coordinates, in N or N m, to be added for target accelerations."""
        target = self.tangent @ np.asarray(acceleration, float) + self.zeta
        return np.asarray(self.tangent.T @ self.mass @ (target - self.free_acceleration))


class LoopMotion(NamedTuple):
    """Position, velocity and acceleration of all coordinates of a loop."""

    position: Floats
    velocity: Floats
    acceleration: Floats


@dataclass(frozen=True)
class LoopSystem:
    """A loop with numbers.

    Attributes:
        loop: the symbolic mechanism.
        tree: its tree with parameters, contacts, friction laws and memory.
    """

    loop: Loop
    tree: System

    def __post_init__(self) -> None:
        if self.tree.model is not self.loop.tree and self.tree.model != self.loop.tree:
            raise ModelError(f"the tree must be the system of {self.loop.name!r}, got one of {self.tree.model.name!r}")

    @property
    def names(self) -> list[str]:
        """Names of the coordinates."""
        return [c.name for c in self.loop.tree.q]

    @cached_property
    def kernels(self) -> LoopKernels:
        """Compiled kernels, as pointers."""
        functions = (self.tree.terms, *compile_loop(self.loop))
        return LoopKernels(*(CompileResultWAP(f.overloads[f.signatures[0]]) for f in functions))

    @cached_property
    def masks(self) -> Ints:
        """One whole number per explicit closure, with a bit for each of its independent coordinates."""
        return np.array([sum(1 << self.names.index(c.name) for c in w.independent) for w in self.loop.explicit], int)

    @cached_property
    def columns(self) -> list[str]:
        """Names of the recorded columns: the tree's, reactions, volume of the choice, mask of the choice."""
        return [*self.tree.columns, *self.loop.reaction_names, "volume", "independent"]

    def names_in(self, mask: float) -> tuple[str, ...]:
        """Names of the independent coordinates of a recorded mask."""
        return tuple(name for i, name in enumerate(self.names) if (int(mask) >> i) & 1)

    def indices(self, independent: Sequence[str]) -> Ints:
        """Indices of independent coordinates, by their names."""
        if isinstance(independent, str) or len(set(independent)) != self.loop.freedom:
            raise ParameterError(
                f"loop {self.loop.name!r} has {self.loop.freedom} independent coordinates of {self.names}, "
                f"got {independent!r}"
            )
        for name in independent:
            if name not in self.names:
                raise UnknownNameError("coordinate", name, self.names)
        return np.sort(np.array([self.names.index(name) for name in independent], np.int64))

    def _position(self, q: ArrayLike) -> Floats:
        return vector("q", q, len(self.names))

    def _terms(self, q: Floats, u: Floats, t: float) -> LoopTerms:
        """Closure terms at a position that need not be closed."""
        w: LoopTerms = loop_terms(len(self.names), self.loop.freedom)
        functions = ClosureKernels(self.kernels.closure, self.kernels.explicit, self.tree.arguments.parameters)
        evaluate_closure.py_func(functions, t, q, u, w)
        return w

    def split(self, choice: Ints) -> Choice:
        """The parts of a choice of coordinates."""
        parts: Choice = split_choice.py_func(choice, self.loop.freedom)
        return parts

    def mass(self, q: ArrayLike, t: float = 0.0) -> Floats:
        """Mass matrix of the tree at a position."""
        x = np.concatenate([self._position(q), np.zeros(len(self.names))])
        numbers = self.tree.arguments
        return np.asarray(loop_engine.mass_at(self.tree.terms, t, x, numbers.parameters, numbers.sizes))

    def tangent(self, q: ArrayLike, t: float = 0.0) -> Floats:
        """W of (5) at a position: row i belongs to coordinate i and has the norm p_i."""
        position = self._position(q)
        free = self.loop.freedom
        w = self._terms(position, np.zeros(position.size), t)
        rows = np.zeros((position.size, free))
        rank = tangent_rows(self.mass(position, t), w.a, rows)
        if rank < 0:
            raise ModelError(f"the mass matrix of {self.loop.name!r} is not positive definite at {position.tolist()}")
        if rank < position.size - free:
            raise ModelError(
                f"the {position.size - free} closure equations of {self.loop.name!r} depend on each other at "
                f"{self._shown(position)}: only {rank} are independent there"
            )
        return rows

    def projections(self, q: ArrayLike, t: float = 0.0) -> Floats:
        """p_i of (5): how well each coordinate alone could be independent, 0 (not at all) to 1."""
        return np.asarray(np.linalg.norm(self.tangent(q, t), axis=1))

    def volume(self, q: ArrayLike, independent: Sequence[str], t: float = 0.0) -> float:
        """How well coordinates together could be independent, 0 (not at all) to 1."""
        return float(volume_of(self.tangent(q, t), self.indices(independent)))

    def best(self, q: ArrayLike, t: float = 0.0) -> tuple[str, ...]:
        """Names of the best independent coordinates at a position, chosen by pivoting."""
        picks = np.zeros(self.loop.freedom, np.int64)
        pivoted_choice(self.tangent(q, t), picks)
        return tuple(self.names[i] for i in picks)

    def choice(self, q: ArrayLike, independent: Sequence[str] | None = None, t: float = 0.0) -> Ints:
        """The engine's vector for independent coordinates (the best ones unless named), on the branch of q."""
        position = self._position(q)
        chosen = self.indices(self.best(position, t) if independent is None else independent)
        choice = np.zeros(choice_size(position.size), np.int64)
        if not loop_engine.choose(choice, chosen, self.masks, self._terms(position, np.zeros(position.size), t)):
            raise ModelError(
                f"the coordinates {[self.names[i] for i in chosen]} of {self.loop.name!r} cannot be independent at "
                f"{self._shown(position)}: the loop is in a dead point of theirs"
            )
        return choice

    def _assembled(self, q: ArrayLike, u: ArrayLike | None, independent: Sequence[str] | None, t: float) -> Floats:
        """Closed position and velocities that keep it closed, one row each."""
        position = self._position(q)
        speeds = np.zeros(position.size)
        free = self.loop.freedom
        choice = self.choice(position, independent, t)
        parts = self.split(choice)
        if u is not None:
            speeds[parts.independent] = vector("u", u, free)
        parts.sign[0] = UNWATCHED
        functions = (self.kernels.closure, self.kernels.explicit)
        p = self.tree.arguments.parameters
        status = loop_engine.assemble(*functions, t, position, speeds, p, choice, free)
        if status != CLOSED:
            given = {self.names[i]: float(position[i]) for i in parts.independent}
            gap = np.abs(self._terms(position, speeds, t).phi).max()
            if gap < CONSISTENT:
                raise ModelError(self.complaint(status, t, position))
            raise ParameterError(f"the loop {self.loop.name!r} cannot be closed with {given}: a gap of {gap:.3g} stays")
        return np.array([position, speeds])

    def motion(
        self, q: ArrayLike, u: ArrayLike, acceleration: ArrayLike, independent: Sequence[str], t: float = 0.0
    ) -> LoopMotion:
        """The whole tree from its independent coordinates (3): no force enters.

        Args:
            q: guess of all coordinates, of which the independent ones are kept.
            u, acceleration: of the independent coordinates, in the order in which the coordinates were defined.
            independent: their names.
        """
        position, speeds = self._assembled(q, u, independent, t)
        w = self._terms(position, speeds, t)
        chosen = self.indices(independent)
        dependent = np.setdiff1d(np.arange(position.size), chosen)
        accelerations = np.zeros(position.size)
        accelerations[chosen] = vector("acceleration", acceleration, self.loop.freedom)
        driven = w.a[:, chosen] @ accelerations[chosen] + w.gamma
        accelerations[dependent] = -np.linalg.solve(w.a[:, dependent], driven)
        return LoopMotion(position, speeds, accelerations)

    def close(self, q: ArrayLike, independent: Sequence[str] | None = None, t: float = 0.0) -> Floats:
        """The closed position next to a guess that keeps its independent coordinates (the best unless named)."""
        return np.asarray(self._assembled(q, None, independent, t)[0])

    def state(
        self,
        q: ArrayLike,
        u: ArrayLike,
        independent: Sequence[str] | None = None,
        memory: ArrayLike | None = None,
        t: float = 0.0,
    ) -> Floats:
        """The full state at the start, in the order of the tree's: the loop closed, velocities that keep it closed.

        Args:
            q: guess of all coordinates, of which the independent ones are kept.
            u: velocities of the independent coordinates, in the order in which the coordinates were defined.
            independent: their names; the best ones by (5) unless given.
        """
        position, speeds = self._assembled(q, u, independent, t)
        x = self.tree.state(position, speeds, memory)
        self._check_locked(x, t)
        return x

    def _check_locked(self, x: Floats, t: float) -> None:
        """Raise unless the rows of B span what those of Phi_y span: only then the reactions do no work."""
        n = len(self.names)
        w = self._terms(x[:n], x[n : 2 * n], t)
        ranks = [np.linalg.matrix_rank(rows, 1e-9 * np.abs(rows).max()) for rows in (w.b, np.vstack([w.a, w.b]))]
        if ranks != [len(w.a)] * 2:
            raise ModelError(f"loop {self.loop.name!r}: the locked velocities must span the rates of the closure")

    def check_state(self, x: Floats, t: float = 0.0) -> None:
        """Raise unless x is a full state that closes the loops."""
        size = self.tree.state_size
        n = len(self.names)
        if x.dtype != np.float64 or x.shape != (size,) or not np.all(np.isfinite(x)):
            raise ParameterError(
                f"the state must have {size} entries, all finite, as LoopSystem.state gives it; got shape {x.shape}"
            )
        w = self._terms(x[:n].copy(), x[n : 2 * n].copy(), t)
        gap = np.abs(w.phi).max()
        speed = np.abs(w.a @ x[n : 2 * n] + w.phi_t).max()
        if gap > CONSISTENT or speed > CONSISTENT * (1.0 + np.abs(x[n : 2 * n]).max()):
            raise ParameterError(
                f"the state of {self.loop.name!r} must close its loops, as LoopSystem.state makes it do; "
                f"got a gap of {gap:.3g} that opens with {speed:.3g}"
            )

    def reduce(self, x: Floats, choice: Ints) -> Floats:
        """The part of a full state, or of its rate, that is integrated under a choice of coordinates."""
        n = len(self.names)
        z = np.zeros(x.size - 2 * (n - self.loop.freedom))
        loop_engine.reduced(x, self.split(choice).independent, n, z)
        return z

    def evaluate(
        self, t: float, z: Floats, choice: Ints, x: Floats, hold: float, row: Floats
    ) -> tuple[int, Floats]:  # fmt: skip
        """What the engine says to the reduced state z, and the rate of the full state, which goes into x."""
        dx = np.zeros(x.size)
        numbers = (*self.tree.arguments, self.masks, choice, hold, x, dx, row)
        return int(loop_engine.evaluate_loop(*self.kernels, t, z, *numbers)), dx

    def project(self, x: Floats, independent: Sequence[str] | None = None, t: float = 0.0) -> Projection:
        """The minimal equations (4) and the reactions (7) at a full state."""
        self.check_state(x, t)
        n = len(self.names)
        choice = self.choice(x[:n], independent, t)
        full = x.copy()
        row = np.zeros(len(self.columns))
        found = loop_engine.loop_parts(
            *self.kernels, t, self.reduce(x, choice), *self.tree.arguments, self.masks, choice, full, row
        )
        self.check_status(found.status, t, full)
        m = found.mass
        jac = found.jac
        return Projection(
            tuple(self.names[i] for i in self.split(choice).independent), m, found.a, found.b, jac, found.zeta,
            jac.T @ m @ jac, jac.T @ (found.k + m @ found.zeta), jac.T @ (m @ found.free_accel + found.k),
            full[n : 2 * n], found.dx[n : 2 * n], found.free_accel, found.reaction,
        )  # fmt: skip

    def check_status(self, status: int, t: float, x: Floats) -> None:
        """Raise with one sentence where an evaluation of the engine went wrong."""
        if status != CLOSED:
            raise ModelError(self.complaint(status, t, x))

    def complaint(self, status: int, t: float, x: Floats) -> str:
        """What an evaluation of the engine found wrong, as a sentence."""
        found = {
            MASSLESS: "has no positive definite mass matrix",
            SINGULAR: "is in a dead point of its independent coordinates",
            OTHER_BRANCH: "jumped over a dead point",
            JUMPED: "changed its energy abruptly",
        }.get(status, "could not be closed")
        near = self._shown(x[: len(self.names)])
        return f"the loop {self.loop.name!r} {found} after {t:.6g} s near {near}: use a smaller step or let it switch"

    def _shown(self, q: Floats) -> str:
        return ", ".join(f"{name}={value:.6g}" for name, value in zip(self.names, q, strict=True))


def vector(name: str, values: ArrayLike, size: int) -> Floats:
    """Values as a vector of finite numbers of a given size."""
    try:
        block = np.array(values, float).ravel()
    except (TypeError, ValueError):
        raise ParameterError(f"{name} must be {size} numbers, got {values!r}") from None
    if block.size != size:
        raise ParameterError(f"{name} must have {size} entries, got {block.size}")
    if not np.all(np.isfinite(block)):
        raise ParameterError(f"{name} must be finite, got {block.tolist()}")
    return block
