"""The stages S0 to S4 of the model: which friction, stops and foot contact the leg has, as one record."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ....errors import ParameterError, UnknownNameError
from ....laws.friction.anchor import Anchor
from ....laws.friction.dissipation import Dissipation, Friction
from ....laws.friction.friction_table import FRICTION, friction_record
from ....laws.friction.lugre import LuGre
from ....laws.friction.memory import LPVFilter, LTIFilter
from ....laws.normal.normal_table import NORMAL, normal_record
from ....laws.normal.restriction import Restriction
from .leg_kinematics import poses_along
from .trainer_leg import LEG, Leg

JointFriction = Dissipation | LuGre

STAGES = ("s0", "s1", "s2", "s3", "s4")
MEMORIES = ("lpv", "lti", "anchored")
"""Memories that the friction of S2 and beyond may have."""

WAVE = np.dtype([(name, np.float64) for name in ("amplitude", "period", "phase")])
"""How a friction varies along its axis: amplitude as a fraction, period in rad or m, phase in rad."""

STAGE = np.dtype(
    [
        ("leg", LEG),
        ("coriolis", np.int64),
        ("own_slip", np.int64),
        ("patient", np.float64, 2),
        ("s_lower", np.float64),
        ("s_upper", np.float64),
        ("hip_wave", WAVE),
        ("slide_wave", WAVE),
        ("hip", FRICTION),
        ("slide", FRICTION),
        ("knee", NORMAL),
        ("lower", NORMAL),
        ("upper", NORMAL),
        ("foot", NORMAL),
        ("foot_friction", FRICTION),
    ]
)
"""A stage as the kernels read it: the leg; whether Coriolis terms act, and whether the tip of the foot slides with its
own speed; torque in N m and force in N of the patient on hip and slide; ends of the guide in m; how the friction of the
axes varies; and the laws of axes, stops and foot."""

ANCHORS = (Anchor(1e-3, 2e-3), Anchor(2e-4, 2e-3))
"""Presliding in rad and m, and damping in s, of the anchored friction of hip and slide; our choice."""

FREE = Dissipation(0.0, 0.0, 1.0)
NOTHING = Restriction(1.0, 0.0, 0.0, 0.0)
SLICK = Friction(0.0, 0.0, 1.0)

KNEE_STOP = Restriction.from_steepness(100.0, -9.6e-3, 50.0, 1.5)
"""Knee stop of Table 5.1 over the knee angle in rad, torque in N m."""

SLIDE_STOP = Restriction(5e-3, 1e-3, 2000.0, 2.0)
"""Ends of the guide; our choice, for the thesis gives no values."""

FOOT_STOP = Restriction(0.010, 0.004, 600.0, 2.0)
FOOT_FRICTION = Friction(0.25, 0.30, 0.01, 0.02)
FOOT_MEMORY = LPVFilter(0.01, 0.01)
"""Tip of the foot unit on the guide; our choice, for the thesis gives no values. The filter is that of the point."""

S_RANGE = (0.0, 0.55)
"""Lower and upper end of the guide in m; the upper one is our choice."""


@dataclass(frozen=True)
class Axis:
    """Friction of one axis.

    Attributes:
        law: its law, in N m and rad/s at the hip, in N and m/s at the slide. memory: its filter, None is static.
        wave: fraction by which the amplitude varies along the axis, period in rad or m, phase in rad.
    """

    law: JointFriction = FREE
    memory: LTIFilter | Anchor | None = None
    wave: tuple[float, float, float] = (0.0, 1.0, 0.0)

    @property
    def record(self) -> Any:
        """The law and its memory as the kernels read them."""
        return friction_record(self.law, self.memory)


TABLE_5_1 = (
    Axis(Dissipation(4.0, 5.0, 0.1, 0.2), LPVFilter(0.2, 0.1)),
    Axis(Dissipation(35.0, 45.0, 0.1, 0.2), LPVFilter(0.2, 0.1)),
)
"""Friction of hip and slide as the thesis tuned it for the observer."""

SHARP = (
    Axis(Dissipation(4.0, 5.0, 0.01, 0.02), LPVFilter(0.01, 0.01)),
    Axis(Dissipation(35.0, 45.0, 0.005, 0.01), LPVFilter(0.01, 0.005)),
)
"""The amplitudes of Table 5.1 with a tenth to a twentieth of its speeds and times, closer to a real joint; ours."""

BRISTLES = (Axis(LuGre(4.0, 5.0, 0.04, 2e3, 10.0)), Axis(LuGre(35.0, 45.0, 0.02, 1e5, 500.0)))
"""LuGre friction of the same amplitudes, for a plant of another structure; our choice."""

FRICTIONS = {"table": TABLE_5_1, "sharp": SHARP, "lugre": BRISTLES}


@dataclass(frozen=True)
class Stage:
    """A leg with its friction, stops and foot contact.

    Attributes:
        leg: lengths, masses, springs. hip, slide: friction of the axes.
        knee: law over the knee angle in rad. lower, upper: laws of the guide's ends. limits: those ends in m.
        foot, foot_friction: normal law and friction of the tip on the guide; None where the stage has no such contact.
        foot_memory: filter at the tip; None lets the tip's friction follow the speed of the slide, into its filter,
            as the thesis does (5.34)-(5.36).
        coriolis: whether Coriolis and centrifugal terms act; the thesis leaves them out.
        patient: torque in N m on the hip and force in N on the slide of the patient, beside the drives.
    """

    leg: Leg = field(default_factory=Leg)
    hip: Axis = field(default_factory=Axis)
    slide: Axis = field(default_factory=Axis)
    knee: Restriction | None = None
    lower: Restriction | None = None
    upper: Restriction | None = None
    limits: tuple[float, float] = S_RANGE
    foot: Restriction | None = None
    foot_friction: Friction = SLICK
    foot_memory: LTIFilter | Anchor | None = None
    coriolis: bool = False
    patient: tuple[float, float] = (0.0, 0.0)

    @property
    def record(self) -> Any:
        """The stage as the kernels read it."""
        record = np.zeros(1, STAGE)[0]
        record["leg"] = self.leg.record
        record["coriolis"] = self.coriolis
        record["own_slip"] = self.foot_memory is not None
        record["patient"] = self.patient
        record["s_lower"], record["s_upper"] = self.limits
        for name in ("hip", "slide"):
            axis = getattr(self, name)
            record[f"{name}_wave"] = axis.wave
            record[name] = axis.record
        for name in ("knee", "lower", "upper", "foot"):
            record[name] = normal_record(getattr(self, name) or NOTHING)
        record["foot_friction"] = friction_record(self.foot_friction, self.foot_memory)
        return record

    @property
    def numbers(self) -> NDArray[np.float64]:
        """The same record as the plain vector that a filter's model takes."""
        return np.array([self.record]).view(np.float64)

    def check_start(self, phi: float, s: float) -> None:
        """Raise where the leg cannot be at a position, or has crossed a stop there."""
        self.leg.check_reach(phi, s)
        pose = poses_along(self.leg, phi, s)[0]
        low, high = self.limits
        if self.knee is not None and pose["knee_angle"] <= 0.0:
            raise ParameterError(
                f"the knee is over-stretched at the start: at phi={phi:g} rad and s={s:g} m its angle is "
                f"{pose['knee_angle']:.4g} rad, allowed is above 0"
            )
        if self.lower is not None and not low < s < high:
            raise ParameterError(f"the slide starts beyond its stops: s={s:g} m, allowed is {low:g} to {high:g} m")
        if self.foot is not None and pose["gap"] <= 0.0:
            raise ParameterError(
                f"the tip of the foot starts behind the guide: its distance is {pose['gap']:.4g} m, allowed is above 0"
            )


