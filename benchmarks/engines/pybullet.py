"""PyBullet: sequential impulses; its friction anchor corrects the drift that they leave."""

from __future__ import annotations

import pybullet

from .scene import EDGE, GRAVITY, LONG_STEP, MASS, MU, Setting, Track, follow, foot

SOURCE = "PyBullet Quickstart Guide, {}"

SETTINGS = (
    Setting("default", "", SOURCE.format("setPhysicsEngineParameter"), True, 1.0 / 240.0),
    Setting(
        "all iterations",
        "solverResidualThreshold=0 numSolverIterations=200",
        SOURCE.format("setPhysicsEngineParameter"),
        False,
        1.0 / 240.0,
        {"engine": {"solverResidualThreshold": 0.0, "numSolverIterations": 200}},
    ),
    *(
        Setting(
            "friction anchor" + (f", {1e3 * step:g} ms" if step == LONG_STEP else ""),
            "frictionAnchor=1",
            SOURCE.format("changeDynamics"),
            False,
            step,
            {"box": {"frictionAnchor": 1}},
        )
        for step in (1.0 / 240.0, LONG_STEP)
    ),
)


def run(setting: Setting) -> Track:
    """The scene with a setting; the friction of a contact is the product of both coefficients."""
    pybullet.connect(pybullet.DIRECT)
    pybullet.setGravity(*GRAVITY)
    pybullet.setPhysicsEngineParameter(fixedTimeStep=setting.step, **setting.values.get("engine", {}))
    ground = pybullet.createMultiBody(0.0, pybullet.createCollisionShape(pybullet.GEOM_PLANE))
    shape = pybullet.createCollisionShape(pybullet.GEOM_BOX, halfExtents=[0.5 * EDGE] * 3)
    box = pybullet.createMultiBody(MASS, shape, basePosition=[0.0, 0.0, 0.5 * EDGE])
    pybullet.changeDynamics(ground, -1, lateralFriction=1.0)
    pybullet.changeDynamics(box, -1, lateralFriction=MU, **setting.values.get("box", {}))

    def advance(count: int) -> float:
        for _ in range(count):
            pybullet.stepSimulation()
        place, turn = pybullet.getBasePositionAndOrientation(box)
        return foot(place[0], (turn[3], *turn[:3]))

    try:
        return follow(advance, float(setting.step))
    finally:
        pybullet.disconnect()
