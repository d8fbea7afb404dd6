"""A user law of the normal force: the same as the built-in one of the same formula, and refused where it is wrong."""

import dataclasses
import math

import numpy as np
import pytest

from chrono_powercontact.errors import ParameterError
from chrono_powercontact.laws.material import Material
from chrono_powercontact.laws.normal.hertz import Hertz
from chrono_powercontact.laws.normal.normal_law import NormalLaw
from chrono_powercontact.laws.normal.normal_table import normal_force, normal_potential, normal_record, normal_slopes
from chrono_powercontact.laws.normal.user_normal import Definition, normal_law

BUILT_IN = Hertz(0.01, 1e6, 0.3)
DISTANCES = (-0.005, 0.0, 0.0085, 0.0099, 0.01, 0.0101, 0.02)
SPEEDS = (-2.0, -0.01, 0.0, 0.01, 2.0)


def stored(s, p):
    return 0.4 * p.k * max(p.s_0 - s, 0.0) ** 2.5


def derivatives(s, v, p):
    d = max(p.s_0 - s, 0.0)
    return -1.5 * p.k * d**0.5 * (1.0 - p.chi * v), -p.k * p.chi * d**1.5


def hertz(s, v, p):
    return p.k * max(p.s_0 - s, 0.0) ** 1.5 * (1.0 - p.chi * v)


NUMBERS = {"s_0": 0.01, "k": 1e6, "chi": 0.3}
PLAIN = normal_law(hertz)(**NUMBERS)
STORING = normal_law(potential=stored)(hertz)(**NUMBERS)
EXACT = normal_law(potential=stored, slopes=derivatives)(hertz)(**NUMBERS)
LAWS = {"plain": PLAIN, "storing": STORING, "exact": EXACT}

every_law = pytest.mark.parametrize("law", LAWS.values(), ids=LAWS)


@every_law
def test_force_is_that_of_the_built_in_law_of_the_same_formula(law):
    own, built_in = normal_record(law), normal_record(BUILT_IN)
    for s in DISTANCES:
        for v in SPEEDS:
            wanted = pytest.approx(normal_force(built_in, s, v)[0], rel=1e-14, abs=1e-300)
            assert normal_force(own, s, v)[0] == wanted
            assert float(law.force(s, v)) == wanted


@every_law
def test_forces_are_taken_over_arrays(law):
    s, v = np.meshgrid(DISTANCES, SPEEDS)
    assert law.force(s, v).shape == s.shape
    np.testing.assert_allclose(law.force(s, v), BUILT_IN.force(s, v), rtol=1e-14)
    np.testing.assert_allclose(law.force(np.array(DISTANCES), -1.0), BUILT_IN.force(DISTANCES, -1.0), rtol=1e-14)


def test_slopes_that_are_given_are_those_of_the_built_in_law():
    own, built_in = normal_record(EXACT), normal_record(BUILT_IN)
    for s in DISTANCES:
        for v in SPEEDS:
            np.testing.assert_allclose(normal_slopes(own, s, v), normal_slopes(built_in, s, v), rtol=1e-12)


@pytest.mark.parametrize("law", [PLAIN, STORING], ids=["plain", "storing"])
def test_slopes_that_are_not_given_are_differences_of_the_force(law):
    own, built_in = normal_record(law), normal_record(BUILT_IN)
    for s in (-0.005, 0.0, 0.0085, 0.0098, 0.0101, 0.02):
        for v in SPEEDS:
            np.testing.assert_allclose(normal_slopes(own, s, v), normal_slopes(built_in, s, v), rtol=1e-6, atol=1e-4)


def test_potential_and_elastic_part_are_those_of_the_built_in_law():
    own, built_in = normal_record(STORING), normal_record(BUILT_IN)
    for s in DISTANCES:
        assert normal_potential(own, s) == pytest.approx(normal_potential(built_in, s), rel=1e-14)
        assert float(STORING.potential(s)) == pytest.approx(float(BUILT_IN.potential(s)), rel=1e-14)
        elastic = normal_force(own, s, -0.5)[1]
        assert elastic == pytest.approx(normal_force(built_in, s, -0.5)[1], rel=1e-6, abs=1e-4)


