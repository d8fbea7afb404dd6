"""Checks of a law by sampling: continuity, sign, passivity and the largest stable step."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ..errors import ParameterError, positive
from .design import step_limit
from .friction.dissipation import Dissipation, Friction
from .friction.friction_law import FrictionLaw
from .friction.step_friction import StepFriction
from .friction.user_friction import UserFriction
from .normal.normal_law import NormalLaw
from .normal.restriction import Barrier

SAMPLES = 201
"""Number of samples along each quantity."""

BISECTIONS = 40
"""Number of bisections that distinguish a jump between two samples from a steep rise."""

ROUND_OFF = 1e-9
"""Fraction of the largest force below which a deviation counts as round-off."""

LOADS = 100.0
"""A normal law is sampled down to the depth at which it carries this many times the weight of the mass."""

SHALLOWEST = 1e-6
"""Least depth in m down to which a normal law is sampled."""

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
    if isinstance(law, UserFriction | Dissipation | Friction | StepFriction):
        return _check_friction(law, mass, speed, normal)
    raise ParameterError(f"check_law takes a normal law or a friction law without internal memory, got {law!r}")


def _check_normal(law: NormalLaw, mass: float, speed: float) -> LawReport:
    """Sample the force over distance and speed."""
    depth, weak = _depth(law, mass)
    distances = np.linspace(law.s_0 - depth, law.s_0 + max(law.reach, 0.1 * depth), SAMPLES)
    speeds = speed * np.concatenate([-np.geomspace(1.0, 1e-6, 20), [0.0], np.geomspace(1e-6, 1.0, 20)])
    forces = np.asarray(law.force(distances[:, None], speeds[None, :]), float)
    if not np.isfinite(forces).all():
        return _not_finite(law)
    at_rest = _largest_jump(lambda s: float(law.force(s, 0.0)), distances)
    jump, where = max(at_rest, _largest_jump(lambda s: float(law.force(s, -speed)), distances))
    gains = np.diff(forces, axis=1)
    slope = np.abs(np.diff(forces, axis=0)).max() / (distances[1] - distances[0])
    damping = max(float((-np.diff(forces, axis=1) / np.diff(speeds)).max()), 0.0)
    limit = step_limit(np.array([[0.0, 1.0], [-slope / mass, -damping / mass]]), "euler")
    texts = {
        "jump": f"its force jumps by {jump:.3g} N at s = {round(where, 12):g} m",
        "sign": f"its force pulls, by up to {-forces.min():.3g} N: it should only push",
        "gain": f"its force grows with the separation speed, by up to {gains.max():.3g} N: it can supply energy",
    }
    more = [f"it cannot carry the weight of {mass:g} kg"] if weak else []
    if law.has_potential and not _fits(law, distances):
        more.append("its potential does not fit its force at rest")
    more += _not_monotone(law, distances)
    return _report(law, forces, jump, gains, limit, texts, more)


def _not_monotone(law: NormalLaw, distances: Samples) -> list[str]:
    """The finding of a law whose force at rest falls as the bodies come closer; a finite wall is meant to do so."""
    if isinstance(law, Barrier):
        return []
    at_rest = np.asarray(law.force(distances, 0.0), float)
    rises = np.diff(at_rest)
    worst = int(rises.argmax())
    if rises[worst] <= ROUND_OFF * float(np.abs(at_rest).max(initial=1e-300)):
        return []
    return [
        f"its activation is not monotone: at rest the force is smaller at s = {distances[worst]:.6g} m than at "
        f"{distances[worst + 1]:.6g} m, where the bodies are further apart"
    ]


def _fits(law: NormalLaw, distances: Samples) -> bool:
    """Whether the force at rest is the negative derivative of the potential."""
    step = 1e-3 * (distances[1] - distances[0])
    slope = (law.potential(distances - step) - law.potential(distances + step)) / (2.0 * step)
    force = law.force(distances, 0.0)
    return bool(np.allclose(slope, force, atol=1e-2 * float(np.abs(force).max()) + 1e-12))


def _not_finite(law: object) -> LawReport:
    """The report of a law that is not finite somewhere: nothing else can be said."""
    return LawReport(
        repr(law), False, False, math.nan, False, math.nan, False, 0.0, ("its force is not finite everywhere",)
    )  # fmt: skip


def _check_friction(
    law: UserFriction | Dissipation | Friction | StepFriction, mass: float, speed: float, normal: float
) -> LawReport:
    """Sample the force over the slip speed."""

    def force(v: float | Samples) -> Samples:
        return np.asarray(law.force(v) if isinstance(law, Dissipation) else law.force(v, normal), float)

    speeds = speed * np.concatenate([[0.0], np.geomspace(1e-9, 1.0, SAMPLES - 1)])
    forces = force(speeds)
    if not np.isfinite(forces).all():
        return _not_finite(law)
    jump, where = _largest_jump(lambda v: float(force(v)), speeds)
    at_rest = float(abs(forces[0]))
    if at_rest > jump:
        jump = at_rest
        where = 0.0
    slope = max(float((np.diff(forces) / np.diff(speeds)).max()), 0.0)
    limit = step_limit(np.array([[0.0, 1.0], [0.0, -slope / mass]]), "euler")
    texts = {
        "jump": f"its force jumps by {jump:.3g} N at v = {round(where, 12):g} m/s",
        "sign": f"its force drives the motion, by up to {-forces.min():.3g} N: it should act against it",
        "gain": "its force supplies energy to the sliding motion",
    }
    return _report(law, forces, jump, -forces, limit, texts, [])


def _report(
    law: object, forces: Samples, jump: float, gains: Samples, limit: float, texts: dict[str, str], more: list[str]
) -> LawReport:
    """The findings of samples, and more of them; positive `gains` are energy that the law supplies."""
    least = ROUND_OFF * float(np.abs(forces).max(initial=1e-300))
    continuous = jump <= least
    never_pulls = not float(forces.min()) < -least
    passive = not float(gains.max()) > least
    checks = (("jump", continuous), ("sign", never_pulls), ("gain", passive))
    findings = (*(texts[name] for name, holds in checks if not holds), *more)
    step = limit if continuous else 0.0
    most_negative = min(float(forces.min()), 0.0)
    return LawReport(repr(law), True, continuous, jump, never_pulls, most_negative, passive, step, findings)


def _depth(law: NormalLaw, mass: float) -> tuple[float, bool]:
    """Depth in m below s_0 down to which a law is sampled, and whether it cannot carry the weight of the mass."""
    for loads, factor in ((LOADS, 1.0), (1.0, 10.0)):
        try:
            depth = law.s_0 - law.rest_distance(loads * mass * 9.81)
        except ParameterError:
            continue
        return max(factor * depth, SHALLOWEST), False
    return max(10.0 * law.reach, 1e-2), True


def _largest_jump(force: Callable[[float], float], places: Samples) -> tuple[float, float]:
    """The largest jump of a force along a line of samples, and where; a steep rise is followed until it is flat."""
    samples = np.array([force(float(place)) for place in places])
    worst = 0.0
    where = 0.0
    for k in np.argsort(-np.abs(np.diff(samples)))[:10]:
        low = float(places[k])
        high = float(places[k + 1])
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
