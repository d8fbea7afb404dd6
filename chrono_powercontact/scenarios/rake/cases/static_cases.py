"""Load cases that are tables, not motions: statics and modes along the rack, flow on the arm, buoyancy."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from ....trajectory import Trajectory
from ...parameters import CHRONO
from ...scenario import Check, Metrics, within
from ..machine.arm_terms import pose
from ..machine.arms import TRIG_ROWS, Place, chain, straight
from ..machine.machine import ARM_SECTION, GRAVITY, WATER_DENSITY, WATER_LEVEL, Machine, Water, machine
from ..machine.statics import Statics
from ..machine.two_link import TwoLink
from ..machine.water import water_record, wet
from ..motion.setup import Setup
from .load_cases import RakeParameters, setup_of
from .virtual_work import holding_forces

if TYPE_CHECKING:
    from ....progress import Progress

Array = NDArray[np.float64]
PLACES = (0.0, 1.8, 3.6, 5.4, 7.25)
"""Positions up the slope in m of the statics table."""
STATICS = ("s", "phi", "alpha", "c1", "c2", "h1", "h2", "M_O", "M_E", "F1", "F2", "k_nn", "k_tt", "f1", "f2")
STATICS_EXPECTED = {
    "F1": (129.1e3, 116.8e3, 111.7e3, 108.9e3, 106.1e3),
    "F2": (8.2e3, 21.4e3, 31.2e3, 36.9e3, 25.5e3),
    "f1": (1.65, 1.74, 1.74, 1.67, 1.51),
    "f2": (5.85, 5.95, 6.14, 6.34, 6.02),
    "k_nn": (1.17e5, 1.38e5, 1.48e5, 1.40e5, 1.05e5),
}
"""Forces in N, frequencies in Hz and stiffness of the scraper in N/m as in the reference, at PLACES."""
EXPECTED_OF = {
    "rigid": ("F1", "F2"),
    "segments": tuple(STATICS_EXPECTED),
    "modal": ("F1", "F2", "f1", "k_nn"),
    "full": ("F1", "F2", "f1", "k_nn"),
}
"""Figures that hold for each kind of arms; the second frequency is that of six coarse segments."""
ALLOWED = {"F1": 0.005, "F2": 0.005, "f1": 0.02, "f2": 0.02, "k_nn": 0.02}
RUNS = ((0.70, 0.0), (0.73, 0.0), (0.75, 0.0), (0.8, 0.8), (0.8, 0.0), (0.8, -0.331), (0.8, -0.8))
"""Flow in m/s, and speed of the scraper with the flow in m/s."""
FLOW_EXPECTED = {0: -6.0e3, 2: -6.9e3, 3: -0.8e3, 4: -7.8e3, 5: -13.6e3, 6: -24.8e3}
"""Change of the knuckle cylinder's force in N that the reference has for some of RUNS."""
BUOYANCY_EXPECTED = {"lift": 5.86e3, "dF1": -30.3e3, "dF2": -2.1e3}
BUOYANCY_WITHIN, BUOYANCY_DIGIT = 0.01, {"lift": 5.0, "dF1": 50.0, "dF2": 50.0}
"""Part of a figure that it may differ, and half of its last digit given in N."""


def _table(names: tuple[str, ...], rows: list[Array]) -> Trajectory:

    return Trajectory(names, np.array(rows), len(rows))


def statics_row(setup: Setup, s: float) -> Array:
    """One line of the statics table: the rigid pose with T on the rack, no contact."""
    two = TwoLink(setup.machine)
    phi, alpha = two.reach(setup.rack.point(s))
    forces = np.array(two.forces(phi, alpha, GRAVITY))
    q = straight(setup.mech, setup.machine, phi, alpha)
    tip = setup.statics.compliance(q, forces, setup.rack)
    return np.array(
        (s, phi, alpha, *two.lengths(phi, alpha), *two.levers(phi, alpha), *two.moments(phi, alpha, GRAVITY), *forces,
         1.0 / tip[0, 0], 1.0 / tip[1, 1], *setup.statics.frequencies(q, forces)[:2])
    )  # fmt: skip


def statics_table(p: RakeParameters, progress: Progress, engine: str) -> Trajectory:
    """Statics and modes along the rack; on Chrono, what a machine that is held there shows of them."""
    if engine == CHRONO:
        from ..scene.scene_statics import statics_on_chrono

        return statics_on_chrono(p, PLACES, progress)
    setup = setup_of(p)
    return _table(STATICS, [statics_row(setup, s) for s in PLACES])


def statics_metrics(p: RakeParameters, table: Trajectory) -> Metrics:
    """The table by column, with the first frequency at the foot of the rack."""
    return {name: table[name].tolist() for name in table.names} | {"f1_hz": float(table["f1"][0])}


