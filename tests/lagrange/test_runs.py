"""The integrators: against each other, against the energy ledger, and where they must give up."""

from __future__ import annotations

import tracemalloc
from dataclasses import replace

import numpy as np
import pytest
import sympy as sp
from hypothesis import given, settings
from hypothesis import strategies as st
from lagrange_models import moving_floor, oscillator, rates, real, towed_mass

from chrono_powercontact.errors import DivergedError, ModelError, ParameterError
from chrono_powercontact.lagrange.model import Model, coordinates, velocities
from chrono_powercontact.lagrange.runs import run_adaptive, run_rk4
from chrono_powercontact.lagrange.system import System
from chrono_powercontact.laws.design import stable_friction_step
from chrono_powercontact.laws.friction.anchor import Anchor
from chrono_powercontact.laws.friction.dissipation import Dissipation, Friction
from chrono_powercontact.laws.friction.lugre import LuGre
from chrono_powercontact.laws.friction.memory import LPVFilter, LTIFilter
from chrono_powercontact.laws.material import Material
from chrono_powercontact.laws.normal.restriction import Restriction
from chrono_powercontact.scenarios.bodies.pendulum_model import double_pendulum_model
from chrono_powercontact.scenarios.friction.pulled_mass import pulled_mass_model
from chrono_powercontact.scenarios.impact.point_mass import point_mass
from chrono_powercontact.trajectory import Trajectory

PENDULUM = {"m1": 0.1, "m2": 0.1, "l1": 0.1, "l2": 0.1, "y0": 0.01, "g": 9.81}
GROUND = Restriction(0.01, 0.006, 400.0, 4.0)
STILL = {"m": 0.2, "g": 9.81, "k": 0.0, "a": 0.0, "w": 0.0, "belt": 0.0, "f": 0.0}
MOVING = {"m": 0.2, "g": 9.81, "k": 30.0, "a": 0.004, "w": 25.0, "belt": 0.15, "f": 0.5}
SOFT = Restriction(0.01, 0.004, 60.0, 2.0)
ROUGH = Friction(0.3, 0.4, 0.05, 0.1, 0.2)


def ball(k: float = 1.0) -> System:
    return System(oscillator(), {"m": 1.0, "k": k})


# --- integrators against each other ----------------------------------------------------------------------------


@pytest.mark.parametrize("method", ["DOP853", "Radau", "LSODA"])
def test_integrators_agree_through_an_impact_with_friction(method: str) -> None:
    """The falling pendulum to 0.15 s: its second mass hits the ground at 0.108 s (thesis: at about 0.1 s)."""
    material = Material(GROUND, Friction(0.18, 0.2, 1e-3, 2e-3))
    system = System(double_pendulum_model(), PENDULUM, {"1": Material(GROUND), "2": material})
    start = system.state([3 * np.pi / 8, -np.pi / 2], [0.0, 0.0])
    fixed = run_rk4(system, start, 2e-6, 0.15, 500)
    free = run_adaptive(system, start, 0.15, 151, method, 1e-10, 1e-13)
    assert free.names == fixed.names
    assert free["t"] == pytest.approx(fixed["t"])
    touch = fixed["t"][np.argmax(fixed["s_2"] < 0.01)]
    assert touch == pytest.approx(0.108, abs=1e-3)
    assert fixed["F_2"].max() > 50.0
    for name in ("phi1", "phi2", "phi1_dot", "phi2_dot", "contact_heat", "friction_heat"):
        scale = np.abs(fixed[name]).max()
        assert np.abs(free[name] - fixed[name]).max() < 1e-6 * scale, name


def test_adaptive_run_records_where_it_is_asked_to() -> None:
    run = run_adaptive(ball(4.0), ball().state([1.0], [0.0]), 2.0, records=21)
    assert run["t"] == pytest.approx(np.linspace(0.0, 2.0, 21))
    assert run["x"] == pytest.approx(np.cos(2.0 * run["t"]), abs=1e-7)
    assert run.steps > 10


# --- energy ledger ---------------------------------------------------------------------------------------------

