import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scene import SMOOTH, empty_system, new_body

import chrono_powercontact as pc
from chrono_powercontact.chrono.run.recorder import Recorder, _diverged, cumulative
from chrono_powercontact.errors import DivergedError, LawError, ParameterError, StateError, SystemChangedError
from chrono_powercontact.trajectory import Trajectory


def falling(height=0.1, integrator="runge_kutta", gravity=9.81):
    """A sphere over the ground, and its recorder."""
    system = empty_system(gravity, integrator)
    ground = new_body(system, fixed=True)
    ball = new_body(system, 0.05, (0, 0, height), name="ball")
    contacts = pc.attach(system)
    law = pc.Restriction(0.01, 0.0095, 20.0, 5.9)
    contacts.add(pc.Sphere(ball, radius=0.01), pc.Plane(ground), pc.Material(law))
    return Recorder(contacts, [ball], lambda seen: {"z": seen.x[:, 0, 2], "F": seen.force[:, 0]}), ball


@given(st.lists(st.floats(-5.0, 5.0), min_size=4, max_size=4))
def test_cumulative_integral_of_a_cubic_is_exact(c):
    t = np.linspace(0.0, 2.0, 21)
    exact = sum(a * t ** (k + 1) / (k + 1) for k, a in enumerate(c))
    assert cumulative(sum(a * t**k for k, a in enumerate(c)), 0.1) == pytest.approx(exact, abs=1e-10)


@pytest.mark.parametrize("count", [1, 2, 3, 4])
def test_cumulative_integral_of_few_samples(count):
    assert cumulative(np.full(count, 2.0), 0.5) == pytest.approx(np.arange(count), abs=1e-14)


@pytest.mark.chrono
def test_free_fall_is_recorded_from_the_start_to_the_end():
    recorder, _ = falling(1.0)
    run = recorder.run(1e-3, 0.2, every=10)
    assert run["t"] == pytest.approx(np.arange(21) * 0.01)
    assert run["z"] == pytest.approx(1.0 - 0.5 * 9.81 * run["t"] ** 2, abs=1e-12)
    assert run["kinetic"] == pytest.approx(0.5 * 0.05 * (9.81 * run["t"]) ** 2, abs=1e-12)
    assert run["potential"] == pytest.approx(0.05 * 9.81 * run["z"], abs=1e-12)
    assert run.steps == 200


@pytest.mark.chrono
def test_ledger_closes_over_a_bounce_and_does_not_depend_on_the_records():
    runs = [falling(0.03)[0].run(1e-5, 0.08, every) for every in (1, 50)]
    assert np.abs(runs[0].ledger_error).max() < 1e-6 * runs[0].energy[0]
    assert runs[0]["contact_heat"][-1] > 0.005
    for name in runs[0].names:
        assert runs[1][name] == pytest.approx(runs[0][name][::50], abs=1e-14)


@pytest.mark.chrono
def test_spin_counts_as_kinetic_energy():
    import pychrono as chrono

    system = empty_system(0.0)
    ground = new_body(system, fixed=True)
    body = new_body(system, 1.0, (0, 0, 1))
    body.SetInertiaXX(chrono.ChVector3d(1.0, 2.0, 3.0))
    body.SetInertiaXY(chrono.ChVector3d(0.1, 0.2, 0.3))
    body.SetAngVelLocal(chrono.ChVector3d(1.0, -2.0, 0.5))
    contacts = pc.attach(system)
    contacts.add(pc.Sphere(body, radius=0.01), pc.Plane(ground), SMOOTH)
    inertia = np.array([[1.0, 0.1, 0.2], [0.1, 2.0, 0.3], [0.2, 0.3, 3.0]])
    spin = np.array([1.0, -2.0, 0.5])
    run = Recorder(contacts, [body], lambda seen: {}).run(1e-3, 2e-3)
    assert run["kinetic"][0] == pytest.approx(0.5 * spin @ inertia @ spin)


