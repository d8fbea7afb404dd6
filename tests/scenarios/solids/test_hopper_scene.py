"""The hopper on Chrono: grains stay between the panes, and settle."""

import numpy as np
import pytest

from chrono_powercontact.scenarios.solids.hopper import HopperParameters
from chrono_powercontact.scenarios.solids.hopper_scene import rows_of_grains, settle

SMALL = HopperParameters(grains=200, width=16.0, narrowest=5.0, widest=8.0)


def test_grains_do_not_touch_at_the_start():
    hopper = SMALL.hopper()
    places = rows_of_grains(hopper)
    apart = np.linalg.norm(places[:, None] - places, axis=2) + np.eye(len(places))
    assert apart.min() > 2.0 * hopper.radii.max()
    assert np.abs(places[:, 0]).max() + hopper.radii.max() < 0.5 * hopper.width


@pytest.mark.chrono
def test_grains_settle_on_the_floor_between_walls_and_panes():
    hopper = SMALL.hopper()
    places = settle(hopper, 0.6, 1e-3, SMALL.integrator, 0)
    assert places[:, 2].min() > 0.9 * hopper.radii.min()
    assert np.abs(places[:, 0]).max() < 0.5 * hopper.width
    assert np.abs(places[:, 1]).max() < 0.5 * hopper.depth
    assert places[:, 2].max() < rows_of_grains(hopper)[:, 2].max()
