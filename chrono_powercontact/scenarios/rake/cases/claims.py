"""What the load cases must show: figures of the reference runs, and what each law does while the rake is held."""

from __future__ import annotations

from ...parameters import CHRONO
from ...scenario import Check, Metrics, below, within
from .load_cases import RakeParameters

REFERENCE = {
    "lc2": {
        "F1": {"62": 71.2, "64": 15.0, "68": 15.0, "71": 67.4, "72": 119.3, "80": 94.3, "90": 74.4, "100": 61.6,
               "110": 53.1, "119": 45.0},
        "F2": {"62": 52.4, "64": 95.2, "68": 95.2, "71": 55.3, "72": 16.1, "80": 39.0, "90": 67.8, "100": 100.5,
               "110": 142.6, "119": 193.5},
        "N": {"62": 5.02, "64": 10.0, "68": 10.0, "71": 5.36, "72": 0.79, "80": 2.67, "90": 5.0, "100": 7.33,
              "110": 9.67, "119": 11.81},
    },
    "lc3": {
        "F1": {"62": 82.8, "64": 22.2, "68": 15.0, "71": 52.4, "72": 120.0, "80": 100.1, "90": 85.2, "100": 76.8,
               "110": 71.8, "119": 66.7},
        "F2": {"62": 54.4, "64": 96.5, "68": 95.2, "71": 53.0, "72": 16.2, "80": 39.9, "90": 69.4, "100": 102.6,
               "110": 144.9, "119": 195.8},
        "N": {"62": 4.41, "64": 9.62, "68": 10.0, "71": 5.97, "72": 0.75, "80": 2.28, "90": 4.10, "100": 5.87,
              "110": 7.75, "119": 9.82},
        "F_t": {"62": -2.38, "64": -1.48, "68": 0.0, "71": 2.98, "72": -0.14, "80": -1.14, "90": -2.05,
                "100": -2.93, "110": -3.87, "119": -4.91},
    },
}  # fmt: skip
"""Forces in kN at times in s of the stand-in reference runs."""

RANGE = {"F1": 180e3, "F2": 270e3, "N": 10.2e3, "F_t": 11.5e3}
"""Ranges in N of the reference run with friction."""

FOLLOWED, FOLLOWED_ON_CHRONO = 0.005, 0.02
"""Difference to the reference run over the range of a force that a run may have: as much as the static forces, and on
Chrono that of its steps of first order up to 10 ms, too."""
CLOSED, NEARLY = 1e-6, {"seals": 5e-5, "smc": 5e-5, "nsc": 5e-5}
"""Ledger error over the drives' work that a run may have. On Chrono implicit seal friction and Chrono's own contact,
whose forces are known once a step, leave more open."""
STICKING = ("anchored", "lugre")
HELD, HELD_WITHIN = -5.3e3, 400.0
"""Friction in N that a sticking law keeps while the rake is held. The rake shudders when it is pressed on, and its last
slip leaves something between mu_d N and mu_s N."""


def deviations(case: str, metrics: Metrics) -> list[float]:
    """Differences to the reference run at its times that a run reached, over the range of each force."""
    return [
        abs(metrics[force][time] - 1e3 * expected) / RANGE[force]
        for force, row in REFERENCE[case].items()
        for time, expected in row.items()
        if time in metrics[force]
    ]


def following(case: str, metrics: Metrics, engine: str) -> list[Check]:
    """That a run follows the reference run; nothing where it ends before the first of its times."""
    found = deviations(case, metrics)
    if not found:
        return []
    allowed = FOLLOWED_ON_CHRONO if engine == CHRONO else FOLLOWED
    return [below(f"deviation from the reference run over range, {len(found)} figures", max(found), allowed)]


def as_in_reference(p: RakeParameters) -> bool:
    """Whether the run has the numbers of the reference run, so that its figures may be compared."""
    plain = (p.version, p.arms, p.rack_offset, p.rack_angle, p.rack, p.flow, p.buoyancy, p.debris, p.command)
    usual = plain == ("v2", "segments", 0.0, 75.0, "plane", 0.0, False, 0.0, "packaged")
    return usual and (p.mu_s, p.mu_d, p.v_s, p.v_d, p.bearing_damping) == (0.65, 0.5, 5e-3, 1e-2, 1.0)


def honest(p: RakeParameters, metrics: Metrics, engine: str) -> list[Check]:
    """What every run must do: close the ledger."""
    allowed = CLOSED
    if engine == CHRONO:
        allowed = NEARLY.get(p.law, NEARLY["seals"] if p.version == "v3" else CLOSED)
    return [below("ledger error over the drives' work", metrics["ledger_error"], allowed)]


def pushing(metrics: Metrics) -> Check:
    """The main cylinders are single-acting: a run in which they would have to pull is not one of the machine."""
    pulls = ", ".join(f"{a:.1f} s to {b:.1f} s" for a, b in metrics["main_pulls"])
    text = f"smallest force of the main cylinders {metrics['f1_min'] / 1e3:.3g} kN"
    return Check(text + (f": they would have to pull from {pulls}" if pulls else " (they only push)"), not pulls)


def holding(p: RakeParameters, metrics: Metrics) -> list[Check]:
    """The friction at 69 s: a regularised law has let go, a sticking one holds."""
    held = metrics["friction_hold"]
    if held is None or p.case == "lc2":
        return []
    if p.law == "regularised":
        return [below("friction that the regularised law keeps at 69 s", abs(held), 20.0, "N")]
    if p.law in STICKING:
        return [within("friction held at 69 s", held, HELD, HELD_WITHIN, "N")]
    return []


def cycle_claim(p: RakeParameters, metrics: Metrics, engine: str) -> list[Check]:
    """The claim of a cleaning cycle."""
    checks = [*honest(p, metrics, engine), pushing(metrics)]
    known = p.case if p.case in REFERENCE else "lc3"
    if as_in_reference(p) and p.case in ("lc2", "lc3", "lc9"):
        if p.case == "lc2" or p.law == "regularised":
            checks += following(known, metrics, engine)
        checks += holding(p, metrics)
    if p.case == "lc9":
        checks.append(Check(f"{metrics['real_time_factor']:.0f} simulated seconds a second, at least 1 wanted",
                            metrics["real_time_factor"] >= 1.0))  # fmt: skip
    return checks
