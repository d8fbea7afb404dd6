import pytest


@pytest.mark.parametrize(
    ("filter", "frequency", "at_rest", "crossing", "peak"),
    [
        ("lti", 1.0, 0.439, -1.8e-3, 1.393),
        ("lti", 5.0, 0.971, -7.1e-3, 1.282),
        ("lpv", 1.0, 1.231, -7.9e-3, 1.386),
        ("lpv", 5.0, 1.235, -14.6e-3, 1.254),
    ],
)
def test_loop_meets_the_table(outcome, filter, frequency, at_rest, crossing, peak):
    metrics = outcome("hysteresis", filter=filter, frequency=frequency).metrics
    assert metrics["force_at_zero_speed"] == pytest.approx(at_rest, abs=1e-3)
    assert metrics["zero_force_speed"] == pytest.approx(crossing, abs=6e-5)
    assert metrics["peak_force"] == pytest.approx(peak, abs=1e-3)


def test_only_lpv_holds_at_rest(outcome):
    assert outcome("hysteresis", filter="lpv").metrics["held_force"] == pytest.approx(-1.2314, abs=1e-4)
    assert outcome("hysteresis", filter="lpv", v_f=0.02).metrics["held_force"] == pytest.approx(-1.3008, abs=1e-4)
    assert abs(outcome("hysteresis", filter="lti").metrics["held_force"]) < 1e-9
    assert outcome("hysteresis", filter="static").metrics["held_force"] == 0.0


def test_claim_holds_for_each_filter(outcome):
    assert all(outcome("hysteresis", filter=filter).passed for filter in ("static", "lti", "lpv"))
