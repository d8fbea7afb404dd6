"""The worked examples on Chrono: bodies, joints, springs and motors in place of coordinates."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from ...chrono.api.bridge import pychrono
from ...chrono.api.start import prepare
from ...chrono.run.plain_recorder import body_energies, record_steps
from ...trajectory import Trajectory
from ..constants import GRAVITY
from ..scenes.chrono_scenes import add_body, new_scene
from ..timing import RECORDS
from .worked_examples import slewing_inertia

if TYPE_CHECKING:
    from ...progress import Progress
    from .lagrange_example import ExampleParameters
    from .worked_examples import Example

Numbers = Mapping[str, float]
Readings = dict[str, float]

POINT = 1e-8
"""Moment of inertia of a point mass over m l^2, as small as Chrono's solver bears."""

ALONG_X = "x"
ALONG_Y = "y"

ANGLES = ("phi", "q1", "q2", "psi")
"""Coordinates that may count whole turns."""


class Scene(NamedTuple):
    """An example in Chrono.

    Attributes:
        system: Chrono's system. bodies: those that move. gravity: in m/s^2.
        read: coordinates and velocities by name. springs: each with its stiffness in N/m.
        power: of the drives, in W.
    """

    system: Any
    bodies: Sequence[Any]
    gravity: tuple[float, float, float]
    read: Callable[[], Readings]
    springs: Sequence[tuple[Any, float]] = ()
    power: Callable[[Readings], float] = lambda row: 0.0


def _frame(at: Iterable[float], along: str | None = None) -> Any:
    """A frame at a position in m, its z axis along x or y where that is said."""
    chrono = pychrono()
    turns = {
        None: chrono.QUNIT,
        ALONG_X: chrono.QuatFromAngleY(0.5 * math.pi),
        ALONG_Y: chrono.QuatFromAngleX(-0.5 * math.pi),
    }
    return chrono.ChFramed(chrono.ChVector3d(*map(float, at)), turns[along])


def _join(system: Any, link: Any, one: Any, other: Any, frame: Any) -> Any:
    """Add a joint between two bodies."""
    link.Initialize(one, other, frame)
    system.AddLink(link)
    return link


def _spring(
    system: Any, ends: tuple[Any, Any], at: tuple[Iterable[float], Iterable[float]], rate: float, rest: float
) -> Any:
    """A linear spring of a rate in N/m and a free length in m between points of two bodies, given in the world."""
    chrono = pychrono()
    spring = chrono.ChLinkTSDA()
    spring.Initialize(*ends, False, *(chrono.ChVector3d(*map(float, point)) for point in at))
    spring.SetRestLength(rest)
    spring.SetSpringCoefficient(rate)
    system.AddLink(spring)
    return spring


def _move(body: Any, velocity: Sequence[float], omega: float = 0.0) -> None:
    """Give a body a velocity in m/s and an angular velocity in rad/s about z."""
    chrono = pychrono()
    body.SetPosDt(chrono.ChVector3d(*map(float, velocity)))
    body.SetAngVelLocal(chrono.ChVector3d(0.0, 0.0, float(omega)))


def pendulum_scene(example: Example) -> Scene:
    """A point mass on a revolute joint at the origin."""
    chrono = pychrono()
    n = example.numbers
    gravity = (0.0, -GRAVITY, 0.0)
    system, ground = new_scene(gravity)
    at = n["l"] * np.array([math.sin(example.q[0]), -math.cos(example.q[0]), 0.0])
    bob = add_body(system, "bob", n["m"], POINT * n["m"] * n["l"] ** 2, at)
    _join(system, chrono.ChLinkMateRevolute(), bob, ground, _frame((0.0, 0.0, 0.0)))

    def read() -> Readings:
        p = bob.GetPos()
        v = bob.GetPosDt()
        return {"phi": math.atan2(p.x, -p.y), "phi_dot": (p.x * v.y - p.y * v.x) / n["l"] ** 2}

    return Scene(system, [bob], gravity, read)


