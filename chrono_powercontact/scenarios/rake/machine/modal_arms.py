"""The arms as beams with few modes: Craig-Bampton reduction of both, in floating frames.

The main arm carries loads at the plate of both cylinder lugs and at the elbow, the knuckle arm at the scraper; the base
pin and the elbow are the origins of their frames. Statics are those of the beams for any number of modes.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ....lagrange.beams.beam_elements import CLAMPED, free_columns
from ....lagrange.beams.beams import Beam, RigidMass, Section
from ....lagrange.beams.reduction import Interface, ReducedBeam, reduce_beam
from ....lagrange.beams.shape_integrals import ShapeIntegrals, shape_integrals
from .arms import MODAL, SHORTENING, STATION, B, Beams, C, Mechanism, station_points
from .machine import Arm, Machine

Matrix = NDArray[np.float64]
INTEGRALS = ("across", "x_across")
"""Integrals over a beam that have one entry per mode, in the order of their rows."""
MODES = (1, 1)
"""Fixed-interface modes of the main and of the knuckle arm: with them the machine's third frequency is right, too."""


def main_arm(machine: Machine, modes: int = MODES[0]) -> ReducedBeam:
    """The main arm: loads at the lug plate between both cylinder pins, and across its axis at the elbow."""
    places: dict[str, float | Interface] = {"lug": _lug(machine), "elbow": Interface(machine.main.length, ("w",))}
    return reduce_beam(_beam(machine.main), places, modes).orthonormal


def knuckle_arm(machine: Machine, modes: int = MODES[1]) -> ReducedBeam:
    """The knuckle arm with the rake fixed to it: loads at the scraper."""
    rake = RigidMass(machine.knuckle.length - machine.rake_back, machine.rake_mass, machine.rake_inertia)
    return reduce_beam(_beam(machine.knuckle, rake), {"scraper": machine.knuckle.length}, modes).orthonormal


def _beam(arm: Arm, *masses: RigidMass) -> Beam:
    return Beam.uniform(arm.length, Section(arm.stiffness, arm.mass / arm.length), masses=masses)


def _lug(machine: Machine) -> float:
    return 0.5 * (machine.b[0] + machine.c[0])


def _blocks(first: Matrix, second: Matrix) -> Matrix:
    """Both arms' matrices beside the two angles."""
    split = 2 + len(first)
    n = split + len(second)
    whole = np.zeros((n, n))
    whole[2:split, 2:split] = first
    whole[split:, split:] = second
    return whole


def full_modes(machine: Machine) -> tuple[int, int]:
    """Fixed-interface modes of the main and of the knuckle arm with which nothing is left out of their meshes."""
    main, knuckle = (_inside(arm(machine, 0)) for arm in (main_arm, knuckle_arm))
    return main, knuckle


def _inside(arm: ReducedBeam) -> int:
    """Displacements of a mesh that are neither held nor at an interface."""
    return len(free_columns(arm.beam, CLAMPED)) - arm.boundary


def modal(machine: Machine, modes: tuple[int, int] = MODES) -> Mechanism:
    """The arms as two reduced beams with so many fixed-interface modes each, as the compiled motion reads them."""
    arms = main_arm(machine, modes[0]), knuckle_arm(machine, modes[1])
    known = [shape_integrals(arm) for arm in arms]
    stations = _stations(machine)
    beams = _beams(machine, arms, known, stations)
    n = beams.integrals.shape[1]
    return Mechanism(
        MODAL,
        _blocks(*(k.swelling for k in known)),
        np.concatenate([[k.inertia for k in known], np.ones(n - 2)]),
        np.zeros(n),
        _blocks(*(np.diag(arm.frequencies**2) for arm in arms)),
        machine.beta,
        np.zeros(0),
        stations,
        beams,
    )


def _beams(
    machine: Machine, arms: tuple[ReducedBeam, ReducedBeam], known: Sequence[ShapeIntegrals], stations: NDArray[Any]
) -> Beams:
    """Integrals over both beams, and the shapes of the elbow's section and of those that carry the stations."""
    split = 2 + len(arms[0].names)
    n = split + len(arms[1].names)
    rows = [np.concatenate([[0.0, 0.0], *(getattr(k, name) for k in known)]) for name in INTEGRALS]
    points = [(0, machine.main.length), *((on["part"], on["along"] - on["offset"]) for on in stations)]
    sections = np.zeros((len(points), SHORTENING + n, n))
    for section, (arm, along) in zip(sections, points, strict=True):
        columns = slice(2, split) if arm == 0 else slice(split, n)
        section[:SHORTENING, columns] = arms[arm].displacement(along)[1:]
        section[SHORTENING:][columns, columns] = arms[arm].shortening(along)
    integrals = np.vstack([*rows, _blocks(*(k.shortening for k in known))])
    moments = (known[0].moment, known[1].moment)
    return Beams(split, machine.main.length, moments, known[1].mass, integrals, sections)


def _stations(machine: Machine) -> NDArray[Any]:
    """The stations; both cylinder pins of the main arm are carried by the section of the lug plate."""
    rows = []
    for i, (arm, along, above) in enumerate(station_points(machine)):
        section = _lug(machine) if i in (B, C) else max(along, 0.0)
        rows.append((arm, along, above, along - section))
    return np.array(rows, STATION)
