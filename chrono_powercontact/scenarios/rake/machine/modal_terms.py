"""The arms as two beams in floating frames, compiled: the same three kernels as for a chain of segments.

Coordinates: the angles phi and alpha of both frames, then the elastic coordinates of the main and of the knick arm,
orthonormal modes of each. The frame of an arm is its tangent at the base pin or at the elbow. With the first moments
P = (s - e^T H_0 e/2, S e) of an arm and p = dP/de, its equations in (R, angle, e) are

    M = [m 1, A'P, A p; ., J + e^T G e, X; ., ., 1]   and
    h = [-A P w^2 + 2 w A' p e' - A (e'^T H_0 e', 0) + (0, m g), 2 w e^T G e' + g (A'P)_z, -w^2 G e + g (A p)_z + K e],

A = A(angle), A' its derivative, w the spin, G = int rho (W^T W - x H). R follows the elbow of the main arm.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from ....kernel import kernel
from .machine import GRAVITY

Array = Any
FIRST, LENGTH, MASS, MOMENT = 0, 1, 2, 4
"""Places in `lengths`: number of modes of the main arm, its length in m, mass in kg and first moment in kg m by arm."""
MOMENTS, X_MOMENTS, SHORTENING = 0, 1, 2
"""Rows of `shapes`: int rho W, int rho x W, then the rows of int rho H; then one block per station, the elbow first."""


@kernel
def block(n: int, station: int) -> int:
    """Row in `shapes` where a station begins: W, its slope, and the rows of H; station -1 is the elbow."""
    return SHORTENING + n + (station + 1) * (2 + n)


@kernel
def quadratic(table: Array, first: int, low: int, high: int, a: Array, b: Array) -> float:
    """a^T T b over the coordinates low to high of a table whose row 0 stands at `first`."""
    total = 0.0
    for i in range(low, high):
        part = 0.0
        for j in range(low, high):
            part += table[first + i, j] * b[j]
        total += a[i] * part
    return total


@kernel
def modal_pose(mech: Any, q: Array, trig: Array) -> None:
    """Cosines and sines of both angles in rows 0 and 1 of `trig`, the elbow's derivative by the coordinates in 2 and 3.

    The elbow turns about the base pin, so its place is (trig[3, 0], -trig[2, 0]).
    """
    for i in range(2):
        trig[0, i], trig[1, i] = np.cos(q[i]), np.sin(q[i])
    high = 2 + int(mech.lengths[FIRST])
    row, c, s = block(q.size, -1), trig[0, 0], trig[1, 0]
    x, z = mech.lengths[LENGTH], 0.0
    trig[2:4] = 0.0
    for i in range(2, high):
        pull, w = 0.0, mech.shapes[row, i]
        for j in range(2, high):
            pull += mech.shapes[row + 2 + i, j] * q[j]
        trig[2, i], trig[3, i] = -c * pull - s * w, -s * pull + c * w
        x -= 0.5 * pull * q[i]
        z += w * q[i]
    trig[2, 0], trig[3, 0] = -s * x - c * z, c * x - s * z


@kernel
def elbow_acceleration(mech: Any, v: Array, trig: Array) -> tuple[float, float]:
    """Acceleration of the elbow in m/s^2 that its velocity brings: what is left without q''."""
    high, row, spin = 2 + int(mech.lengths[FIRST]), block(v.size, -1), v[0]
    ax, az = -trig[3, 0] * spin * spin, trig[2, 0] * spin * spin
    for i in range(2, high):
        ax -= 2.0 * spin * trig[3, i] * v[i]
        az += 2.0 * spin * trig[2, i] * v[i]
    bend = quadratic(mech.shapes, row + 2, 2, high, v, v)
    return ax - trig[0, 0] * bend, az - trig[1, 0] * bend


@kernel
def beam(mech: Any, arm: int, low: int, high: int, q: Array, v: Array, trig: Array, mass: Array, force: Array) -> Any:
    """Terms of one arm in its own frame; returns A'P, the inertia force on R without m R'', and the dampers' heat.

    The columns M_Re = A p of the knick arm are left in rows 2 and 3 of `trig`.
    """
    c, s, spin = trig[0, arm], trig[1, arm], v[arm]
    px, pz, dx, dz, bend, heat = mech.lengths[MOMENT + arm], 0.0, 0.0, 0.0, 0.0, 0.0
    inertia, swell = mech.own[arm], 0.0
    for i in range(low, high):
        pull, pulled, grown, growing, stiff, stiffening = 0.0, 0.0, 0.0, 0.0, 0.0, 0.0
        for j in range(low, high):
            h, g, k = mech.shapes[SHORTENING + i, j], mech.inertia[i, j], mech.springs[i, j]
            pull += h * q[j]
            pulled += h * v[j]
            grown += g * q[j]
            growing += g * v[j]
            stiff += k * q[j]
            stiffening += k * v[j]
        w = mech.shapes[MOMENTS, i]
        px -= 0.5 * pull * q[i]
        pz += w * q[i]
        dx -= pull * v[i]
        dz += w * v[i]
        bend += pulled * v[i]
        inertia += grown * q[i]
        swell += growing * q[i]
        if arm == 1:
            trig[2, i], trig[3, i] = -c * pull - s * w, -s * pull + c * w
        mass[arm, i] = mass[i, arm] = mech.shapes[X_MOMENTS, i]
        mass[i, i] = mech.own[i]
        force[i] = spin * spin * grown - GRAVITY * (c * w - s * pull) - stiff - mech.beta * stiffening
        heat += mech.beta * stiffening * v[i]
    mass[arm, arm] = inertia
    tx, tz = -s * px - c * pz, c * px - s * pz
    force[arm] = -2.0 * spin * swell - GRAVITY * tz
    fx = tz * spin * spin + 2.0 * spin * (s * dx + c * dz) + c * bend
    fz = -tx * spin * spin - 2.0 * spin * (c * dx - s * dz) + s * bend
    return tx, tz, fx, fz, heat


@kernel
def modal_terms(mech: Any, q: Array, v: Array, trig: Array, mass: Array, force: Array) -> float:
    """Fill the mass matrix and the force of inertia, weight, springs and dampers; returns the dampers' heat in W."""
    n, low = q.size, 2 + int(mech.lengths[FIRST])
    mass[:, :] = 0.0
    heat = beam(mech, 0, 2, low, q, v, trig, mass, force)[4]
    tx, tz, fx, fz, more = beam(mech, 1, low, n, q, v, trig, mass, force)
    ax, az = elbow_acceleration(mech, v, trig)
    m = mech.lengths[MASS + 1]
    fx, fz = fx - m * ax, fz - m * (az + GRAVITY)
    force[1] -= tx * ax + tz * az
    for i in range(low, n):
        force[i] -= trig[2, i] * ax + trig[3, i] * az
    for i in range(low):
        jx, jz = trig[2, i], trig[3, i]
        force[i] += jx * fx + jz * fz
        for k in range(low):
            mass[i, k] += m * (jx * trig[2, k] + jz * trig[3, k])
        if i != 1:
            mass[i, 1] += jx * tx + jz * tz
            mass[1, i] = mass[i, 1]
        for k in range(low, n):
            mass[i, k] += jx * trig[2, k] + jz * trig[3, k]
            mass[k, i] = mass[i, k]
    return heat + more


