"""An inverted double pendulum falls on the ground (sections 3.3.2 and 4.3.1, Tables 3.3 and 4.1)."""

from __future__ import annotations

import math
from functools import cache
from types import SimpleNamespace
from typing import TYPE_CHECKING

import numpy as np

from ...laws import Anchor, Friction, LPVFilter, Material, Restriction
from ...laws.design import stable_contact_step
from ..anchored import ANCHOR, anchor_of
from ..events import episodes
from ..impact.point_mass import energy_panel
from ..impact.rival_contacts import LAWS, matched
from ..parameters import Parameter, duration, mass, step
from ..scenario import Check, Metrics, Outcome, Redraw, Scenario, below
from ..scenes.chrono_scenes import pendulum_scene
from ..scenes.rival_scenes import BUILT_IN, in_impact, only_on_chrono, pendulum_under

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

    from ...lagrange.model import Model
    from ...lagrange.system import System
    from ...progress import Progress
    from ...trajectory import Trajectory

FRICTION_SPEED = 1e-4
"""v_C = vhat_S in m/s (Table 4.1)."""

GRAVITY = 9.81

MEMORY = LPVFilter(5e-4, 1e-5)
"""T_F = 0.5 ms and a closing rate of 1e-5 rad/s, per angle (Table 4.1)."""


@cache
def double_pendulum_model() -> Model:
    """Two point masses on massless rods, pivot at height y0 above the ground (3.34)-(3.36), (4.7)."""
    import sympy as sp

    from ...lagrange import ContactPoint, Model, coordinates, rate

    q, p = coordinates("phi1 phi2"), sp.symbols("m1 m2 l1 l2 y0 g", real=True)
    m1, m2, l1, l2, y0, g = p
    x1, y1 = l1 * sp.cos(q[0]), l1 * sp.sin(q[0])
    x2, y2 = x1 + l2 * sp.cos(q[0] + q[1]), y1 + l2 * sp.sin(q[0] + q[1])
    speed = [rate(e, q) for e in (x1, y1, x2, y2)]
    kinetic = m1 * (speed[0] ** 2 + speed[1] ** 2) / 2 + m2 * (speed[2] ** 2 + speed[3] ** 2) / 2
    points = (ContactPoint("1", y0 + y1), ContactPoint("2", y0 + y2, (speed[2],)))
    return Model("double_pendulum", q, kinetic, g * (m1 * y1 + m2 * y2), p, contacts=points)


