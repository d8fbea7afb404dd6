"""How many modes: the rule of 90 % modal mass, and what it does not see at the lug of the main arm."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from ....lagrange.beams.beam_elements import CLAMPED, mass_matrix, shape_rows, stiffness_matrix
from ....lagrange.beams.beam_modes import natural_modes
from ....lagrange.beams.reduction import reduce_beam
from ....report.style import legend
from ....trajectory import Trajectory
from ...scenario import Check, Metrics, above, below
from .arm_case import ArmCase, ArmModesParameters, lug_station, main_beam

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from ....progress import Progress

MOST = 20
"""Largest number of natural modes that is looked at."""

COLUMNS = ("modes", "frequency", "modal_mass", "deflection_error", "moment_error", "reduced_error")


def run_count(p: ArmModesParameters, progress: Progress) -> Trajectory:
    """One row per number of modes: cumulated modal mass, static errors of natural modes, and of the reduction."""
    lug = lug_station()
    beam = main_beam(p.elements).with_node(lug)
    most = min(MOST, 2 * p.elements - 2)
    modes = natural_modes(beam, CLAMPED, most)
    beam = modes.beam
    across = np.zeros(mass_matrix(beam).shape[0])
    across[1::3] = 1.0
    participation = modes.shapes.T @ mass_matrix(beam) @ across
    moving = float(across @ mass_matrix(beam) @ across)
    rows_lug = shape_rows(beam, lug).w[0]
    rows_root = beam.sections[0].bending * shape_rows(beam, 0.0).curvature[0]
    stiffness = np.einsum("ij,ik,kj->j", modes.shapes, stiffness_matrix(beam), modes.shapes)
    amplitude = (modes.shapes.T @ rows_lug) * p.press / stiffness
    deflection = p.press * lug**3 / (3.0 * beam.sections[0].bending)
    rows = []
    for n in range(1, most + 1):
        bent = float((rows_lug @ modes.shapes[:, :n]) @ amplitude[:n])
        root = float((rows_root @ modes.shapes[:, :n]) @ amplitude[:n])
        reduced = reduce_beam(beam, {"lug": lug}, n - 1)
        exact = float(reduced.displacement("lug")[1] @ reduced.static({("lug", "w"): p.press}))
        mass = float(np.sum(participation[:n] ** 2) / moving)
        errors = abs(bent / deflection - 1.0), abs(root / (p.press * lug) - 1.0), abs(exact / deflection - 1.0)
        rows.append([float(n), float(modes.frequencies[n - 1] / (2.0 * np.pi)), mass, *errors])
        progress(n / most)
    return Trajectory(COLUMNS, np.array(rows), len(rows))


def measure_count(p: ArmModesParameters, run: Trajectory) -> Metrics:
    """The number of modes that the rule asks for, and the errors with it."""
    enough = np.flatnonzero(run["modal_mass"] >= p.modal_mass)
    if not enough.size:
        return {"by_rule": None, "modal_mass": run["modal_mass"].tolist()}
    i = int(enough[0])
    return {
        "by_rule": int(run["modes"][i]),
        "modal_mass": run["modal_mass"].tolist(),
        "deflection_error": float(run["deflection_error"][i]),
        "moment_error": float(run["moment_error"][i]),
        "reduced_error": float(run["reduced_error"].max()),
        "frequencies": run["frequency"].tolist(),
    }


def check_count(p: ArmModesParameters, m: Metrics) -> list[Check]:
    """The rule looks at mass, not at stress: the root moment is off. Constraint modes are exact with any number."""
    if m["by_rule"] is None:
        most = m["modal_mass"][-1]
        return [below(f"modal mass asked for, of the {len(m['modal_mass'])} modes' {most:.3f}", p.modal_mass, most)]
    masses = np.diff(m["modal_mass"])
    return [
        Check(
            "the cumulated modal mass rises to at most 1", bool((masses >= -1e-12).all() and m["modal_mass"][-1] <= 1.0)
        ),
        below("static deflection with constraint modes and any number of others, off by", m["reduced_error"], 1e-8),
        above("moment at the root with the modes of the rule alone, off by", m["moment_error"], 0.01),
        above("it is further off than the deflection by a factor of", m["moment_error"] / m["deflection_error"], 2.0),
    ]


def plot_count(p: ArmModesParameters, run: Trajectory, m: Metrics, figure: Figure) -> None:
    """Modal mass and errors over the number of modes."""
    mass, error = figure.subplots(1, 2)
    mass.plot(run["modes"], run["modal_mass"], "o-")
    mass.axhline(p.modal_mass, color="k", linewidth=0.8, linestyle=":", label=f"{p.modal_mass:.0%}")
    mass.set(title="cumulated modal mass", xlabel="natural modes", ylabel="fraction")
    legend(mass)
    for name, label in (("deflection_error", "deflection"), ("moment_error", "moment at the root")):
        error.semilogy(run["modes"], run[name], "o-", label=f"natural modes: {label}")
    floor = np.maximum(run["reduced_error"], 1e-15)
    error.semilogy(run["modes"], floor, "s--", label="with constraint modes: deflection")
    error.set(title="static error under a load at the lug", xlabel="modes", ylabel="fraction")
    legend(error)


COUNT = ArmCase(run_count, measure_count, check_count, plot_count)
