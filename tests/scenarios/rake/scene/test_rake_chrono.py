"""The rake cleaner on Chrono: statics, free travel, and a short press on the rack, against the reference engine."""

import math
from dataclasses import replace

import numpy as np
import pytest
from rake_runs import asked_for, on_chrono, part_of_the_command, quiet

from chrono_powercontact.errors import DivergedError, ParameterError
from chrono_powercontact.scenarios.catalogue import find
from chrono_powercontact.scenarios.rake.cases import sweeps
from chrono_powercontact.scenarios.rake.cases.load_cases import CASES
from chrono_powercontact.scenarios.rake.machine.arms import TIP
from chrono_powercontact.scenarios.rake.machine.drive import Command
from chrono_powercontact.scenarios.rake.machine.machine import Rack, machine
from chrono_powercontact.scenarios.rake.machine.rack_contact import contact_law
from chrono_powercontact.scenarios.rake.machine.two_link import TwoLink
from chrono_powercontact.scenarios.rake.motion.gauges import (
    ENERGIES,
    GAUGES,
    contact_heat,
    ledger_error,
    moved_work,
)
from chrono_powercontact.scenarios.rake.motion.setup import Setup, run
from chrono_powercontact.scenarios.rake.scene.on_chrono import obstacle
from chrono_powercontact.trajectory import Trajectory

pytestmark = pytest.mark.chrono

PRESS = (57.0, 68.0)
"""Part of the packaged command in s: the rake comes to the rack, is pressed on, and held."""


def pressed(law):
    known = law if law in ("regularised", "power", "anchored") else "regularised"
    return Setup(command=part_of_the_command(*PRESS), law=contact_law(known, 0.65, 0.5, 5e-3, 1e-2))


@pytest.fixture(scope="module")
def presses():
    made = {}

    def press(law):
        if law not in made:
            made[law] = on_chrono(pressed(law), law, 1e-3, PRESS[1] - PRESS[0])
        return made[law]

    return press


@pytest.fixture(scope="module")
def reference():
    return {law: run(pressed(law), 5e-4, PRESS[1] - PRESS[0], quiet) for law in ("regularised", "anchored")}


def held_still(c1, c2, **more):
    t = np.linspace(0.0, 0.5, 6)
    return Setup(command=Command(t, np.array([np.full(6, c1), np.full(6, c2)])), rack=Rack(offset=-1.0), **more)


@pytest.mark.parametrize(("s", "f1", "f2"), [(0.0, 129.1e3, 8.2e3), (3.6, 111.7e3, 31.2e3)])
def test_cylinders_carry_the_told_forces_at_rest(s, f1, f2):
    two = TwoLink(machine())
    lengths = np.array(two.lengths(*two.reach(Rack().point(s)))) + np.array((f1, f2)) / (1e8, 5e7)
    found = on_chrono(held_still(*lengths, arms="rigid"), "regularised", 1e-3, 0.1)
    assert found["F1"][-1] == pytest.approx(f1, rel=5e-3)
    assert found["F2"][-1] == pytest.approx(f2, rel=1e-2)
    assert np.ptp(found["x_T"]) < 1e-9


def test_first_vibration_has_the_frequency_of_the_statics():
    c, t = np.repeat([[1.9227], [3.4984]], 61, axis=1), np.linspace(0.0, 3.0, 61)
    c[1, 1:] += 1e-3
    setup = Setup(command=Command(t, c), rack=Rack(offset=-1.0))
    found, hold = on_chrono(setup, "regularised", 1e-3, 3.0), setup.statics.settle(*c[:, -1])
    t, x = found["t"], found["x_T"] - setup.statics.position(hold.q, TIP)[0][0]
    k = np.flatnonzero((x[:-1] < 0.0) & (x[1:] >= 0.0) & (t[:-1] > 0.6))
    rises = t[k] - 0.02 * x[k] / (x[k + 1] - x[k])
    frequency = 1.0 / np.diff(rises).mean()
    assert frequency == pytest.approx(setup.statics.frequencies(hold.q, hold.forces)[0], rel=0.02)


def test_columns_are_those_of_the_reference_engine(presses, reference):
    found = presses("regularised")
    assert found.names == reference["regularised"].names
    assert found.names == ("t", *GAUGES, *ENERGIES, *(f"q_{i}" for i in range(1, 7)))
    np.testing.assert_allclose(found["t"], reference["regularised"]["t"], atol=1e-9)


def test_free_travel_is_that_of_the_reference_engine():
    setup = Setup()
    found, known = on_chrono(setup, "regularised", 1e-3, 10.0), run(setup, 5e-4, 10.0, quiet)
    for name in ("F1", "F2", "x_T", "z_T", "l1", "l2", "q_1", "q_6", "drive_work", "potential"):
        span = max(np.ptp(known[name]), 1e-3 * np.abs(known[name]).max())
        assert np.abs(found[name] - known[name]).max() < 2e-3 * span, name
    assert np.abs(ledger_error(found)).max() < 1e-7 * moved_work(found)


