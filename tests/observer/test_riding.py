"""Observers that ride on runs: when they sample, what they record, what they refuse."""

import numpy as np
import pytest
from observer_models import pendulum_model

from chrono_powercontact.errors import ParameterError, UnknownNameError
from chrono_powercontact.lagrange.runs import run_rk4
from chrono_powercontact.laws.normal.restriction import Restriction
from chrono_powercontact.observer.consistency import consistency
from chrono_powercontact.observer.filters.cdkf import CDKF
from chrono_powercontact.observer.models import model_of
from chrono_powercontact.observer.riding import Ride, ride_trajectory
from chrono_powercontact.scenarios.impact.point_mass import point_mass


class Swing:
    """A pendulum simulated in steps of 1 ms, with a drive that changes."""

    def __init__(self):
        self.t, self.x = 0.0, np.array([0.8, 0.0])

    def drive(self):
        return 2.0 if self.t < 0.5 - 1e-9 else 0.0

    def step(self, h=1e-3):
        u = self.drive()
        angle, speed = self.x
        for _ in range(20):
            speed += h / 20 * (-9.81 * np.sin(angle) + u)
            angle += h / 20 * speed
        self.x, self.t = np.array([angle, speed]), self.t + h


def observer(**options):
    return CDKF(pendulum_model(), [0.8, 0.0], [1e-6, 1e-6], [1e-10, 1e-6], [1e-6], 0.01, **options)


def ride_on(swing, **options):
    readings, drives = {"phi": lambda: swing.x[0]}, {"drive": swing.drive}
    truth = {"phi": lambda: swing.x[0], "omega": lambda: swing.x[1]}
    return Ride(observer(), readings, drives, **{"noise": {"phi": 1e-3}, "truth": truth, **options})


def ridden(**options):
    swing = Swing()
    ride = ride_on(swing, **options)
    taken = 0
    for _ in range(1001):
        taken += ride(swing.t)
        swing.step()
    assert taken == 101
    return ride.observation()


def test_it_samples_when_its_time_has_come_and_follows_the_truth():
    seen = ridden()
    assert len(seen) == 101
    np.testing.assert_allclose(seen["t"], 0.01 * np.arange(101), atol=1e-9)
    assert seen.rms("omega", since=0.1) < 0.01
    assert seen.rms("phi") < 1e-3
    assert np.abs(seen["measured_phi"][1:] - seen["true_phi"][1:]).std() < 1e-3
    np.testing.assert_array_equal(seen["phi"] - seen["true_phi"], seen.error("phi"))


def test_a_drive_is_held_from_one_sample_to_the_next():
    """Without the drive in the right place the estimate of the speed would be off by u T."""
    seen = ridden(noise={})
    assert set(np.unique(seen["input_drive"])) == {0.0, 2.0}
    assert np.abs(seen.error("omega")).max() < 2e-3


def test_the_noise_is_the_same_for_the_same_seed():
    first, second, other = ridden(seed=1), ridden(seed=1), ridden(seed=2)
    np.testing.assert_array_equal(first.data, second.data)
    assert np.abs(first["measured_phi"] - other["measured_phi"])[1:].max() > 1e-4


def test_columns_stand_side_by_side_under_their_names():
    seen = ridden()
    assert seen.names == (
        "t", "phi", "omega", "sigma_phi", "sigma_omega", "innovation_phi", "nis", "measured_phi", "input_drive",
        "true_phi", "true_omega", "nees",
    )  # fmt: skip
    assert list(seen.columns()) == list(seen.names)
    assert seen.columns()["t"][1] == pytest.approx(0.01)
    with pytest.raises(UnknownNameError, match="did you mean 'omega'"):
        seen["omga"]


def test_a_missing_reading_is_ridden_over():
    swing = Swing()
    ride = Ride(observer(), {"phi": lambda: np.nan if swing.t > 0.505 else swing.x[0]}, {"drive": swing.drive})
    for _ in range(701):
        ride(swing.t)
        swing.step()
    assert ride.observer.counts.skipped == 20
    assert np.isfinite(ride.observation()["phi"]).all()
    assert "nees" not in ride.observation().names


def test_a_sample_time_that_the_steps_miss_is_refused():
    swing = Swing()
    ride = ride_on(swing)
    ride(0.0)
    assert not ride(0.008)
    with pytest.raises(ParameterError, match="must be a multiple of the simulation's step"):
        ride(0.016)


def test_wrong_names_missing_readings_and_another_start_are_refused():
    swing = Swing()
    with pytest.raises(ParameterError, match=r"each output of the observer needs a reading, missing \['phi'\]"):
        Ride(observer(), {}, {"drive": swing.drive})
    with pytest.raises(ParameterError, match=r"each input of the observer needs a reading, missing \['drive'\]"):
        Ride(observer(), {"phi": lambda: 0.0})
    with pytest.raises(UnknownNameError, match="unknown state 'speed'"):
        ride_on(swing, truth={"speed": lambda: 0.0})
    with pytest.raises(ParameterError, match="noise of phi must not be negative"):
        ride_on(swing, noise={"phi": -1.0})
    with pytest.raises(ParameterError, match="the observer is at 0 s, the run at 1 s: give it t_0"):
        ride_on(swing)(1.0)


def test_it_rides_on_a_recorded_run_of_the_reference_engine():
    system = point_mass(0.1, Restriction(0.01, 0.006, 400.0, 0.5), 9.81)
    run = run_rk4(system, system.state([0.1], [0.0]), 1e-4, 0.5, every=5)
    model = model_of(system, outputs=("s",), inputs=("g",))
    carried = CDKF(model, [0.1, 0.0], [1e-6, 1e-4], [1e-10, 1e-6], [1e-6], 1e-3, 1e-4)
    seen = ride_trajectory(carried, run, {"g": lambda t: 9.81}, noise={"s": 1e-3}, seed=3)
    assert len(seen) == 501
    np.testing.assert_array_equal(seen["true_s"], run["s"][::2])
    assert seen.rms("s_dot") < 0.1
    assert 0.8 < consistency(seen["nis"], 1).mean < 1.2


def test_a_column_of_another_name_is_measured():
    system = point_mass(0.1, Restriction(0.01, 0.006, 400.0, 0.5), 9.81)
    run = run_rk4(system, system.state([0.1], [0.0]), 1e-4, 0.1, every=10)
    carried = CDKF(model_of(system, outputs=("s",)), [0.1, 0.0], [1e-6, 1e-4], [1e-10, 1e-6], [1e-6], 1e-3)
    by_distance = ride_trajectory(carried, run, columns={"s": "s_barrier"})
    np.testing.assert_array_equal(by_distance["measured_s"][1:], run["s_barrier"][1:])


def test_samples_that_were_missed_are_predicted_over_and_counted():
    """The run stalls for three sample times and then goes on at one of them."""
    observer = CDKF(pendulum_model(), [0.1, 0.0], [1e-4, 1e-4], [1e-8, 1e-4], [1e-4], 0.01)
    ride = Ride(observer, {"phi": lambda: 0.1}, {"drive": lambda: 0.0})
    for time in (0.0, 0.01, 0.02, 0.06):
        assert ride(time)
    seen = ride.observation()
    assert len(seen) == 7
    assert observer.counts.skipped == 3
    assert np.isnan(seen["nis"][3:6]).all()
    assert np.isfinite(seen["nis"][6])
