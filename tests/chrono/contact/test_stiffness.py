import warnings
from types import SimpleNamespace

import numpy as np
import pytest
from scene import empty_system, new_body, run

import chrono_powercontact as pc
from chrono_powercontact.chrono.contact.contact_table import material_record
from chrono_powercontact.chrono.contact.records import ELEMENT, MATERIAL, MEMORY, empty
from chrono_powercontact.chrono.contact.stiffness import anchored, longest_step

LAW, RUBBING = pc.Restriction(0.0, -0.001, 400.0, 3.0), pc.Friction(0.5, 0.5, 1e-4)


def records_of(*materials):
    return np.array([material_record(material) for material in materials], MATERIAL)


def one_element(material, load):
    elements = np.array([(0, 0, 1, 0)], ELEMENT)
    memory = empty(MEMORY, 1)
    memory["load"] = load
    return SimpleNamespace(elements=elements, memory=memory, records=records_of(material), laws=[material])


@pytest.mark.parametrize("tau", [0.0, 2e-4])
def test_the_longest_step_is_the_one_at_which_semi_implicit_euler_turns_unstable(tau):
    anchor = pc.Anchor(5e-6, tau)
    found = longest_step(one_element(pc.Material(LAW, RUBBING, anchor), 10.0), np.array([0.5, 0.0]))
    assert found == pytest.approx(pc.stable_anchor_step(RUBBING, 2.0, anchor, 10.0, "euler"), rel=1e-3)


def test_without_an_anchor_or_a_load_any_step_will_do():
    plain, sticking = pc.Material(LAW, RUBBING), pc.Material(LAW, RUBBING, pc.Anchor())
    assert not anchored(records_of(plain))
    assert anchored(records_of(sticking))
    assert longest_step(one_element(sticking, 0.0), np.array([1.0, 0.0])) == np.inf
    assert longest_step(one_element(plain, 10.0), np.array([1.0, 0.0])) == np.inf


def test_among_lasting_contacts_an_anchor_in_an_impact_does_not_count():
    """At 10 N on 1 kg a contact of this presliding moves at about 7 mm/s; ten times as fast is an impact."""
    table = one_element(pc.Material(LAW, RUBBING, pc.Anchor(5e-6)), 10.0)
    inverse = np.array([1.0, 0.0])
    still = longest_step(table, inverse)
    table.memory["speed"] = 1e-5
    assert longest_step(table, inverse, lasting=True) == still
    table.memory["speed"] = -0.07
    assert longest_step(table, inverse) == still
    assert longest_step(table, inverse, lasting=True) == np.inf


def warnings_of_a_dropped_box(height, step):
    """What a box of 1 kg warns of that falls on the ground and is let slide there for half a second."""
    system = empty_system(9.81)
    ground, box = new_body(system, fixed=True), new_body(system, 1.0, (0, 0, 0.052 + height), inertia=(0.01,) * 3)
    material = pc.Material(pc.Restriction(0.002, 0.001, 400.0, 3.0), pc.Friction(0.5, 0.6, 5e-5, 1e-4), pc.Anchor())
    pc.attach(system, stepping="explicit").add(pc.Box(box, 0.1, 0.002), pc.Plane(ground), material)
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        run(system, 0.5, step)
    return [str(warning.message) for warning in caught]


@pytest.mark.chrono
@pytest.mark.parametrize("height", [0.0, 0.15])
def test_a_far_too_long_step_is_named_though_it_throws_the_box_into_the_air(height):
    (told,) = warnings_of_a_dropped_box(height, 0.01)
    assert "too stiff for the step of 0.01 s" in told


@pytest.mark.chrono
def test_a_step_that_suits_the_weight_is_not_blamed_for_an_impact():
    assert warnings_of_a_dropped_box(0.01, 2e-4) == []


@pytest.mark.chrono
@pytest.mark.parametrize(("presliding", "warns"), [(1e-8, True), (5e-6, False)])
def test_an_anchor_too_stiff_for_the_step_is_named_once_with_the_limit(presliding, warns):
    system = empty_system(9.81)
    ground, block = new_body(system, fixed=True), new_body(system, 1.0, (0, 0, 0.1), inertia=(9, 9, 9))
    material = pc.Material(LAW, RUBBING, pc.Anchor(presliding, 0.0))
    pc.attach(system, stepping="explicit").add(pc.Points(block, [(0, 0, 0)], 0.1), pc.Plane(ground), material)
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        run(system, 0.05, 1e-4)
    told = [str(warning.message) for warning in caught if "too stiff for the step of 0.0001 s" in str(warning.message)]
    assert len(told) == int(warns)
    if warns:
        assert "use a step of at most" in told[0]
