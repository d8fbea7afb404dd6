"""The machine on Chrono with arms of finite elements, beside the modal arms of the reference engine, while it presses.

The modal arms do not stretch. Chrono's beams do; with a hundred times the axial stiffness of steel they do not either,
and the two must agree. With that of steel itself, what is left is what stretching does.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from ....progress import part_of
from ....report.style import panel
from ....trajectory import Trajectory
from ...scenario import Check, Metrics, below
from ..motion.setup import Setup
from .arm_case import ArmCase, ArmModesParameters
from .machine_case import APART, BEGIN, PRESSING, pressing, timed

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from ....progress import Progress

Array = NDArray[np.float64]
STEP = 5e-3
"""Step on Chrono, in s."""
ARMS = {"stiff": 100.0, "steel": 1.0}
"""Axial stiffness of Chrono's arms, as a multiple of that of steel, by name."""
TOUCHING = 2.0
"""Time in s from which on the rake is pressed on steadily; before it touches and bounces."""
PRESSED, TOUCHED = 2e-3, 2e-2
"""Fractions of what pressing changes by which forces may differ from then on, and before."""


def on_beams(setup: Setup, axial: float, time: float, progress: Progress) -> Array:
    """Forces of PRESSING in N on Chrono, one row for every APART s; for `axial` see `section_of`."""
    from ....chrono.attachment import attach
    from ....laws.material import Material
    from ..scene.beam_scene import build_beams, iterate_fully, settle
    from ..scene.scene_rack import plugin_shape, slabs

    scene = build_beams(setup, axial)
    settle(scene)
    iterate_fully(scene.system)
    law = setup.law
    shapes = [plugin_shape(slab, scene.ground, law.normal.s_0) for slab in slabs(setup.rack)]
    material = Material(law.normal, law.friction, law.memory)
    contact = attach(scene.system).add_nodes([scene.knuckle[-1]], shapes, material)
    count = round(time / STEP)
    times = STEP * np.arange(count + 1)
    late = setup.lines["c"] / setup.lines["k"]
    rest = setup.command.at(times) + late[:, None] * setup.command.rate(times)
    every = round(APART / STEP)
    rows = [reading(setup, scene.lines, contact)]
    for i in range(1, count + 1):
        for line, length in zip(scene.lines, rest[:, i].tolist(), strict=True):
            line.SetRestLength(length)
        scene.system.DoStepDynamics(STEP)
        if i % every == 0:
            rows.append(reading(setup, scene.lines, contact))
            progress(i / count)
    return np.array(rows)


def reading(setup: Setup, lines: list[Any], contact: Any) -> tuple[float, ...]:
    """The forces of PRESSING in N."""
    x, _, z = contact.node_forces()[0]
    push = np.array((x, z))
    forces = [line.GetForce() for line in lines]
    return (*forces, float(push @ setup.rack.normal), float(push @ setup.rack.tangent))


def run_beams(p: ArmModesParameters, progress: Progress) -> Trajectory:
    """Modal arms on the reference engine, and both arms of finite elements on Chrono, under the same command."""
    setup = pressing(p, "modal", p.modes)
    modal, _ = timed(setup, p.time, part_of(progress, 0, 3))
    columns = {"t": modal["t"]} | {f"{name}_modal": modal[name] for name in PRESSING}
    for number, (kind, axial) in enumerate(ARMS.items(), 1):
        rows = on_beams(setup, axial, p.time, part_of(progress, number, 3))
        columns |= {f"{name}_{kind}": rows[: len(modal), i] for i, name in enumerate(PRESSING)}
    return Trajectory(tuple(columns), np.column_stack(list(columns.values())), modal.steps)


def deviation(run: Trajectory, kind: str, when: NDArray[np.bool_]) -> dict[str, float]:
    """How far a kind of Chrono's arms is from the modal ones in some rows, as fractions of PRESSING."""
    return {
        name: float(np.abs(run[f"{name}_{kind}"] - run[f"{name}_modal"])[when].max(initial=0.0) / change)
        for name, change in PRESSING.items()
    }


def measure_beams(p: ArmModesParameters, run: Trajectory) -> Metrics:
    """Deviations of both kinds of arms, pressed on and before, and the pressing force at the end."""
    pressed = run["t"] >= TOUCHING
    found: Metrics = {}
    for kind in ARMS:
        found[f"{kind}_pressed"] = deviation(run, kind, pressed)
        found[f"{kind}_touching"] = deviation(run, kind, ~pressed)
        found[f"{kind}_press"] = float(run[f"N_{kind}"][-1])
    return found | {"modal_press": float(run["N_modal"][-1])}


def check_beams(p: ArmModesParameters, m: Metrics) -> list[Check]:
    """Arms that do not stretch press as the modal ones do."""
    return [
        below(f"beams on Chrono against modal arms, {phase}, share of what pressing changes", max(found.values()), most)
        for phase, found, most in (
            ("pressed on", m["stiff_pressed"], PRESSED),
            ("touching", m["stiff_touching"], TOUCHED),
        )
    ]


def plot_beams(p: ArmModesParameters, run: Trajectory, m: Metrics, figure: Figure) -> None:
    """Forces of all three, and how far Chrono's are from the modal ones."""
    (a, b), (c, d) = figure.subplots(2, 2)
    named = {"modal": "modal, reference engine", "stiff": "beams, no stretching", "steel": "beams of steel"}
    time = BEGIN + run["t"]
    for axes, name, title in ((a, "N", "pressing force"), (b, "F_t", "friction"), (c, "F1", "main cylinders")):
        curves = {label: run[f"{name}_{kind}"] / 1e3 for kind, label in named.items()}
        panel(axes, time, curves, title, "time in s", "in kN", True)
    apart = {named[kind]: run[f"N_{kind}"] - run["N_modal"] for kind in ARMS}
    panel(d, time, apart, "pressing force, from the modal arms", "time in s", "in N", True)


BEAMS = ArmCase(run_beams, measure_beams, check_beams, plot_beams)
