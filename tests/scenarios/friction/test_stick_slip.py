import numpy as np
import pytest

from chrono_powercontact.scenarios.friction.stick_slip import StickSlip, StickSlipParameters

EXPECTED = {
    ("fine", "power"): {
        "slip_starts": [1.4125, 2.5173, 3.6221, 4.7269], "slip_ends": [1.7750, 2.8798, 3.9846, 5.0805],
        "max_speed": 0.4815, "peak_friction": 1.4075, "end_position": 0.44095, "speed_at_stop": 0.3142,
    },
    ("fine", "lugre"): {
        "slip_starts": [1.4069, 2.4947, 3.5825, 4.6703], "slip_ends": [1.7666, 2.8544, 3.9422, 5.0288],
        "max_speed": 0.4714, "peak_friction": 1.3705, "end_position": 0.43515, "speed_at_stop": 0.1199,
    },
    ("coarse", "power"): {"max_speed": 0.5035, "peak_friction": 1.3948, "end_position": 0.38675},
    ("coarse", "lugre"): {"max_speed": 0.3074, "peak_friction": 1.1769, "end_position": 0.39996},
}  # fmt: skip


@pytest.mark.parametrize(("table", "friction"), EXPECTED)
def test_run_meets_the_table(outcome, table, friction):
    metrics = outcome("stick_slip", table=table, friction=friction).metrics
    for name, expected in EXPECTED[table, friction].items():
        assert metrics[name] == pytest.approx(expected, abs=2e-4), name


@pytest.mark.parametrize(
    ("friction", "starts"), [("power", [1.43, 2.65, 3.86]), ("lugre", [1.21, 2.00, 2.80, 3.59, 4.38])]
)
def test_coarse_slips_meet_the_table(outcome, friction, starts):
    assert outcome("stick_slip", table="coarse", friction=friction).metrics["slip_starts"] == pytest.approx(
        starts, abs=0.0105
    )


def test_power_law_creeps_and_lugre_does_not(outcome):
    assert outcome("stick_slip").metrics["drift"] == pytest.approx(4.60e-5, rel=1e-2)
    assert abs(outcome("stick_slip", friction="lugre").metrics["drift"]) < 1e-9


def test_creep_speed_is_where_the_static_law_carries_the_load(outcome):
    run = outcome("stick_slip").trajectory
    from chrono_powercontact.laws.friction.dissipation import Dissipation

    load = 10.0 * (0.5 - run["x"][-1])
    law = Dissipation(1.0, 1.4, 5e-5, 1e-4, 0.1)
    assert float(law.force(run["x_dot"][-1])) == pytest.approx(load, rel=1e-3)


def test_lugre_force_jumps_at_the_transitions_and_the_power_law_does_not(outcome):
    def dip(friction):
        run = outcome("stick_slip", friction=friction).trajectory
        start = outcome("stick_slip", friction=friction).metrics["slip_starts"][0]
        window = (run["t"] > start) & (run["t"] < start + 0.05)
        return run["Ft_plane"][window].min()

    def spike(friction):
        """Largest force in the last 50 ms of the first slip, while the mass slows down to rest."""
        run = outcome("stick_slip", friction=friction).trajectory
        start = outcome("stick_slip", friction=friction).metrics["slip_starts"][0]
        after = (run["t"] > start + 0.02) & (run["x_dot"] < 1e-3)
        end = run["t"][np.argmax(after)]
        window = (run["t"] > end - 0.05) & (run["t"] < end)
        return run["Ft_plane"][window].max()

    assert dip("power") == pytest.approx(1.001, abs=2e-3)
    assert dip("lugre") == pytest.approx(0.588, abs=5e-3)
    assert spike("power") < 1.05
    assert spike("lugre") == pytest.approx(1.270, abs=0.01)


def test_ledger_counts_the_work_of_the_pull(outcome):
    run = outcome("stick_slip").trajectory
    assert np.abs(run.ledger_error).max() < 1e-6
    assert run["drive_work"][-1] > 0.4


def test_no_slip_no_claim(outcome):
    assert not outcome("stick_slip", pull_speed=0.01).passed


@pytest.mark.parametrize("table", ["fine", "coarse"])
@pytest.mark.parametrize("friction", ["power", "lugre", "static"])
def test_claim_holds(outcome, table, friction):
    run = outcome("stick_slip", table=table, friction=friction)
    assert run.passed, run.checks


def test_an_anchored_mass_stands(outcome):
    run = outcome("stick_slip", friction="anchored")
    assert run.passed, run.checks
    assert abs(run.metrics["drift"]) < 1e-12


def test_creep_of_the_coarse_table_is_told_by_its_law(outcome):
    run = outcome("stick_slip", table="coarse")
    (rest,) = (check.text for check in run.checks if "creep" in check.text)
    assert rest == "speed at the end, creep 0.00542 m/s (allowed 0.00544 m/s)"


@pytest.mark.parametrize(
    ("given", "longest"), [({}, 5e-3), ({"friction": "anchored"}, 2e-3), ({"table": "coarse"}, None)]
)
def test_long_steps_on_chrono_are_told_where_the_mass_would_slip_too_early(given, longest):
    limit = StickSlip().long_step_limit(StickSlipParameters(**given))
    assert (limit.step if limit is not None else None) == longest
