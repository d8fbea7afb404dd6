import numpy as np
import pytest
from PIL import Image

from chrono_powercontact.report.figure import save_animation, save_comparison, save_plot
from chrono_powercontact.scenarios.catalogue import NAMES, find
from chrono_powercontact.scenarios.parameters import read_parameters

QUICK = {
    "restitution_map": {"n_speed": 3, "n_r_d": 3},
    "drop": {"time": 0.2},
    "pendulum": {"time": 0.15},
    "cube": {"time": 0.5},
    "hysteresis": {"step": 1e-4},
    "stick_slip": {"table": "coarse"},
    "stick_slip_2d": {"step": 2e-4},
    "friction_lab": {"case": "dither"},
    "friction_laws": {"law": "anchor"},
    "box_stack": {"boxes": 4, "time": 0.3},
    "double_rocker": {"time": 0.5},
    "cartesian_pendulum": {"time": 2.0},
    "gait_control": {"time": 2.0},
    "gait_faults": {"fault": "sensor", "time": 5.0, "begin": 4.5, "seeds": 1},
    "adoption": {"demo": "buildsystem", "time": 1.0},
    "rattleback": {"time": 0.3, "step": 2e-5},
    "tyre": {"time": 0.25, "step": 5e-5},
    "cube_toss": {"fit": 6},
    "rolling_disc": {"time": 0.2},
    "tippe_top": {"time": 1.0},
    "masonry": {"time": 0.5},
    "euler_disc": {"time": 2.2},
    "hopper": {"grains": 200, "width": 16.0, "narrowest": 6.0, "widest": 8.0, "slots": 3},
    "leg": {"time": 0.5},
    "hyperstatic_start": {"time": 0.3},
}


def marked(name):
    alone = find(name).engines == ("chrono",)
    return pytest.param(name, marks=[pytest.mark.chrono] if alone else [])


STILL = (
    *(
        "restitution_map",
        "hysteresis",
        "rake_sensor",
        "impact_phases",
        "friction_laws",
        "lagrange_example",
        "arm_modes",
    ),
    *("hyperstatic_start", "hyperstatic_energy", "hyperstatic_truth", "four_legs", "cube_toss"),
    *("rolling_disc", "tyre", "rattleback", "tippe_top", "masonry", "pool_table"),
    *("euler_disc", "hopper"),
)
"""Scenarios in which nothing moves that a picture could show, or that have no moving picture yet."""


NO_SCENE = (
    *(
        "restitution_map",
        "impact_phases",
        "hysteresis",
        "friction_laws",
        "lagrange_example",
        "rake_sensor",
        "arm_modes",
    ),
    *("hyperstatic_start", "hyperstatic_energy", "hyperstatic_truth", "cube_toss"),
)
"""Scenarios without a moving 3-D scene: their rows are many runs, prescribed motions, forces or estimates."""


@pytest.fixture(scope="module", params=[marked(name) for name in NAMES])
def finished(request):
    scenario = find(request.param)
    return scenario, scenario.run(read_parameters(scenario.parameters, QUICK.get(request.param, {})))


def test_picture_is_not_blank(finished, tmp_path):
    scenario, outcome = finished
    save_plot(scenario, outcome, tmp_path / "plot.png")
    pixels = np.asarray(Image.open(tmp_path / "plot.png").convert("L"))
    assert pixels.shape == (600, 900)
    assert (pixels < 200).mean() > 0.005


def test_animation_moves(finished, tmp_path):
    scenario, outcome = finished
    moving = save_animation(scenario, outcome, tmp_path / "animation.gif", count=6)
    assert moving is (scenario.name not in STILL)
    if moving:
        film = Image.open(tmp_path / "animation.gif")
        first = np.asarray(film.convert("L"), int)
        film.seek(film.n_frames - 1)
        assert film.n_frames > 3
        assert np.abs(np.asarray(film.convert("L"), int) - first).max() > 30


def test_what_moves_has_a_scene(finished):
    scenario, outcome = finished
    scene = scenario.scene(outcome)
    assert (scene is None) is (scenario.name in NO_SCENE)
    if scene is not None:
        scene.check()
        assert scene.title.startswith(scenario.name)
        assert np.ptp(scene.positions, axis=0).max() > 0.0 or np.ptp(scene.rotations, axis=0).max() > 0.0


def test_comparison_has_a_curve_per_model(tmp_path):
    scenario = find("ball")
    outcomes = {
        name: scenario.run(read_parameters(scenario.parameters, {"law": name})) for name in ("power", "hooke", "flores")
    }
    save_comparison(scenario, outcomes, tmp_path / "compare.png")
    assert Image.open(tmp_path / "compare.png").size == (900, 600)
