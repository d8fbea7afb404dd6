"""Friction with a filter from what is asked of it: how fast it may creep, how far it may give before it holds.

A mass m lies under a normal force N. A tangential load L below stiction is put on it suddenly:

    x' = v,    m v' = L - Q,    Q' = a(v) (N phi(v) - Q)/T_F     (2.26)

It accelerates while the filter builds up the friction, is caught after a displacement that grows with T_F, and then
creeps at the speed where N phi(v) = L. The creep is in proportion to v_C and fixes it; v_S = 2 v_C (2.16). The
displacement then fixes T_F. The speed v_F below which the filter closes is the smallest multiple of v_C with which
Runge and Kutta's method is stable at the step: a filter that closes earlier makes friction less stiff near rest.
"""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np
from scipy.integrate import solve_ivp
from scipy.optimize import brentq

from ..errors import ParameterError, positive
from .design import stable_friction_step
from .friction.dissipation import Friction
from .friction.memory import LPVFilter
from .friction.stribeck import dissipation_force

CLOSING = (1.0, 2.0, 4.0, 8.0)
"""v_F over v_C: what is tried, in this order."""

CAUGHT = 1.02
"""Speed in units of the creep at which a mass counts as caught."""

LOST = 20.0
LONGEST = 300.0
"""Speed, in units of what the load gives within T_F, at which a mass counts as lost; and how long it is followed, in
units of T_F and of the time in which the load gives it the speed of the creep."""

MOST_TRIALS = 20
CLOSE = 1e-3
"""Trials of a time constant, and the part by which the displacement may miss its target."""


def design_friction(
    *,
    mu_c: float,
    mu_s: float,
    mass: float,
    normal: float,
    load: float,
    creep: float,
    presliding: float,
    step: float,
) -> tuple[Friction, LPVFilter]:
    """Friction and filter with which a mass creeps and gives as much as is allowed, stable at a step.

    `Material(restriction, *design_friction(...))` takes both. Without any creep, use an `Anchor` instead of the filter.

    Args:
        mu_c, mu_s: Coulomb and stiction coefficients. mass: that slides, in kg. normal: normal force on it, in N.
        load: tangential force in N that friction must hold; below mu_s times the normal force.
        creep: speed in m/s at which the mass may keep sliding under the load.
        presliding: displacement in m after which the mass is caught if the load is put on suddenly.
        step: step in s that Runge and Kutta's method is to take. Chrono's default integrator may take any.
    """
    for name, value in {"mass": mass, "normal": normal, "load": load, "presliding": presliding, "step": step}.items():
        positive(name, value)
    friction = _creeping(mu_c, mu_s, load / normal, positive("creep", creep))
    longest = 0.0
    for ratio in CLOSING:
        v_f = ratio * friction.v_c

        def given(t_f: float, v_f: float = v_f) -> float:
            return _caught_after(friction, LPVFilter(t_f, v_f), mass, normal, load, creep)

        memory = LPVFilter(_time_for(presliding, given, math.sqrt(mass * presliding / load)), v_f)
        limit = stable_friction_step(friction, mass, memory, normal, "rk4")
        if limit >= step:
            return friction, memory
        longest = max(longest, limit)
    raise ParameterError(f"step {step:g} s is too long: with this creep and presliding the longest is {longest:.3g} s")


def _creeping(mu_c: float, mu_s: float, share: float, creep: float) -> Friction:
    """Friction with (2.16) that carries a share of the normal force at the speed of the creep."""
    unit = Friction(mu_c, mu_s, 1.0, 2.0)
    if not share < mu_s:
        raise ParameterError(f"load must be below mu_s times the normal force, {mu_s:g}, got {share:g} of it")
    speed = float(brentq(lambda v: float(unit.force(v, 1.0)) - share, 0.0, 2.0, xtol=1e-15, rtol=1e-14))
    return Friction(mu_c, mu_s, creep / speed, 2.0 * creep / speed)


def _caught_after(
    friction: Friction, memory: LPVFilter, mass: float, normal: float, load: float, creep: float
) -> float:
    """Displacement in m after which a mass that is loaded suddenly has slowed down to the creep.

    It is 0 if the mass never exceeds the creep, and infinite if friction does not catch it.
    """
    curve = friction.curve

    def motion(t: float, state: np.ndarray) -> tuple[float, float, float]:
        _, v, q = state
        gate = -math.expm1(-((v / memory.v_f) ** 2))
        static = float(dissipation_force.py_func(v, normal, 1.0, curve))
        return v, (load - q) / mass, gate * (static - q) / memory.t_f

    def caught(t: float, state: np.ndarray) -> float:
        return float(state[1] - CAUGHT * creep)

    caught.terminal = True  # type: ignore[attr-defined]
    caught.direction = -1.0  # type: ignore[attr-defined]
    fast = max(creep, load * memory.t_f / mass)

    def lost(t: float, state: np.ndarray) -> float:
        return float(state[1] - LOST * fast)

    lost.terminal = True  # type: ignore[attr-defined]
    small = np.array([1e-6 * fast * memory.t_f, 1e-6 * creep, 1e-6 * load])
    end = LONGEST * (memory.t_f + mass * creep / load)
    run = solve_ivp(motion, (0.0, end), (0.0, 0.0, 0.0), "LSODA", events=(caught, lost), rtol=1e-6, atol=small)
    if len(run.t_events[0]):
        return float(run.y_events[0][0][0])
    return math.inf if run.y[1, -1] > CAUGHT * creep else 0.0


def _time_for(target: float, given: Callable[[float], float], guess: float) -> float:
    """Time constant in s with which a displacement in m is reached: it grows nearly with the square of that time."""
    time = guess
    for _ in range(MOST_TRIALS):
        reached = given(time)
        if abs(reached - target) <= CLOSE * target:
            return time
        time *= min(max(math.sqrt(target / reached), 0.25), 4.0) if reached > 0.0 else 4.0
    raise ParameterError(f"presliding {target:g} m cannot be had with this creep: allow less creep or more presliding")
