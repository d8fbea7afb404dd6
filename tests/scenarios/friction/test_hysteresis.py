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


@pytest.mark.parametrize("filter", ["static", "lti", "lpv"])
@pytest.mark.parametrize("profile", ["sine", "rests"])
def test_claim_judges_all_filters_whichever_is_asked_for(outcome, filter, profile):
    run = outcome("hysteresis", filter=filter, profile=profile)
    assert run.passed
    assert sum("static" in check.text or "lti" in check.text or "LPV" in check.text for check in run.checks) >= 3


def test_forces_of_the_profile_with_rests(outcome):
    """Fig. 2.9: no force in the first rest; then static and LTI let go, LPV keeps the sign of the motion before."""
    held = outcome("hysteresis", profile="rests").metrics["held"]
    assert held["static"] == [0.0, 0.0, 0.0]
    assert max(map(abs, held["lti"])) < 1e-9
    assert held["lpv"] == pytest.approx([0.0, -1.2314, 1.2314], abs=1e-4)
