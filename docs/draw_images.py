"""Draws the pictures of the documentation again, each by its command.

python docs/draw_images.py                  all of them, on the reference engine; takes some minutes
python docs/draw_images.py cube.gif wall.png

`drift.png` and `work_precision.png` come from the benchmarks of these names; `compare_slope.png`,
`compare_hyperstatic_block.png`, `adoption.png`, `euler_disc.png`, `masonry.png` and `hopper.png` need PyChrono.
"""

from __future__ import annotations

import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

IMAGES = Path(__file__).resolve().parent / "images"

RUNS = (
    *("ball", "drop", "wall", "hysteresis", "stick_slip", "stick_slip_2d", "pendulum", "cube", "slope", "slide"),
    *("stack", "roll", "friction_lab", "rocking_slope", "box_stack", "ladder", "gripper", "wheel", "gait_trainer"),
    *(
        "gait_observer",
        "gait_control",
        "gait_identification",
        "rake_cleaner",
        "rake_sensor",
        "friction_laws",
        "impact_phases",
    ),
    "arm_modes",
    *("hyperstatic_block", "hyperstatic_start", "hyperstatic_energy", "hyperstatic_truth", "four_legs"),
    *("four_bar", "slider_crank", "double_rocker", "cartesian_pendulum", "leg", "lagrange_example"),
)
"""Scenarios whose picture is that of their run at its defaults."""

ANIMATED = ("ball", "stick_slip", "pendulum", "cube", "rake_cleaner", "double_rocker")
"""Runs whose animation is shown too."""

SLOPE_MODELS = "power,anchored,smc-hooke,smc-hertz,smc-plaincoulomb,nsc"

COMMANDS: dict[str, str] = {
    **{name: f"run {name} --engine reference" for name in RUNS},
    "restitution_map": "run restitution_map --engine reference --set n_speed=50 --set n_r_d=50",
    "impact_gravity": "run impact_phases --engine reference --set case=gravity",
    "impact_sides": "run impact_phases --engine reference --set case=sides",
    "impact_backlash": "run impact_phases --engine reference --set case=backlash",
    "arm_machine": "run arm_modes --engine reference --set case=machine --set time=5",
    "gait_faults": "run gait_faults --set fault=stop --set begin=5 --set time=8 --set seeds=1",
    "rake_hold": "run rake_cleaner --engine reference --set case=lc3b",
    "compare_ball": "compare ball",
    "compare_stick_slip": "compare stick_slip",
    "compare_stick_slip_2d": "compare stick_slip_2d",
    "compare_hyperstatic_block": "compare hyperstatic_block",
    "compare_slope": f"compare slope --models {SLOPE_MODELS}",
    "adoption": "run adoption",
    "euler_disc": "run euler_disc",
    "masonry": "run masonry --set mortar=2000",
    "hopper": "run hopper",
}
"""What follows `powercontact`, by the name of the picture."""


def pictures(name: str) -> dict[str, str]:
    """Files that the command of a picture writes, by the image that each becomes."""
    images = {f"{name}.png": "compare.png" if COMMANDS[name].startswith("compare") else "plot.png"}
    if name in ANIMATED:
        images[f"{name}.gif"] = "animation.gif"
    return images


def draw(name: str) -> None:
    """Run the command of a picture and keep what it drew; ends the script where the command fails."""
    with tempfile.TemporaryDirectory() as folder:
        words = [sys.executable, "-m", "chrono_powercontact", *COMMANDS[name].split(), "--quiet", "--out", folder]
        code = subprocess.run(words, check=False).returncode
        if code:
            sys.exit(f"{name}: powercontact {COMMANDS[name]} ended with code {code}")
        for image, file in pictures(name).items():
            shutil.copy(Path(folder) / file, IMAGES / image)


def main(wanted: list[str]) -> None:
    """Draw the wanted images, or all."""
    known = {image: name for name in COMMANDS for image in pictures(name)}
    unknown = [image for image in wanted if image not in known]
    if unknown:
        sys.exit(f"no such image: {', '.join(unknown)}; there are {', '.join(sorted(known))}")
    for name in dict.fromkeys(known[image] for image in wanted or known):
        draw(name)


if __name__ == "__main__":
    main(sys.argv[1:])
