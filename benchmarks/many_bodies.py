"""How the cost of a heap of spheres grows with their number: ours beside Chrono's SMC and NSC, one thread each.

python benchmarks/many_bodies.py                             (10 to 10 000 spheres)
python benchmarks/many_bodies.py --counts 1000 100000 --methods ours smc

Spheres lie in a box, in layers that touch, and settle for some steps. SMC and ours take the same short step, NSC a long
one. Processor time a step is the least of some windows; the exponent is that from the second count to the last.
Envelopes of Chrono's models are a hundredth of the radius. Memory is that of our tables and of the load, per body.
Writes benchmarks/many_bodies.json.
"""

from __future__ import annotations

import argparse
import math
import time
from pathlib import Path
from typing import Any

from heaps import SIZE, new_system
from machine import machine

import chrono_powercontact as pc
from chrono_powercontact import __version__
from chrono_powercontact.chrono.api.bridge import need_pychrono, pychrono, version
from chrono_powercontact.chrono.attachment import core_of
from chrono_powercontact.report.folder import write_json

HERE = Path(__file__).resolve().parent

SHORT = 1e-4
LONG = 1e-3
"""Steps in s of penalty methods and of NSC."""
SETTLE = 20
WINDOWS = 3
BUDGET = 3.0
"""Steps before the first window, number of windows, and processor time in s that each of them takes, about."""
METHODS = ("ours", "smc", "nsc")


def heap(count: int, method: str) -> Any:
    """Spheres in layers in a box; each layer rests in the hollows of the one below."""
    chrono = pychrono()
    system, material = new_system("nsc" if method == "nsc" else "smc")
    system.SetNumThreads(1, 1, 1)
    side = max(round(count ** (1.0 / 3.0)), 1)
    width = 2.0 * SIZE * (side + 0.5)
    rise = math.sqrt(2.0) * SIZE
    layers = -(-count // side**2)
    chrono.CreateBoxContainer(system, material, chrono.ChVector3d(width, width, rise * (layers + 4)), 0.04)
    for i in range(count):
        layer = i // side**2
        shift = 0.5 * SIZE * (1.0 if layer % 2 else -1.0)
        x, y = (2.0 * SIZE * (n - 0.5 * (side - 1)) + shift for n in (i % side, i // side % side))
        ball = chrono.ChBodyEasySphere(SIZE, 2000.0, False, True, material)
        ball.SetPos(chrono.ChVector3d(x, y, 1.001 * SIZE + 1.001 * rise * layer))
        model = ball.GetCollisionModel()
        model.SetEnvelope(0.01 * SIZE)
        model.SetSafeMargin(0.01 * SIZE)
        system.AddBody(ball)
    return system


def taken_over(system: Any) -> Any:
    """The attachment of a heap on our law with friction that sticks."""
    mass = list(system.GetBodies())[-1].GetMass()
    law = pc.design_restriction(
        s_0=0.0, mass=mass, speed=1.0, restitution=0.4, penetration=0.02 * SIZE, force_limit=3000.0 * mass
    )
    contacts = pc.attach(system, stepping="explicit")
    contacts.take_over(pc.Material(law, pc.Friction(0.4, 0.4, 1e-3, 2e-3, 0.0, 1e-6), pc.LPVFilter(1e-3, 1e-3)))
    return contacts


def memory_of(contacts: Any, count: int) -> float:
    """Bytes of our tables per body: contact elements with geometry and memory, shapes, and the packed states."""
    near = core_of(contacts).taken.near
    tables = (near.elements, near.geometry, near.memory, near.keys, near.shapes.records, near.shapes.traits)
    states = 8.0 * (2 * 7 + 3 * 6 + 9) * count
    return (sum(table.nbytes for table in tables) + states) / count


def cost_of_step(system: Any, step: float) -> float:
    """Processor time of a step in s: the least of some windows."""
    for _ in range(SETTLE):
        system.DoStepDynamics(step)
    begin = time.process_time()
    system.DoStepDynamics(step)
    once = max(time.process_time() - begin, 1e-6)
    steps = min(max(round(BUDGET / WINDOWS / once), 2), 2000)
    least = math.inf
    for _ in range(WINDOWS):
        begin = time.process_time()
        for _ in range(steps):
            system.DoStepDynamics(step)
        least = min(least, (time.process_time() - begin) / steps)
    return least


def measured(count: int, method: str) -> dict[str, Any]:
    """One row of the table."""
    system = heap(count, method)
    contacts = taken_over(system) if method == "ours" else None
    step = LONG if method == "nsc" else SHORT
    cost = cost_of_step(system, step)
    row: dict[str, Any] = {"count": count, "method": method, "step": step, "cost": cost, "per_second": cost / step}
    if contacts is not None:
        row["bytes_per_body"] = memory_of(contacts, count)
    return row


def exponent(rows: list[dict[str, Any]], method: str) -> float | None:
    """Growth of the cost with the number of bodies, from the second count to the last."""
    own = sorted((row["count"], row["cost"]) for row in rows if row["method"] == method)[1:]
    if len(own) < 2:
        return None
    return math.log(own[-1][1] / own[0][1]) / math.log(own[-1][0] / own[0][0])


def main() -> None:
    """Measure all, print and write."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--counts", type=int, nargs="+", default=[10, 100, 1000, 10_000])
    parser.add_argument("--methods", nargs="+", default=list(METHODS), choices=METHODS)
    given = parser.parse_args()
    need_pychrono()
    rows = []
    for count in given.counts:
        for method in given.methods:
            row = measured(count, method)
            rows.append(row)
            space = f"  {row['bytes_per_body']:6.0f} B per body" if "bytes_per_body" in row else ""
            print(
                f"{count:7} {method:5} {1e3 * row['cost']:10.4f} ms a step of {1e3 * row['step']:g} ms{space}",
                flush=True,
            )
    grown = {method: exponent(rows, method) for method in given.methods}
    print("exponents", {method: round(value, 3) for method, value in grown.items() if value is not None})
    told = {"package_version": __version__, "chrono": version(), "machine": machine(), "exponents": grown, "rows": rows}
    write_json(HERE / "many_bodies.json", told)


if __name__ == "__main__":
    main()
