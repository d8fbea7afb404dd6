"""A reduced beam in a floating frame of reference: its energies in symbols, for a `Model`.

r = R + A(phi) (x + U q - q^T H q/2, W q)   (2.23), with the shortening q^T H q/2 that bending brings. The kinetic
energy keeps every term up to the second order in q and q'; the shortening enters it where it meets the motion of the
frame (terms in phi'^2, R' phi' and R' q'), which is what stiffens a rotating beam. Terms of third order are dropped.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import numpy as np
import sympy as sp

from ...errors import ModelError, not_negative
from ...laws.friction.dissipation import Dissipation
from ..model import Expr, FrictionPoint, coordinates, rate, velocities
from .beam_elements import Matrix
from .beam_modes import eigenpairs
from .reduction import ReducedBeam
from .shape_integrals import shape_integrals

_NOTHING = 1e-10
"""Numbers below this fraction of the largest of their kind are rounding errors."""


@dataclass(frozen=True)
class Pin:
    """Where a beam hangs.

    Attributes:
        x, z: inertial position in m of the pin, as expressions.
        at: the interface or the station of the beam that is there.
    """

    x: Expr = sp.S.Zero
    z: Expr = sp.S.Zero
    at: str | float = 0.0


@dataclass(frozen=True)
class Coefficients:
    """Symbols of a beam's numbers, with zeros left out, and what they stand for.

    Attributes:
        prefix: of their names. values: number of each symbol.
    """

    prefix: str
    values: dict[sp.Symbol, float] = field(default_factory=dict)

    def scalar(self, label: str, value: float) -> Expr:
        """A symbol for a number; zero and one stand for themselves."""
        if value in (0.0, 1.0):
            return sp.Integer(int(value))
        symbol = sp.Symbol(f"{self.prefix}_{label}", real=True)
        self.values[symbol] = float(value)
        return symbol

    def row(self, label: str, values: Matrix) -> sp.Matrix:
        """A row of symbols."""
        return sp.Matrix([[self.scalar(f"{label}_{i + 1}", v) for i, v in enumerate(values)]])

    def square(self, label: str, values: Matrix) -> sp.Matrix:
        """A square matrix of symbols, the same ones on both sides of the diagonal where it is symmetric."""
        n = len(values)
        even = np.allclose(values, values.T, rtol=1e-9, atol=1e-12 * np.abs(values).max(initial=0.0))

        def entry(i: int, j: int) -> Expr:
            i, j = (min(i, j), max(i, j)) if even else (i, j)
            return self.scalar(f"{label}_{i + 1}_{j + 1}", values[i, j])

        return sp.Matrix(n, n, entry)


@dataclass(frozen=True)
class FloatingBeam:
    """A reduced beam whose frame turns by an angle about a pin.

    Attributes:
        name: of the beam; its elastic coordinates are name_1, name_2 and so on, as `elastic_coordinates` makes them.
        reduced: the beam in few coordinates.
        q: all coordinates of the model.
        angle: of the frame from the x axis towards z, in rad, an expression in the coordinates.
        pin: where the beam hangs.
        shortening: whether bending draws the points of the beam together, to the second order.
    """

    name: str
    reduced: ReducedBeam
    q: Sequence[sp.Symbol]
    angle: Expr
    pin: Pin = field(default_factory=Pin)
    shortening: bool = True

    def __post_init__(self) -> None:
        missing = [c.name for c in elastic_coordinates(self.name, self.reduced) if c not in self.q]
        if missing:
            raise ModelError(f"beam {self.name!r} needs the coordinates {missing}, which are not among {list(self.q)}")

    @property
    def elastic(self) -> sp.Matrix:
        """Elastic coordinates as a column."""
        return sp.Matrix(elastic_coordinates(self.name, self.reduced))

    @property
    def elastic_rates(self) -> sp.Matrix:
        """Rates of the elastic coordinates as a column."""
        return sp.Matrix(velocities(tuple(self.elastic)))

    @property
    def turn(self) -> sp.Matrix:
        """A: frame components to inertial components."""
        c = sp.cos(self.angle)
        s = sp.sin(self.angle)
        return sp.Matrix([[c, -s], [s, c]])

    @cached_property
    def _coefficients(self) -> Coefficients:
        return Coefficients(self.name)

    @cached_property
    def _integrals(self) -> dict[str, Any]:
        """Shape integrals, mass and stiffness as symbols."""
        known = shape_integrals(self.reduced)
        symbols = self._coefficients
        out: dict[str, Any] = {key: symbols.scalar(key, getattr(known, key)) for key in ("mass", "moment", "inertia")}
        out |= {key: symbols.row(key, getattr(known, key)) for key in ("along", "across", "x_along", "x_across")}
        squares = {key: getattr(known, key) for key in ("swelling", "crossed", "shortening", "x_shortening")}
        if not self.shortening:
            squares |= {key: 0.0 * squares[key] for key in ("shortening", "x_shortening")}
        squares |= {"m_ff": self.reduced.mass, "k_ff": self.reduced.stiffness}
        return out | {key: symbols.square(key, _units(values)) for key, values in squares.items()}

    def local(self, place: str | float, offset: tuple[float, float] = (0.0, 0.0)) -> sp.Matrix:
        """Position in m, in the frame, of a point of the section at a station or interface, `offset` from the axis."""
        u, w, theta = (self._at(place, i) for i in range(3))
        a, b = offset
        h = sp.S.Zero
        square = sp.S.Zero
        if self.shortening:
            table = self._coefficients.square(_label(place, "H"), _clean(self.reduced.shortening(place)))
            h = _quadratic(table, self.elastic)
            square = theta**2 / 2
        x = self.reduced.station(place) + a + u - b * theta - h / 2 - a * square
        return sp.Matrix([x, b + w + a * theta - b * square])

    def _at(self, place: str | float, component: int) -> Expr:
        row = _clean(self.reduced.displacement(place)[component])
        return (self._coefficients.row(_label(place, "uwt"[component]), row) * self.elastic)[0]

    @cached_property
    def origin(self) -> sp.Matrix:
        """Inertial position R of the frame, in m: where the pin puts it."""
        return sp.Matrix([self.pin.x, self.pin.z]) - self.turn * self.local(self.pin.at)

    def position(self, place: str | float, offset: tuple[float, float] = (0.0, 0.0)) -> sp.Matrix:
        """Inertial position (x, z) in m of a point fixed to the section at a station or interface (2.23)."""
        return self.origin + self.turn * self.local(place, offset)

    def angle_at(self, place: str | float) -> Expr:
        """Inertial angle of the section at a station or interface, in rad."""
        return self.angle + self._at(place, 2)

    @cached_property
    def kinetic(self) -> Expr:
        """Kinetic energy in J (2.34), (2.39)."""
        i = self._integrals
        q = self.elastic
        qd = self.elastic_rates
        spin = rate(self.angle, self.q)
        drift = self.origin.applyfunc(lambda e: rate(e, self.q))
        along, across = self.turn.T * drift
        energy = i["mass"] * drift.dot(drift) / 2 + (qd.T * i["m_ff"] * qd)[0] / 2
        energy += spin**2 * self._turned_inertia / 2
        energy += spin * (i["x_across"] * qd + q.T * i["crossed"] * qd - qd.T * i["crossed"] * q)[0]
        energy += along * (i["along"] * qd - q.T * i["shortening"] * qd - spin * i["across"] * q)[0]
        return energy + across * ((i["across"] * qd)[0] + spin * self._moments[0])

    @property
    def _turned_inertia(self) -> Expr:
        """Moment of inertia of the deformed beam about the frame's origin, in kg m^2."""
        i = self._integrals
        q = self.elastic
        return i["inertia"] + 2 * (i["x_along"] * q)[0] + _quadratic(i["swelling"] - i["x_shortening"], q)

    @property
    def _moments(self) -> tuple[Expr, Expr]:
        """First moments of mass along and across the frame, in kg m."""
        i = self._integrals
        q = self.elastic
        return i["moment"] + (i["along"] * q)[0] - _quadratic(i["shortening"], q) / 2, (i["across"] * q)[0]

    def potential(self, g: Expr) -> Expr:
        """Elastic energy and weight in J (2.51); gravity g in m/s^2 points against z."""
        height = self._integrals["mass"] * self.origin[1] + (self.turn * sp.Matrix(self._moments))[1]
        return g * height + _quadratic(self._integrals["k_ff"], self.elastic) / 2

    @cached_property
    def _modal(self) -> tuple[Matrix, Matrix]:
        """Squared frequencies, and the rows that take elastic coordinates to modes of unit mass."""
        squares, vectors = eigenpairs(self.reduced.stiffness, self.reduced.mass)
        return squares, _units(vectors.T @ self.reduced.mass)

    @cached_property
    def frictions(self) -> tuple[FrictionPoint, ...]:
        """One damper per elastic mode, for the model's friction points."""
        speeds = self._coefficients.square("modal", self._modal[1]) * self.elastic_rates
        return tuple(FrictionPoint(f"{self.name}_damper_{i + 1}", (v,)) for i, v in enumerate(speeds))

    def damping_laws(self, alpha: float = 0.0, beta: float = 0.0) -> dict[str, Dissipation]:
        """Rayleigh damping alpha m_ff + beta K_ff of the elastic block alone (2.54); alpha in 1/s, beta in s."""
        not_negative("alpha", alpha)
        not_negative("beta", beta)
        rates = (alpha + beta * square for square in self._modal[0])
        return {p.name: Dissipation(0.0, 0.0, 1.0, d=float(d)) for p, d in zip(self.frictions, rates, strict=True)}

    @property
    def parameters(self) -> dict[sp.Symbol, float]:
        """Symbols of everything asked of the beam so far, with their numbers; ask last."""
        return dict(self._coefficients.values)


def elastic_coordinates(name: str, reduced: ReducedBeam) -> tuple[sp.Symbol, ...]:
    """Symbols of a beam's elastic coordinates: name_1, name_2, ..."""
    return coordinates(" ".join(f"{name}_{i + 1}" for i in range(len(reduced.names))))


def _quadratic(matrix: sp.Matrix, q: sp.Matrix) -> Expr:
    return (q.T * matrix * q)[0]


def _clean(values: Matrix) -> Matrix:
    """Rounding errors beside the largest entry are zeros."""
    return np.where(np.abs(values) < _NOTHING * np.abs(values).max(initial=0.0), 0.0, values)


def _units(values: Matrix) -> Matrix:
    """The same with exact ones, where orthonormal modes have them but for rounding."""
    return np.where(np.abs(values - 1.0) < _NOTHING, 1.0, _clean(values))


def _label(place: str | float, component: str) -> str:
    """Name of a shape value: interface or station, and component."""
    where = place if isinstance(place, str) else f"at_{place:g}".replace(".", "_")
    return f"{where}_{component}"
