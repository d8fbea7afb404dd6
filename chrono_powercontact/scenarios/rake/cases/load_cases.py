"""The load cases: which machine, law, rack, water and drive each of them has, from a scenario's parameters."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace

import numpy as np

from ....errors import ParameterError
from ...parameters import Timed, choice, chrono_integrator, count, declared, number, switch, time_step
from ..machine.arms import ARMS
from ..machine.drive import CYCLE, PACKAGED, Command, FileParameter, blend, join, lagged, read_command, with_return
from ..machine.machine import VERSIONS, Machine, Rack, Water, machine, with_oil
from ..machine.rack_contact import LAWS, STIFFNESS, ContactLaw, contact_law, profile, rack_record
from ..machine.statics import Statics
from ..machine.two_link import TwoLink
from ..motion.setup import Setup

CASES = {
    "lc0": "statics and natural frequencies along the rack",
    "lc1": "free travel with the masses of V1 and V2, and the seals of V3",
    "lc2": "cleaning cycle without friction",
    "lc3": "cleaning cycle with friction",
    "lc3b": "laws side by side while the rake is held",
    "lc4": "drive as logged, regressed, and averaged",
    "lc5": "flow on rake and knuckle arm",
    "lc6": "buoyancy of the sealed knuckle arm",
    "lc7": "rack 20 mm closer than the drive knows",
    "lc8": "sweep of the friction coefficients",
    "lc9": "whole cycle, in real time",
    "lc10": "passage from the rack to the concrete above",
    "lc11": "cylinders as closed loops, reactions at their cuts",
}
FREE_TRAVEL = 45.0
"""End in s of the leg without contact."""
ENDS = {"lc3b": 73.0, "lc9": CYCLE, "lc10": 140.0}
"""End in s of cases that have their own."""
MISPLACED = 0.02
"""How far the rack of lc7 is moved towards the rake, in m."""
DEEPEST = 0.3
"""How far behind the rack the drive of rigid arms may aim, in m: arms that bend press with 1 kN per 10 mm of it."""
CONCRETE = (0.7, 3e3, 12e3)
"""Distance in m up the concrete, pressing force on it and while the rake closes, in N."""


ON_CHRONO = ("smc", "nsc")
"""Laws that Chrono alone has."""
USUAL_TIME = 125.0
"""Length of a run in s unless another is asked for."""


@dataclass(frozen=True)
class RakeParameters(Timed):
    """The machine, its rack, the water, the contact and the drive of a run."""

    case: str = choice("lc3", "load case: " + "; ".join(f"{k} {v}" for k, v in CASES.items()), tuple(CASES))
    law: str = choice("regularised", "contact law; smc and nsc on Chrono only", (*LAWS, *ON_CHRONO))
    arms: str = choice("segments", "model of both arms", ARMS)
    modes: int = count(1, "fixed-interface modes of each modal arm", minimum=0)
    version: str = choice("v2", "V1 CAD masses, V2 heavier arms, V3 seal friction too", VERSIONS)
    mu_s: float = number(0.65, "stiction coefficient; at least mu_d", minimum=0.0)
    mu_d: float = number(0.50, "sliding coefficient", minimum=0.0)
    v_s: float = number(5e-3, "speed at which friction peaks", "m/s", above=0.0)
    v_d: float = number(1e-2, "speed from which it slides with mu_d; above v_s", "m/s", above=0.0)
    rack_offset: float = number(0.0, "how far the rack stands towards the rake", "m")
    rack_angle: float = number(75.0, "inclination of the rack", "degrees", minimum=45.0, maximum=90.0)
    rack: str = choice("plane", "one plane, or its lowest segment forward", ("plane", "segmented"))
    concrete_tilt: float = number(3.0, "how much steeper the concrete is", "degrees", minimum=0.0, maximum=10.0)
    flow: float = number(0.0, "flow towards the rack", "m/s", minimum=0.0, maximum=5.0)
    buoyancy: bool = switch(False, "whether the knuckle arm is full of air")
    debris: float = number(0.0, "mass on the rake out of the water", "kg", minimum=0.0, maximum=6000.0)
    bearing_damping: float = number(
        1.0, "damping of the cylinder bearings over its usual value", minimum=0.0, maximum=10.0
    )
    oil: float = number(0.0, "compliance of the oil columns over its usual value; 0 is none", minimum=0.0, maximum=5.0)
    lag: float = number(0.0, "time by which the cylinders follow the joystick", "s", minimum=0.0, maximum=2.0)
    command: str = declared(FileParameter("", "packaged", "drive command"))
    time: float = number(
        USUAL_TIME, "length of the run; lc3b, lc9 and lc10 have their own", "s", above=0.0, maximum=CYCLE
    )
    step: float = time_step(1e-3)
    integrator: str = chrono_integrator("euler_implicit_linearized")


def command_of(p: RakeParameters, body: Machine) -> Command:
    """The drive of a run: the packaged command with its return, or a file of the user's as it is."""
    if p.command != "packaged":
        return read_command(p.command)
    packaged = read_command(PACKAGED)
    return packaged if p.case == "lc10" or time_of(p) <= packaged.t[-1] else with_return(packaged, body)


