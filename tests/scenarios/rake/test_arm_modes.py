from dataclasses import replace

import numpy as np
import pytest

from chrono_powercontact.errors import ParameterError
from chrono_powercontact.lagrange.beams.beams import Beam, Section
from chrono_powercontact.lagrange.beams.reduction import reduce_beam
from chrono_powercontact.scenarios.rake.arm_modes import CASES, ArmModes, ArmStudyParameters
from chrono_powercontact.scenarios.rake.modes.flow_case import BED, profile
from chrono_powercontact.scenarios.rake.scene import beam_scene
from tests.support.flexible_scenes import need_fea


@pytest.mark.parametrize("case", [case for case in CASES if case not in ("machine", "beams")])
def test_the_claim_holds(case):
    """That of the machine is tested together with its fault."""
    outcome = ArmModes().run(ArmStudyParameters(case=case, elements=20))
    assert outcome.passed, [check.text for check in outcome.checks if not check.passed]


@pytest.mark.chrono
def test_arms_of_chronos_beams_press_as_the_modal_ones():
    need_fea()
    outcome = ArmModes().run(ArmStudyParameters(case="beams", time=3.0))
    assert outcome.passed, [check.text for check in outcome.checks]
    assert outcome.metrics["stiff_press"] == pytest.approx(outcome.metrics["modal_press"], rel=2e-4)
    assert outcome.metrics["steel_press"] != pytest.approx(outcome.metrics["modal_press"], rel=2e-4)


@pytest.mark.chrono
def test_softer_beams_are_noticed(monkeypatch):
    need_fea()
    plain = beam_scene.section_of

    def softer(arm, beta, axial):
        return plain(replace(arm, stiffness=0.95 * arm.stiffness), beta, axial)

    monkeypatch.setattr(beam_scene, "section_of", softer)
    assert ArmModes().run(ArmStudyParameters(case="beams", time=3.0)).passed is False


def test_more_modes_than_the_beam_has_are_refused():
    with pytest.raises(ParameterError, match=r"modes must be at most \d+, which 10 elements have, got 50"):
        ArmModes().run(ArmStudyParameters(elements=10, modes=50))


def test_stress_at_the_root_is_recovered_from_the_reduced_arm():
    """A cantilever under a load at its tip has F (L - x) as its moment, whatever the number of modes."""
    beam = Beam.uniform(2.0, Section(50.0, 3.0))
    for modes in (0, 3):
        arm = reduce_beam(beam, {"tip": 2.0}, modes)
        q = arm.static({("tip", "w"): 7.0})
        for at in (0.0, 0.5, 1.3):
            assert arm.bending_moment(at) @ q == pytest.approx(7.0 * (2.0 - at), rel=1e-8)


def test_a_flow_profile_falls_to_the_bed():
    z = np.linspace(BED, -3.01, 50)
    v = profile(0.8, 7.0, z)
    assert v[0] == 0.0
    assert np.all(np.diff(v) > 0.0)
    assert v[-1] == pytest.approx(0.8, rel=1e-3)
    assert profile(0.8, 7.0, np.array([-2.0]))[0] == 0.0


def test_the_identified_flow_does_not_depend_on_the_true_one_being_the_default():
    outcome = ArmModes().run(ArmStudyParameters(case="flow", flow=1.2, exponent=4.0, noise=20.0))
    assert outcome.metrics["surface"] == pytest.approx(1.2, rel=0.01)
    assert outcome.metrics["exponent"] == pytest.approx(4.0, rel=0.05)


def test_a_rule_that_no_number_of_modes_meets_fails():
    assert ArmModes().run(ArmStudyParameters(case="count", modal_mass=1.0, elements=20)).passed is False
