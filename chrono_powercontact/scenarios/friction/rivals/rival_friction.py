"""Friction laws of the literature in one dimension, each as its memory advanced over a step.

Steady sliding has the amplitude s(v) = f_c + (f_s - f_c) g(v) in all laws that know the Stribeck effect (2.15), (2.29).

| law | memory |
|---|---|
| classical (2.15) | none: s(v) sign(v), zero at rest |
| Karnopp 1985 | none: in a band of speeds the friction is the applied force, up to f_s |
| Dahl 1968 | F' = k v (1 - F sign(v)/f_c) |
| Bliman and Sorine 1995 | two Dahl forces, a fast one less a slow one: the difference overshoots |
| LuGre 1995 | (2.28) to (2.31) |
| Leuven 2000, as Lampaert 2002 has it | z' = v (1 - (F_h/s(v))^n), F_h from Maxwell elements that z stretches |
| generalised Maxwell slip 2005 | elements stick as springs; slipping ones relax, F_i' = C (share - F_i/s(v)) |
| power | the dissipation function behind the LPV filter (2.26) |
| anchored | one anchor, or several side by side |
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from ....kernel import kernel
from ....laws.friction.anchor import anchor_pull, moved_on
from ....laws.friction.memory import memory_step, opening
from ....laws.friction.stribeck import dissipation_force
from .stribeck_shapes import decay

KINDS = ("classical", "karnopp", "dahl", "bliman_sorine", "lugre", "leuven", "maxwell", "power", "anchored")
CLASSICAL, KARNOPP, DAHL, BLIMAN_SORINE, LUGRE, LEUVEN, MAXWELL, POWER, ANCHORED = range(9)

PARTS = 4
"""Elements side by side in the laws that have them."""

RIVAL = np.dtype(
    [
        ("kind", np.int64),
        ("shape", np.int64),
        ("f_c", np.float64),
        ("f_s", np.float64),
        ("v_s", np.float64),
        ("exponent", np.float64),
        ("k", np.float64),
        ("d_k", np.float64),
        ("d", np.float64),
        ("band", np.float64),
        ("attraction", np.float64),
        ("transition", np.float64),
        ("fast", np.float64),
        ("slow", np.float64),
        ("ratio", np.float64),
        ("share", np.float64, (PARTS,)),
        ("limit", np.float64, (PARTS,)),
    ]
)
"""Numbers of a rival.

f_c, f_s in N, v_s in m/s, exponent: the steady curve. k in N/m, d_k in N s/m: bristles, or Dahl's slope. d: viscous, in
N s/m. band: of Karnopp, in m/s. attraction: C in N/s. transition: exponent of
the Leuven law. fast, slow in N, ratio: Bliman and Sorine. share, limit: fraction
of the force of an element and the stretch in m at which it slips.
"""


class Rival(NamedTuple):
    """A law as the rig reads it.

    Attributes:
        law: record of RIVAL.
        anchors: slots of anchors side by side, the amplitudes already divided among them.
        power: record of the filtered power law.
    """

    law: Any
    anchors: Any
    power: Any


@kernel
def amplitude(law: Any, v: float) -> float:
    """s(v) in N."""
    return float(law.f_c + (law.f_s - law.f_c) * decay(law.shape, v, law.v_s, law.exponent))


@kernel
def relaxed(now: float, end: float, decays: float) -> float:
    """A state that has relaxed to an end value by so many time constants."""
    return end + (now - end) * np.exp(-decays)


@kernel
def dahl_force(law: Any, v: float, h: float, memory: Any) -> float:
    """Dahl's force in N after a step."""
    memory[0] = relaxed(memory[0], np.sign(v) * law.f_c, law.k * abs(v) * h / law.f_c)
    return float(memory[0])


@kernel
def bliman_sorine_force(law: Any, v: float, h: float, memory: Any) -> float:
    """Force in N of the fast less the slow Dahl element; `k` is the slope of the fast one."""
    slid = abs(v) * h
    reach = law.fast / law.k
    memory[0] = relaxed(memory[0], np.sign(v) * law.fast, slid / reach)
    memory[1] = relaxed(memory[1], np.sign(v) * law.slow, slid * law.ratio / reach)
    return float(memory[0] - memory[1])


