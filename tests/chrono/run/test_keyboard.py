import signal
import threading

import pytest

from chrono_powercontact.chrono.run.keyboard import stopped_between_steps


def test_ctrl_c_waits_for_the_end_of_the_step():
    seen = []

    def step(check):
        check()
        signal.raise_signal(signal.SIGINT)
        seen.append("the end of the step")
        check()

    with pytest.raises(KeyboardInterrupt), stopped_between_steps() as check:
        step(check)
    assert seen == ["the end of the step"]
    assert signal.getsignal(signal.SIGINT) is signal.default_int_handler


def test_ctrl_c_after_the_last_check_is_not_lost():
    with pytest.raises(KeyboardInterrupt), stopped_between_steps():
        signal.raise_signal(signal.SIGINT)


def test_a_handler_of_the_program_stays():
    seen = []
    before = signal.signal(signal.SIGINT, lambda number, frame: seen.append(number))
    try:
        with stopped_between_steps() as check:
            signal.raise_signal(signal.SIGINT)
            check()
    finally:
        signal.signal(signal.SIGINT, before)
    assert seen == [signal.SIGINT]


def test_other_threads_are_left_alone():
    raised = []

    def work():
        try:
            with stopped_between_steps() as check:
                check()
        except BaseException as error:
            raised.append(error)

    thread = threading.Thread(target=work)
    thread.start()
    thread.join()
    assert raised == []


@pytest.mark.chrono
def test_a_recorded_run_is_stopped_not_diverged():
    from scene import SMOOTH, empty_system, new_body

    import chrono_powercontact as pc
    from chrono_powercontact.chrono.run.recorder import Recorder

    system = empty_system(9.81, "euler_implicit_linearized")
    ground = new_body(system, fixed=True)
    ball = new_body(system, 0.05, (0, 0, 0.1), name="ball")
    contacts = pc.attach(system)
    contacts.add(pc.Sphere(ball, radius=0.01), pc.Plane(ground), SMOOTH)
    recorder = Recorder(contacts, [ball], lambda seen: {"z": seen.x[:, 0, 2]})
    timer = threading.Timer(0.3, signal.raise_signal, [signal.SIGINT])
    timer.start()
    with pytest.raises(KeyboardInterrupt):
        recorder.run(1e-5, 10.0)
    timer.join()
    assert 0.0 < system.GetChTime() < 10.0
