"""An island of balls above a plane without Chrono: its problem of one step, with real contacts and laws."""

import numpy as np
from contact_blocks import Stub, gathered

import chrono_powercontact as pc
from chrono_powercontact.chrono.contact.bodies import rotations
from chrono_powercontact.chrono.contact.contact_table import ContactTable, Pair
from chrono_powercontact.chrono.implicit.blocks import add_wrench
from chrono_powercontact.chrono.implicit.island import Links, MovingBodies, Problem, island_at
from chrono_powercontact.chrono.implicit.islands import islands_of
from chrono_powercontact.chrono.implicit.local_forces import Laws
from chrono_powercontact.chrono.implicit.step_kernel import free_velocities
from chrono_powercontact.chrono.joint.joint_records import JOINT, JOINT_LAW, JOINT_MEMORY

RADIUS = 0.1
GRAVITY = 9.81


def joined_rows(x, pairs):
    """Rows of joints between bodies, each at the point midway; velocities of all bodies are those of the joints."""
    rows = np.zeros((3 * len(pairs), 6 * len(x)))
    for n, pair in enumerate(pairs):
        point = x[list(pair), :3].mean(axis=0)
        for body, sign in zip(pair, (1.0, -1.0), strict=True):
            rows[3 * n : 3 * n + 3, 6 * body : 6 * body + 3] = sign * np.eye(3)
            rows[3 * n : 3 * n + 3, 6 * body + 3 : 6 * body + 6] = -sign * np.cross(np.eye(3), x[body, :3] - point)
    return rows


def answer_to(problem, impulse):
    """Changes of velocities by impulses on the bodies and by those of the joints, with NumPy."""
    bodies = problem.bodies
    size = bodies.w.size
    whole = np.eye(size)
    for body in range(1, bodies.mass.size):
        k = 6 * body
        whole[k : k + 3, k : k + 3] *= bodies.mass[body]
        whole[k + 3 : k + 6, k + 3 : k + 6] = bodies.inertia[body]
    rows = problem.links.jacobian
    soft = np.diag(problem.links.softness)
    demanded = problem.links.demanded - rows @ bodies.w
    given = np.append(impulse, demanded)
    given[:6] = 0.0
    return np.linalg.solve(np.block([[whole, -rows.T], [rows, soft]]), given)[:size]


def ball_problem(material, places, velocities, h, masses=None, joined=()):
    """The problem of a step h, and the velocities without contact; body 0 is the plane z = 0.

    Args:
        velocities: of each ball, 6 numbers. joined: pairs of bodies with a joint midway.
    """
    places = np.asarray(places, float)
    count = len(places) + 1
    balls = [pc.Sphere(Stub(i), radius=RADIUS) for i in range(1, count)]
    pairs = [(ball, pc.Plane(Stub(0))) for ball in balls]
    pairs += [(one, other) for i, one in enumerate(balls) for other in balls[:i]]
    table = ContactTable({i: Pair.of(*pair, material) for i, pair in enumerate(pairs)}, {i: i for i in range(count)})
    x = np.zeros((count, 7))
    x[:, 3] = 1.0
    x[1:, :3] = places
    rows = joined_rows(x, joined)
    x = x.ravel()
    r = np.empty((count, 3, 3))
    rotations(x, r)
    mass = np.append(0.0, np.ones(count - 1) if masses is None else masses)
    inertia = 0.4 * RADIUS**2 * mass[:, None, None] * np.eye(3)
    mobility = np.array([np.linalg.inv(i) if i.any() else i for i in inertia])
    w = np.append(np.zeros(6), np.ravel(velocities))
    impulse = np.zeros(w.size)
    impulse[2::6] = -h * GRAVITY * mass
    bodies = MovingBodies(r, mass, inertia, mobility, w, impulse)
    free = np.zeros(w.size)
    free_velocities(bodies, free)
    many, blocks = gathered(table, x, r, w, free, h, 200)
    nothing = np.zeros(0)
    joints = nothing.view(np.int64).view(JOINT), nothing.view(JOINT_LAW), nothing.view(JOINT_MEMORY)
    laws = Laws(h, table.materials, *joints, np.zeros(many), np.zeros(w.size), w.copy())
    many_rows = len(rows)
    ends = np.repeat(np.array(joined, np.int64).reshape(-1, 2), 3, axis=0)
    links = Links(
        rows, np.zeros(many_rows), ends, np.zeros(many_rows), np.zeros(many_rows, np.int64), many_rows, many_rows,
        np.zeros(many_rows),
    )  # fmt: skip
    islands = islands_of(mass, blocks, ends, many_rows)
    problem = Problem(bodies, laws, links, blocks, island_at(islands, 0, bodies, links, blocks, np.full(count, -1)))
    return problem, bodies.w + answer_to(problem, bodies.impulse) if joined else free


def pile(rng, count):
    """Places of balls in a loose pile: a column with offsets to the side."""
    aside = rng.uniform(-0.02, 0.02, (count, 2))
    return np.column_stack([aside, (2.0 * np.arange(count) + 1.0) * 0.998 * RADIUS])


def given_velocities(problem):
    """Velocities at the end of the step by the forces in the blocks and all other impulses, with NumPy."""
    bodies = problem.bodies
    p = bodies.impulse.copy()
    for block in problem.blocks:
        add_wrench(block, bodies.r, problem.laws.h, p)
    return bodies.w + answer_to(problem, p)