def two_masses_scene(example: Example) -> Scene:
    """Two bodies on prismatic joints, a spring to the wall and one between them."""
    chrono = pychrono()
    n = example.numbers
    system, ground = new_scene()
    at = [np.array([1.0 + i + x, 0.0, 0.0]) for i, x in enumerate(example.q)]
    bodies = [add_body(system, f"mass {i + 1}", n[f"m{i + 1}"], 1.0, place) for i, place in enumerate(at)]
    for body, place in zip(bodies, at, strict=True):
        _join(system, chrono.ChLinkMatePrismatic(), body, ground, _frame(place, ALONG_X))
    springs = [
        (_spring(system, (bodies[0], ground), (at[0], (0.0, 0.0, 0.0)), n["c1"], 1.0), n["c1"]),
        (_spring(system, (bodies[1], bodies[0]), (at[1], at[0]), n["c2"], 1.0), n["c2"]),
    ]

    def read() -> Readings:
        places = {f"x{i + 1}": body.GetPos().x - 1.0 - i for i, body in enumerate(bodies)}
        return places | {f"x{i + 1}_dot": body.GetPosDt().x for i, body in enumerate(bodies)}

    return Scene(system, bodies, (0.0, 0.0, 0.0), read, springs)


def cart_scene(example: Example) -> Scene:
    """A cart on a prismatic joint with a spring to the wall, a point mass on a revolute joint below."""
    chrono = pychrono()
    n = example.numbers
    x, phi = example.q
    v, w = example.u
    gravity = (0.0, -GRAVITY, 0.0)
    system, ground = new_scene(gravity)
    cart = add_body(system, "cart", n["m1"], 1.0, (x, 0.0, 0.0))
    hang = n["l"] * np.array([math.sin(phi), -math.cos(phi), 0.0])
    bob = add_body(system, "bob", n["m2"], POINT * n["m2"] * n["l"] ** 2, hang + np.array([x, 0.0, 0.0]))
    _move(cart, (v, 0.0, 0.0))
    _move(bob, (v - w * hang[1], w * hang[0], 0.0), w)
    _join(system, chrono.ChLinkMatePrismatic(), cart, ground, _frame((x, 0.0, 0.0), ALONG_X))
    _join(system, chrono.ChLinkMateRevolute(), bob, cart, _frame((x, 0.0, 0.0)))
    spring = _spring(system, (cart, ground), ((x, 0.0, 0.0), (-1.0, 0.0, 0.0)), n["c"], 1.0)

    def read() -> Readings:
        at = cart.GetPos().x
        speed = cart.GetPosDt().x
        p = bob.GetPos()
        u = bob.GetPosDt()
        across = p.x - at
        turn = (across * u.y - p.y * (u.x - speed)) / n["l"] ** 2
        return {"x": at, "phi": math.atan2(across, -p.y), "x_dot": speed, "phi_dot": turn}

    return Scene(system, [cart, bob], gravity, read, [(spring, n["c"])])


def arm_scene(example: Example) -> Scene:
    """Two links on revolute joints."""
    chrono = pychrono()
    n = example.numbers
    angles = np.cumsum(example.q)
    rates = np.cumsum(example.u)
    gravity = (0.0, -GRAVITY, 0.0)
    system, ground = new_scene(gravity)
    ways = [np.array([math.cos(a), math.sin(a), 0.0]) for a in angles]
    aside = [w * np.array([-e[1], e[0], 0.0]) for w, e in zip(rates, ways, strict=True)]
    elbow = n["l1"] * ways[0]
    links = [
        add_body(system, "link 1", n["m1"], n["I1"], n["s1"] * ways[0]),
        add_body(system, "link 2", n["m2"], n["I2"], elbow + n["s2"] * ways[1]),
    ]
    for link, angle in zip(links, angles, strict=True):
        link.SetRot(chrono.QuatFromAngleZ(float(angle)))
    _move(links[0], n["s1"] * aside[0], rates[0])
    _move(links[1], n["l1"] * aside[0] + n["s2"] * aside[1], rates[1])
    _join(system, chrono.ChLinkMateRevolute(), links[0], ground, _frame((0.0, 0.0, 0.0)))
    _join(system, chrono.ChLinkMateRevolute(), links[1], links[0], _frame(elbow))

    def read() -> Readings:
        first, second = (2.0 * math.atan2(link.GetRot().e3, link.GetRot().e0) for link in links)
        turns = [link.GetAngVelParent().z for link in links]
        return {"q1": first, "q2": second - first, "q1_dot": turns[0], "q2_dot": turns[1] - turns[0]}

    return Scene(system, links, gravity, read)


