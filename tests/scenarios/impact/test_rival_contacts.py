import math

import numpy as np
import pytest

from chrono_powercontact.errors import UnknownNameError
from chrono_powercontact.laws.normal.restriction import Restriction
from chrono_powercontact.scenarios.impact.rival_contacts import LAWS, matched, newton_bounces

LAW = Restriction(0.01, 0.009, 200.0, 1.0)


def test_power_is_the_restriction_itself():
    assert matched("power", LAW, 0.05, 1.0) is LAW


@pytest.mark.parametrize("name", LAWS)
def test_rivals_begin_where_the_restriction_does(name):
    law = matched(name, LAW, 0.05, 1.0)
    assert float(law.force(0.0101, -1.0)) < 0.01 * float(law.force(0.0095, -1.0))


def test_unknown_rival_is_named():
    with pytest.raises(UnknownNameError, match="hook"):
        matched("hook", LAW, 0.05, 1.0)


def test_newton_bounces_lose_the_square_of_the_restitution():
    t = np.arange(0.0, 2.0, 1e-4)
    s, _ = newton_bounces(t, 1.0, 0.0, 0.5, 9.81)
    second = s[(t > math.sqrt(2 / 9.81)) & (t < 2 * math.sqrt(2 / 9.81))].max()
    assert second == pytest.approx(0.25, abs=1e-4)
    assert s.min() >= -1e-9
