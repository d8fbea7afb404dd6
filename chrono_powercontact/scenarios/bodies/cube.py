"""A cube tumbles onto the ground with eight touching corners (sections 3.3.3 and 4.3.2, Tables 3.4 and 4.2)."""

from __future__ import annotations

from functools import cache
from types import SimpleNamespace
from typing import TYPE_CHECKING

import numpy as np

from ...laws import Anchor, Friction, LPVFilter, Material, Restriction
from ...laws.design import stable_contact_step
from ..anchored import ANCHOR, anchor_of
from ..events import episodes
from ..impact.point_mass import energy_panel
from ..parameters import Parameter, duration, mass, step
from ..scenario import Check, Metrics, Outcome, Redraw, Scenario, below, within
from ..scenes.chrono_scenes import cube_scene
from ..scenes.rival_scenes import LAWS, cube_under, in_impact, only_on_chrono

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

    from ...chrono.run.surfaces import Wish
    from ...lagrange.model import Model
    from ...lagrange.system import System
    from ...progress import Progress
    from ...trajectory import Trajectory

CORNERS = np.array(
    [(1, -1, -1), (1, 1, -1), (-1, 1, -1), (-1, -1, -1), (1, -1, 1), (1, 1, 1), (-1, 1, 1), (-1, -1, 1)], float
)
"""Corner spheres in half edges (3.38)."""

EDGES = [(0, 1), (1, 2), (2, 3), (3, 0), (4, 5), (5, 6), (6, 7), (7, 4), (0, 4), (1, 5), (2, 6), (3, 7)]

FRICTION = Friction(0.25, 0.30, 5e-5, 1e-4, 0.0, 1e-6)
MEMORY = LPVFilter(1e-4, 1e-4)
"""Friction and memory of Table 4.2."""

GRAVITY = 9.81

START_MOTION = (2.0, 1.0, 0.0, 10.0, 1.0, 0.0)
"""Velocity in m/s and rates of the angles in rad/s at the start (3.50); at zero angles the rates are the spin."""


@cache
def cube_model(rotation: str) -> Model:
    """A cube of mass m and edge k with eight corner points, by quaternion or by the thesis' angles (3.43)-(3.48)."""
    import sympy as sp

    from ...lagrange import ContactPoint, Model, coordinates, velocities
    from ...lagrange.rigid import angle_rotation, point_velocity, quaternion_rotation

    turn = quaternion_rotation() if rotation == "quaternion" else angle_rotation()
    place, (m, k, g) = coordinates("x y z"), sp.symbols("m k g", real=True)
    q, v = (*place, *turn.q), sp.Matrix(velocities(place))
    kinetic = m * v.dot(v) / 2 + m * k**2 / 12 * turn.spin.dot(turn.spin)
    points = []
    for i, corner in enumerate(CORNERS.astype(int)):
        position = sp.Matrix(place) + turn.matrix * sp.Matrix([int(c) * k / 2 for c in corner])
        points.append(ContactPoint(f"{i + 1}", position[2], point_velocity(position, q)[:2]))
    u, flow = None, None
    if turn.u is not None and turn.kinematics is not None:
        u, flow = (*coordinates("v_x v_y v_z"), *turn.u), sp.diag(sp.eye(3), turn.kinematics)
    return Model(f"cube_{rotation}", q, kinetic, m * g * place[2], (m, k, g), {}, tuple(points), (), u, flow)


