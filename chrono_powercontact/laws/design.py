"""Parameters from targets, and the largest step that an explicit integrator may take with them."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from ..errors import ParameterError, UnknownNameError, finite, positive
from .friction.anchor import Anchor, grip_slope
from .friction.dissipation import Dissipation, Friction
from .friction.friction_table import friction_record
from .friction.memory import LTIFilter
from .impact import deepest_distance, dissipation_for, force_to_stop
from .impact_step import impact_step
from .normal.restriction import Barrier, Restriction, SmoothRestriction, check_fraction

FloatVector = NDArray[np.float64]


def design_restriction(
    *,
    s_0: float,
    mass: float,
    speed: float,
    restitution: float,
    penetration: float | None = None,
    force_limit: float | None = None,
    stiffness: float | None = None,
    r_a: float = 0.99,
) -> Restriction:
    """The restriction that meets a target restitution and two of three further targets at one free impact.

    Args:
        s_0: distance at which the contact begins, in m.
        mass: mass of the impacting body, in kg. speed: impact speed, in m/s.
        restitution: target at that speed, above 0 and at most 1.
        penetration: deepest penetration s_0 - s at that impact, in m.
        force_limit: largest force r_f that the barrier can exert, in N.
        stiffness: largest local stiffness r_f r_t/4, in N/m.
        r_a: fraction of the activation between s_0 and s_c.
    """
    positive("mass", mass)
    check_fraction(r_a)
    targets = _two_of(penetration=penetration, force_limit=force_limit, stiffness=stiffness)
    r_d = dissipation_for(restitution, speed)

    def law(width: float) -> Restriction:
        r_t = 2.0 * math.atanh(r_a) / width
        r_f = targets["force_limit"] if "force_limit" in targets else 4.0 * targets["stiffness"] / r_t
        return Restriction(s_0, s_0 - width, r_f, r_d, r_a)

    if "penetration" not in targets:
        return law(0.5 * math.atanh(r_a) * targets["force_limit"] / targets["stiffness"])
    return law(_width_for(targets["penetration"], lambda width: s_0 - deepest_distance(law(width), mass, speed)))


def design_barrier(
    *,
    s_0: float,
    thickness: float,
    mass: float,
    holds: float,
    breaks: float,
    restitution: float = 0.5,
    edge: float = 0.1,
    r_a: float = 0.99,
) -> Barrier:
    """The wall that stops a mass at one speed and lets it break through at a higher one.

    It breaks at the speed whose kinetic energy is the mean of both.

    Args:
        s_0: distance at which the contact begins, in m. thickness: of the wall, in m.
        mass: of the impacting body, in kg.
        holds: impact speed in m/s that the wall must hold. breaks: impact speed that it must not hold.
        restitution: of a free impact at the speed that it holds, above 0 and at most 1.
        edge: depth of either side, over which its force rises or falls, as a fraction of the thickness, below 1/2.
        r_a: fraction of the activation within an edge.
    """
    positive("mass", mass)
    if not positive("breaks", breaks) > positive("holds", holds):
        raise ParameterError(f"breaks must be faster than holds, got breaks={breaks:g} and holds={holds:g}")
    if not 0.0 < finite("edge", edge) < 0.5:
        raise ParameterError(f"edge must lie between 0 and 1/2, got {edge:g}")
    depth = edge * positive("thickness", thickness)
    r_d = dissipation_for(restitution, holds)
    between = math.sqrt(0.5 * (holds**2 + breaks**2))
    wall = Barrier(s_0, s_0 - depth, 1.0, r_d, r_a, thickness, s_0 - thickness + depth)
    return replace(wall, r_f=force_to_stop(wall, mass, between))


def _two_of(**targets: float | None) -> dict[str, float]:
    """The given targets; raises unless there are exactly two."""
    given = {name: positive(name, value) for name, value in targets.items() if value is not None}
    if len(given) != 2:
        raise ParameterError(f"give two of penetration, force_limit and stiffness, got {', '.join(given) or 'none'}")
    return given


def _width_for(target: float, depth: Callable[[float], float]) -> float:
    """Width s_0 - s_c in m with which the impact reaches the target depth, from 1/1000 to 1000 times that depth."""
    from scipy.optimize import brentq

    widths = target * np.logspace(-3.0, 3.0, 121)
    depths = np.array([depth(width) for width in widths])
    crossings = np.flatnonzero((depths[:-1] - target) * (depths[1:] - target) <= 0.0)
    if crossings.size == 0:
        raise ParameterError(
            f"penetration {target:g} m cannot be reached: "
            f"these targets allow {depths.min():.3g} m to {depths.max():.3g} m"
        )
    i = crossings[0]
    return float(brentq(lambda width: depth(width) - target, widths[i], widths[i + 1], xtol=1e-14, rtol=1e-12))


def _rk4_growth(steps: FloatVector, matrices: FloatVector) -> FloatVector:
    """Largest growth factor of classical RK4 on x' = A x, for each matrix and each of its steps."""
    z = steps[:, :, None] * np.linalg.eigvals(matrices)[:, None, :]
    return np.abs(1.0 + z * (1.0 + z * (0.5 + z * (1.0 / 6.0 + z / 24.0)))).max(axis=2)


def _euler_growth(steps: FloatVector, matrices: FloatVector) -> FloatVector:
    """Largest growth factor of semi-implicit Euler: speeds and filters first, then the position with the new speed."""
    eye = np.eye(matrices.shape[-1])
    late = matrices[:, None].copy()
    early = late.copy()
    late[..., 1:, :] = 0.0
    early[..., 0, :] = 0.0
    h = steps[:, :, None, None]
    return np.abs(np.linalg.eigvals((eye + h * late) @ (eye + h * early))).max(axis=2)


