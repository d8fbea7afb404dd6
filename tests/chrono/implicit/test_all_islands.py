"""Islands are solved one by one or several at a time: nothing depends on that."""

from copy import deepcopy
from functools import cache

import numba
import numpy as np
import pytest
from ball_islands import ball_problem, pile
from taken import ball, colliding_system, shaped_body

import chrono_powercontact as pc
from chrono_powercontact.chrono.api.bridge import pychrono
from chrono_powercontact.chrono.attachment import core_of
from chrono_powercontact.chrono.implicit import all_islands as every
from chrono_powercontact.chrono.implicit.island_step import OUTCOME

MATERIAL = pc.Material(
    pc.Restriction(0.0, -1e-3, 500.0, 1.0), pc.Friction(0.4, 0.5, 1e-3, 2e-3, 0.1, 1e-6), pc.Anchor(1e-4)
)
two_threads = pytest.mark.skipif(numba.config.NUMBA_NUM_THREADS < 2, reason="needs two threads of numba")


@cache
def piles(many, size, joined=False):
    """The problem of a step for piles of balls beside each other in motion, and velocities without contact."""
    rng = np.random.default_rng(many)
    places = np.concatenate([np.add(pile(rng, size), (10.0 * i, 0.0, 0.0)) for i in range(many)])
    pairs = [(size * i + 1, size * i + 2) for i in range(0, many, 2)] if joined else ()
    return ball_problem(MATERIAL, places, rng.normal(scale=0.3, size=(len(places), 6)), 2e-3, joined=pairs)


def solved(many, size, threads, joined=False):
    """Forces and outcome of a step of such piles, solved on some threads."""
    problem, free = deepcopy(piles(many, size, joined))
    numba.set_num_threads(threads)
    told = np.zeros(1, OUTCOME)
    nothing = np.zeros(free.size)
    bodies, laws, links, blocks, _ = problem
    every.solve_blocks(bodies, laws, links, blocks, nothing, free, nothing.copy(), told[0])
    return blocks["force"].copy(), told[0]


@two_threads
@pytest.mark.parametrize("joined", [False, True])
def test_forces_do_not_depend_on_the_number_of_threads(joined):
    many, size = 46, 3
    forces, told = solved(many, size, 1, joined)
    assert len(forces) >= every.WORTH
    assert told["islands"] >= many
    assert np.linalg.norm(forces, axis=1).max() > 1.0
    for _ in range(20):
        shared, told_shared = solved(many, size, 2, joined)
        assert np.array_equal(forces, shared)
        assert told == told_shared


@pytest.mark.parametrize("many", [1, 5])
def test_each_island_is_solved_as_if_it_were_alone(many):
    """Piles far from each other: the forces of the first one are those of a scene without the others."""
    together, told = solved(many, 3, 1)
    problem, free = deepcopy(piles(many, 3))
    bodies = problem.bodies._replace(mass=np.where(np.arange(problem.bodies.mass.size) < 4, problem.bodies.mass, 0.0))
    blocks = problem.blocks[(problem.blocks["a"] < 4) & (problem.blocks["b"] < 4)].copy()
    nothing = np.zeros(free.size)
    other = np.zeros(1, OUTCOME)
    every.solve_blocks(bodies, problem.laws, problem.links, blocks, nothing, free, nothing.copy(), other[0])
    assert other[0]["islands"] >= 1
    own = (problem.blocks["a"][: len(together)] < 4) & (problem.blocks["b"][: len(together)] < 4)
    np.testing.assert_array_equal(blocks["force"], together[own])
    assert told["islands"] >= many
    assert 0 < len(blocks) <= len(together)


@pytest.mark.chrono
@two_threads
def test_boxes_and_balls_tumble_alike_on_one_and_two_threads():
    """Balls on boxes, each pair by itself, thrown on the ground."""
    found = []
    for threads in (1, 2):
        numba.set_num_threads(threads)
        system, surface = colliding_system()
        shaped_body(
            system, pychrono().ChCollisionShapeBox(surface, 80, 80, 1), at=(0, 0, -0.5), fixed=True, name="floor"
        )
        rng = np.random.default_rng(1)
        for i in range(120):
            place = (i % 11 - 5.0, i // 11 - 5.0, 0.101)
            box = pychrono().ChCollisionShapeBox(surface, 0.2, 0.2, 0.2)
            lower = shaped_body(system, box, at=place)
            upper = ball(system, surface, 0.1, at=(place[0] + 0.02, place[1], 0.32))
            for body in (lower, upper):
                body.SetPosDt(pychrono().ChVector3d(*rng.normal(scale=0.5, size=3)))
                body.SetAngVelLocal(pychrono().ChVector3d(*rng.normal(scale=3.0, size=3)))
        contacts = pc.attach(system, stepping="implicit")
        contacts.take_over(MATERIAL)
        shared = 0
        for _ in range(60):
            system.DoStepDynamics(2e-3)
            shared += contacts.solver().contacts >= every.WORTH
        assert shared > 10
        load = core_of(contacts).stepper.load
        load.gather()
        found.append(np.append(load.x.data, load.w.data))
    assert np.array_equal(*found)