KEEP = LPVFilter(0.02, 0.05)
LEDGERS = {
    "contact alone": (STILL, Material(SOFT), None),
    "friction": (STILL, Material(SOFT, ROUGH), None),
    "lti memory": (STILL, Material(SOFT, ROUGH, LTIFilter(0.02)), None),
    "drives": (MOVING | {"a": 0.0, "belt": 0.0}, Material(SOFT, ROUGH), None),
    "heaving floor": (MOVING | {"belt": 0.0}, Material(SOFT), None),
    "heaving floor and belt": (MOVING, Material(SOFT, ROUGH), None),
    "everything with lpv memory": (MOVING, Material(SOFT, ROUGH, KEEP), None),
    "everything with coordinate memory": (MOVING, Material(SOFT, ROUGH), {"x": KEEP, "y": KEEP}),
}


@pytest.mark.parametrize("name", LEDGERS)
def test_energy_ledger_closes_with_the_fourth_order(name: str) -> None:
    """Energy + heat - handed back - work of the drives stays what it was; what is left is the integrator's error."""
    numbers, material, memory = LEDGERS[name]
    system = System(moving_floor(), numbers, {"floor": material}, coordinate_memory=memory)
    errors = []
    for step in (1e-3, 5e-4, 2.5e-4):
        run = run_rk4(system, system.state([0.0, 0.02], [0.4, 0.0]), step, 0.4)
        errors.append(float(np.abs(run.ledger_error).max()))
    assert run["F_floor"].max() > 5.0
    assert run["contact_heat"][-1] > 1e-3
    assert (run["friction_heat"][-1] > 1e-4) == (material.friction is not None)
    if numbers is not STILL:
        assert abs(run["drive_work"][-1]) > 1e-4
    assert errors[-1] < 5e-7 * run.energy.max()
    assert np.log2(errors[0] / errors[2]) / 2.0 > 3.5, errors


def test_ledger_of_lugre_closes_too() -> None:
    """Bristles store energy: some of it is handed back."""
    material = Material(SOFT, LuGre(0.3, 0.4, 0.1, 200.0, 0.5, 0.1))
    system = System(moving_floor(), STILL | {"k": 30.0}, {"floor": material})
    run = run_rk4(system, system.state([0.0, 0.02], [0.4, 0.0]), 1e-5, 0.5, 100)
    assert run["handed_back"][-1] > 1e-6
    assert np.abs(run.ledger_error).max() < 1e-8 * run.energy[0]


def test_ledger_error_sees_a_missing_joule() -> None:
    names = ("kinetic", "potential", "stored", "contact_heat", "friction_heat", "handed_back", "drive_work")
    data = np.array([[5.0, 1.0, 0.0, 0.0, 0.0, 0.0, 0.0], [2.0, 1.5, 0.5, 1.0, 2.0, 0.25, 0.75]])
    assert Trajectory(names, data, 1).ledger_error == pytest.approx([0.0, 0.0])
    data[1, 0] -= 1.0
    assert Trajectory(names, data, 1).ledger_error == pytest.approx([0.0, -1.0])
    assert Trajectory(names, data, 1).energy == pytest.approx([6.0, 3.0])


def test_contact_heat_of_a_free_impact_is_the_loss_of_kinetic_energy() -> None:
    system = point_mass(0.05, Restriction(0.01, 0.009, 200.0, 1.0))
    run = run_rk4(system, system.state([0.012], [-1.0]), 1e-6, 0.01, 10)
    restitution = run["s_dot"][-1]
    assert restitution == pytest.approx(0.61962, abs=1e-5)  # closed form at r_d v = 1
    assert run["contact_heat"][-1] == pytest.approx(0.025 * (1.0 - restitution**2), rel=1e-6)
    assert run["F_barrier"].max() == pytest.approx(103.39, abs=0.01)


# --- passivity -------------------------------------------------------------------------------------------------

MATERIALS = st.builds(
    lambda width, r_f, r_d, mu, excess, v_c, d: Material(
        Restriction(0.01, 0.01 - width, r_f, r_d),
        Friction(mu, mu * excess, v_c, None, d) if d > 0.5 else Friction(mu, mu * excess, v_c, 2.0 * v_c),
    ),
    st.floats(1e-3, 5e-3), st.floats(20.0, 400.0), st.floats(0.0, 20.0), st.floats(0.0, 1.0), st.floats(1.0, 2.0),
    st.floats(0.01, 0.2), st.floats(0.0, 1.0),
)  # fmt: skip


