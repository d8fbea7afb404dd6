import numpy as np
import pytest


@pytest.mark.parametrize("friction", [True, False])
@pytest.mark.parametrize("rotation", ["quaternion", "angles"])
def test_first_contact_and_energy_at_the_start(outcome, friction, rotation):
    metrics = outcome("cube", friction=friction, rotation=rotation).metrics
    assert metrics["first_contact"] == pytest.approx(0.4354, abs=5e-5)
    assert metrics["energy_start"] == pytest.approx(1.2394, abs=5e-5)


def test_frictionless_cube_keeps_its_horizontal_velocity(outcome):
    metrics = outcome("cube", friction=False).metrics
    assert metrics["velocity_drift"] < 1e-9
    assert metrics["final_position"][:2] == pytest.approx([6.0, 3.0], abs=1e-9)


def test_energy_never_rises_without_friction_at_a_fine_step(outcome):
    assert outcome("cube", friction=False, step=1e-5, time=1.5).metrics["max_energy_gain"] < 1e-9


def test_ledger_closes_with_friction(outcome):
    metrics = outcome("cube", step=5e-6, time=1.0).metrics
    assert metrics["ledger_error"] < 1e-8
    assert metrics["max_energy_gain"] <= metrics["handed_back"] + 1e-12


def test_friction_brings_the_cube_to_rest_flat(outcome):
    run = outcome("cube")
    assert run.metrics["energy_end"] == pytest.approx(0.0512, abs=2e-4)  # m g times half an edge and the corner radius
    assert run.metrics["final_position"][2] == pytest.approx(0.0521, abs=2e-4)


def test_thesis_filter_per_angle_still_runs(outcome):
    run = outcome("cube", rotation="angles", memory="coordinate")
    assert run.metrics["first_contact"] == pytest.approx(0.4354, abs=5e-5)
    assert run.metrics["energy_end"] < 0.06
    assert np.abs(run.trajectory["Q_z"]).max() < 1e-12


def test_angles_and_quaternion_fly_alike_until_the_first_contact(outcome):
    a, b = (outcome("cube", rotation=rotation).trajectory for rotation in ("angles", "quaternion"))
    before = a["t"] < 0.43
    for corner in range(1, 9):
        assert np.abs(a[f"s_{corner}"] - b[f"s_{corner}"])[before].max() < 1e-9


def test_frictionless_ground_turns_nothing_about_the_vertical(outcome):
    """The corners push upwards only: no torque about z, and with the inertia of a ball no spin about it."""
    run = outcome("cube", friction=False, step=1e-5, time=1.5).trajectory
    e0, e1, e2, e3 = (run[f"e{i}"] for i in range(4))
    upward = (2.0 * (e1 * e3 - e0 * e2), 2.0 * (e2 * e3 + e0 * e1), e0**2 - e1**2 - e2**2 + e3**2)
    spin = sum(part * run[name] for part, name in zip(upward, ("w_x", "w_y", "w_z"), strict=True))
    assert np.abs(spin - spin[0]).max() < 1e-9
    assert np.ptp(run["w_z"]) > 10.0


def test_without_the_stored_energy_it_rises_in_restitution(outcome):
    """The thesis lets T + V fall monotonically; it does so with the energy that the corners store."""
    run = outcome("cube", friction=False, step=1e-5, time=1.5).trajectory
    assert np.diff(run["kinetic"] + run["potential"]).max() > 1e-3
