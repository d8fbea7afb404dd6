"""A mass pulled over a rough plane through a spring (section 2.4.1, Tables 2.1 to 2.3)."""

from __future__ import annotations

from functools import cache
from types import SimpleNamespace
from typing import TYPE_CHECKING

import numpy as np

from ...errors import ParameterError
from ...laws import Anchor, Dissipation, LPVFilter, LuGre
from ...laws.design import stable_friction_step
from ..anchored import ANCHOR, anchor_of
from ..events import episodes
from ..parameters import Parameter, mass
from ..scenario import Check, Metrics, Outcome, Redraw, Scenario, below

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

    from ...lagrange.model import Model
    from ...progress import Progress
    from ...trajectory import Trajectory

SLIP_SPEED = 0.01
"""A mass faster than this, in m/s, slips."""

SLIP_PAUSE = 0.05
"""A slip may pause for this long, in s, while the speed rings at its end."""

PULL_TIME, RUN_TIME = 5.0, 8.0

POWER = {"fine": (5e-5, 1e-4, 3e-4, 1e-4), "coarse": (0.005, 0.01, 0.03, 0.001)}
"""v_C, vhat_S in m/s, T_F in s and v_F in m/s of the power law: Tables 2.2 and 2.3."""

LUGRE = {"fine": (1e4, 100.0), "coarse": (600.0, 20.0)}
"""Bristle stiffness in N/m and damping in N s/m: Tables 2.2 and 2.3. The Stribeck speed 0.02 m/s is inferred."""

TABLE_2_1 = (
    Parameter("pull_speed", 0.1, "speed of the spring end", "m/s", minimum=0.0, above=True),
    mass(0.1),
    Parameter("k", 10.0, "stiffness of the spring", "N/m", minimum=0.0, above=True),
    Parameter("f_c", 1.0, "Coulomb amplitude", "N", minimum=0.0),
    Parameter("f_s", 1.4, "stiction amplitude; at least f_c", "N", minimum=0.0),
    Parameter("d", 0.1, "viscous coefficient", "N s/m", minimum=0.0),
)
"""Mass, spring and friction amplitudes, with the inferred pull speed."""

STEPS = {"fine": 1e-4, "coarse": 1e-2}


@cache
def pulled_mass_model() -> Model:
    """Mass m on a plane, spring k to an end that moves with `pull` until `stop` (2.32)."""
    import sympy as sp

    from ...lagrange import TIME, FrictionPoint, Model, coordinates, velocities

    (q,), (m, k, pull, stop) = coordinates("x"), sp.symbols("m k pull stop", real=True)
    (v,) = velocities((q,))
    stretch = pull * sp.Min(TIME, stop) - q
    plane = FrictionPoint("plane", (v,))
    return Model("pulled_mass", (q,), m * v**2 / 2, k * stretch**2 / 2, (m, k, pull, stop), frictions=(plane,))


