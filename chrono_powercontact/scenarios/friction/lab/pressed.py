"""The experiment with a real contact: a normal force that varies while a small load is held."""

from __future__ import annotations

import math
from functools import cache
from types import SimpleNamespace
from typing import TYPE_CHECKING

from ....laws import Friction, LuGre, Material, Restriction
from .case import Case, Curve
from .loaded import CYCLE, CYCLES, check_ratchet, measure_ratchet
from .three_laws import law_of

if TYPE_CHECKING:
    from ....lagrange.model import Model

PRESS, VARIATION, LOAD = 4.0, 0.5, 0.25
"""Mean normal force in N, share by which it swings, and the load as a share of stiction under the mean."""

GROUND = Restriction(s_0=2e-3, s_c=1e-3, r_f=100.0, r_d=3.0)


@cache
def pressed_mass_model() -> Model:
    """Mass m at a distance s from the ground, pressed with press (1 + share sin(w t)) and loaded along x."""
    import sympy as sp

    from ....lagrange import TIME, ContactPoint, Model, coordinates, velocities

    q = x, s = coordinates("x s")
    p = m, load, press, share, w = sp.symbols("m load press share w", real=True)
    vx, vs = velocities(q)
    forces = {x: load, s: -press * (1 + share * sp.sin(w * TIME))}
    return Model(
        "pressed_mass", q, m * (vx**2 + vs**2) / 2, sp.Integer(0), p, forces, (ContactPoint("ground", s, (vx,)),)
    )


def material(p: SimpleNamespace, name: str) -> Material:
    """The ground, with the amplitudes of friction as coefficients of the mean normal force."""
    law, memory = law_of(p, name)
    if isinstance(law, LuGre):
        return Material(GROUND, LuGre(law.f_c / PRESS, law.f_s / PRESS, law.v_s, law.k / PRESS, law.d_k / PRESS, law.d))
    return Material(GROUND, Friction(law.f_c / PRESS, law.f_s / PRESS, law.v_c, law.v_s, law.d), memory)


def varying_press(p: SimpleNamespace, name: str) -> Curve:
    """Way in m over time in s."""
    from ....lagrange.runs import run_rk4
    from ....lagrange.system import System

    numbers = {"m": p.mass, "load": LOAD * p.f_s, "press": PRESS, "share": VARIATION, "w": 2.0 * math.pi / CYCLE}
    system = System(pressed_mass_model(), numbers, {"ground": material(p, name)})
    start = system.state([0.0, float(GROUND.rest_distance(PRESS))], [0.0, 0.0])
    run = run_rk4(system, start, p.step, CYCLE * CYCLES, max(round(CYCLE / 20.0 / p.step), 1))
    return Curve(run["t"], run["x"], run.steps)


CASES = {
    "normal_force": Case(
        "normal force swings by half", "time in s", "way in um", varying_press, measure_ratchet, check_ratchet,
        (1.0, 1e6),
    )
}  # fmt: skip
