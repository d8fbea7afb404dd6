"""ChCollisionInfo in memory: what is written there PyChrono reads; where it is laid out otherwise, SWIG writes it."""

import numpy as np
import pytest

from chrono_powercontact.chrono.api.bridge import pychrono
from chrono_powercontact.chrono.takeover import collision_info
from chrono_powercontact.chrono.takeover.collision_info import POINTS, CollisionInfo, laid_out_as_expected

pytestmark = pytest.mark.chrono

POINT = np.array([((1.0, 2.0, 3.0), (4.0, 5.0, 6.0), (0.0, 0.6, 0.8), -0.25)], POINTS)


@pytest.mark.parametrize("viewed", [True, False])
def test_what_is_written_is_read_by_pychrono(monkeypatch, viewed):
    assert laid_out_as_expected()
    if not viewed:
        monkeypatch.setattr(collision_info, "laid_out_as_expected", lambda: False)
    info = CollisionInfo()
    model = pychrono().ChCollisionModel()
    info.write(POINT.ctypes.data, model, model)
    seen = info.proxy
    assert [seen.vpA.x, seen.vpA.y, seen.vpA.z] == [1.0, 2.0, 3.0]
    assert [seen.vpB.x, seen.vpB.y, seen.vpB.z] == [4.0, 5.0, 6.0]
    assert [seen.vN.x, seen.vN.y, seen.vN.z] == [0.0, 0.6, 0.8]
    assert seen.distance == -0.25
    assert seen.modelA is not None
