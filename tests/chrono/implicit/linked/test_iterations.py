"""A solver of Chrono's that has nothing left to do iterates once, and then as often as the script wants."""

import pytest
from long_steps import foot_and_top

import chrono_powercontact as pc
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


def falling_chain(taken):
    """A chain of six boxes from a fixed body falls; the last one may collide, with nothing that is near."""
    chrono = pychrono()
    system = chrono.ChSystemNSC()
    system.SetGravityY()
    system.SetCollisionSystemType(chrono.ChCollisionSystem.Type_BULLET)
    system.SetSolverType(chrono.ChSolver.Type_BARZILAIBORWEIN)
    system.GetSolver().AsIterative().SetMaxIterations(200)
    surface = chrono.ChContactMaterialNSC()
    last = chrono.ChBodyEasyBox(20, 0.2, 20, 1000, False, True, surface)
    last.SetFixed(True)
    last.SetPos(chrono.ChVector3d(0, -10, 0))
    system.Add(last)
    links = []
    for i in range(6):
        box = chrono.ChBodyEasyBox(0.5, 0.1, 0.1, 1000, False, i == 5, surface)
        box.SetPos(chrono.ChVector3d(0.25 + 0.5 * i, 0, 0))
        system.Add(box)
        links.append(chrono.ChLinkLockRevolute())
        links[-1].Initialize(box, last, chrono.ChFramed(chrono.ChVector3d(0.5 * i, 0, 0)))
        system.AddLink(links[-1])
        last = box
    if taken:
        pc.attach(system).take_over()
    return system, links


@pytest.mark.parametrize("taken", [False, True])
def test_links_hold_together_where_nothing_touches(taken):
    """Nothing is left to the solver then either: ours is within what its own 200 iterations miss."""
    system, links = falling_chain(taken)
    missed = 0.0
    for _ in range(300):
        system.DoStepDynamics(2e-3)
        violations = [abs(link.GetConstraintViolation()[k]) for link in links for k in range(3)]
        missed = max(missed, *violations)
    assert missed < 1e-3