@kernel
def lugre_force(law: Any, v: float, h: float, memory: Any) -> float:
    """LuGre's force in N after a step, without its viscous part (2.30)."""
    s = amplitude(law, v)
    memory[0] = relaxed(memory[0], np.sign(v) * s / law.k, law.k * abs(v) * h / s)
    return float(law.k * memory[0] + law.d_k * (v - law.k * abs(v) / s * memory[0]))


@kernel
def stretched_elements(law: Any, displacement: float, memory: Any) -> float:
    """Force in N of Maxwell elements after a displacement in m: each a spring with a slider of constant strength."""
    force = 0.0
    for i in range(PARTS):
        strength = law.share[i] * law.f_s
        stretched = memory[i] + strength / law.limit[i] * displacement
        memory[i] = min(max(stretched, -strength), strength)
        force += memory[i]
    return force


@kernel
def leuven_force(law: Any, v: float, h: float, memory: Any) -> float:
    """Force in N of the Leuven law after a step, without its viscous part; the elements take it in short pieces.

    The bristle damping is that of one element: it acts on z, which only the widest one still follows in sliding.
    """
    pieces = 1 + int(abs(v) * h / (0.25 * law.limit[0]))
    held = 0.0
    for i in range(PARTS):
        held += memory[i]
    s = amplitude(law, v)
    rate = 0.0
    for _ in range(pieces):
        pull = held / s
        rate = v * (1.0 - np.sign(v) * np.sign(pull) * abs(pull) ** law.transition)
        held = stretched_elements(law, rate * h / pieces, memory)
    return float(held + law.share[0] * law.d_k * rate)


@kernel
def maxwell_force(law: Any, v: float, h: float, memory: Any) -> float:
    """Force in N of generalised Maxwell slip after a step; the second half of the memory says which elements slip."""
    s = amplitude(law, v)
    total = 0.0
    for i in range(PARTS):
        slips = memory[PARTS + i]
        strength = law.share[i] * s
        if slips * v <= 0.0:
            memory[PARTS + i] = 0.0
            memory[i] += law.share[i] * law.f_s / law.limit[i] * v * h
            if abs(memory[i]) >= strength and memory[i] * v > 0.0:
                memory[PARTS + i] = np.sign(v)
                memory[i] = np.sign(v) * strength
        else:
            memory[i] = relaxed(memory[i], np.sign(v) * strength, law.attraction * h / s)
        total += memory[i]
    return total


@kernel
def power_force(p: Any, v: float, h: float, memory: Any) -> float:
    """Force in N of the power law behind its filter, its viscous part included."""
    static = dissipation_force(v, 1.0, 1.0, p.dissipation)
    memory[0] = memory_step(memory[0], static, opening(v, p.v_f), p.t_f, h)
    return float(memory[0])


@kernel
def anchors_force(anchors: Any, v: float, h: float, memory: Any) -> float:
    """Force in N of anchors side by side, their viscous parts included."""
    total = 0.0
    slip = (v, 0.0, 0.0)
    for i in range(anchors.size):
        z = moved_on(anchors[i], (memory[i], 0.0, 0.0), slip, (v * h, 0.0, 0.0))
        memory[i] = z[0]
        total += anchor_pull(anchors[i], 1.0, 1.0, z, slip)[0]
    return total


@kernel
def static_rival(law: Any, v: float, applied: float) -> float:
    """Force in N of the laws without a memory; `applied` is the force on the mass that friction may balance."""
    if law.kind == KARNOPP and abs(v) < law.band:
        return min(max(applied, -law.f_s), law.f_s)
    return float(np.sign(v) * amplitude(law, v))


@kernel
def rival_force(rival: Rival, v: float, applied: float, h: float, memory: Any) -> float:
    """Friction force in N after a step h in s at the speed v in m/s; advances the memory."""
    law = rival.law
    if law.kind == POWER:
        return power_force(rival.power, v, h, memory)
    if law.kind == ANCHORED:
        return anchors_force(rival.anchors, v, h, memory)
    viscous = law.d * v
    if law.kind == DAHL:
        return viscous + dahl_force(law, v, h, memory)
    if law.kind == BLIMAN_SORINE:
        return viscous + bliman_sorine_force(law, v, h, memory)
    if law.kind == LUGRE:
        return viscous + lugre_force(law, v, h, memory)
    if law.kind == LEUVEN:
        return viscous + leuven_force(law, v, h, memory)
    if law.kind == MAXWELL:
        return viscous + maxwell_force(law, v, h, memory)
    return viscous + static_rival(law, v, applied)
