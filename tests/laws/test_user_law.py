import functools
import inspect
import math
import pydoc

import numpy as np
import pytest
from user_functions import plain, repeated, spring

import chrono_powercontact as pc
from chrono_powercontact.errors import ParameterError
from chrono_powercontact.laws.function_pointer import MOST_NUMBERS
from chrono_powercontact.laws.user_law import check_function, checked_numbers, entry


def test_numbers_come_back_by_name_as_floats():
    assert checked_numbers("spring", (spring, None), {"k": 5, "s_0": 0, "c": 1}) == (
        ("k", 5.0),
        ("s_0", 0.0),
        ("c", 1.0),
    )


def passing_on(s, v, p):
    return repeated(s, v, p)


def test_numbers_come_in_the_order_of_their_use_however_they_are_given():
    numbers = checked_numbers("repeated", (repeated, passing_on), {"z": 1.0, "a": 2.0, "y": 3.0, "b": 4.0})
    assert numbers == (("b", 4.0), ("a", 2.0), ("y", 3.0), ("z", 1.0))


def test_a_number_that_no_function_reads_is_refused_unless_it_always_belongs_to_the_law():
    assert checked_numbers("plain", (plain,), {"s_0": 1.0}, always=("s_0",)) == (("s_0", 1.0),)
    with pytest.raises(ParameterError) as caught:
        checked_numbers("repeated", (repeated,), {"a": 1.0, "b": 2.0, "z": 3.0, "y": 4.0}, always=("s_0",))
    assert str(caught.value) == "law 'repeated' does not use y, z: its numbers are b, a, s_0"


def by_key(s, v, p):
    return p["k"] * s


def by_index(s, v, numbers):
    return numbers[0] * s


@pytest.mark.parametrize(
    ("function", "read", "write"), [(by_key, "p['k']", "p.k"), (by_index, "numbers[0]", "numbers.k")]
)
def test_numbers_read_by_key_are_refused_with_the_line(function, read, write):
    with pytest.raises(ParameterError) as caught:
        checked_numbers("soft", (spring, function), {"s_0": 0.0, "k": 1.0, "c": 0.0})
    line = f"line {function.__code__.co_firstlineno + 1} of {__file__}"
    wanted = f"law 'soft' reads {read} at {line}: write {write}, because the numbers of a law are attributes of "
    assert str(caught.value).startswith(wanted)


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


def wordy(s, v, p):
    return "a lot"


def double(s, v, p):
    return s, v


def silent(s, v, p):
    p.s_0 + s


@pytest.mark.parametrize(("function", "got"), [(wordy, "a text"), (double, "a tuple of 2"), (silent, "nothing")])
def test_a_function_that_returns_something_else_than_a_number_is_explained(function, got):
    with pytest.raises(ParameterError) as caught:
        entry(function, "soft", ("s_0",), "a, b, p")
    where = f"{function.__name__!r} at line {function.__code__.co_firstlineno} of {__file__}"
    assert str(caught.value) == f"law 'soft' must return one number, but {where} returns {got}"


def single(s, v, p):
    return -p.k


def triple(s, v, p):
    return -p.k, 0.0, 0.0


@pytest.mark.parametrize(("function", "got"), [(single, "one number"), (triple, "a tuple of 3")])
def test_slopes_that_are_no_pair_are_explained(function, got):
    with pytest.raises(ParameterError) as caught:
        entry(function, "soft", ("k",), "a, b, p", "[0]")
    where = f"{function.__name__!r} at line {function.__code__.co_firstlineno} of {__file__}"
    assert str(caught.value) == (
        "the slopes of law 'soft' must be a pair, the derivatives of the force by s and by v, "
        f"but {where} returns {got}"
    )


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

    with pytest.raises(ParameterError) as caught:
        plain(0.0, 1.0)
    assert str(caught.value) == "give the parameters of law 'plain' by name, plain(s_0=..., k=...), got (0.0, 1.0)"


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

    with pytest.raises(ParameterError, match=r"call it with its parameters first, uncalled\(s_0=\.\.\., k=\.\.\.\)$"):
        pc.Material(uncalled)


def test_help_shows_the_docstring_and_the_numbers_of_the_user():
    @pc.normal_law
    def hunt_crossley(s, v, p):
        """Hunt and Crossley: k in N/m^1.5, c in s/m."""
        return p.k * max(p.s_0 - s, 0.0) ** 1.5 * max(1.0 - p.c * v, 0.0)

    text = pydoc.render_doc(hunt_crossley, renderer=pydoc.plaintext)
    assert "hunt_crossley(*, s_0, k, c)" in text
    assert "Hunt and Crossley: k in N/m^1.5, c in s/m." in text
    assert "Attributes:" not in text
    assert list(inspect.signature(hunt_crossley).parameters) == ["s_0", "k", "c"]
    assert hunt_crossley.__module__ == __name__


def test_help_without_a_docstring_says_what_the_law_is():
    @pc.friction_law
    def coulomb(v, n, p):
        return p.mu * n * np.tanh(v / p.v_c)

    text = pydoc.render_doc(coulomb, renderer=pydoc.plaintext)
    assert "coulomb(*, mu, v_c)" in text
    assert "A user law of friction, in N." in text


def test_numbers_that_a_helper_may_read_stay_open():
    assert str(inspect.signature(pc.normal_law(passing_on))) == "(*, s_0, **numbers)"
