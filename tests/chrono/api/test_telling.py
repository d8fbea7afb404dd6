import sys
import types
import warnings

from chrono_powercontact.chrono.api.telling import Once, tell_user


def ours(function, name="chrono_powercontact.somewhere"):
    """The function as if it were defined in a module of this package."""
    return types.FunctionType(function.__code__, {**function.__globals__, "__name__": name})


def caught(call):
    with warnings.catch_warnings(record=True) as found:
        warnings.simplefilter("always")
        call()
    return found


def test_a_warning_points_at_the_line_outside_of_the_package():
    def inner():
        tell_user("look here")

    deep = ours(inner)
    (warning,) = caught(lambda: deep())
    assert warning.filename == __file__
    assert str(warning.message) == "look here"


def test_lines_of_pychrono_are_not_the_users():
    def inner(again):
        again()

    def innermost():
        tell_user("look here")

    line = sys._getframe().f_lineno + 1
    (warning,) = caught(lambda: ours(inner, "pychrono.core")(ours(innermost)))
    assert (warning.filename, warning.lineno) == (__file__, line)


def test_each_subject_is_told_once():
    once = Once()

    def tell():
        once.tell("a", "first")
        once.tell("b", "other")

    assert not once.has_told("a")
    assert [str(warning.message) for warning in caught(tell)] == ["first", "other"]
    assert caught(tell) == []
    assert once.has_told("a")
