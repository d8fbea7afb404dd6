"""MuJoCo: soft constraints; the documentation names impratio and the noslip solver against slip."""

from __future__ import annotations

import mujoco

from .scene import EDGE, GRAVITY, LONG_STEP, MASS, MU, Setting, Track, follow, foot

SOURCE = "https://mujoco.readthedocs.io/en/stable/XMLreference.html#option"

NOSLIP = 'cone="elliptic" impratio="10" noslip_iterations="100" noslip_tolerance="0"'
"""Options of the setting that holds the box."""

SETTINGS = (
    Setting("default", "cone=pyramidal", SOURCE, True, 2e-3),
    Setting(
        "impratio 100", "cone=elliptic impratio=100", SOURCE, False, 2e-3, {"option": 'cone="elliptic" impratio="100"'}
    ),
    Setting(
        "noslip 10",
        "cone=elliptic impratio=10 noslip_iterations=10",
        SOURCE,
        False,
        2e-3,
        {"option": 'cone="elliptic" impratio="10" noslip_iterations="10"'},
    ),
    *(
        Setting(
            "noslip to the end" + (f", {1e3 * step:g} ms" if step == LONG_STEP else ""),
            "cone=elliptic impratio=10 noslip_iterations=100 noslip_tolerance=0",
            SOURCE,
            False,
            step,
            {"option": NOSLIP},
        )
        for step in (2e-3, LONG_STEP)
    ),
)

SCENE = """
<mujoco>
  <option timestep="{step}" gravity="{gravity}" {option}/>
  <worldbody>
    <geom type="plane" size="10 10 1" friction="{mu}"/>
    <body pos="0 0 {half}">
      <freejoint/>
      <geom type="box" size="{half} {half} {half}" mass="{mass}" friction="{mu}"/>
    </body>
  </worldbody>
</mujoco>
"""


def run(setting: Setting) -> Track:
    """The scene with a setting."""
    gravity, option = " ".join(map(repr, GRAVITY)), setting.values.get("option", "")
    text = SCENE.format(step=setting.step, gravity=gravity, option=option, half=0.5 * EDGE, mass=MASS, mu=MU)
    model = mujoco.MjModel.from_xml_string(text)
    data = mujoco.MjData(model)

    def advance(count: int) -> float:
        mujoco.mj_step(model, data, count)
        return foot(data.qpos[0], data.qpos[3:7])

    return follow(advance, model.opt.timestep)
