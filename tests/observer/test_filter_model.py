import numpy as np
import pytest
from observer_models import pendulum, squared

from chrono_powercontact.errors import ParameterError, UnknownNameError
from chrono_powercontact.observer.filter_model import FilterModel


def test_outputs_are_picked_from_the_states_unless_they_are_measured_by_a_function():
    model = FilterModel(pendulum, ("phi", "omega"), ("drive",), ("omega",), p=[9.81])
    assert model.pick.tolist() == [1]
    assert model.turns.tolist() == [False]
    by_function = FilterModel(pendulum, ("phi", "omega"), ("drive",), ("square",), measure=squared, angles=("square",))
    assert by_function.pick.size == 0
    assert by_function.turns.tolist() == [True]


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"rhs": np.sin}, "rhs must be made by observer.compiled"),
        ({"rhs": None}, "rhs must be made by observer.compiled"),
        ({"measure": len}, "measure must be made by observer.compiled"),
        ({"states": ()}, "needs states and outputs"),
        ({"outputs": ()}, "needs states and outputs"),
        ({"states": ("phi", "phi")}, "states must differ"),
        ({"p": "heavy"}, "p must be an array of numbers"),
        ({"inputs": "drive"}, "inputs must be a sequence of names"),
    ],
)
def test_what_is_no_model_is_refused(change, words):
    model = {"rhs": pendulum, "states": ("phi", "omega"), "inputs": ("drive",), "outputs": ("phi",), **change}
    with pytest.raises(ParameterError, match=words):
        FilterModel(**model)


def test_unknown_outputs_and_angles_are_named():
    with pytest.raises(UnknownNameError, match="unknown output 'ph': did you mean 'phi'"):
        FilterModel(pendulum, ("phi", "omega"), outputs=("ph",))
    with pytest.raises(UnknownNameError, match="unknown angle 'omega'"):
        FilterModel(pendulum, ("phi", "omega"), outputs=("phi",), angles=("omega",))
