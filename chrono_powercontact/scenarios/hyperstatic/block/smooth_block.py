"""The block on two feet under force laws: the same contacts, with friction that creeps, remembers or sticks."""

from __future__ import annotations

import numpy as np

from ....lagrange.runs import run_rk4
from ....lagrange.system import System
from ....laws.friction.anchor import Anchor
from ....laws.friction.dissipation import Friction
from ....laws.friction.lugre import LuGre
from ....laws.friction.memory import LPVFilter
from ....laws.material import Material
from ....laws.normal.restriction import Restriction
from ....progress import Progress
from ....trajectory import Trajectory
from ...constants import GRAVITY
from .block_models import one_body
from .block_statics import HEIGHT, MASS, MOMENT, WEIGHT, WIDTH, Load

V_C = 1e-5
"""Transition speed of the Coulomb part in m/s."""

PRESLIDING = 1e-6
"""Displacement in m at which the anchored law breaks away."""

STEP = 5e-6
"""Step in s of the reference engine under a force law."""

DEPTH_OF_CONTACT = 1e-4


def foot_law(points: int = 1) -> Restriction:
    """Normal law of a foot, or of one of so many points that share it: four times the load it carries at rest."""
    return Restriction(0.0, -DEPTH_OF_CONTACT, 2.0 * WEIGHT / points, 100.0)


def foot(law: str, mu: float, presliding: float = PRESLIDING, points: int = 1, tau: float = 1e-4) -> Material:
    """Material of a foot under a law of friction; tau in s damps an anchor."""
    normal = foot_law(points)
    if mu == 0.0:
        return Material(normal)
    friction = Friction(mu, mu, V_C)
    if law == "lugre":
        return Material(normal, LuGre(mu, mu, 1e-3, 10.0 * mu / presliding, 1e-3 * mu / presliding))
    memory = {"tanh": None, "lpv": LPVFilter(1e-4, V_C), "anchored": Anchor(presliding, tau)}[law]
    return Material(normal, friction, memory)


def smooth_block(load: Load, feet: dict[str, Material]) -> System:
    """The rigid block with a material at each foot."""
    numbers = {
        "m": MASS, "theta": MOMENT, "a": WIDTH, "b": HEIGHT, "g": GRAVITY,
        "force": load.force, "begin": load.begin, "rise": load.rise,
    }  # fmt: skip
    return System(one_body(), numbers, feet)


def resting_state(system: System, anchors: tuple[float, float] = (0.0, 0.0)) -> np.ndarray:
    """The block at rest on both feet under its weight, with anchors stretched by distances in m."""
    height = 0.5 * HEIGHT + float(foot_law().rest_distance(0.5 * WEIGHT))
    return system.state((0.5 * WIDTH, height, 0.0), (0.0, 0.0, 0.0), anchors)


def run_smooth(system: System, start: np.ndarray, time: float, progress: Progress, step: float = STEP) -> Trajectory:
    """Run, with the columns of the rigid block: contact forces, displacement and speed of foot A."""
    run = run_rk4(system, start, step, time, max(round(1e-4 / step), 1), progress)
    phi = run["phi"]
    foot_a = run["x"] - 0.5 * WIDTH * np.cos(phi) + 0.5 * HEIGHT * np.sin(phi)
    speed = run["x_dot"] + run["phi_dot"] * 0.5 * (WIDTH * np.sin(phi) + HEIGHT * np.cos(phi))
    none = np.zeros(len(run))

    def friction(name: str) -> np.ndarray:
        return -run[f"Ft_{name}"] if f"Ft_{name}" in run.names else none

    columns = {
        "t": run["t"], "T_A": friction("A"), "N_A": run["F_A"], "T_B": friction("B"), "N_B": run["F_B"],
        "foot": foot_a - foot_a[0], "foot_dot": speed, "x": run["x"], "x_dot": run["x_dot"], "outer": none,
    }  # fmt: skip
    return Trajectory(tuple(columns), np.column_stack(list(columns.values())), run.steps)
