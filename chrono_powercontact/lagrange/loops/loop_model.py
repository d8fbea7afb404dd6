"""Closed kinematic loops: a tree model, the joints at which its loops were cut, and their closure equations.

Numbers (1)-(7) are those of the minimal-coordinate method: (1) M y'' + k = q + B^T f, (2) Phi(y, t) = 0.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import sympy as sp

from ...errors import ModelError
from ..model import TIME, Expr, Model, rate, velocities

BRANCH = sp.Symbol("branch_sign", real=True)
"""Stands for +1 or -1 in an explicit closure: on which side of its dead point the loop was assembled."""


def nearest(angle: Expr, last: sp.Symbol) -> Expr:
    """An angle in rad plus the whole turns that bring it nearest to the last value of its coordinate."""
    return angle - 2 * sp.pi * sp.floor((angle - last) / (2 * sp.pi) + sp.Rational(1, 2))


@dataclass(frozen=True)
class CutJoint:
    """A joint at which a loop is cut open, and what closes it again (2).

    Attributes:
        name: of the joint; names its reactions.
        closure: what must vanish, Phi(y, t), in m or rad: position on body a minus position on body b.
        locked: velocities along the locked directions, linear in the coordinate velocities, as many as the closure
            has equations and of the same span: the rows of B, along which the reactions on body a count in N or N m.
            Empty: the rates of the closure itself.
    """

    name: str
    closure: tuple[Expr, ...]
    locked: tuple[Expr, ...] = ()


@dataclass(frozen=True)
class ExplicitClosure:
    """Dependent coordinates in closed form for one choice of the independent ones (3).

    In the expressions an independent coordinate is its new value, a dependent one its last value (for `nearest`).

    Attributes:
        independent: coordinates that are given.
        dependent: expression of each other coordinate; may contain BRANCH.
        branch: expression whose sign at the last position replaces BRANCH.
    """

    independent: tuple[sp.Symbol, ...]
    dependent: Mapping[sp.Symbol, Expr]
    branch: Expr = sp.S.One


@dataclass(frozen=True)
class Loop:
    """A mechanism with closed loops.

    Attributes:
        tree: the model with every loop cut open; its coordinates are y.
        cuts: the cut joints.
        explicit: closures that are known in closed form; all other choices are solved by Newton's method.
    """

    tree: Model
    cuts: tuple[CutJoint, ...]
    explicit: tuple[ExplicitClosure, ...] = ()

    def __post_init__(self) -> None:
        if self.tree.u is not None:
            raise ModelError(
                f"loop {self.name!r}: the tree must integrate its coordinate velocities, got {self.tree.u}"
            )
        if self.freedom < 1 or self.freedom == len(self.tree.q):
            raise ModelError(
                f"loop {self.name!r} needs at least one closure equation and fewer than its {len(self.tree.q)} "
                f"coordinates, got {len(self.closure)}"
            )
        self._check_cuts()
        for closed in self.explicit:
            self._check_explicit(closed)

    @property
    def name(self) -> str:
        """Name of the tree model."""
        return self.tree.name

    @cached_property
    def closure(self) -> sp.Matrix:
        """Phi(y, t) of all cuts, as a column."""
        return sp.Matrix([sp.sympify(e) for cut in self.cuts for e in cut.closure])

    @property
    def freedom(self) -> int:
        """Degrees of freedom: coordinates less closure equations."""
        return len(self.tree.q) - len(self.closure)

    @cached_property
    def jacobian(self) -> sp.Matrix:
        """Phi_y."""
        return self.closure.jacobian(list(self.tree.q))

    @cached_property
    def drift(self) -> sp.Matrix:
        """Phi_t, from closures that move with time."""
        return self.closure.diff(TIME)

    @cached_property
    def gamma(self) -> sp.Matrix:
        """(Phi_y y')_y y' + 2 Phi_yt y' + Phi_tt, so that Phi'' = Phi_y y'' + gamma."""
        u = self.tree.q_dot
        turning = (self.jacobian * u).jacobian(list(self.tree.q)) * u
        return turning + 2 * self.jacobian.diff(TIME) * u + self.closure.diff(TIME, 2)

    @cached_property
    def locked(self) -> sp.Matrix:
        """B: the directions of the reactions in the generalised space, one row each."""
        rates = [v for cut in self.cuts for v in (cut.locked or [rate(e, self.tree.q) for e in cut.closure])]
        return sp.Matrix(rates).jacobian(list(self.tree.q_dot))

    @cached_property
    def inertial(self) -> sp.Matrix:
        """k = C y', the Coriolis and centrifugal part of (1), with the inertial forces of a moving base."""
        return self.tree.coriolis * self.tree.q_dot + self.tree.transport

    @property
    def reaction_names(self) -> list[str]:
        """Names of the reactions: the cut's, numbered where it has several."""
        return [
            f"R_{cut.name}_{i + 1}" if len(cut.closure) > 1 else f"R_{cut.name}"
            for cut in self.cuts
            for i in range(len(cut.closure))
        ]

    def _check_cuts(self) -> None:
        names = [cut.name for cut in self.cuts]
        if len(set(names)) < len(names):
            raise ModelError(f"loop {self.name!r}: the names of the cut joints must be unique, got {names}")
        u = velocities(self.tree.q)
        for cut in self.cuts:
            if any(sp.sympify(e).has(*u) or not sp.sympify(e).has(*self.tree.q) for e in cut.closure):
                raise ModelError(f"cut joint {cut.name!r}: a closure must contain coordinates and no velocities")
            if cut.locked and len(cut.locked) != len(cut.closure):
                raise ModelError(
                    f"cut joint {cut.name!r}: locked must have {len(cut.closure)} velocities, got {len(cut.locked)}"
                )
            if any(sp.diff(v, d).has(*u) for v in cut.locked for d in u):
                raise ModelError(f"cut joint {cut.name!r}: the locked velocities must be linear in {list(u)}")
            self._check_symbols(cut.name, (*cut.closure, *cut.locked), {*self.tree.q, *u})

    def _check_explicit(self, closed: ExplicitClosure) -> None:
        given = {*closed.independent}
        if len(given) != self.freedom or {*closed.dependent} != {*self.tree.q} - given:
            raise ModelError(
                f"loop {self.name!r}: an explicit closure needs {self.freedom} independent coordinates and an "
                f"expression for each other one of {list(self.tree.q)}, got {list(closed.independent)} and "
                f"{list(closed.dependent)}"
            )
        self._check_symbols("explicit", closed.dependent.values(), {*self.tree.q, BRANCH})
        self._check_symbols("branch", (closed.branch,), {*self.tree.q})

    def _check_symbols(self, where: str, expressions: Iterable[Expr], known: set[Any]) -> None:
        free: set[Any] = set().union(*(sp.sympify(e).free_symbols for e in expressions))
        strange = sorted(s.name for s in free - known - {*self.tree.parameters, TIME})
        if strange:
            raise ModelError(
                f"loop {self.name!r}, {where}: the symbols {strange} are neither coordinates nor parameters"
            )
