import math
from dataclasses import FrozenInstanceError, dataclass
from typing import ClassVar

import pytest
from hypothesis import given
from hypothesis import strategies as st

from chrono_powercontact.errors import ParameterError, UnknownNameError
from chrono_powercontact.scenarios.expressions import evaluate
from chrono_powercontact.scenarios.parameters import (
    Known,
    Parameter,
    Parameters,
    Timed,
    choice,
    count,
    fixed,
    number,
    read_parameters,
    switch,
    time_step,
)


@dataclass(frozen=True)
class Ring(Parameters):
    width: float = number(0.5, "width of the ring", "m", minimum=0.0, maximum=2.0)


@dataclass(frozen=True)
class Thrown(Timed, Ring):
    speed: float = number(1.0, "impact speed", "m/s", above=0.0)
    inherited: ClassVar[None]
    count: int = count(3, "how many", minimum=1)
    shape: str = choice("round", "form", ("round", "square"), on_chrono="square")
    switch: bool = switch(True, "whether")
    step: float = time_step(1e-4, on_chrono=2e-4)


@dataclass(frozen=True)
class Alone(Thrown):
    count: int = fixed(1)


PARAMETERS = {parameter.name: parameter for parameter in Known(Thrown)}
SPEED = PARAMETERS["speed"]
COUNT = PARAMETERS["count"]
SHAPE = PARAMETERS["shape"]
SWITCH = PARAMETERS["switch"]


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
        read_parameters(Thrown, {"sped": 1.0})


def test_defaults_fill_the_rest():
    p = read_parameters(Thrown, {"speed": "2*3"})
    assert isinstance(p, Thrown)
    assert (p.speed, p.count, p.shape, p.switch, p.width, p.time) == (6.0, 3, "round", True, 0.5, 1.0)


def test_parameters_cannot_be_changed():
    with pytest.raises(FrozenInstanceError):
        read_parameters(Thrown, {}).speed = 2.0


def test_inherited_parameters_are_listed_where_the_class_body_says():
    assert list(PARAMETERS) == ["speed", "time", "width", "count", "shape", "switch", "step"]
    assert list(Known(Thrown).values(Thrown())) == list(PARAMETERS)


def test_chrono_has_an_integrator_and_defaults_of_its_own():
    p = read_parameters(Known(Thrown, "chrono"), {"integrator": "HHT"})
    assert (p.integrator, p.shape, p.step) == ("hht", "square", 2e-4)
    assert [parameter.name for parameter in Known(Thrown, "chrono")][-1] == "integrator"
    with pytest.raises(UnknownNameError, match="parameter 'integrator'"):
        read_parameters(Thrown, {"integrator": "hht"})


def test_fixed_parameters_cannot_be_set():
    assert "count" not in [parameter.name for parameter in Known(Alone)]
    assert read_parameters(Alone, {}).count == 1
    with pytest.raises(UnknownNameError, match="parameter 'count'"):
        read_parameters(Alone, {"count": 2})


def test_both_ends_of_a_range_are_allowed():
    assert [PARAMETERS["width"].read(value) for value in ("0", "2")] == [0.0, 2.0]
    with pytest.raises(ParameterError, match=r"width must be at least 0 m and at most 2 m, got 2\.1 m"):
        PARAMETERS["width"].read(2.1)


def test_a_parameter_is_described_with_what_is_allowed_and_its_default():
    assert SPEED.described() == "impact speed; greater than 0 m/s (default 1.0 m/s)"
    assert SHAPE.described() == "form; round or square (default round)"
    assert SWITCH.described() == "whether; true or false (default true)"


def test_choices_that_the_text_names_are_not_listed_again():
    case = Parameter("case", "lc3", "LC3 short; lc3b long", choices=("lc3", "lc3b"))
    assert case.described() == "LC3 short; lc3b long (default lc3)"
    partly = Parameter("case", "lc3", "lc3b is long", choices=("lc3", "lc3b"))
    assert partly.described() == "lc3b is long; lc3 or lc3b (default lc3)"
