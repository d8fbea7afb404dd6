"""Contacts that create energy are told once, at the line that steps."""

import warnings

import pytest

import chrono_powercontact as pc
from chrono_powercontact.chrono.api.bridge import pychrono
from chrono_powercontact.chrono.contact.readings import Energy
from chrono_powercontact.chrono.load.ledger_watch import created


def test_what_a_step_gave_was_created_but_not_what_is_stored():
    gained = Energy(stored=0.0, contact_heat=2.0, friction_heat=1.0, exchanged=-2.0, step=-1.0)
    assert created(gained, linearized=True) == pytest.approx(1.0)
    held = Energy(stored=1.0, contact_heat=2.0, friction_heat=1.0, exchanged=-3.0, step=-1.0)
    assert created(held, linearized=True) == pytest.approx(0.0)
    unpaid = Energy(stored=1.0, contact_heat=2.0, friction_heat=1.0, exchanged=-1.0, unpaid=3.0)
    assert created(unpaid, linearized=True) == pytest.approx(2.0)
    lost = Energy(stored=0.0, contact_heat=2.0, friction_heat=0.0, exchanged=-3.0, step=1.0)
    assert created(lost, linearized=True) < 0.0


def test_under_other_integrators_the_error_counts():
    assert created(Energy(0.0, 2.0, 0.0, -1.5), linearized=False) == pytest.approx(0.5)


def test_of_contacts_that_chrono_finds_only_what_bodies_gained_counts():
    jumping = Energy(stored=0.0, contact_heat=0.1, friction_heat=0.0, exchanged=-0.5, step=-1.0)
    assert created(jumping, linearized=True, foreign=True) < 0.0
    thrown = Energy(stored=0.5, contact_heat=0.0, friction_heat=0.0, exchanged=10.0, step=-10.0)
    assert created(thrown, linearized=True, foreign=True) == pytest.approx(9.5)


def bouncing(step, **options):
    """A ball of 1 kg that bounces without loss on a stiff floor."""
    chrono = pychrono()
    system = chrono.ChSystemSMC()
    system.SetGravitationalAcceleration(chrono.ChVector3d(0, 0, -9.81))
    floor, ball = chrono.ChBody(), chrono.ChBody()
    floor.SetFixed(True)
    ball.SetPos(chrono.ChVector3d(0, 0, 0.3))
    system.Add(floor)
    system.Add(ball)
    contacts = pc.attach(system, **options)
    law = pc.Hooke(s_0=0.0, k=1e5, c=0.0)
    contacts.add(pc.Sphere(ball, radius=0.1), pc.Plane(floor), pc.Material(law))
    for _ in range(round(2.0 / step)):
        system.DoStepDynamics(step)


@pytest.mark.chrono
def test_a_step_that_is_too_long_for_forces_at_its_start_is_told_once():
    with pytest.warns(UserWarning, match="the contacts have created") as told:
        bouncing(5e-3, stepping="explicit")
    mine = [warning for warning in told if "have created" in str(warning.message)]
    assert len(mine) == 1
    assert mine[0].filename == __file__


@pytest.mark.chrono
@pytest.mark.parametrize(("step", "options"), [(5e-3, {}), (1e-4, {"stepping": "explicit"})])
def test_a_sound_run_is_not_warned_of(step, options):
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        bouncing(step, **options)
