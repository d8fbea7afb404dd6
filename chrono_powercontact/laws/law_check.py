"""Checks of a law by sampling: continuity, sign, passivity and the largest stable step."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ..errors import ParameterError, positive
from .design import step_limit
from .friction.custom_friction import CustomFriction
from .friction.dissipation import Dissipation, Friction
from .friction.friction_law import FrictionLaw
from .friction.step_friction import StepFriction
from .normal.normal_law import NormalLaw

SAMPLES = 201
"""Number of samples along each quantity."""

BISECTIONS = 40
"""Number of bisections that distinguish a jump between two samples from a steep rise."""

ROUND_OFF = 1e-9
"""Fraction of the largest force below which a deviation counts as round-off."""

LOADS = 100.0
"""A normal law is sampled down to the depth at which it carries this many times the weight of the mass."""

Samples = NDArray[np.float64]


@dataclass(frozen=True)
class LawReport:
    """The result of sampling a law.

    Attributes:
        law: its name and numbers.
        finite: whether every sample is a number. continuous: whether no jump was found; largest_jump: in N.
        never_pulls: whether the force never has the wrong sign; most_negative: the most negative force in N, or 0.
        passive: whether no sampled motion gains energy from it.
        stable_step: largest step in s that Chrono's default integrator may take with the mass: infinite if any step is
            stable, 0 if the force jumps.
        findings: one sentence for each defect.
    """

    law: str
    finite: bool
    continuous: bool
    largest_jump: float
    never_pulls: bool
    most_negative: float
    passive: bool
    stable_step: float
    findings: tuple[str, ...]

    @property
    def sound(self) -> bool:
        """Whether there are no findings."""
        return not self.findings

    def __str__(self) -> str:
        """The findings, or that there are none, and the largest stable step."""
        lines = [f"{self.law}: {'sound' if self.sound else 'needs attention'}"]
        lines += [f"  {text}" for text in self.findings]
        lines.append(f"  stable up to a step of {self.stable_step:.3g} s")
        return "\n".join(lines)


def check_law(law: NormalLaw | FrictionLaw, mass: float = 1.0, speed: float = 1.0, normal: float = 1.0) -> LawReport:
    """Sample a law for continuity, sign and passivity, and find its largest stable step.

    A law that fails a check may still be usable: Hooke's damper pulls at the end of an impact, and a jump of the force
    only costs accuracy.

    Args:
        mass: effective mass at the contact, in kg. speed: largest speed in m/s that is sampled.
        normal: normal force in N under which a friction law is sampled.
    """
    positive("mass", mass)
    positive("speed", speed)
    positive("normal", normal)
    if isinstance(law, NormalLaw):
        return _check_normal(law, mass, speed)
    if isinstance(law, CustomFriction | Dissipation | Friction | StepFriction):
        return _check_friction(law, mass, speed, normal)
    raise ParameterError(f"check_law takes a normal law or a friction law without internal memory, got {law!r}")


def _check_normal(law: NormalLaw, mass: float, speed: float) -> LawReport:
    """Sample the force over distance and speed."""
    depth = _depth(law, mass)
    distances = np.linspace(law.s_0 - depth, law.s_0 + max(law.reach, 0.1 * depth), SAMPLES)
    speeds = speed * np.concatenate([-np.geomspace(1.0, 1e-6, 20), [0.0], np.geomspace(1e-6, 1.0, 20)])
    forces = np.asarray(law.force(distances[:, None], speeds[None, :]), float)
    jump, where = _largest_jump(lambda s: float(law.force(s, 0.0)), distances, forces[:, speeds.size // 2])
    gains = np.diff(forces, axis=1)
    slope = np.abs(np.diff(forces, axis=0)).max() / (distances[1] - distances[0])
    damping = max(float((-np.diff(forces, axis=1) / np.diff(speeds)).max()), 0.0)
    limit = step_limit(np.array([[0.0, 1.0], [-slope / mass, -damping / mass]]), "euler")
    texts = {
        "jump": f"its force jumps by {jump:.3g} N at s = {where:g} m",
        "sign": f"its force pulls, by up to {-forces.min():.3g} N: it should only push",
        "gain": f"its force grows with the separation speed, by up to {gains.max():.3g} N: it can supply energy",
    }
    return _report(law, forces, jump, gains, limit, texts)


def _check_friction(
    law: CustomFriction | Dissipation | Friction | StepFriction, mass: float, speed: float, normal: float
) -> LawReport:
    """Sample the force over the slip speed."""

    def force(v: float | Samples) -> Samples:
        return np.asarray(law.force(v) if isinstance(law, Dissipation) else law.force(v, normal), float)

    speeds = speed * np.concatenate([[0.0], np.geomspace(1e-9, 1.0, SAMPLES - 1)])
    forces = force(speeds)
    jump, where = _largest_jump(lambda v: float(force(v)), speeds, forces)
    at_rest = float(abs(forces[0]))
    if at_rest > jump:
        jump = at_rest
        where = 0.0
    slope = max(float((np.diff(forces) / np.diff(speeds)).max()), 0.0)
    limit = step_limit(np.array([[0.0, 1.0], [0.0, -slope / mass]]), "euler")
    texts = {
        "jump": f"its force jumps by {jump:.3g} N at v = {where:g} m/s",
        "sign": f"its force drives the motion, by up to {-forces.min():.3g} N: it should act against it",
        "gain": "its force supplies energy to the sliding motion",
    }
    return _report(law, forces, jump, -forces, limit, texts)


def _report(
    law: object, forces: Samples, jump: float, gains: Samples, limit: float, texts: dict[str, str]
) -> LawReport:
    """The report on samples; positive `gains` mean that the law supplies energy."""
    finite = bool(np.isfinite(forces).all())
    least = ROUND_OFF * float(np.nanmax(np.abs(forces), initial=1e-300))
    continuous = jump <= least
    never_pulls = not float(np.nanmin(forces)) < -least
    passive = not float(np.nanmax(gains)) > least
    findings = [] if finite else ["its force is not finite everywhere"]
    checks = (("jump", continuous), ("sign", never_pulls), ("gain", passive))
    findings += [texts[name] for name, holds in checks if not holds]
    most_negative = min(float(np.nanmin(forces)), 0.0)
    step = limit if continuous else 0.0
    return LawReport(repr(law), finite, continuous, jump, never_pulls, most_negative, passive, step, tuple(findings))


def _depth(law: NormalLaw, mass: float) -> float:
    """Depth in m below s_0 to which a law is sampled."""
    try:
        return law.s_0 - law.rest_distance(LOADS * mass * 9.81)
    except ParameterError:
        return max(10.0 * law.reach, 1e-3)


def _largest_jump(force: Callable[[float], float], positions: Samples, samples: Samples) -> tuple[float, float]:
    """The largest jump of a force between samples, and its position; bisection separates it from a steep rise."""
    worst = 0.0
    where = math.nan
    for k in np.argsort(-np.abs(np.diff(samples)))[:10]:
        low = float(positions[k])
        high = float(positions[k + 1])
        for _ in range(BISECTIONS):
            middle = 0.5 * (low + high)
            if abs(force(middle) - force(low)) > abs(force(high) - force(middle)):
                high = middle
            else:
                low = middle
        step = abs(force(high) - force(low))
        if step > worst:
            worst = step
            where = high
    return worst, where
