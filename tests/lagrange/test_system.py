"""A model with its numbers: what is refused, what the columns mean, and what the contacts feel."""

from __future__ import annotations

import math

import numpy as np
import pytest
from lagrange_models import block, moving_floor, oscillator, rates, towed_mass

from chrono_powercontact.errors import ModelError, ParameterError, PowerContactError, UnknownNameError
from chrono_powercontact.lagrange.building.textbook import two_masses
from chrono_powercontact.lagrange.layout import LEDGER_NAMES
from chrono_powercontact.lagrange.runs import run_rk4
from chrono_powercontact.lagrange.system import System
from chrono_powercontact.laws.friction.dissipation import Dissipation, Friction
from chrono_powercontact.laws.friction.lugre import LuGre
from chrono_powercontact.laws.friction.memory import LPVFilter, LTIFilter
from chrono_powercontact.laws.material import Material
from chrono_powercontact.laws.normal.restriction import Restriction
from chrono_powercontact.scenarios.bodies.cube_model import cube_model
from chrono_powercontact.scenarios.bodies.pendulum_model import double_pendulum_model
from chrono_powercontact.trajectory import Trajectory

PENDULUM = {"m1": 0.1, "m2": 0.13, "l1": 0.1, "l2": 0.12, "y0": 0.01, "g": 9.81}
GROUND = Restriction(0.01, 0.006, 400.0, 4.0)
FLOOR = {"m": 0.2, "g": 9.81, "k": 0.0, "a": 0.0, "w": 0.0, "belt": 0.0, "f": 0.0}
TOWED = {"m": 0.1, "k": 10.0, "pull": 0.1, "angle": 0.0}
ROUGH = Friction(0.3, 0.4, 1e-3, 2e-3)
LUGRE = LuGre(0.3, 0.4, 0.01, 1e3, 1.0)
FILTER = LTIFilter(1e-3)

# --- what is refused -------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("arguments", "error", "message"),
    [
        (
            (PENDULUM | {"m3": 1.0},),
            UnknownNameError,
            "unknown parameter 'm3': allowed: g, l1, l2, m1",
        ),
        (
            ({"m1": 1.0, "g": 9.81},),
            ParameterError,
            r"'double_pendulum' needs a value for each parameter, missing \['m2', 'l1'",
        ),
        ((PENDULUM | {"l1": math.nan},), ParameterError, "l1 must be a finite number, got nan"),
        ((PENDULUM | {"l1": math.inf},), ParameterError, "l1 must be a finite number, got inf"),
        ((PENDULUM | {"l1": "long"},), ParameterError, "l1 must be a number, got 'long'"),
        ((PENDULUM | {"l1": None},), ParameterError, "l1 must be a number, got None"),
        ((PENDULUM, {"3": Material(GROUND)}), UnknownNameError, "unknown contact point '3': allowed: 1, 2"),
        (
            (PENDULUM, {}, {"1": Dissipation(1.0, 1.0, 0.1)}),
            UnknownNameError,
            "unknown friction point '1': allowed: none",
        ),
        ((PENDULUM, {}, {}, {"hinge": FILTER}), UnknownNameError, "unknown friction point 'hinge': allowed: none"),
        (
            (PENDULUM, {}, {}, {}, {"phi1": FILTER}),
            ParameterError,
            r"needs a value for each coordinate, missing \['phi2'\]",
        ),
        (
            (PENDULUM, {}, {}, {}, {"phi1": FILTER, "phi3": FILTER}),
            UnknownNameError,
            "unknown coordinate 'phi3': did you",
        ),
        (
            (PENDULUM, {"2": Material(GROUND, LUGRE)}, {}, {}, {"phi1": FILTER, "phi2": FILTER}),
            ModelError,
            "LuGre keeps its memory at the point",
        ),
    ],
)
def test_wrong_numbers_and_names_are_refused(arguments: tuple[object, ...], error: type, message: str) -> None:
    with pytest.raises(error, match=message) as caught:
        System(double_pendulum_model(), *arguments)
    assert isinstance(caught.value, PowerContactError)


def test_lugre_at_a_friction_point_cannot_be_filtered_per_coordinate() -> None:
    with pytest.raises(ModelError, match="LuGre keeps its memory at the point"):
        System(towed_mass(), TOWED, frictions={"plane": LUGRE}, coordinate_memory={"x": FILTER, "y": FILTER})
    System(towed_mass(), TOWED, frictions={"plane": LUGRE})