@settings(deadline=None, max_examples=200)
@given(MATERIALS, st.floats(-0.01, 0.05), st.floats(-3.0, 3.0), st.floats(-3.0, 3.0))
def test_no_contact_makes_energy_at_any_state(material: Material, height: float, vx: float, vy: float) -> None:
    """The rates of the ledger: heat in contact and friction is never negative, nothing is handed back or driven."""
    system = System(moving_floor(), STILL, {"floor": material})
    contact, friction, handed_back, drive = rates(system, system.state([0.0, height], [vx, vy])).ledger
    assert contact >= 0.0
    assert friction >= 0.0
    assert handed_back == 0.0
    assert drive == 0.0


@settings(deadline=None, max_examples=60)
@given(MATERIALS, st.floats(0.008, 0.03), st.floats(-1.0, 1.0), st.floats(-2.0, 1.0), st.floats(0.0, 40.0))
def test_energy_never_rises_without_drive_and_memory(
    material: Material, height: float, vx: float, vy: float, k: float
) -> None:
    """T + V + U along the motion; the step resolves the stiffest contact and the steepest friction."""
    system = System(moving_floor(), STILL | {"k": k}, {"floor": material})
    law, friction = material.normal, material.friction
    step = min(
        0.02 * np.sqrt(0.2 / law.stiffness),
        0.4 / (law.r_f * law.r_d + 1.0),
        0.02 * (law.s_0 - law.s_c) / 2.0,
        0.1 * 0.2 * friction.v_c / (3.0 * friction.mu_s * law.r_f + 1.0),
    )
    run = run_rk4(system, system.state([0.0, height], [vx, vy]), step, 20_000 * step, 20)
    assert run.max_energy_gain <= 1e-7 * abs(run.energy[0])
    assert np.all(np.diff(run["contact_heat"]) >= 0.0)
    assert np.all(np.diff(run["friction_heat"]) >= 0.0)
    assert not np.any(run["handed_back"])


MEMORIES = st.one_of(
    st.builds(LTIFilter, st.floats(1e-3, 0.1)),
    st.builds(LPVFilter, st.floats(1e-3, 0.1), st.floats(1e-3, 0.1)),
)
PLACES = (st.floats(0.008, 0.03), st.floats(-1.0, 1.0), st.floats(-2.0, 1.0), st.floats(0.0, 40.0))
"""Height in m, velocity along and across the floor in m/s, stiffness of a spring along it in N/m."""


def fine_step(material: Material) -> float:
    """A step in s that resolves contact, friction and memory on a mass of 0.2 kg."""
    law, friction = material.normal, material.friction
    contact = min(0.02 * np.sqrt(0.2 / law.stiffness), 0.4 / (law.r_f * law.r_d + 1.0), 0.01 * (law.s_0 - law.s_c))
    return float(min(contact, 0.02 * stable_friction_step(friction, 0.2, material.memory, 1.0 + law.r_f, "rk4")))


def slide(material: Material, height: float, vx: float, vy: float, k: float) -> Trajectory:
    """A mass on a spring over a floor, without a drive."""
    system = System(moving_floor(), STILL | {"k": k}, {"floor": material})
    step = fine_step(material)
    return run_rk4(system, system.state([0.0, height], [vx, vy]), step, 20_000 * step, 20)


@settings(deadline=None, max_examples=30)
@given(MATERIALS, st.builds(Anchor, st.floats(1e-4, 2e-3), st.floats(0.0, 1e-2)), *PLACES)
def test_energy_never_rises_with_an_anchor(
    material: Material, anchor: Anchor, height: float, vx: float, vy: float, k: float
) -> None:
    run = slide(replace(material, memory=anchor), height, vx, vy, k)
    assert run.max_energy_gain <= 1e-7 * abs(run.energy[0])
    assert not np.any(run["handed_back"])


@settings(deadline=None, max_examples=30)
@given(MATERIALS, MEMORIES, *PLACES)
def test_with_a_filter_energy_rises_by_no_more_than_is_handed_back(
    material: Material, memory: LTIFilter, height: float, vx: float, vy: float, k: float
) -> None:
    run = slide(replace(material, memory=memory), height, vx, vy, k)
    assert np.all(np.diff(run.energy) <= np.diff(run["handed_back"]) + 1e-7 * abs(run.energy[0]))


@pytest.mark.parametrize("memory", [LTIFilter(0.05), LPVFilter(0.05, 0.05)], ids=["lti", "lpv"])
def test_a_filter_is_not_passive(memory: LTIFilter) -> None:
    """A mass that a spring turns round: the filtered force still points against the motion before, and pushes."""
    material = Material(SOFT, Friction(0.3, 0.4, 0.02, 0.04), memory)
    run = slide(material, 0.0095, 0.5, 0.0, 40.0)
    assert run["handed_back"][-1] > 1e-4
    assert run.max_energy_gain > 1e-7


