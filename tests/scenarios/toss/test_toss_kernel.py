from dataclasses import replace

import numpy as np
import pytest
from scipy.spatial.transform import Rotation

import chrono_powercontact as pc
from chrono_powercontact.scenarios.bodies.cube_model import cube_model
from chrono_powercontact.scenarios.toss.toss_body import MASS, PRESLIDING, SMOOTHING, TossedCube, toss_records
from chrono_powercontact.scenarios.toss.toss_kernel import QUATERNION, SIZE, V, W, X, toss_ensemble

SAMPLE = 1.0 / 148.0
EDGE = 0.0968
PLAIN = TossedCube(0.2, 0.3, (EDGE**2 / 6.0, EDGE**2 / 6.0))
"""A cube like that of the symbolic model: solid, its centre of mass in the middle."""


def flat(speed=0.0):
    """A cube that lies on the ground and slides along x."""
    state = np.zeros(SIZE)
    state[[X + 2, QUATERNION, V]] = 0.0508 - 1e-4, 1.0, speed
    return state


def thrown():
    state = np.zeros(SIZE)
    state[X + 2] = 0.11
    state[QUATERNION:V] = Rotation.from_rotvec([0.5, 0.3, 0.2]).as_quat()[[3, 0, 1, 2]]
    state[V:W] = 0.8, -0.5, -0.3
    state[W:SIZE] = 2.0, -3.0, 1.0
    return state


def test_a_toss_is_the_run_of_the_reference_engine():
    model = cube_model("quaternion", "surface")
    friction = pc.Friction(PLAIN.mu, PLAIN.mu, SMOOTHING, SMOOTHING)
    law = replace(PLAIN.corner_law(), s_0=PLAIN.radius, s_c=PLAIN.radius + PLAIN.corner_law().s_c)
    material = pc.Material(law, friction, pc.Anchor(PRESLIDING))
    numbers = {"m": MASS, "k": EDGE, "g": PLAIN.gravity, "s_0": PLAIN.radius}
    system = pc.System(model, numbers, {contact.name: material for contact in model.contacts})
    start = thrown()
    run = pc.run_rk4(system, system.state(start[:V], start[V:]), SAMPLE / 80, 40 * SAMPLE, 80)
    toss = toss_ensemble(toss_records([PLAIN]), start[None], np.array([0, 41]), SAMPLE, 80)
    place = np.column_stack([run[name] for name in "xyz"])
    assert np.abs(place - toss[:, X:QUATERNION]).max() < 2e-5
    turn = np.column_stack([run[f"e{i}"] for i in range(4)])
    assert np.abs(np.sum(turn * toss[:, QUATERNION:V], axis=1)).min() > 1.0 - 1e-6


def test_a_flat_cube_slides_as_far_as_coulomb_says_and_stays_there():
    speed = 0.6
    toss = toss_ensemble(toss_records([PLAIN]), flat(speed)[None], np.array([0, 120]), SAMPLE)
    assert toss[-1, X] == pytest.approx(speed**2 / (2.0 * PLAIN.mu * PLAIN.gravity), rel=0.01)
    assert np.abs(toss[-1, V:]).max() < 1e-4


def test_friction_falls_with_the_load():
    cubes = [replace(PLAIN, load_exponent=k) for k in (0.0, 0.1)]
    toss = toss_ensemble(toss_records(cubes), np.array([flat(0.6)] * 2), np.array([0, 100, 200]), SAMPLE)
    load = 0.25 * MASS * PLAIN.gravity
    assert toss[99, X] / toss[199, X] == pytest.approx((load / 10.0) ** -0.1, rel=0.01)


def test_flight_is_free_and_a_cube_with_one_heavy_axis_keeps_its_angular_momentum():
    cube = replace(PLAIN, inertia=(1.5e-3, 2.5e-3), centre=(0.0, 0.0, 5e-3))
    start = thrown()
    start[X + 2] = 2.0
    toss = toss_ensemble(toss_records([cube]), start[None], np.array([0, 61]), SAMPLE)
    t = 60 * SAMPLE
    assert toss[-1, X + 2] == pytest.approx(2.0 - 0.3 * t - 0.5 * cube.gravity * t**2, abs=1e-9)
    turn = Rotation.from_quat(toss[:, [4, 5, 6, 3]])
    momentum = turn.apply(toss[:, W:SIZE] * np.array([1.5e-3, 1.5e-3, 2.5e-3]))
    assert momentum[-1] == pytest.approx(momentum[0], rel=1e-6)


def test_energy_falls():
    toss = toss_ensemble(toss_records([PLAIN]), thrown()[None], np.array([0, 100]), SAMPLE)
    kinetic = 0.5 * np.sum(toss[:, V:W] ** 2, axis=1) + 0.5 * EDGE**2 / 6.0 * np.sum(toss[:, W:SIZE] ** 2, axis=1)
    energy = kinetic + PLAIN.gravity * toss[:, X + 2]
    assert energy[-1] < 0.6 * energy[0]
    assert np.max(energy[1:] - np.minimum.accumulate(energy)[:-1]) < 0.02


def test_bad_input_is_one_sentence():
    records = toss_records([PLAIN])
    with pytest.raises(pc.ParameterError, match="starts must have 13 columns"):
        toss_ensemble(records, np.zeros((1, 12)), np.array([0, 5]), SAMPLE)
    with pytest.raises(pc.ParameterError, match="give one cube, or one for each of the 3 tosses, got 2"):
        toss_ensemble(toss_records([PLAIN] * 2), np.array([flat()] * 3), np.arange(4), SAMPLE)
    with pytest.raises(pc.ParameterError, match="substeps must be at least 1, got 0"):
        toss_ensemble(records, flat()[None], np.array([0, 5]), SAMPLE, 0)
