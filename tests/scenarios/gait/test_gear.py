"""Backlash in the hip's gear as two contacts: on the reference engine and on Chrono."""

import numpy as np
import pytest

from chrono_powercontact.scenarios.gait.control.chrono_plant import ChronoPlant
from chrono_powercontact.scenarios.gait.control.geared_plant import GearedPlant
from chrono_powercontact.scenarios.gait.control.leg_plants import PIECES, ReferencePlant, controlled_stage
from chrono_powercontact.scenarios.gait.leg.gears import Gear

CALM = np.zeros(PIECES)


def swung(plant, samples=40):
    """The hip's angle under a torque that changes its direction."""
    path = []
    for k in range(samples):
        plant.hold(np.array([12.0 * np.sin(0.3 * k), 0.0]), CALM)
        path.append(plant.motion()[0])
    return np.array(path)


def test_the_motor_runs_through_the_slack_to_either_side():
    """The teeth carry torque on both sides, and between them the thigh does not feel the motor."""
    plant = GearedPlant(controlled_stage("backlash"))
    ahead = []
    for k in range(60):
        plant.hold(np.array([12.0 * np.sin(0.3 * k), 0.0]), CALM)
        ahead.append(plant.motor - plant.motion()[0])
    assert max(ahead) > Gear().slack
    assert min(ahead) < -Gear().slack
    assert max(np.abs(ahead)) < Gear().slack + Gear().tooth.s_0


def test_without_slack_and_inertia_it_is_the_leg_without_a_gear():
    tight = GearedPlant(controlled_stage("backlash"), gear=Gear(slack=-4e-3, inertia=1e-3), step=1e-4)
    np.testing.assert_allclose(swung(tight), swung(ReferencePlant(controlled_stage("lugre"))), atol=1e-3)


@pytest.mark.chrono
def test_on_chrono_it_is_the_same_gear():
    ours = swung(GearedPlant(controlled_stage("backlash")))
    chrono = swung(ChronoPlant(controlled_stage("backlash"), gear=Gear()))
    loose = swung(ReferencePlant(controlled_stage("lugre")))
    np.testing.assert_allclose(chrono, ours, atol=0.2 * np.abs(ours - loose).max())