def test_max_energy_gain_is_the_largest_rise() -> None:
    data = np.array([[5.0, 0.0, 0.0], [4.0, 0.0, 0.5], [4.0, 0.2, 0.5], [3.0, 0.0, 0.0], [3.0, 0.05, 0.0]])
    assert Trajectory(("kinetic", "potential", "stored"), data, 4).max_energy_gain == pytest.approx(0.2)
    assert Trajectory(("kinetic", "potential", "stored"), data[2:4], 1).max_energy_gain == 0.0
    assert Trajectory(("kinetic", "potential", "stored"), data[:1], 0).max_energy_gain == 0.0


# --- giving up -------------------------------------------------------------------------------------------------


def test_a_diverged_run_says_so_and_keeps_what_was_finite() -> None:
    system = ball(1e6)
    with pytest.raises(
        DivergedError, match=r"the run of 'test_oscillator' is no longer finite after .* step of 0.1 s"
    ) as e:
        run_rk4(system, system.state([1.0], [0.0]), 0.1, 100.0, 2)
    kept = e.value.trajectory
    assert isinstance(kept, Trajectory)
    assert 5 < len(kept) < 500
    assert kept.steps == 2 * len(kept)
    assert np.all(np.isfinite(kept.data[:, :7]))
    assert kept["t"] == pytest.approx(0.2 * np.arange(len(kept)))
    assert abs(kept["x"][-1]) > 1e100
    assert f"after {kept['t'][-1]:.6g} s" in str(e.value)


def changing_mass() -> System:
    """Its mass cos(x) vanishes at pi/2."""
    (x,), (m,) = coordinates("x"), real("m")
    (v,) = velocities((x,))
    return System(Model("test_changing_mass", (x,), m * sp.cos(x) * v**2 / 2, parameters=(m,)), {"m": 1.0})


def test_a_mass_matrix_that_breaks_down_on_the_way_stops_the_run() -> None:
    system = changing_mass()
    with pytest.raises(DivergedError) as e:
        run_rk4(system, system.state([1.0], [1.0]), 0.01, 1.0)
    assert np.all(e.value.trajectory["x"] < 1.6)
    assert len(e.value.trajectory) > 5


@pytest.mark.parametrize("run", [lambda s, x: run_rk4(s, x, 0.01, 1.0), lambda s, x: run_adaptive(s, x, 1.0)])
def test_a_start_without_positive_mass_is_refused(run: object) -> None:
    system = changing_mass()
    with pytest.raises(ModelError, match="mass matrix of 'test_changing_mass' is not positive definite at the start"):
        run(system, system.state([2.0], [0.0]))


def test_an_adaptive_run_that_cannot_go_on_says_so() -> None:
    (x,), (m, k) = coordinates("x"), real("m k")
    (v,) = velocities((x,))
    fall = System(Model("test_fall", (x,), m * v**2 / 2, k * sp.log(x), (m, k)), {"m": 1.0, "k": 1.0})
    with pytest.raises(DivergedError, match=r"DOP853 gave up after .* s: ") as e:
        run_adaptive(fall, fall.state([1.0], [0.0]), 5.0)  # falls into the pole at x = 0
    assert 10 < len(e.value.trajectory) < 1001
    assert np.all(np.isfinite(e.value.trajectory.data))


@pytest.mark.parametrize(
    ("step", "time", "every", "message"),
    [
        (0.0, 1.0, 1, "step must be greater than 0, got 0"),
        (-0.1, 1.0, 1, "step must be greater than 0"),
        (np.nan, 1.0, 1, "step must be a finite number"),
        (0.1, 0.0, 1, "time must be greater than 0"),
        (0.1, np.inf, 1, "time must be a finite number"),
        (0.1, 1.0, 0, "every must be an integer of at least 1, got 0"),
        (0.1, 1.0, 2.5, "every must be an integer of at least 1, got 2.5"),
    ],
)
def test_wrong_steps_and_times_are_refused(step: float, time: float, every: int, message: str) -> None:
    with pytest.raises(ParameterError, match=message):
        run_rk4(ball(), ball().state([1.0], [0.0]), step, time, every)


