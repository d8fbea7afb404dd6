"""The twin of the machine: what its cylinders carry besides the contact, at every moment of its strokes.

Arms that bend under their weight, by statics of the finite-segment machine; inertia and flow by the rigid one, whose
two coordinates give moments about the base pin O and the elbow E.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from ..machine.arm_terms import pose, terms
from ..machine.arms import TIP, TRIG_ROWS, Mechanism, Place, mechanism, straight
from ..machine.machine import GRAVITY, Machine, Rack, Water
from ..machine.rack_contact import STIFFNESS
from ..machine.statics import Statics
from ..machine.two_link import TwoLink
from ..machine.water import water_record, wet
from .cylinder_sensor import Sensor
from .strokes import Strokes

Array = NDArray[np.float64]

KNOTS = 20
"""Every so many readings the bending of the arms is computed, and interpolated between."""


def about_pins(generalised: Array) -> Array:
    """Moments about O and E in N m from generalised forces of phi and alpha."""
    return np.array([generalised[0] + generalised[1], generalised[1]])


@dataclass(frozen=True)
class MachineTwin:
    """The machine as its twin knows it: geometry, masses, stiffness; neither seals nor flow nor the rack's position."""

    machine: Machine

    @cached_property
    def rigid(self) -> Mechanism:
        """Arms that do not bend."""
        return mechanism(self.machine, "rigid", (1, 1))

    @cached_property
    def bending(self) -> Statics:
        """Equilibria of arms that bend."""
        return Statics(self.machine, mechanism(self.machine, "segments", (1, 1)))

    def water_load(self, mech: Mechanism, flow: float, q: Array, v: Array) -> Array:
        """Generalised force of a flow in m/s on arms with coordinates q and speeds v."""
        n = q.size
        trig = np.zeros((TRIG_ROWS, n))
        force = np.zeros(n)
        pose(mech, q, trig)
        room = Place(np.zeros(2), np.zeros((2, n)))
        wet(mech, water_record(Water(speed=flow), self.machine), 0.0, q, v, trig, room, force)
        return force

    def water(self, strokes: Strokes, flow: float) -> Array:
        """Moments in N m of a flow in m/s about O and E at every moment, one row each pin."""
        if flow <= 0.0:
            return np.zeros_like(strokes.commanded)
        pairs = zip(strokes.angles.T.copy(), strokes.speeds.T.copy(), strict=True)
        return np.array([about_pins(self.water_load(self.rigid, flow, q, v)) for q, v in pairs]).T

    def rake_weight(self, strokes: Strokes) -> Array:
        """Moments in N m about O and E that the cylinders hold for each kilogram on the rake."""
        two = TwoLink(self.machine)
        reach = self.machine.knuckle.length - self.machine.rake_back
        about_e = GRAVITY * reach * np.cos(strokes.angles[1])
        about_o = about_e + GRAVITY * np.array([two.elbow(float(phi))[0] for phi in strokes.angles[0]])
        return np.array([about_o, about_e])

    def inertia(self, strokes: Strokes) -> Array:
        """Moments in N m about O and E that accelerate the machine at every moment."""
        found = []
        mass = np.zeros((2, 2))
        for q, v, a in zip(strokes.angles.T.copy(), strokes.speeds.T.copy(), strokes.accelerations.T, strict=True):
            trig = np.zeros((TRIG_ROWS, 2))
            moving = np.zeros(2)
            resting = np.zeros(2)
            pose(self.rigid, q, trig)
            terms(self.rigid, q, np.zeros(2), trig, mass, resting)
            terms(self.rigid, q, v, trig, mass, moving)
            found.append(about_pins(mass @ a - moving + resting))
        return np.array(found).T

    def held(self, strokes: Strokes) -> Array:
        """Forces in N of both lines that hold the bending machine without contact at every moment."""
        return np.array([self.bending.settle(float(c1), float(c2)).forces for c1, c2 in strokes.commanded.T]).T

    def bent(self, sensor: Sensor, strokes: Strokes) -> Array:
        """Moments in N m about O and E by which the bending machine differs from the rigid one."""
        from scipy.interpolate import CubicSpline

        last = strokes.t.size - 1
        knots = np.unique(np.append(np.arange(0, last, KNOTS), last))
        some = strokes.part(knots)
        forces = self.held(some)
        rows = []
        for commanded, held in zip(some.commanded.T, forces.T, strict=True):
            balance = sensor.balance(sensor.lengths(commanded, held))
            rows.append(balance.levers * held - balance.moments)
        return np.asarray(CubicSpline(some.t, np.array(rows))(strokes.t)).T

    def burden(self, sensor: Sensor, strokes: Strokes, flow: float) -> Array:
        """Moments in N m about O and E that the cylinders carry beside weight and contact of the rigid machine."""
        return self.bent(sensor, strokes) + self.inertia(strokes) - self.water(strokes, flow)

    def rack_position(self, rack: Rack, strokes: Strokes, contact: Array, flow: float) -> Array:
        """How far in m the rack stands in front of where `rack` has its foot, at every moment of a contact.

        The scraper of the bending machine lies on the rack, up to the compression of its strip.
        """
        n = len(self.bending.mech.own)
        found = []
        for i in range(strokes.t.size):
            phi, alpha = strokes.speeds[:, i]
            moving = straight(self.bending.mech, self.machine, float(phi), float(alpha))
            c1, c2 = (float(c) for c in strokes.commanded[:, i])
            q = straight(self.bending.mech, self.machine, *TwoLink(self.machine).angles(c1, c2))
            load = np.zeros(n)
            for _ in range(2):
                pull = contact[0, i] * rack.normal + contact[1, i] * rack.tangent
                load = pull @ self.bending.position(q, TIP)[1]
                if flow > 0.0:
                    load = load + self.water_load(self.bending.mech, flow, q, moving)
                q = self.bending.settle(c1, c2, load).q
            tip = self.bending.position(q, TIP)[0]
            found.append(rack.normal @ (tip - np.array(rack.foot)) + contact[0, i] / STIFFNESS)
        return np.array(found)
