import subprocess
import sys

import pytest

from chrono_powercontact.errors import UnknownNameError
from chrono_powercontact.scenarios.catalogue import NAMES, claims, every, find, names_on


def test_claims_on_file_are_those_of_the_scenarios():
    wanted = {scenario.name: scenario.claim for scenario in every()}
    assert claims() == wanted, "run: python -m chrono_powercontact.scenarios.catalogue"
    assert tuple(claims()) == NAMES


@pytest.mark.parametrize("engine", ["chrono", "reference"])
def test_engines_on_file_are_those_of_the_scenarios(engine):
    assert names_on(engine) == [scenario.name for scenario in every() if engine in scenario.engines]


def test_a_list_loads_no_scenario():
    look = "import sys; from chrono_powercontact.app.cli import main; main(['list']); sys.exit('numba' in sys.modules)"
    told = subprocess.run([sys.executable, "-c", look], capture_output=True, text=True, check=True)
    assert all(name in told.stdout for name in NAMES)


def test_unknown_scenario_is_named_with_those_that_exist():
    with pytest.raises(UnknownNameError, match=r"'bal'.*ball"):
        find("bal")
