import pytest

from chrono_powercontact.scenarios.rake.cases.virtual_work import holding_forces, weight_energy
from chrono_powercontact.scenarios.rake.machine.machine import GRAVITY, Rack, machine
from chrono_powercontact.scenarios.rake.machine.two_link import TwoLink


@pytest.mark.parametrize("version", ["v1", "v2"])
@pytest.mark.parametrize("s", [0.0, 3.6, 7.25])
def test_virtual_work_gives_the_forces_of_moments_over_levers(version, s):
    body = machine(version)
    two = TwoLink(body)
    expected = two.forces(*two.reach(Rack().point(s)), GRAVITY)
    assert holding_forces(body, Rack(), s) == pytest.approx(expected, rel=1e-6)


def test_lifting_the_arms_costs_energy():
    two = TwoLink(machine("v2"))
    low, high = (two.lengths(*two.reach(Rack().point(s))) for s in (0.0, 7.0))
    assert weight_energy(two.machine, high) > weight_energy(two.machine, low)