class StickSlip(Scenario):
    """Stick-slip in one dimension; the spring end is stopped after 5 s."""

    name = "stick_slip"
    claim = (
        "The mass advances in stairs, friction rises to stiction before each slip, and it stands once the pull stops."
    )
    source = "thesis 2.4.1, Tables 2.1-2.3"
    engines = ("chrono", "reference")
    recorded_with = {"table": "coarse", "step": 4e-4}
    parameters = (
        Parameter(
            "table", "fine", "parameters of Table 2.2 (step 0.1 ms) or 2.3 (step 10 ms)", choices=("fine", "coarse")
        ),
        Parameter("friction", "power", "friction law", choices=("power", "lugre", "static", "anchored")),
        *TABLE_2_1,
        *ANCHOR,
        Parameter("step", 0.0, "integration step; 0 takes the table's", "s", minimum=0.0),
    )

    models = {law: {"friction": law} for law in ("power", "anchored", "lugre", "static")}
    compared = (("t", "x", "position in m"), ("t", "Ft_plane", "friction in N"))
    ranked = ("slip_starts", "max_speed", "peak_friction", "least_sliding_friction", "drift", "presliding")

    def law(self, p: SimpleNamespace) -> Dissipation | LuGre:
        """The friction law of the plane."""
        if p.friction == "lugre":
            return LuGre(p.f_c, p.f_s, 0.02, *LUGRE[p.table], p.d)
        v_c, v_s, _, _ = POWER[p.table]
        return Dissipation(p.f_c, p.f_s, v_c, v_s, p.d)

    def memory(self, p: SimpleNamespace) -> LPVFilter | Anchor | None:
        """The filter of the power law, or the anchor."""
        if p.friction == "anchored":
            return anchor_of(p)
        return LPVFilter(*POWER[p.table][2:]) if p.friction == "power" else None

    def simulate(self, p: SimpleNamespace, progress: Progress) -> Trajectory:
        from ...lagrange.runs import run_rk4
        from ...lagrange.system import System

        numbers = {"m": p.mass, "k": p.k, "pull": p.pull_speed, "stop": PULL_TIME}
        memory = self.memory(p)
        memories = {"plane": memory} if memory is not None else {}
        system = System(pulled_mass_model(), numbers, frictions={"plane": self.law(p)}, memories=memories)
        h = self.step(p)
        return run_rk4(system, system.state([0.0], [0.0]), h, RUN_TIME, max(round(1e-4 / h), 1), progress)

    def not_on_chrono(self, p: SimpleNamespace) -> str | None:
        return "LuGre friction (friction=lugre) runs on the reference engine only" if p.friction == "lugre" else None

    def simulate_chrono(self, p: SimpleNamespace, progress: Progress) -> Trajectory:
        from .pulled_mass import Signal, pulled_mass_scene

        def end(t: Signal) -> tuple[Signal, Signal]:
            return p.pull_speed * np.minimum(t, PULL_TIME), 0.0 * t

        def speed(t: Signal) -> tuple[Signal, Signal]:
            return p.pull_speed * (t < PULL_TIME), 0.0 * t

        law, memory = self.law(p), self.memory(p)
        if isinstance(law, LuGre):
            raise ParameterError(f"{self.not_on_chrono(p)}")
        scene = pulled_mass_scene(p, law, memory, end, speed, ("x", "x_dot", "Ft_plane"))
        h = self.step(p)
        return scene.run(h, RUN_TIME, max(round(1e-4 / h), 1), progress)

    def step(self, p: SimpleNamespace) -> float:
        """Integration step in s: the given one, or the table's."""
        return float(p.step or (0.1 if p.friction == "static" else 1.0) * STEPS[p.table])

    def measure(self, p: SimpleNamespace, trajectory: Trajectory) -> Metrics:
        t, x, v = trajectory["t"], trajectory["x"], trajectory["x_dot"]
        slips = episodes(t, np.abs(v) - SLIP_SPEED, SLIP_PAUSE)
        at = {time: float(np.interp(time, t, x)) for time in (1.0, PULL_TIME, 6.0, RUN_TIME)}
        return {
            "slip_starts": slips[:, 0].tolist(),
            "slip_ends": slips[:, 1].tolist(),
            "max_speed": float(v.max()),
            "peak_friction": float(trajectory["Ft_plane"].max()),
            "least_sliding_friction": float(trajectory["Ft_plane"][v > 0.1].min()) if np.any(v > 0.1) else None,
            "drift": at[RUN_TIME] - at[6.0],
            "end_position": at[RUN_TIME],
            "end_speed": float(abs(v[-1])),
            "speed_at_stop": float(np.interp(PULL_TIME, t, v)),
            "presliding": at[1.0],
            "ledger_error": float(np.abs(trajectory.ledger_error).max()),
        }

    def check(self, p: SimpleNamespace, metrics: Metrics) -> list[Check]:
        peak = metrics["peak_friction"] / p.f_s if p.f_s else 1.0
        return [
            Check(f"{len(metrics['slip_starts'])} slips, at least 2", len(metrics["slip_starts"]) >= 2),
            Check(f"friction peaks at {peak:.3f} of the stiction level (0.8 to 1.05)", 0.8 <= peak <= 1.05),
            below("speed at the end", metrics["end_speed"], SLIP_SPEED, "m/s"),
        ]

    def stable_step(self, p: SimpleNamespace) -> float | None:
        law = self.law(p)
        return stable_friction_step(law, p.mass, self.memory(p)) if isinstance(law, Dissipation) else None

    def plot(self, outcome: Outcome, figure: Figure) -> None:
        from ...report.style import panel

        run, p, ((a, b), (c, d)) = outcome.trajectory, outcome.parameters, figure.subplots(2, 2)
        t, end = run["t"], p.pull_speed * np.minimum(run["t"], PULL_TIME)
        panel(a, t, {"mass": run["x"], "spring end": end}, "position: stairs", "time in s", "x in m")
        panel(b, t, {"v": run["x_dot"]}, "speed", "time in s", "v in m/s")
        panel(
            c, t, {"friction": run["Ft_plane"], "spring": p.k * (end - run["x"])}, "forces", "time in s", "force in N"
        )
        heat = run["friction_heat"] - run["handed_back"]
        curves = {"work of the pull": run["drive_work"], "heat": heat, "spring": run["potential"]}
        panel(d, t, curves, "energy ledger", "time in s", "energy in J")

    def animate(self, outcome: Outcome, axes: Axes) -> Redraw:
        from matplotlib.patches import Rectangle

        from ...report.style import BLUE, GREY, RED, ground, stage

        run, p = outcome.trajectory, outcome.parameters
        x, end = run["x"], p.pull_speed * np.minimum(run["t"], PULL_TIME) + 0.1
        side = 0.08
        stage(axes, (-0.08, float(end.max()) + 0.05), (-0.06, 0.2))
        ground(axes)
        body = Rectangle((x[0] - side, 0.0), side, side, color=BLUE)
        axes.add_patch(body)
        (spring,) = axes.plot([], [], color=GREY, linewidth=1.2)
        (force,) = axes.plot([], [], color=RED, linewidth=3)
        label = axes.set_title("")
        share = np.linspace(0.0, 1.0, 61)
        zigzag = 0.5 * side + 0.012 * np.where((share > 0.1) & (share < 0.9), np.sin(20.0 * np.pi * share), 0.0)

        def redraw(i: int) -> None:
            body.set_x(x[i] - side)
            spring.set_data(x[i] + share * (end[i] - x[i]), zigzag)
            force.set_data([x[i] - 0.5 * side, x[i] - 0.5 * side - 0.05 * run["Ft_plane"][i]], [0.004, 0.004])
            label.set_text(f"{p.friction}: t = {run['t'][i]:.2f} s, friction {run['Ft_plane'][i]:.2f} N")

        return redraw