def statics_claim(p: RakeParameters, metrics: Metrics, engine: str) -> list[Check]:
    """Every figure of the reference where the machine is the one that they belong to; for any other one virtual work.

    V3 weighs as V2. On Chrono, where its machine rings under the friction of its seals, only the forces are compared.
    """
    weighs_as_expected = p.version == "v2" or (p.version == "v3" and engine != CHRONO)
    if not (weighs_as_expected and p.rack_angle == 75.0 and p.rack_offset == 0.0):
        return virtual_work_claim(p, metrics)
    return [
        within(f"{name} at {s:g} m", metrics[name][i], value, max(ALLOWED[name] * abs(value), _last_digit(name)))
        for name, row in STATICS_EXPECTED.items()
        if name in EXPECTED_OF[p.arms] and name in metrics
        for i, (s, value) in enumerate(zip(PLACES, row, strict=True))
    ]


def virtual_work_claim(p: RakeParameters, metrics: Metrics) -> list[Check]:
    """Both forces at every place as the weight of the machine asks for them."""
    setup = setup_of(p)
    asked = [holding_forces(setup.machine, setup.rack, s) for s in PLACES]
    return [
        within(
            f"{name} at {s:g} m by virtual work",
            metrics[name][i],
            asked[i][line],
            max(ALLOWED[name] * abs(asked[i][line]), _last_digit(name)),
            "N",
        )
        for line, name in enumerate(("F1", "F2"))
        for i, s in enumerate(PLACES)
    ]


def _last_digit(name: str) -> float:
    """Half of the last digit given."""
    return {"F1": 50.0, "F2": 50.0, "f1": 0.005, "f2": 0.005, "k_nn": 500.0}[name]


def water_forces(body: Machine, angles: tuple[float, float], water: Water, turn: float = 0.0) -> Array:
    """Changes of F1 and F2 in N under water, the knuckle arm turning at `turn` rad/s."""
    mech = chain(body, flexible=False)
    q = np.array(angles)
    v = np.array((0.0, turn))
    force = np.zeros(2)
    trig = np.zeros((TRIG_ROWS, 2))
    pose(mech, q, trig)
    wet(mech, water_record(water, body), 0.0, q, v, trig, Place(np.zeros(2), np.zeros((2, 2))), force)
    return -np.linalg.solve(Statics(body, mech).lines(q)[1].T, force)


def wet_length(body: Machine, angles: tuple[float, float]) -> float:
    """How much of the knuckle arm's box is under water, in m."""
    top = TwoLink(body).elbow(angles[0])[1]
    tip = TwoLink(body).tip(*angles)[1]
    box = body.knuckle.length - body.rake_length
    dry = (top - WATER_LEVEL) / (top - tip) * body.knuckle.length
    return min(max(box - dry, 0.0), box)


def flow_row(body: Machine, setup: Setup, speed: float, with_flow: float) -> Array:
    """Flow, speed of the scraper with it, changes of F1 and F2 in N, at 9 m below O and 1 m before the rack."""
    rack = setup.rack
    two = TwoLink(body)
    s = (-9.0 - rack.point(0.0, 1.0)[1]) / rack.tangent[1]
    phi, alpha = two.reach(rack.point(s, 1.0))
    turn = with_flow / (body.knuckle.length * np.sin(alpha))
    return np.array((speed, with_flow, *water_forces(body, (phi, alpha), Water(speed=speed), turn)))


def flow_table(p: RakeParameters) -> Trajectory:
    """What flow does to the cylinders."""
    setup = setup_of(p)
    return _table(("flow", "with_flow", "dF1", "dF2"), [flow_row(setup.machine, setup, *run) for run in RUNS])


def flow_metrics(p: RakeParameters, table: Trajectory) -> Metrics:
    """The table by column."""
    return {name: table[name].tolist() for name in table.names}


def flow_claim(p: RakeParameters, metrics: Metrics, engine: str) -> list[Check]:
    """Changes of the knuckle cylinder's force, to 3 %: in those of the reference the whole rake moves as fast as T."""
    names = [f"change of F2 at flow {flow:g} m/s, rake with it {rake:g} m/s" for flow, rake in RUNS]
    return [
        within(names[i], metrics["dF2"][i], value, max(0.03 * abs(value), 100.0), "N")
        for i, value in FLOW_EXPECTED.items()
    ]


def buoyancy_table(p: RakeParameters) -> Trajectory:
    """What a knuckle arm full of air does to the cylinders, at the pose in which the rake touches."""
    body = machine(p.version)
    angles = TwoLink(body).angles(1.941503, 3.520423)
    lift = WATER_DENSITY * GRAVITY * ARM_SECTION * wet_length(body, angles)
    return _table(("lift", "dF1", "dF2"), [np.array((lift, *water_forces(body, angles, Water(sealed=True))))])


def buoyancy_metrics(p: RakeParameters, table: Trajectory) -> Metrics:
    """Lift and changes of both forces in N."""
    return {name: float(table[name][0]) for name in table.names}


def buoyancy_claim(p: RakeParameters, metrics: Metrics, engine: str) -> list[Check]:
    """Lift and changes of both forces."""
    return [
        within(name, metrics[name], value, max(BUOYANCY_WITHIN * abs(value), BUOYANCY_DIGIT[name]), "N")
        for name, value in BUOYANCY_EXPECTED.items()
    ]
