import pytest
from scene import ROUGH, falling_cube, run
from taken import SLICK, ball, colliding_system, plate

import chrono_powercontact as pc
from chrono_powercontact.chrono.attachment import core_of
from chrono_powercontact.chrono.load.watch import watch


class OtherSystem:
    """A system whose DoStepDynamics has a second keyword, as Chrono's later versions have."""

    def __init__(self):
        self.stepped = []

    def DoStepDynamics(self, step_size, do_collision=True):
        self.stepped.append((step_size, do_collision))
        return True


class Diary:
    def __init__(self):
        self.calls = []

    def __getattr__(self, name):
        return lambda *arguments: self.calls.append(name)


def test_a_second_keyword_is_passed_on():
    system, diary = OtherSystem(), Diary()
    watch(system, [diary])
    assert system.DoStepDynamics(step_size=1e-3, do_collision=False)
    assert system.DoStepDynamics(2e-3)
    assert system.stepped == [(1e-3, False), (2e-3, True)]
    assert diary.calls == ["before_step", "after_step"] * 2


def test_a_step_that_fails_is_abandoned():
    system, diary = OtherSystem(), Diary()
    watch(system, [diary])
    with pytest.raises(TypeError):
        system.DoStepDynamics(1e-3, collide=False)
    assert diary.calls == ["before_step", "abandon_step"]


@pytest.mark.chrono
def test_an_error_of_the_pairs_function_is_raised_by_a_frame():
    system, surface = colliding_system()
    plate(system, surface)
    ball(system, surface, at=(0, 0, 0.1))

    def faulty(a, b):
        raise ZeroDivisionError("the user's own fault")

    pc.attach(system).take_over(SLICK, faulty)
    with pytest.raises(ZeroDivisionError, match="own fault"):
        system.DoFrameDynamics(0.01, 1e-3)


@pytest.mark.chrono
@pytest.mark.parametrize("integrator", ["euler_implicit_linearized", "runge_kutta"])
def test_a_frame_is_as_good_as_its_steps(integrator):
    ends = []
    for framed in (True, False):
        system, cube, contacts = falling_cube(integrator=integrator, height=0.06)
        if framed:
            for i in range(30):
                system.DoFrameDynamics(1e-2 * (i + 1), 1e-4)
        else:
            run(system, 0.3)
        assert system.GetChTime() == pytest.approx(0.3)
        assert contacts.energy().contact_heat > 0.0
        ends.append((cube.GetPos().x, cube.GetPos().z))
    assert ends[0] == pytest.approx(ends[1], abs=1e-6)


@pytest.mark.chrono
def test_a_step_that_chrono_refuses_leaves_the_attachment_as_it_was():
    system, _, contacts = falling_cube(height=0.3)
    with pytest.raises(TypeError):
        system.DoStepDynamics("long")
    assert not core_of(contacts).stepper.driven
    run(system, 0.01)


@pytest.mark.chrono
@pytest.mark.parametrize("integrator", ["euler_implicit_linearized", "euler_implicit", "runge_kutta"])
def test_setting_the_time_moves_nothing_and_costs_no_energy(integrator):
    found = []
    for time in (None, 7.0):
        system, cube, contacts = falling_cube(ROUGH, integrator=integrator, height=0.06)
        for i in range(400):
            if time is not None and i == 150:
                system.SetChTime(time)
            system.DoStepDynamics(1e-4)
        energy = contacts.energy()
        assert energy.friction_heat > 1e-4
        found.append([cube.GetPos().z, cube.GetPosDt().x, energy.contact_heat, energy.friction_heat, energy.exchanged])
    assert found[0] == pytest.approx(found[1], rel=1e-9)
