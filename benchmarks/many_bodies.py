"""How the cost of many bodies grows with their number: ours on one and two threads beside Chrono's SMC and NSC.

python benchmarks/many_bodies.py                                     (heaps of 10 to 10 000 spheres)
python benchmarks/many_bodies.py --scenes heap boxes hopper --counts 100 1000
python benchmarks/many_bodies.py --counts 100000 --methods short     (minutes)

heap: spheres in layers that touch, in a box. boxes: cubes in rows on the ground. hopper: the heap above a slot between
two slopes, through which it runs out. `short` is our law with forces at the start of steps as short as those of SMC,
`equal` and `long` with forces at the end of steps as long as those of NSC and twice as long. Envelopes of Chrono's
models are a hundredth of the size of the bodies.

All times are processor times of the thread that steps, the least of some windows; it does not sleep while it waits for
the other one for a moment. What two threads gain depends on how far apart their cores are, which is printed beside it,
see `core_distance`. Memory is that of all arrays that we keep, per body. Rows of other scenes, numbers and methods stay
in benchmarks/many_bodies.json.
"""

from __future__ import annotations

import argparse
import json
import math
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numba
from core_distance import between_cores
from heaps import SIZE, boxes, new_system
from machine import machine

import chrono_powercontact as pc
from chrono_powercontact import __version__
from chrono_powercontact.chrono.api.bridge import need_pychrono, pychrono, version
from chrono_powercontact.chrono.attachment import core_of
from chrono_powercontact.report.folder import write_json

FILE = Path(__file__).resolve().parent / "many_bodies.json"

STEPS = {"short": 1e-4, "equal": 1e-3, "long": 2e-3, "smc": 1e-4, "nsc": 1e-3}
"""Step in s of each method."""
OURS = ("short", "equal", "long")
SETTLE = 0.02
REST = 0.3
WINDOWS = 3
BUDGET = 2.0
"""Time in s before the first window, in which the layers of a heap close their gaps and bear each other; the same for
boxes, which come to rest in it, so that long steps are cheap; number of windows, and processor time in s that all of
them take, about."""


