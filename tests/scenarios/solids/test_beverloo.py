"""Beverloo's law for a slot."""

import numpy as np
import pytest

from chrono_powercontact.scenarios.solids.beverloo import Bed, coefficient, fitted_power, free_width, steady_flow

BED = Bed(density=1000.0, depth=0.02, diameter=0.01)
WIDTHS = np.array([0.06, 0.08, 0.1])


def flow(width, c=0.9):
    return c * 1000.0 * np.sqrt(9.81) * 0.02 * (width - 0.014) ** 1.5


def test_power_and_coefficient_of_flows_that_follow_the_law():
    assert fitted_power(WIDTHS, flow(WIDTHS), BED.diameter) == pytest.approx(1.5)
    assert coefficient(0.08, flow(0.08), BED) == pytest.approx(0.9)


def test_edge_of_a_slot_is_blocked():
    assert free_width(0.06, 0.01) == pytest.approx(0.046)


def test_steady_flow_of_a_count():
    t = np.linspace(0.0, 1.0, 11)
    assert steady_flow(t, 3.0 + 20.0 * t) == pytest.approx(20.0)
