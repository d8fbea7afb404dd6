"""The distance of two shapes in a way of its own: a conic program, its solution polished by Newton's method.

A convex core is a centre plus a matrix times coefficients, which lie in a set: each between -1 and 1, in a ball, or in
a cone of height 1. The program finds which of these bounds hold; with them as equations, Newton's method finds the
nearest points to the last digits, and with them the normal. A torus is its ring, searched finely.
"""

import clarabel
import numpy as np
from scipy import sparse
from scipy.optimize import brentq

import chrono_powercontact as pc
from chrono_powercontact.chrono.contact.bodies import rotations
from chrono_powercontact.chrono.contact.solids.solid_shapes import frame_along

BOX, BALL, POINTED = range(3)
"""Sets of coefficients: each between -1 and 1, in a ball, or in a cone of height 1."""


def core_of(shape):
    """Centre, matrix of the coefficients, their sets, and radius around the core of a convex shape."""
    if isinstance(shape, pc.Sphere):
        return shape.centres[0], np.zeros((3, 1)), [(BOX, 1)], shape.radius
    if isinstance(shape, pc.Capsule):
        return shape.ends.mean(axis=0), 0.5 * (shape.ends[1] - shape.ends[0])[:, None], [(BOX, 1)], shape.radius
    if isinstance(shape, pc.Box):
        return shape.centre, shape.turn * shape.half, [(BOX, 3)], shape.radius
    if isinstance(shape, pc.Ellipsoid):
        return shape.centre, shape.turn * shape.size, [(BALL, 3)], 0.0
    if isinstance(shape, pc.Hull):
        half = 0.5 * np.ptp(shape.points, axis=0)
        return shape.points.mean(axis=0), np.diag(half), [(BOX, 3)], shape.radius
    turn = frame_along(shape.direction)
    if isinstance(shape, pc.Cylinder):
        radius = shape.radius - shape.rounding
        size = (radius, radius, 0.5 * shape.length - shape.rounding)
        return shape.centre, turn * size, [(BALL, 2), (BOX, 1)], shape.rounding
    radius, height = shape.core
    base = shape.centre - 0.5 * height * shape.direction
    return base, turn * (radius, radius, height), [(POINTED, 3)], shape.rounding


def rows_of(kind, size, at, many):
    """Rows and constants of  h - G y in cones  that hold coefficients in their set."""
    unit = np.zeros((size, many))
    unit[:, at : at + size] = np.eye(size)
    if kind == BOX:
        return [unit, -unit], [1.0] * (2 * size), [clarabel.NonnegativeConeT(2 * size)]
    if kind == BALL:
        return [np.zeros((1, many)), -unit], [1.0] + [0.0] * size, [clarabel.SecondOrderConeT(size + 1)]
    top = unit[2:]
    cones = [clarabel.SecondOrderConeT(3), clarabel.NonnegativeConeT(1)]
    return [top, -unit[:2], -top], [1.0, 0.0, 0.0, 0.0], cones


def programmed(apart, matrix, sets):
    """Coefficients y that make  |apart + matrix y|  least, as the conic program finds them."""
    many = matrix.shape[1] + 1
    first = np.zeros((4, many))
    first[0, -1] = -1.0
    first[1:, :-1] = -matrix
    rows, constants, cones = [first], [0.0, *apart], [clarabel.SecondOrderConeT(4)]
    at = 0
    for kind, size in sets:
        more = rows_of(kind, size, at, many)
        rows, constants, cones = rows + more[0], constants + more[1], cones + more[2]
        at += size
    settings = clarabel.DefaultSettings()
    settings.verbose = False
    settings.tol_gap_abs = settings.tol_gap_rel = settings.tol_feas = 1e-13
    goal = np.zeros(many)
    goal[-1] = 1.0
    quadratic = sparse.csc_matrix((many, many))
    program = sparse.csc_matrix(np.vstack(rows))
    solver = clarabel.DefaultSolver(quadratic, goal, program, np.array(constants), cones, settings)
    return np.array(solver.solve().x[:-1])


def fixed(i, value):
    """The equation  y_i = value:  its error, gradient and curvature."""

    def equation(y):
        gradient = np.zeros(y.size)
        gradient[i] = 1.0
        return y[i] - value, gradient, np.zeros((y.size, y.size))

    return equation