@kernel
def modal_point(mech: Any, q: Array, trig: Array, station: int, where: Array, jacobian: Array) -> None:
    """Place of a station in m, and its derivative by the coordinates."""
    n, split, row = q.size, 2 + int(mech.lengths[FIRST]), block(q.size, station)
    arm, along, above, offset = mech.stations[station]
    which = int(arm)
    low, high = (2, split) if which == 0 else (split, n)
    c, s = trig[0, which], trig[1, which]
    for i in range(n):
        carried = which if i < split else 0
        jacobian[0, i], jacobian[1, i] = carried * trig[2, i], carried * trig[3, i]
    turn = 0.0
    for i in range(low, high):
        turn += mech.shapes[row + 1, i] * q[i]
    x = along - above * turn - 0.5 * offset * turn * turn
    z = above + offset * turn - 0.5 * above * turn * turn
    for i in range(low, high):
        pull, w, slope = 0.0, mech.shapes[row, i], mech.shapes[row + 1, i]
        for j in range(low, high):
            pull += mech.shapes[row + 2 + i, j] * q[j]
        dx = -pull - (above + offset * turn) * slope
        dz = w + (offset - above * turn) * slope
        x -= 0.5 * pull * q[i]
        z += w * q[i]
        jacobian[0, i], jacobian[1, i] = c * dx - s * dz, s * dx + c * dz
    jacobian[0, which] = -s * x - c * z
    jacobian[1, which] = c * x - s * z
    where[0] = which * trig[3, 0] + c * x - s * z
    where[1] = -which * trig[2, 0] + s * x + c * z


@kernel
def modal_energy(mech: Any, q: Array, v: Array, trig: Array) -> tuple[float, float]:
    """Kinetic energy, and potential energy of weight and bending, in J."""
    n, split = q.size, 2 + int(mech.lengths[FIRST])
    mass = np.zeros((n, n))
    modal_terms(mech, q, v, trig, mass, np.zeros(n))
    kinetic, potential = 0.0, -GRAVITY * mech.lengths[MASS + 1] * trig[2, 0]
    for i in range(n):
        for j in range(n):
            kinetic += 0.5 * mass[i, j] * v[i] * v[j]
            potential += 0.5 * mech.springs[i, j] * q[i] * q[j]
    for arm in range(2):
        low, high = (2, split) if arm == 0 else (split, n)
        px, pz = mech.lengths[MOMENT + arm] - 0.5 * quadratic(mech.shapes, SHORTENING, low, high, q, q), 0.0
        for i in range(low, high):
            pz += mech.shapes[MOMENTS, i] * q[i]
        potential += GRAVITY * (trig[1, arm] * px + trig[0, arm] * pz)
    return kinetic, potential
