import pytest


def test_elastic_ball_rests_where_it_carries_its_weight(outcome):
    metrics = outcome("drop").metrics
    assert metrics["rest_distance"] == pytest.approx(9.890018e-3, abs=1e-9)
    assert metrics["rest_force"] == pytest.approx(0.4905, abs=1e-6)
    assert metrics["settle_time"] == pytest.approx(0.403, abs=1e-3)
    assert metrics["min_distance"] == pytest.approx(7.462e-3, abs=1e-6)


@pytest.mark.parametrize(("height", "expected"), [(0.1, [0.203, 0.453, 0.527, 0.452]), (0.02, [0.378, 0.509, 0.513])])
def test_bounces_meet_the_table(outcome, height, expected):
    bounces = outcome("drop", height=height).metrics["restitutions"]
    assert bounces[: len(expected)] == pytest.approx(expected, abs=2e-3)


def test_rigid_ball_never_settles(outcome):
    run = outcome("drop", body="rigid", time=2.0)
    assert run.metrics["settle_time"] is None
    assert run.metrics["restitutions"][:4] == pytest.approx([0.210, 0.501, 0.660, 0.747], abs=2e-2)
    assert run.metrics["rest_force_spread"] > 1.0
    assert run.passed


def test_a_floor_too_weak_for_the_weight_is_said(outcome):
    run = outcome("drop", mass=1.5)
    assert not run.passed
    assert "weight" in run.checks[0].text


def test_newton_bounces_by_the_same_restitution_each_time(outcome):
    run = outcome("drop", law="newton").trajectory
    peaks = [run["s"][i] for i in range(1, len(run) - 1) if run["s"][i - 1] < run["s"][i] >= run["s"][i + 1]]
    first, second = (peak - 0.01 for peak in peaks[:2])
    e2 = first / 0.09
    assert second / first == pytest.approx(e2, rel=1e-2)
