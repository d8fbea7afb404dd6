"""Cost of many bodies at a step of 2 ms: ours against Chrono's NSC, and our explicit run at a step that it needs.

python benchmarks/heaps.py                        (1000 boxes at rest, 1000 spheres that fall into a box and settle)
python benchmarks/heaps.py --count 300

Every figure is processor time per simulated second, measured in this one run; writes benchmarks/heaps.json. Collision
envelopes are a hundredth of the size of the bodies: with Chrono's default of 3 cm, NSC would find many more contacts.
"""

from __future__ import annotations

import argparse
import time
from pathlib import Path
from typing import Any

from machine import machine

import chrono_powercontact as pc
from chrono_powercontact import __version__
from chrono_powercontact.chrono.api.bridge import need_pychrono, pychrono, version
from chrono_powercontact.report.folder import write_json

HERE = Path(__file__).resolve().parent

STEP = 2e-3
SHORT = {"boxes": 1e-4, "spheres": 1e-4}
"""Steps in s: of NSC and of our implicit runs, and of our explicit ones."""
SIZE = 0.02
DENSITY = 2000.0
GRAVITY = 9.81
WINDOW = 0.2
WINDOWS = 6
"""Half the size of a body in m, its density in kg/m^3; length in s and number of the windows that are measured."""


def new_system(method: str) -> tuple[Any, Any]:
    """An empty system of a method and a material for its shapes."""
    chrono = pychrono()
    smooth = method != "nsc"
    system = chrono.ChSystemSMC() if smooth else chrono.ChSystemNSC()
    system.SetCollisionSystemType(chrono.ChCollisionSystem.Type_BULLET)
    system.SetGravitationalAcceleration(chrono.ChVector3d(0, 0, -GRAVITY))
    material = chrono.ChContactMaterialSMC() if smooth else chrono.ChContactMaterialNSC()
    material.SetFriction(0.4)
    return system, material


def spheres(count: int, method: str) -> Any:
    """Spheres above each other in a box about twice as high as wide, into which they fall."""
    chrono = pychrono()
    system, material = new_system(method)
    side = max(round((count / 2.0) ** (1.0 / 3.0)), 1)
    width = 2.2 * SIZE * side
    chrono.CreateBoxContainer(
        system, material, chrono.ChVector3d(width, width, 4.4 * SIZE * (count // side**2 + 1)), 0.04
    )
    for i in range(count):
        layer = i // side**2
        lean = 0.02 * SIZE * (layer % 3 - 1)
        across = [2.14 * SIZE * (n - 0.5 * (side - 1)) + lean for n in (i % side, i // side % side)]
        ball = chrono.ChBodyEasySphere(SIZE, DENSITY, False, True, material)
        ball.SetPos(chrono.ChVector3d(*across, 1.2 * SIZE + 2.14 * SIZE * layer))
        system.AddBody(ball)
    return system


def boxes(count: int, method: str) -> Any:
    """Cubes in rows on the ground."""
    chrono = pychrono()
    system, material = new_system(method)
    ground = chrono.ChBodyEasyBox(50.0, 50.0, 1.0, 1000.0, False, True, material)
    ground.SetFixed(True)
    ground.SetPos(chrono.ChVector3d(0, 0, -0.5))
    system.AddBody(ground)
    row = max(round(count**0.5), 1)
    for i in range(count):
        cube = chrono.ChBodyEasyBox(2.0 * SIZE, 2.0 * SIZE, 2.0 * SIZE, DENSITY, False, True, material)
        cube.SetPos(chrono.ChVector3d(4.0 * SIZE * (i % row), 4.0 * SIZE * (i // row), SIZE))
        system.AddBody(cube)
    return system


SCENES = {"boxes": boxes, "spheres": spheres}


def prepared(scene: str, count: int, method: str) -> Any:
    """A scene with small envelopes, taken over unless the method is NSC."""
    system = SCENES[scene](count, method)
    for body in system.GetBodies():
        model = body.GetCollisionModel()
        model.SetEnvelope(0.01 * SIZE)
        model.SetSafeMargin(0.01 * SIZE)
    if method != "nsc":
        mass = list(system.GetBodies())[-1].GetMass()
        law = pc.design_restriction(
            s_0=0.0, mass=mass, speed=1.0, restitution=0.4, penetration=0.02 * SIZE, force_limit=3000.0 * mass
        )
        material = pc.Material(law, pc.Friction(0.4, 0.4, 1e-3, 2e-3, 0.0, 1e-6), pc.Anchor())
        pc.attach(system, stepping=method).take_over(material)
    return system


def costs(scene: str, count: int, method: str) -> list[float]:
    """Processor time per simulated second in each window."""
    system = prepared(scene, count, method)
    step = SHORT[scene] if method == "explicit" else STEP
    found = []
    for _ in range(WINDOWS):
        begin = time.process_time()
        for _ in range(round(WINDOW / step)):
            system.DoStepDynamics(step)
        found.append((time.process_time() - begin) / WINDOW)
    return found


def main() -> None:
    """Measure all, print and write."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--count", type=int, default=1000, help="number of bodies (default 1000)")
    count = parser.parse_args().count
    need_pychrono()
    rows = []
    for scene in SCENES:
        for method in ("implicit", "nsc", "explicit"):
            found = costs(scene, count, method)
            rows.append({"scene": scene, "count": count, "method": method, "seconds": found})
            windows = " ".join(f"{seconds:6.2f}" for seconds in found)
            print(f"{scene:8} {method:9} {windows}   mean {sum(found) / len(found):6.2f} s per simulated s", flush=True)
    told = {"package_version": __version__, "chrono": version(), "machine": machine(), "window": WINDOW, "rows": rows}
    write_json(HERE / "heaps.json", told)


if __name__ == "__main__":
    main()
