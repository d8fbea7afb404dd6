"""What two threads gain where many small islands are solved for the forces at the end of a step.

python benchmarks/islands_threads.py

Boxes on the ground with a ball on each, apart from each other, all thrown and turning. The same steps are taken on one
and on two threads, in turn; the least wall time of some rounds counts.
"""

from __future__ import annotations

import time
from typing import Any

import numba
import numpy as np
from core_distance import between_cores
from heaps import SIZE, new_system

import chrono_powercontact as pc
from chrono_powercontact.chrono.api.bridge import need_pychrono, pychrono

COUNTS = (100, 500)
STEP = 2e-3
STEPS = 60
ROUNDS = 3
"""Numbers of boxes with a ball; step in s, number of steps and of rounds."""

LAW = pc.Restriction(0.0, -1e-4, 100.0, 1.0)
MATERIAL = pc.Material(LAW, pc.Friction(0.4, 0.4, 1e-3, 2e-3, 0.0, 1e-6), pc.Anchor(1e-5))


def throw(system: Any, body: Any, at: tuple[float, float, float], rng: np.random.Generator) -> None:
    """Add a body in motion."""
    chrono = pychrono()
    body.SetPos(chrono.ChVector3d(*at))
    body.SetPosDt(chrono.ChVector3d(*rng.normal(scale=0.1, size=3)))
    body.SetAngVelLocal(chrono.ChVector3d(*rng.normal(scale=3.0, size=3)))
    system.AddBody(body)


def thrown(count: int) -> Any:
    """The scene, taken over."""
    chrono = pychrono()
    system, material = new_system("smc")
    ground = chrono.ChBodyEasyBox(50.0, 50.0, 1.0, 1000.0, False, True, material)
    ground.SetFixed(True)
    ground.SetPos(chrono.ChVector3d(0, 0, -0.5))
    system.AddBody(ground)
    rng = np.random.default_rng(1)
    side = 2.0 * SIZE
    for i in range(count):
        x, y = (10.0 * SIZE * n for n in divmod(i, 30))
        throw(system, chrono.ChBodyEasyBox(side, side, side, 2000.0, False, True, material), (x, y, 1.01 * SIZE), rng)
        throw(system, chrono.ChBodyEasySphere(SIZE, 2000.0, False, True, material), (x, y, 3.02 * SIZE), rng)
    pc.attach(system, stepping="implicit").take_over(MATERIAL)
    return system


def cost_of_step(count: int, threads: int) -> float:
    """Wall time of a step in s, after two steps."""
    numba.set_num_threads(threads)
    system = thrown(count)
    for _ in range(2):
        system.DoStepDynamics(STEP)
    begin = time.perf_counter()
    for _ in range(STEPS):
        system.DoStepDynamics(STEP)
    return (time.perf_counter() - begin) / STEPS


def main() -> None:
    """Measure and print."""
    need_pychrono()
    if numba.config.NUMBA_NUM_THREADS < 2:
        raise SystemExit("two threads of numba are needed, this machine gives it one: see NUMBA_NUM_THREADS")
    for count in COUNTS:
        rounds = [[cost_of_step(count, threads) for threads in (1, 2)] for _ in range(ROUNDS)]
        one, two = np.min(rounds, axis=0)
        far = 1e9 * between_cores()
        print(
            f"{count:4} boxes with a ball: {1e3 * one:7.3f} ms a step on one thread, {1e3 * two:7.3f} on two, "
            f"gain {one / two:.2f}, {far:.0f} ns between cores",
            flush=True,
        )


if __name__ == "__main__":
    main()
