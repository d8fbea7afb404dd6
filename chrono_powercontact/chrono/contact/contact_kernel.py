"""The compiled core of the plugin: generalised forces of all contact elements from packed body states.

Each element passes through the same stages: locate the surfaces, compute their relative motion, carry the memory to the
trial state, evaluate the laws, scatter the forces, sum the powers and, on request, commit the memory and report. The
memory holds values of the last commit, in world components. It moves with the contact: by the smallest rotation from
the old normal to the new one, then about the new normal with the rotation that both bodies share. At a trial state
the memory follows from these values, the trial velocity and the time since the commit. Only an evaluation with the flag
`commit` writes it.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from ...kernel import inlined, kernel
from ...laws.friction.anchor import anchor_pull, carried_anchor
from ...laws.friction.friction_table import ABSENT, ANCHORED, LUGRE, filtered_friction, remembers
from ...laws.friction.lugre import lugre_flow, lugre_pull
from ...laws.normal.normal_table import normal_force, normal_potential
from ...numerics.vectors import ZERO, Triple, dot, minus, plus, store, times
from .bodies import Bodies, angular_velocity, push, rotations, twist, velocity_at
from .geometry import Gap
from .last_step import between, body_ways, spin_between, work_of_step
from .records import BOOK, ELEMENT, GEOMETRY, MATERIAL, MEMORY, REPORT, TOTALS
from .solids.locating import is_beyond, locate_any
from .transport import along, displacement, distance_since, in_plane, mark_point, shared_spin, transported

HOLD = -1.0
"""Opening of the filter that means: hold the static force at its present value over the step."""

Array = Any


class Clock(NamedTuple):
    """When an evaluation takes place.

    Attributes:
        since: time since the last commit, in s. commit: whether to write the present memory.
        once: whether forces are evaluated once per step, at its start.
    """

    since: float
    commit: bool
    once: bool


class Carried(NamedTuple):
    """The memory of an element at a trial state.

    Attributes:
        fresh: whether there was no memory. held: friction force in N, anchor or bristles in m.
        earlier: static friction force at the last commit, in N. growth: its rate before then, in N/s, and `past` the
            time in s over which it is the mean. turn: anchors of rolling and spinning, in rad.
        turning: relative angular velocity, in rad/s. psi: potential of all anchors in m, psi_rate: its rate in m/s.
        gain: change of psi since the last commit, in m.
    """

    fresh: bool
    held: Triple
    earlier: Triple
    turn: Triple
    turning: Triple
    psi: float
    psi_rate: float
    gain: float
    growth: Triple
    past: float


class Acting(NamedTuple):
    """Forces of the laws at a trial state.

    Attributes:
        force: normal force in N. elastic: its elastic part in N. activation: 0 to 1.
        friction: against the sliding velocity, in N. static: the same without memory. gate: opening of the filter.
        held: next memory of the friction. moment: moment of rolling and spinning friction, in N m.
    """

    force: float
    elastic: float
    activation: float
    friction: Triple
    static: Triple
    gate: float
    held: Triple
    moment: Triple


class Books(NamedTuple):
    """Sums over all elements, a record of TOTALS, and how the bodies moved in the last step, see `body_ways`."""

    totals: Any
    ways: Array


class Pressed(NamedTuple):
    """Normal force in N, its elastic part in N, and the activation, 0 to 1."""

    force: float
    elastic: float
    activation: float


class Powers(NamedTuple):
    """Stored energy in J, and powers in W dissipated in the normal direction and by friction."""

    stored: float
    contact: float
    friction: float


@kernel
def turns(material: Any) -> bool:
    """Whether a material has rolling or spinning friction, or a patch by which friction resists spinning."""
    return material.rolling.kind != ABSENT or material.spinning.kind != ABSENT or material.patch > 0.0


@kernel
def has_memory(material: Any) -> bool:
    """Whether the friction of a material has a memory."""
    return remembers(material.friction) or turns(material)


@kernel
def forget(own: Any) -> None:
    """Clear the memory of an element, but for a wall that its bodies pass."""
    for vector in (own.held, own.earlier, own.turn, own.turning, own.normal, own.mark_a, own.mark_b, own.apart):
        vector[:] = 0.0
    for vector in (own.push, own.point, own.friction, own.moment, own.solved, own.solved_moment, own.growth):
        vector[:] = 0.0
    own.since = 0.0
    own.speed = 0.0
    own.rubbing = 0.0
    own.approach = 0.0
    own.exit = 0.0
    own.gate = 0.0
    own.load = 0.0
    own.surplus = 0.0
    own.psi = 0.0


@inlined
def is_passing(bodies: Bodies, element: Any, own: Any, gap: Gap) -> bool:
    """Whether the bodies of an element still pass the wall that they broke; it takes no more from them."""
    if own.behind == 0.0 or gap.gap <= own.behind:
        return False
    v = minus(velocity_at(bodies, element.a, gap.point), velocity_at(bodies, element.b, gap.point))
    return dot(v, gap.normal) < 0.0


@kernel
def carry_turn(material: Any, was: Triple, turning: Triple, turned: Triple, n: Triple, h: float) -> Any:
    """The anchors of rolling and spinning after a rotation in rad, their potential in m, and its rate in m/s."""
    turn = ZERO
    psi = 0.0
    rate = 0.0
    if material.rolling.kind != ABSENT:
        p = material.rolling.anchor
        turn, psi, rate = carried_anchor(p, in_plane(was, n), in_plane(turning, n), in_plane(turned, n), h)
    if material.spinning.kind != ABSENT:
        p = material.spinning.anchor
        spun, more, faster = carried_anchor(p, along(was, n), along(turning, n), along(turned, n), h)
        turn = plus(turn, spun)
        psi += more
        rate += faster
    return turn, psi, rate


@kernel
def is_sticky(law: Any) -> bool:
    """Whether friction has an anchor or bristles, which follow the displacement of the surfaces."""
    return law.kind == ANCHORED or law.kind == LUGRE


@kernel
def carry_stretch(law: Any, held: Triple, slip: Triple, slid: Triple, h: float) -> Any:
    """An anchor or bristles after a displacement in m; the potential of an anchor in m, and its rate in m/s."""
    if law.kind == ANCHORED:
        return carried_anchor(law.anchor, held, slip, slid, h)
    return lugre_flow(law.lugre, held, slid, h), 0.0, 0.0


@kernel
def rubbing_speed(material: Any, slip: Triple, turning: Triple, n: Triple) -> Triple:
    """Velocity in m/s that friction resists: the slip and, along the normal, the spin at the radius of the patch.

    A patch that slides and spins resists both at once: the fraction of friction that opposes the slip falls as the
    patch spins faster (Contensou 1963). Friction along this vector of three components has an elliptical limit
    surface, and its power is that of its force on the slip and of its moment on the spin.
    """
    if material.patch == 0.0:
        return slip
    return plus(slip, times(material.patch * dot(turning, n), n))


@kernel
def on_patch(material: Any, friction: Triple, moment: Triple, n: Triple) -> tuple[Triple, Triple]:
    """Friction force in N and moment in N m of a contact whose friction has a part along the normal."""
    if material.patch == 0.0:
        return friction, moment
    return in_plane(friction, n), plus(moment, times(material.patch, along(friction, n)))


@kernel
def turned_since(material: Any, own: Any, turning: Triple, h: float, once: bool) -> tuple[Triple, Triple]:
    """Relative angular velocity in rad/s, and rotation in rad since the last commit; zero if neither matters."""
    if not turns(material):
        return ZERO, ZERO
    return turning, distance_since(turning, own.turning, h, once)


@inlined
def carry_memory(
    bodies: Bodies, element: Any, material: Any, own: Any, gap: Gap, slip: Triple, clock: Clock
) -> Carried:
    """The memory of an element, carried from the last commit to the trial state."""
    n = gap.normal
    h = clock.since
    fresh = own.normal[0] == 0.0 and own.normal[1] == 0.0 and own.normal[2] == 0.0
    turning_a = angular_velocity(bodies, element.a)
    turning_b = angular_velocity(bodies, element.b)
    angle = h * shared_spin(dot(turning_a, n), dot(turning_b, n))
    held = ZERO
    earlier = ZERO
    was = ZERO
    if not fresh:
        held = transported(own.held, own.normal, n, angle)
        if turns(material):
            was = transported(own.turn, own.normal, n, angle)
    growth = ZERO
    if not (fresh or clock.once):
        earlier = transported(own.earlier, own.normal, n, angle)
        growth = transported(own.growth, own.normal, n, angle)
    turning, turned = turned_since(material, own, minus(turning_a, turning_b), h, clock.once or fresh)
    psi = 0.0
    rate = 0.0
    if is_sticky(material.friction):
        slid = times(h, slip) if fresh else displacement(bodies.x, bodies.r, element, own, n)
        rubbed = rubbing_speed(material, slid, turned, n)
        held, psi, rate = carry_stretch(material.friction, held, rubbing_speed(material, slip, turning, n), rubbed, h)
    turn = ZERO
    if turns(material):
        turn, more, faster = carry_turn(material, was, turning, turned, n, h)
        psi += more
        rate += faster
    gain = psi - own.psi
    if h > 0.0:
        rate = gain / h
    return Carried(fresh, held, earlier, turn, turning, psi, rate, gain, growth, own.since)


@kernel
def rolling_moment(material: Any, force: float, activation: float, carried: Carried, n: Triple) -> Triple:
    """Moment in N m of rolling and spinning friction against the relative angular velocity."""
    moment = ZERO
    if material.rolling.kind != ABSENT:
        p = material.rolling.anchor
        moment = anchor_pull(p, force, activation, in_plane(carried.turn, n), in_plane(carried.turning, n))
    if material.spinning.kind != ABSENT:
        p = material.spinning.anchor
        spinning = anchor_pull(p, force, activation, along(carried.turn, n), along(carried.turning, n))
        moment = plus(moment, spinning)
    return moment


@inlined
def ask_laws(material: Any, own: Any, gap: Gap, speed: float, slip: Triple, carried: Carried, clock: Clock) -> Acting:
    """Forces of the laws of a material; `speed` is the normal speed in m/s.

    The anchors shift the contact: the normal law is evaluated at the distance minus psi.
    """
    s = gap.gap + material.offset - carried.psi
    force, elastic, activation = normal_force(material.normal, s, speed - carried.psi_rate)
    gate = HOLD if clock.once or carried.fresh else own.gate
    pressed = Pressed(gap.weight * force, gap.weight * elastic, gap.weight * activation)
    return under_load(material, pressed, gap.normal, slip, carried, gate, clock.since)


@kernel
def curved(carried: Carried, static: Triple, rate: float, h: float) -> Triple:
    """What the curvature of the static friction over time adds to a filtered force, in N, a time h after a commit.

    The filter follows a force that varies linearly. With the rate before the commit the force is a parabola, and the
    filter is of third order in the step: an impact takes few steps. `rate` is the opening over T_F, in 1/s.
    """
    change = minus(static, carried.earlier)
    bend = times(h / (h + carried.past), minus(change, times(h, carried.growth)))
    if dot(bend, bend) > dot(change, change):
        return ZERO
    z = rate * h
    passed = -z / 6.0 if z < 1e-3 else (-(z + 2.0) * np.expm1(-z) - 2.0 * z) / (z * z)
    return times(passed, bend)


@kernel
def under_load(
    material: Any, pressed: Pressed, n: Triple, slip: Triple, carried: Carried, gate: float, since: float
) -> Acting:
    """Friction of a material under a normal load, with rolling and spinning friction.

    `gate` is the opening of the filter at the last commit, `since` the time since then in s.
    """
    friction = ZERO
    static = ZERO
    opened = 1.0
    held = carried.held
    law = material.friction
    rubbed = rubbing_speed(material, slip, carried.turning, n)
    if law.kind == ANCHORED:
        friction = anchor_pull(law.anchor, pressed.force, pressed.activation, held, rubbed)
    elif law.kind == LUGRE:
        friction = lugre_pull(law.lugre, pressed.force, pressed.activation, held, rubbed)
    elif law.kind != ABSENT:
        friction, static, opened = filtered_friction(
            law, pressed.force, pressed.activation, rubbed, held, carried.earlier, gate, since
        )
        if carried.past > 0.0 and law.t_f > 0.0 and gate >= 0.0:
            friction = plus(friction, curved(carried, static, 0.5 * (gate + opened) / law.t_f, since))
        held = friction
    moment = rolling_moment(material, pressed.force, pressed.activation, carried, n) if turns(material) else ZERO
    friction, moment = on_patch(material, friction, moment, n)
    return Acting(pressed.force, pressed.elastic, pressed.activation, friction, static, opened, held, moment)


@inlined
def scatter(bodies: Bodies, element: Any, gap: Gap, acting: Acting, turning: bool, q: Array) -> None:
    """Add action and reaction to the generalised forces of both bodies."""
    f = minus(times(acting.force, gap.normal), acting.friction)
    push(bodies, element.a, gap.point, f, q)
    push(bodies, element.b, gap.point, times(-1.0, f), q)
    if turning:
        twist(bodies, element.a, times(-1.0, acting.moment), q)
        twist(bodies, element.b, acting.moment, q)


@inlined
def powers_of(
    material: Any, gap: Gap, speed: float, slip: Triple, carried: Carried, acting: Acting, commit: bool
) -> Powers:
    """Stored energy and dissipated powers of an element; at a commit, anchor terms are booked as energies elsewhere."""
    surplus = acting.force - acting.elastic
    contact = -surplus * speed
    friction = dot(acting.friction, slip) + dot(acting.moment, carried.turning)
    if commit:
        return Powers(0.0, contact, friction)
    stored = gap.weight * normal_potential(material.normal, gap.gap + material.offset - carried.psi)
    contact += surplus * carried.psi_rate
    friction -= acting.force * carried.psi_rate
    return Powers(stored, contact, friction)


@kernel
def keep_growth(own: Any, carried: Carried, static: Triple, since: float) -> None:
    """Keep the mean rate of the static friction since the last commit, where a filter follows it between commits."""
    if carried.fresh or since == 0.0:
        own.since = 0.0
        return
    own.since = since
    store(times(1.0 / since, minus(static, carried.earlier)), own.growth)


@inlined
def commit_memory(
    bodies: Bodies, element: Any, material: Any, own: Any, gap: Gap, carried: Carried, acting: Acting, totals: Any
) -> None:
    """Write the present memory of an element, and sum the energy that its anchors took and gave since the last one."""
    if acting.activation == 0.0:
        forget(own)
        return
    surplus = acting.force - acting.elastic
    if not carried.fresh and carried.gain != 0.0:
        totals.anchors_took += 0.5 * (acting.force + own.load) * carried.gain
        totals.anchors_gave += 0.5 * (surplus + own.surplus) * carried.gain
    store(acting.held, own.held)
    store(acting.static, own.earlier)
    store(gap.normal, own.normal)
    own.gate = acting.gate
    own.load = acting.force
    own.surplus = surplus
    own.psi = carried.psi
    if turns(material):
        store(carried.turn, own.turn)
        store(carried.turning, own.turning)
    if is_sticky(material.friction):
        mark_point(bodies.x, bodies.r, element, gap.point, own)


@inlined
def keep_forces(own: Any, gap: Gap, acting: Acting, speed: float, slip: Triple) -> None:
    """Keep the forces that an element exerts in the step that now begins."""
    own.load = acting.force
    own.surplus = acting.force - acting.elastic
    own.speed = speed
    own.rubbing = dot(acting.friction, slip)
    own.approach = 0.0
    own.exit = 0.0
    store(gap.normal, own.push)
    store(gap.point, own.point)
    store(acting.friction, own.friction)
    store(acting.moment, own.moment)


@inlined
def book_forces(element: Any, own: Any, gain: float, sticky: bool, ways: Array, h: float, totals: Any) -> None:
    """Sum what the forces of an element did in the last step h of a linearised integrator, over the way h w'.

    Args:
        gain: change of psi in the step, in m. sticky: whether friction has an anchor. ways: see `body_ways`.
    """
    v = between(ways, element.a, element.b, own.point, 3)
    speed = dot(v, own.push)
    rubbing = dot(own.friction, v)
    totals.friction_drag += 0.5 * h * (own.rubbing - rubbing)
    nearing = h * speed - gain
    rubbed = h * rubbing - own.load * gain
    if dot(own.moment, own.moment) > 0.0:
        rubbed += h * dot(own.moment, spin_between(ways, element.a, element.b, 6))
    if own.approach != 0.0:
        mean = 0.5 * (own.exit - own.approach)
        nearing = h * mean - gain
        totals.impact += own.load * h * (speed - mean)
    else:
        totals.contact_drag += 0.5 * h * own.surplus * (speed - own.speed)
    totals.contact_heat -= own.surplus * nearing
    totals.elastic += (own.load - own.surplus) * nearing
    if rubbed >= 0.0 or sticky:
        totals.friction_heat += rubbed
    else:
        totals.handed_back -= rubbed


@kernel
def report_gap(line: Any, gap: Gap) -> None:
    """Report the gap of an element, with zero forces."""
    line.gap = gap.gap
    line.force = 0.0
    line.activation = 0.0
    line.stored = 0.0
    line.contact_power = 0.0
    line.friction_power = 0.0
    store(gap.normal, line.normal)
    store(gap.point, line.point)
    store(ZERO, line.friction)
    store(ZERO, line.moment)


@kernel
def report_forces(line: Any, acting: Acting, powers: Powers) -> None:
    """Report the forces of an element."""
    line.force = acting.force
    line.activation = acting.activation
    line.stored = powers.stored
    line.contact_power = powers.contact
    line.friction_power = powers.friction
    store(times(-1.0, acting.friction), line.friction)
    store(times(-1.0, acting.moment), line.moment)


@inlined
def element_force(
    bodies: Bodies, element: Any, material: Any, own: Any, gap: Gap, clock: Clock, q: Array, books: Books
) -> tuple[Acting, Powers]:
    """Evaluate an element in range: powers go into totals, at a commit the memory is written, forces go into q.

    If q is empty, the forces of a commit with `once` are in the memory only.
    """
    totals = books.totals
    v = minus(velocity_at(bodies, element.a, gap.point), velocity_at(bodies, element.b, gap.point))
    speed = dot(v, gap.normal)
    slip = minus(v, times(speed, gap.normal))
    carried = Carried(True, ZERO, ZERO, ZERO, ZERO, 0.0, 0.0, 0.0, ZERO, 0.0)
    remembering = has_memory(material)
    if remembering:
        carried = carry_memory(bodies, element, material, own, gap, slip, clock)
    acting = ask_laws(material, own, gap, speed, slip, carried, clock)
    if q.size > 0:
        scatter(bodies, element, gap, acting, turns(material), q)
    powers = powers_of(material, gap, speed, slip, carried, acting, clock.commit)
    totals.stored += powers.stored
    totals.contact_power += powers.contact
    totals.friction_power += powers.friction
    if material.friction.kind != ANCHORED:
        totals.returned_power += max(-powers.friction, 0.0)
    if clock.commit:
        sticky = material.friction.kind == ANCHORED or turns(material)
        if clock.once and own.load != 0.0:
            book_forces(element, own, carried.psi - own.psi, sticky, books.ways, clock.since, totals)
        if remembering:
            keep_growth(own, carried, acting.static, 0.0 if clock.once else clock.since)
            commit_memory(bodies, element, material, own, gap, carried, acting, totals)
        if clock.once and (acting.force != 0.0 or (q.size == 0 and acting.activation != 0.0)):
            keep_forces(own, gap, acting, speed, slip)
        elif clock.once and own.load != 0.0:
            forget(own)
    return acting, powers


@kernel
def contact_forces(
    x: Array, w: Array, r: Array, elements: Array, geometry: Array, materials: Array, memory: Array,
    h: float, commit: bool, once: bool, q: Array, totals: Array, report: Array, past: Array,
) -> None:  # fmt: skip
    """Add the generalised forces of all elements to q, and their energy and powers to totals.

    Args:
        r: space for the rotation matrices. elements, geometry, materials, memory: flat, see `records`.
        h: time since the last commit, in s. commit: whether to write the memory as it is after h.
        once: whether forces are evaluated once per step. totals: flat TOTALS.
        report: flat REPORT, one record for each element, or empty.
        past: packed states and velocities at the last commit, for a commit with `once`.
    """
    rotations(x, r)
    bodies = Bodies(x, w, r)
    clock = Clock(h, commit, once)
    heads = elements.view(ELEMENT)
    shapes = geometry.view(GEOMETRY)
    laws = materials.view(MATERIAL)
    memories = memory.view(MEMORY)
    lines = report.view(REPORT)
    sums = totals.view(TOTALS)[0]
    ways = body_ways(past, w) if commit and once else np.empty((0, 0))
    books = Books(sums, ways)
    for e in range(heads.size):
        element = heads[e]
        material = laws[element.material]
        own = memories[e]
        idle = lines.size == 0 and own.load == 0.0 and own.behind == 0.0
        if idle and is_beyond(x, r, element, shapes[e], material.reach):
            continue
        gap = locate_any(x, r, element, shapes[e])
        if lines.size > 0:
            report_gap(lines[e], gap)
        passing = is_passing(bodies, element, own, gap)
        if gap.gap > material.reach or gap.weight == 0.0 or passing:
            if passing:
                sums.stored += gap.weight * normal_potential(material.normal, own.behind + material.offset)
            if commit and own.load != 0.0:
                if once:
                    sticky = material.friction.kind == ANCHORED or turns(material)
                    book_forces(element, own, -own.psi, sticky, ways, h, sums)
                forget(own)
            continue
        own.behind = 0.0
        acting, powers = element_force(bodies, element, material, own, gap, clock, q, books)
        if lines.size > 0:
            report_forces(lines[e], acting, powers)


@kernel
def power_of(q: Array, w: Array) -> float:
    """Power in W of generalised forces at velocities."""
    power = 0.0
    for i in range(q.size):
        power += q[i] * w[i]
    return power


@kernel
def close_books(
    q: Array, w: Array, totals: Array, since: float, commit: bool, once: bool, kept: Array, book: Array
) -> int:
    """Number of the first body whose generalised force is not finite, or -1; a commit adds to the book.

    `kept` is the last step of a linearised integrator, see `last_step`.
    """
    for i in range(q.size):
        if not np.isfinite(q[i]):
            return i // 6
    if commit and once:
        book_step(totals.view(TOTALS)[0], work_of_step(kept, w, since), since, book.view(BOOK)[0])
    elif commit:
        book_powers(totals.view(TOTALS)[0], power_of(q, w), since, book.view(BOOK)[0])
    return -1


@kernel
def book_step(sums: Any, done: tuple[float, float, float], since: float, book: Any) -> None:
    """Add what the last step of a linearised integrator did to the book; the first commit opens it.

    Of the kinetic energy that the step took, the share of forces that dissipate is their heat. For what it has done see
    `work_of_step`.
    """
    if book.is_open == 0.0:
        book.is_open = 1.0
        book.contact_power = sums.contact_power
        book.friction_power = sums.friction_power
        return
    book.contact_by_power += 0.5 * since * (sums.contact_power + book.contact_power) + sums.anchors_gave
    book.friction_by_power += 0.5 * since * (sums.friction_power + book.friction_power) - sums.anchors_took
    book.contact_power = sums.contact_power
    book.friction_power = sums.friction_power
    work, of_springs, taken = done
    contact_drag = max(sums.contact_drag, 0.0)
    friction_drag = max(sums.friction_drag, 0.0)
    drag = contact_drag + friction_drag
    share = min(1.0, max(taken - sums.impact, 0.0) / drag) if drag > 0.0 else 0.0
    book.work += work
    book.springs += of_springs
    book.kinetic += taken
    book.contact_heat += sums.contact_heat + share * contact_drag
    book.friction_heat += sums.friction_heat + share * friction_drag
    book.handed_back += sums.handed_back
    book.elastic += sums.elastic
    book.impact += sums.impact + share * drag


@kernel
def book_powers(sums: Any, power: float, since: float, book: Any) -> None:
    """Add heat and work since the last commit to the book, from powers at both ends by the trapezoidal rule."""
    if book.is_open == 0.0:
        book.is_open = 1.0
    else:
        rubbed = sums.friction_power + sums.returned_power + book.friction_power + book.returned_power
        book.contact_heat += 0.5 * since * (sums.contact_power + book.contact_power)
        book.friction_heat += 0.5 * since * rubbed
        book.handed_back += 0.5 * since * (sums.returned_power + book.returned_power)
        book.contact_heat += sums.anchors_gave
        book.friction_heat -= sums.anchors_took
        book.work += 0.5 * since * (power + book.power)
    book.contact_power = sums.contact_power
    book.friction_power = sums.friction_power
    book.returned_power = sums.returned_power
    book.power = power
