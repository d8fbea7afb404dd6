"""The explicit limit against the design functions of the laws."""

import math
from types import SimpleNamespace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import chrono_powercontact as pc
from chrono_powercontact.chrono.contact.contact_table import material_record
from chrono_powercontact.chrono.contact.records import ELEMENT, MATERIAL
from chrono_powercontact.chrono.implicit.choosing.choice import (
    AT_A_CORNER,
    CLOSING,
    MODES,
    ON_CORNERS,
    anchor_limit,
    check_mode,
    explicit_limit,
    friction_limit,
    law_limit,
    lightest,
    longest_explicit,
)
from chrono_powercontact.errors import UnknownNameError
from chrono_powercontact.laws.design import stable_anchor_step, stable_contact_step

GRAVITY = 9.81
RUBBING = pc.Friction(0.5, 0.5, 1e-3)
POSITIVE = st.floats(-3.0, 3.0).map(lambda power: 10.0**power)


def grows(h, k, c, mass):
    """Whether semi-implicit Euler with forces at the start of the step grows."""
    step = np.array([[1.0 - h * c / mass, -h * k / mass], [h * (1.0 - h * c / mass), 1.0 - h * h * k / mass]])
    return np.abs(np.linalg.eigvals(step)).max() > 1.0 + 1e-9


@given(st.floats(0.0, 6.0).map(lambda p: 10.0**p), st.floats(0.0, 1e3), POSITIVE)
@settings(max_examples=200)
def test_the_limit_is_where_semi_implicit_euler_turns_unstable(k, c, mass):
    h = longest_explicit(k, c, mass)
    assert not grows(0.999 * h, k, c, mass)
    assert grows(1.001 * h, k, c, mass)


@pytest.mark.parametrize("k", [0.0, 1e-30, 1e-12, 1e-6])
def test_without_stiffness_damping_limits_and_without_both_nothing_does(k):
    assert longest_explicit(k, 4.0, 1.0) == pytest.approx(0.5)
    assert longest_explicit(0.0, 0.0, 1.0) == math.inf


@given(st.floats(-4.5, -2.5).map(lambda p: 10.0**p), st.floats(10.0, 1e4), st.floats(0.01, 5.0), st.floats(0.01, 10.0))
@settings(max_examples=12)
def test_the_limit_of_a_restriction_is_about_the_designed_step(width, r_f, r_d, mass):
    """The design takes the slopes in fast compression, twice as steep; here damping counts at rest."""
    law = pc.Restriction(0.0, -width, r_f, r_d)
    designed = stable_contact_step(law, mass, "euler")
    assert 0.5 * designed <= law_limit(law, mass, math.inf) <= 2.0 * designed


def test_stiffer_laws_and_lighter_bodies_need_shorter_steps():
    softer = [law_limit(pc.Restriction(0.0, -1e-4, r_f, 1.0), 1.0, GRAVITY) for r_f in (1e4, 1e3, 1e2)]
    heavier = [law_limit(pc.Restriction(0.0, -1e-4, 1e3, 1.0), mass, GRAVITY) for mass in (0.01, 0.1, 1.0)]
    assert softer == sorted(softer)
    assert heavier == sorted(heavier)
    assert softer[1] == pytest.approx(softer[0] * math.sqrt(10.0), rel=0.3)


def test_a_heavier_load_counts_more_damping():
    law = pc.Restriction(0.0, -1e-3, 1e3, 5.0)
    limits = [law_limit(law, 0.1, weight) for weight in (0.0, 1.0, 10.0, 1e3)]
    assert limits == sorted(limits, reverse=True)
    assert limits[-1] < 0.9 * limits[0]


@pytest.mark.parametrize(("presliding", "tau"), [(5e-6, 0.0), (1e-4, 2e-4), (1e-3, 0.0)])
@pytest.mark.parametrize("mass", [0.01, 1.0, 100.0])
def test_an_anchor_under_the_weight_has_the_designed_limit_whatever_the_mass(presliding, tau, mass):
    anchor = pc.Anchor(presliding, tau)
    record = material_record(pc.Material(pc.Restriction(0.0, -1e-4, 200.0, 2.0), RUBBING, anchor))
    designed = stable_anchor_step(RUBBING, AT_A_CORNER * mass, anchor, mass * GRAVITY, "euler")
    assert anchor_limit(record, GRAVITY) == pytest.approx(designed, rel=1e-3)


def test_without_an_anchor_or_gravity_no_limit_is_known():
    law = pc.Restriction(0.0, -1e-4, 200.0, 2.0)
    assert anchor_limit(material_record(pc.Material(law, RUBBING)), GRAVITY) == math.inf
    assert anchor_limit(material_record(pc.Material(law, RUBBING, pc.Anchor())), 0.0) == math.inf


def growth(c, mass, t_f, h):
    """Growth per explicit step of a mass under friction of c N per m/s behind a filter."""
    through = 1.0 - math.exp(-h / t_f) if t_f > 0.0 else 1.0
    force = np.array([through * c, 1.0 - through])
    speed = np.array([1.0, 0.0]) - h / mass * force
    return np.abs(np.linalg.eigvals([speed, force])).max()


