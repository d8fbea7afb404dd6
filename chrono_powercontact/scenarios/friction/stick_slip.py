"""A mass pulled over a rough plane through a spring (section 2.3.2, Tables 2.1 to 2.3)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

import numpy as np

from ...laws.design import stable_friction_step
from ...laws.friction.anchor import Anchor
from ...laws.friction.dissipation import Dissipation
from ...laws.friction.lugre import LuGre
from ...laws.friction.memory import LPVFilter
from ...report.style import BLUE, GREY, RED, ground, panel, stage
from ...view.drawn import Touch
from ..events import episodes
from ..parameters import CHRONO, REFERENCE, choice, number
from ..scenario import Check, Metrics, Outcome, Redraw, Scenario, StepLimit, below
from ..scenes.moving_scenes import Planar, ball, block, plate, scene_of
from ..timing import every_tenth_millisecond
from .friction_tables import POWER
from .law_levels import STEP_ERROR, creep_speed, largest_friction
from .pulled_mass import PULL_TIME, RUN_TIME, SLIP_PAUSE, SLIP_SPEED, Pull, PullParameters, Signal, pulled_mass_model

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

    from ...progress import Progress
    from ...trajectory import Trajectory
    from ...view.recording import Recording

STEPS = {"fine": 1e-4, "coarse": 1e-2}
"""Step in s of each table; friction without memory takes a tenth of it."""

LONGEST = {("fine", "power"): 5e-3, ("fine", "anchored"): 2e-3}
"""Longest steps in s on Chrono with which the claims were seen to hold, by table and friction."""

STANDING = 1e-9
"""Way in m that a mass which stands may make in 2 s: round-off of its position, no creep."""

SIDE = 0.08
"""Edge in m of the mass as it is drawn."""


@dataclass(frozen=True)
class StickSlipParameters(PullParameters):
    """Stick-slip in one dimension."""

    table: str = choice("fine", "parameters of Table 2.2 (step 0.1 ms) or 2.3 (step 10 ms)", ("fine", "coarse"))
    friction: str = choice("power", "friction law", ("power", "lugre", "static", "anchored"))
    inherited: ClassVar[None]
    step: float = number(0.0, "integration step; 0 takes the table's", "s", minimum=0.0)

    def law(self) -> Dissipation | LuGre:
        """The friction law of the plane."""
        return self.lugre(self.table) if self.friction == "lugre" else self.power_law(self.table)

    def memory(self) -> LPVFilter | Anchor | None:
        """The filter of the power law, or the anchor."""
        if self.friction == "anchored":
            return self.anchor()
        return POWER[self.table].memory() if self.friction == "power" else None

    def lag(self) -> float:
        """Time constant in s of the memory; 0 where there is none."""
        memory = self.memory()
        if memory is None:
            return 0.0
        return memory.tau if isinstance(memory, Anchor) else memory.t_f

    def used_step(self) -> float:
        """Integration step in s: the given one, or the table's."""
        if self.step:
            return float(self.step)
        fraction = 0.1 if self.friction == "static" else 1.0
        return float(fraction * STEPS[self.table])


def straight_pull(speed: float) -> Pull:
    """The end of the spring moves along x with a speed in m/s until PULL_TIME."""

    def position(t: Signal) -> tuple[Signal, Signal]:
        return speed * np.minimum(t, PULL_TIME), 0.0 * t

    def velocity(t: Signal) -> tuple[Signal, Signal]:
        return speed * (t < PULL_TIME), 0.0 * t

    return Pull(position, velocity)


def slip_peaks(t: np.ndarray, friction: np.ndarray, slips: np.ndarray) -> list[float]:
    """Largest friction in N of each slip and of the sticking before it; slips are begins and ends in s."""
    before = np.concatenate([[0.0], slips[:-1, 1]]) if len(slips) else np.zeros(0)
    return [float(friction[(t >= a) & (t <= b)].max()) for a, b in zip(before, slips[:, 1], strict=True)]


