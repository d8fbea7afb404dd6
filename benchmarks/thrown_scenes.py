"""Does contact add energy? One to four bodies thrown onto the ground and each other, at random steps from 0.1 to 20 ms.

python benchmarks/thrown_scenes.py                     (1000 scenes of 0.7 s; about 8 minutes on one core)
python benchmarks/thrown_scenes.py --count 100 --first 300
python benchmarks/thrown_scenes.py --taken-over        (Chrono's shapes and materials, and take_over() alone)

Shapes, masses, laws and memories are random, and in every fourth scene a ball joint connects two bodies. The energy of
motion and height may never exceed the least sum of motion, height and stored energy that there was before, apart from
what filtered friction hands back, which the ledger reports by itself, and from the work of Chrono's joints: to correct
their positions they demand a motion, and their forces do work on it. Prints each scene that exceeds that by more than
1e-9 of the energy, and writes thrown_scenes.json with the scenes that gain, jump or did not always converge. Random
laws may be too weak for their bodies and let them sink in, those that take_over() designs may not: scenes in which a
centre of mass goes below the ground are counted.
"""

from __future__ import annotations

import argparse
import math
import time
import warnings
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import numpy as np
from machine import machine

import chrono_powercontact as pc
from chrono_powercontact import __version__
from chrono_powercontact.chrono.api.bridge import need_pychrono, pychrono, version
from chrono_powercontact.report.folder import write_json

HERE = Path(__file__).resolve().parent
GRAVITY = 9.81
TIME = 0.7
SHORTEST, LONGEST = 1e-4, 2e-2
"""Length of a scene, and its shortest and longest step, in s."""
ALLOWED = 1e-9
"""Energy that may be gained, relative to the energy at the start."""


@dataclass(frozen=True)
class Scene:
    """Thrown bodies in a Chrono system, with their contacts, and whether a joint connects two of them."""

    system: Any
    bodies: list[Any]
    contacts: Any
    jointed: bool


@dataclass(frozen=True)
class Outcome:
    """What a scene did.

    Attributes:
        seed, step: of the scene, in s. gained: largest excess of motion and height over the least sum with the stored
            energy before, and jump: largest rise of that sum in one step, relative to the energy at the start.
        lowest: height in m of the lowest centre of mass. steps: number of steps, unconverged: those among them in which
            the solve did not converge.
    """

    seed: int
    step: float
    gained: float
    jump: float
    lowest: float
    steps: int
    unconverged: int


def random_shape(rng: Any, body: Any, edge: float) -> Any:
    """A sphere, a box or a capsule."""
    kind = rng.integers(3)
    if kind == 0:
        return pc.Sphere(body, radius=edge / 2)
    return pc.Box(body, edge) if kind == 1 else pc.Capsule(body, radius=edge / 4, length=edge / 2)


def random_material(rng: Any) -> pc.Material:
    """Soft or hard, weak or strong, with an anchor, a filter or no memory; friction falls with the speed."""
    damping, width, strength = 10.0 ** rng.uniform((-1.0, -4.0, 2.5), (1.0, -2.5, 4.0))
    memory = [pc.Anchor(), pc.LPVFilter(1e-3, 1e-3), None][rng.integers(3)]
    return pc.Material(pc.Restriction(0.0, -width, strength, damping), pc.Friction(0.5, 0.6, 1e-3, v_s=1e-2), memory)


def random_body(rng: Any, system: Any, number: int) -> tuple[Any, float]:
    """A body with the inertia of a cube, somewhere above those before it, in any motion; and its edge in m."""
    chrono = pychrono()
    edge = rng.uniform(0.05, 0.2)
    place = (*rng.uniform(-0.1, 0.1, 2), 0.2 + 0.3 * number + rng.uniform(0.0, 0.1))
    velocity = rng.normal(size=3)
    spin = 5.0 * rng.normal(size=3)
    mass = 10.0 ** rng.uniform(-1.0, 1.0)
    turn = rng.normal(size=4)
    body = chrono.ChBody()
    body.SetMass(mass)
    body.SetInertiaXX(chrono.ChVector3d(*(mass * edge**2 / 6.0,) * 3))
    body.SetPos(chrono.ChVector3d(*place))
    body.SetPosDt(chrono.ChVector3d(*velocity))
    body.SetAngVelLocal(chrono.ChVector3d(*spin))
    body.SetRot(chrono.ChQuaterniond(*(turn / np.linalg.norm(turn))))
    system.AddBody(body)
    return body, edge