def test_without_a_potential_nothing_is_stored_and_none_of_the_force_is_elastic():
    own = normal_record(PLAIN)
    for s in DISTANCES:
        assert normal_potential(own, s) == 0.0
        assert normal_force(own, s, 0.0)[1] == 0.0
    assert not PLAIN.has_potential
    assert STORING.has_potential
    with pytest.raises(
        ParameterError, match=r"law hertz\(.*\) has no potential: pass one with normal_law\(potential=...\)"
    ):
        PLAIN.potential(0.0)


def test_it_is_active_where_it_exerts_a_force():
    own = normal_record(PLAIN)
    assert [normal_force(own, s, 0.0)[2] for s in (0.009, 0.01, 0.011)] == [1.0, 0.0, 0.0]


def test_it_rests_where_it_carries_the_load_as_the_built_in_law_does():
    assert PLAIN.rest_distance(9.81) == pytest.approx(BUILT_IN.rest_distance(9.81), abs=1e-12)


def test_it_is_a_normal_law_for_a_material():
    assert isinstance(PLAIN, NormalLaw)
    assert Material(PLAIN).normal is PLAIN
    assert PLAIN.s_0 == 0.01
    assert PLAIN.reach == 0.0
    assert normal_law(reach=2e-3)(hertz)(**NUMBERS).reach == 2e-3


def test_it_may_be_used_as_a_decorator_with_and_without_arguments():
    @normal_law
    def one(s, v, p):
        return max(p.s_0 - s, 0.0)

    @normal_law(potential=stored)
    def two(s, v, p):
        return p.k * max(p.s_0 - s, 0.0) ** 1.5

    assert isinstance(one, Definition)
    assert one(s_0=0.0).force(-0.25, 0.0) == 0.25
    assert two(s_0=0.0, k=2.0).force(-0.25, 0.0) == 0.25


def test_two_laws_of_one_function_keep_their_own_numbers():
    soft, hard = normal_law(hertz)(s_0=0.0, k=1.0, chi=0.0), normal_law(hertz)(s_0=0.0, k=5.0, chi=0.0)
    records = normal_record(soft), normal_record(hard)
    assert [normal_force(record, -1.0, 0.0)[0] for record in records] == [1.0, 5.0]


def test_it_shows_itself_by_its_name_and_numbers():
    assert repr(PLAIN) == "hertz(k=1e+06, s_0=0.01, chi=0.3)"
    assert PLAIN.name == "hertz"


def test_laws_with_equal_functions_and_numbers_are_equal():
    definition = normal_law(hertz)
    assert definition(**NUMBERS) == definition(**NUMBERS) == PLAIN
    assert hash(definition(**NUMBERS)) == hash(PLAIN)
    assert definition(**{**NUMBERS, "k": 2e6}) != PLAIN
    assert STORING != PLAIN
    assert PLAIN != BUILT_IN
    assert len({definition(**NUMBERS), PLAIN, STORING}) == 2


def test_the_order_in_which_numbers_are_given_does_not_matter():
    law = normal_law(hertz)(chi=0.3, k=1e6, s_0=0.01)
    assert law.force(0.008, -0.4) == PLAIN.force(0.008, -0.4)
    assert law == PLAIN
    assert hash(law) == hash(PLAIN)


def test_it_cannot_be_changed():
    with pytest.raises(dataclasses.FrozenInstanceError):
        PLAIN.s_0 = 1.0


def test_helpers_that_numba_compiles_may_be_called():
    from numba import njit

    @njit
    def depth(s, s_0):
        return max(s_0 - s, 0.0)

    @normal_law
    def helped(s, v, p):
        return p.k * math.sqrt(depth(s, p.s_0))

    assert helped(s_0=0.0, k=2.0).force(-4.0, 0.0) == 4.0


