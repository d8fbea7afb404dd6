"""Objects in which contacts are shown: PyChrono reads the numbers that a kernel wrote, and they are used again."""

import numpy as np
import pytest

from chrono_powercontact.chrono.readout.contact_planes import SEEN
from chrono_powercontact.chrono.readout.report_pool import ReportPool, can_be_written

pytestmark = pytest.mark.chrono


def seen_contacts(count):
    seen = np.zeros(count, SEEN)
    for i in range(count):
        seen[i]["plane"] = [[0.6, -0.8, 0.0], [0.8, 0.6, 0.0], [0.0, 0.0, 1.0]]
        for k, name in enumerate(("on_a", "on_b", "force", "torque")):
            seen[i][name] = np.arange(3) + 10 * k + 100 * i
    return seen


def test_pychrono_reads_what_was_written():
    assert can_be_written()
    shown = ReportPool().show(seen_contacts(3))
    vectors = [shown[2].point_a, shown[2].point_b, shown[2].force, shown[2].torque]
    assert [(v.x, v.y, v.z) for v in vectors] == [(200 + 10 * k, 201 + 10 * k, 202 + 10 * k) for k in range(4)]
    axes = shown[0].plane.GetAxisX(), shown[0].plane.GetAxisY()
    assert [(axis.x, axis.y, axis.z) for axis in axes] == [(0.6, 0.8, 0.0), (-0.8, 0.6, 0.0)]


def test_the_same_objects_are_used_again():
    pool = ReportPool()
    first = pool.show(seen_contacts(2))[0]
    assert pool.show(seen_contacts(1))[0] is first
    more = pool.show(seen_contacts(40))
    assert more[0] is first
    assert more[39].force.x == 3920.0
