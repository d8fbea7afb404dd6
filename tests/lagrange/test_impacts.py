"""Many free impacts in one compiled pass, against closed forms, SciPy and the tables of the free ball."""

from __future__ import annotations

import math

import numpy as np
import pytest
from scipy.integrate import solve_ivp
from scipy.optimize import brentq

from chrono_powercontact.errors import ParameterError
from chrono_powercontact.lagrange.impacts import free_impacts
from chrono_powercontact.laws.normal.hertz import Hertz
from chrono_powercontact.laws.normal.hooke import Hooke
from chrono_powercontact.laws.normal.normal_law import NormalLaw
from chrono_powercontact.laws.normal.normal_table import NORMAL, normal_record
from chrono_powercontact.laws.normal.restriction import Barrier, Restriction

S_0, S_C, R_F, MASS, START = 0.01, 0.009, 200.0, 0.05, 0.012  # Table 3.1a
R_T, R_C = 2.0 / (S_0 - S_C) * math.atanh(0.99), 0.5 * (S_0 + S_C)


def records(*laws: NormalLaw) -> np.ndarray:
    return np.array([normal_record(each) for each in laws], NORMAL)


def law(r_d: float) -> Restriction:
    return Restriction(S_0, S_C, R_F, r_d)


def measure(v: float, r_d: float) -> float:
    """G(v) of the state relation G(v) + (r_f/m) I(s) = const."""
    return v * v / 2 + math.exp(2 * r_d * v) * (2 * r_d * v - 1) / (4 * r_d**2)


def restitution(r_d: float, speed: float) -> float:
    """v+/v- from G(v+) = G(-v-)."""
    after = brentq(lambda v: measure(v, r_d) - measure(-speed, r_d), 1e-9, speed, xtol=1e-15)
    return after / speed


def least_distance(r_d: float, speed: float) -> float:
    """From G at rest: I(s) = (m/r_f)(G(-v) - G(0))."""
    reach = MASS / R_F * (measure(-speed, r_d) - measure(0.0, r_d))
    return R_C - math.log(math.expm1(2 * R_T * reach)) / (2 * R_T)


def test_restitution_and_depth_are_the_closed_forms() -> None:
    r_d, speed = (grid.ravel() for grid in np.meshgrid([0.05, 0.2, 1.0, 5.0], [0.1, 0.5, 2.0, 5.0]))
    found = free_impacts(records(*(law(r) for r in r_d)), MASS, START, speed, 1e-6)
    pairs = list(zip(r_d, speed, strict=True))
    assert found[:, 0] == pytest.approx([restitution(r, v) for r, v in pairs], abs=2e-6)
    assert found[:, 3] == pytest.approx([least_distance(r, v) for r, v in pairs], abs=1e-8)


@pytest.mark.parametrize(
    ("x", "e"), [(0.01, 0.99338), (0.1, 0.93759), (0.5, 0.75521), (1.0, 0.61962), (5.0, 0.308), (20.0, 0.13065)]
)
def test_restitution_depends_on_the_product_of_dissipation_and_speed_alone(x: float, e: float) -> None:
    """Other widths, masses and strengths, the same r_d v."""
    for s_c, r_f, mass, speed in ((0.009, 200.0, 0.05, 1.0), (0.007, 50.0, 0.2, 0.5), (0.0095, 1e4, 0.01, 2.0)):
        found = free_impacts(records(Restriction(S_0, s_c, r_f, x / speed)), mass, 0.02, np.array([speed]), 1e-6)
        assert found[0, 0] == pytest.approx(e, abs=1e-5)


def test_tabled_peaks_and_depths() -> None:
    """Free ball of Table 3.1a at its step of 0.01 ms, r_d = 1 s/m: peak in N and least distance in mm by speed."""
    speeds = np.array([0.1, 0.5, 1.0, 2.0, 5.0])
    found = free_impacts(records(*[law(1.0)] * 5), MASS, START, speeds, 1e-5)
    assert found[:, 2] == pytest.approx([2.458, 42.01, 103.39, 178.41, 199.94], abs=5e-3)
    assert found[:, 3] * 1e3 == pytest.approx([9.8479, 9.5395, 9.3566, 8.9435, 6.3126], abs=1e-4)


@pytest.mark.parametrize(("r_d", "speed"), [(0.1, 0.5), (1.0, 1.0), (5.0, 2.0)])
def test_contact_time_and_peak_agree_with_scipy(r_d: float, speed: float) -> None:
    """The contact lasts while the force exceeds a thousandth of r_f."""

    def force(s: np.ndarray, v: np.ndarray) -> np.ndarray:
        return R_F * (1 - np.tanh(R_T * (s - R_C))) / 2 * (1 - np.tanh(r_d * v)) / 2

    def level(_: float, x: np.ndarray) -> float:
        return float(force(x[0], x[1])) - 1e-3 * R_F

    def right_side(_: float, x: np.ndarray) -> list[float]:
        return [x[1], float(force(x[0], x[1])) / MASS]

    run = solve_ivp(
        right_side, (0.0, 0.05), [START, -speed], "DOP853", events=level, rtol=1e-10, atol=1e-13, max_step=1e-5
    )
    found = free_impacts(records(law(r_d)), MASS, START, np.array([speed]), 1e-6)[0]
    assert found[1] == pytest.approx(np.diff(run.t_events[0][:2])[0], abs=2e-6)
    assert found[2] == pytest.approx(force(run.y[0], run.y[1]).max(), rel=1e-4)


