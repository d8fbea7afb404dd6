"""Contacts in the components in which Chrono reports them: planes whose x axis is the normal from A to B."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from ...kernel import kernel
from ...numerics.vectors import cross, dot, norm, times, triple

Array = Any

SEEN = np.dtype(
    [
        ("axis", np.float64, (3,)), ("steep", np.float64), ("plane", np.float64, (3, 3)),
        ("on_a", np.float64, (3,)), ("on_b", np.float64, (3,)),
        ("force", np.float64, (3,)), ("torque", np.float64, (3,)),
    ]
)  # fmt: skip
"""A contact as it is reported: normal from A to B; whether that is nearly along y, so that x suggests the y axis of the
plane, else y does; the plane as a matrix whose columns are its axes; points on both surfaces in m; force in N and
torque in N m on B, in components of the plane."""

STEEP = 0.9
"""Largest component of a normal along y with which y suggests an axis of the plane."""


@kernel
def put_seen(normal: Array, point: Array, gap: Array, force: Array, moment: Array, out: Array) -> None:
    """Write contacts as they are reported, as records of SEEN; for the other arguments see `Acted`."""
    for i in range(gap.size):
        seen = out[i]
        x = times(-1.0, triple(normal[i]))
        steep = abs(x[1]) > STEEP
        z = cross(x, (1.0, 0.0, 0.0) if steep else (0.0, 1.0, 0.0))
        z = times(1.0 / norm(z), z)
        y = cross(z, x)
        seen.steep = 1.0 if steep else 0.0
        axes = (x, y, z)
        for k in range(3):
            seen.axis[k] = x[k]
            seen.plane[0, k] = axes[k][0]
            seen.plane[1, k] = axes[k][1]
            seen.plane[2, k] = axes[k][2]
            seen.on_a[k] = point[i, k] - 0.5 * gap[i] * x[k]
            seen.on_b[k] = point[i, k] + 0.5 * gap[i] * x[k]
            seen.force[k] = -dot(axes[k], triple(force[i]))
            seen.torque[k] = -dot(axes[k], triple(moment[i]))


def seen_contacts(rows: Any) -> NDArray[Any]:
    """Contacts that acted as they are reported, records of SEEN."""
    found = np.zeros(len(rows.gap), SEEN)
    put_seen(rows.normal, rows.point, rows.gap, rows.force, rows.moment, found)
    return found