def add_ball_joint(system: Any, bodies: list[Any]) -> None:
    """Connect the first two bodies half-way between them; they move as one at first."""
    chrono = pychrono()
    first, second = bodies[:2]
    joint = chrono.ChLinkLockSpherical()
    joint.Initialize(first, second, chrono.ChFramed((first.GetPos() + second.GetPos()) * 0.5))
    system.AddLink(joint)
    for body in (first, second):
        body.SetPosDt(first.GetPosDt())
        body.SetAngVelLocal(chrono.ChVector3d(0, 0, 0))


def new_system() -> Any:
    """An empty system with gravity and an exact solver."""
    chrono = pychrono()
    system = chrono.ChSystemSMC()
    system.SetGravitationalAcceleration(chrono.ChVector3d(0, 0, -GRAVITY))
    system.SetSolverType(chrono.ChSolver.Type_SPARSE_LU)
    return system


def is_jointed(seed: int, bodies: list[Any]) -> bool:
    """Whether a joint connects the first two bodies."""
    return seed % 4 == 3 and len(bodies) > 1


def thrown(seed: int, stepping: str = "implicit") -> Scene:
    """The scene of a seed, with shapes and laws of our own."""
    chrono = pychrono()
    rng = np.random.default_rng(seed)
    system = new_system()
    made = [random_body(rng, system, number) for number in range(rng.integers(1, 5))]
    bodies = [body for body, _ in made]
    shapes = [random_shape(rng, body, edge) for body, edge in made]
    ground = chrono.ChBody()
    ground.SetFixed(True)
    system.AddBody(ground)
    contacts = pc.attach(system, stepping=stepping)
    material = random_material(rng)
    floor = pc.Plane(ground)
    jointed = is_jointed(seed, bodies)
    for i, shape in enumerate(shapes):
        contacts.add(shape, floor, material)
        for j in range(i):
            if not (jointed and (i, j) == (1, 0)):
                contacts.add(shape, shapes[j], material)
    if jointed:
        add_ball_joint(system, bodies)
    return Scene(system, bodies, contacts, jointed)


def random_collision_shape(rng: Any, surface: Any, edge: float) -> Any:
    """A sphere, a box or a capsule of Chrono's."""
    chrono = pychrono()
    kind = rng.integers(3)
    if kind == 0:
        return chrono.ChCollisionShapeSphere(surface, edge / 2)
    if kind == 1:
        return chrono.ChCollisionShapeBox(surface, edge, edge, edge)
    return chrono.ChCollisionShapeCapsule(surface, edge / 4, edge / 2)


def random_surface(rng: Any) -> Any:
    """A material of Chrono's with any friction and restitution."""
    surface = pychrono().ChContactMaterialSMC()
    surface.SetFriction(float(rng.uniform(0.0, 1.0)))
    surface.SetRestitution(float(rng.uniform(0.0, 0.95)))
    return surface


def add_ground(system: Any, surface: Any) -> None:
    """Add a fixed body with a wide box whose upper side is the ground."""
    chrono = pychrono()
    ground = chrono.ChBody()
    ground.SetFixed(True)
    ground.SetPos(chrono.ChVector3d(0, 0, -1.0))
    ground.AddCollisionShape(chrono.ChCollisionShapeBox(surface, 20.0, 20.0, 2.0))
    ground.EnableCollision(True)
    system.AddBody(ground)


def thrown_and_taken_over(seed: int) -> Scene:
    """The scene of a seed as a script would write it, taken over without a number."""
    chrono = pychrono()
    rng = np.random.default_rng(seed)
    system = new_system()
    system.SetCollisionSystemType(chrono.ChCollisionSystem.Type_BULLET)
    made = [random_body(rng, system, number) for number in range(rng.integers(1, 5))]
    bodies = [body for body, _ in made]
    for body, edge in made:
        body.AddCollisionShape(random_collision_shape(rng, random_surface(rng), edge))
        body.EnableCollision(True)
    add_ground(system, random_surface(rng))
    jointed = is_jointed(seed, bodies)
    if jointed:
        add_ball_joint(system, bodies)
        for body in bodies[:2]:
            body.GetCollisionModel().SetFamily(1)
            body.GetCollisionModel().DisallowCollisionsWith(1)
    contacts = pc.attach(system)
    contacts.take_over()
    return Scene(system, bodies, contacts, jointed)