# --- refusals ----------------------------------------------------------------------------------------------------


def test_a_missing_s_0_is_named():
    with pytest.raises(ParameterError) as caught:
        normal_law(hertz)(k=1.0, chi=0.0)
    assert str(caught.value) == "law 'hertz' needs s_0, the distance in m at which the contact begins"


def test_a_missing_number_is_named():
    with pytest.raises(ParameterError) as caught:
        normal_law(hertz)(s_0=0.0, k=1.0)
    assert str(caught.value) == "law 'hertz' needs a value for chi: call hertz(chi=...)"


def test_a_number_that_only_the_potential_reads_is_wanted_too():
    def kept(s, p):
        return p.energy

    with pytest.raises(ParameterError, match="needs a value for energy"):
        normal_law(potential=kept)(hertz)(**NUMBERS)


def test_not_a_number_is_refused():
    with pytest.raises(ParameterError, match=r"^k of law 'hertz' must be a finite number, got nan$"):
        normal_law(hertz)(s_0=0.0, k=math.nan, chi=0.0)


def test_a_law_that_gives_not_a_number_is_refused_with_the_place():
    def rooted(s, v, p):
        return p.k * np.sqrt(p.s_0 - s)

    with pytest.raises(ParameterError) as caught:
        normal_law(rooted)(s_0=0.0, k=1.0)
    assert str(caught.value).startswith("law rooted(k=1, s_0=0) gives nan at s = 0.001 m and v = -1 m/s: ")
    assert str(caught.value).endswith("a law must be finite everywhere")


def test_a_division_by_zero_is_refused_and_ends_nothing():
    def divided(s, v, p):
        return p.k / (p.s_0 - s)

    with pytest.raises(ParameterError, match="gives inf at s = 0 m"):
        normal_law(divided)(s_0=0.0, k=1.0)


def test_a_law_that_does_not_compile_is_named_with_its_line():
    @normal_law
    def wordy(s, v, p):
        return "a lot of force"

    with pytest.raises(ParameterError, match=r"^law 'wordy' must return one number, but 'wordy' at line \d+ of "):
        wordy(s_0=0.0)


def test_slopes_that_are_one_number_are_refused():
    def by_distance(s, v, p):
        return -1.5 * p.k * max(p.s_0 - s, 0.0) ** 0.5

    with pytest.raises(ParameterError, match=r"^the slopes of law 'hertz' must be a pair, .* returns one number$"):
        normal_law(slopes=by_distance)(hertz)(**NUMBERS)


def test_a_number_that_the_law_does_not_use_is_refused():
    with pytest.raises(ParameterError) as caught:
        normal_law(hertz)(**NUMBERS, mu=0.3)
    assert str(caught.value) == "law 'hertz' does not use mu: its numbers are k, s_0, chi"


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: normal_law(lambda s, v: 0.0), r"must take \(s, v, p\), got \(s, v\)"),
        (lambda: normal_law(3.0), r"a normal law must be a Python function of \(s, v, p\), got 3.0"),
        (
            lambda: normal_law(potential=hertz)(hertz),
            r"the potential of a normal law 'hertz' must take \(s, p\), got \(s, v, p\)",
        ),
        (
            lambda: normal_law(slopes=stored)(hertz),
            r"the slopes of a normal law 'stored' must take \(s, v, p\), got \(s, p\)",
        ),
        (lambda: normal_law(reach=-1.0)(hertz), "reach must not be negative, got -1"),
        (
            lambda: normal_law(hertz)(**NUMBERS, **{f"n{i}": 0.0 for i in range(10)}),
            "law 'hertz' may have at most 12 numbers, got 13",
        ),
    ],
)
def test_a_wrong_definition_is_refused(make, message):
    with pytest.raises(ParameterError, match=message):
        make()
