"""The ledger of a Chrono scene of the machine whose forces are those at the end of a step, compiled.

In a step h all forces are held at F, those at its end. A line of length l, commanded to c, with e = c - l, takes F dc
from its drive and gives F dl to the arms. Of the rest, F de, it stores the change of k e^2/2, turns the force of its
damper times de into heat, and k de^2/2 is lost in the step. A bending spring does the same with its angle. What the step
takes from the motion, and what contact and seals do, the plugin's own ledger tells.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from ....chrono.contact.bodies import SPEED_WIDTH, STATE_WIDTH
from ....kernel import kernel
from ..motion.gauges import GAUGE
from ..motion.rake_motion import seal_force
from .scene_ledger import LINES, LOAD, PACKED_RATE, angle_of, read_scraper, stretch, wet_loads, write_end

Array = Any


def past_of(bodies: int) -> NDArray[np.float64]:
    """Space for what a step begins with: packed states and velocities, commanded lengths, time; and the seals' heat."""
    return np.zeros((STATE_WIDTH + SPEED_WIDTH) * bodies + LINES + 2)


@kernel
def line_step(line: Any, now: Any, then: Any, c: tuple[float, float, float], h: float, ledger: Any) -> tuple[Any, ...]:
    """Book a line over a step h; returns its force in N and the heat of its seals in J.

    Args:
        then: its length in m at the start, and the rate in m/s at the end along its direction then. now: its length at
            the end. c: commanded lengths in m at start and end, and rate in m/s at the end.
    """
    length, rate = then
    damped = line.c * (c[2] - rate)
    force = line.k * (c[1] - length - h * rate) + damped
    way = c[1] - c[0]
    eased = way - (now - length)
    rubbed = seal_force(line.seal, rate) * h * rate
    ledger.drive_work += force * way
    ledger.damping_heat += damped * eased + rubbed
    ledger.step_loss += 0.5 * line.k * eased * eased
    return force, rubbed


@kernel
def bend_step(parts: Any, x: Array, past: Array, h: float, ledger: Any) -> None:
    """Book the bending springs over a step h from a past state."""
    for i in range(1, parts.bodies.size):
        bend = parts.bodies[i].bend
        turned = angle_of(x, i) - angle_of(x, i - 1) - angle_of(past, i) + angle_of(past, i - 1)
        ledger.damping_heat += parts.beta * bend * turned * turned / h
        ledger.step_loss += 0.5 * bend * turned * turned


@kernel
def water_work(loads: Array, w: Array, h: float) -> float:
    """Work in J of loads on the bodies over a step h to velocities w."""
    speeds = w.view(PACKED_RATE)
    power = 0.0
    for i in range(loads.size):
        power += loads[i].fx * speeds[i].vx + loads[i].fz * speeds[i].vz + loads[i].torque * speeds[i].wy
    return h * power


@kernel
def at_rest(parts: Any, x: Array, w: Array, c: Array, rate: Array, forces: Array) -> None:
    """Forces in N of the lines at a state."""
    for i in range(LINES):
        line = parts.lines[i]
        length, speed = stretch(x, w, parts.feet[i], parts.heads[i])
        forces[i] = line.k * (c[i] - length) + line.c * (rate[i] - speed)


@kernel
def tally_solved(
    parts: Any, rack: Any, water: Any, t: Array, x: Array, w: Array, c: Array, rate: Array, h: float, past: Array,
    ledger: Array, row: Array,
) -> None:  # fmt: skip
    """Add a stretch of steps to the ledger, and write the gauges and energies at its end; see `tally`.

    Args:
        past: what the stretch begins with, see `past_of`; takes what the next one begins with.
    """
    bodies = parts.bodies.size
    last_x = past[: STATE_WIDTH * bodies]
    last_w = past[STATE_WIDTH * bodies : (STATE_WIDTH + SPEED_WIDTH) * bodies]
    last_c = past[(STATE_WIDTH + SPEED_WIDTH) * bodies :]
    gauges = np.zeros(1, GAUGE)
    loads = np.zeros(bodies, LOAD)
    forces = np.zeros(LINES)
    at_rest(parts, x[0], w[0], c[0], rate[0], forces)
    for k in range(x.shape[0] if h > 0.0 else 0):
        for i in range(LINES):
            then = stretch(last_x, w[k], parts.feet[i], parts.heads[i])
            now = stretch(x[k], w[k], parts.feet[i], parts.heads[i])[0]
            forces[i], rubbed = line_step(
                parts.lines[i], now, then, (last_c[i], c[k, i], rate[k, i]), h, ledger[0]
            )
            last_c[LINES + 1] += rubbed
        bend_step(parts, x[k], last_x, h, ledger[0])
        if water.acts != 0:
            wet_loads(parts, water, last_c[LINES], last_x, last_w, loads)
            ledger[0].outer_work += water_work(loads, w[k], h)
        last_x[:] = x[k]
        last_w[:] = w[k]
        last_c[:LINES] = c[k]
        last_c[LINES] = t[k]
    end = x.shape[0] - 1
    stored = write_state(parts, rack, x[end], w[end], c[end], forces, gauges[0])
    last_x[:] = x[end]
    last_w[:] = w[end]
    last_c[:LINES] = c[end]
    last_c[LINES] = t[end]
    write_end(parts, x[end], w[end], stored, gauges, ledger, row)


@kernel
def write_state(parts: Any, rack: Any, x: Array, w: Array, c: Array, forces: Array, gauges: Any) -> float:
    """Write the gauges of scraper and lines at a state; returns the energy in J of the lines."""
    read_scraper(parts, rack, x, w, np.zeros(2), gauges)
    gauges.F1 = forces[0]
    gauges.F2 = forces[1]
    gauges.c1 = c[0]
    gauges.c2 = c[1]
    gauges.l1 = stretch(x, w, parts.feet[0], parts.heads[0])[0]
    gauges.l2 = stretch(x, w, parts.feet[1], parts.heads[1])[0]
    main = c[0] - gauges.l1
    knuckle = c[1] - gauges.l2
    return 0.5 * parts.lines[0].k * main * main + 0.5 * parts.lines[1].k * knuckle * knuckle
