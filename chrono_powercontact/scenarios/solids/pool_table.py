"""A pool table: follow, draw, cut and throw against the closed forms of the literature."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np

from ...chrono.api.bridge import pychrono
from ...chrono.attachment import attach
from ...chrono.contact.shapes import Plane, Sphere
from ...chrono.run.recorder import Samples
from ...laws.design import design_restriction
from ...laws.friction.anchor import Anchor
from ...laws.friction.dissipation import Friction
from ...laws.material import Material
from ...progress import Progress, part_of
from ...report.style import PALETTE, panel
from ...trajectory import Trajectory
from ..constants import GRAVITY
from ..parameters import CHRONO, Timed, chrono_integrator, number, run_length, time_step
from ..scenario import Check, Metrics, Outcome, Scenario, StepLimit, below
from ..scenes.chrono_scenes import Columns, add_body, new_scene, record, watch
from .pool_shots import ROUND, Shot, Struck, impact, line_of_centres, rolling_velocity, spin_of, time_to_roll

if TYPE_CHECKING:
    from matplotlib.figure import Figure

BALLS = ("cue", "other")
APART = 5e-4
"""Gap between the balls at the start in m, beyond the reach of their law."""
CLOTH_SPEED = 0.05
CLOTH_PENETRATION = 5e-6
"""Impact from which the law of the cloth is designed: speed in m/s and penetration in m."""
SPEED_ERROR = 0.01
THROW_ERROR = 0.1
"""Largest error of a rolling velocity, relative to the speed of the shot, and of the angle of throw in deg."""


@dataclass(frozen=True)
class PoolTableParameters(Timed):
    """Four shots of the same speed at the same ball."""

    speed: float = number(2.0, "speed of the cue ball as it strikes", "m/s", above=0.0, maximum=20.0)
    angle: float = number(30.0, "cut angle of the shots `cut` and `throw`", "deg", minimum=0.0, maximum=80.0)
    radius: float = number(0.02857, "radius of a ball", "m", above=0.0)
    mass: float = number(0.17, "mass of a ball", "kg", above=0.0)
    mu_cloth: float = number(0.2, "friction coefficient of the cloth", above=0.0)
    mu_ball: float = number(0.06, "friction coefficient between the balls in the shot `throw`", minimum=0.0)
    restitution: float = number(0.95, "restitution between the balls at the speed of the shot", above=0.0, maximum=1.0)
    time: float = run_length(1.0)
    step: float = time_step(1e-3)
    integrator: str = chrono_integrator("euler_implicit_linearized")

    def shots(self) -> dict[str, Shot]:
        """The four shots by name."""
        cut = math.radians(self.angle)
        return {
            "follow": Shot(0.0, 1.0, 0.0),
            "draw": Shot(0.0, -1.0, 0.0),
            "cut": Shot(cut, 1.0, 0.0),
            "throw": Shot(cut, 0.0, self.mu_ball),
        }

    def cloth(self) -> Material:
        """The laws between ball and cloth."""
        law = design_restriction(
            s_0=0.0, mass=self.mass, speed=CLOTH_SPEED, restitution=0.3, penetration=CLOTH_PENETRATION,
            force_limit=16.0 * self.mass * CLOTH_SPEED**2 / CLOTH_PENETRATION,
        )  # fmt: skip
        return Material(law, Friction(self.mu_cloth, self.mu_cloth, 1e-3), Anchor(1e-6))

    def phenolic(self, shot: Shot) -> Material:
        """The laws between the balls; their impact is as fast as the line of centres sees it."""
        speed = self.speed * math.cos(shot.angle)
        penetration = 2e-3 * self.radius
        law = design_restriction(
            s_0=0.0, mass=0.5 * self.mass, speed=speed, restitution=self.restitution, penetration=penetration,
            force_limit=8.0 * self.mass * speed**2 / penetration,
        )  # fmt: skip
        friction = Friction(shot.friction, shot.friction, 1e-3) if shot.friction > 0.0 else None
        return Material(law, friction)


def play(p: PoolTableParameters, shot: Shot, progress: Progress) -> Trajectory:
    """A shot on Chrono; columns x, y, x_dot, y_dot and z of both balls."""
    system, table = new_scene((0.0, 0.0, -GRAVITY))
    contacts = attach(system)
    cloth = p.cloth()
    height = p.radius + cloth.normal.rest_distance(p.mass * GRAVITY)
    moment = ROUND * p.mass * p.radius**2
    centres = (np.zeros(3), (2.0 * p.radius + APART) * line_of_centres(shot))
    places = [(float(x), float(y), height) for x, y, _ in centres]
    balls = [add_body(system, name, p.mass, moment, at) for name, at in zip(BALLS, places, strict=True)]
    chrono = pychrono()
    balls[0].SetPosDt(chrono.ChVector3d(p.speed, 0.0, 0.0))
    balls[0].SetAngVelLocal(chrono.ChVector3d(*map(float, spin_of(shot, p.speed, p.radius))))
    shapes = [Sphere(ball, radius=p.radius) for ball in balls]
    for shape in shapes:
        contacts.add(shape, Plane(table), cloth)
    cue, other = shapes
    contacts.add(cue, other, p.phenolic(shot))

    def columns(samples: Samples) -> Columns:
        found: dict[str, Any] = {}
        for k, name in enumerate(BALLS):
            found |= {f"{axis}_{name}": samples.x[:, k, i] for i, axis in enumerate("xyz")}
            found |= {f"{axis}_dot_{name}": samples.w[:, k, i] for i, axis in enumerate("xy")}
        return found

    scene = watch(system, p.time)
    run = record(contacts, balls, columns, p, progress)
    system.Clear()
    return replace(run, scene=scene.finished())


def final_velocities(struck: Struck, radius: float) -> list[np.ndarray]:
    """Velocities in m/s at which both balls roll after an impact."""
    return [rolling_velocity(v, spin, radius) for v, spin in zip(*struck, strict=True)]


class PoolTable(Scenario[PoolTableParameters]):
    """An impact with friction is followed by sliding that turns into rolling: all of it is known in closed form."""

    name = "pool_table"
    claim = (
        "After follow, draw, cut and throw both balls roll as fast and as far to the side as impulses and sliding "
        "friction say, to 1 % of the speed of the shot; the angle of throw is that of the literature to 0.1 degree."
    )
    source = "G. Coriolis, Théorie mathématique des effets du jeu de billard, 1835; D. G. Alciatore, TP A.4 and TP A.14"
    parameters = PoolTableParameters
    engines = (CHRONO,)

    def simulate(self, p: PoolTableParameters, progress: Progress) -> Trajectory:
        return self.simulate_chrono(p, progress)

    def simulate_chrono(self, p: PoolTableParameters, progress: Progress) -> Trajectory:
        shots = p.shots()
        runs = []
        for k, shot in enumerate(shots.values()):
            runs.append(play(p, shot, part_of(progress, k, len(shots))))
        names = [f"{column}_{shot}" for shot, run in zip(shots, runs, strict=True) for column in run.names[1:]]
        data = np.hstack([runs[0].data[:, :1], *(run.data[:, 1:] for run in runs)])
        cost = float(np.mean([run.step_cost for run in runs]))
        return Trajectory(("t", *names), data, sum(run.steps for run in runs), cost, scene=runs[-1].scene)

    def long_step_limit(self, p: PoolTableParameters) -> StepLimit:
        why = "a ball that changes from sliding to rolling within a step does so at its end"
        return StepLimit(1e-2, "the longest step that follows the shots", why)

    def measure(self, p: PoolTableParameters, trajectory: Trajectory) -> Metrics:
        metrics: Metrics = {}
        slowest = 0.0
        for name, shot in p.shots().items():
            struck = impact(shot, p.speed, p.radius, p.restitution)
            expected = final_velocities(struck, p.radius)
            for k, ball in enumerate(BALLS):
                found = [trajectory[f"{axis}_dot_{ball}_{name}"][-1] for axis in "xy"]
                metrics[f"{name}_{ball}_speed"] = float(np.hypot(*found))
                metrics[f"{name}_{ball}_error"] = float(np.hypot(*(found - expected[k][:2]))) / p.speed
                motion = struck.velocities[k], struck.spins[k], p.radius
                slowest = max(slowest, time_to_roll(*motion, p.mu_cloth * GRAVITY))
        metrics["time_to_roll"] = slowest
        metrics["throw_angle"] = self._thrown(p, trajectory)
        n = line_of_centres(p.shots()["throw"])
        metrics["closed_form_throw"] = _angle_from(
            n, impact(p.shots()["throw"], p.speed, p.radius, p.restitution).velocities[1]
        )
        metrics["step_cost"] = trajectory.step_cost
        return metrics

    def _thrown(self, p: PoolTableParameters, run: Trajectory) -> float:
        """Angle in deg by which the struck ball leaves the line of centres, from its path."""
        path = np.array([run[f"{axis}_other_throw"][-1] - run[f"{axis}_other_throw"][0] for axis in "xy"])
        return _angle_from(line_of_centres(p.shots()["throw"]), path)

    def check(self, p: PoolTableParameters, metrics: Metrics) -> list[Check]:
        checks = [
            below(
                f"error of the {ball} ball after {shot}, over the speed", metrics[f"{shot}_{ball}_error"], SPEED_ERROR
            )
            for shot in p.shots()
            for ball in BALLS
        ]
        missed = abs(metrics["throw_angle"] - metrics["closed_form_throw"])
        return [*checks, below("error of the angle of throw", missed, THROW_ERROR, "deg")]

    def plot(self, outcome: Outcome[PoolTableParameters], figure: Figure) -> None:
        run = outcome.trajectory
        p = outcome.parameters
        a, b = figure.subplots(1, 2)
        for colour, shot in zip(PALETTE, p.shots(), strict=False):
            a.plot(run[f"x_cue_{shot}"], run[f"y_cue_{shot}"], color=colour)
            a.plot(run[f"x_other_{shot}"], run[f"y_other_{shot}"], "--", color=colour)
        a.set(title="paths of cue ball and other ball (dashed)", xlabel="x in m", ylabel="y in m", aspect="equal")
        speeds = {shot: np.hypot(run[f"x_dot_cue_{shot}"], run[f"y_dot_cue_{shot}"]) for shot in p.shots()}
        panel(b, run["t"], speeds, "speed of the cue ball", "time in s", "m/s")


def _angle_from(line: np.ndarray, path: np.ndarray) -> float:
    """Angle in deg between a line and a straight path in the plane; positive to the left of the line."""
    return math.degrees(math.atan2(line[0] * path[1] - line[1] * path[0], line[0] * path[0] + line[1] * path[1]))
