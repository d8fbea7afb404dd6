"""The arms as two beams in floating frames, compiled: the same three kernels as for a chain of segments.

Coordinates: the angles phi and alpha of both frames, then the elastic coordinates of the main and of the knuckle arm,
orthonormal modes of each. The frame of an arm is its tangent at the base pin or at the elbow. With the first moments
P = (s, S e) of an arm and p = dP/de = (0, S), its equations in (R, angle, e) are

    M = [m 1, A'P, A p; ., J + e^T G e, X; ., ., 1]   and
    h = [-A P w^2 + 2 w A' p e' + (0, m g), 2 w e^T G e' + dV/dangle, -w^2 G e + dV/de + K e],

A = A(angle), A' its derivative, w the angular velocity, G = int rho W^T W, and V the weight at the height of
(s - e^T H_0 e/2, S e). R follows the elbow of the main arm. Bending shortens the arms in all positions and in the
weight; the inertia of this motion is left out, so that M is a sum of squares for any number of modes. Kept to second
order in e it is not: from 15 modes in each arm on M had a negative eigenvalue, because a complete set of modes and the
turning frame nearly cancel, and the shortening was larger than what is left.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from ....kernel import expanded, kernel
from .arms import ACROSS, COS, ELBOW_X, ELBOW_Z, SHORTENING, SIN, SLOPE, X_ACROSS
from .machine import GRAVITY

Array = Any
ANGLES = 2
"""Coordinates before the elastic ones: the angles of both arms."""
MAIN, KNUCKLE = 0, 1
ELBOW = 0
"""Section of the elbow; the section of a station has the station's number plus one."""


class Products(NamedTuple):
    """Products of one row of an arm's tables: of H with e, of G with e and e', of K with e and e'."""

    pull: float
    grown: float
    growing: float
    stiff: float
    stiffening: float


class FrameTerms(NamedTuple):
    """What an arm exerts on its frame: A'P in kg m, the inertia force on R without m R'' in N, dampers' heat in W."""

    tx: float
    tz: float
    fx: float
    fz: float
    heat: float


@expanded
def span_of(mech: Any, arm: int, n: int) -> tuple[int, int]:
    """First elastic coordinate of an arm, and the one behind its last; n is the number of all coordinates."""
    if arm == MAIN:
        return ANGLES, mech.beams.split
    return mech.beams.split, n


@expanded
def row_product(table: Array, i: int, low: int, high: int, a: Array) -> float:
    """Row i of a table times a, over the coordinates low to high."""
    total = 0.0
    for j in range(low, high):
        total += table[i, j] * a[j]
    return total


@expanded
def quadratic(table: Array, low: int, high: int, a: Array) -> float:
    """a^T H a over the coordinates low to high; the rows of H begin at SHORTENING."""
    total = 0.0
    for i in range(low, high):
        total += a[i] * row_product(table, SHORTENING + i, low, high, a)
    return total


@kernel
def modal_pose(mech: Any, q: Array, trig: Array) -> None:
    """Cosines and sines of both angles in `trig`, and the elbow's derivative by the coordinates.

    The elbow turns about the base pin, so it is at (trig[ELBOW_Z, 0], -trig[ELBOW_X, 0]).
    """
    for i in range(ANGLES):
        trig[COS, i] = np.cos(q[i])
        trig[SIN, i] = np.sin(q[i])
    beams = mech.beams
    c = trig[COS, MAIN]
    s = trig[SIN, MAIN]
    x = beams.length
    z = 0.0
    trig[ELBOW_X] = 0.0
    trig[ELBOW_Z] = 0.0
    for i in range(ANGLES, beams.split):
        w = beams.sections[ELBOW, ACROSS, i]
        pull = row_product(beams.sections[ELBOW], SHORTENING + i, ANGLES, beams.split, q)
        trig[ELBOW_X, i] = -c * pull - s * w
        trig[ELBOW_Z, i] = -s * pull + c * w
        x -= 0.5 * pull * q[i]
        z += w * q[i]
    trig[ELBOW_X, MAIN] = -s * x - c * z
    trig[ELBOW_Z, MAIN] = c * x - s * z