def test_quasi_velocities_are_addressed_by_their_own_names() -> None:
    numbers = {"m": 0.1, "k": 0.1, "g": 9.81}
    names = ("v_x", "v_y", "v_z", "w_x", "w_y", "w_z")
    system = System(cube_model("quaternion"), numbers, coordinate_memory=dict.fromkeys(names, FILTER))
    assert system.memory_size == 6
    with pytest.raises(UnknownNameError, match="unknown coordinate 'x'"):
        System(cube_model("quaternion"), numbers, coordinate_memory={"x": FILTER})


@pytest.mark.parametrize(
    ("state", "message"),
    [
        (([0.1], [0.0, 0.0]), "q must have 2 entries, got 1"),
        (([0.1, 0.2], [0.0, 0.0, 0.0]), "u must have 2 entries, got 3"),
        (([0.1, 0.2], [0.0, 0.0], [0.0, 0.0]), "memory must have 1 entries, got 2"),
        (([0.1, math.nan], [0.0, 0.0]), r"q must be finite, got \[0.1, nan\]"),
        (([0.1, 0.2], [math.inf, 0.0]), r"u must be finite, got \[inf, 0.0\]"),
        (([0.1, 0.2], [0.0, 0.0], [math.nan]), r"memory must be finite, got \[nan\]"),
    ],
)
def test_states_that_do_not_fit_are_refused(state: tuple[list[float], ...], message: str) -> None:
    with pytest.raises(ParameterError, match=message):
        System(double_pendulum_model(), PENDULUM, {"2": Material(GROUND, ROUGH)}).state(*state)


def test_friction_needs_a_point_with_a_tangential_velocity() -> None:
    with pytest.raises(PowerContactError):
        System(double_pendulum_model(), PENDULUM, {"1": Material(GROUND, ROUGH)})


@pytest.mark.parametrize("laws", [{"frictions": {"plane": ROUGH}}, {"memories": {"plane": FILTER}}])
def test_friction_points_need_a_law_of_their_own(laws: dict[str, object]) -> None:
    with pytest.raises(PowerContactError):
        System(towed_mass(), TOWED, **laws)


def test_effective_mass_needs_all_coordinates() -> None:
    with pytest.raises(ParameterError, match="q must have 2 entries, got 1"):
        System(double_pendulum_model(), PENDULUM).effective_mass([0.1])


# --- state and columns -----------------------------------------------------------------------------------------


def test_a_state_is_coordinates_velocities_memory_and_an_empty_ledger() -> None:
    system = System(double_pendulum_model(), PENDULUM, {"2": Material(GROUND, ROUGH, FILTER)})
    assert system.state([1, 2], [3, 4], [5]).tolist() == [1.0, 2.0, 3.0, 4.0, 5.0, 0.0, 0.0, 0.0, 0.0]
    assert system.state([1, 2], [3, 4]).tolist() == [1.0, 2.0, 3.0, 4.0, 0.0, 0.0, 0.0, 0.0, 0.0]
    per_angle = System(double_pendulum_model(), PENDULUM, coordinate_memory={"phi1": FILTER, "phi2": FILTER})
    assert per_angle.state([1, 2], [3, 4], [5, 6]).tolist() == [1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 0.0, 0.0, 0.0, 0.0]
    assert System(oscillator(), {"m": 1.0, "k": 1.0}).memory_size == 0


SYSTEMS = {
    "oscillator": lambda: System(oscillator(), {"m": 1.0, "k": 1.0}),
    "point": lambda: System(double_pendulum_model(), PENDULUM, {"2": Material(GROUND, ROUGH, FILTER)}),
    "coordinate": lambda: System(
        double_pendulum_model(),
        PENDULUM,
        {"2": Material(GROUND, ROUGH)},
        coordinate_memory={"phi1": FILTER, "phi2": FILTER},
    ),
    "plane": lambda: System(towed_mass(), TOWED, frictions={"plane": LuGre(1.0, 1.4, 0.02, 1e4, 100.0)}),
    "cube": lambda: System(cube_model("quaternion"), {"m": 0.1, "k": 0.1, "g": 9.81}),
}

EXPECTED = {
    "oscillator": ["x", "x_dot"],
    "point": ["phi1", "phi2", "phi1_dot", "phi2_dot", "memory_2"],
    "coordinate": ["phi1", "phi2", "phi1_dot", "phi2_dot", "Q_phi1", "Q_phi2"],
    "plane": ["x", "y", "x_dot", "y_dot", "memory_plane_x", "memory_plane_y"],
    "cube": [
        *("x", "y", "z", "e0", "e1", "e2", "e3", "v_x", "v_y", "v_z", "w_x", "w_y", "w_z"),
        *(f"memory_{i}_{axis}" for i in range(1, 9) for axis in "xy"),
    ],
}