@given(st.floats(1e-4, 1e-1), st.one_of(st.just(0.0), st.floats(1e-4, 1e-2)))
@settings(max_examples=40)
def test_friction_under_the_weight_is_stable_up_to_its_limit(v_c, t_f):
    law = pc.Friction(0.5, 0.5, v_c)
    memory = pc.LPVFilter(t_f, 1e-3) if t_f else None
    limit = friction_limit(material_record(pc.Material(pc.Restriction(0.0, -1e-4, 200.0, 2.0), law, memory)), GRAVITY)
    c = GRAVITY * float(law.force(1e-9, 1.0)) / 1e-9
    open_limit = limit / CLOSING if t_f else limit
    assert growth(c, AT_A_CORNER, t_f, 0.98 * open_limit) < 1.0 + 1e-9
    if not t_f:
        assert growth(c, AT_A_CORNER, t_f, 1.02 * limit) > 1.0


def test_no_friction_and_anchors_have_no_limit_of_friction():
    law = pc.Restriction(0.0, -1e-4, 200.0, 2.0)
    for material in (pc.Material(law), pc.Material(law, RUBBING, pc.Anchor())):
        assert friction_limit(material_record(material), GRAVITY) == math.inf
    assert friction_limit(material_record(pc.Material(law, RUBBING)), 0.0) == math.inf


def table_of(elements, *materials):
    records = np.array([material_record(material) for material in materials], MATERIAL)
    return SimpleNamespace(elements=np.array(elements, ELEMENT), records=records, laws=list(materials))


def test_the_lightest_pair_of_each_material_counts():
    elements = np.array([(0, 0, 1, 0), (0, 1, 2, 0), (0, 0, 2, 1)], ELEMENT)
    inverse = np.array([0.0, 1.0, 4.0])
    found = {material: borne.effective for material, borne in lightest(elements, inverse).items()}
    assert found == {0: AT_A_CORNER / 5.0, 1: AT_A_CORNER / 4.0}


@given(st.floats(0.1, 10.0), st.floats(0.1, 10.0))
def test_no_block_on_four_corners_is_stiffer_than_the_limit_allows_for(flatness, width):
    """Stiffness over inertia of sinking and of rocking about both axes, for corners of unit stiffness and unit mass."""
    elements = np.zeros(4, ELEMENT)
    elements["b"] = 1
    borne = lightest(elements, np.array([0.0, 1.0]))[0]
    assert borne == (ON_CORNERS, 1.0)
    rocking = [4.0 * (0.5 * length) ** 2 / ((length**2 + flatness**2) / 12.0) for length in (1.0, width)]
    assert max(4.0, *rocking) <= 1.0 / borne.effective


def test_the_strictest_law_of_all_tables_counts_and_a_table_without_elements_too():
    soft, hard = (pc.Material(pc.Restriction(0.0, -1e-4, r_f, 1.0)) for r_f in (1e2, 1e4))
    inverse = np.array([0.0, 1.0])
    one, other = table_of([(0, 1, 0, 0)], soft), table_of([(0, 1, 0, 0)], hard)
    none = table_of([], hard)
    alone = explicit_limit([one], inverse, GRAVITY)
    assert alone == law_limit(soft.normal, AT_A_CORNER, GRAVITY)
    assert explicit_limit([one, other], inverse, GRAVITY) == explicit_limit([other], inverse, GRAVITY) < alone
    assert explicit_limit([one, none], inverse, GRAVITY) < alone
    assert explicit_limit([], inverse, GRAVITY) == math.inf


def test_a_material_without_contacts_counts_for_the_bodies_it_was_made_for():
    """A law for a tonne says nothing about the gram that is also in the scene."""
    heavy = pc.Material(pc.Restriction(0.0, -0.001, 4e5, 3.0))
    inverse = np.array([1e3, 1e-3, 0.0])
    table = SimpleNamespace(
        elements=np.zeros(0, ELEMENT), records=np.array([material_record(heavy)], MATERIAL), laws=[heavy],
    )  # fmt: skip
    unknown = explicit_limit([table], inverse, GRAVITY)
    table.masses = np.array([1e3])
    assert explicit_limit([table], inverse, GRAVITY) == law_limit(heavy.normal, 41.7, GRAVITY * 500.0) > unknown


@pytest.mark.parametrize("wrong", ["impliciit", "Implicit", "euler", ""])
def test_a_wrong_name_is_told_in_one_sentence(wrong):
    with pytest.raises(UnknownNameError) as told:
        check_mode(wrong)
    assert str(told.value).startswith(f"unknown stepping {wrong!r}: ")
    assert str(told.value).endswith("allowed: auto, explicit, implicit")
    assert "\n" not in str(told.value)


def test_right_names_pass():
    assert [check_mode(mode) for mode in MODES] == list(MODES)