def random_step(seed: int) -> float:
    """The step of a seed, in s."""
    low, high = math.log10(SHORTEST), math.log10(LONGEST)
    return float(10.0 ** np.random.default_rng(seed + 1000).uniform(low, high))


def energy_of(bodies: list[Any]) -> float:
    """Kinetic energy of bodies with the inertia of a cube, and their energy of height, in J."""
    return sum(
        0.5 * body.GetMass() * body.GetPosDt().Length2()
        + 0.5 * body.GetInertiaXX().x * body.GetAngVelLocal().Length2()
        + body.GetMass() * GRAVITY * body.GetPos().z
        for body in bodies
    )


def watched(seed: int, scene: Scene) -> Outcome:
    """Run a scene, and compare its energy of motion and height with what there was at least before."""
    step = random_step(seed)
    start = energy_of(scene.bodies)
    stored_first = float(scene.contacts.forces()["stored"].sum())
    total = start + stored_first
    least = before = total
    gained = jump = granted = earlier = 0.0
    then = start
    lowest = math.inf
    steps = round(TIME / step)
    for _ in range(steps):
        scene.system.DoStepDynamics(step)
        ledger = scene.contacts.energy()
        now = energy_of(scene.bodies)
        granted += max(now - then - (ledger.exchanged - earlier), 0.0) if scene.jointed else 0.0
        then = now
        earlier = ledger.exchanged
        motion = now - granted - ledger.handed_back
        sum_now = motion + ledger.stored + stored_first
        gained = max(gained, (motion - least) / total)
        jump = max(jump, (sum_now - before) / total)
        least = min(least, sum_now)
        before = sum_now
        lowest = min(lowest, *(body.GetPos().z for body in scene.bodies))
        if not math.isfinite(sum_now):
            raise ArithmeticError(f"scene {seed} is not finite at {scene.system.GetChTime():g} s")
    return Outcome(seed, step, gained, jump, lowest, steps, scene.contacts.solver().unconverged)


def main() -> None:
    """Run all scenes, print those that gain energy, and write what they did."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--count", type=int, default=1000, help="number of scenes (default 1000)")
    parser.add_argument("--first", type=int, default=0, help="first seed (default 0)")
    parser.add_argument("--taken-over", action="store_true", help="Chrono's shapes, and take_over() alone")
    chosen = parser.parse_args()
    need_pychrono()
    warnings.simplefilter("ignore")
    begin = time.process_time()
    outcomes = []
    for seed in range(chosen.first, chosen.first + chosen.count):
        scene = thrown_and_taken_over(seed) if chosen.taken_over else thrown(seed)
        outcomes.append(watched(seed, scene))
        if outcomes[-1].gained > ALLOWED:
            print(f"scene {seed} at {1e3 * outcomes[-1].step:.3g} ms gains {outcomes[-1].gained:.1e} of its energy")
        if (seed + 1) % 100 == 0:
            print(f"{seed + 1 - chosen.first} of {chosen.count} scenes", flush=True)
    summary = {
        "package_version": __version__, "pychrono": version(), "machine": machine(), "scenes": len(outcomes),
        "steps": sum(o.steps for o in outcomes), "unconverged": sum(o.unconverged for o in outcomes),
        "scenes_that_gain": sum(o.gained > ALLOWED for o in outcomes), "largest_gain": max(o.gained for o in outcomes),
        "jumps_above_1e-3": sum(o.jump > 1e-3 for o in outcomes), "largest_jump": max(o.jump for o in outcomes),
        "lowest": min(o.lowest for o in outcomes), "sunk": sum(o.lowest < 0.0 for o in outcomes),
        "processor_time": time.process_time() - begin,
    }  # fmt: skip
    for name, value in summary.items():
        print(f"{name}: {value}")
    notable = [asdict(o) for o in outcomes if o.gained > ALLOWED or o.jump > 1e-3 or o.unconverged]
    name = "thrown_and_taken_over.json" if chosen.taken_over else "thrown_scenes.json"
    write_json(HERE / name, summary | {"notable": notable})


if __name__ == "__main__":
    main()