def round_bound(part, top=None):
    """The equation  |y_part| = 1,  or  |y_part| + y_top = 1."""

    def equation(y):
        gradient = np.zeros(y.size)
        curvature = np.zeros((y.size, y.size))
        length = np.linalg.norm(y[part])
        out = y[part] / length
        gradient[part] = out
        curvature[part, part] = (np.eye(out.size) - np.outer(out, out)) / length
        if top is None:
            return length - 1.0, gradient, curvature
        gradient[top] = 1.0
        return length + y[top] - 1.0, gradient, curvature

    return equation


def bounds_of(kind, part, y, force):
    """Equations of the bounds that hold at a solution: their force, without unit, exceeds what they leave free."""
    if kind == BOX:
        return [fixed(i, np.sign(y[i])) for i in range(part.start, part.stop) if abs(force[i]) > 1.0 - abs(y[i])]
    if kind == BALL:
        return [round_bound(part)] if np.linalg.norm(force[part]) > 1.0 - np.linalg.norm(y[part]) else []
    flat, top = slice(part.start, part.stop - 1), part.stop - 1
    wide = np.linalg.norm(y[flat])
    if wide < 1e-5 and y[top] > 1.0 - 1e-5:
        return [fixed(part.start, 0.0), fixed(part.start + 1, 0.0), fixed(top, 1.0)]
    on_side = np.linalg.norm(force[flat]) > 1.0 - wide - y[top]
    on_base = force[top] + np.linalg.norm(force[flat]) > y[top]
    return [*([round_bound(flat, top)] if on_side else []), *([fixed(top, 0.0)] if on_base else [])]


def polished(y, apart, matrix, equations):
    """Newton's method on  least |apart + matrix y|^2 / 2  with equations; its solution to the last digits."""
    many = y.size
    forces = None
    for _ in range(12):
        found = [equation(y) for equation in equations]
        slope = matrix.T @ (apart + matrix @ y)
        gradients = np.array([gradient for _, gradient, _ in found]).reshape(-1, many)
        if forces is None:
            forces = np.linalg.lstsq(gradients.T, -slope, rcond=None)[0]
        curved = matrix.T @ matrix
        for force, (_, _, curvature) in zip(forces, found, strict=True):
            curved = curved + force * curvature
        rows = np.block([[curved, gradients.T], [gradients, np.zeros((len(found), len(found)))]])
        rest = -np.concatenate([slope + gradients.T @ forces, [error for error, _, _ in found]])
        step = np.linalg.lstsq(rows, rest, rcond=1e-13)[0]
        y = y + step[:many]
        forces = forces + step[many:]
        if np.abs(step).max() < 1e-14:
            break
    return y


def turned_cores(shapes, x):
    """Vector between the centres of two cores in the world, matrix and sets of all coefficients, and both radii."""
    r = np.zeros((2, 3, 3))
    rotations(x, r)
    (c0, m0, s0, r0), (c1, m1, s1, r1) = map(core_of, shapes)
    return x[:3] + r[0] @ c0 - x[7:10] - r[1] @ c1, np.hstack([r[0] @ m0, -r[1] @ m1]), [*s0, *s1], r0 + r1


TOUCHING = 1e-4
"""Distance in m of two cores below which the program cannot tell well which bounds hold."""


def convex_distance(shapes, x):
    """Gap in m of two convex shapes, and the normal from the second to the first; None where their cores touch."""
    apart, matrix, sets, radii = turned_cores(shapes, x)
    y = programmed(apart, matrix, sets)
    between = apart + matrix @ y
    if np.linalg.norm(between) < TOUCHING:
        return None
    force = matrix.T @ between / (np.linalg.norm(between) * max(np.abs(matrix).max(), 1e-300))
    equations = []
    boxed = []
    at = 0
    for kind, size in sets:
        equations += bounds_of(kind, slice(at, at + size), y, force)
        boxed += range(at, at + size) if kind == BOX else []
        at += size
    y = within_bounds(y, apart, matrix, equations, boxed)
    if y is None:
        return None
    between = apart + matrix @ y
    distance = np.linalg.norm(between)
    return distance - radii, between / distance


