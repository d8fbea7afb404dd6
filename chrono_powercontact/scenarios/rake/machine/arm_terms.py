"""The arms in motion, compiled: mass matrix, forces of inertia, weight and bending, and where their stations are.

Everything else (drives, contact, water) acts on stations alone, so another kind of arm needs only its own three
kernels here: `pose`, `terms` and `point`.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from ....kernel import expanded, kernel
from .arms import COS, MODAL, SIN
from .modal_terms import modal_energy, modal_point, modal_pose, modal_terms

Array = Any


@expanded
def pose(mech: Any, q: Array, trig: Array) -> None:
    """Cosines and sines of the angles: the rows of `trig`."""
    if mech.kind == MODAL:
        modal_pose(mech, q, trig)
        return
    for i in range(q.size):
        trig[COS, i] = np.cos(q[i])
        trig[SIN, i] = np.sin(q[i])


@expanded
def terms(mech: Any, q: Array, v: Array, trig: Array, mass: Array, force: Array) -> float:
    """Fill the mass matrix and the force of inertia, weight, springs and dampers; returns the heat of the dampers in W.

    sum_j [A_ij cos(a_i - a_j) + d_ij I_i] a_j'' = -sum_j A_ij sin(a_i - a_j) a_j'^2 - g_i cos(a_i) - K (a + beta a').
    """
    if mech.kind == MODAL:
        return modal_terms(mech, q, v, trig, mass, force)
    heat = 0.0
    for i in range(q.size):
        c = trig[COS, i]
        s = trig[SIN, i]
        f = -mech.weight[i] * c
        slope = 0.0
        for j in range(q.size):
            a = mech.inertia[i, j]
            cj = trig[COS, j]
            sj = trig[SIN, j]
            mass[i, j] = a * (c * cj + s * sj)
            f -= a * (s * cj - c * sj) * v[j] * v[j]
            k = mech.springs[i, j]
            f -= k * q[j]
            slope += k * v[j]
        mass[i, i] += mech.own[i]
        force[i] = f - mech.beta * slope
        heat += mech.beta * slope * v[i]
    return heat


@expanded
def point(mech: Any, q: Array, trig: Array, station: int, where: Array, jacobian: Array) -> None:
    """Position of a station in m, and its derivative by the coordinates."""
    if mech.kind == MODAL:
        modal_point(mech, q, trig, station, where, jacobian)
        return
    on = mech.stations[station]
    last = on.part
    at = on.along
    above = on.above
    x = 0.0
    z = 0.0
    for i in range(q.size):
        c = trig[COS, i]
        s = trig[SIN, i]
        if i < last:
            far = mech.lengths[i]
            x += far * c
            z += far * s
            jacobian[0, i] = -far * s
            jacobian[1, i] = far * c
        elif i == last:
            x += at * c - above * s
            z += at * s + above * c
            jacobian[0, i] = -at * s - above * c
            jacobian[1, i] = at * c - above * s
        else:
            jacobian[0, i] = 0.0
            jacobian[1, i] = 0.0
    where[0] = x
    where[1] = z


@kernel
def arm_energy(mech: Any, q: Array, v: Array, trig: Array) -> tuple[float, float]:
    """Kinetic energy, and potential energy of weight and bending, in J."""
    if mech.kind == MODAL:
        return modal_energy(mech, q, v, trig)
    kinetic = 0.0
    potential = 0.0
    for i in range(q.size):
        kinetic += 0.5 * mech.own[i] * v[i] * v[i]
        potential += mech.weight[i] * trig[SIN, i]
        for j in range(q.size):
            turned = trig[COS, i] * trig[COS, j] + trig[SIN, i] * trig[SIN, j]
            kinetic += 0.5 * mech.inertia[i, j] * turned * v[i] * v[j]
            potential += 0.5 * mech.springs[i, j] * q[i] * q[j]
    return kinetic, potential
