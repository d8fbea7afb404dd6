"""A body on a spring of Chrono's, along a line or about an axis, without gravity."""

from scene import empty_system, new_body

from chrono_powercontact.chrono.api.bridge import pychrono

STIFFNESS, DAMPING, START = 1e4, 5.0, 0.1
"""In N/m and N s/m (or N m/rad and N m s/rad); deformation at the start in m or rad. Masses and moments are 1."""


def sprung(kind, stiffness=STIFFNESS, damping=DAMPING, start=START):
    """A system, its body and a spring with a deformation at the start: "line" or "turn"."""
    chrono = pychrono()
    system = empty_system(0.0)
    ground = new_body(system, fixed=True, name="ground")
    body = new_body(system, 1.0, (0, 0, 1.0 + start) if kind == "line" else (0, 0, 0), inertia=(1, 1, 1), name="body")
    if kind == "line":
        link = chrono.ChLinkTSDA()
        link.Initialize(body, ground, True, chrono.ChVector3d(0, 0, 0), chrono.ChVector3d(0, 0, 0))
        link.SetRestLength(1.0)
    else:
        body.SetRot(chrono.QuatFromAngleZ(start))
        link = chrono.ChLinkRSDA()
        link.Initialize(ground, body, True, chrono.ChFramed(), chrono.ChFramed())
        link.SetRestAngle(0.0)
    link.SetSpringCoefficient(stiffness)
    link.SetDampingCoefficient(damping)
    system.AddLink(link)
    return system, body, link
