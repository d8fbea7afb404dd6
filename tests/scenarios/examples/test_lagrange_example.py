"""The worked examples: Newton's laws, the digest's figures, LaTeX, and bad input."""

import pytest

from chrono_powercontact.errors import UnknownNameError
from chrono_powercontact.scenarios.catalogue import find
from chrono_powercontact.scenarios.examples.worked_examples import EXAMPLES
from chrono_powercontact.scenarios.parameters import read_parameters

ON_CHRONO = [name for name, example in EXAMPLES.items() if example.on_chrono]


@pytest.mark.parametrize("which", EXAMPLES)
def test_claim_holds(outcome, which):
    run = outcome("lagrange_example", which=which)
    assert run.passed is True, [check.text for check in run.checks if not check.passed]
    assert len(run.checks) >= 2


def test_sleigh_ends_with_the_speed_of_the_closed_form(outcome):
    assert outcome("lagrange_example", which="sleigh").metrics["end_speed"] == pytest.approx(1.473092, abs=1e-6)


def test_a_run_too_short_for_its_balance_is_judged_by_its_energy(outcome):
    run = outcome("lagrange_example", which="pendulum", time=0.1)
    assert run.metrics["balance_error"] is None
    assert [check.text.split()[0] for check in run.checks] == ["ledger"]


def test_equations_are_written_as_latex(outcome):
    scenario = find("lagrange_example")
    text = scenario.documents(outcome("lagrange_example", which="cart_pendulum"))["equations.tex"]
    assert text.startswith("\\begin{align}\nM &= ")
    assert "C &= " in text
    assert "g &= " in text


def test_an_unknown_example_is_named():
    with pytest.raises(UnknownNameError, match="unknown value of parameter which 'crain': did you mean 'crane'"):
        read_parameters(find("lagrange_example").parameters, {"which": "crain"})


def test_constraints_on_velocities_stay_with_the_reference_engine():
    scenario = find("lagrange_example")
    p = read_parameters(scenario.parameters, {"which": "sleigh"})
    assert "Chrono has no joint for it" in scenario.not_on_chrono(p)


@pytest.mark.chrono
@pytest.mark.parametrize("which", ON_CHRONO)
def test_claim_holds_on_chrono(which):
    scenario = find("lagrange_example")
    p = scenario.fit_to_step(read_parameters(scenario.parameters_on("chrono"), {"which": which}))
    run = scenario.run(p, engine="chrono")
    assert run.passed is True, [check.text for check in run.checks if not check.passed]
