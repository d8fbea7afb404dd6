import pytest

from chrono_powercontact.errors import ParameterError
from chrono_powercontact.scenarios.friction.friction_laws import FrictionLaws, FrictionLawsParameters
from chrono_powercontact.scenarios.friction.rivals.phenomena import PHENOMENA
from chrono_powercontact.scenarios.friction.rivals.rival_set import RIVALS
from chrono_powercontact.scenarios.friction.rivals.rival_table import EXPECTED


@pytest.mark.parametrize("law", [law for law in RIVALS if law != "strands_lag"])
def test_a_law_has_what_the_literature_says(law):
    outcome = FrictionLaws().run(FrictionLawsParameters(law=law))
    assert outcome.passed, [check.text for check in outcome.checks if not check.passed]


def test_the_table_names_laws_and_phenomena_that_exist():
    assert tuple(EXPECTED) == RIVALS
    assert set().union(*EXPECTED.values()) == set(PHENOMENA)


def test_every_phenomenon_separates_laws():
    for name in PHENOMENA:
        having = [law for law in RIVALS if name in EXPECTED[law]]
        assert 0 < len(having) < len(RIVALS), name


def test_what_the_anchored_law_gains_by_its_options():
    assert EXPECTED["anchor_lag"] - EXPECTED["anchor"] == {"lag", "rate"}
    assert EXPECTED["strands"] - EXPECTED["anchor"] == {"area", "rate"}
    assert all("no_creep" in EXPECTED[law] for law in ("anchor", "anchor_lag", "strands", "strands_lag"))


def test_stiction_below_coulomb_friction_is_refused():
    with pytest.raises(ParameterError, match=r"f_s must be above f_c, got f_s=0.5 and f_c=1"):
        FrictionLaws().run(FrictionLawsParameters(law="dahl", f_s=0.5))
