"""The table of friction laws: records with named fields, and the kernels that evaluate them in compiled engines.

A friction point has one memory state per tangential direction: the filtered force in N, LuGre's bristle deflection in
m, or the anchor in m. A record of an unknown kind evaluates to NaN.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from ...errors import ParameterError
from ...kernel import kernel
from ...numerics.vectors import Triple, norm, store, times, triple
from ..function_pointer import USER_LAW
from .anchor import ANCHOR, Anchor, anchor_pull, anchor_rate, grip_slope
from .friction_law import FrictionLaw
from .lugre import LuGre, lugre_rate
from .memory import LTIFilter, memory_follow, memory_rate, memory_step, opening
from .step_friction import StepFriction, step_coefficient, step_slope
from .stribeck import Stribeck, dissipation_force, dissipation_slope
from .user_friction import user_friction, user_friction_slope

SLOTS = ("dissipation", "lugre", "anchor", "step", "user")
DISSIPATION, LUGRE, ANCHORED, STEP, USER = range(5)
ABSENT = -1
"""Kinds of friction; each is the index of its slot in SLOTS. ABSENT is a contact without friction."""

FRICTION = np.dtype(
    [
        ("kind", np.int64),
        ("t_f", np.float64),
        ("v_f", np.float64),
        ("eps", np.float64),
        ("dissipation", [(name, np.float64) for name in Stribeck._fields]),
        ("lugre", [(name, np.float64) for name in LuGre.fields]),
        ("step", [(name, np.float64) for name in StepFriction.fields]),
        ("anchor", ANCHOR),
        ("user", USER_LAW),
    ]
)
"""A friction law with its memory as compiled engines read it: its kind; the filter, with T_F = 0 if there is none; the
speed that smooths the norm (2.17); and a slot for the parameters of each family."""


def friction_record(law: FrictionLaw | None, memory: LTIFilter | Anchor | None = None) -> Any:
    """A friction law and its memory as the record that the kernels read."""
    record = np.zeros(1, FRICTION)[0]
    record["kind"] = ABSENT
    if law is None:
        return record
    name = law.slot(memory)
    if name not in SLOTS:
        raise ParameterError(f"{law!r} fills no known slot {name!r}: allowed: {', '.join(SLOTS)}")
    record["kind"] = SLOTS.index(name)
    record["eps"] = getattr(law, "eps", 0.0)
    law.fill(record[name], memory)
    if isinstance(memory, LTIFilter):
        record["t_f"], record["v_f"] = memory.numbers
    return record


def presliding_spring(law: Any) -> tuple[float, float]:
    """Stiffness in 1/m and damping time in s of an anchor or of bristles at rest, under a normal force of 1 N.

    Both are zero if the record of the law has neither.
    """
    if law["kind"] == ANCHORED:
        return float(grip_slope(law["anchor"], 0.0)), float(law["anchor"]["tau"])
    if law["kind"] == LUGRE:
        return float(law["lugre"]["k"]), float(law["lugre"]["d_k"] / law["lugre"]["k"])
    return 0.0, 0.0


@kernel
def remembers(law: Any) -> bool:
    """Whether a friction law has memory states."""
    return law.kind == ANCHORED or law.kind == LUGRE or (law.kind != ABSENT and law.t_f > 0.0)


@kernel
def static_friction(law: Any, n: float, a: float, speed: float) -> float:
    """Static friction in N at a slip speed under normal force n and activation a, of a law without a memory state."""
    if law.kind == DISSIPATION:
        return dissipation_force(speed, n, a, law.dissipation)
    if law.kind == STEP:
        return n * step_coefficient(speed, law.step)
    if law.kind == USER:
        return user_friction(speed, n, law.user)
    return np.nan


@kernel
def static_slope(law: Any, n: float, a: float, speed: float) -> float:
    """Slope of the static friction along the sliding direction, in N s/m."""
    if law.kind == DISSIPATION:
        return dissipation_slope(speed, n, a, law.dissipation)
    if law.kind == STEP:
        return n * step_slope(speed, law.step)
    if law.kind == USER:
        return user_friction_slope(speed, n, law.user)
    return np.nan


@kernel
def static_pull(law: Any, n: float, a: float, speed: float) -> float:
    """Static friction per unit of tangential velocity, in N s/m; `speed` is the smoothed norm (2.17)."""
    if speed == 0.0:
        return 0.0
    return static_friction(law, n, a, speed) / speed


@kernel
def smooth_pull(law: Any, n: float, a: float, speed: float) -> float:
    """`static_pull` with its limit at rest: there the force is zero all the same, but not its derivative."""
    if speed == 0.0:
        return static_slope(law, n, a, speed)
    return static_pull(law, n, a, speed)


@kernel
def static_slopes(law: Any, n: float, a: float, speed: float) -> tuple[float, float]:
    """Slopes of the static friction in N s/m: along the sliding direction, and across it (force divided by speed)."""
    along = static_slope(law, n, a, speed)
    return along, static_pull(law, n, a, speed) if speed > 0.0 else along


@kernel
def rounded_speed(law: Any, v: Any) -> float:
    """sqrt(v^2 + eps^2) of a velocity of any number of components (2.17)."""
    square = 0.0
    for i in range(len(v)):
        square += v[i] * v[i]
    return float(np.sqrt(square + law.eps * law.eps))


@kernel
def friction_point(law: Any, n: float, a: float, v: Any, memory: Any, force: Any, rate: Any) -> None:
    """Friction `force` in N against v, and the `rate` of its memory, at one point under normal force n."""
    if law.kind == ANCHORED:
        z = triple(memory)
        u = triple(v)
        store(anchor_pull(law.anchor, n, a, z, u), force)
        store(anchor_rate(law.anchor, z, u), rate)
    elif law.kind == LUGRE:
        _lugre_point(law.lugre, n, a, v, memory, force, rate)
    else:
        _filtered_point(law, n, a, v, memory, force, rate)


@kernel
def _speed(v: Any) -> float:
    """Norm of a velocity of any number of components."""
    square = 0.0
    for i in range(v.size):
        square += v[i] * v[i]
    return float(np.sqrt(square))


@kernel
def _lugre_point(p: Any, n: float, a: float, v: Any, memory: Any, force: Any, rate: Any) -> None:
    """`friction_point` for LuGre friction."""
    speed = _speed(v)
    for i in range(v.size):
        rate[i] = lugre_rate(v[i], memory[i], speed, p)
        force[i] = n * (p.k * memory[i] + p.d_k * rate[i]) + a * p.d * v[i]


@kernel
def _filtered_point(law: Any, n: float, a: float, v: Any, memory: Any, force: Any, rate: Any) -> None:
    """`friction_point` for a static law, filtered if it has a filter."""
    pull = smooth_pull(law, n, a, rounded_speed(law, v))
    if law.t_f == 0.0:
        for i in range(v.size):
            force[i] = pull * v[i]
            rate[i] = 0.0
        return
    gate = opening(_speed(v), law.v_f)
    for i in range(v.size):
        force[i] = memory[i]
        rate[i] = memory_rate(memory[i], pull * v[i], gate, law.t_f)


@kernel
def followed(t_f: float, held: float, earlier: float, static: float, then: float, now: float, h: float) -> float:
    """One component of a filtered force, in N, a time h after a commit at which it was `held`.

    The static force varies linearly from `earlier` to `static`, and the opening is the mean of `then` and `now`. This
    is of second order in the step. A negative `then` holds the static force and the opening at their present values:
    with one evaluation per step, linear variation would lag and drive the motion.
    """
    if then < 0.0:
        return memory_step(held, static, now, t_f, h)
    return memory_follow(held, earlier, static, 0.5 * (then + now), t_f, h)


@kernel
def held_friction(law: Any, held: Triple, static: Triple, gate: float, h: float) -> Triple:
    """Friction force a time h after a commit at which it was `held`, if static friction and opening stay as they are.

    Without a filter it is the static one.
    """
    if law.t_f == 0.0:
        return static
    return (
        memory_step(held[0], static[0], gate, law.t_f, h),
        memory_step(held[1], static[1], gate, law.t_f, h),
        memory_step(held[2], static[2], gate, law.t_f, h),
    )


@kernel
def filtered_friction(
    law: Any, n: float, a: float, v: Triple, held: Triple, earlier: Triple, gate: float, h: float
) -> tuple[Triple, Triple, float]:
    """Friction force against the sliding velocity v, static friction, and opening of the filter, h after a commit.

    `gate` is the opening at the commit; see `followed`.
    """
    static = times(static_pull(law, n, a, rounded_speed(law, v)), v)
    if law.t_f == 0.0:
        return static, static, 1.0
    opened = opening(norm(v), law.v_f)
    force = (
        followed(law.t_f, held[0], earlier[0], static[0], gate, opened, h),
        followed(law.t_f, held[1], earlier[1], static[1], gate, opened, h),
        followed(law.t_f, held[2], earlier[2], static[2], gate, opened, h),
    )
    return force, static, opened