_GROWTH = {"rk4": _rk4_growth, "euler": _euler_growth}

_TRIED = 40
"""Steps at which growth is looked at, in each of four rounds that close in on the limit."""


def step_limit(matrix: FloatVector, integrator: str) -> float:
    """Largest stable step in s of a linear system x' = A x whose exact solutions do not grow."""
    return float(_step_limits(np.asarray(matrix, float)[None], integrator)[0])


def _step_limits(matrices: FloatVector, integrator: str) -> FloatVector:
    """Largest stable step in s of each of many linear systems, see `step_limit`."""
    if integrator not in _GROWTH:
        raise UnknownNameError("integrator", integrator, _GROWTH)
    fastest = np.abs(np.linalg.eigvals(matrices)).max(axis=1)
    limits = np.full(len(matrices), math.inf)
    rows = np.flatnonzero(fastest > 0.0)
    low = np.zeros(rows.size)
    high = 3.0 / fastest[rows]
    for _ in range(4):
        steps = np.linspace(low, high, _TRIED + 1, axis=1)[:, 1:]
        unstable = _GROWTH[integrator](steps, matrices[rows]) > 1.0 + 1e-9
        grows = unstable.any(axis=1)
        limits[rows[~grows]] = high[~grows]
        rows, steps, first = rows[grows], steps[grows], unstable[grows].argmax(axis=1)
        each = np.arange(rows.size)
        low = np.where(first > 0, steps[each, first - 1], low[grows])
        high = steps[each, first]
    limits[rows] = low
    return limits


def stable_contact_step(
    law: SmoothRestriction, mass: float, integrator: str = "euler", speed: float | None = None
) -> float:
    """Largest step in s for an effective mass in kg at the contact, with forces at the start of the step.

    Args:
        law: the restriction, at its stiffest point.
        integrator: "euler" is Chrono's default, the linearised one; "rk4" is Runge and Kutta's.
        speed: of an impact in m/s. With it the step also resolves that impact: the body leaves with at most 1 % more of
            its kinetic energy than the law gives it, wherever the step meets the barrier.
    """
    positive("mass", mass)
    limit = _stiffest_step(law, mass, integrator)
    return limit if speed is None else impact_step(law, mass, positive("speed", speed), integrator, limit)


def _stiffest_step(law: SmoothRestriction, mass: float, integrator: str) -> float:
    """Largest step in s at which a mass in kg does not gain energy at any point of a restriction."""
    dampings = (0.0, 0.5, 0.9, 1.0) if law.r_d > 0.0 else (0.0,)  # |tanh(r_d v)| in compression
    active, damping = (grid.ravel() for grid in np.meshgrid(np.linspace(0.02, 1.0, 50), dampings))
    matrices = np.zeros((active.size, 2, 2))
    matrices[:, 0, 1] = 1.0
    matrices[:, 1, 0] = -4.0 * law.stiffness * active * (1.0 - active) * (1.0 + law.loss * damping) / mass
    matrices[:, 1, 1] = -0.5 * law.r_f * law.loss * min(law.r_d, 1e12) * active * (1.0 - damping**2) / mass
    return float(_step_limits(matrices, integrator).min())


def stable_anchor_step(
    law: Dissipation | Friction, mass: float, anchor: Anchor, normal: float = 1.0, integrator: str = "euler"
) -> float:
    """Largest step in s for an effective mass in kg at a friction point, with the anchor where it is stiffest.

    Args:
        normal: normal force in N that scales a `Friction`; 1 for a `Dissipation`.
        integrator: "euler" is Chrono's default, the linearised one; "rk4" is Runge and Kutta's.
    """
    positive("mass", mass)
    if not isinstance(anchor, Anchor):
        raise ParameterError(f"anchor must be an Anchor, got {anchor!r}: use stable_friction_step for other memories")
    k = normal * float(grip_slope(friction_record(law, anchor)["anchor"], 0.0))
    return step_limit(np.array([[0.0, 1.0], [-k / mass, -k * anchor.tau / mass]]), integrator)


def stable_friction_step(
    law: Dissipation | Friction,
    mass: float,
    memory: LTIFilter | Anchor | None = None,
    normal: float = 1.0,
    integrator: str = "euler",
) -> float:
    """Largest step in s for an effective mass in kg at a friction point, under a friction law and its memory.

    The filter is closed where the law is steepest. The bound is therefore searched over the speed, and not taken at the
    steepest slope with the filter open.

    Args:
        normal: normal force in N that scales a `Friction`; 1 for a `Dissipation`.
        integrator: "euler" is Chrono's default, the linearised one; "rk4" is Runge and Kutta's.
    """
    if isinstance(memory, Anchor):
        return stable_anchor_step(law, mass, memory, normal, integrator)
    positive("mass", mass)
    v_c = law.v_c
    fastest = max(v_c, law.v_s or v_c, memory.numbers[1] if memory is not None else 0.0)
    speeds = np.concatenate([[0.0], np.geomspace(0.02 * v_c, 5.0 * fastest, 120)])
    slopes = law.slope(speeds) if isinstance(law, Dissipation) else law.slope(speeds, normal)
    slopes = np.maximum(slopes, 0.0)
    if memory is None:
        matrices = np.zeros((speeds.size, 2, 2))
        matrices[:, 1, 1] = -slopes / mass
    else:
        rates = memory.opening(speeds) / memory.t_f
        matrices = np.zeros((speeds.size, 3, 3))
        matrices[:, 1, 2] = -1.0 / mass
        matrices[:, 2, 1] = rates * slopes
        matrices[:, 2, 2] = -rates
    matrices[:, 0, 1] = 1.0
    return float(_step_limits(matrices, integrator).min())