@pytest.mark.parametrize("name", SYSTEMS)
def test_columns_name_the_data(name: str) -> None:
    """A state of all different numbers is found again under the columns' names."""
    system, expected = SYSTEMS[name](), EXPECTED[name]
    assert len(set(system.columns)) == len(system.columns)
    assert system.columns[: len(expected) + 5] == ["t", *expected, *LEDGER_NAMES]
    x = np.concatenate([0.01 * np.arange(1.0, len(expected) + 1.0), [11.0, 12.0, 13.0, 14.0]])
    record = rates(system, x, 0.5).record
    assert record["t"] == 0.5
    assert [record[column] for column in (*expected, *LEDGER_NAMES)] == x.tolist()
    assert system.columns[-3:] == ["kinetic", "potential", "stored"]
    run = run_rk4(system, x, 1e-6, 3e-6)
    assert run.names == tuple(system.columns)
    assert run.data.shape == (4, len(system.columns))


def test_contact_columns_carry_the_names_of_the_points() -> None:
    middle = [c for c in SYSTEMS["point"]().columns if c[:2] in ("s_", "F_", "Ft")]
    assert middle == ["s_1", "s_2", "F_1", "F_2", "Ft_2"]
    assert [c for c in SYSTEMS["plane"]().columns if c[:2] == "Ft"] == ["Ft_plane_x", "Ft_plane_y"]


# --- assignment of laws ----------------------------------------------------------------------------------------


def test_laws_reach_the_points_they_are_given_to() -> None:
    """Friction at the second damper of two alone, and a filter at the first alone."""
    numbers = {"m1": 1.0, "m2": 2.0, "c1": 0.0, "c2": 0.0, "F1": 0.0, "F2": 0.0}
    second = System(two_masses(), numbers, frictions={"d2": Dissipation(0.0, 0.0, 1.0, d=3.0)})
    found = rates(second, second.state([0.0, 0.0], [0.5, 2.0]))
    assert [found.record["Ft_d1"], found.record["Ft_d2"]] == pytest.approx([0.0, 4.5])
    assert found.u_dot == pytest.approx([4.5, -2.25])
    laws = {"d1": Dissipation(0.0, 0.0, 1.0, d=7.0), "d2": Dissipation(0.0, 0.0, 1.0, d=3.0)}
    filtered = System(two_masses(), numbers, frictions=laws, memories={"d1": LTIFilter(0.1)})
    found = rates(filtered, filtered.state([0.0, 0.0], [0.5, 2.0], [1.5, 9.0]))
    assert [found.record["Ft_d1"], found.record["Ft_d2"]] == pytest.approx([1.5, 4.5])
    assert found.memory == pytest.approx([(3.5 - 1.5) / 0.1, 0.0])


def test_coordinate_memory_replaces_the_filters_of_the_points() -> None:
    keep = {"phi1": LPVFilter(1e-3, 0.5), "phi2": LPVFilter(1e-3, 0.5)}
    with_both = System(
        double_pendulum_model(), PENDULUM, {"2": Material(GROUND, ROUGH, FILTER)}, coordinate_memory=keep
    )
    alone = System(double_pendulum_model(), PENDULUM, {"2": Material(GROUND, ROUGH)}, coordinate_memory=keep)
    x = alone.state([0.0, -0.02], [-1.0, 1.0], [0.1, 0.2])
    both, one = rates(with_both, x), rates(alone, x)
    assert np.array_equal(both.u_dot, one.u_dot)
    assert np.array_equal(both.memory, one.memory)
    assert np.abs(one.memory).min() > 0.0


# --- effective mass --------------------------------------------------------------------------------------------


def felt_mass(q: np.ndarray, point: int) -> float:
    """Mass along y at a mass point of the pendulum, from Cartesian masses and rods as constraints."""
    m1, m2, l1, l2 = (PENDULUM[name] for name in ("m1", "m2", "l1", "l2"))
    first = np.array([math.cos(q[0]), math.sin(q[0])])
    second = np.array([math.cos(q[0] + q[1]), math.sin(q[0] + q[1])])
    rods = np.array([[*(l1 * first), 0.0, 0.0], [*(-l2 * second), *(l2 * second)]])
    w = np.diag(1.0 / np.array([m1, m1, m2, m2]))
    unit = np.eye(4)[2 * point + 1]
    left = w - w @ rods.T @ np.linalg.solve(rods @ w @ rods.T, rods @ w)
    return float(1.0 / (unit @ left @ unit))


