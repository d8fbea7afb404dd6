"""The tables of the joint kernel, with named fields: joints, their geometry, laws, memory and reports."""

from __future__ import annotations

import numpy as np

from ...laws.friction.friction_table import FRICTION
from ...laws.normal.normal_table import NORMAL

TURN, SLIDE, LINE = range(3)
"""Motions of a joint: about an axis, along one or two directions, or along the line between two points."""

JOINT = np.dtype([("motion", np.int64), ("body_1", np.int64), ("body_2", np.int64), ("each", np.int64)])
"""A joint force: its motion, the numbers of its bodies on the load, and whether each direction has its own opening."""

JOINT_GEOMETRY = np.dtype(
    [
        ("point", np.float64, (3,)), ("mark", np.float64, (3,)), ("origin", np.float64, (3,)),
        ("axis", np.float64, (3,)), ("side", np.float64, (3,)),
    ]
)  # fmt: skip
"""Geometry of a joint, body-fixed: on body 1 the sliding point and a direction perpendicular to the axis; on body 2 the
origin of a slide, the axis or first direction, and a direction perpendicular to it (for a slide: the second direction,
or zero). A line has its ends as point and origin; the rest is zero."""

JOINT_LAW = np.dtype(
    [
        ("lower", np.float64),
        ("upper", np.float64),
        ("offset", np.float64),
        ("reach", np.float64),
        ("stop", NORMAL),
        ("friction", FRICTION),
    ]
)
"""Laws of a joint: limits in rad or m (infinite if there is none), s_0 and reach of the stops,
their law, and the friction."""

JOINT_MEMORY = np.dtype(
    [
        ("position", np.float64),
        ("aside", np.float64),
        ("held", np.float64, (2,)),
        ("speed", np.float64, (2,)),
        ("stop", np.float64),
        ("surplus", np.float64),
        ("approach", np.float64),
        ("exit", np.float64),
        ("friction", np.float64, (2,)),
        ("stored", np.float64),
        ("first", np.float64, (3,)),
        ("second", np.float64, (3,)),
        ("point", np.float64, (3,)),
    ]
)
"""Memory of a joint at the last commit: angle or position, and the position along the second direction; friction (or
the anchor) along both directions; both speeds, NaN before the first commit. Then what acts in a step of
a linearised integrator: force of the stops and its dissipative part, the speeds before and after an
impact (zero if there is none), friction along both directions; energy of the
anchor in J; both directions and the point in the world."""

JOINT_REPORT = np.dtype(
    [
        ("position", np.float64), ("speed", np.float64, (2,)), ("stop", np.float64), ("friction", np.float64, (2,)),
        ("stored", np.float64), ("contact_power", np.float64), ("friction_power", np.float64),
    ]
)  # fmt: skip
"""Report on a joint: angle or position, both speeds, force of the stops, friction against both speeds, stored energy in
J, and the powers in W dissipated in the stops and by friction."""
