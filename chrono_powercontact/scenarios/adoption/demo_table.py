"""The demos by name: how each is built, how long it runs, and what can be asked of it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from . import ant_demo, geneva, heap_demos, hull_demos, mesh_demos, motor_demos, plain_demos, robot_demos
from .demo import Demo


@dataclass(frozen=True)
class Entry:
    """A demo, and how it is judged.

    Attributes:
        build: makes the scene. time: length of a run in s.
        weighs: whose weight the contacts carry at the end: "bodies" for those that are looked at, "all" for all that
            move, "" where joints carry it or nothing rests.
        near: how far bodies may end from where they do in the demo as it is, relative to their way there, and in m;
            None where that is chance. placed: of how many bodies, the first ones; 0 for all.
        turns: how far the first body may turn from what it does in the demo as it is, in rad; None if not judged.
        room: largest distance in m of a body from the origin: beyond it is lost.
        like: name of the demo whose own places count, if these are not its own: those under NSC.
    """

    build: Callable[[], Demo]
    time: float
    weighs: str = "bodies"
    near: tuple[float, float] | None = None
    placed: int = 0
    turns: float | None = None
    room: float = 20.0
    like: str = ""


DEMOS = {
    "collision_smc": Entry(heap_demos.collision_smc, 2.0, "", room=15.0),
    "earthquake": Entry(hull_demos.earthquake, 1.0, "", room=4.0),
    "callback_nsc": Entry(plain_demos.callback_nsc, 2.5, near=(0.05, 1e-3)),
    "callback_smc": Entry(plain_demos.callback_smc, 2.5, near=(0.05, 1e-3), like="callback_nsc"),
    "buildsystem": Entry(plain_demos.buildsystem, 3.0, near=(0.0, 2e-3)),
    "custom_contact": Entry(plain_demos.custom_contact, 1.5, weighs="", room=8.0),
    "friction": Entry(plain_demos.friction, 3.0, near=(0.1, 0.01)),
    "ant": Entry(ant_demo.ant, 5.0, "all", near=(0.0, 0.05), placed=1),
    "motors": Entry(motor_demos.motors, 3.0, near=(0.1, 0.1)),
    "collision_nsc": Entry(heap_demos.collision_nsc, 4.0, "", room=15.0),
    "associated": Entry(hull_demos.associated, 1.0, near=(0.0, 1e-3)),
    "collision_2d": Entry(geneva.collision_2d, 4.0, "", turns=0.02),
    "collision_trimesh": Entry(mesh_demos.collision_trimesh, 2.0, near=(0.0, 0.01)),
    "viper": Entry(robot_demos.viper, 3.0, "", near=(0.05, 0.01)),
    "curiosity": Entry(robot_demos.curiosity, 3.0, "", near=(0.05, 0.01)),
    "turtlebot": Entry(robot_demos.turtlebot, 3.0, "", near=(0.05, 0.01)),
    "robosimian": Entry(robot_demos.robosimian, 3.0, "", near=(0.1, 0.02)),
    "fea_contacts": Entry(mesh_demos.fea_contacts, 1.0, near=(0.0, 5e-3), like="fea_contacts_nsc"),
}
"""In the order of how much they ask of a plugin, as far as that was known before."""

TWINS = {"fea_contacts_nsc": Entry(mesh_demos.fea_contacts_nsc, 1.0)}
"""What is no demo of Chrono's, but has the bodies of one under NSC."""


def entry_of(name: str) -> Entry:
    """A demo or a twin by its name."""
    return (DEMOS | TWINS)[name]
