"""MuJoCo: soft constraints, with the noslip solver run to its end: the setting that holds a box on a slope."""

from __future__ import annotations

import mujoco
from engines.mujoco import NOSLIP

from .world import Body, Run, World, damping_ratio, followed

SETTINGS = ("noslip",)

IMPOSSIBLE: dict[str, str] = {}

RESOLVED, SOFTEST = 0.2, 25.0
"""Frequency of a bounce in rad over a step, and its least value in rad/s. MuJoCo takes the reference acceleration of a
contact at the start of a step, so a contact that bounces has to be softer at longer steps; with these values the errors
were least."""

SCENE = """
<mujoco>
  <option timestep="{step!r}" gravity="{gravity}" {option}/>
  <default><geom friction="{mu}" {contact}/></default>
  <worldbody>
    <geom type="plane" size="20 20 1"/>
    {bodies}
  </worldbody>
</mujoco>
"""

BODY = """<body pos="{at}" quat="{turn}"><freejoint/><inertial pos="0 0 0" mass="{mass}" diaginertia="{moments}"/>
<geom type="{kind}" size="{size}"/></body>"""


def numbers(values: tuple[float, ...]) -> str:
    """Numbers as MuJoCo reads them."""
    return " ".join(map(repr, values))


def body_text(body: Body) -> str:
    """A body in MuJoCo's format."""
    size = (body.radius,) if body.ball else tuple(0.5 * edge for edge in body.size)
    return BODY.format(
        at=numbers(body.at),
        turn=numbers(body.turn),
        mass=body.mass,
        moments=numbers(body.moments),
        kind="sphere" if body.ball else "box",
        size=numbers(size),
    )


def contact_text(world: World, step: float) -> str:
    """Attributes of a contact that bounces: stiffness and damping per mass; others are left as they come."""
    if world.restitution == 0.0:
        return ""
    frequency = min(world.speed / world.depth, max(RESOLVED / step, SOFTEST))
    damping = 2.0 * damping_ratio(world.restitution) * frequency
    return f'solref="{-(frequency**2)!r} {-damping!r}" solimp="0.9999 0.9999 0.001"'


def build(world: World, step: float) -> tuple[mujoco.MjModel, mujoco.MjData]:
    """Model and data of a world."""
    text = SCENE.format(
        step=step,
        gravity=numbers(world.gravity),
        option=NOSLIP,
        mu=world.mu,
        contact=contact_text(world, step),
        bodies="\n".join(map(body_text, world.bodies)),
    )
    model = mujoco.MjModel.from_xml_string(text)
    data = mujoco.MjData(model)
    mujoco.mj_forward(model, data)
    for i, body in enumerate(world.bodies):
        data.qvel[6 * i : 6 * i + 3] = body.velocity
        turn = data.xmat[i + 1].reshape(3, 3)
        data.qvel[6 * i + 3 : 6 * i + 6] = turn.T @ body.spin
    return model, data


def simulate(setting: str, world: World, step: float) -> Run:
    """Run a world with a step in s."""
    model, data = build(world, step)
    pull = world.pull

    def advance(count: int) -> None:
        if pull is None:
            mujoco.mj_step(model, data, count)
            return
        for _ in range(count):
            data.xfrc_applied[1, 0] = pull.force(data.time, data.qpos[0])
            mujoco.mj_step(model, data)

    def read() -> list[list[float]]:
        return data.qpos.reshape(-1, 7).tolist()

    return followed(advance, read, world, step)
