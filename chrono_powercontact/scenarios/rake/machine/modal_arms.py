"""The arms as beams with few modes: Craig-Bampton reduction of both, in floating frames.

The main arm carries loads at the plate of both cylinder lugs and at the elbow, the knick arm at the scraper; the base
pin and the elbow are the origins of their frames. Statics are those of the beams for any number of modes.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from ....lagrange.beams.flexible import Beam, Interface, ReducedBeam, RigidMass, Section, reduce_beam, shape_integrals
from .arms import MODAL, Mechanism, station_points
from .machine import Arm, Machine

Matrix = NDArray[np.float64]
MODES = (1, 1)
"""Fixed-interface modes of the main and of the knick arm: with them the machine's third frequency is right as well."""


def main_arm(machine: Machine, modes: int = MODES[0]) -> ReducedBeam:
    """The main arm: loads at the lug plate between both cylinder pins, and across its axis at the elbow."""
    places: dict[str, float | Interface] = {"lug": _lug(machine), "elbow": Interface(machine.main.length, ("w",))}
    return reduce_beam(_beam(machine.main), places, modes).orthonormal


def knick_arm(machine: Machine, modes: int = MODES[1]) -> ReducedBeam:
    """The knick arm with the rake fixed to it: loads at the scraper."""
    rake = RigidMass(machine.knick.length - machine.rake_back, machine.rake_mass, machine.rake_inertia)
    return reduce_beam(_beam(machine.knick, rake), {"scraper": machine.knick.length}, modes).orthonormal


def _beam(arm: Arm, *masses: RigidMass) -> Beam:
    return Beam.uniform(arm.length, Section(arm.stiffness, arm.mass / arm.length), masses=masses)


def _lug(machine: Machine) -> float:
    return 0.5 * (machine.b[0] + machine.c[0])


def _blocks(first: Matrix, second: Matrix) -> Matrix:
    """Both arms' matrices beside the two angles."""
    n, k = len(first), len(first) + len(second)
    whole = np.zeros((2 + k, 2 + k))
    whole[2 : 2 + n, 2 : 2 + n] = first
    whole[2 + n :, 2 + n :] = second
    return whole


def modal(machine: Machine, modes: tuple[int, int] = MODES) -> Mechanism:
    """The arms as two reduced beams with so many fixed-interface modes each, as the compiled motion reads them."""
    arms = main_arm(machine, modes[0]), knick_arm(machine, modes[1])
    known = [shape_integrals(arm) for arm in arms]
    tables = {name: _blocks(*(getattr(k, name) for k in known)) for name in ("swelling", "shortening", "x_shortening")}
    rows = [np.concatenate([[0.0, 0.0], *(getattr(k, name) for k in known)]) for name in ("across", "x_across")]
    stations, shapes = _stations(machine, arms)
    sizes = (len(arms[0].names), machine.main.length, *(k.mass for k in known), *(k.moment for k in known))
    return Mechanism(
        MODAL,
        tables["swelling"] - tables["x_shortening"],
        np.concatenate([[k.inertia for k in known], np.ones(len(rows[0]) - 2)]),
        rows[0],
        _blocks(*(np.diag(arm.frequencies**2) for arm in arms)),
        machine.beta,
        np.array(sizes, float),
        stations,
        np.vstack([*rows, tables["shortening"], *shapes]),
    )


def _stations(machine: Machine, arms: tuple[ReducedBeam, ReducedBeam]) -> tuple[Matrix, list[Matrix]]:
    """Rows (arm, along, above, along from its section), and the shapes of elbow and stations."""
    n, split = 2 + sum(len(arm.names) for arm in arms), 2 + len(arms[0].names)
    columns = (slice(2, split), slice(split, n))
    rows, shapes = [], [_shape(arms[0], machine.main.length, columns[0], n)]
    for i, (arm, along, above) in enumerate(station_points(machine)):
        section = _lug(machine) if arm == 0 and i < 2 else max(along, 0.0)
        rows.append((float(arm), along, above, along - section))
        shapes.append(_shape(arms[arm], section, columns[arm], n))
    return np.array(rows), shapes


def _shape(arm: ReducedBeam, section: float, columns: slice, n: int) -> Matrix:
    """Deflection and slope of a section, and the table of its shortening, in the columns of the arm."""
    shape = np.zeros((2 + n, n))
    shape[:2, columns] = arm.displacement(section)[1:]
    shape[2:][columns, columns] = arm.shortening(section)
    return shape
