import numpy as np
import pytest

TABLE = {  # speed: {r_d: (contact time in ms, peak force in N, least distance in mm)}
    0.1: {0.1: (5.62, 2.595, 9.8424), 1.0: (5.66, 2.458, 9.8479), 5.0: (5.78, 2.096, 9.8675)},
    1.0: {0.1: (2.09, 92.55, 9.2737), 1.0: (2.24, 103.39, 9.3566), 5.0: (3.07, 133.84, 9.4009)},
    5.0: {0.1: (4.62, 143.15, 4.7235), 1.0: (4.78, 199.94, 6.3126), 5.0: (9.10, 200.00, 6.3725)},
}


@pytest.mark.parametrize(("speed", "r_d"), [(v, r) for v, row in TABLE.items() for r in row])
def test_impact_meets_the_table(outcome, speed, r_d):
    time, force, distance = TABLE[speed][r_d]
    metrics = outcome("ball", speed=speed, r_d=r_d).metrics
    assert metrics["time_inside"] * 1e3 == pytest.approx(time, abs=0.011)
    assert metrics["peak_force"] == pytest.approx(force, abs=0.006, rel=1e-4)
    assert metrics["min_distance"] * 1e3 == pytest.approx(distance, abs=2e-4)


@pytest.mark.parametrize(
    ("speed", "r_d", "e"), [(0.1, 5, 0.75521), (0.5, 1, 0.75521), (1, 1, 0.61962), (5, 5, 0.11187)]
)
def test_restitution_meets_the_table_to_five_digits(outcome, speed, r_d, e):
    assert outcome("ball", speed=speed, r_d=r_d).metrics["restitution"] == pytest.approx(e, abs=6e-6)


def test_elastic_impact_returns_everything(outcome):
    run = outcome("ball", r_d=0.0)
    assert run.metrics["restitution"] == pytest.approx(1.0, abs=1e-7)
    assert run.passed


def test_claim_is_the_closed_form(outcome):
    assert outcome("ball").passed
    assert not outcome("ball", step=2e-3).passed  # too coarse to meet it


def test_halving_the_step_changes_nothing(outcome):
    coarse, fine = (outcome("ball", step=h).metrics["restitution"] for h in (1e-5, 5e-6))
    assert coarse == pytest.approx(fine, abs=1e-8)


def test_momentum_is_the_integral_of_the_force(outcome):
    run = outcome("ball").trajectory
    impulse = np.trapezoid(run["F_barrier"], run["t"])
    assert impulse == pytest.approx(0.05 * (run["s_dot"][-1] - run["s_dot"][0]), rel=1e-5)


@pytest.mark.parametrize("law", ["hooke", "hertz", "hunt-crossley", "flores"])
def test_rival_goes_about_as_deep_without_damping(outcome, law):
    rival, power = (outcome("ball", law=name, r_d=0.0).metrics["min_distance"] for name in (law, "power"))
    assert 0.01 - rival == pytest.approx(0.01 - power, rel=0.01)


def test_linear_damper_pulls_and_the_restriction_never_does(outcome):
    assert outcome("ball", law="hooke").metrics["least_force"] < -1.0
    assert outcome("ball").metrics["least_force"] >= 0.0


def test_contact_time_has_one_definition_in_ball_and_map(outcome):
    run = outcome("restitution_map", n_speed=2, n_r_d=2, speed_min=0.1, speed_max=1.0, r_d_min=0.5, r_d_max=1.0)
    for speed, r_d, time in zip(*(run.trajectory[name] for name in ("speed", "r_d", "contact_time")), strict=True):
        assert outcome("ball", speed=speed, r_d=r_d).metrics["contact_time"] == pytest.approx(time, abs=2e-5)


def test_a_slow_ball_touches_but_stays_outside(outcome):
    metrics = outcome("ball", speed=0.04).metrics
    assert metrics["time_inside"] is None
    assert metrics["contact_time"] > 5e-3


def test_a_ball_too_slow_to_be_felt_has_no_contact_time(outcome):
    assert outcome("ball", speed=2e-3, step=1e-4).metrics["contact_time"] is None


def test_the_contact_grows_with_r_d_at_low_speed_only(outcome):
    """The thesis says that it always does; at 5 m/s it first becomes shorter."""
    slow, fast = (
        [outcome("ball", speed=speed, r_d=r_d).metrics["contact_time"] for r_d in (0.1, 0.5)] for speed in (0.5, 5.0)
    )
    assert slow[1] > slow[0]
    assert fast == pytest.approx([4.664e-3, 4.298e-3], abs=2e-5)