def test_an_elastic_impact_loses_nothing() -> None:
    found = free_impacts(records(law(0.0)), MASS, START, np.array([1.0]), 1e-6)[0]
    assert found[0] == pytest.approx(1.0, abs=1e-9)
    # (3.16): all kinetic energy in the spring
    assert found[3] == pytest.approx(R_C - math.log(math.expm1(4 * R_T * 0.025 / R_F)) / (2 * R_T), abs=1e-9)


def test_hookes_damped_spring_rebounds_in_closed_form() -> None:
    """Kelvin-Voigt with its pulling phase: the contact ends where the spring is relaxed, after half a period."""
    k, c, speed = 1e4, 5.0, 1.0
    decay = c / (2 * MASS)
    w = math.sqrt(k / MASS - decay**2)
    found = free_impacts(records(Hooke(S_0, k, c)), MASS, S_0 + 1e-6, np.array([speed]), 1e-7)[0]
    assert found[0] == pytest.approx(math.exp(-decay * math.pi / w), abs=1e-3)
    turn = math.atan2(w, decay) / w
    assert S_0 - found[3] == pytest.approx(speed / w * math.exp(-decay * turn) * math.sin(w * turn), rel=1e-3)


def test_hertz_goes_as_deep_as_its_energy_allows() -> None:
    found = free_impacts(records(Hertz(S_0, 1e7)), MASS, START, np.array([1.0]), 1e-7)[0]
    depth = (0.5 * MASS / (0.4 * 1e7)) ** 0.4
    assert S_0 - found[3] == pytest.approx(depth, rel=1e-6)
    assert found[2] == pytest.approx(1e7 * depth**1.5, rel=1e-5)
    assert found[0] == pytest.approx(1.0, abs=1e-6)


def test_a_wall_throws_back_and_lets_through() -> None:
    """Table 3.2 at 200 m/s: 41.1786 m/s back."""
    wall = Barrier(0.10, 0.08, 1e4, 0.05, thickness=0.2, s_c_back=-0.05)
    found = free_impacts(records(wall), 0.05, 0.2, np.array([200.0]), 1e-6)[0]
    assert found[0] * 200.0 == pytest.approx(41.1786, abs=1e-3)
    assert found[2] == pytest.approx(1e4, rel=1e-3)
    assert found[3] == pytest.approx(-0.0105, abs=1e-5)


def test_impacts_do_not_disturb_each_other() -> None:
    """A batch on all cores is each impact alone, in any order."""
    rng = np.random.default_rng(3)
    rows = records(*(law(r) for r in rng.uniform(0.05, 5.0, 50)))
    speeds = rng.uniform(0.2, 3.0, 50)
    batch = free_impacts(rows, MASS, START, speeds, 1e-5)
    order = rng.permutation(50)
    assert np.array_equal(free_impacts(rows[order], MASS, START, speeds[order], 1e-5), batch[order])
    assert np.array_equal(free_impacts(rows[7:8], MASS, START, speeds[7:8], 1e-5)[0], batch[7])


def test_strided_rows_and_speeds_are_taken() -> None:
    rows, speeds = records(*(law(r) for r in (0.5, 9.0, 1.0, 9.0))), np.array([1, 9, 2, 9])
    plain = free_impacts(rows[[0, 2]], MASS, START, np.array([1.0, 2.0]), 1e-5)
    assert np.array_equal(free_impacts(rows[::2], MASS, START, speeds[::2], 1e-5), plain)


def test_error_of_the_restitution_falls_with_the_fourth_power_of_the_step() -> None:
    exact = restitution(1.0, 0.5)
    errors = [
        abs(free_impacts(records(law(1.0)), MASS, START, np.array([0.5]), step)[0, 0] - exact)
        for step in (1e-4, 5e-5, 2.5e-5)
    ]
    assert 10.0 < errors[0] / errors[1] < 26.0
    assert 10.0 < errors[1] / errors[2] < 26.0


@pytest.mark.parametrize(
    ("mass", "step", "message"), [(0.0, 1e-5, "mass must be"), (-1.0, 1e-5, "mass must be"), (0.1, 0.0, "step must be")]
)
def test_wrong_masses_and_steps_are_refused(mass: float, step: float, message: str) -> None:
    with pytest.raises(ParameterError, match=message):
        free_impacts(records(law(1.0)), mass, START, np.array([1.0]), step)


def test_each_impact_needs_a_speed_of_its_own() -> None:
    with pytest.raises(ParameterError, match="speeds"):
        free_impacts(records(*[law(1.0)] * 3), MASS, START, np.array([1.0, 1.0]), 1e-5)


@pytest.mark.parametrize("speed", [-1.0, np.nan])
def test_a_speed_that_does_not_approach_is_refused(speed: float) -> None:
    with pytest.raises(ParameterError, match="speed"):
        free_impacts(records(law(1.0)), MASS, START, np.array([speed]), 1e-3)
