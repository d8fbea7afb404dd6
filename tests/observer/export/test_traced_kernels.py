"""Kernels run on traced numbers: formulas once, branches as choices, and what cannot be traced."""

import numpy as np
import pytest

from chrono_powercontact.errors import ParameterError
from chrono_powercontact.kernel import kernel
from chrono_powercontact.observer.export.c_text import assignments
from chrono_powercontact.observer.export.traced_kernels import call, vector
from chrono_powercontact.observer.export.traced_numbers import Tape, Traced


def traced(function, count):
    tape = Tape()
    x = [tape.input(f"x[{i}]") for i in range(count)]
    return tape, call(tape, function, tuple(x))


def test_what_is_done_twice_is_written_once_and_zeros_cost_nothing():
    tape, result = traced(lambda a, b: np.sin(a * b) + np.sin(a * b) + 0.0 * np.exp(a), 2)
    text = assignments(tape, "y", [result])
    assert text.count("sin(") == 1
    assert "exp" not in text


def test_a_branch_becomes_a_choice_and_its_sides_are_computed_where_needed():
    @kernel
    def step(a):
        if a < 1.0:
            return np.exp(a)
        if a > 2.0:
            return np.tanh(a)
        return 5.0

    tape, result = traced(lambda a: step(a) + 1.0, 1)
    text = assignments(tape, "y", [result])
    assert text.count("if (") == 2
    assert text.index("if (") < text.index("exp(")
    assert isinstance(result, Traced)


def test_numbers_are_written_so_that_c_reads_them_back():
    tape, result = traced(lambda a: a * 0.1 + (-1e-300), 1)
    assert "0.1" in assignments(tape, "y", [result])
    assert "(-1e-300)" in assignments(tape, "y", [result])


def test_what_a_kernel_writes_on_one_way_is_chosen_too():
    def fill(a, out):
        if a > 0.0:
            out[0] = a

    tape = Tape()
    out = vector([7.0])
    call(tape, fill, (tape.input("x[0]"), out))
    text = assignments(tape, "y", list(out))
    assert "= v0;" in text
    assert "= 7.0;" in text


def test_a_power_that_is_no_whole_number_is_refused():
    with pytest.raises(ParameterError, match="only powers from 1 to 4 can be exported"):
        traced(lambda a: a**0.5, 1)
