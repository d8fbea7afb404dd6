import math

import numpy as np
import pytest

from chrono_powercontact.errors import ParameterError
from chrono_powercontact.laws.normal.hertz import Hertz, hertz_force
from chrono_powercontact.laws.normal.hooke import Hooke, hooke_force
from chrono_powercontact.laws.normal.indentation import Indentation, indentation_force
from chrono_powercontact.laws.normal.normal_table import (
    FAMILIES,
    HERTZ,
    HOOKE,
    INDENTATION,
    NORMAL,
    RESTRICTION,
    SLOTS,
    USER,
    normal_force,
    normal_potential,
    normal_record,
    normal_slopes,
)
from chrono_powercontact.laws.normal.restriction import Barrier, Restriction, RestrictionLaw, RigidRestriction
from chrono_powercontact.laws.normal.user_normal import UserNormal, normal_law

LAWS = {
    "elastic": Restriction(0.010, 0.009, 200.0, 0.0),
    "viscoelastic": Restriction(0.010, 0.009, 200.0, 0.7),
    "plastic": Restriction(0.010, 0.009, 200.0, math.inf),
    "rigid": RigidRestriction(0.010, 20.0, 5.9),
    "wall": Barrier(0.010, 0.009, 200.0, 0.7, thickness=0.01, s_c_back=0.002),
    "hooke": Hooke(0.010, 1e4, 5.0),
    "hertz": Hertz(0.010, 1e6, 0.3),
    "strip": Indentation(0.010, 1e4, 5e4),
    "bulge": Indentation(0.010, 1e5, 5e4, 1.5, 1.3, 2.0),
}
RESTRICTIONS = ["elastic", "viscoelastic", "plastic", "rigid", "wall"]

every_law = pytest.mark.parametrize("law", LAWS.values(), ids=LAWS)


def readable(record):
    """A record whose fields are attributes, as the Python text of a kernel reads them."""
    return np.array([record]).view(np.recarray)[0]


@every_law
def test_record_gives_the_force_and_energy_of_the_law(law):
    record = normal_record(law)
    assert record.dtype == NORMAL
    for s in (-0.005, 0.0, 0.002, 0.0088, 0.0095, 0.0099, 0.0101, 0.013):
        for v in (-2.0, -0.01, 0.0, 0.01, 2.0):
            force, elastic, _ = normal_force(record, s, v)
            assert force == pytest.approx(float(law.force(s, v)), rel=1e-12, abs=1e-12)
            assert elastic == pytest.approx(float(law.force(s, 0.0)), rel=1e-12, abs=1e-12)
        assert normal_potential(record, s) == pytest.approx(float(law.potential(s)), rel=1e-12, abs=1e-15)


@every_law
def test_record_holds_the_numbers_of_the_law_by_name_and_infinity_as_a_number(law):
    record = normal_record(law)
    slot = record[law.family]
    assert SLOTS[record["kind"]] == law.family
    assert slot.dtype.names == law.fields
    for name in law.fields:
        assert slot[name] == min(getattr(law, name), 1e300)


@pytest.mark.parametrize("name", RESTRICTIONS)
def test_record_gives_the_activation_of_a_restriction(name):
    law = LAWS[name]
    record = normal_record(law)
    for s in (-0.005, 0.002, 0.0088, 0.0095, 0.0101, 0.02):
        assert normal_force(record, s, -0.3)[2] == pytest.approx(float(law.activation(s)), rel=1e-12, abs=1e-15)


@pytest.mark.parametrize("name", ["hooke", "hertz", "strip", "bulge"])
def test_springs_are_active_where_they_touch(name):
    record = normal_record(LAWS[name])
    assert [normal_force(record, s, 0.0)[2] for s in (0.009, 0.010, 0.011)] == [1.0, 0.0, 0.0]


@every_law
def test_compiled_normal_force_equals_its_python_text(law):
    record = normal_record(law)
    for s, v in ((0.0085, -1.0), (0.0097, 0.5), (0.02, 0.0)):
        wanted = normal_force.py_func(readable(record), s, v)
        np.testing.assert_allclose(normal_force(record, s, v), wanted, rtol=1e-12, atol=1e-12)


