"""Modal arms in the machine: at rest, and pressed against the rack, against chains of few and of many segments."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from chrono_powercontact.scenarios.rake.machine.drive import PACKAGED, Command, read_command
from chrono_powercontact.scenarios.rake.machine.machine import Machine, machine
from chrono_powercontact.scenarios.rake.motion.gauges import ledger_error
from chrono_powercontact.scenarios.rake.motion.setup import Setup, run
from chrono_powercontact.scenarios.rake.motion.stiff_motion import run_stiff

BEGIN, TIME, APART = 59.0, 7.0, 0.05
"""From just before the first contact to the end of pressing, in s."""


def finely(springs: int) -> Machine:
    """The machine with so many joints in each arm."""
    body = machine()
    arms = {
        name: replace(arm, joints=tuple((k + 0.5) * arm.length / springs for k in range(springs)))
        for name, arm in (("main", body.main), ("knuckle", body.knuckle))
    }
    return replace(body, **arms)


def pressing(arms: str, body: Machine | None = None) -> Setup:
    """The machine at rest in front of the rack, and the command from there on."""
    whole = read_command(PACKAGED)
    kept = whole.t >= BEGIN - 1e-9
    return Setup(body or machine(), arms, Command(whole.t[kept] - BEGIN, whole.c[:, kept]))


@pytest.mark.parametrize("s", [0.0, 3.6, 7.1])
def test_at_rest_modal_arms_are_as_stiff_as_segments(s: float) -> None:
    """Forces within 0.5 %, stiffness of the scraper and slowest frequency within 2 % (reference: 1.65 and 1.64 Hz)."""
    told = []
    for arms in ("modal", "segments"):
        setup = Setup(arms=arms)
        hold = setup.statics.pressed(setup.rack, s, 1.0, 1e7)
        softness = setup.statics.compliance(hold.q, hold.forces, setup.rack)
        told.append((hold.forces, 1.0 / softness[0, 0], setup.statics.frequencies(hold.q, hold.forces)[0]))
    (forces, stiffness, slowest), (chained, stiff, slow) = told
    assert forces == pytest.approx(chained, rel=0.005, abs=50.0)
    assert stiffness == pytest.approx(stiff, rel=0.02)
    assert slowest == pytest.approx(slow, rel=0.02)


def test_modal_arms_move_like_many_segments() -> None:
    """Pressing: eight joints per arm within 1 %, the usual two within 2 %; friction, which creeps, within 2 and 6 %."""
    modal = run(pressing("modal"), 5e-4, TIME, lambda share: None, APART)
    many = run_stiff(pressing("segments", finely(8)), TIME, lambda share: None, APART)
    few = run_stiff(pressing("segments"), TIME, lambda share: None, APART)
    held = modal["t"] > 2.0  # the first touches bounce
    for chained, share, creep in ((many, 0.01, 0.02), (few, 0.02, 0.06)):
        for name, allowed in (("F1", share), ("F2", share), ("N", share), ("F_t", creep)):
            assert np.abs(modal[name] - chained[name])[held].max() < allowed * np.ptp(chained[name]), name
        for name in ("x_T", "z_T"):
            assert np.abs(modal[name] - chained[name]).max() < 1e-3, name
    assert modal["N"].max() > 8e3
    assert modal.steps < 2000
    assert np.abs(ledger_error(modal)).max() < 1e-3 * np.ptp(modal["drive_work"])
