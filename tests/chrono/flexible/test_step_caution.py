"""Steps of a linearised integrator that are too long for a law of small restitution."""

import math
import warnings

import pytest

import chrono_powercontact as pc
from chrono_powercontact.chrono.flexible.step_caution import longest_step
from tests.support.flexible_scenes import add_mass, need_fea, new_system, soft, use_hht


def law_of(restitution):
    return pc.design_restriction(
        s_0=0.0, mass=1.0, speed=0.1, restitution=restitution, penetration=1e-3, force_limit=100.0
    )


def test_the_limit_falls_with_the_dissipation_and_with_gravity():
    weak, strong = (longest_step([law_of(e)], 9.81) for e in (0.6, 0.1))
    assert strong < 0.1 * weak
    assert longest_step([law_of(0.1)], 2 * 9.81) == pytest.approx(0.5 * strong)
    assert longest_step([law_of(0.6), law_of(0.1)], 9.81) == strong


def test_laws_that_do_not_let_go_have_no_limit():
    assert longest_step([pc.Hooke(0.0, 1e5, 10.0)], 9.81) == math.inf
    assert longest_step([law_of(0.1)], 0.0) == math.inf
    assert longest_step([], 9.81) == math.inf


def resting(h, law, hht=False):
    """Force on a mass of 1 kg after 2 s."""
    need_fea()
    system, ground = new_system()
    node = add_mass(system, (0.0, 0.0, 0.05))
    if hht:
        use_hht(system)
    contact = pc.attach(system).add_nodes([node], pc.Plane(ground), pc.Material(law), radius=0.05)
    for _ in range(round(2.0 / h)):
        system.DoStepDynamics(h)
    return contact.node_forces()[0, 2]


@pytest.mark.chrono
@pytest.mark.parametrize("restitution", [0.1, 0.3, 0.6])
def test_a_mass_rests_at_a_step_below_the_limit(restitution):
    law = law_of(restitution)
    h = min(0.95 * longest_step([law], 9.81), 0.02)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert resting(h, law) == pytest.approx(9.81, rel=1e-6)


@pytest.mark.chrono
def test_a_step_beyond_the_limit_is_warned_of_once():
    need_fea()
    with pytest.warns(UserWarning, match=r"the step of 0\.005 s is too long for the contacts of nodes") as told:
        resting(5e-3, soft())
    assert len(told) == 1
    assert "use a step of at most 0.0017 s" in str(told[0].message)


@pytest.mark.chrono
def test_integrators_that_iterate_are_not_warned_of():
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        resting(5e-3, soft(), hht=True)