def with_memory(axis: Axis, memory: str, anchor: Anchor) -> Axis:
    """An axis with a memory by its name; LuGre keeps its own, and the LTI filter has the time of the LPV filter."""
    if memory not in MEMORIES:
        raise UnknownNameError("memory", memory, MEMORIES)
    if memory == "lpv" or not isinstance(axis.memory, LTIFilter):
        return axis
    return replace(axis, memory=anchor if memory == "anchored" else LTIFilter(axis.memory.t_f))


def stage(
    name: str, leg: Leg | None = None, friction: str = "table", memory: str = "lpv", coriolis: bool = False,
    foot_point: bool = False,
) -> Stage:  # fmt: skip
    """One of the stages S0 to S4 (5.17)-(5.38).

    Args:
        friction: numbers by a name in FRICTIONS. memory: filter of S2 and beyond, a name in MEMORIES.
        foot_point: whether the friction of the tip has the speed and filter of the tip, rather than the slide's.
    """
    if name not in STAGES:
        raise UnknownNameError("stage", name, STAGES)
    if friction not in FRICTIONS:
        raise UnknownNameError("friction", friction, FRICTIONS)
    leg = leg or Leg()
    level = STAGES.index(name)
    hip, slide = (with_memory(axis, memory, anchor) for axis, anchor in zip(FRICTIONS[friction], ANCHORS, strict=True))
    if level == 0:
        return Stage(leg, coriolis=coriolis)
    if level == 1:
        return Stage(leg, Axis(hip.law), Axis(slide.law), coriolis=coriolis)
    if level == 2:
        return Stage(leg, hip, slide, coriolis=coriolis)
    stops = (KNEE_STOP, SLIDE_STOP, SLIDE_STOP, S_RANGE)
    if level == 3:
        return Stage(leg, hip, slide, *stops, coriolis=coriolis)
    return Stage(leg, hip, slide, *stops, FOOT_STOP, FOOT_FRICTION, FOOT_MEMORY if foot_point else None, coriolis)