def test_seals_of_the_third_version_are_those_of_the_reference_engine_in_steady_travel():
    setup = Setup(machine("v3"), "rigid")
    found, known = on_chrono(setup, "regularised", 1e-3, 8.0), run(setup, 5e-4, 8.0, quiet)
    for name in ("F1", "F2"):
        assert found[name][-1] == pytest.approx(known[name][-1], rel=5e-4), name
    assert found["damping_heat"][-1] == pytest.approx(known["damping_heat"][-1], rel=0.03)


def test_press_is_that_of_the_reference_engine(presses, reference):
    found, known = presses("regularised"), reference["regularised"]
    for name in ("F1", "F2", "N", "F_t", "s"):
        assert np.abs(found[name] - known[name]).max() < 0.02 * np.ptp(known[name]), name


def test_regularised_rake_creeps_and_anchored_one_holds(presses, reference):
    creeping, held, known = presses("regularised"), presses("anchored"), reference["anchored"]
    assert abs(creeping["F_t"][-1]) < 30.0
    assert held["F_t"][-1] == pytest.approx(-5.5e3, abs=600.0)
    late = held["t"] > 9.0
    assert np.ptp(held["F_t"][late]) < 30.0
    for name in ("F1", "F2", "N"):
        assert abs(held[name][-1] - known[name][-1]) < 0.08 * np.ptp(known[name]), name


def test_anchors_press_while_they_are_stretched_before_the_gap_closes(presses, reference):
    found, known = presses("anchored"), reference["anchored"]
    early = (known["t"] > 3.7) & (known["t"] < 4.3)
    before = early & (known["gap"] > 1e-6)
    assert np.count_nonzero(before) > 10
    assert np.all(found["N"][before] > 100.0)
    np.testing.assert_allclose(found["N"][early], known["N"][early], atol=0.04 * known["N"][early].max())


@pytest.mark.parametrize(
    ("law", "open_by", "given"), [("regularised", 2e-5, 1e-6), ("anchored", 1e-4, 1e-2), ("smc", 5e-4, 0.1)]
)
def test_books_of_the_press_close_and_the_contact_gives_no_energy(presses, law, open_by, given):
    found = presses(law)
    assert np.abs(ledger_error(found)).max() < open_by * moved_work(found)
    assert np.diff(contact_heat(found)).min() > -given


def test_soft_contact_of_chrono_presses_as_hard_and_creeps(presses):
    found, ours = presses("smc"), presses("regularised")
    assert found["N"][-1] == pytest.approx(ours["N"][-1], rel=5e-3)
    assert abs(found["F_t"][-1]) < 50.0
    assert found["F_t"].min() == pytest.approx(ours["F_t"].min(), rel=0.25)


def test_rigid_contact_of_chrono_sticks():
    part = part_of_the_command(59.0, 66.0)
    found = on_chrono(replace(pressed("nsc"), command=Command(part.t / 4.0, part.c)), "nsc", 1e-3, 1.7)
    late = found["t"] > 1.5
    assert np.all(found["N"][late] > 8e3)
    assert np.abs(found["F_t"][late]).mean() > 1e3
    assert np.all(np.abs(found["F_t"][late]) <= 0.5 * found["N"][late] * 1.05)
    assert np.abs(ledger_error(found)).max() < 1e-3 * moved_work(found)


def test_rigid_arms_run_as_two_bodies():
    setup = Setup(arms="rigid")
    found, known = on_chrono(setup, "regularised", 1e-3, 6.0), run(setup, 5e-4, 6.0, quiet)
    assert found.names[-2:] == ("q_1", "q_2")
    assert np.abs(found["F1"] - known["F1"]).max() < 1e-3 * np.abs(known["F1"]).max()


def test_too_long_a_step_is_named():
    with pytest.raises(DivergedError, match=r"left its scene after .* s with a step of 0\.005 s: use a smaller step"):
        on_chrono(Setup(), "smc", 5e-3, 12.0)


@pytest.mark.parametrize(
    ("more", "message"),
    [
        ({"integrator": "hht"}, "runs on Chrono with euler_implicit_linearized or euler_implicit_projected, got 'hht'"),
        ({"time": 300.0}, "the command ends at 125 s, the run would take until 300 s"),
        ({"step": -1.0}, "step must be greater than 0, got -1"),
    ],
)
def test_impossible_runs_are_refused(more, message):
    with pytest.raises(ParameterError, match=message):
        on_chrono(Setup(), "regularised", **({"step": 1e-3, "time": 1.0} | more))