def crane_scene(example: Example) -> Scene:
    """Tower on a slewing motor, trolley on a linear motor along the jib, load on a spring."""
    chrono = pychrono()
    n = example.numbers
    gravity = (0.0, 0.0, -GRAVITY)
    system, ground = new_scene(gravity)
    _, s, ell, alpha, beta = example.q
    tower = add_body(system, "tower", 1e4, slewing_inertia(n), (0.0, 0.0, 0.0))
    hook = np.array([0.0, s, n["h"]])
    rope = np.array([math.sin(beta), math.cos(beta) * math.sin(alpha), -math.cos(beta) * math.cos(alpha)])
    trolley = add_body(system, "trolley", n["m_t"], POINT * n["m_t"] * s**2, hook)
    load = add_body(system, "load", n["m_l"], POINT * n["m_l"] * s**2, hook + ell * rope)
    slewing = example.u[0]
    for body in (tower, trolley, load):
        at = body.GetPos()
        _move(body, (-slewing * at.y, slewing * at.x, 0.0), slewing)
    motor = _join(system, chrono.ChLinkMotorRotationTorque(), tower, ground, _frame((0.0, 0.0, 0.0)))
    motor.SetTorqueFunction(chrono.ChFunctionConst(n["tau"]))
    drive = _join(system, chrono.ChLinkMotorLinearForce(), trolley, tower, _frame(hook, ALONG_Y))
    drive.SetForceFunction(chrono.ChFunctionConst(n["F"]))
    spring = _spring(system, (load, trolley), (hook + ell * rope, hook), n["c_r"], n["ell_0"])
    return Scene(
        system, [tower, trolley, load], gravity, lambda: crane_readings(tower, trolley, load), [(spring, n["c_r"])],
        lambda row: n["tau"] * row["psi_dot"] + n["F"] * row["s_dot"],
    )  # fmt: skip


def crane_readings(tower: Any, trolley: Any, load: Any) -> Readings:
    """Coordinates of the crane and their rates, from positions and velocities in the frame of the jib."""
    turn = tower.GetRot()
    psi = 2.0 * math.atan2(turn.e3, turn.e0)
    slewing = tower.GetAngVelParent().z
    back = np.array([[math.cos(psi), math.sin(psi), 0.0], [-math.sin(psi), math.cos(psi), 0.0], [0.0, 0.0, 1.0]])
    places = []
    rates = []
    for body in (trolley, load):
        p = body.GetPos()
        v = body.GetPosDt()
        place = back @ [p.x, p.y, p.z]
        places.append(place)
        rates.append(back @ [v.x, v.y, v.z] - np.cross([0.0, 0.0, slewing], place))
    rope = places[1] - places[0]
    rope_rate = rates[1] - rates[0]
    ell = float(np.linalg.norm(rope))
    ell_dot = float(rope @ rope_rate / ell)
    across = math.hypot(rope[1], rope[2])
    beta_dot = (rope_rate[0] * ell - rope[0] * ell_dot) / (ell * across)
    alpha_dot = (rope[1] * rope_rate[2] - rope[2] * rope_rate[1]) / across**2
    return {
        "psi": psi, "s": places[0][1], "ell": ell, "alpha": math.atan2(rope[1], -rope[2]),
        "beta": math.asin(rope[0] / ell), "psi_dot": slewing, "s_dot": rates[0][1], "ell_dot": ell_dot,
        "alpha_dot": alpha_dot, "beta_dot": beta_dot,
    }  # fmt: skip


SCENES: dict[str, Callable[[Example], Scene]] = {
    "pendulum": pendulum_scene,
    "two_masses": two_masses_scene,
    "cart_pendulum": cart_scene,
    "two_link_arm": arm_scene,
    "crane": crane_scene,
}


def run_on_chrono(p: ExampleParameters, progress: Progress) -> Trajectory:
    """A worked example on Chrono, with the columns of the reference engine."""
    scene = SCENES[p.which](p.example)
    prepare(scene.system, p.integrator)

    def read() -> Readings:
        row = scene.read()
        energies = body_energies(scene.bodies, scene.gravity)
        energies["potential"] += sum(0.5 * rate * spring.GetDeformation() ** 2 for spring, rate in scene.springs)
        return row | energies | {"drive_power": scene.power(row)}

    every = max(round(p.length() / p.increment() / RECORDS), 1)
    run = record_steps(scene.system, read, p.increment(), p.length(), every, progress)
    for name in ANGLES:
        if name in run.names:
            run[name][:] = np.unwrap(run[name])
    return run
