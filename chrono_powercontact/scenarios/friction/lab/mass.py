"""A mass on a rough plane, with a load that may be held, ramped, dithered and turned, and a spring that pulls it."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING

from .three_laws import LabParameters, law_of

if TYPE_CHECKING:
    from ....lagrange.model import Model
    from ....trajectory import Trajectory

NUMBERS = ("m", "k", "pull", "held", "load", "ramp", "dither", "w", "c", "s")


@cache
def loaded_mass_model() -> Model:
    """Mass m on a plane x, y.

    A spring k along x to an end that moves with `pull`; a force `held` along x, and a force
    load + ramp t + dither sin(w t) in the direction (c, s).
    """
    import sympy as sp

    from ....lagrange.model import TIME, FrictionPoint, Model, coordinates, velocities

    q = coordinates("x y")
    x, y = q
    p = sp.symbols(NUMBERS, real=True)
    m, k, pull, held, load, ramp, dither, w, c, s = p
    vx, vy = velocities(q)
    force = load + ramp * TIME + dither * sp.sin(w * TIME)
    plane = FrictionPoint("plane", (vx, vy))
    potential = k * (pull * TIME - x) ** 2 / 2
    kinetic = m * (vx**2 + vy**2) / 2
    forces = {x: held + c * force, y: s * force}
    return Model("loaded_mass", q, kinetic, potential, p, forces, frictions=(plane,))


def loaded_mass(p: LabParameters, name: str, time: float, every: int = 1, **numbers: float) -> Trajectory:
    """The mass under a law for a time in s, from rest; all loads not given are zero, the direction is x."""
    from ....lagrange.runs import run_rk4
    from ....lagrange.system import System

    law, memory = law_of(p, name)
    values = dict.fromkeys(NUMBERS, 0.0) | {"m": p.mass, "c": 1.0} | numbers
    memories = {"plane": memory} if memory is not None else {}
    system = System(loaded_mass_model(), values, frictions={"plane": law}, memories=memories)
    return run_rk4(system, system.state([0.0, 0.0], [0.0, 0.0]), p.step, time, every)
