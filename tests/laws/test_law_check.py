import math

import numpy as np
import pytest

import chrono_powercontact as pc
from chrono_powercontact.errors import ParameterError

SOUND = {
    "restriction": pc.Restriction(0.01, 0.009, 2e4, 1.0),
    "barrier": pc.Barrier(0.01, 0.009, 2e3, 1.0, 0.99, thickness=0.005, s_c_back=0.006),
    "hertz": pc.Hertz(0.0, 1e7, 0.4),
    "indentation": pc.Indentation(0.0, 1e6, 10.0),
    "friction": pc.Friction(0.3, 0.4, 1e-3, 2e-3),
    "dissipation": pc.Dissipation(3.0, 4.0, 1e-2, 2e-2),
    "step": pc.StepFriction(0.4, 0.3, 1e-3, 2e-3),
}


@pc.normal_law
def jumping(s, v, p):
    return 100.0 if s < p.s_0 else 0.0


@pc.normal_law
def active(s, v, p):
    return 1e5 * max(p.s_0 - s, 0.0) * (1.0 + 0.5 * v)


@pc.normal_law
def spring(s, v, p):
    return p.k * max(p.s_0 - s, 0.0)


@pc.friction_law
def dry(v, n, p):
    return p.mu * n


@pc.friction_law
def driving(v, n, p):
    return -p.mu * n * np.tanh(v / 1e-3)


@pytest.mark.parametrize("name", SOUND)
def test_built_in_laws_are_sound(name):
    report = pc.check_law(SOUND[name])
    assert report.sound
    assert report.findings == ()
    assert report.stable_step > 0.0
    assert "sound" in str(report)


def test_a_damper_that_pulls_is_found():
    report = pc.check_law(pc.Hooke(0.0, 1e5, 50.0))
    assert not report.never_pulls
    assert report.most_negative < -40.0
    assert not report.continuous
    assert "pulls" in str(report)


@pytest.mark.parametrize("law", [jumping(s_0=0.0), pc.RigidRestriction(0.01, 200.0, 1.0)], ids=["user", "rigid"])
def test_a_jump_is_found_where_it_is(law):
    report = pc.check_law(law)
    assert not report.continuous
    assert report.largest_jump > 80.0
    assert f"at s = {law.s_0:g} m" in str(report)
    assert report.stable_step == 0.0


def test_a_law_that_supplies_energy_is_found():
    report = pc.check_law(active(s_0=0.0))
    assert not report.passive
    assert report.never_pulls


def test_dry_friction_jumps_at_rest():
    report = pc.check_law(dry(mu=0.4), normal=10.0)
    assert not report.continuous
    assert report.largest_jump == pytest.approx(4.0)


def test_friction_that_drives_is_found():
    report = pc.check_law(driving(mu=0.4))
    assert not report.never_pulls
    assert not report.passive


def test_the_stable_step_of_a_spring_is_the_closed_form():
    report = pc.check_law(spring(s_0=0.0, k=1e6), mass=2.0)
    assert report.stable_step == pytest.approx(2.0 / math.sqrt(1e6 / 2.0), rel=1e-2)


@pytest.mark.parametrize("given", [{"mass": 0.0}, {"speed": -1.0}, {"normal": math.nan}], ids=str)
def test_bad_numbers_are_refused(given):
    with pytest.raises(ParameterError):
        pc.check_law(SOUND["hertz"], **given)


@pytest.mark.parametrize("law", [pc.LuGre(1.0, 1.4, 0.02, 1e4, 10.0), pc.SpinFriction(0.01), 3], ids=str)
def test_what_cannot_be_sampled_is_refused(law):
    with pytest.raises(ParameterError, match="check_law takes"):
        pc.check_law(law)


@pc.normal_law
def broken(s, v, p):
    d = max(p.s_0 - s, 0.0)
    if d > 5e-3:
        raise ValueError("too deep")
    return p.k * d


def wrong_energy(s, p):
    return p.k * max(p.s_0 - s, 0.0) ** 2


@pc.normal_law(potential=wrong_energy)
def misfit(s, v, p):
    return p.k * max(p.s_0 - s, 0.0)


def test_a_law_that_raises_somewhere_is_not_finite_there():
    report = pc.check_law(broken(s_0=0.0, k=1e4))
    assert not report.finite
    assert report.findings == ("its force is not finite everywhere",)


def test_a_law_too_weak_for_the_mass_is_found():
    report = pc.check_law(pc.Restriction(0.01, 0.009, 5.0, 1.0), mass=1.0)
    assert "it cannot carry the weight of 1 kg" in report.findings


def test_a_potential_that_does_not_fit_is_found():
    assert "its potential does not fit its force at rest" in pc.check_law(misfit(s_0=0.0, k=1e5)).findings


def test_an_activation_that_is_not_monotone_is_found():
    @pc.normal_law
    def soft_inside(s, v, p):
        depth = max(p.s_0 - s, 0.0)
        return p.k * depth * max(1.0 - 0.5 * depth / p.wide, 0.0)

    report = pc.check_law(soft_inside(s_0=0.0, k=1e5, wide=1e-3), mass=2.0)
    assert any("activation is not monotone" in text for text in report.findings), report.findings
    assert pc.check_law(pc.Restriction(0.01, 0.009, 200.0, 1.0), mass=0.1).sound
