"""A solver of Chrono's that has nothing left to do iterates once, and then as often as the script wants."""

import pytest
from long_steps import foot_and_top

from chrono_powercontact.chrono.api.bridge import pychrono
from chrono_powercontact.chrono.attachment import core_of
from chrono_powercontact.chrono.implicit.linked.iterations import Iterations

pytestmark = pytest.mark.chrono


class Solver:
    """Keeps a number of iterations."""

    def __init__(self):
        self.most = 70

    def GetMaxIterations(self):
        return self.most

    def SetMaxIterations(self, most):
        self.most = most


def test_they_are_lowered_and_restored():
    solver = Solver()
    iterations = Iterations()
    iterations.restore()
    iterations.belong_to(solver)
    iterations.spare()
    assert solver.most == 1
    iterations.restore()
    iterations.restore()
    assert solver.most == 70


def test_another_solver_leaves_the_first_as_it_was():
    first = Solver()
    iterations = Iterations()
    iterations.belong_to(first)
    iterations.spare()
    iterations.belong_to(None)
    iterations.restore()
    assert first.most == 70


def test_a_script_finds_its_own_number_between_steps_and_reactions_as_before():
    system, _, contacts = foot_and_top(0.1)
    system.SetSolverType(pychrono().ChSolver.Type_PSOR)
    iterative = system.GetSolver().AsIterative()
    iterative.SetMaxIterations(37)
    for _ in range(100):
        system.DoStepDynamics(2e-3)
        assert iterative.GetMaxIterations() == 37
    assert core_of(contacts).stepper.routine.hands_over_all
    assert abs(contacts.energy().error) < 1e-9
