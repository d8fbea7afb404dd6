"""How long the bounds of all contact forces of a live Chrono scene take.

python benchmarks/force_ranges.py

Scenes of about 100 contacts under NSC: boxes side by side, stacks, and a plate on a hundred feet. Times are of the
processor, after a first call that compiles.
"""

from __future__ import annotations

import time
from typing import Any

import chrono_powercontact as pc

STEP = 5e-3
STEPS = 60


def scene() -> tuple[Any, Any, Any]:
    """An NSC system with a floor, and a material."""
    chrono = pc.need_pychrono()
    system = chrono.ChSystemNSC()
    system.SetGravityY()
    system.SetCollisionSystemType(chrono.ChCollisionSystem.Type_BULLET)
    material = chrono.ChContactMaterialNSC()
    material.SetFriction(0.4)
    floor = chrono.ChBodyEasyBox(60.0, 1.0, 60.0, 1000.0, False, True, material)
    floor.SetPos(chrono.ChVector3d(0.0, -0.5, 0.0))
    floor.SetFixed(True)
    system.Add(floor)
    return chrono, system, material


def boxes(columns: int, rows: int) -> Any:
    """Columns of boxes on one another."""
    chrono, system, material = scene()
    for i in range(columns):
        for j in range(rows):
            box = chrono.ChBodyEasyBox(0.4, 0.4, 0.4, 1000.0, False, True, material)
            box.SetPos(chrono.ChVector3d(0.6 * i - 8.0, 0.2 + 0.4 * j, 0.0))
            system.Add(box)
    return system


def plate(side: int) -> Any:
    """One plate on a square of small spheres."""
    chrono, system, material = scene()
    body = chrono.ChBody()
    body.SetMass(100.0)
    body.SetInertiaXX(chrono.ChVector3d(10.0, 20.0, 10.0))
    body.SetPos(chrono.ChVector3d(0.0, 0.02, 0.0))
    for i in range(side):
        for k in range(side):
            foot = chrono.ChCollisionShapeSphere(material, 0.02)
            body.AddCollisionShape(foot, chrono.ChFramed(chrono.ChVector3d(0.1 * i - 0.45, 0.0, 0.1 * k - 0.45)))
    body.EnableCollision(True)
    system.Add(body)
    return system


SCENES = {
    "25 boxes side by side": lambda: boxes(25, 1),
    "5 stacks of 5": lambda: boxes(5, 5),
    "a stack of 25": lambda: boxes(1, 25),
    "a plate on 100 feet": lambda: plate(10),
}


def main() -> None:
    """Print one line per scene."""
    for name, build in SCENES.items():
        system = build()
        for _ in range(STEPS):
            system.DoStepDynamics(STEP)
        pc.chrono_force_ranges(system)
        begin = time.process_time()
        ranges = pc.chrono_force_ranges(system)
        seconds = time.process_time() - begin
        print(f"{name}: {len(ranges) // 3} contacts, {len(ranges.undetermined)} components open, {seconds:.2f} s")


if __name__ == "__main__":
    main()
