"""What depends on the step where forces are those at its end: rest, bounces, a light foot, a stack, and the motion.

python benchmarks/any_step.py            (about a minute; needs PyChrono)

Prints the tables of docs/any_step.md, and writes benchmarks/any_step.json. Steps below the explicit limit are taken
with forces at their start, as `attach` chooses by itself.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import numpy as np
from machine import machine
from numpy.typing import NDArray

import chrono_powercontact as pc
from chrono_powercontact import __version__
from chrono_powercontact.app.runner import execute
from chrono_powercontact.chrono.api.bridge import need_pychrono, pychrono, version
from chrono_powercontact.report.folder import write_json
from chrono_powercontact.scenarios.catalogue import find

HERE = Path(__file__).resolve().parent

GRAVITY = 9.81
EDGE = 0.1
FRICTION = 0.5
STEPS = (1e-4, 1e-3, 2e-3, 5e-3, 1e-2, 2e-2)
GRIP = pc.Friction(FRICTION, FRICTION, 1e-3)
BALL = pc.Restriction(0.02, 0.0199, 500.0, 1.0)
FINE = 2e-6
HEIGHT = 0.1
BOUNCES = 5

Row = dict[str, Any]
Floats = NDArray[np.float64]


def new_system(degrees: float = 0.0) -> tuple[Any, Any]:
    """An empty system with gravity as on a slope that falls along x, and its ground."""
    chrono = pychrono()
    system = chrono.ChSystemSMC()
    angle = math.radians(degrees)
    system.SetGravitationalAcceleration(chrono.ChVector3d(GRAVITY * math.sin(angle), 0, -GRAVITY * math.cos(angle)))
    ground = chrono.ChBody()
    ground.SetFixed(True)
    system.AddBody(ground)
    return system, ground


def add_cube(system: Any, mass: float, height: float) -> Any:
    """A cube whose centre is at a height in m."""
    chrono = pychrono()
    cube = chrono.ChBody()
    cube.SetMass(mass)
    cube.SetInertiaXX(chrono.ChVector3d(1, 1, 1) * (mass * EDGE**2 / 6.0))
    cube.SetPos(chrono.ChVector3d(0, 0, height))
    system.AddBody(cube)
    return cube


def run(system: Any, time: float, step: float) -> None:
    """Step until a time in s."""
    while system.GetChTime() < time - 0.5 * step:
        system.DoStepDynamics(step)


def slope(degrees: float, step: float) -> Row:
    """The scenario `slope` with an anchor for 8 s: creep, place in the end, acceleration over the exact one."""
    given = {"memory": "anchored", "angle": degrees, "step": step, "time": 8.0}
    run = execute(find("slope"), given, "chrono").outcome
    motion = run.trajectory
    late = motion["t"] > 4.0
    angle = math.radians(degrees)
    exact = GRAVITY * (math.sin(angle) - FRICTION * math.cos(angle))
    slope_of_speed = float(np.polyfit(motion["t"][late], motion["x_dot"][late], 1)[0])
    return {
        "degrees": degrees, "step": step, "creep": run.metrics["creep"], "place": float(motion["x"][-1]),
        "acceleration": slope_of_speed / exact,
    }  # fmt: skip


def tops(heights: Sequence[float]) -> list[float]:
    """Greatest heights in m that a flight reaches between two bounces."""
    z = np.array(heights)
    highest = (z[1:-1] > z[:-2]) & (z[1:-1] >= z[2:]) & (z[1:-1] > 1e-4)
    found: list[float] = z[1:-1][highest].tolist()
    return found


def drop(law: Any, step: float, time: float, stepping: str = "auto") -> Row:
    """A ball of 50 g that falls 0.1 m: heights of its first bounces in m, and where it lies in the end."""
    chrono = pychrono()
    system, ground = new_system()
    ball = chrono.ChBody()
    ball.SetMass(0.05)
    ball.SetInertiaXX(chrono.ChVector3d(8e-6, 8e-6, 8e-6))
    ball.SetPos(chrono.ChVector3d(0, 0, law.s_0 + HEIGHT))
    system.AddBody(ball)
    pc.attach(system, stepping=stepping).add(pc.Sphere(ball, radius=law.s_0), pc.Plane(ground), pc.Material(law))
    heights = []
    while system.GetChTime() < time - 0.5 * step:
        system.DoStepDynamics(step)
        heights.append(ball.GetPos().z - law.s_0)
    return {"step": step, "bounces": tops(heights)[:BOUNCES], "rest": heights[-1]}


def foot(mass: float, step: float) -> Row:
    """A foot on a slope of 15 degrees under 10 kg in a rigid joint, of which only the foot touches: speed after 2 s."""
    chrono = pychrono()
    system, ground = new_system(15.0)
    system.SetSolverType(chrono.ChSolver.Type_SPARSE_LU)
    lower, upper = add_cube(system, mass, 0.5 * EDGE), add_cube(system, 10.0, 1.5 * EDGE)
    joint = chrono.ChLinkLockLock()
    joint.Initialize(lower, upper, chrono.ChFramed(chrono.ChVector3d(0, 0, EDGE)))
    system.AddLink(joint)
    law = pc.Restriction(0.0, -1e-4, 20.0 * GRAVITY * (mass + 10.0), 2.0)
    pc.attach(system).add(pc.Box(lower, EDGE), pc.Plane(ground), pc.Material(law, GRIP, pc.Anchor()))
    run(system, 2.0, step)
    return {"mass": mass, "step": step, "speed": lower.GetPosDt().Length()}


def stack(step: float) -> Row:
    """Five cubes of 1 kg on top of each other: largest speed after 2 s, and height of the top."""
    system, ground = new_system()
    cubes = [add_cube(system, 1.0, (0.5 + i) * EDGE) for i in range(5)]
    material = pc.Material(pc.Restriction(0.0, -1e-4, 1000.0, 2.0), GRIP, pc.Anchor())
    widths = [(0.096 - 0.004 * i, 0.096 - 0.004 * i, 0.096) for i in range(5)]
    shapes = [pc.Box(cube, width, 0.002) for cube, width in zip(cubes, widths, strict=True)]
    contacts = pc.attach(system)
    for shape, below in zip(shapes, [pc.Plane(ground), *shapes], strict=False):
        contacts.add(shape, below, material)
    run(system, 2.0, step)
    return {"step": step, "speed": max(c.GetPosDt().Length() for c in cubes), "top": cubes[-1].GetPos().z}


SHORTER = (2e-3, 1e-3, 5e-4, 2.5e-4, 1.25e-4, 6.25e-5)
MOTIONS: dict[str, tuple[dict[str, object], tuple[str, ...], float]] = {
    "slide": ({"memory": "anchored"}, ("x",), 0.2),
    "cube": ({"friction": False}, ("x", "z"), 0.5),
    "pendulum": ({}, ("phi1", "phi2"), 0.25),
}
"""Scenarios whose motion on Chrono is compared with the reference engine's: parameters, coordinates, and when in s."""


