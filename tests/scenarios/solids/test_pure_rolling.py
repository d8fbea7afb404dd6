"""A body that rolls without slip: what it conserves, and a motion that is known."""

import numpy as np
import pytest

from chrono_powercontact.scenarios.solids.pure_rolling import RollingBody, ellipsoid_point, torus_point
from chrono_powercontact.scenarios.solids.rolling_disc import DiscParameters


def test_energy_is_conserved():
    stone = RollingBody(1.0, np.diag([2e-4, 1.6e-3, 1.7e-3]), ellipsoid_point(np.array([0.2, 0.03, 0.02]), np.zeros(3)))
    times = np.linspace(0.0, 0.2, 5)
    verticals, turning, _ = stone.roll(np.eye(3), np.array([0.5, 0.2, 3.0]), times)
    energies = [stone.energy(n, w) for n, w in zip(verticals, turning, strict=True)]
    assert energies == pytest.approx([energies[0]] * 5, rel=1e-8)


def test_disc_circles_steadily():
    """The closed form of the scenario, derived apart, is a steady motion of these equations."""
    p = DiscParameters()
    disc = RollingBody(p.mass, p.inertia(), torus_point(p.radius, p.edge))
    start = p.circling()
    assert start.turn @ disc.velocity(start.turn[2], start.turning) == pytest.approx(start.velocity, abs=1e-12)
    times = np.linspace(0.0, np.pi / p.precession, 3)
    verticals, _, way = disc.roll(start.turn, start.turning, times)
    assert verticals[:, 2] == pytest.approx(np.full(3, np.cos(np.radians(p.angle))), abs=1e-7)
    assert np.linalg.norm(way[-1]) == pytest.approx(2.0 * p.circle(), rel=1e-6)