class Pendulum(Scenario):
    """Impacts, sliding and rest of both masses; friction at the second mass."""

    name = "pendulum"
    claim = "Contacts and friction only take energy: T + V + U falls, and the ledger closes."
    source = "thesis 3.3.2 and 4.3.1, Tables 3.3 and 4.1"
    parameters = (
        Parameter("phi2_0", -math.pi / 2, "angle of the second rod at the start", "rad"),
        Parameter("mu_c", 0.0, "Coulomb coefficient at the second mass", minimum=0.0),
        Parameter("mu_s", 0.0, "stiction coefficient at the second mass; at least mu_c", minimum=0.0),
        Parameter("phi1_0", 3 * math.pi / 8, "angle of the first rod at the start", "rad"),
        Parameter(
            "memory",
            "coordinate",
            "filter per angle (the thesis) or at the point, or an anchor there",
            choices=("coordinate", "point", "anchored"),
        ),
        *ANCHOR,
        mass(0.1, "m1", "first mass"),
        mass(0.1, "m2", "second mass"),
        Parameter("l1", 0.1, "length of the first rod", "m", minimum=0.0, above=True),
        Parameter("l2", 0.1, "length of the second rod", "m", minimum=0.0, above=True),
        Parameter("y0", 0.01, "height of the pivot above the ground", "m"),
        Parameter("s_0", 0.01, "distance at which a contact begins", "m"),
        Parameter("s_c", 0.006, "distance at which the activation is complete; below s_0", "m"),
        Parameter("r_f", 400.0, "largest force of the ground", "N", minimum=0.0, above=True),
        Parameter("r_d", 4.0, "dissipation of the ground", "s/m", minimum=0.0),
        Parameter("law", "power", "contact law; rivals are matched at 1 m/s", choices=(*LAWS, *BUILT_IN)),
        duration(1.0),
        step(1e-4),
    )
    engines = ("chrono", "reference")
    chrono_defaults = {"memory": "point"}
    recorded_with = {"time": 0.5}
    models = {**{law: {"law": law} for law in (*LAWS, *BUILT_IN)}, "anchored": {"memory": "anchored"}}
    compared = (("t", "s_2", "height of mass 2 in m"), ("t", "F_2", "force at mass 2 in N"))
    ranked = ("contact_times_1", "contact_times_2", "rest_angles", "energy_end", "max_energy_gain", "energy_gain",
              "penetration")  # fmt: skip

    def materials(self, p: SimpleNamespace) -> dict[str, Material]:
        """The ground under each mass."""
        ground = matched(p.law, Restriction(p.s_0, p.s_c, p.r_f, p.r_d), p.m2, 1.0)
        friction = Friction(p.mu_c, p.mu_s, FRICTION_SPEED, FRICTION_SPEED)
        memories: dict[str, LPVFilter | Anchor] = {"point": MEMORY, "anchored": anchor_of(p)}
        return {"1": Material(ground), "2": Material(ground, friction, memories.get(p.memory))}

    def system(self, p: SimpleNamespace) -> System:
        """The model with its numbers."""
        from ...lagrange.system import System

        numbers = {"m1": p.m1, "m2": p.m2, "l1": p.l1, "l2": p.l2, "y0": p.y0, "g": GRAVITY}
        memory = {"phi1": MEMORY, "phi2": MEMORY} if p.memory == "coordinate" else None
        materials = self.materials(p)
        return System(double_pendulum_model(), numbers, materials, coordinate_memory=memory)

    def simulate(self, p: SimpleNamespace, progress: Progress) -> Trajectory:
        from ...lagrange.runs import run_rk4

        only_on_chrono(p.law)
        system = self.system(p)
        start = system.state([p.phi1_0, p.phi2_0], [0.0, 0.0])
        return run_rk4(system, start, p.step, p.time, max(round(1e-4 / p.step), 1), progress)

    def simulate_chrono(self, p: SimpleNamespace, progress: Progress) -> Trajectory:
        if p.law in BUILT_IN:
            law = Restriction(p.s_0, p.s_c, p.r_f, p.r_d)
            return pendulum_under(p, in_impact(law, p.m2, p.m2, p.mu_s, 1.0), GRAVITY, progress)
        scene = pendulum_scene(p, tuple(self.materials(p).values()), GRAVITY)
        return scene.run(p.step, p.time, max(round(1e-4 / p.step), 1), progress)

    def not_on_chrono(self, p: SimpleNamespace) -> str | None:
        if p.memory != "coordinate" or p.mu_s == 0.0:
            return None
        return "a filter per angle (memory=coordinate) is not possible on Chrono, only one at the point"

    def measure(self, p: SimpleNamespace, trajectory: Trajectory) -> Metrics:
        t = trajectory["t"]
        felt = p.law in BUILT_IN
        touching = {i: trajectory[f"F_{i}"] if felt else p.s_0 - trajectory[f"s_{i}"] for i in (1, 2)}
        contacts = {i: episodes(t, touching[i]) for i in (1, 2)}
        peaks = {
            i: [float(trajectory[f"F_{i}"][(t >= a) & (t <= b)].max(initial=0.0)) for a, b in contacts[i]]
            for i in (1, 2)
        }
        mechanical = trajectory["kinetic"] + trajectory["potential"]
        return {
            "contact_times_1": contacts[1][:, 0].tolist(),
            "contact_times_2": contacts[2][:, 0].tolist(),
            "contact_peaks_1": peaks[1],
            "contact_peaks_2": peaks[2],
            "rest_angles": [float(trajectory["phi1"][-1]), float(trajectory["phi2"][-1])],
            "rest_forces": [float(trajectory["F_1"][-1]), float(trajectory["F_2"][-1])],
            "energy_start": float(mechanical[0]),
            "energy_end": float(mechanical[-1]),
            "max_energy_gain": trajectory.max_energy_gain,
            "energy_gain": float(max((mechanical - mechanical[0]).max(), 0.0)),
            "penetration": max(float(p.s_0 - min(trajectory["s_1"].min(), trajectory["s_2"].min())), 0.0),
            "handed_back": float(trajectory["handed_back"][-1]),
            "ledger_error": float(np.abs(trajectory.ledger_error).max() / max(abs(trajectory.energy[0]), 1e-12)),
        }

    def behaves(self, p: SimpleNamespace, metrics: Metrics) -> list[Check]:
        swing = GRAVITY * (p.m1 * p.l1 + p.m2 * (p.l1 + p.l2))
        return [
            below("energy above the start", metrics["energy_gain"], 1e-3 * swing, "J"),
            below("depth over s_0", metrics["penetration"] / p.s_0, 1.0),
        ]

    def check(self, p: SimpleNamespace, metrics: Metrics) -> list[Check]:
        if p.law in BUILT_IN:
            return self.behaves(p, metrics)
        free = p.mu_s == 0.0
        allowed = 1e-9 if free else metrics["handed_back"] + 1e-9
        return [
            below("largest rise of T + V + U", metrics["max_energy_gain"], allowed, "J"),
            below("ledger error over start energy", metrics["ledger_error"], 1e-4),
        ]

    def stable_step(self, p: SimpleNamespace) -> float | None:
        if p.law != "power":
            return None
        system = self.system(p)
        masses = system.effective_mass([p.phi1_0, p.phi2_0]).values()
        return stable_contact_step(Restriction(p.s_0, p.s_c, p.r_f, p.r_d), min(masses))

    def joints(self, p: SimpleNamespace, run: Trajectory) -> tuple[np.ndarray, np.ndarray]:
        """x and y in m of pivot, first and second mass, one column per record."""
        a, b = run["phi1"], run["phi1"] + run["phi2"]
        x = np.array([0.0 * a, p.l1 * np.cos(a), p.l1 * np.cos(a) + p.l2 * np.cos(b)])
        y = np.array([0.0 * a, p.l1 * np.sin(a), p.l1 * np.sin(a) + p.l2 * np.sin(b)])
        return x, y + p.y0

    def plot(self, outcome: Outcome, figure: Figure) -> None:
        from ...report.style import panel

        run, ((a, b), (c, d)) = outcome.trajectory, figure.subplots(2, 2)
        t = run["t"]
        panel(a, t, {"phi1": run["phi1"], "phi2": run["phi2"]}, "angles", "time in s", "angle in rad")
        panel(
            b,
            t,
            {"mass 1": run["s_1"] * 1e3, "mass 2": run["s_2"] * 1e3},
            "heights above the ground",
            "time in s",
            "height in mm",
        )
        panel(c, t, {"F 1": run["F_1"], "F 2": run["F_2"]}, "normal forces", "time in s", "force in N")
        energy_panel(d, run)

    def animate(self, outcome: Outcome, axes: Axes) -> Redraw:
        from ...report.style import BLUE, ORANGE, ground, stage

        run, p = outcome.trajectory, outcome.parameters
        x, y = self.joints(p, run)
        reach = 1.1 * (p.l1 + p.l2)
        stage(axes, (-0.3 * reach, reach), (-0.15 * reach, 0.75 * reach))
        ground(axes)
        (trace,) = axes.plot([], [], color=ORANGE, linewidth=0.8, alpha=0.7)
        (rods,) = axes.plot([], [], "o-", color=BLUE, linewidth=3, markersize=9)
        label = axes.set_title("")

        def redraw(i: int) -> None:
            rods.set_data(x[:, i], y[:, i])
            trace.set_data(x[2, : i + 1 : 5], y[2, : i + 1 : 5])
            label.set_text(f"pendulum: t = {run['t'][i]:.3f} s, F = {run['F_1'][i]:.1f} and {run['F_2'][i]:.1f} N")

        return redraw