def difference(name: str, step: float) -> float:
    """Largest difference of a coordinate of a scenario in m or rad, at an instant, from the reference engine's."""
    given, columns, time = MOTIONS[name]
    given = {**given, "time": time + 0.01}
    linearised = {"step": step, "integrator": "euler_implicit_linearized"}
    ours = execute(find(name), {**given, **linearised}, "chrono").outcome.trajectory
    exact = execute(find(name), given, "reference").outcome.trajectory
    ends = [[float(np.interp(time, run["t"], run[column])) for column in columns] for run in (ours, exact)]
    return float(np.abs(np.subtract(*ends)).max())


def sliding(step: float, stepping: str) -> Floats:
    """Place and rotation of a box that slides at 28 degrees for 0.08 s."""
    damped = pc.Material(pc.Restriction(0.0, -1e-4, 200.0, 50.0), GRIP, pc.Anchor(5e-6))
    load = 0.25 * GRAVITY * math.cos(math.radians(28.0))
    return thrown(step, stepping, 28.0, damped, load, (0.3, 0.1, 0.0), (0.0, 0.0, 0.0), 0.08)


def rocking(step: float, stepping: str) -> Floats:
    """Place and rotation of a cube that rocks and slides on soft ground for 0.16 s."""
    soft = pc.Material(pc.Restriction(0.0, -2e-2, 40.0, 2.0), pc.Friction(0.3, 0.3, 0.05))
    return thrown(step, stepping, 0.0, soft, 0.25 * GRAVITY, (0.6, 0.2, 0.0), (0.5, 4.0, 1.0), 0.16)


def thrown(
    step: float, stepping: str, degrees: float, material: Any, load: float, speed: Sequence[float],
    spin: Sequence[float], time: float,
) -> Floats:  # fmt: skip
    """Place and rotation of a cube that begins with a load in N on each corner, a speed in m/s and a spin in rad/s."""
    chrono = pychrono()
    system, ground = new_system(degrees)
    cube = add_cube(system, 1.0, 0.5 * EDGE + float(material.normal.rest_distance(load)))
    cube.SetPosDt(chrono.ChVector3d(*speed))
    cube.SetAngVelLocal(chrono.ChVector3d(*spin))
    pc.attach(system, stepping=stepping).add(pc.Box(cube, EDGE), pc.Plane(ground), material)
    run(system, time, step)
    place, turn = cube.GetPos(), cube.GetRot()
    return np.array([place.x, place.y, place.z, turn.e1, turn.e2, turn.e3])


