"""Runs of both engines against runs on Chrono that were recorded earlier."""

from pathlib import Path

import numpy as np
import pytest

from chrono_powercontact.app import recorded_runs as records
from chrono_powercontact.app.runner import execute
from chrono_powercontact.chrono.api import bridge as api
from chrono_powercontact.errors import ParameterError
from chrono_powercontact.scenarios.catalogue import find
from chrono_powercontact.trajectory import Trajectory

DATA = Path(__file__).parents[1] / "data"
FILES = sorted(DATA.glob("chrono_*.json"))
NAMES = [path.stem.removeprefix("chrono_") for path in FILES]

LIMITS = {
    "ball": (1e-6, ()),
    "wall": (1e-4, ()),
    "drop": (1e-5, ()),
    "pendulum": (5e-4, ()),
    "pendulum_friction": (5e-4, ("phi1", "phi2", "s_1", "s_2")),
    "cube": (1e-6, ("x", "y", "z", "v_x", "v_y", "kinetic", "potential")),
    "cube_smooth": (1e-6, ("x", "y", "z", "v_z", "kinetic", "potential")),
    "stick_slip": (2e-3, ("x", "x_dot", "kinetic", "drive_work", "friction_heat")),
    "stick_slip_fine": (2e-3, ("x", "x_dot", "kinetic", "drive_work", "friction_heat")),
    "stick_slip_lugre": (2e-3, ("x", "x_dot", "kinetic", "drive_work")),
    "stick_slip_2d": (1e-4, ()),
    "stick_slip_2d_thesis": (1e-2, ("x", "y", "kinetic", "drive_work")),
    "slope": (5e-2, ("x", "z", "potential", "friction_heat")),
    "slide": (1e-3, ("x", "z", "x_dot", "kinetic", "friction_heat")),
    "stack": (1e-3, ("z1", "z2", "z3", "z4", "z5", "kinetic")),
    "roll": (1e-3, ("x", "x_dot", "phi_dot", "kinetic")),
    "rake_cleaner": (5e-4, ()),
    "gait_trainer": (1e-2, ()),
    "gait_control": (1e-2, ()),
    "rocking_slope": (5e-3, ()),
    "box_stack": (5e-3, ()),
    "ladder": (1e-5, ()),
    "gripper": (1e-3, ("x", "w", "F_1", "F_2")),
    "wheel": (1e-4, ()),
    "hyperstatic_block": (2e-2, ()),
    "four_legs": (1e-2, ()),
    "four_bar": (1e-4, ()),
    "slider_crank": (1e-4, ()),
    "double_rocker": (1e-4, ()),
    "leg": (1e-4, ("theta", "kappa", "epsilon", "s")),
    "lagrange_example": (1e-4, ("q1", "q2", "q1_dot", "q2_dot")),
}
"""Largest difference between the engines over the span of a column, and the columns that tell; all unless named."""


def scenario_of(name):
    return records.read(DATA / f"chrono_{name}.json").scenario


def differences(name, engine, given, until=np.inf):
    record = records.read(DATA / f"chrono_{name}.json")
    run = execute(find(record.scenario), given(record), engine).outcome.trajectory
    found = record.differences(run, until)
    return {column: found[column] for column in LIMITS[name][1] or found}


def test_every_chrono_scenario_is_recorded():
    wanted = [name for scenario in map(find, records.chrono_names()) for name in records.runs_of(scenario)]
    assert set(wanted) <= set(NAMES), "run: powercontact record"


@pytest.mark.parametrize("name", NAMES)
def test_reference_engine_meets_the_record(name):
    found = differences(name, "reference", lambda record: record.given)
    assert len(found) >= 3
    assert max(found.values()) < LIMITS[name][0], found


PROCESSOR = {"pendulum": 2e-5, "slider_crank": 1e-4, "roll": 1e-3}
"""By how much runs on different processors may differ. With joints, Chrono's Runge and Kutta differentiates constraints
twice over 1e-6 s, which makes much of round-off: two processors were 1.4e-6 apart. The slider crank strikes a wall, and
the force of an impact that is 1e-7 of the motion late differs by 1.1e-5 of its peak. Filtered friction of the rolling
ball chatters by its own speed of 1e-4 m/s, with a phase that is round-off."""

EARLY = {
    "stick_slip_lugre": 2.0,
    "stick_slip_fine": 2.0,
    "stick_slip_2d_thesis": 2.0,
    "rake_cleaner": 62.0,
    "cube": 0.5,
    "cube_smooth": 0.5,
    "pendulum_friction": 0.15,
    "stack": 5.5,
}
"""Until when in s long runs are repeated: beyond the first slip or contact, whose round-off the rest inherits."""


@pytest.mark.chrono
@pytest.mark.parametrize("name", NAMES)
def test_chrono_meets_its_own_record(name, monkeypatch):
    until = EARLY.get(name, np.inf)
    shorter = {"time": until} if name in EARLY else {}
    if name.startswith("stick_slip_"):
        monkeypatch.setattr(f"chrono_powercontact.scenarios.friction.{scenario_of(name)}.RUN_TIME", min(until, 8.0))
        shorter = {}
    found = differences(name, "chrono", lambda record: {**record.params, **shorter}, until)
    assert max(found.values()) < PROCESSOR.get(name, 1e-6), found


@pytest.mark.parametrize("name", NAMES)
def test_record_names_versions_parameters_and_metrics(name):
    record = records.read(DATA / f"chrono_{name}.json")
    assert name in records.runs_of(find(record.scenario))
    assert set(record.versions) == {"package_version", "engine_version"}
    assert {p.name for p in find(record.scenario).parameters_on("reference")} < set(record.params)
    assert record.params["integrator"] in api.INTEGRATORS
    assert record.metrics
    assert 100 <= record.columns["t"].size <= records.SAMPLES
    assert all(values.size == record.columns["t"].size for values in record.columns.values())


def test_difference_is_seen_and_is_relative_to_the_span():
    t = np.linspace(0.0, 1.0, 11)
    record = records.Record("x", {}, {}, {}, {"t": t, "s": 4.0 * t, "F": t})
    run = Trajectory(("t", "s"), np.column_stack([t, 4.0 * t + 0.1 * (t > 0.75)]), 10)
    assert record.differences(run) == {"s": pytest.approx(0.025)}
    assert record.differences(run, 0.5) == {"s": 0.0}


def test_scenario_without_a_chrono_scene_cannot_be_recorded(tmp_path):
    with pytest.raises(ParameterError, match="'hysteresis' has no Chrono scene to record; these have one: ball, "):
        records.record(["hysteresis"], tmp_path)


@pytest.mark.chrono
def test_recording_twice_gives_the_same_file(tmp_path):
    (first,), (second,) = (records.record(["wall"], tmp_path / part) for part in "ab")
    assert first.name == "chrono_wall.json"
    assert first.read_bytes() == second.read_bytes()
    assert records.read(first).metrics["broke_through"] is True
