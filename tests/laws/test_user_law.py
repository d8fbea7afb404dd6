import functools
import math

import numpy as np
import pytest

import chrono_powercontact as pc
from chrono_powercontact.errors import ParameterError
from chrono_powercontact.laws.function_pointer import MOST_NUMBERS
from chrono_powercontact.laws.user_law import attributes_read, check_function, checked_numbers, entry


def spring(s, v, p):
    return p.k * max(p.s_0 - s, 0.0) - p.c * v


def repeated(s, v, p):
    return p.b * s + p.a * v + p.b


def plain(s, v, p):
    return s + v


def through_a_module(s, v, p):
    return np.tanh(s / p.width) + math.pi


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


def test_numbers_come_back_by_name_as_floats():
    assert checked_numbers("spring", (spring, None), {"k": 5, "s_0": 0, "c": 1}) == (
        ("k", 5.0),
        ("s_0", 0.0),
        ("c", 1.0),
    )


def test_numbers_come_in_the_order_of_their_use_however_they_are_given():
    numbers = checked_numbers("repeated", (repeated,), {"z": 1.0, "a": 2.0, "y": 3.0, "b": 4.0})
    assert numbers == (("b", 4.0), ("a", 2.0), ("y", 3.0), ("z", 1.0))


def test_numbers_that_no_function_reads_are_allowed():
    assert checked_numbers("plain", (plain,), {"s_0": 1.0}) == (("s_0", 1.0),)


@pytest.mark.parametrize(
    ("numbers", "message"),
    [
        ({"s_0": 0.0, "c": 1.0}, "law 'spring' needs a value for k: call spring(k=...)"),
        ({"s_0": 0.0}, "law 'spring' needs a value for k, c: call spring(k=..., c=...)"),
        ({"s_0": 0.0, "k": math.nan, "c": 0.0}, "k of law 'spring' must be a finite number, got nan"),
        ({"s_0": 0.0, "k": math.inf, "c": 0.0}, "k of law 'spring' must be a finite number, got inf"),
        ({"s_0": 0.0, "k": "stiff", "c": 0.0}, "k of law 'spring' must be a number, got 'stiff'"),
        ({"s_0": 0.0, "k": 1.0, "c": 0.0, "_x": 0.0}, "a number of law 'spring' must begin with a letter, got '_x'"),
    ],
)
def test_bad_numbers_are_refused_by_name_and_value(numbers, message):
    with pytest.raises(ParameterError) as caught:
        checked_numbers("spring", (spring,), numbers)
    assert str(caught.value) == message


def test_numbers_of_every_function_are_wanted():
    with pytest.raises(ParameterError, match="needs a value for b, a: call spring"):
        checked_numbers("spring", (spring, None, repeated), {"s_0": 0.0, "k": 1.0, "c": 0.0})


def test_more_numbers_than_a_record_holds_are_refused():
    many = {f"n{i}": float(i) for i in range(MOST_NUMBERS + 1)}
    with pytest.raises(ParameterError, match="law 'plain' may have at most 12 numbers, got 13"):
        checked_numbers("plain", (plain,), many)


@pytest.mark.parametrize(
    ("function", "message"),
    [
        (lambda s, v: 0.0, r"a normal law '<lambda>' must take \(s, v, p\), got \(s, v\)"),
        (lambda a, b, c, d: 0.0, r"must take \(s, v, p\), got \(a, b, c, d\)"),
        (3.0, r"a normal law must be a Python function of \(s, v, p\), got 3.0"),
        (np.tanh, r"a normal law must be a Python function of \(s, v, p\), got <ufunc 'tanh'>"),
        (functools.partial(spring, 0.0), "a normal law must be a Python function"),
    ],
)
def test_something_else_than_a_function_of_that_many_arguments_is_refused(function, message):
    with pytest.raises(ParameterError, match=message):
        check_function("a normal law", function, "(s, v, p)")


