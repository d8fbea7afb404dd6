import numpy as np
import pytest
from scipy.integrate import solve_ivp

from chrono_powercontact.errors import UnknownNameError
from chrono_powercontact.laws.friction.lugre import LuGre
from chrono_powercontact.scenarios.friction.friction_lab import CASES, FrictionLab
from chrono_powercontact.scenarios.friction.lab import loaded
from chrono_powercontact.scenarios.friction.lab.case import Curve
from chrono_powercontact.scenarios.friction.lab.prescribed_motion import lag_width
from chrono_powercontact.scenarios.friction.lab.rig import force_along, swing
from chrono_powercontact.scenarios.friction.lab.three_laws import LAWS, law_of, record_of
from chrono_powercontact.scenarios.parameters import read_parameters

PARAMETERS = read_parameters(FrictionLab.parameters, {})


def numbers(outcome, case):
    return outcome("friction_lab", case=case).metrics[case]


@pytest.mark.parametrize("case", CASES)
def test_claim_of_each_experiment_holds(outcome, case):
    run = outcome("friction_lab", case=case)
    assert run.checks
    assert [check.text for check in run.checks if not check.passed] == []
    assert list(run.metrics) == [case]


def test_every_law_has_its_curve_in_every_experiment(outcome):
    scenario = FrictionLab()
    for case in CASES:
        curves = scenario.curves(outcome("friction_lab", case=case).trajectory, case)
        assert tuple(curves) == LAWS
        assert all(curve.x.size == curve.y.size > 5 for curve in curves.values())


def test_slow_sliding_has_stiction_with_memory_and_less_without(outcome):
    slow = numbers(outcome, "stribeck")["slowest_force"]
    assert slow["anchored"] == pytest.approx(1.3949, abs=1e-4)
    assert slow["lugre"] == pytest.approx(1.4, abs=1e-5)
    assert slow["power"] == pytest.approx(0.2689, abs=1e-4)


def test_all_laws_agree_in_fast_sliding(outcome):
    fast = numbers(outcome, "stribeck")["fastest_force"]
    assert [fast[law] for law in LAWS] == pytest.approx([1.03] * 3, rel=1e-6)


def test_first_minor_loop_of_lugre_has_the_gap_of_its_closed_form(outcome):
    curve = FrictionLab().curves(outcome("friction_lab", case="presliding").trajectory, "presliding")["lugre"]
    up = 1.0 - np.exp(-0.9)  # bristles in break-away displacements: dz/dx = 1 - z sign(v) well below the Stribeck speed
    down = -1.0 + (1.0 + up) * np.exp(-0.6)
    again = 1.0 - (1.0 - down) * np.exp(-0.6)
    gap = numbers(outcome, "presliding")["minor_gap"]["lugre"]
    assert gap == pytest.approx(1.4 * (up - again), rel=1e-3)
    assert curve.y[500] == pytest.approx(1.4 * up, rel=1e-3)


def test_loop_with_sliding_of_the_anchor_has_the_heat_of_its_displacement(outcome):
    heat = numbers(outcome, "presliding")["major_area"]["anchored"]
    assert 0.8 < heat / (1.4 * 2.0 * (6.0 - 2.0)) < 1.0


def test_filter_lags_more_than_bristles_and_the_anchor_not_at_all(outcome):
    width = numbers(outcome, "lag")["width"]
    assert width["power"] == pytest.approx(0.2234, abs=1e-3)
    assert width["lugre"] == pytest.approx(0.0474, abs=1e-3)
    assert abs(width["anchored"]) < 1e-12


def test_lag_is_measured_where_a_force_is_ahead():
    phase = np.linspace(0.0, 2.0 * np.pi, 2001)
    speed = 0.03 + 0.025 * np.sin(phase)
    assert lag_width(Curve(speed, 2.0 + 0.1 * np.cos(phase), 0)) == pytest.approx(0.2, rel=1e-3)
    assert lag_width(Curve(speed, 2.0 - 3.0 * speed, 0)) == pytest.approx(0.0, abs=1e-9)