@pytest.mark.parametrize(("step", "every"), [(1.0, 1), (0.01, 1000)])
def test_a_run_that_breaks_down_before_its_second_record_says_so(step: float, every: int) -> None:
    system = changing_mass()
    with pytest.raises(DivergedError) as e:
        run_rk4(system, system.state([1.0], [1.0]), step, 100.0, every)
    assert e.value.trajectory["x"].tolist() == [1.0]


def test_what_would_come_after_the_end_does_not_matter() -> None:
    """The mass vanishes at about 0.4 s; a run of 0.3 s does not get there."""
    system = changing_mass()
    run = run_rk4(system, system.state([1.0], [1.0]), 0.001, 0.3, 300)
    assert run["t"] == pytest.approx([0.0, 0.3])


@pytest.mark.parametrize("size", [2, 5, 7])
def test_a_state_of_the_wrong_size_is_refused(size: int) -> None:
    for run in (lambda x: run_rk4(ball(), x, 0.1, 1.0), lambda x: run_adaptive(ball(), x, 1.0)):
        with pytest.raises(ParameterError, match="6 entries"):
            run(np.ones(size))


@pytest.mark.parametrize("records", [0, -1])
def test_an_adaptive_run_needs_records(records: int) -> None:
    with pytest.raises(ParameterError, match="records"):
        run_adaptive(ball(), ball().state([1.0], [0.0]), 1.0, records)


@pytest.mark.filterwarnings("ignore::RuntimeWarning")
def test_an_adaptive_run_that_cannot_begin_says_so() -> None:
    (x,), (m, k) = coordinates("x"), real("m k")
    (v,) = velocities((x,))
    fall = System(Model("test_fall", (x,), m * v**2 / 2, k * sp.log(x), (m, k)), {"m": 1.0, "k": 1.0})
    with pytest.raises(DivergedError):
        run_adaptive(fall, fall.state([0.0], [0.0]), 1.0)


def test_an_adaptive_run_needs_a_time() -> None:
    with pytest.raises(ParameterError, match="time must be greater than 0"):
        run_adaptive(ball(), ball().state([1.0], [0.0]), -1.0)


# --- records, memory, progress, stop ---------------------------------------------------------------------------


def test_the_state_given_is_left_as_it_is() -> None:
    start = ball().state([1.0], [0.0])
    run_rk4(ball(), start, 0.1, 1.0)
    run_adaptive(ball(), start, 1.0)
    assert start.tolist() == [1.0, 0.0, 0.0, 0.0, 0.0, 0.0]


@pytest.mark.parametrize(("time", "every", "records"), [(1.0, 1, 101), (1.0, 10, 11), (1.0, 7, 15), (0.001, 1, 2)])
def test_number_of_records(time: float, every: int, records: int) -> None:
    run = run_rk4(ball(), ball().state([1.0], [0.0]), 0.01, time, every)
    assert len(run) == records
    assert run.steps == (records - 1) * every
    assert run["t"] == pytest.approx(0.01 * every * np.arange(records), abs=1e-15)


def test_a_million_steps_keep_only_their_records() -> None:
    system = ball()
    start = system.state([1.0], [0.0])
    run_rk4(system, start, 1e-3, 1.0)  # everything that is loaded once is loaded now
    tracemalloc.start()
    run = run_rk4(system, start, 1e-3, 1000.0, 1000)
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert run.steps == 1_000_000
    assert run.data.shape == (1001, len(system.columns))
    assert run.data.base is None
    assert run.data.nbytes == 1001 * len(system.columns) * 8
    assert peak < 2 * run.data.nbytes
    assert run["x"] == pytest.approx(np.cos(run["t"]), abs=1e-8)


def test_an_early_stop_does_not_hold_the_memory_of_the_whole_run() -> None:
    run = run_rk4(ball(), ball().state([1.0], [0.0]), 1e-3, 100.0, stop=lambda part: part["t"] > 0.01)
    assert len(run) == 12
    assert run.data.base is None