def test_a_function_is_compiled_once_for_a_set_of_numbers():
    one = entry(spring, "spring", ("s_0", "k", "c"), "a, b, p")
    assert entry(spring, "spring", ("s_0", "k", "c"), "a, b, p") is one
    assert entry(spring, "spring", ("k", "s_0", "c"), "a, b, p") is not one
    assert one.address != 0


def uncompilable(s, v, p):
    d = p.s_0 - s
    return open(d)


def unknown_name(s, v, p):
    d = p.s_0 - s

    return d * not_there(v)  # noqa: F821


def unknown_number(s, v, p):
    q = p
    return q.hidden * s


@pytest.mark.parametrize(("function", "line"), [(uncompilable, 2), (unknown_name, 3), (unknown_number, 2)])
def test_a_function_that_does_not_compile_is_explained_with_law_line_and_file(function, line):
    with pytest.raises(ParameterError) as caught:
        entry(function, function.__name__, ("s_0",), "a, b, p")
    place = f"at line {function.__code__.co_firstlineno + line} of {__file__}: "
    assert str(caught.value).startswith(f"law {function.__name__!r} does not compile, {place}")
    assert "\n" not in str(caught.value)
    assert caught.value.__cause__ is None


def test_a_function_that_returns_something_else_than_a_number_is_explained():
    def wordy(s, v, p):
        return "a lot"

    with pytest.raises(ParameterError, match=r"^law 'wordy' does not compile, at line \d+ of .*: Cannot unify"):
        entry(wordy, "wordy", ("s_0",), "a, b, p")


def test_the_line_is_right_at_the_top_of_a_file_too(tmp_path):
    """The text in which numba calls a law has lines of its own, which must not be taken for the law's."""
    script = tmp_path / "top.py"
    script.write_text("def top(s, v, p):\n    return p.hidden.more\n")
    space = {}
    exec(compile(script.read_text(), str(script), "exec"), space)
    with pytest.raises(ParameterError, match=r"^law 'top' does not compile, at line 2 of .*top\.py: "):
        entry(space["top"], "top", ("hidden",), "a, b, p")


def test_a_path_without_a_result_is_refused():
    def half(s, v, p):  # noqa: RET503
        if s < p.s_0:
            return p.k * (p.s_0 - s)

    with pytest.raises(ParameterError, match="law 'half' returns nothing on some path"):
        pc.normal_law(half)(s_0=0.0, k=1.0)


def test_an_index_out_of_range_gives_no_number_and_ends_nothing():
    table = np.array([0.0, 10.0, 20.0])

    @pc.normal_law
    def lookup(s, v, p):
        return table[int(1000.0 * max(p.s_0 - s, 0.0))]

    law = lookup(s_0=0.0)
    assert float(law.force(-1.5e-3, 0.0)) == 10.0
    assert np.isnan(law.force(-1.0, 0.0))
    assert not pc.check_law(law).sound


def test_parameters_without_names_are_refused():
    @pc.normal_law
    def plain(s, v, p):
        return p.k * max(p.s_0 - s, 0.0)

    with pytest.raises(ParameterError, match="by name"):
        plain(0.0, 1.0)


def test_a_law_that_acts_beyond_its_reach_is_refused():
    @pc.normal_law
    def sticky(s, v, p):
        return p.k * (p.s_0 - s)

    with pytest.raises(ParameterError, match=r"beyond s_0 and its reach of 0 m"):
        sticky(s_0=0.0, k=1e4)


def test_friction_behind_an_anchor_must_be_proportional_to_the_normal_force():
    @pc.friction_law
    def adhesive(v, n, p):
        return p.mu * np.sqrt(n) * np.tanh(v / 1e-3)

    with pytest.raises(ParameterError, match="proportional to the normal force"):
        pc.Material(pc.Hooke(0.0, 1e5), adhesive(mu=0.3), pc.Anchor())


def test_a_function_that_was_not_called_is_told_so():
    @pc.normal_law
    def uncalled(s, v, p):
        return p.k * max(p.s_0 - s, 0.0)

    with pytest.raises(ParameterError, match="call it with its parameters first"):
        pc.Material(uncalled)
