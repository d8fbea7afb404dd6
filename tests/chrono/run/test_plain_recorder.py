"""Records of a Chrono system without contacts."""

import numpy as np
import pytest

from chrono_powercontact.chrono.api.bridge import pychrono
from chrono_powercontact.chrono.run.plain_recorder import body_energies, record_steps
from chrono_powercontact.errors import DivergedError

pytestmark = pytest.mark.chrono


def falling(speed=0.0):
    import pychrono as chrono

    system = chrono.ChSystemNSC()
    system.SetGravitationalAcceleration(chrono.ChVector3d(0.0, -9.81, 0.0))
    body = chrono.ChBody()
    body.SetMass(2.0)
    body.SetInertiaXX(chrono.ChVector3d(0.1, 0.2, 0.3))
    body.SetAngVelLocal(chrono.ChVector3d(0.0, 0.0, speed))
    system.AddBody(body)
    return system, body


def test_a_falling_body_keeps_its_energy_and_its_records_begin_after_the_first_steps():
    system, body = falling(4.0)

    def read():
        return {"y": body.GetPos().y, **body_energies([body], (0.0, -9.81, 0.0))}

    seen = []
    run = record_steps(system, read, 1e-4, 0.1, 10, seen.append)
    assert run["t"] == pytest.approx(np.arange(1, 101) * 1e-3)
    assert run.steps == 1000
    assert run["kinetic"][0] == pytest.approx(0.5 * 0.3 * 16.0, abs=1e-3)
    assert np.abs(run.ledger_error).max() < 0.01 * np.ptp(run["kinetic"])
    assert seen[-1] == 1.0


def test_power_of_drives_becomes_work():
    system, _ = falling()
    run = record_steps(system, lambda: {"drive_power": 3.0, "kinetic": 0.0}, 1e-3, 0.1, 1, lambda share: None)
    assert run["drive_work"] == pytest.approx(3.0 * (run["t"] - run["t"][0]))
    assert "drive_power" not in run.names


def test_what_is_not_finite_ends_the_run_with_its_records():
    system, _ = falling()
    values = iter([1.0, 2.0, 3.0, np.nan])
    with pytest.raises(DivergedError, match=r"ended after 0.004 s: use a smaller step than 0.001 s") as caught:
        record_steps(system, lambda: {"y": next(values)}, 1e-3, 0.1, 1, lambda share: None)
    assert len(caught.value.trajectory) == 3


def test_a_speed_beyond_all_numbers_is_told_as_a_run_that_ended():
    system, body = falling()
    body.SetPosDt(pychrono().ChVector3d(1e200, 0.0, 0.0))

    def read():
        return body_energies([body], (0.0, -9.81, 0.0))

    with pytest.raises(DivergedError, match=r"ended after 0.001 s: use a smaller step"):
        record_steps(system, read, 1e-3, 0.01, 1, lambda done: None)
