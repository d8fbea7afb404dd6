"""Springs of Chrono's that are solved for: which ones, closed forms of their steps, and the exact motion."""

import math

import numpy as np
import pytest
from spring_scenes import DAMPING, START, STIFFNESS, sprung

import chrono_powercontact as pc
from chrono_powercontact.chrono.api.bridge import pychrono
from chrono_powercontact.chrono.attachment import core_of
from chrono_powercontact.chrono.joint.springs import is_stiff
from chrono_powercontact.errors import ParameterError, SystemChangedError

pytestmark = pytest.mark.chrono

KINDS = ("line", "turn")


def solved(kind, h, steps, damped=1.0, **more):
    """Deformations of a spring after each step."""
    system, _, link = sprung(kind, **more)
    pc.attach(system, stepping="implicit").add_spring(link, damped)
    found = []
    for _ in range(steps):
        system.DoStepDynamics(h)
        found.append(link.GetDeformation())
    return np.array(found)


def closed_form(h, steps, damped):
    """Newmark's rule for a unit mass, with the damper at the end of the step."""
    ahead, behind = 0.25 * (1.0 + damped) ** 2, 0.25 * (1.0 - damped) ** 2
    x, v, found = START, 0.0, []
    for _ in range(steps):
        pushed = (1.0 + behind * STIFFNESS * h * h) * v - h * STIFFNESS * x
        v = pushed / (1.0 + ahead * STIFFNESS * h * h + h * DAMPING)
        x += h * v
        found.append(x)
    return np.array(found)


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("damped", [0.0, 0.2, 1.0])
@pytest.mark.parametrize("h", [1e-3, 5e-3, 2e-2])
def test_steps_are_those_of_the_closed_form(kind, damped, h):
    assert solved(kind, h, 100, damped) == pytest.approx(closed_form(h, 100, damped), abs=1e-9)


def exact(t):
    decay = 0.5 * DAMPING
    turn = math.sqrt(STIFFNESS - decay * decay)
    return START * math.exp(-decay * t) * (math.cos(turn * t) + decay / turn * math.sin(turn * t))


@pytest.mark.parametrize("kind", KINDS)
def test_implicit_steps_converge_with_the_first_order(kind):
    time = 0.05
    errors = [abs(solved(kind, h, round(time / h))[-1] - exact(time)) for h in (2e-4, 1e-4, 5e-5)]
    assert errors[0] / errors[1] == pytest.approx(2.0, rel=0.1)
    assert errors[1] / errors[2] == pytest.approx(2.0, rel=0.1)


def test_without_numerical_damping_a_vibration_keeps_its_height():
    kept, lost = (solved("line", 2e-3, 3000, damped, damping=0.0) for damped in (0.0, 1.0))
    assert np.abs(kept[-100:]).max() == pytest.approx(START, rel=0.01)
    assert np.abs(lost[-100:]).max() < 1e-6


def test_coefficients_rest_length_and_actuator_may_change_between_steps():
    system, _, link = sprung("line", damping=2e3)
    pc.attach(system, stepping="implicit").add_spring(link)
    for stiffness, rest, force in ((1e5, 1.02, 0.0), (3e6, 0.97, 600.0), (2e4, 1.05, -100.0)):
        link.SetSpringCoefficient(stiffness)
        link.SetRestLength(rest)
        link.SetActuatorForce(force)
        for _ in range(2000):
            system.DoStepDynamics(1e-2)
        assert link.GetLength() == pytest.approx(rest + force / stiffness, abs=1e-9)


def test_a_spring_that_is_switched_off_does_nothing():
    system, body, link = sprung("line")
    pc.attach(system, stepping="implicit").add_spring(link)
    link.SetDisabled(True)
    for _ in range(10):
        system.DoStepDynamics(1e-2)
    assert body.GetPosDt().z == 0.0


