"""Reactions of links, as a script reads them after steps that C++ takes by itself."""

import pytest
from taken import ball, colliding_system, plate

import chrono_powercontact as pc
from chrono_powercontact.chrono.api.bridge import pychrono
from chrono_powercontact.chrono.api.machines import MACHINES

pytestmark = pytest.mark.chrono

STEP = 2e-3
WEIGHT = 9.81


def two_balls():
    """A ball of 1 kg on another one that lies on a plate, in a rigid joint."""
    chrono = pychrono()
    system, surface = colliding_system()
    system.SetSolverType(chrono.ChSolver.Type_PSOR)
    plate(system, surface)
    low = ball(system, surface, at=(0, 0, 0.1))
    high = ball(system, surface, at=(0, 0, 0.4))
    joint = chrono.ChLinkLockLock()
    joint.Initialize(low, high, chrono.ChFramed())
    system.AddLink(joint)
    pc.attach(system).take_over()
    return system, high, joint


def by_our_steps(system, many):
    for _ in range(many):
        system.DoStepDynamics(STEP)


def by_cpp(system, many):
    for _ in range(many):
        type(system).DoStepDynamics(system, STEP)


def by_frames(system, many):
    system.DoFrameDynamics(system.GetChTime() + many * STEP, STEP)


@pytest.mark.parametrize("advance", [by_our_steps, by_cpp, by_frames])
def test_the_joint_carries_the_ball_above_it_whoever_steps(advance):
    system, _, joint = two_balls()
    advance(system, 400)
    for _ in range(2):
        assert joint.GetReaction2().force.z == pytest.approx(WEIGHT, rel=1e-6)
        assert joint.GetReaction1().force.z == pytest.approx(-WEIGHT, rel=1e-6)
    advance(system, 1)
    assert joint.GetReaction2().force.z == pytest.approx(WEIGHT, rel=1e-6)


@pytest.mark.parametrize("advance", [by_our_steps, by_cpp])
def test_reading_changes_nothing(advance):
    """The joint bears an impact as the balls land; the motion is the same with and without a look at it."""
    heights = []
    for reads in (False, True):
        system, high, joint = two_balls()
        high.SetPosDt(pychrono().ChVector3d(0.1, 0, 0))
        for _ in range(100):
            advance(system, 1)
            if reads:
                joint.GetReaction2()
        heights.append((high.GetPos().x, high.GetPos().z))
    assert heights[1] == pytest.approx(heights[0], abs=1e-12)


def own_reaction(joint):
    """What Chrono's link keeps, as C++ code reads it."""
    return type(joint).GetReaction2.__wrapped__(joint).force.z


def test_reactions_are_whole_after_each_step_where_there_is_a_machine(monkeypatch):
    monkeypatch.setattr(MACHINES, "_made", True)
    system, _, joint = two_balls()
    by_our_steps(system, 400)
    assert own_reaction(joint) == pytest.approx(WEIGHT, rel=1e-6)


def test_elsewhere_chrono_is_told_when_a_script_reads_one(monkeypatch):
    monkeypatch.setattr(MACHINES, "_made", False)
    system, _, joint = two_balls()
    by_our_steps(system, 400)
    assert abs(own_reaction(joint)) < 0.01 * WEIGHT
    joint.GetReaction2()
    assert own_reaction(joint) == pytest.approx(WEIGHT, rel=1e-6)


def test_chrono_keeps_its_own_reactions_during_a_step(monkeypatch):
    """Its solver may begin with them: the motion does not depend on who reads reactions between steps."""
    heights = []
    for made in (True, False):
        monkeypatch.setattr(MACHINES, "_made", made)
        system, high, _ = two_balls()
        high.SetPosDt(pychrono().ChVector3d(0.1, 0, 0))
        by_our_steps(system, 100)
        heights.append((high.GetPos().x, high.GetPos().z))
    assert heights[1] == pytest.approx(heights[0], abs=1e-12)


def test_a_link_in_no_system_is_read_as_before():
    two_balls()
    assert pychrono().ChLinkLockLock().GetReaction2() is not None
