import math

import pytest

from chrono_powercontact.errors import (
    DivergedError,
    LawError,
    ModelError,
    ParameterError,
    PowerContactError,
    StateError,
    SystemChangedError,
    UnknownNameError,
    finite,
    not_negative,
    positive,
    shown,
)


@pytest.mark.parametrize("error", [ParameterError, UnknownNameError, SystemChangedError, ModelError, DivergedError])
def test_one_except_clause_catches_all(error):
    assert issubclass(error, PowerContactError)


def test_errors_fit_the_usual_python_clauses():
    assert issubclass(ParameterError, ValueError)
    assert issubclass(UnknownNameError, KeyError)


def test_laws_and_states_without_a_number_are_still_caught_as_changed_systems():
    assert issubclass(LawError, SystemChangedError)
    assert issubclass(StateError, SystemChangedError)


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (None, "None"),
        (0.1, "0.1"),
        ("foot", "'foot'"),
        ((0, 1), "(0, 1)"),
        (dict, "the class dict"),
        (iter(()), "tuple_iterator"),
    ],
)
def test_values_are_shown_as_they_are_and_objects_by_their_type(value, text):
    assert shown(value) == text


@pytest.mark.parametrize("check", [finite, positive, not_negative])
def test_good_number_comes_back_as_float(check):
    number = check("mass", 3)
    assert number == 3.0
    assert isinstance(number, float)


@pytest.mark.parametrize("check", [finite, positive, not_negative])
@pytest.mark.parametrize("bad", [math.nan, math.inf, -math.inf])
def test_number_must_be_finite(check, bad):
    with pytest.raises(ParameterError, match=f"^mass must be a finite number, got {bad}$"):
        check("mass", bad)


@pytest.mark.parametrize("check", [finite, positive, not_negative])
@pytest.mark.parametrize("bad", ["heavy", None, [1.0, 2.0], 1j])
def test_number_must_be_a_number(check, bad):
    with pytest.raises(ParameterError) as caught:
        check("mass", bad)
    assert str(caught.value) == f"mass must be a number, got {bad!r}"
    assert caught.value.__cause__ is None


def test_finite_allows_any_sign():
    assert [finite("s_0", value) for value in (-2.5, 0.0, 2.5)] == [-2.5, 0.0, 2.5]


@pytest.mark.parametrize(("bad", "shown"), [(0.0, "0"), (-0.0, "-0"), (-2.5, "-2.5")])
def test_positive_refuses_zero_and_below(bad, shown):
    with pytest.raises(ParameterError, match=f"^mass must be greater than 0, got {shown}$"):
        positive("mass", bad)


def test_not_negative_takes_zero_and_refuses_below():
    assert not_negative("mu", 0.0) == 0.0
    with pytest.raises(ParameterError, match=r"^mu must not be negative, got -0\.1$"):
        not_negative("mu", -0.1)


def test_unknown_name_suggests_the_nearest():
    error = UnknownNameError("integrator", "rk5", ["euler", "rk4"])
    assert str(error) == "unknown integrator 'rk5': did you mean 'rk4'? allowed: euler, rk4"


def test_unknown_name_without_likeness_only_lists():
    error = UnknownNameError("integrator", "xyz", ["rk4", "euler"])
    assert str(error) == "unknown integrator 'xyz': allowed: euler, rk4"


@pytest.mark.parametrize(("name", "far"), [("nope", "slope"), ("v9", "v3"), ("foo", "flow")])
def test_far_names_are_not_suggested(name, far):
    assert "did you mean" not in str(UnknownNameError("name", name, [far]))


@pytest.mark.parametrize(("name", "near"), [("lope", "slope"), ("pendel", "pendulum"), ("ph", "phi")])
def test_near_names_are_suggested(name, near):
    assert f"did you mean {near!r}?" in str(UnknownNameError("name", name, [near]))


def test_unknown_name_among_none():
    assert str(UnknownNameError("law", "a", [])) == "unknown law 'a': allowed: none"


def test_diverged_run_keeps_its_records():
    records = [1.0, 2.0]
    error = DivergedError("is no longer finite at 0.2 s", records)
    assert str(error) == "is no longer finite at 0.2 s"
    assert error.trajectory is records
    assert DivergedError("at once").trajectory is None


def test_unknown_names_survive_the_way_between_processes():
    import pickle

    error = pickle.loads(pickle.dumps(UnknownNameError("scenario", "cub", ["cube", "ball"])))
    assert "did you mean 'cube'" in str(error)


def test_numbers_as_text_are_refused():
    with pytest.raises(ParameterError, match="mass must be a number, got '1'"):
        finite("mass", "1")
