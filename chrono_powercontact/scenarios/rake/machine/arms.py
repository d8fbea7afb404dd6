"""The arms as a chain of rigid segments with springs between them, as the compiled motion reads it.

Absolute segment angles are the coordinates. With r_ki = l_i for i < k, the centre c_k for i = k and 0 beyond, the
equations of motion have A_ij = sum_k m_k r_ki r_kj and the weights g_i = g sum_k m_k r_ki. One segment per arm is the
rigid machine, three per arm the finite-segment model.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ....errors import UnknownNameError
from .machine import GRAVITY, Arm, Machine

Matrix = NDArray[np.float64]
ARMS = ("rigid", "segments", "modal", "full")
BEAMS = ("modal", "full")
"""Kinds of arms, and those that are beams: reduced to few modes, or with every displacement of their meshes."""
CHAIN, MODAL = 0, 1
B, C, D, TIP, RAKE, CELLS = 0, 1, 2, 3, 4, 5
"""Stations: cylinder heads and foot, scraper, centre of the rake, and from CELLS on cells of the knuckle arm."""
WET_CELLS = 12
COS, SIN, ELBOW_X, ELBOW_Z = range(4)
TRIG_ROWS = 4
"""Rows of what the arms note about a pose: cosines and sines, and for modal arms the elbow's derivatives."""

STATION = np.dtype([("part", np.int64), ("along", np.float64), ("above", np.float64), ("offset", np.float64)])
"""A station: the segment or arm that it is on; its position along and above the axis of that part in m; and for modal
arms, how far it is along from the section that carries it, in m."""


class Place(NamedTuple):
    """A point of the arms: where it is in m (x and z), and its derivative by the coordinates."""

    where: Matrix
    jacobian: Matrix


class Beams(NamedTuple):
    """Modal arms: integrals over the beams, and the shapes of their sections. All of it is empty for a chain.

    There are two arrays only, for each costs time whenever the arms are passed to a function.

    Attributes:
        split: number of the first elastic coordinate of the second arm. length: of the main arm in m.
        moments: first moments of both arms in kg m. mass: of the knuckle arm in kg.
        integrals: rows ACROSS (int rho W) and X_ACROSS (int rho x W), and from SHORTENING on the rows of int rho H.
        sections: of each section the rows ACROSS (W) and SLOPE, and from SHORTENING on the rows of H; the section of
            the elbow first, then those of the stations.
    """

    split: int
    length: float
    moments: tuple[float, float]
    mass: float
    integrals: Matrix
    sections: Matrix


ACROSS, X_ACROSS, SHORTENING = 0, 1, 2
SLOPE = 1
"""Rows of `integrals` and of `sections`."""

NO_BEAMS = Beams(0, 0.0, (0.0, 0.0), 0.0, np.zeros((0, 0)), np.zeros((0, 0, 0)))


class Mechanism(NamedTuple):
    """What the compiled motion knows about the arms.

    Attributes:
        kind: CHAIN or MODAL. inertia, own, weight: A_ij in kg m^2, I_i in kg m^2 and g_i in N m; modal arms have the
            matrix G of their beams for A, and take their weight from the beams.
        springs: stiffness matrix in N m/rad. beta: damping over stiffness in s. lengths: l_i of a chain in m.
        stations: one record per station. beams: of modal arms.
    """

    kind: int
    inertia: Matrix
    own: Matrix
    weight: Matrix
    springs: Matrix
    beta: float
    lengths: Matrix
    stations: NDArray[Any]
    beams: Beams


@dataclass(frozen=True)
class Segment:
    """A rigid piece of an arm: length and centre in m, mass in kg, inertia about the centre in kg m^2."""

    length: float
    centre: float
    mass: float
    inertia: float


def pieces(arm: Arm, joints: tuple[float, ...]) -> list[Segment]:
    """An arm cut at its joints."""
    lengths = np.diff([0.0, *joints, arm.length])
    masses = arm.mass * lengths / arm.length
    return [Segment(x, 0.5 * x, m, m * x**2 / 12.0) for x, m in zip(lengths, masses, strict=True)]


