import math
import types

import numpy as np
import pytest
from user_functions import plain, repeated, spring

from chrono_powercontact.errors import ParameterError
from chrono_powercontact.laws.law_reading import attributes_read, explained, parameter_uses, passes_on
from chrono_powercontact.laws.user_law import entry


def through_a_module(s, v, p):
    return np.tanh(s / p.width) + math.pi


def by_key(s, v, p):
    depth = p.s_0 - s
    return p["k"] * depth


def by_number(s, v, p):
    return p[0] * s


def from_a_table(s, v, p):
    return TABLE[p.row]


def handed_on(s, v, p):
    return spring(s, v, p)


def renamed(s, v, p):
    q = p
    return q.k * s


def enclosed(s, v, p):
    def stiff():
        return p.k

    return stiff() * s


TABLE = np.array([0.0, 1.0])


def test_the_numbers_that_a_function_reads_are_found_in_the_order_of_their_use():
    assert attributes_read(spring) == ["k", "s_0", "c"]
    assert attributes_read(repeated) == ["b", "a"]


def test_attributes_of_other_things_are_not_numbers_of_the_law():
    assert attributes_read(plain) == []
    assert attributes_read(through_a_module) == ["width"]


def test_the_last_argument_may_have_any_name():
    def soft(s, v, numbers):
        return numbers.k * s

    assert attributes_read(soft) == ["k"]


def test_numbers_that_are_read_by_key_or_index_are_found_with_their_line():
    first = by_key.__code__.co_firstlineno
    assert parameter_uses(by_key) == [(first + 1, "s_0", None), (first + 2, None, "'k'")]
    assert [use.item for use in parameter_uses(by_number)] == ["0"]
    assert [use.item for use in parameter_uses(from_a_table)] == [None]


@pytest.mark.parametrize("function", [handed_on, renamed, enclosed])
def test_parameters_that_are_passed_on_may_be_read_elsewhere(function):
    assert passes_on(function)


@pytest.mark.parametrize("function", [spring, plain, through_a_module, from_a_table])
def test_parameters_that_are_only_read_are_not_passed_on(function):
    assert not passes_on(function)


def halved(depth):
    return 0.5 * depth


TOOLS = types.ModuleType("tools")
TOOLS.halved = halved


def with_a_helper(s, v, p):
    depth = max(p.s_0 - s, 0.0)
    return halved(depth)


def with_a_helper_of_a_module(s, v, p):
    depth = max(p.s_0 - s, 0.0)
    return TOOLS.halved(depth)


@pytest.mark.parametrize("function", [with_a_helper, with_a_helper_of_a_module])
def test_a_helper_that_is_not_compiled_is_named_with_the_line_that_calls_it(function):
    with pytest.raises(ParameterError) as caught:
        entry(function, "soft", ("s_0",), "a, b, p")
    place = f"line {function.__code__.co_firstlineno + 2} of {__file__}"
    assert str(caught.value) == (
        f"law 'soft' calls 'halved' at {place}, which is not compiled: decorate 'halved' with numba.njit"
    )


def test_an_enclosed_helper_is_named_too():
    def third(depth):
        return depth / 3.0

    def soft(s, v, p):
        return third(p.s_0 - s)

    with pytest.raises(ParameterError, match=r"^law 'soft' calls 'third' at line \d+ of .*: decorate 'third' with"):
        entry(soft, "soft", ("s_0",), "a, b, p")


def test_another_reason_is_taken_from_the_report():
    report = "Failed in nopython mode\nCannot multiply apples.\n"
    code = spring.__code__
    line = f"line {code.co_firstlineno} of {code.co_filename}"
    assert explained("spring", spring, report) == f"law 'spring' does not compile, at {line}: Cannot multiply apples"