@expanded
def elbow_acceleration(mech: Any, v: Array, trig: Array) -> tuple[float, float]:
    """Acceleration of the elbow in m/s^2 that its velocity brings: what is left without q''."""
    beams = mech.beams
    w = v[MAIN]
    ax = -trig[ELBOW_Z, MAIN] * w * w
    az = trig[ELBOW_X, MAIN] * w * w
    for i in range(ANGLES, beams.split):
        ax -= 2.0 * w * trig[ELBOW_Z, i] * v[i]
        az += 2.0 * w * trig[ELBOW_X, i] * v[i]
    bend = quadratic(beams.sections[ELBOW], ANGLES, beams.split, v)
    return ax - trig[COS, MAIN] * bend, az - trig[SIN, MAIN] * bend


@expanded
def products(mech: Any, i: int, low: int, high: int, q: Array, v: Array) -> Products:
    """Products of row i with the elastic coordinates low to high."""
    h = mech.beams.integrals
    return Products(
        row_product(h, SHORTENING + i, low, high, q),
        row_product(mech.inertia, i, low, high, q),
        row_product(mech.inertia, i, low, high, v),
        row_product(mech.springs, i, low, high, q),
        row_product(mech.springs, i, low, high, v),
    )


@kernel
def beam(mech: Any, arm: int, q: Array, v: Array, trig: Array, mass: Array, force: Array) -> FrameTerms:
    """Terms of one arm in its frame; leaves A p of the knuckle arm in the rows ELBOW_X and ELBOW_Z of `trig`."""
    low, high = span_of(mech, arm, q.size)
    c = trig[COS, arm]
    s = trig[SIN, arm]
    omega = v[arm]
    along = mech.beams.moments[arm]
    drawn = along
    pz = 0.0
    dz = 0.0
    inertia = mech.own[arm]
    swell = 0.0
    heat = 0.0
    for i in range(low, high):
        r = products(mech, i, low, high, q, v)
        w = mech.beams.integrals[ACROSS, i]
        drawn -= 0.5 * r.pull * q[i]
        pz += w * q[i]
        dz += w * v[i]
        inertia += r.grown * q[i]
        swell += r.growing * q[i]
        if arm == KNUCKLE:
            trig[ELBOW_X, i] = -s * w
            trig[ELBOW_Z, i] = c * w
        mass[arm, i] = mech.beams.integrals[X_ACROSS, i]
        mass[i, arm] = mech.beams.integrals[X_ACROSS, i]
        mass[i, i] = mech.own[i]
        force[i] = omega * omega * r.grown - GRAVITY * (c * w - s * r.pull) - r.stiff - mech.beta * r.stiffening
        heat += mech.beta * r.stiffening * v[i]
    mass[arm, arm] = inertia
    tx = -s * along - c * pz
    tz = c * along - s * pz
    force[arm] = -2.0 * omega * swell - GRAVITY * (c * drawn - s * pz)
    turning = 2.0 * omega * dz
    return FrameTerms(tx, tz, tz * omega * omega + c * turning, -tx * omega * omega + s * turning, heat)


@kernel
def modal_terms(mech: Any, q: Array, v: Array, trig: Array, mass: Array, force: Array) -> float:
    """Fill the mass matrix and the force of inertia, weight, springs and dampers; returns the dampers' heat in W."""
    mass[:, :] = 0.0
    main = beam(mech, MAIN, q, v, trig, mass, force)
    knuckle = beam(mech, KNUCKLE, q, v, trig, mass, force)
    ax, az = elbow_acceleration(mech, v, trig)
    m = mech.beams.mass
    fx = knuckle.fx - m * ax
    fz = knuckle.fz - m * (az + GRAVITY)
    force[KNUCKLE] -= knuckle.tx * ax + knuckle.tz * az
    for i in range(mech.beams.split, q.size):
        force[i] -= trig[ELBOW_X, i] * ax + trig[ELBOW_Z, i] * az
    for i in range(mech.beams.split):
        force[i] += trig[ELBOW_X, i] * fx + trig[ELBOW_Z, i] * fz
        carry(mech, i, knuckle, trig, mass)
    return main.heat + knuckle.heat


