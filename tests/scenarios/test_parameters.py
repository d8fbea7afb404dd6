import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from chrono_powercontact.errors import ParameterError, UnknownNameError
from chrono_powercontact.scenarios.parameters import Parameter, evaluate, read_parameters

SPEED = Parameter("speed", 1.0, "impact speed", "m/s", minimum=0.0, above=True)
COUNT = Parameter("count", 3, "how many", minimum=1)
SHAPE = Parameter("shape", "round", "form", choices=("round", "square"))
SWITCH = Parameter("switch", True, "whether")


@pytest.mark.parametrize(
    ("text", "value"),
    [("-5*pi/8", -5 * math.pi / 8), ("2**-3", 0.125), ("sqrt(2)", math.sqrt(2)), (" 1e-3 ", 1e-3), ("+(1+2)*3", 9.0)],
)
def test_plain_expressions_are_read(text, value):
    assert evaluate(text) == pytest.approx(value, rel=1e-15)


@pytest.mark.parametrize(
    "text", ["__import__('os')", "a", "1+", "[1]", "'x'", "1/0", "(-1)**0.5", "pi.real", "2**9**9**9", ""]
)
def test_everything_else_is_refused(text):
    with pytest.raises(ParameterError):
        evaluate(text)


@given(st.floats(allow_nan=False, allow_infinity=False))
def test_a_number_survives_as_text(number):
    assert evaluate(repr(number)) == number


@pytest.mark.parametrize("bad", ["0", "-1", "nan", "inf", "one"])
def test_bad_speed_is_named_with_its_value(bad):
    with pytest.raises(ParameterError, match="speed"):
        SPEED.read(bad)


def test_message_says_what_is_allowed():
    with pytest.raises(ParameterError, match=r"parameter speed must be greater than 0 m/s, got -2 m/s"):
        SPEED.read("-2")


def test_whole_numbers_stay_whole():
    assert COUNT.read("4") == 4
    assert isinstance(COUNT.read("4"), int)
    with pytest.raises(ParameterError, match="whole number"):
        COUNT.read("4.5")


def test_choice_suggests_the_nearest():
    with pytest.raises(UnknownNameError, match="did you mean 'round'"):
        SHAPE.read("rund")


@pytest.mark.parametrize(("word", "value"), [("true", True), ("NO", False), ("1", True), (False, False)])
def test_switch_reads_words(word, value):
    assert SWITCH.read(word) is value


def test_switch_refuses_other_words():
    with pytest.raises(ParameterError, match="true or false"):
        SWITCH.read("perhaps")


def test_unknown_parameter_suggests_the_nearest():
    with pytest.raises(UnknownNameError, match="did you mean 'speed'"):
        read_parameters([SPEED, COUNT], {"sped": 1.0})


def test_defaults_fill_the_rest():
    p = read_parameters([SPEED, SHAPE], {"speed": "2*3"})
    assert vars(p) == {"speed": 6.0, "shape": "round"}


def test_a_parameter_is_described_with_what_is_allowed_and_its_default():
    assert SPEED.described() == "impact speed; greater than 0 m/s (default 1.0 m/s)"
    assert SHAPE.described() == "form; round or square (default round)"
    assert SWITCH.described() == "whether; true or false (default true)"


def test_choices_that_the_text_names_are_not_listed_again():
    case = Parameter("case", "lc3", "LC3 short; lc3b long", choices=("lc3", "lc3b"))
    assert case.described() == "LC3 short; lc3b long (default lc3)"
    partly = Parameter("case", "lc3", "lc3b is long", choices=("lc3", "lc3b"))
    assert partly.described() == "lc3b is long; lc3 or lc3b (default lc3)"
