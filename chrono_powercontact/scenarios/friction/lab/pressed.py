"""The experiment with a real contact: a normal force that varies while a small load is held."""

from __future__ import annotations

import math
from functools import cache
from typing import TYPE_CHECKING

from ....laws.friction.dissipation import Friction
from ....laws.friction.lugre import LuGre
from ....laws.material import Material
from ....laws.normal.restriction import Restriction
from .case import Case, Curve
from .loaded import CYCLE, CYCLES, check_ratchet, measure_ratchet
from .three_laws import LabParameters, law_of

if TYPE_CHECKING:
    from ....lagrange.model import Model

PRESS = 4.0
"""Mean normal force in N."""

VARIATION = 0.5
"""Fraction of it by which the normal force swings."""

LOAD = 0.25
"""Load as a fraction of stiction under the mean."""

GROUND = Restriction(s_0=2e-3, s_c=1e-3, r_f=100.0, r_d=3.0)


@cache
def pressed_mass_model() -> Model:
    """Mass m at a distance s from the ground, pressed with press (1 + variation sin(w t)) and loaded along x."""
    import sympy as sp

    from ....lagrange.model import TIME, ContactPoint, Model, coordinates, velocities

    q = coordinates("x s")
    x, s = q
    p = sp.symbols("m load press variation w", real=True)
    m, load, press, variation, w = p
    vx, vs = velocities(q)
    kinetic = m * (vx**2 + vs**2) / 2
    forces = {x: load, s: -press * (1 + variation * sp.sin(w * TIME))}
    ground = ContactPoint("ground", s, (vx,))
    return Model("pressed_mass", q, kinetic, sp.Integer(0), p, forces, (ground,))


def material(p: LabParameters, name: str) -> Material:
    """The ground, with the amplitudes of friction as coefficients of the mean normal force."""
    law, memory = law_of(p, name)
    mu_c = law.f_c / PRESS
    mu_s = law.f_s / PRESS
    if isinstance(law, LuGre):
        return Material(GROUND, LuGre(mu_c, mu_s, law.v_s, law.k / PRESS, law.d_k / PRESS, law.d))
    return Material(GROUND, Friction(mu_c, mu_s, law.v_c, law.v_s, law.d), memory)


def varying_press(p: LabParameters, name: str) -> Curve:
    """Displacement in m over time in s."""
    from ....lagrange.runs import run_rk4
    from ....lagrange.system import System

    numbers = {
        "m": p.mass,
        "load": LOAD * p.f_s,
        "press": PRESS,
        "variation": VARIATION,
        "w": 2.0 * math.pi / CYCLE,
    }
    system = System(pressed_mass_model(), numbers, {"ground": material(p, name)})
    start = system.state([0.0, float(GROUND.rest_distance(PRESS))], [0.0, 0.0])
    every = max(round(CYCLE / 20.0 / p.step), 1)
    run = run_rk4(system, start, p.step, CYCLE * CYCLES, every)
    return Curve(run["t"], run["x"], run.steps)


CASES = {
    "normal_force": Case(
        "normal force swings by half",
        "time in s",
        "displacement in um",
        varying_press,
        measure_ratchet,
        check_ratchet,
        (1.0, 1e6),
    )
}