@expanded
def carry(mech: Any, i: int, knuckle: FrameTerms, trig: Array, mass: Array) -> None:
    """Add to the mass matrix that coordinate i moves the elbow, and with it the knuckle arm."""
    split = mech.beams.split
    m = mech.beams.mass
    jx = trig[ELBOW_X, i]
    jz = trig[ELBOW_Z, i]
    for k in range(split):
        mass[i, k] += m * (jx * trig[ELBOW_X, k] + jz * trig[ELBOW_Z, k])
    if i != KNUCKLE:
        mass[i, KNUCKLE] += jx * knuckle.tx + jz * knuckle.tz
        mass[KNUCKLE, i] = mass[i, KNUCKLE]
    for k in range(split, mass.shape[0]):
        mass[i, k] += jx * trig[ELBOW_X, k] + jz * trig[ELBOW_Z, k]
        mass[k, i] = mass[i, k]


@kernel
def modal_point(mech: Any, q: Array, trig: Array, station: int, where: Array, jacobian: Array) -> None:
    """Position of a station in m, and its derivative by the coordinates."""
    beams = mech.beams
    on = mech.stations[station]
    arm = on.part
    section = beams.sections[station + 1]
    low, high = span_of(mech, arm, q.size)
    c = trig[COS, arm]
    s = trig[SIN, arm]
    for i in range(q.size):
        carried = arm if i < beams.split else 0
        jacobian[0, i] = carried * trig[ELBOW_X, i]
        jacobian[1, i] = carried * trig[ELBOW_Z, i]
    turn = row_product(section, SLOPE, low, high, q)
    x = on.along - on.above * turn - 0.5 * on.offset * turn * turn
    z = on.above + on.offset * turn - 0.5 * on.above * turn * turn
    for i in range(low, high):
        w = section[ACROSS, i]
        slope = section[SLOPE, i]
        pull = row_product(section, SHORTENING + i, low, high, q)
        dx = -pull - (on.above + on.offset * turn) * slope
        dz = w + (on.offset - on.above * turn) * slope
        x -= 0.5 * pull * q[i]
        z += w * q[i]
        jacobian[0, i] = c * dx - s * dz
        jacobian[1, i] = s * dx + c * dz
    jacobian[0, arm] = -s * x - c * z
    jacobian[1, arm] = c * x - s * z
    where[0] = arm * trig[ELBOW_Z, MAIN] + c * x - s * z
    where[1] = -arm * trig[ELBOW_X, MAIN] + s * x + c * z


@kernel
def modal_energy(mech: Any, q: Array, v: Array, trig: Array) -> tuple[float, float]:
    """Kinetic energy, and potential energy of weight and bending, in J."""
    n = q.size
    mass = np.zeros((n, n))
    modal_terms(mech, q, v, trig, mass, np.zeros(n))
    kinetic = 0.0
    potential = -GRAVITY * mech.beams.mass * trig[ELBOW_X, MAIN]
    for i in range(n):
        for j in range(n):
            kinetic += 0.5 * mass[i, j] * v[i] * v[j]
            potential += 0.5 * mech.springs[i, j] * q[i] * q[j]
    for arm in range(ANGLES):
        low, high = span_of(mech, arm, n)
        px = mech.beams.moments[arm] - 0.5 * quadratic(mech.beams.integrals, low, high, q)
        pz = 0.0
        for i in range(low, high):
            pz += mech.beams.integrals[ACROSS, i] * q[i]
        potential += GRAVITY * (trig[SIN, arm] * px + trig[COS, arm] * pz)
    return kinetic, potential