@pytest.mark.chrono
def test_run_ends_where_it_may_and_progress_reaches_the_end():
    seen = []
    run = falling()[0].run(1e-4, 1.0, 1, seen.append, lambda run: run["F"] > 1.0)
    assert run["F"][-1] > 1.0
    assert np.all(run["F"][:-1] <= 1.0)
    assert run.steps == len(run) - 1
    assert seen == sorted(seen)
    assert seen[-1] == 1.0


@pytest.mark.chrono
def test_drive_power_becomes_work_and_own_energies_replace_the_bodies():
    recorder, _ = falling(1.0)
    recorder._columns = lambda seen: {"drive_power": 3.0 + 0.0 * seen.t, "potential": 7.0 * seen.t}
    run = recorder.run(1e-3, 0.1)
    assert "drive_power" not in run.names
    assert run["drive_work"][-1] == pytest.approx(0.3)
    assert run["potential"][-1] == pytest.approx(0.7)


@pytest.mark.chrono
@pytest.mark.parametrize("integrator", ["runge_kutta", "euler_implicit_linearized", "hht"])
def test_nan_from_the_user_ends_the_run_and_keeps_the_records(integrator):
    import pychrono as chrono

    recorder, ball = falling(integrator=integrator)

    def spoil(share):
        if share > 0.5:
            ball.SetPosDt(chrono.ChVector3d(float("nan"), 0.0, 0.0))

    with pytest.raises(DivergedError, match=r"'ball' is not finite .*: use a smaller step than 0.0001 s$") as caught:
        recorder.run(1e-4, 0.1, 1, spoil)
    kept = caught.value.trajectory
    assert 0.05 < kept["t"][-1] < 0.06
    assert np.all(np.isfinite(kept.data))


@pytest.mark.chrono
def test_exception_of_a_scene_ends_the_run_and_keeps_the_records():
    recorder, ball = falling()

    def stop(run):
        if run["t"][-1] > 0.05:
            recorder._system.RemoveBody(ball)
        return run["t"] < 0.0

    with pytest.raises(DivergedError, match="contacts were added or removed during a recorded run") as caught:
        recorder.run(1e-4, 0.1, 1, stop=stop)
    assert len(caught.value.trajectory) > 400


@pytest.mark.parametrize(
    ("failure", "message"),
    [
        (None, "ended at the start (a column is no longer finite): use a smaller step than 0.01 s"),
        (StateError("no state"), "ended at the start (no state): use a smaller step than 0.01 s"),
        (
            RuntimeError("no solution"),
            "ended at the start (no solution): use a smaller step than 0.01 s",
        ),
        (
            LawError("no number"),
            "ended at the start (no number): use a smaller step than 0.01 s or a law that is finite there",
        ),
        (SystemChangedError("a body left"), "ended at the start: a body left"),
        (KeyError("x"), "ended at the start: KeyError: 'x'"),
    ],
)
def test_a_smaller_step_is_advised_only_where_it_may_help(failure, message):
    kept = Trajectory(("t",), np.zeros((0, 1)), 0)
    error = _diverged(failure, kept, 0.01)
    assert str(error) == f"the run on Chrono {message}"
    assert error.trajectory is kept


@pytest.mark.chrono
def test_contacts_may_not_change_during_a_run():
    recorder, _ = falling()
    contacts = recorder._contacts

    def change(share):
        if share > 0.5:
            contacts.remove(0)

    with pytest.raises(DivergedError, match="added or removed"):
        recorder.run(1e-4, 0.1, 1, change)


@pytest.mark.chrono
@pytest.mark.parametrize(
    ("arguments", "message"),
    [((0.0, 1.0), "step must be greater"), ((1e-3, -1.0), "time must"), ((1e-3, 1.0, 0), "integer of at least 1")],
)
def test_bad_numbers_are_refused(arguments, message):
    with pytest.raises(ParameterError, match=message):
        falling()[0].run(*arguments)
