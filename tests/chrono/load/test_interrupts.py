import signal
import subprocess
import sys
import textwrap
import threading
from contextlib import contextmanager
from pathlib import Path

import pytest

from chrono_powercontact.chrono.load.interrupts import Deferring, begin_step, programs_handler


@pytest.fixture(autouse=True)
def handler_of_python():
    """Python's own handler, before and after each test."""
    signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, signal.default_int_handler)


@contextmanager
def held():
    """A step, in which signals wait."""
    step = begin_step()
    try:
        yield
    finally:
        step.end_step()


SUPPORT = str(Path(__file__).parents[2] / "support")


def test_ctrl_c_waits_for_the_end():
    seen = []

    def step():
        signal.raise_signal(signal.SIGINT)
        seen.append("the end")

    with pytest.raises(KeyboardInterrupt), held():
        step()
    assert seen == ["the end"]
    assert programs_handler(signal.getsignal(signal.SIGINT)) is signal.default_int_handler
    with pytest.raises(KeyboardInterrupt):
        signal.raise_signal(signal.SIGINT)  # at once, between steps


def test_contexts_may_be_nested():
    seen = []

    def step():
        with held():
            signal.raise_signal(signal.SIGINT)
        seen.append("the outer end")

    with pytest.raises(KeyboardInterrupt), held():
        step()
    assert seen == ["the outer end"]


def test_a_handler_of_the_program_is_called_afterwards():
    seen = []
    before = signal.signal(signal.SIGINT, lambda number, frame: seen.append(number))
    try:
        with held():
            signal.raise_signal(signal.SIGINT)
            assert seen == []
        assert seen == [signal.SIGINT]
    finally:
        signal.signal(signal.SIGINT, before)


def test_a_program_that_ignores_the_signal_still_does():
    before = signal.signal(signal.SIGINT, signal.SIG_IGN)
    try:
        with held():
            signal.raise_signal(signal.SIGINT)
        assert signal.getsignal(signal.SIGINT) is signal.SIG_IGN
    finally:
        signal.signal(signal.SIGINT, before)


def test_other_threads_hold_nothing():
    seen = []

    def work():
        with held():
            seen.append(signal.getsignal(signal.SIGINT))

    thread = threading.Thread(target=work)
    thread.start()
    thread.join()
    assert programs_handler(seen[0]) is signal.default_int_handler


def test_a_handler_that_is_put_back_is_the_one_that_counts():
    """A program may keep our handler while its own is in place."""
    seen = []
    with held():
        pass
    kept = signal.signal(signal.SIGINT, lambda number, frame: seen.append(number))
    assert isinstance(kept, Deferring)
    with held():
        signal.raise_signal(signal.SIGINT)
    assert seen == [signal.SIGINT]
    signal.signal(signal.SIGINT, kept)
    with pytest.raises(KeyboardInterrupt):
        signal.raise_signal(signal.SIGINT)
    assert seen == [signal.SIGINT]


@pytest.mark.chrono
def test_ctrl_c_in_a_script_is_always_a_keyboard_interrupt():
    code = textwrap.dedent("""
        import os, random, signal, sys, threading
        sys.path.insert(0, sys.argv[1])
        from scene import falling_cube
        system, cube, contacts = falling_cube(integrator="runge_kutta", height=0.06)
        system.DoStepDynamics(1e-5)
        pause = random.Random(1)
        for _ in range(60):
            timer = threading.Timer(pause.uniform(0.0, 0.02), os.kill, (os.getpid(), signal.SIGINT))
            try:
                timer.start()
                while True:
                    system.DoStepDynamics(1e-5)
            except BaseException as error:
                print(type(error).__name__)
            timer.join()
    """)
    done = subprocess.run([sys.executable, "-c", code, SUPPORT], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    assert done.stdout.split() == ["KeyboardInterrupt"] * 60