def test_effective_mass_of_the_pendulum() -> None:
    system = System(double_pendulum_model(), PENDULUM)
    assert system.effective_mass([0.0, 0.0]) == pytest.approx({"1": 0.1, "2": 0.13})  # flat: both move freely along y
    for q in np.random.default_rng(2).uniform(-1.3, 1.3, (10, 2)):
        expected = {"1": felt_mass(q, 0), "2": felt_mass(q, 1)}
        assert system.effective_mass(q) == pytest.approx(expected, rel=1e-10)
    assert system.effective_mass([math.pi / 2, 0.0])["2"] > 1e20  # upright: no way to move along y


def test_effective_mass_of_a_falling_cube_corner() -> None:
    """1/m_eff = 1/m + (r x n)^T I^-1 (r x n), with r from the centre to the corner."""
    system = System(cube_model("quaternion"), {"m": 0.1, "k": 0.1, "g": 9.81})
    found = system.effective_mass([0.0, 0.0, 1.0, 1.0, 0.0, 0.0, 0.0])
    inertia = 0.1 * 0.1**2 / 6.0
    assert list(found.values()) == pytest.approx([1.0 / (1.0 / 0.1 + 2 * 0.05**2 / inertia)] * 8)


# --- hyperstatic contact ---------------------------------------------------------------------------------------

BLOCK = {"m": 16.0, "a": 0.2, "b": 0.1, "g": 9.81}
WEIGHT = 16.0 * 9.81
HARD = Restriction(0.0, -1e-4, 2.0 * WEIGHT, 100.0)


def block_run(force: float, speed: float, order: str = "AB", time: float = 0.2) -> Trajectory:
    material = Material(HARD, Friction(0.1, 0.1, 1e-4))
    system = System(block(order), BLOCK | {"F": force}, dict.fromkeys(order, material))
    rest = HARD.rest_distance(0.5 * WEIGHT) + 0.05
    return run_rk4(system, system.state([0.0, rest, 0.0], [speed, 0.0, 0.0]), 2e-5, time, 100)


def test_a_pulled_block_shares_friction_in_proportion_to_its_normal_forces() -> None:
    run = block_run(9.0, 0.0)
    normal = [run["F_A"][-1], run["F_B"][-1]]
    assert normal == pytest.approx([0.5 * (WEIGHT - 9.0), 0.5 * (WEIGHT + 9.0)], rel=2e-3)
    friction = [run["Ft_A"][-1], run["Ft_B"][-1]]
    assert friction == pytest.approx([4.24, 4.76], abs=0.02)
    assert sum(friction) == pytest.approx(9.0, rel=1e-3)
    assert run["x_dot"][-1] == pytest.approx(1e-4 * math.atanh(9.0 / (0.1 * WEIGHT)), rel=1e-2)  # creep


def test_a_sliding_block_has_the_published_contact_forces() -> None:
    run = block_run(2.0, 0.2, time=0.1)
    assert run["x_dot"][-1] > 0.1
    forces = [-run["Ft_A"][-1], run["F_A"][-1], -run["Ft_B"][-1], run["F_B"][-1]]
    assert forces == pytest.approx([-7.4056, 74.056, -8.2904, 82.904], rel=2e-3)


@pytest.mark.parametrize(("force", "speed"), [(9.0, 0.0), (2.0, 0.2)])
def test_contacts_in_another_order_give_the_same_motion_and_forces(force: float, speed: float) -> None:
    there, back = block_run(force, speed, "AB"), block_run(force, speed, "BA")
    for name in there.names:
        scale = np.abs(there[name]).max() + 1e-12
        assert np.abs(there[name] - back[name]).max() < 1e-9 * scale, name


def test_materials_in_another_order_are_the_same_system() -> None:
    ground, other = Material(GROUND, ROUGH), Material(Restriction(0.01, 0.005, 300.0, 1.0))
    runs = []
    for names in ("12", "21"):
        materials = {name: {"1": other, "2": ground}[name] for name in names}
        system = System(double_pendulum_model(), dict(sorted(PENDULUM.items(), reverse=names == "21")), materials)
        runs.append(run_rk4(system, system.state([0.3, -0.8], [0.0, 0.0]), 1e-4, 0.2))
    assert np.array_equal(runs[0].data, runs[1].data)
    assert runs[0]["F_2"].max() > 1.0


def test_a_floor_that_stands_still_is_the_plain_floor() -> None:
    """The same restriction through s(q, t) with zero amplitude: nothing of the drive is left."""
    system = System(moving_floor(), FLOOR, {"floor": Material(GROUND, ROUGH)})
    run = run_rk4(system, system.state([0.0, 0.03], [0.4, 0.0]), 1e-4, 0.2)
    assert run["F_floor"].max() > 1.0
    assert np.array_equal(run["drive_work"], np.zeros(len(run)))