@pytest.mark.parametrize("name", ["viscoelastic", "wall", "hooke", "hertz", "strip", "bulge"])
def test_slopes_are_those_of_the_force(name):
    record, h = normal_record(LAWS[name]), 1e-8
    for s in (0.0085, 0.0093, 0.0101):
        for v in (-0.4, 0.02):
            by_s = (normal_force(record, s + h, v)[0] - normal_force(record, s - h, v)[0]) / (2.0 * h)
            by_v = (normal_force(record, s, v + h)[0] - normal_force(record, s, v - h)[0]) / (2.0 * h)
            np.testing.assert_allclose(normal_slopes(record, s, v), (by_s, by_v), rtol=1e-4, atol=1e-3)


@every_law
def test_every_built_in_family_is_finite_in_all_three_kernels(law):
    record = normal_record(law)
    for s in (-1.0, 0.0, 0.0085, 0.0095, 0.010, 0.0101, 1.0):
        for v in (-3.0, -1e-9, 0.0, 1e-9, 3.0):
            assert np.isfinite(normal_force(record, s, v)).all()
            assert np.isfinite(normal_slopes(record, s, v)).all()
        assert np.isfinite(normal_potential(record, s))


def test_every_family_has_a_slot_and_is_tried_here():
    assert {law.family for law in FAMILIES} == {law.family for law in LAWS.values()}
    assert (*(law.family for law in FAMILIES), UserNormal.family) == SLOTS


def test_kinds_are_in_the_order_of_the_slots():
    kinds = {
        RestrictionLaw.family: RESTRICTION,
        Hooke.family: HOOKE,
        Hertz.family: HERTZ,
        Indentation.family: INDENTATION,
        UserNormal.family: USER,
    }
    assert sorted(kinds, key=kinds.__getitem__) == list(SLOTS)
    assert list(NORMAL.names) == ["kind", *SLOTS]


@pytest.mark.parametrize(
    ("law", "kernel"),
    [
        (LAWS["hooke"], hooke_force),
        (LAWS["hertz"], hertz_force),
        (LAWS["strip"], indentation_force),
    ],
)
def test_a_kind_selects_the_kernel_of_its_family(law, kernel):
    assert normal_force(normal_record(law), 0.0095, -0.1)[0] == kernel.py_func(0.0095, -0.1, law)


@pytest.mark.parametrize("kind", [-1, len(SLOTS), 99])
@every_law
def test_an_unknown_kind_is_not_a_number_rather_than_some_law(law, kind):
    record = normal_record(law)
    record["kind"] = kind
    for s in (0.0085, 0.0101):
        assert np.isnan(normal_force(record, s, -0.1)).all()
        assert np.isnan(normal_potential(record, s))
        assert np.isnan(normal_slopes(record, s, -0.1)).all()


def test_a_law_of_an_unknown_family_is_refused_with_the_known_ones():
    class Stray(Hooke):
        family = "stray"

    with pytest.raises(ParameterError, match="is of no known family 'stray': allowed: restriction, hooke, hertz"):
        normal_record(Stray(0.0, 1.0))


def test_records_of_one_law_are_equal_and_independent():
    one, two = normal_record(LAWS["hooke"]), normal_record(LAWS["hooke"])
    assert one == two
    one["hooke"]["k"] = 1.0
    assert two["hooke"]["k"] == 1e4


def test_a_law_of_the_users_own_has_its_addresses_and_numbers_in_the_record():
    def spring(s, v, p):
        return p.k * max(p.s_0 - s, 0.0)

    record = normal_record(normal_law(spring)(s_0=0.01, k=500.0))
    assert SLOTS[record["kind"]] == "user"
    assert record["user"]["force"] != 0
    assert [record["user"][name] for name in ("potential", "slopes", "slopes_by_speed")] == [0, 0, 0]
    np.testing.assert_array_equal(record["user"]["numbers"][:3], (500.0, 0.01, 0.0))