def test_forces_at_the_start_of_a_step_are_not_changed():
    runs = []
    for solve in (False, True):
        system, body, link = sprung("line")
        contacts = pc.attach(system, stepping="explicit")
        if solve:
            contacts.add_spring(link)
        for _ in range(100):
            system.DoStepDynamics(1e-3)
        runs.append(body.GetPos().z)
    assert runs[0] == runs[1]


def test_other_integrators_are_not_changed():
    runs = []
    for solve in (False, True):
        system, body, link = sprung("line")
        system.SetSolverType(pychrono().ChSolver.Type_SPARSE_LU)
        system.SetTimestepperType(pychrono().ChTimestepper.Type_HHT)
        if solve:
            pc.attach(system).add_spring(link)
        for _ in range(50):
            system.DoStepDynamics(1e-3)
        runs.append(body.GetPos().z)
    assert runs[0] == pytest.approx(runs[1], abs=1e-12)


def test_a_spring_can_be_left_to_chrono_again():
    system, _, link = sprung("line")
    contacts = pc.attach(system, stepping="implicit")
    number = contacts.add_spring(link)
    assert contacts.spring_count == 1
    contacts.remove_spring(number)
    assert contacts.spring_count == 0
    with pytest.raises(ParameterError, match=r"there is no spring 0; there are \[\]"):
        contacts.remove_spring(number)


def test_a_spring_that_has_left_the_system_is_named():
    system, _, link = sprung("line")
    contacts = pc.attach(system, stepping="implicit")
    contacts.add_spring(link)
    system.DoStepDynamics(1e-3)
    springs = core_of(contacts).stepper.springs
    system.RemoveLink(link)
    with pytest.raises(SystemChangedError, match=r"was removed from the system: call remove_spring first"):
        springs.check(system)
    system.DoStepDynamics(1e-3)
    assert contacts.spring_count == 0


def functor(kind):
    base = pychrono().ForceFunctor if kind == "line" else pychrono().TorqueFunctor

    class Own(base):
        def evaluate(self, *_):
            return 1.0

    return Own()


@pytest.mark.parametrize("kind", KINDS)
def test_a_spring_with_a_functor_is_refused(kind):
    system, _, link = sprung(kind)
    own = functor(kind)
    (link.RegisterForceFunctor if kind == "line" else link.RegisterTorqueFunctor)(own)
    with pytest.raises(ParameterError, match=r"must have a linear force .*, but ChLink.SDA between .* has a functor"):
        pc.attach(system).add_spring(link)


def test_a_stiff_spring_is_refused():
    system, _, link = sprung("line")
    assert not is_stiff(link)
    link.IsStiff(True)
    link.SetName("strut")
    with pytest.raises(ParameterError, match=r"but ChLinkTSDA 'strut' is stiff: leave IsStiff\(True\) out"):
        pc.attach(system).add_spring(link)


@pytest.mark.parametrize(
    ("given", "message"),
    [
        (lambda link: (None,), "link must be a ChLinkTSDA or a ChLinkRSDA, got None"),
        (lambda link: (pychrono().ChLinkLockRevolute(),), "link must be a ChLinkTSDA or a ChLinkRSDA"),
        (lambda link: (link, 1.5), "numerical_damping must be between 0 and 1, got 1.5"),
        (lambda link: (link, math.nan), "numerical_damping must be a finite number, got nan"),
    ],
)
def test_what_is_no_spring_is_refused(given, message):
    system, _, link = sprung("line")
    with pytest.raises(ParameterError, match=message):
        pc.attach(system).add_spring(*given(link))


def test_a_spring_is_added_once_and_must_move_something():
    system, body, link = sprung("line")
    contacts = pc.attach(system)
    contacts.add_spring(link)
    with pytest.raises(ParameterError, match="ChLinkTSDA between 'body' and 'ground' is solved for already"):
        contacts.add_spring(link)
    body.SetFixed(True)
    with pytest.raises(ParameterError, match="both bodies of the spring are fixed"):
        pc.attach(system).add_spring(link)
