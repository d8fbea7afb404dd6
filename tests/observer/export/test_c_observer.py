"""An exported filter that is called from Python, beside the one that it comes from."""

import shutil

import numpy as np
import pytest

from chrono_powercontact.errors import DivergedError, UnknownNameError
from chrono_powercontact.observer.export import c_check
from chrono_powercontact.observer.export.c_observer import CObserver
from chrono_powercontact.scenarios.gait.control.control_observers import riding_observer
from chrono_powercontact.scenarios.gait.leg.trainer_leg import REST

pytestmark = pytest.mark.skipif(not any(map(shutil.which, c_check.COMPILERS)), reason="needs a C compiler")


def pair():
    observer = riding_observer("s4", np.array(REST), (5e-4, 2e-4))
    return observer, CObserver(observer)


def test_it_is_updated_and_doubts_as_the_filter_in_python():
    python, c = pair()
    chance = np.random.default_rng(3)
    for k in range(30):
        y = np.array(REST) + 5e-4 * chance.standard_normal(2)
        for observer in (python, c):
            observer.update(y, [2.0, 50.0])
            if k == 10:
                observer.widen("M_pat", 5.0)
    np.testing.assert_allclose(c.x, python.x, rtol=1e-9, atol=1e-10)
    np.testing.assert_allclose(c.sigma, python.sigma, rtol=1e-8)
    assert c.nis == pytest.approx(python.nis, rel=1e-6)
    assert c.t == pytest.approx(python.t)


def test_two_of_them_do_not_share_their_state():
    _, first = pair()
    _, second = pair()
    first.update(np.array(REST) + 0.01, [0.0, 0.0])
    assert abs(first.x[0] - second.x[0]) > 1e-3


def test_what_is_not_finite_or_not_known_is_refused():
    _, observer = pair()
    with pytest.raises(UnknownNameError, match="unknown state 'pressure'"):
        observer.widen("pressure", 1.0)
    with pytest.raises(DivergedError, match="the exported filter left the finite numbers after 0 s"):
        observer.update(REST, [np.nan, 0.0])
