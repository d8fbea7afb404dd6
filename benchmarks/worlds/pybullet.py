"""PyBullet: sequential impulses, with its friction anchor: the setting that holds a box on a slope."""

from __future__ import annotations

import pybullet

from .world import Body, Run, World, followed

SETTINGS = ("friction anchor",)

IMPOSSIBLE: dict[str, str] = {}


def add_body(body: Body, world: World) -> int:
    """A body of a world; friction and restitution of a contact are the products of those of both bodies."""
    if body.ball:
        shape = pybullet.createCollisionShape(pybullet.GEOM_SPHERE, radius=body.radius)
    else:
        shape = pybullet.createCollisionShape(pybullet.GEOM_BOX, halfExtents=[0.5 * edge for edge in body.size])
    turn = (*body.turn[1:], body.turn[0])
    made = pybullet.createMultiBody(body.mass, shape, basePosition=body.at, baseOrientation=turn)
    pybullet.resetBaseVelocity(made, body.velocity, body.spin)
    pybullet.changeDynamics(
        made,
        -1,
        lateralFriction=world.mu if len(world.bodies) == 1 else world.mu**0.5,
        restitution=world.restitution,
        localInertiaDiagonal=body.moments,
        linearDamping=0.0,
        angularDamping=0.0,
        frictionAnchor=1,
    )
    return int(made)


def build(world: World, step: float) -> list[int]:
    """The bodies of a world in the connected engine."""
    pybullet.setGravity(*world.gravity)
    pybullet.setPhysicsEngineParameter(fixedTimeStep=step)
    ground = pybullet.createMultiBody(0.0, pybullet.createCollisionShape(pybullet.GEOM_PLANE))
    rough = 1.0 if len(world.bodies) == 1 else world.mu**0.5
    pybullet.changeDynamics(ground, -1, lateralFriction=rough, restitution=1.0)
    return [add_body(body, world) for body in world.bodies]


def simulate(setting: str, world: World, step: float) -> Run:
    """Run a world with a step in s."""
    pybullet.connect(pybullet.DIRECT)
    bodies = build(world, step)
    pull, done = world.pull, [0]

    def advance(count: int) -> None:
        for _ in range(count):
            if pull is not None:
                place = pybullet.getBasePositionAndOrientation(bodies[0])[0]
                force = [pull.force(done[0] * step, place[0]), 0.0, 0.0]
                pybullet.applyExternalForce(bodies[0], -1, force, place, pybullet.WORLD_FRAME)
                done[0] += 1
            pybullet.stepSimulation()

    def read() -> list[list[float]]:
        poses = [pybullet.getBasePositionAndOrientation(body) for body in bodies]
        return [[*place, turn[3], *turn[:3]] for place, turn in poses]

    try:
        return followed(advance, read, world, step)
    finally:
        pybullet.disconnect()
