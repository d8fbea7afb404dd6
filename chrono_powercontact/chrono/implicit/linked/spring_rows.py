"""Springs of Chrono's as soft rows among the links: their forces at the end of the step.

Chrono's residual holds the force of a spring at the start of a step. To that at its end a force f = s - b v' is
missing, with the rate v' of the spring then. An impulse p = h f of a row J is known from J v' + p/(h b) = s/b: a link
with a softness. The direction of the spring is that of the start of the step.

The damper always acts with the rate at the end. For the elastic force there is Newmark's family with gamma = 1/2 + a
and beta = (1 + a)^2/4, for numerical damping a from 0 to 1; d = (1 - a)^2/4:

    b = c + beta k h,    s = c v + d k h v + a k r,

where v is the rate at the start and k r the change of the force by a rest length or an actuator force that was changed
since Chrono last computed it. With a = 1 the elastic force is that at the end of the step (implicit Euler); with a = 0
it is k (x_before + 2 x + x_after)/4, the trapezoidal rule.
"""

from __future__ import annotations

from typing import Any

from ....kernel import kernel
from ....numerics.vectors import Triple, cross, minus, norm, times
from ...contact.bodies import SPEED_WIDTH, point_on, position, to_body, to_world
from ...joint.joint_records import LINE
from ...joint.spring_records import SPRING, SPRING_GEOMETRY, SPRING_STATE
from ..island import Links, MovingBodies

Array = Any


@kernel
def put_side(row: Array, body: int, along: Triple, about: Triple) -> None:
    """Write what a row has of a body: a direction, and the moment of it about body-fixed axes."""
    k = SPEED_WIDTH * body
    for i in range(3):
        row[k + i] = along[i]
        row[k + 3 + i] = about[i]


@kernel
def put_line(x: Array, r: Array, head: Any, shape: Any, mass: Array, row: Array) -> None:
    """Write the rate of the length of a line; none if it has no length."""
    ends = point_on(x, r, head.body_1, shape.point), point_on(x, r, head.body_2, shape.origin)
    apart = minus(ends[0], ends[1])
    length = norm(apart)
    along = times(1.0 / length if length > 0.0 else 0.0, apart)
    for body, end, sign in ((head.body_1, ends[0], 1.0), (head.body_2, ends[1], -1.0)):
        if mass[body] > 0.0:
            way = times(sign, along)
            put_side(row, body, way, to_body(r, body, cross(minus(end, position(x, body)), way)))


@kernel
def put_turn(r: Array, head: Any, shape: Any, mass: Array, row: Array) -> None:
    """Write the rate of the angle of body 1 about an axis on body 2."""
    axis = to_world(r, head.body_2, shape.axis)
    for body, sign in ((head.body_1, 1.0), (head.body_2, -1.0)):
        if mass[body] > 0.0:
            put_side(row, body, (0.0, 0.0, 0.0), to_body(r, body, times(sign, axis)))


@kernel
def clear_row(links: Links, c: int, head: Any) -> None:
    """Make a row one without bodies, whose impulse is zero."""
    for body in (head.body_1, head.body_2):
        put_side(links.jacobian[c], body, (0.0, 0.0, 0.0), (0.0, 0.0, 0.0))
    links.bodies[c, 0] = -1
    links.bodies[c, 1] = -1
    links.softness[c] = 1.0
    links.demanded[c] = 0.0


@kernel
def take_on_bodies(links: Links, c: int, head: Any, bodies: MovingBodies) -> float:
    """Enter the moving bodies of a row; returns its rate at the start of the step, in m/s or rad/s."""
    n = 0
    rate = 0.0
    for body in (head.body_1, head.body_2):
        if bodies.mass[body] > 0.0:
            links.bodies[c, n] = body
            n += 1
            for i in range(SPEED_WIDTH * body, SPEED_WIDTH * (body + 1)):
                rate += links.jacobian[c, i] * bodies.w[i]
    return rate


@kernel
def put_springs(
    x: Array, bodies: MovingBodies, h: float, springs: Array, geometry: Array, state: Array, links: Links
) -> None:
    """Write the rows of all springs behind those of the links, for a step h in s.

    A spring without stiffness and damping, or one that is switched off, has no bodies, and an impulse of zero.

    Args:
        x: packed states of the bodies. springs, geometry, state: flat tables.
    """
    heads = springs.view(SPRING)
    shapes = geometry.view(SPRING_GEOMETRY)
    states = state.view(SPRING_STATE)
    for e in range(heads.size):
        now = states[e]
        c = links.springs + e
        clear_row(links, c, heads[e])
        damped = shapes[e].damped
        slope = now.c + 0.25 * (1.0 + damped) ** 2 * now.k * h
        if not slope > 0.0:
            continue
        if heads[e].motion == LINE:
            put_line(x, bodies.r, heads[e], shapes[e], bodies.mass, links.jacobian[c])
        else:
            put_turn(bodies.r, heads[e], shapes[e], bodies.mass, links.jacobian[c])
        rate = take_on_bodies(links, c, heads[e], bodies)
        held = now.c + 0.25 * (1.0 - damped) ** 2 * now.k * h
        links.softness[c] = 1.0 / (h * slope)
        links.demanded[c] = (held * rate + damped * (now.surplus - now.c * rate)) / slope


@kernel
def add_handed(links: Links, h: float, q: Array) -> None:
    """Add the forces of all rows that are handed over to Chrono in the step to generalised forces."""
    for c in range(links.handed, links.impulse.size):
        for body in links.bodies[c]:
            if body >= 0:
                for i in range(SPEED_WIDTH * body, SPEED_WIDTH * (body + 1)):
                    q[i] += links.impulse[c] / h * links.jacobian[c, i]