def test_break_away_of_rivals_falls_with_the_force_rate(outcome):
    forces = numbers(outcome, "break_away")["break_away"]
    assert np.ptp(forces["anchored"]) < 1e-3
    assert forces["lugre"][0] == pytest.approx(1.3700, abs=2e-3)
    assert forces["lugre"][-1] == pytest.approx(1.0542, abs=1e-2)
    assert np.all(np.diff(forces["power"]) < 0.0)


def test_ratchet_of_lugre_is_large_and_of_the_anchor_nothing(outcome):
    for case in ("dither", "normal_force"):
        displacement = numbers(outcome, case)["way_per_cycle"]
        assert abs(displacement["anchored"]) < 1e-15
        assert displacement["lugre"] > 1e-5
        assert 1e-7 < displacement["power"] < 1e-5


def test_critical_pull_speed_comes_to_the_closed_form_with_less_presliding(monkeypatch):
    monkeypatch.setattr(loaded, "BISECTIONS", 4)
    monkeypatch.setattr(loaded, "SLOWEST", 0.43)
    monkeypatch.setattr(loaded, "FASTEST", 0.48)
    shares = []
    for presliding, step in ((4e-5, 1e-4), (6e-7, 4e-5)):
        p = read_parameters(FrictionLab.parameters, {"presliding": presliding, "step": step})
        curve = loaded.stick_slip_over_pull(p, "anchored")
        free = curve.x[curve.y >= loaded.STUCK].min()
        shares.append(free / loaded.critical_pull(p) - 1.0)
    assert 0.03 < shares[0] < 0.06
    assert 0.0 < shares[1] < 0.02


def test_steps_of_all_runs_are_counted(monkeypatch):
    counts = iter((100, 20, 3))
    monkeypatch.setattr(loaded, "BISECTIONS", 1)
    monkeypatch.setattr(loaded, "slowest_after_slip", lambda p, name, pull: (0.0, next(counts)))
    assert loaded.stick_slip_over_pull(PARAMETERS, "anchored").steps == 123


def test_mass_that_does_not_stick_again_has_the_least_speed_of_a_damped_swing():
    p, pull = PARAMETERS, 0.6

    def motion(_, y):
        position, speed = y  # position against the end of the spring
        return speed - pull, -(p.k * position + p.f_c + p.d * speed) / p.mass

    start = (-loaded.stiction(p) / p.k, 0.0)
    swung = solve_ivp(motion, (0.0, 0.8), start, rtol=1e-9, atol=1e-12, max_step=1e-3)
    slowest = swung.y[1][swung.t > 0.2].min() / pull
    assert slowest > 0.1
    assert loaded.slowest_after_slip(p, "anchored", pull)[0] == pytest.approx(slowest, abs=0.02)


def test_lugre_and_the_power_law_have_the_parameters_of_the_tables():
    law, memory = law_of(PARAMETERS, "lugre")
    assert law == LuGre(1.0, 1.4, 0.02, 1e4, 100.0, 0.1)
    assert memory is None
    assert law_of(PARAMETERS, "power", "coarse")[0].v_s == 0.01


def test_rig_moves_from_corner_to_corner():
    position, speed, step = swing((0.0, 2.0, -1.0), 0.5, 100)
    assert position[[0, 200, 400]].tolist() == pytest.approx([0.0, 2.0, -1.0])
    np.testing.assert_allclose(np.gradient(position, 0.5 * step)[2:-2], speed[2:-2], atol=0.02)


def test_rig_measures_the_same_force_with_half_the_step():
    forces = []
    for steps in (200, 400):
        position, speed, step = swing((0.0, 4e-6, 1e-6, 2e-5), 1.0, steps)
        forces.append(force_along(record_of(PARAMETERS, "anchored"), position, speed, step)[:: steps // 200])
    np.testing.assert_allclose(forces[0], forces[1], atol=1e-9)


def test_unknown_experiment_is_refused():
    with pytest.raises(UnknownNameError, match="did you mean 'dither'"):
        read_parameters(FrictionLab.parameters, {"case": "diter"})
