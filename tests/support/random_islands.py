"""An island of bodies at random, with blocks and links at random, and its matrix as NumPy assembles it."""

import numpy as np
from scipy.spatial.transform import Rotation

from chrono_powercontact.chrono.contact.records import MATERIAL
from chrono_powercontact.chrono.implicit.blocks import BLOCK
from chrono_powercontact.chrono.implicit.island import Links, MovingBodies, Problem, island_at
from chrono_powercontact.chrono.implicit.islands import islands_of
from chrono_powercontact.chrono.implicit.local_forces import Laws
from chrono_powercontact.chrono.joint.joint_records import JOINT, JOINT_LAW, JOINT_MEMORY

STEP = 1e-3


def resisting(rng, stiff):
    """A matrix of slopes of a force that resists motion, not symmetric."""
    root = rng.normal(size=(3, 3))
    skew = 0.1 * rng.normal(size=(3, 3))
    return -stiff * (root @ root.T + skew - skew.T)


def random_blocks(rng, count, many, stiff):
    """Blocks between a chain of bodies and random others; body 0 is fixed."""
    blocks = np.zeros(many, BLOCK)
    for i, block in enumerate(blocks):
        block["a"] = i + 1 if i < count else rng.integers(1, count + 1)
        block["b"] = i if i < count else rng.choice([body for body in range(count + 1) if body != block["a"]])
        block["arm_a"], block["arm_b"] = rng.normal(size=(2, 3))
        block["turns"] = i % 2
        block["by_v"] = resisting(rng, stiff)
        block["by_turning"] = resisting(rng, stiff)
    return blocks


def random_problem(seed, count, rows=0, stiff=50.0, springs=0, many=None):
    """The problem of one island, and its matrix over bodies and link rows; the last of these are springs."""
    rng = np.random.default_rng(seed)
    r = Rotation.random(count + 1, random_state=seed % 2**31).as_matrix()
    mass = np.append(0.0, rng.uniform(0.5, 2.0, count))
    inertia = np.array([m * np.diag(rng.uniform(0.5, 1.0, 3)) for m in mass])
    mobility = np.array([np.linalg.inv(i) if i.any() else i for i in inertia])
    size = 6 * (count + 1)
    bodies = MovingBodies(r, mass, inertia, mobility, rng.normal(size=size), rng.normal(size=size))
    ends = np.array([[c % count + 1, (c + 1) % count + 1] for c in range(rows)], np.int64).reshape(rows, 2)
    jacobian = np.zeros((rows, size))
    for c, pair in enumerate(ends):
        for body in pair:
            jacobian[c, 6 * body : 6 * body + 6] = rng.normal(size=6)
    softness = np.where(np.arange(rows) < rows - springs, 0.0, rng.uniform(0.1, 2.0, rows))
    sides = np.zeros(rows, np.int64)
    links = Links(
        jacobian, rng.normal(size=rows), ends, softness, sides, rows - springs, rows - springs, np.zeros(rows)
    )
    blocks = random_blocks(rng, count, 2 * count if many is None else many, stiff)
    laws = Laws(
        STEP, np.zeros(0, MATERIAL), np.zeros(0, JOINT), np.zeros(0, JOINT_LAW), np.zeros(0, JOINT_MEMORY),
        np.zeros(len(blocks)), np.zeros(size), bodies.w.copy(),
    )  # fmt: skip
    island = island_at(islands_of(mass, blocks, ends, rows - springs), 0, bodies, links, blocks, np.full(count + 1, -1))
    problem = Problem(bodies, laws, links, blocks, island)
    return problem, matrix_of(problem)


def lever(problem, block):
    """Relative velocity and angular velocity of a block as a matrix times all packed velocities."""
    out = np.zeros((6, problem.bodies.w.size))
    for body, arm, sign in ((block["a"], block["arm_a"], 1.0), (block["b"], block["arm_b"], -1.0)):
        turn = problem.bodies.r[body]
        across = np.cross(np.eye(3), arm) @ np.eye(3)
        out[:3, 6 * body : 6 * body + 3] = sign * np.eye(3)
        out[:3, 6 * body + 3 : 6 * body + 6] = sign * across.T @ turn
        out[3:, 6 * body + 3 : 6 * body + 6] = sign * turn
    return out


def matrix_of(problem):
    """[M - h J^T D J, -C^T; C, softness] over the bodies and link rows of the island, in its order."""
    size = problem.bodies.w.size
    whole = np.zeros((size, size))
    for i, (mass, inertia) in enumerate(zip(problem.bodies.mass, problem.bodies.inertia, strict=True)):
        whole[6 * i : 6 * i + 3, 6 * i : 6 * i + 3] = mass * np.eye(3)
        whole[6 * i + 3 : 6 * i + 6, 6 * i + 3 : 6 * i + 6] = inertia
    for block in problem.blocks:
        slopes = np.zeros((6, 6))
        slopes[:3, :3] = block["by_v"]
        slopes[3:, 3:] = block["by_turning"] if block["turns"] else 0.0
        lever_of = lever(problem, block)
        whole -= STEP * lever_of.T @ slopes @ lever_of
    island = problem.island
    kept = np.concatenate([np.arange(6 * body, 6 * body + 6) for body in island.bodies])
    rows = problem.links.jacobian[np.ix_(island.rows, kept)]
    return np.block([[whole[np.ix_(kept, kept)], -rows.T], [rows, np.diag(problem.links.softness[island.rows])]])
