import math

import pytest

from chrono_powercontact.scenarios.solids.masonry import MasonryParameters


def test_collapse_angle_of_a_sharp_block():
    p = MasonryParameters(blocks=1, width=0.1, height=0.2, edge=1e-12)
    assert math.tan(p.collapse()) == pytest.approx(0.5)