def with_rake(last: Segment, machine: Machine) -> Segment:
    """The last segment of the knuckle arm with the rake fixed to it."""
    at = last.length - machine.rake_back
    m = last.mass + machine.rake_mass
    centre = (last.mass * last.centre + machine.rake_mass * at) / m
    apart = last.mass * (last.centre - centre) ** 2 + machine.rake_mass * (at - centre) ** 2
    return Segment(last.length, centre, m, last.inertia + machine.rake_inertia + apart)


def spring(arm: Arm) -> float:
    """Stiffness in N m/rad of a joint, with which the tip deflection of a cantilever is exact."""
    n = len(arm.joints)
    return arm.stiffness * n / arm.length * (1.0 - 1.0 / (4.0 * n * n))


def _laplacian(stiffness: list[float]) -> Matrix:
    n = len(stiffness) + 1
    k = np.zeros((n, n))
    for i, x in enumerate(stiffness):
        k[i : i + 2, i : i + 2] += x * np.array([[1.0, -1.0], [-1.0, 1.0]])
    return k


@dataclass(frozen=True)
class Layout:
    """Where an arm's pieces are: index of the first, and where each begins, in m along the arm."""

    first: int
    begins: tuple[float, ...]

    def station(self, at: float, above: float = 0.0) -> tuple[int, float, float, float]:
        """The station of a point `at` m along the arm and `above` m off its axis."""
        piece = max(int(np.searchsorted(self.begins, at, side="right")) - 1, 0)
        return self.first + piece, at - self.begins[piece], above, 0.0


def station_points(machine: Machine) -> list[tuple[int, float, float]]:
    """Every station as (arm 0 main or 1 knuckle, along it, above its axis), in m."""
    cell = (machine.knuckle.length - machine.rake_length) / WET_CELLS
    named = [(0, *machine.b), (0, *machine.c), (1, *machine.d)]
    ends = [(1, machine.knuckle.length, 0.0), (1, machine.knuckle.length - machine.rake_back, 0.0)]
    return named + ends + [(1, (i + 0.5) * cell, 0.0) for i in range(WET_CELLS)]


def chain(machine: Machine, flexible: bool = True) -> Mechanism:
    """The arms as six segments, or as two rigid links."""
    main = pieces(machine.main, machine.main.joints if flexible else ())
    knuckle = pieces(machine.knuckle, machine.knuckle.joints if flexible else ())
    knuckle[-1] = with_rake(knuckle[-1], machine)
    segments = main + knuckle
    r = np.zeros((len(segments), len(segments)))
    for k, segment in enumerate(segments):
        r[k, :k] = [earlier.length for earlier in segments[:k]]
        r[k, k] = segment.centre
    m = np.array([segment.mass for segment in segments])
    bends = [spring(machine.main)] * (len(main) - 1) + [0.0] + [spring(machine.knuckle)] * (len(knuckle) - 1)
    layouts = (_layout(0, main), _layout(len(main), knuckle))
    stations = [layouts[arm].station(at, above) for arm, at, above in station_points(machine)]
    return Mechanism(
        CHAIN,
        np.einsum("k,ki,kj->ij", m, r, r),
        np.array([segment.inertia for segment in segments]),
        GRAVITY * m @ r,
        _laplacian(bends),
        machine.beta,
        np.array([segment.length for segment in segments]),
        np.array(stations, STATION),
        NO_BEAMS,
    )


def _layout(first: int, segments: list[Segment]) -> Layout:
    return Layout(first, tuple(np.cumsum([0.0, *(segment.length for segment in segments[:-1])])))


def mechanism(machine: Machine, arms: str, modes: tuple[int, int] = (1, 1)) -> Mechanism:
    """The arms as the compiled motion reads them; modal ones have so many fixed-interface modes each."""
    if arms not in ARMS:
        raise UnknownNameError("kind of arms", arms, ARMS)
    if arms in BEAMS:
        from .modal_arms import full_modes, modal

        return modal(machine, full_modes(machine) if arms == "full" else modes)
    return chain(machine, arms == "segments")


def straight(mech: Mechanism, machine: Machine, phi: float, alpha: float) -> Matrix:
    """Coordinates of the undeformed arms at phi and alpha."""
    if mech.kind == MODAL:
        return np.concatenate([[phi, alpha], np.zeros(len(mech.own) - 2)])
    main = len(mech.own) // 2
    return np.array([phi] * main + [alpha] * (len(mech.own) - main))