class Cube(Scenario):
    """The chaotic cube: only its first contact and its invariants can be compared between engines."""

    name = "cube"
    claim = "The tumbling cube never gains energy; without friction its horizontal velocity stays exactly as it was."
    source = "thesis 3.3.3 and 4.3.2, Tables 3.4 and 4.2"
    engines = ("chrono", "reference")
    recorded = ("x", "y", "z", "v_x", "v_y", "v_z", "w_x", "w_y", "w_z", "kinetic", "potential", "stored")
    recorded_with = {"time": 0.6}
    parameters = (
        Parameter("friction", True, "friction at the corners (Table 4.2)"),
        step(1e-4),
        Parameter("rotation", "quaternion", "coordinates of the rotation", choices=("quaternion", "angles")),
        Parameter(
            "memory",
            "point",
            "filter at each corner, or per velocity (thesis), or an anchor at each corner",
            choices=("point", "coordinate", "anchored"),
        ),
        *ANCHOR,
        mass(0.1),
        Parameter("edge", 0.1, "edge of the cube", "m", minimum=0.0, above=True),
        Parameter("height", 1.0, "height of the centre at the start", "m", minimum=0.0, above=True),
        Parameter("s_0", 0.002, "distance at which a corner begins to touch", "m"),
        Parameter("s_c", 0.001, "distance at which the activation is complete; below s_0", "m"),
        Parameter("r_f", 400.0, "largest force at a corner", "N", minimum=0.0, above=True),
        Parameter("r_d", 0.3, "dissipation at a corner", "s/m", minimum=0.0),
        Parameter("mu_c", 0.25, "Coulomb coefficient", minimum=0.0),
        Parameter("mu_s", 0.30, "stiction coefficient; at least mu_c", minimum=0.0),
        Parameter("law", "power", "contact law; rivals are Chrono's own, matched at the first impact", choices=LAWS),
        duration(3.0),
    )
    models = {**{law: {"law": law} for law in LAWS}, "anchored": {"memory": "anchored"}}
    compared = (("t", "z", "height of the centre in m"), ("t", "kinetic", "kinetic energy in J"))
    ranked = ("first_contact", "energy_start", "energy_end", "energy_gain", "penetration")

    def material(self, p: SimpleNamespace) -> Material:
        """The ground under the corners."""
        law = Restriction(p.s_0, p.s_c, p.r_f, p.r_d)
        friction = Friction(p.mu_c, p.mu_s, FRICTION.v_c, FRICTION.v_s, 0.0, FRICTION.eps)
        memories: dict[str, LPVFilter | Anchor] = {"point": MEMORY, "anchored": anchor_of(p)}
        return Material(law, friction, memories.get(p.memory)) if p.friction else Material(law)

    def system(self, p: SimpleNamespace) -> System:
        """The model with its numbers."""
        from ...lagrange.system import System

        material = self.material(p)
        model = cube_model(p.rotation)
        speeds = model.u if model.u is not None else model.q
        memory = {speed.name: MEMORY for speed in speeds} if p.memory == "coordinate" else None
        numbers = {"m": p.mass, "k": p.edge, "g": GRAVITY}
        return System(model, numbers, {c.name: material for c in model.contacts}, coordinate_memory=memory)

    def simulate(self, p: SimpleNamespace, progress: Progress) -> Trajectory:
        from ...lagrange.runs import run_rk4

        only_on_chrono(p.law)
        system = self.system(p)
        turn = (1.0, 0.0, 0.0, 0.0) if p.rotation == "quaternion" else (0.0, 0.0, 0.0)
        kick = (0.0, 0.0, 0.0, 0.0, 0.0, 1e-3) if p.memory == "coordinate" and p.friction else None
        start = system.state((0.0, 0.0, p.height, *turn), START_MOTION, kick)
        return run_rk4(system, start, p.step, p.time, max(round(1e-4 / p.step), 1), progress)

    def simulate_chrono(self, p: SimpleNamespace, progress: Progress) -> Trajectory:
        if p.law != "power":
            return cube_under(p, self.wish(p), START_MOTION, progress)
        scene = cube_scene(p, self.material(p), CORNERS, START_MOTION, GRAVITY)
        return scene.run(p.step, p.time, max(round(1e-4 / p.step), 1), progress)

    def wish(self, p: SimpleNamespace) -> Wish:
        """What rivals are matched to: a corner that strikes the ground feels a quarter of the mass."""
        law, fall = Restriction(p.s_0, p.s_c, p.r_f, p.r_d), max(p.height - p.edge, 0.1 * p.edge)
        mu = p.mu_s if p.friction else 0.0
        return in_impact(law, 0.25 * p.mass, p.mass, mu, (2.0 * GRAVITY * fall) ** 0.5)

    def not_on_chrono(self, p: SimpleNamespace) -> str | None:
        if p.rotation != "quaternion":
            return f"Chrono turns bodies by quaternion, rotation={p.rotation} is for the reference engine"
        if p.friction and p.memory == "coordinate":
            return "a filter per velocity (memory=coordinate) is not possible on Chrono, only one at each corner"
        return None

    def velocity(self, p: SimpleNamespace, run: Trajectory) -> tuple[np.ndarray, np.ndarray]:
        """Horizontal velocity of the centre in m/s."""
        names = ("x_dot", "y_dot") if p.rotation == "angles" else ("v_x", "v_y")
        return run[names[0]], run[names[1]]

    def total_force(self, run: Trajectory) -> np.ndarray:
        """Sum of the normal forces in N."""
        return np.asarray(np.sum([run[f"F_{i + 1}"] for i in range(8)], axis=0))

    def measure(self, p: SimpleNamespace, trajectory: Trajectory) -> Metrics:
        gap = np.min([trajectory[f"s_{i + 1}"] for i in range(8)], axis=0)
        touching = p.s_0 - gap if p.law == "power" else self.total_force(trajectory)
        contacts = episodes(trajectory["t"], touching)
        mechanical = trajectory["kinetic"] + trajectory["potential"]
        vx, vy = self.velocity(p, trajectory)
        drift = np.hypot(vx - START_MOTION[0], vy - START_MOTION[1])
        return {
            "first_contact": float(contacts[0, 0]) if len(contacts) else None,
            "energy_start": float(mechanical[0]),
            "energy_end": float(mechanical[-1]),
            "max_energy_gain": trajectory.max_energy_gain,
            "energy_gain": float(max((mechanical - mechanical[0]).max(), 0.0)),
            "penetration": max(float(p.s_0 - gap.min()), 0.0),
            "velocity_drift": float(drift.max()),
            "final_position": [float(trajectory[name][-1]) for name in "xyz"],
            "handed_back": float(trajectory["handed_back"][-1]),
            "ledger_error": float(np.abs(trajectory.ledger_error).max() / trajectory.energy[0]),
        }

    def check(self, p: SimpleNamespace, metrics: Metrics) -> list[Check]:
        if p.law != "power":
            return self.behaves(p, metrics)
        if p.friction:
            return [
                below("largest rise of T + V + U", metrics["max_energy_gain"], metrics["handed_back"] + 1e-6, "J"),
                below("energy at the end over the start", metrics["energy_end"] / metrics["energy_start"], 1.0),
            ]
        return [
            below("largest rise of T + V + U", metrics["max_energy_gain"], 1e-6, "J"),
            below("drift of the horizontal velocity", metrics["velocity_drift"], 1e-9, "m/s"),
        ]

    def behaves(self, p: SimpleNamespace, metrics: Metrics) -> list[Check]:
        rest = p.mass * GRAVITY * (0.5 * p.edge + p.s_0)
        return [
            below("energy above the start", metrics["energy_gain"], 1e-3 * metrics["energy_start"], "J"),
            below("depth over an edge", metrics["penetration"] / p.edge, 0.5),
            within("energy at the end", metrics["energy_end"], rest, 0.05 * rest, "J")
            if p.friction
            else below("energy at the end over the start", metrics["energy_end"] / metrics["energy_start"], 1.0),
        ]

    def stable_step(self, p: SimpleNamespace) -> float:
        return stable_contact_step(Restriction(p.s_0, p.s_c, p.r_f, p.r_d), p.mass / 4.0)

    def corners(self, p: SimpleNamespace, run: Trajectory, i: int) -> np.ndarray:
        """Positions in m of the corners at record i, one row each."""
        from scipy.spatial.transform import Rotation

        centre = np.array([run[name][i] for name in "xyz"])
        if p.rotation == "quaternion":
            turn = Rotation.from_quat([run[name][i] for name in ("e1", "e2", "e3", "e0")])
        else:
            turn = Rotation.from_euler("ZYX", [run[name][i] for name in ("gamma", "beta", "alpha")])
        return np.asarray(centre + 0.5 * p.edge * turn.apply(CORNERS))

    def plot(self, outcome: Outcome, figure: Figure) -> None:
        from ...report.style import panel

        run, p, ((a, b), (c, d)) = outcome.trajectory, outcome.parameters, figure.subplots(2, 2)
        t, (vx, vy) = run["t"], self.velocity(p, run)
        panel(
            a, t, {"x": run["x"], "y": run["y"], "z": run["z"]}, "position of the centre", "time in s", "position in m"
        )
        panel(b, t, {"v_x": vx, "v_y": vy}, "horizontal velocity", "time in s", "velocity in m/s")
        panel(c, t, {"F": self.total_force(run)}, "sum of the normal forces", "time in s", "force in N")
        energy_panel(d, run)

    def animate(self, outcome: Outcome, axes: Axes) -> Redraw:
        from ...report.style import BLUE, GREY, ORANGE, stage

        run, p = outcome.trajectory, outcome.parameters
        view = np.array([[0.94, -0.34, 0.0], [0.10, 0.28, 0.95]])

        def flat(points: np.ndarray) -> np.ndarray:
            return points @ view.T

        low, high = float(run["x"].min()), float(run["x"].max())
        deep, far = float(run["y"].min()), float(run["y"].max())
        pad = p.edge
        x, y = np.array([low - pad, high + pad]), np.array([deep - pad, far + pad])
        floor = flat(np.column_stack([x[[0, 1, 1, 0]], y[[0, 0, 1, 1]], np.zeros(4)]))
        top = max(flat(np.array([[low, deep, p.height + pad]]))[0, 1], floor[:, 1].max())
        stage(axes, (floor[:, 0].min() - pad, floor[:, 0].max() + pad), (floor[:, 1].min() - pad, top + pad))
        axes.fill(*floor.T, color=GREY, alpha=0.18)
        path = flat(np.column_stack([run["x"], run["y"], run["z"]]))
        (trace,) = axes.plot([], [], color=ORANGE, linewidth=0.8)
        shadow = axes.plot([], [], color=GREY, linewidth=2, alpha=0.4)[0]
        edges = [axes.plot([], [], color=BLUE, linewidth=1.8)[0] for _ in EDGES]
        label = axes.set_title("")

        def redraw(i: int) -> None:
            points = self.corners(p, run, i)
            drawn = flat(points)
            for line, (first, second) in zip(edges, EDGES, strict=True):
                line.set_data(drawn[[first, second], 0], drawn[[first, second], 1])
            on_floor = flat(points * np.array([1.0, 1.0, 0.0]))
            order = np.argsort(np.arctan2(*(on_floor - on_floor.mean(axis=0)).T))
            shadow.set_data(on_floor[order, 0], on_floor[order, 1])
            trace.set_data(path[: i + 1 : 20, 0], path[: i + 1 : 20, 1])
            label.set_text(f"cube: t = {run['t'][i]:.2f} s, T + V = {run['kinetic'][i] + run['potential'][i]:.3f} J")

        return redraw