def within_bounds(y, apart, matrix, equations, boxed):
    """The polished solution, with bounds that the program did not see where two faces are nearly parallel.

    None where the bounds that hold are not those of a least distance.
    """
    for _ in range(6):
        y = polished(y, apart, matrix, equations)
        beyond = [i for i in boxed if abs(y[i]) > 1.0 + 1e-12]
        if not beyond:
            break
        equations = equations + [fixed(i, np.sign(y[i])) for i in beyond]
    slope = matrix.T @ (apart + matrix @ y)
    gradients = np.array([equation(y)[1] for equation in equations]).reshape(-1, y.size)
    rest = slope + gradients.T @ np.linalg.lstsq(gradients.T, -slope, rcond=None)[0]
    return y if np.abs(rest).max() < 1e-14 and not beyond else None


def height_above(shape, x, plane):
    """Gap in m of a convex shape on the first body and a plane on the second, in closed form; and the normal."""
    r = np.zeros((2, 3, 3))
    rotations(x, r)
    centre, matrix, sets, radius = core_of(shape)
    normal = r[1] @ plane.direction
    height = normal @ (x[:3] + r[0] @ centre - x[7:10] - r[1] @ plane.point) - radius
    slope = normal @ r[0] @ matrix
    at = 0
    for kind, size in sets:
        part = slope[at : at + size]
        if kind == BOX:
            height -= np.abs(part).sum()
        elif kind == BALL:
            height -= np.linalg.norm(part)
        else:
            height += min(part[2], -np.linalg.norm(part[:2]))
        at += size
    return height, normal


def ring_of(torus, x, body):
    """Centre of a torus' ring in the world, and two radii of it at right angles."""
    r = np.zeros((2, 3, 3))
    rotations(x, r)
    turn = torus.ring * r[body] @ frame_along(torus.direction)
    return x[7 * body : 7 * body + 3] + r[body] @ torus.centre, turn[:, 0], turn[:, 1]


def to_ring(point, ring):
    """Distance from a point to a ring, and direction to the point."""
    centre, first, second = ring
    away = point - centre
    flat = np.array([away @ first, away @ second])
    flat /= np.linalg.norm(flat)
    between = away - flat[0] * first - flat[1] * second
    distance = np.linalg.norm(between)
    return distance, between / max(distance, 1e-300)


def to_partner(point, shapes, x):
    """Gap from a point to the second of two shapes, and normal; None inside its core."""
    if isinstance(shapes[1], pc.Torus):
        distance, normal = to_ring(point, ring_of(shapes[1], x, 1))
        return (distance - shapes[1].tube, normal) if distance > TOUCHING else None
    alone = x.copy()
    alone[:7] = [*point, 1.0, 0.0, 0.0, 0.0]
    return convex_distance((pc.Sphere(shapes[0].body, radius=1e-300), shapes[1]), alone)


def least_along(slope, low, high):
    """Where a slope changes from falling to rising between two places; None where it does not, or is not a number."""
    if not slope(low) < 0.0 < slope(high):
        return None
    try:
        return brentq(slope, low, high, xtol=1e-15, rtol=1e-15)
    except ValueError:
        return None


def torus_distance(shapes, x, samples=96):
    """Gap of a torus and another shape, and normals: where least distances along the ring tie, there are several.

    None where the ring touches the core of the other shape, and where a least distance is not a single point of it.
    """
    centre, first, second = ring_of(shapes[0], x, 0)

    def at(u):
        return to_partner(centre + np.cos(u) * first + np.sin(u) * second, shapes, x)

    def slope(u):
        near = at(u)
        return np.nan if near is None else near[1] @ (np.cos(u) * second - np.sin(u) * first)

    angles = np.linspace(0.0, 2.0 * np.pi, samples, endpoint=False)
    found = [at(u) for u in angles]
    if None in found:
        return None
    gaps = np.array([gap for gap, _ in found])
    low = np.flatnonzero((gaps <= np.roll(gaps, 1)) & (gaps <= np.roll(gaps, -1)))
    width = 2.0 * np.pi / samples
    places = [least_along(slope, angles[k] - width, angles[k] + width) for k in low]
    if None in places:
        return None
    best = [at(u) for u in places]
    if None in best:
        return None
    least = min(gap for gap, _ in best)
    return least - shapes[0].tube, [normal for gap, normal in best if gap - least < 1e-9]
