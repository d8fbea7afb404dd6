import numpy as np
import pytest

CASES = {  # mu_c, mu_s: contacts of mass 2 and of mass 1 in s, peaks in N
    (0.0, 0.0): ([0.1078, 0.1823, 0.2283], [122.2, 14.6, 4.1], [0.2936, 0.3727, 0.4189], [147.4, 13.2, 3.8]),
    (0.18, 0.20): ([0.1078, 0.1792, 0.2231], [120.6, 14.3, 4.5], [0.3707, 0.4451], [117.4, 11.5]),
    (0.36, 0.40): ([0.1078, 0.1784, 0.2235, 0.2632, 0.2997], [120.0, 13.5, 4.8], [], []),
}


@pytest.mark.parametrize("mu", CASES)
def test_contacts_meet_the_table(outcome, mu):
    second, second_peaks, first, first_peaks = CASES[mu]
    metrics = outcome("pendulum", mu_c=mu[0], mu_s=mu[1]).metrics
    assert metrics["contact_times_2"][: len(second)] == pytest.approx(second, abs=1.1e-4)
    assert metrics["contact_times_1"][: len(first)] == pytest.approx(first, abs=1.1e-4)
    assert bool(metrics["contact_times_1"]) is bool(first)
    assert metrics["contact_peaks_2"][: len(second_peaks)] == pytest.approx(second_peaks, abs=0.06)
    assert metrics["contact_peaks_1"][: len(first_peaks)] == pytest.approx(first_peaks, abs=0.06)


def test_frictionless_pendulum_comes_to_rest_flat(outcome):
    metrics = outcome("pendulum").metrics
    assert metrics["energy_start"] == pytest.approx(0.14372, abs=5e-6)
    assert metrics["rest_angles"] == pytest.approx([7e-5, -7e-5], abs=1e-5)
    assert metrics["rest_forces"] == pytest.approx([0.981, 0.981], abs=1e-4)
    assert abs(metrics["energy_end"]) < 3e-5


def test_rough_ground_keeps_the_first_mass_in_the_air(outcome):
    metrics = outcome("pendulum", mu_c=0.36, mu_s=0.40).metrics
    assert metrics["rest_angles"] == pytest.approx([0.8911, -1.7846], abs=2e-4)
    assert metrics["rest_forces"] == pytest.approx([0.0, 1.4727], abs=2e-3)
    assert metrics["energy_end"] == pytest.approx(0.0762, abs=1e-4)


def test_other_start_meets_the_other_times(outcome):
    import math

    metrics = outcome("pendulum", phi2_0=-5 * math.pi / 8).metrics
    assert metrics["contact_times_2"][0] == pytest.approx(0.073, abs=5e-4)
    assert metrics["contact_times_1"][0] == pytest.approx(0.325, abs=5e-4)


def test_energy_never_rises_at_a_fine_step(outcome):
    assert outcome("pendulum", step=1e-5).metrics["max_energy_gain"] < 1e-9


def test_ledger_closes_with_friction_at_a_fine_step(outcome):
    metrics = outcome("pendulum", step=1e-5, mu_c=0.18, mu_s=0.2).metrics
    assert metrics["ledger_error"] < 1e-8
    assert metrics["handed_back"] > 0.0


def test_friction_of_the_second_mass_is_coulombs_while_it_slides(outcome):
    run = outcome("pendulum", mu_c=0.18, mu_s=0.20).trajectory
    pressed = run["F_2"] > 1.0
    ratio = np.abs(run["Ft_2"][pressed]) / run["F_2"][pressed]
    assert np.median(ratio) == pytest.approx(0.18, abs=1e-3)


def test_friction_reverses_when_the_first_mass_hits_the_ground(outcome):
    result = outcome("pendulum", mu_c=0.18, mu_s=0.20)
    run = result.trajectory
    impact = result.metrics["contact_times_1"][0]
    before, after = (np.interp(impact + shift, run["t"], run["Ft_2"]) for shift in (-1e-3, 5e-4))
    assert impact == pytest.approx(0.3707, abs=2e-4)
    assert before * after < 0.0


def test_at_rest_friction_carries_less_than_coulombs_and_no_torque_about_the_pivot(outcome):
    run = outcome("pendulum", mu_c=0.36, mu_s=0.40).trajectory
    assert run["Ft_2"][-1] == pytest.approx(0.395, abs=2e-3)
    assert run["Ft_2"][-1] < 0.36 * run["F_2"][-1]
    assert abs(run["Q_phi1"][-1]) < 1e-2 * abs(run["Q_phi2"][-1])


def test_kinetic_energy_of_the_normal_motion_tells_the_force_peaks(outcome):
    """(3.37): T_perp before the first impact of each mass, and the peaks that follow it."""
    result = outcome("pendulum")
    run = result.trajectory
    v_1 = 0.1 * np.cos(run["phi1"]) * run["phi1_dot"]
    v_2 = v_1 + 0.1 * np.cos(run["phi1"] + run["phi2"]) * (run["phi1_dot"] + run["phi2_dot"])
    across = 0.05 * v_1**2 + 0.05 * v_2**2
    before = []
    for mass, v, speed, energy in ((2, v_2, -0.942, 0.0530), (1, v_1, -1.251, 0.0782)):
        at = np.searchsorted(run["t"], result.metrics[f"contact_times_{mass}"][0]) - 1
        before.append(across[at])
        assert v[at] == pytest.approx(speed, abs=3e-3)
        assert across[at] == pytest.approx(energy, abs=3e-4)
    peaks = [result.metrics[f"contact_peaks_{mass}"][0] for mass in (2, 1)]
    assert (before[0] < before[1]) == (peaks[0] < peaks[1])


@pytest.mark.parametrize("mass", [1, 2])
def test_impacts_of_a_series_become_weaker(outcome, mass):
    """3.3.2: every impact costs energy, so that the next one is slower; until the first mass arrives at 0.29 s."""
    metrics = outcome("pendulum").metrics
    times, peaks = (np.array(metrics[f"contact_{kind}_{mass}"]) for kind in ("times", "peaks"))
    series = peaks[times < metrics["contact_times_1"][0]] if mass == 2 else peaks
    assert len(series) >= 3
    assert (np.diff(series) < 0.0).all()