def rack_of(p: RakeParameters) -> Rack:
    """The rack of a run."""
    rack = Rack(angle=math.radians(p.rack_angle), offset=p.rack_offset)
    if p.case == "lc7" and p.rack_offset == 0.0:
        rack = replace(rack, offset=MISPLACED)
    if p.rack == "segmented":
        rack = replace(rack, segment=2.0, segment_shift=0.02, segment_tilt=math.radians(1.0))
    return replace(rack, concrete_tilt=math.radians(p.concrete_tilt)) if p.case == "lc10" else rack


def law_of(p: RakeParameters) -> ContactLaw:
    """The contact law of a run; lc2 has no friction. Chrono's own contact is matched to the regularised law."""
    if p.case == "lc2":
        return contact_law("regularised", 0.0, 0.0, p.v_s, p.v_d)
    law = p.law if p.law in LAWS else "regularised"
    return contact_law(law, p.mu_s, p.mu_d, p.v_s, p.v_d)


def setup_of(p: RakeParameters) -> Setup:
    """The machine of a scenario's parameters, ready to run."""
    body = with_oil(machine(p.version, p.bearing_damping), p.oil)
    rack = rack_of(p)
    water = Water(p.flow, p.buoyancy, p.debris)
    setup = Setup(body, p.arms, command_of(p, body), rack, law_of(p), water, (p.modes, p.modes))
    if p.case == "lc10":
        setup = replace(setup, command=over_the_edge(setup))
    setup = replace(setup, command=lagged(setup.command, p.lag))
    check_reach(setup)
    return setup


def check_time(p: RakeParameters, usual: float) -> None:
    """Raise where a length is given to a case that has its own; the usual length in s counts as not given."""
    if p.case in ENDS and p.time not in (usual, ENDS[p.case]):
        raise ParameterError(f"case {p.case} always takes {ENDS[p.case]:g} s: leave time out, got time={p.time:g}")


def time_of(p: RakeParameters) -> float:
    """Length of the run in s."""
    if p.case in ("lc1", "lc4"):
        return min(p.time, FREE_TRAVEL)
    if p.case in ENDS:
        return ENDS[p.case]
    return float(p.time)


def check_reach(setup: Setup) -> None:
    """Raise where the scraper stays away from the rack at every moment of the command, or starts behind it."""
    two = TwoLink(setup.machine)
    rack = setup.rack
    setup.command.check(setup.machine)
    tips = np.array([two.tip(*two.angles(*c)) for c in setup.command.c.T]) - rack.point(0.0, rack.offset)
    gaps = tips @ rack.normal
    if gaps[0] <= 0.0:
        raise ParameterError(f"the rake must begin in front of the rack, got a gap of {gaps[0]:.4g} m")
    if gaps.min() < -DEEPEST:
        raise ParameterError(
            f"the drive may aim {DEEPEST:g} m behind the rack at most, got {-gaps.min():.4g} m "
            f"(offset {rack.offset:g} m, inclination {math.degrees(rack.angle):g} degrees)"
        )
    if gaps.min() > 0.05:
        raise ParameterError(
            f"the drive must bring the rake to the rack, got a smallest gap of {gaps.min():.4g} m "
            f"(offset {rack.offset:g} m, inclination {math.degrees(rack.angle):g} degrees)"
        )


def over_the_edge(setup: Setup, apart: float = 0.25) -> Command:
    """The packaged command until the top of the rack, then onto the concrete, up it, and pressed while the rake closes.

    Static and frictionless, as the packaged command is: lengths for each position and pressing force.
    """
    statics = Statics(setup.machine, setup.mech)
    until = 119.0
    rise, low, high = CONCRETE
    kept = setup.command.t <= until
    t = np.arange(until + apart, ENDS["lc10"] + 0.5 * apart, apart)
    s = 7.0608 + rise * blend((t - until - 1.0) / 12.0)
    press = 11.81e3 + (low - 11.81e3) * blend((t - until) / 6.0) + (high - low) * blend((t - 133.0) / 3.0)
    press -= (high - low) * blend((t - 137.0) / 2.0)
    rack = rack_record(setup.rack)
    lengths = []
    for position, force in zip(s, press, strict=True):
        height = profile(rack, position)[0]
        lengths.append(statics.pressed(replace(setup.rack, offset=height), position, force, STIFFNESS).lengths)
    first = Command(setup.command.t[kept], setup.command.c[:, kept])
    return join(first, Command(t, np.array(lengths).T))