def table(title: str, heads: Sequence[str], rows: Sequence[Sequence[str]]) -> None:
    """Print a table in Markdown."""
    print(f"\n{title}\n\n| {' | '.join(heads)} |\n|{'---|' * len(heads)}")
    print("\n".join(f"| {' | '.join(row)} |" for row in rows), flush=True)


def ms(step: float) -> str:
    """A step in s as ms."""
    return f"{1e3 * step:g}"


def slopes() -> list[Row]:
    """The box on the slope."""
    rows = [slope(degrees, step) for step in STEPS for degrees in (20.0, 26.4, 28.0)]
    lines = []
    for low, near, beyond in zip(rows[::3], rows[1::3], rows[2::3], strict=True):
        lines.append((
            ms(low["step"]), f"{abs(low['creep']):.0e}", f"{1e6 * low['place']:.2f} um", f"{abs(near['creep']):.0e}",
            f"{beyond['acceleration']:.5f}",
        ))  # fmt: skip
    table(
        "A box on a slope",
        (
            "step in ms",
            "creep at 20 degrees, m/s",
            "lies at",
            "creep at 26.4 degrees, m/s",
            "acceleration at 28 degrees",
        ),
        lines,
    )
    return rows


def drops() -> list[Row]:
    """The dropped ball."""
    rows = [drop(BALL, FINE, 0.9, "explicit"), *(drop(BALL, step, 2.0) for step in STEPS[:-1])]
    lines = []
    for name, row in zip(("fine", *map(ms, STEPS)), rows, strict=False):
        peaks = [f"{1e3 * top:.2f}" for top in row["bounces"]]
        lines.append((name, *(peaks + [""] * BOUNCES)[:BOUNCES], f"{1e6 * row['rest']:.3f}"))
    names = (*(f"bounce {i + 1}, mm" for i in range(BOUNCES)), "rests at, um")
    table("A dropped ball", ("step in ms", *names), lines)
    return rows


def feet() -> list[Row]:
    """The light foot."""
    rows = [foot(mass, step) for step in STEPS[1:5] for mass in (1.0, 0.1, 0.01)]
    lines = [(ms(rows[i]["step"]), *(f"{row['speed']:.0e}" for row in rows[i : i + 3])) for i in range(0, len(rows), 3)]
    table("A light foot: speed after 2 s in m/s", ("step in ms", "1 kg", "0.1 kg", "0.01 kg"), lines)
    return rows


def stacks() -> list[Row]:
    """The stack."""
    rows = [stack(step) for step in STEPS[1:]]
    lines = [(ms(row["step"]), f"{row['speed']:.0e}", f"{row['top']:.9f}") for row in rows]
    table("A stack of five", ("step in ms", "speed in m/s", "height of the top in m"), lines)
    return rows


def motions() -> list[Row]:
    """Distance from the reference engine's motion, by the choice of `attach`."""
    rows = [{"step": step, **{name: difference(name, step) for name in MOTIONS}} for step in SHORTER]
    lines = [(ms(row["step"]), *(f"{row[name]:.1e}" for name in MOTIONS)) for row in rows]
    table("The same motion as on the reference engine: difference in m or rad", ("step in ms", *MOTIONS), lines)
    return rows


def same() -> list[Row]:
    """Distance of forces at the end of the step from those at the start of very short steps."""
    cases = {"sliding box": sliding, "rocking cube": rocking}
    fine = {name: case(1e-5, "explicit") for name, case in cases.items()}
    rows = []
    for step in SHORTER[:-2]:
        ends = {name: float(np.abs(case(step, "implicit") - fine[name]).max()) for name, case in cases.items()}
        rows.append({"step": step, **ends})
    lines = [(ms(row["step"]), *(f"{row[name]:.1e}" for name in cases)) for row in rows]
    table("The same motion as with forces at the start of steps of 0.01 ms", ("step in ms", *cases), lines)
    return rows


CASES: dict[str, Callable[[], list[Row]]] = {
    "slope": slopes, "drop": drops, "foot": feet, "stack": stacks, "motion": motions, "same": same,
}  # fmt: skip


def main() -> None:
    """Measure, print and write all."""
    need_pychrono()
    known = {"package_version": __version__, "chrono": version(), "machine": machine()}
    write_json(HERE / "any_step.json", known | {name: case() for name, case in CASES.items()})


if __name__ == "__main__":
    main()