def test_a_run_ends_at_the_first_record_that_may_be_its_last() -> None:
    start = ball().state([1.0], [0.0])
    run = run_rk4(ball(), start, 0.001, 10.0, 5, stop=lambda part: part["x"] < 0.0)
    assert np.all(run["x"][:-1] >= 0.0)
    assert run["x"][-1] < 0.0
    assert run["t"][-1] == pytest.approx(np.pi / 2, abs=0.005)
    assert run.steps == 5 * (len(run) - 1)
    whole = run_rk4(ball(), start, 0.001, 10.0, 5, stop=lambda part: part["x"] > 2.0)
    assert len(whole) == 2001
    assert np.array_equal(whole.data[: len(run)], run.data)
    at_once = run_rk4(ball(), start, 0.001, 10.0, stop=lambda part: part["x"] > 0.0)
    assert (len(at_once), at_once.steps) == (1, 0)


@pytest.mark.parametrize("stop", [None, lambda part: part["t"] >= 0.5])
def test_progress_rises_to_one(stop: object) -> None:
    shares: list[float] = []
    run_rk4(ball(), ball().state([1.0], [0.0]), 1e-3, 1.0, progress=shares.append, stop=stop)
    assert np.all(np.diff(shares) >= 0.0)
    assert 0.0 < shares[0] < 0.1
    assert shares[-1] == 1.0
    assert 10 < len(shares) < 60  # now and then, not at each step


def test_progress_of_an_adaptive_run_reaches_one() -> None:
    shares: list[float] = []
    run_adaptive(ball(), ball().state([1.0], [0.0]), 1.0, progress=shares.append)
    assert min(shares) >= 0.0
    assert max(shares) == 1.0


def test_columns_are_found_by_name() -> None:
    run = run_rk4(ball(), ball().state([1.0], [0.0]), 0.1, 1.0)
    assert np.array_equal(run["x"], run.data[:, run.names.index("x")])
    with pytest.raises(KeyError, match="no column 'z'; there are t, x, x_dot, contact_heat"):
        run["z"]


# --- memory per point and per coordinate -----------------------------------------------------------------------

PLANE = Dissipation(1.0, 1.4, 0.005, 0.01, 0.1, 1e-6)  # Tables 2.1 and 2.3
HOLD = LPVFilter(0.03, 0.01)


def test_memory_at_the_point_and_per_coordinate_agree_in_one_dimension() -> None:
    numbers = {"m": 0.1, "k": 10.0, "pull": 0.1, "stop": 5.0}
    law = Dissipation(1.0, 1.4, 0.005, 0.01, 0.1)
    point = System(pulled_mass_model(), numbers, frictions={"plane": law}, memories={"plane": HOLD})
    coordinate = System(pulled_mass_model(), numbers, frictions={"plane": law}, coordinate_memory={"x": HOLD})
    first, second = (run_rk4(system, system.state([0.0], [0.0]), 1e-3, 6.0, 10) for system in (point, coordinate))
    assert np.count_nonzero(np.diff(np.sign(first["x_dot"] - 0.05))) >= 4  # it slips several times
    assert first["x"] == pytest.approx(second["x"], abs=1e-9)
    assert first["memory_plane"] == pytest.approx(second["Q_x"], abs=1e-7)
    assert first.ledger_error == pytest.approx(second.ledger_error, abs=1e-9)


def towed(angle: float, per_coordinate: bool) -> np.ndarray:
    """Way of a towed mass along the direction of the pull; it starts with friction that already holds it."""
    numbers = {"m": 0.1, "k": 10.0, "pull": 0.1, "angle": angle}
    memory = {"coordinate_memory": {"x": HOLD, "y": HOLD}} if per_coordinate else {"memories": {"plane": HOLD}}
    system = System(towed_mass(), numbers, frictions={"plane": PLANE}, **memory)
    run = run_rk4(system, system.state([0.0, 0.0], [0.0, 0.0]), 1e-3, 4.0, 10)
    along = run["x"] * np.cos(angle) + run["y"] * np.sin(angle)
    across = run["y"] * np.cos(angle) - run["x"] * np.sin(angle)
    assert along[-1] > 0.2
    return np.column_stack([along, across])


def test_memory_at_the_point_does_not_know_the_axes_but_memory_per_coordinate_does() -> None:
    for angle in (np.pi / 4, 0.3, 2.0):
        assert np.abs(towed(angle, False) - towed(0.0, False)).max() < 1e-7
    assert np.abs(towed(0.0, True) - towed(0.0, False)).max() < 1e-7  # along an axis they are the same
    assert np.abs(towed(np.pi / 4, True) - towed(0.0, True))[:, 0].max() > 1e-3
    assert np.abs(towed(0.3, True)[:, 1]).max() > 1e-4  # and off the axes the mass leaves the line of the pull