@pytest.mark.parametrize(
    ("changed", "reason"),
    [
        ({"case": "lc5"}, "lc5 sums up static forces and runs on no engine: on Chrono take lc3 with flow or buoyancy"),
        ({"case": "lc6"}, "lc6 sums up static forces"),
        ({"law": "lugre"}, "on Chrono the laws are regularised, power, anchored, smc, nsc, got lugre"),
        ({"arms": "modal"}, "on Chrono the arms are rigid or segments, got modal"),
        ({"law": "nsc", "version": "v3"}, "the seals of version v3 need a solver for linear systems"),
        ({"case": "lc11"}, "lc11 compares two models of the reference engine"),
        *(({"case": case}, None) for case in CASES if case not in ("lc5", "lc6", "lc11")),
        ({"law": "nsc"}, None),
        ({"version": "v3"}, None),
        ({"rack": "segmented", "flow": 0.7, "buoyancy": True, "debris": 300.0}, None),
    ],
)
def test_what_chrono_cannot_run_is_told_in_a_sentence(changed, reason):
    told = obstacle(asked_for(**changed))
    assert told is None if reason is None else told is not None and reason in told


def test_friction_coefficients_are_swept_on_chrono_as_on_the_reference_engine(tmp_path):
    scenario, file = find("rake_cleaner"), tmp_path / "press.csv"
    part = part_of_the_command(58.0, 63.0)
    np.savetxt(file, np.column_stack([part.t, part.c.T]), delimiter=",", header="t,main,knuckle", fmt="%.15g")
    p = asked_for(case="lc8", command=str(file), time=4.5)
    found = scenario.simulate_chrono(p, quiet)
    known = scenario.simulate(p, quiet)
    forces = [name for name in known.names if name.startswith(("N_", "F_t_"))]
    assert found.names == known.names
    assert len(forces) == 6
    for name in forces:
        assert np.abs(found[name] - known[name]).max() < 0.03 * np.ptp(known[name]), name
    assert found["N_0.4/0.3"][-1] > found["N_0.5/0.4"][-1] + 50.0 > found["N_0.65/0.5"][-1] + 100.0


def test_each_law_and_version_of_a_sweep_runs_as_itself(monkeypatch):
    ran = []

    def listed(p, setup, progress, engine):
        ran.append((p.law, setup.machine == machine(p.version), setup.law.friction))
        return Trajectory(("t", *sweeps.SHOWN), np.zeros((2, 5)), 1)

    monkeypatch.setattr(sweeps, "run_machine", listed)
    table = sweeps.laws(asked_for(case="lc3b", law="power"), quiet, "chrono")
    assert [law for law, *_ in ran] == ["regularised", "anchored", "smc", "nsc", "power"]
    assert sweeps.laws_of(table) == [law for law, *_ in ran]
    assert ran[0][2] == ran[2][2] == ran[3][2] != ran[1][2]
    ran.clear()
    sweeps.versions(asked_for(case="lc1"), quiet, "chrono")
    assert [same for _, same, _ in ran] == [True] * 3
    ran.clear()
    sweeps.laws(asked_for(case="lc3b"), quiet, "reference")
    assert [law for law, *_ in ran] == ["power", "anchored", "lugre", "regularised"]


def test_scraper_ends_are_where_the_tip_is():
    from chrono_powercontact.scenarios.rake.scene.rake_scene import build
    from chrono_powercontact.scenarios.scenes.chrono_scenes import new_scene

    setup = Setup()
    hold = setup.statics.settle(*setup.command.c[:, 0])
    scene = build(*new_scene(), setup, hold.lengths, hold.q.tolist())
    tip = setup.statics.position(hold.q, TIP)[0]
    vector = type(scene.bodies[-1].GetPos())
    for end, side in zip(scene.ends_of_scraper, (-1.25, 1.25), strict=True):
        place = scene.bodies[-1].TransformPointLocalToParent(vector(*map(float, end)))
        assert (place.x, place.y, place.z) == pytest.approx((tip[0], side, tip[1]), abs=1e-9)
    assert math.fsum(body.GetMass() for body in scene.bodies) == pytest.approx(2415.0 + 900.0)


def test_springs_of_the_machine_limit_the_step_where_the_scenario_says():
    scenario = find("rake_cleaner")
    limit = scenario.step_limit("chrono", asked_for(law="smc"))
    assert "Chrono takes the forces of the springs of arms and cylinders at the start of a step" in str(limit)
    assert (
        scenario.simulate_chrono(asked_for(law="smc", step=0.95 * limit.step, time=2.0), quiet)["kinetic"].max() < 1e4
    )
    with pytest.raises(DivergedError, match="left its scene"):
        scenario.simulate_chrono(asked_for(law="smc", step=1.1 * limit.step, time=2.0), quiet)


@pytest.mark.parametrize(("law", "longest"), [("regularised", 5e-3), ("anchored", 1e-2), ("power", 1e-2)])
def test_contact_by_the_plugin_takes_longer_steps(law, longest):
    scenario = find("rake_cleaner")
    limit = scenario.step_limit("chrono", asked_for(law=law, step=longest))
    assert limit.step == longest
    found = scenario.simulate_chrono(asked_for(law=law, step=1.5 * limit.step, time=2.0), quiet)
    assert found["kinetic"].max() < 1e4
