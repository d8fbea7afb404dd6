import pytest

from chrono_powercontact.errors import ParameterError
from chrono_powercontact.scenarios.friction.friction_laws import FrictionLaws, FrictionLawsParameters
from chrono_powercontact.scenarios.friction.rivals.phenomena import PHENOMENA
from chrono_powercontact.scenarios.friction.rivals.rival_set import RIVALS
from chrono_powercontact.scenarios.friction.rivals.rival_table import EXPECTED, SAID


@pytest.fixture(scope="module")
def metrics():
    """Figures of all laws."""
    return FrictionLaws().run(FrictionLawsParameters()).metrics


@pytest.mark.parametrize("law", RIVALS)
def test_a_law_has_what_the_literature_says(metrics, law):
    checks = FrictionLaws().check(FrictionLawsParameters(law=law), {law: metrics[law]})
    assert checks
    assert all(check.passed for check in checks), [check.text for check in checks if not check.passed]


def test_the_table_names_laws_and_phenomena_that_exist():
    assert tuple(EXPECTED) == RIVALS
    assert set().union(*EXPECTED.values()) == set(PHENOMENA)


@pytest.mark.parametrize("law", SAID)
def test_the_table_agrees_with_the_words_of_the_sources(law):
    assert SAID[law].has <= EXPECTED[law]
    assert not SAID[law].lacks & EXPECTED[law]


NEAR = {("memory", "leuven"), ("memory", "strands_lag")}
"""Minor loops that are open by 0.7 and 1.5 % of their width, where 1 % counts as closed."""


def share_of(name, figure):
    """A figure over the least that counts; of minor loops the gap over the largest that counts as closed."""
    if name == "memory":
        return (1.0 - PHENOMENA[name].least) / max(1.0 - figure, 1e-12)
    if name in ("no_drift", "no_creep"):
        return 1.0 / max(1.0 - figure, 1e-12)
    return figure / PHENOMENA[name].least


def test_no_verdict_depends_on_where_the_limit_was_put(metrics):
    """Twice or half of any limit would say the same of every law, but for two that are named."""
    for law, found in metrics.items():
        for name, figure in found["figures"].items():
            if name in ("area", "memory") and "presliding" not in found["has"]:
                continue
            share = share_of(name, figure)
            assert (share > 2.0 or share < 0.5) is ((name, law) not in NEAR), (law, name, share)


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