class StickSlip(Scenario[StickSlipParameters]):
    """Stick-slip in one dimension; the spring end is stopped after 5 s."""

    name = "stick_slip"
    claim = (
        "The mass advances in stairs, friction rises to stiction before each slip (LuGre's only beyond Coulomb), and "
        "once the pull stops the mass stands, or creeps no faster than its law must under the spring."
    )
    source = "thesis 2.3.2, Tables 2.1-2.3"
    parameters = StickSlipParameters
    engines = (CHRONO, REFERENCE)
    recorded_with = {"table": "coarse", "step": 4e-4}
    also_recorded = {"fine": {"step": 1e-4}, "lugre": {"friction": "lugre", "step": 1e-4}}
    models = {law: {"friction": law} for law in ("power", "anchored", "lugre", "static")}
    compared = (("t", "x", "position in m"), ("t", "Ft_plane", "friction in N"))
    ranked = ("slip_starts", "max_speed", "peak_friction", "least_sliding_friction", "drift", "presliding")

    def step(self, p: StickSlipParameters) -> float:
        return p.used_step()

    def simulate(self, p: StickSlipParameters, progress: Progress) -> Trajectory:
        from ...lagrange.runs import run_rk4
        from ...lagrange.system import System

        numbers = {"m": p.mass, "k": p.k, "pull": p.pull_speed, "stop": PULL_TIME}
        memory = p.memory()
        memories = {"plane": memory} if memory is not None else {}
        system = System(pulled_mass_model(), numbers, frictions={"plane": p.law()}, memories=memories)
        h = p.used_step()
        return run_rk4(system, system.state([0.0], [0.0]), h, RUN_TIME, every_tenth_millisecond(h), progress)

    def simulate_chrono(self, p: StickSlipParameters, progress: Progress) -> Trajectory:
        from .friction_chrono import pulled_mass_scene

        names = ("x", "x_dot", "Ft_plane")
        scene = pulled_mass_scene(p, p.law(), p.memory(), straight_pull(p.pull_speed), names)
        h = p.used_step()
        return scene.run(h, RUN_TIME, every_tenth_millisecond(h), progress)

    def measure(self, p: StickSlipParameters, trajectory: Trajectory) -> Metrics:
        t = trajectory["t"]
        v = trajectory["x_dot"]
        friction = trajectory["Ft_plane"]
        slips = episodes(t, np.abs(v) - SLIP_SPEED, SLIP_PAUSE)
        sliding = v > 0.1
        at_1s, at_6s, at_end = (float(np.interp(time, t, trajectory["x"])) for time in (1.0, 6.0, RUN_TIME))
        return {
            "slip_starts": slips[:, 0].tolist(),
            "slip_ends": slips[:, 1].tolist(),
            "max_speed": float(v.max()),
            "peak_friction": float(friction.max()),
            "slip_peaks": slip_peaks(t, friction, slips),
            "least_sliding_friction": float(friction[sliding].min()) if np.any(sliding) else None,
            "drift": at_end - at_6s,
            "end_position": at_end,
            "end_speed": float(abs(v[-1])),
            "end_load": p.k * (p.pull_speed * PULL_TIME - at_end),
            "speed_at_stop": float(np.interp(PULL_TIME, t, v)),
            "presliding": at_1s,
            "ledger_error": float(np.abs(trajectory.ledger_error).max()),
        }

    def check(self, p: StickSlipParameters, metrics: Metrics) -> list[Check]:
        slips = len(metrics["slip_starts"])
        stairs = Check(f"{slips} slips, at least 2", slips >= 2)
        return [stairs, *self.check_peaks(p, metrics), self.check_rest(p, metrics)]

    def check_peaks(self, p: StickSlipParameters, metrics: Metrics) -> list[Check]:
        """Friction before each slip, between what its law must hold and what it can.

        A memory lags by its time constant, in which the pull adds k v T. LuGre, whose bristles slide before they
        break away, only promises more than the Coulomb level.
        """
        law = p.law()
        peaks = metrics["slip_peaks"]
        if not peaks:
            return []
        if isinstance(law, LuGre):
            least, most = p.f_c, p.f_s
        else:
            least = p.f_s - p.k * p.pull_speed * p.lag()
            most = largest_friction(law, metrics["max_speed"])
        text = f"friction before each slip {min(peaks):.4f} N to {max(peaks):.4f} N ({least:.4f} N to {most:.4f} N)"
        return [Check(text, (1.0 - STEP_ERROR) * least <= min(peaks) and max(peaks) <= (1.0 + STEP_ERROR) * most)]

    def check_rest(self, p: StickSlipParameters, metrics: Metrics) -> Check:
        """At the end: a law that sticks keeps its place, the thesis' law creeps as its static part says."""
        law = p.law()
        if isinstance(law, LuGre) or p.friction == "anchored":
            return below("way from 6 s to the end", abs(metrics["drift"]), STANDING, "m")
        creep = creep_speed(law, metrics["end_load"])
        return below("speed at the end, creep", metrics["end_speed"], (1.0 + STEP_ERROR) * creep, "m/s")

    def stable_step(self, p: StickSlipParameters) -> float | None:
        law = p.law()
        return stable_friction_step(law, p.mass, p.memory(), integrator="rk4") if isinstance(law, Dissipation) else None

    def long_step_limit(self, p: StickSlipParameters) -> StepLimit | None:
        longest = LONGEST.get((p.table, p.friction))
        if longest is None:
            return None
        why = "friction that falls with the speed has two solutions in a long step, and the mass slips too early"
        return StepLimit(longest, "the longest step with which the claims hold", why)

    def plot(self, outcome: Outcome[StickSlipParameters], figure: Figure) -> None:
        run = outcome.trajectory
        p = outcome.parameters
        t = run["t"]
        end = p.pull_speed * np.minimum(t, PULL_TIME)
        (a, b), (c, d) = figure.subplots(2, 2)
        panel(a, t, {"mass": run["x"], "spring end": end}, "position: stairs", "time in s", "x in m")
        panel(b, t, {"v": run["x_dot"]}, "speed", "time in s", "v in m/s")
        forces = {"friction": run["Ft_plane"], "spring": p.k * (end - run["x"])}
        panel(c, t, forces, "forces", "time in s", "force in N")
        heat = run["friction_heat"] - run["handed_back"]
        curves = {"work of the pull": run["drive_work"], "heat": heat, "spring": run["potential"]}
        panel(d, t, curves, "energy ledger", "time in s", "energy in J")

    def scene(self, outcome: Outcome[StickSlipParameters]) -> Recording:
        run = outcome.trajectory
        end = outcome.parameters.pull_speed * np.minimum(run["t"], PULL_TIME) + 0.1
        middle = 0.0 * run["x"] + 0.5 * SIDE
        bodies = [
            block("mass", (SIDE, SIDE, SIDE), Planar(run["x"] - 0.5 * SIDE, middle)),
            ball("end of the spring", 0.15 * SIDE, Planar(end, middle)),
            plate(end, 2.0 * SIDE),
        ]
        foot = Planar(run["x"] - 0.5 * SIDE, 0.0 * run["x"])
        contact = Touch(foot.point, 0.0, (0.0, 0.0, 1.0), (-run["Ft_plane"], 0.0, 0.0), "x_dot")
        return scene_of(self, outcome, bodies, [contact], ("x", "x_dot", "Ft_plane"))

    def animate(self, outcome: Outcome[StickSlipParameters], axes: Axes) -> Redraw:
        from matplotlib.patches import Rectangle

        run = outcome.trajectory
        p = outcome.parameters
        x = run["x"]
        friction = run["Ft_plane"]
        end = p.pull_speed * np.minimum(run["t"], PULL_TIME) + 0.1
        stage(axes, (-0.08, float(end.max()) + 0.05), (-0.06, 0.2))
        ground(axes)
        body = Rectangle((x[0] - SIDE, 0.0), SIDE, SIDE, color=BLUE)
        axes.add_patch(body)
        (spring,) = axes.plot([], [], color=GREY, linewidth=1.2)
        (force,) = axes.plot([], [], color=RED, linewidth=3)
        label = axes.set_title("")
        along = np.linspace(0.0, 1.0, 61)
        coils = np.where((along > 0.1) & (along < 0.9), np.sin(20.0 * np.pi * along), 0.0)
        zigzag = 0.5 * SIDE + 0.012 * coils

        def redraw(i: int) -> None:
            middle = x[i] - 0.5 * SIDE
            body.set_x(x[i] - SIDE)
            spring.set_data(x[i] + along * (end[i] - x[i]), zigzag)
            force.set_data([middle, middle - 0.05 * friction[i]], [0.004, 0.004])
            label.set_text(f"{p.friction}: t = {run['t'][i]:.2f} s, friction {friction[i]:.2f} N")

        return redraw