def layers(system: Any, material: Any, count: int, floor: float) -> float:
    """Spheres in layers above a height in m; each layer rests in the hollows of the one below. Returns their width."""
    chrono = pychrono()
    side = max(round(count ** (1.0 / 3.0)), 1)
    rise = math.sqrt(2.0) * SIZE
    for i in range(count):
        layer = i // side**2
        shift = 0.5 * SIZE * (1.0 if layer % 2 else -1.0)
        x, y = (2.0 * SIZE * (n - 0.5 * (side - 1)) + shift for n in (i % side, i // side % side))
        ball = chrono.ChBodyEasySphere(SIZE, 2000.0, False, True, material)
        ball.SetPos(chrono.ChVector3d(x, y, floor + 1.001 * SIZE + 1.001 * rise * layer))
        system.AddBody(ball)
    return 2.0 * SIZE * (side + 0.5)


def heap(count: int, method: str) -> Any:
    """Spheres in a box."""
    chrono = pychrono()
    system, material = new_system(method)
    width = layers(system, material, count, 0.0)
    high = math.sqrt(2.0) * SIZE * (count * (2.0 * SIZE / width) ** 2 + 8)
    chrono.CreateBoxContainer(system, material, chrono.ChVector3d(width, width, high), 0.04)
    return system


def hopper(count: int, method: str) -> Any:
    """Spheres in a shaft above a slot between two slopes of 45 degrees."""
    chrono = pychrono()
    system, material = new_system(method)
    width = layers(system, material, count, 0.0)
    slot = min(8.0 * SIZE, 0.5 * width)
    for sign in (-1.0, 1.0):
        slope = chrono.ChBodyEasyBox(width, width, 0.04, 1000.0, False, True, material)
        slope.SetFixed(True)
        slope.SetRot(chrono.QuatFromAngleY(-sign * 0.25 * math.pi))
        slope.SetPos(chrono.ChVector3d(sign * (0.5 * slot + 0.5 * width / math.sqrt(2.0)), 0.0, -0.02))
        system.AddBody(slope)
        for x, y in ((sign, 0.0), (0.0, sign)):
            wall = chrono.ChBodyEasyBox(
                0.04 + width * abs(y), 0.04 + width * abs(x), 8.0 * width, 1000.0, False, True, material
            )
            wall.SetFixed(True)
            wall.SetPos(chrono.ChVector3d((0.5 * width + 0.02) * x, (0.5 * width + 0.02) * y, 2.0 * width))
            system.AddBody(wall)
    return system


SCENES: dict[str, Callable[[int, str], Any]] = {"heap": heap, "boxes": boxes, "hopper": hopper}


def prepared(scene: str, count: int, method: str) -> Any:
    """A scene with small envelopes, on one thread of Chrono."""
    system = SCENES[scene](count, "nsc" if method == "nsc" else "smc")
    system.SetNumThreads(1, 1, 1)
    for body in system.GetBodies():
        model = body.GetCollisionModel()
        model.SetEnvelope(0.01 * SIZE)
        model.SetSafeMargin(0.01 * SIZE)
    return system


def taken_over(system: Any, method: str) -> Any:
    """The attachment of a scene on our law: friction with a filter in short steps, with an anchor in long ones."""
    mass = next(body.GetMass() for body in system.GetBodies() if not body.IsFixed())
    law = pc.design_restriction(
        s_0=0.0, mass=mass, speed=1.0, restitution=0.4, penetration=0.02 * SIZE, force_limit=3000.0 * mass
    )
    short = method == "short"
    memory = pc.LPVFilter(1e-3, 1e-3) if short else pc.Anchor()
    contacts = pc.attach(system, stepping="explicit" if short else "implicit")
    contacts.take_over(pc.Material(law, pc.Friction(0.4, 0.4, 1e-3, 2e-3, 0.0, 1e-6), memory))
    return contacts


def memory_of(contacts: Any, count: int) -> float:
    """Bytes of all arrays that are kept per body: elements, shapes, load, free steps, and the last step of the ledger.

    The blocks of an implicit step are not among them.
    """
    core = core_of(contacts)
    stepper = core.stepper
    return float(core.taken.near.nbytes + stepper.load.nbytes + stepper.free.nbytes + stepper.book.kept.nbytes) / count


def settle(system: Any, scene: str, method: str) -> None:
    """Steps that are not measured."""
    step = STEPS[method]
    for _ in range(round((REST if scene == "boxes" and step > STEPS["short"] else SETTLE) / step)):
        system.DoStepDynamics(step)


def cost_of_step(system: Any, step: float) -> tuple[float, float]:
    """Processor time of a step in s, of the thread that steps, and wall time: the least of some windows each."""
    begin = time.thread_time()
    system.DoStepDynamics(step)
    once = max(time.thread_time() - begin, 1e-6)
    steps = min(max(round(BUDGET / WINDOWS / once), 2), 2000)
    least = [math.inf, math.inf]
    for _ in range(WINDOWS):
        begins = time.thread_time(), time.perf_counter()
        for _ in range(steps):
            system.DoStepDynamics(step)
        ends = time.thread_time(), time.perf_counter()
        least = [min(old, (end - start) / steps) for old, start, end in zip(least, begins, ends, strict=True)]
    return least[0], least[1]


def measured(scene: str, count: int, method: str, threads: int) -> dict[str, Any]:
    """One row of the table."""
    numba.set_num_threads(threads)
    system = prepared(scene, count, method)
    contacts = taken_over(system, method) if method in OURS else None
    step = STEPS[method]
    settle(system, scene, method)
    far = between_cores() if threads > 1 else 0.0
    cost, wall = cost_of_step(system, step)
    row: dict[str, Any] = {"scene": scene, "count": count, "method": method, "threads": threads, "step": step}
    row |= {"cost": cost, "wall": wall, "per_second": cost / step}
    if threads > 1:
        row["between_cores"] = max(far, between_cores())
    if contacts is not None:
        row["bytes_per_body"] = memory_of(contacts, count)
    return row


def key_of(row: dict[str, Any]) -> tuple[Any, ...]:
    """What identifies a row."""
    return row["scene"], row["count"], row["method"], row["threads"]


def exponents(rows: list[dict[str, Any]]) -> dict[str, float]:
    """Growth of the cost with the number of bodies, from 1000 on, for each scene and method on one thread."""
    found = {}
    for name in dict.fromkeys((row["scene"], row["method"]) for row in rows):
        own = sorted(
            (row["count"], row["cost"])
            for row in rows
            if (row["scene"], row["method"]) == name and row["threads"] == 1 and row["count"] >= 1000
        )
        if len(own) > 1:
            found[" ".join(name)] = math.log(own[-1][1] / own[0][1]) / math.log(own[-1][0] / own[0][0])
    return found


def ratios(rows: list[dict[str, Any]]) -> dict[str, float]:
    """Cost per simulated second, short steps against SMC, long ones against NSC; and one thread against two."""
    known = {key_of(row): row for row in rows}
    found = {}
    for (scene, count, method, threads), row in known.items():
        if threads != 1 or method not in OURS:
            continue
        rival = "smc" if method == "short" else "nsc"
        other = known.get((scene, count, rival, 1))
        if other is not None:
            found[f"{scene} {count}: {method} / {rival}"] = row["per_second"] / other["per_second"]
        double = known.get((scene, count, method, 2))
        if double is not None:
            found[f"{scene} {count}: {method}, gain by two threads"] = row["cost"] / double["cost"]
    return found


def main() -> None:
    """Measure all, print and write."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--scenes", nargs="+", default=["heap"], choices=SCENES)
    parser.add_argument("--counts", type=int, nargs="+", default=[10, 100, 1000, 10_000])
    parser.add_argument("--methods", nargs="+", default=list(STEPS), choices=STEPS)
    given = parser.parse_args()
    need_pychrono()
    most = min(numba.config.NUMBA_NUM_THREADS, 2)
    rows = {key_of(row): row for row in (json.loads(FILE.read_text())["rows"] if FILE.exists() else [])}
    for scene in given.scenes:
        for count in given.counts:
            for method in given.methods:
                for threads in range(1, (most if method in OURS and count >= 1000 else 1) + 1):
                    row = measured(scene, count, method, threads)
                    rows[key_of(row)] = row
                    space = f"  {row['bytes_per_body']:6.0f} B per body" if "bytes_per_body" in row else ""
                    far = f"  {1e9 * row['between_cores']:3.0f} ns between cores" if threads > 1 else ""
                    print(
                        f"{scene:7} {count:7} {method:6} {threads} thread(s) {1e3 * row['cost']:10.4f} ms a step, "
                        f"{row['per_second']:10.3f} s per simulated s{space}{far}",
                        flush=True,
                    )
    table = list(rows.values())
    told = {"exponents": exponents(table), "ratios": ratios(table)}
    for title, numbers in told.items():
        print(title, *(f"  {name}: {value:.3f}" for name, value in numbers.items()), sep="\n")
    known = {"package_version": __version__, "chrono": version(), "machine": machine()}
    write_json(FILE, known | told | {"rows": table})


if __name__ == "__main__":
    main()
