"""A mechanical system from its energies: the symbolic half of the reference engine.

Energies, contact points and friction points go in; out come M, C, g and the directions J = ds/dq along which
contact and friction act. The laws stay numeric: Q = J^T F is the thesis' derivative of R and D by the
generalised velocities, without expanding them into symbols.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from random import Random
from typing import Any

import mpmath
import sympy as sp

from ..errors import ModelError
from .building.loads import Load

TIME = sp.Symbol("t", real=True)
Expr = Any
"""A SymPy expression."""

TRIALS = 3
EQUAL = 1e-12
"""Random points at which a form is tested, and the relative difference of numbers that count as equal; floating-point
coefficients have their own rounding."""


def coordinates(names: str) -> tuple[sp.Symbol, ...]:
    """Symbols for generalised coordinates, from names separated by blanks."""
    return tuple(sp.symbols(names, real=True, seq=True))


def velocities(q: Sequence[sp.Symbol]) -> tuple[sp.Symbol, ...]:
    """Symbols for the time derivatives of coordinates, named with an appended _dot."""
    return tuple(sp.Symbol(f"{c.name}_dot", real=True) for c in q)


def rate(expression: Expr, q: Sequence[sp.Symbol]) -> Expr:
    """Total time derivative of an expression in the coordinates and time."""
    flow = sum((sp.diff(expression, c) * d for c, d in zip(q, velocities(q), strict=True)), sp.Integer(0))
    return sp.sympify(flow + sp.diff(expression, TIME))


def is_quadratic(expression: Expr, variables: Sequence[sp.Symbol]) -> bool:
    """Whether an expression T is a quadratic form in some of its symbols, whatever the others are.

    Only quadratic forms obey the parallelogram law T(v + w) + T(v - w) = 2 T(v) + 2 T(w). It is tested with 30 digits
    at random points: symbols take minutes for a chain of bodies, and rounded coefficients leave a remainder there.
    """
    others = sorted(expression.free_symbols - set(variables), key=str)
    value = sp.lambdify([*variables, *others], expression, "mpmath", cse=True)
    random = Random(len(others))
    with mpmath.workdps(30):
        for _ in range(TRIALS):
            v = [mpmath.mpf(random.uniform(-1.0, 1.0)) for _ in variables]
            w = [mpmath.mpf(random.uniform(-1.0, 1.0)) for _ in variables]
            rest = [mpmath.mpf(random.uniform(0.5, 1.5)) for _ in others]
            plus, minus = [a + b for a, b in zip(v, w, strict=True)], [a - b for a, b in zip(v, w, strict=True)]
            sides = [value(*plus, *rest), value(*minus, *rest), -2 * value(*v, *rest), -2 * value(*w, *rest)]
            if abs(sum(sides)) > EQUAL * sum(abs(side) for side in sides):
                return False
    return True


@dataclass(frozen=True)
class ContactPoint:
    """A point with a distance to a constraint, and optionally the velocity with which it slides there.

    Attributes:
        name: by which laws are assigned.
        distance: s(q, t) in m.
        tangential: components of the tangential velocity in m/s, linear in the coordinate velocities.
        rolling, spinning: relative angular velocity in the tangent plane and about the normal, in rad/s, by components.
    """

    name: str
    distance: Expr
    tangential: tuple[Expr, ...] = ()
    rolling: tuple[Expr, ...] = ()
    spinning: tuple[Expr, ...] = ()

    @property
    def motions(self) -> dict[str, tuple[Expr, ...]]:
        """Relative motions that friction may act against, by the name of their friction point."""
        kinds = {"": self.tangential, "_rolling": self.rolling, "_spinning": self.spinning}
        return {self.name + tail: components for tail, components in kinds.items() if components}


@dataclass(frozen=True)
class FrictionPoint:
    """A point with friction of its own amplitude: a joint, a seal, a guide.

    Attributes:
        name: by which laws are assigned.
        velocity: components of the sliding velocity in m/s (or rad/s), linear in the coordinate velocities.
    """

    name: str
    velocity: tuple[Expr, ...]


@dataclass(frozen=True)
class Model:
    """Equations of motion M(q) u' + C u + g = Q + sum J^T F.

    Attributes:
        name: of the system; names its compiled kernel.
        q: generalised coordinates.
        kinetic: kinetic energy in J, a quadratic form in the coordinate velocities; see `moving_base`.
        potential: potential energy in J; may contain time through moving supports.
        parameters: symbols that get their numbers when the system is run.
        forces: outer generalised force per coordinate, in N or N m; missing ones are zero.
        contacts: contact points. frictions: friction points.
        u: quasi-velocities where they differ from the coordinate velocities, with `kinematics` the matrix of q' = N u;
            fewer than coordinates where constraints act on the velocities (see `quasi_velocities`).
        loads: forces and moments at points, of which the builder finds the generalised forces.
        moving_base: whether positions r(q, t) contain a prescribed motion. The kinetic energy T = T2 + T1 + T0 then may
            contain the time and have parts T1, T0 that are linear in and free of the velocities; the ledger keeps
            T2 - T0 in place of T, the energy that an observer on the base would book.
    """

    name: str
    q: tuple[sp.Symbol, ...]
    kinetic: Expr
    potential: Expr = sp.S.Zero
    parameters: tuple[sp.Symbol, ...] = ()
    forces: Mapping[sp.Symbol, Expr] = field(default_factory=dict)
    contacts: tuple[ContactPoint, ...] = ()
    frictions: tuple[FrictionPoint, ...] = ()
    u: tuple[sp.Symbol, ...] | None = None
    kinematics: sp.Matrix | None = None
    loads: tuple[Load, ...] = ()
    moving_base: bool = False

    def __post_init__(self) -> None:
        if not self.q:
            raise ModelError(f"model {self.name!r} has no coordinates")
        if (self.u is None) != (self.kinematics is None):
            raise ModelError(f"model {self.name!r}: quasi-velocities u and the matrix kinematics go together")
        if self.u is not None and self.kinematics is not None and self.kinematics.shape != (len(self.q), len(self.u)):
            raise ModelError(
                f"model {self.name!r}: kinematics must have the shape {(len(self.q), len(self.u))}, "
                f"got {self.kinematics.shape}"
            )
        self._check_names()
        self._check_velocities()

    def _check_velocities(self) -> None:
        """Raise where velocities occur that must not, or a force acts on something that is not a coordinate."""
        astray = sorted(str(c) for c in self.forces if c not in self.q)
        if astray:
            raise ModelError(f"model {self.name!r}: outer forces act on {astray}, which are no coordinates")
        qd = velocities(self.q)
        if sp.sympify(self.potential).has(*qd):
            raise ModelError(f"model {self.name!r}: the potential energy must not contain velocities")
        for point in self.contacts:
            if point.distance.has(*qd):
                raise ModelError(f"model {self.name!r}: the distance of {point.name!r} must not contain velocities")
        for name, vector in zip(self.slip_names, self.slips, strict=True):
            if any(sp.diff(component, d).has(*qd) for component in vector for d in qd):
                raise ModelError(f"model {self.name!r}: the sliding velocity of {name!r} must be linear in {list(qd)}")

    def check_quadratic(self) -> None:
        """Raise unless the kinetic energy, or its part T2 on a moving base, is a quadratic form in the velocities.

        Only a moving base may bring the time into it.
        """
        kinetic = sp.sympify(self.kinetic)
        if kinetic.has(TIME) and not self.moving_base:
            raise ModelError(
                f"model {self.name!r}: the kinetic energy must not contain the time explicitly, unless moving_base is "
                "set"
            )
        qd = velocities(self.q)
        own = kinetic - self.carried_momentum.dot(self.q_dot) - self.carried if self.moving_base else kinetic
        if not is_quadratic(own, qd):
            raise ModelError(f"model {self.name!r}: the kinetic energy must be a quadratic form in {list(qd)}")

    def _check_names(self) -> None:
        names = [name for c in self.contacts for name in {c.name: (), **c.motions}] + [f.name for f in self.frictions]
        twice = {name for name in names if names.count(name) > 1}
        if twice:
            raise ModelError(f"model {self.name!r}: point names must be unique, got {sorted(twice)} twice")
        known = {*self.q, *velocities(self.q), *self.parameters, TIME}
        free: set[Any] = set(sp.sympify(self.kinetic).free_symbols | sp.sympify(self.potential).free_symbols)
        free |= self.outer.free_symbols | self.flow.free_symbols
        for point in self.contacts:
            free |= point.distance.free_symbols
        for vector in self.slips:
            for component in vector:
                free |= component.free_symbols
        strange = sorted(symbol.name for symbol in free - known if isinstance(symbol, sp.Symbol))
        if strange:
            raise ModelError(f"model {self.name!r}: the symbols {strange} are neither coordinates nor parameters")

    @property
    def q_dot(self) -> sp.Matrix:
        """Coordinate velocities as a column."""
        return sp.Matrix(velocities(self.q))

    @cached_property
    def speeds(self) -> tuple[sp.Symbol, ...]:
        """The velocities that are integrated: u, or the coordinate velocities."""
        return self.u if self.u is not None else velocities(self.q)

    @cached_property
    def flow(self) -> sp.Matrix:
        """N in q' = N u."""
        return self.kinematics if self.kinematics is not None else sp.eye(len(self.q))

    @cached_property
    def mass_q(self) -> sp.Matrix:
        """Mass matrix in the coordinates: second derivative of the kinetic energy by their velocities."""
        return sp.hessian(self.kinetic, list(self.q_dot))

    @cached_property
    def coriolis(self) -> sp.Matrix:
        """Coriolis matrix by Christoffel symbols; then M' - 2 C is skew-symmetric."""
        n = len(self.q)
        m = self.mass_q
        qd = self.q_dot
        slopes = [sp.diff(m, c) for c in self.q]

        def entry(k: int, j: int) -> Expr:
            symbols = (slopes[i][k, j] + slopes[j][k, i] - slopes[k][j, i] for i in range(n))
            return sum((c * d for c, d in zip(symbols, qd, strict=True)), sp.Integer(0)) / 2

        return sp.Matrix(n, n, entry)

    @cached_property
    def carried_momentum(self) -> sp.Matrix:
        """Momentum that a moving base gives to coordinates at rest, b in T1 = b^T q'; zero on a fixed base."""
        at_rest = dict.fromkeys(velocities(self.q), 0)
        return sp.Matrix([sp.diff(self.kinetic, d).subs(at_rest) for d in velocities(self.q)])

    @cached_property
    def carried(self) -> Expr:
        """T0, the kinetic energy in J that a moving base gives to coordinates at rest."""
        return sp.sympify(self.kinetic).subs(dict.fromkeys(velocities(self.q), 0))

    @cached_property
    def transport(self) -> sp.Matrix:
        """Inertial forces of a moving base beside C q': (b_q - b_q^T + M_t) q' + b_t - dT0/dq; else zero."""
        q = list(self.q)
        if not self.moving_base:
            return sp.zeros(len(q), 1)
        b = self.carried_momentum
        turning = b.jacobian(q) - b.jacobian(q).T + self.mass_q.diff(TIME)
        return turning * self.q_dot + b.diff(TIME) - sp.Matrix([sp.diff(self.carried, c) for c in q])

    @property
    def booked_kinetic(self) -> Expr:
        """What the ledger keeps of the kinetic energy, in J: T, or T2 - T0 on a moving base."""
        if not self.moving_base:
            return self.kinetic
        return self.kinetic - self.carried_momentum.dot(self.q_dot) - 2 * self.carried

    @cached_property
    def gravity(self) -> sp.Matrix:
        """Derivative of the potential energy by the coordinates."""
        return sp.Matrix([sp.diff(self.potential, c) for c in self.q])

    @cached_property
    def outer(self) -> sp.Matrix:
        """Outer generalised forces: those along the coordinates, and those of loads at points."""
        along = sp.Matrix([sp.sympify(self.forces.get(c, 0)) for c in self.q])
        return sum((load.generalised(self.q) for load in self.loads), along)

    @cached_property
    def mass(self) -> sp.Matrix:
        """Mass matrix in the integrated velocities, N^T M N."""
        return self.flow.T * self.mass_q * self.flow

    @cached_property
    def bias(self) -> sp.Matrix:
        """h in M u' + h = sum J^T F: Coriolis terms, potential and outer forces, projected by N."""
        m = self.mass_q
        n = self.flow
        turn = sp.Matrix(n.shape[0], n.shape[1], lambda i, j: rate(n[i, j], self.q))
        inertia = self.coriolis * self.q_dot + self.transport + m * turn * sp.Matrix(self.speeds)
        return self.in_speeds(n.T * (inertia + self.gravity - self.outer))

    def in_speeds(self, expression: sp.Matrix) -> sp.Matrix:
        """An expression with the coordinate velocities replaced by q' = N u."""
        if self.u is None:
            return expression
        return expression.subs(dict(zip(velocities(self.q), self.flow * sp.Matrix(self.u), strict=True)))

    def direction(self, velocity: Expr) -> sp.Matrix:
        """Row J with velocity = J u + ...: the direction of a force in the generalised space."""
        row = sp.Matrix([[sp.diff(velocity, d) for d in velocities(self.q)]])
        return row * self.flow

    @property
    def slips(self) -> list[tuple[Expr, ...]]:
        """Sliding velocities of all points with friction: contacts that have one, then friction points."""
        return [v for c in self.contacts for v in c.motions.values()] + [f.velocity for f in self.frictions]

    @property
    def slip_names(self) -> list[str]:
        """Names of the points in `slips`."""
        return [name for c in self.contacts for name in c.motions] + [f.name for f in self.frictions]

    @property
    def drive(self) -> Expr:
        """Power in W that moving supports, a moving base and outer forces put in."""
        return sp.diff(sp.sympify(self.potential) - self.kinetic, TIME) + (self.outer.T * self.q_dot)[0]

    def matrices_latex(self) -> dict[str, str]:
        """M, C, g and Q of M q'' + C q' + g = Q (3.87) as LaTeX, by their letters; k too on a moving base."""
        parts = {"M": self.mass_q, "C": self.coriolis, "g": self.gravity, "Q": self.outer}
        if self.moving_base:
            parts["k"] = self.transport
        dots = {d: sp.Symbol(rf"\dot{{{sp.latex(c)}}}") for c, d in zip(self.q, velocities(self.q), strict=True)}
        return {name: sp.latex(sp.simplify(part).subs(dots)) for name, part in parts.items()}

    def latex(self) -> str:
        """The equations of motion as a LaTeX align block."""
        force = " + ".join(
            [rf"J_{{n,{c.name}}}^T F_{{\perp,{c.name}}}" for c in self.contacts]
            + [rf"- J_{{t,{name}}}^T F_{{t,{name}}}" for name in self.slip_names]
        ).replace("+ -", "-")
        lines = [
            rf"M &= {sp.latex(sp.simplify(self.mass))}",
            rf"h &= {sp.latex(sp.simplify(self.bias))}",
            *(rf"s_{{{c.name}}} &= {sp.latex(c.distance)}" for c in self.contacts),
            rf"M \dot u + h &= {force or '0'}",
        ]
        return "\\begin{align}\n" + " \\\\\n".join(lines) + "\n\\end{align}"
