import pytest

from chrono_powercontact.chrono.api import views
from chrono_powercontact.chrono.api.bridge import pychrono

pytestmark = pytest.mark.chrono


def _state():
    state = pychrono().ChState()
    state.SetVect([1.0, 2.0, 3.0])
    return state


@pytest.mark.parametrize("shared", [True, False])
def test_mirror_reads_and_writes(shared):
    state = _state()
    mirror = views.Mirror(state, 3, shared)
    assert mirror.read().tolist() == [1.0, 2.0, 3.0]
    mirror.data[2] = 9.0
    mirror.write()
    assert list(state.GetVectorData(3)) == [1.0, 2.0, 9.0]


def test_views_work_without_a_copy_here():
    assert views.zero_copy()
