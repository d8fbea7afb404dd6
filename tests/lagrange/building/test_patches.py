"""Patches in the reference engine: a puck that slides and spins, against its closed form."""

from __future__ import annotations

from functools import cache

import numpy as np
import pytest
import sympy as sp

from chrono_powercontact.errors import ModelError
from chrono_powercontact.lagrange.building.patches import with_patches
from chrono_powercontact.lagrange.model import ContactPoint, Model, coordinates, velocities
from chrono_powercontact.lagrange.runs import run_rk4
from chrono_powercontact.lagrange.system import System
from chrono_powercontact.laws.friction.anchor import Anchor
from chrono_powercontact.laws.friction.dissipation import Friction
from chrono_powercontact.laws.friction.memory import LPVFilter
from chrono_powercontact.laws.material import Material
from chrono_powercontact.laws.normal.restriction import Restriction

MASS, GRAVITY, RADIUS, MU = 0.2, 9.81, 0.03, 0.3
FLOOR = Restriction(0.0, -1e-4, 200.0, 1.0)
REST = FLOOR.rest_distance(MASS * GRAVITY)


@cache
def puck(spinning: bool = True) -> Model:
    """A puck on the ground: x and y along it, s above it, and its yaw."""
    q = coordinates("x y s yaw")
    m, g, moment = p = sp.symbols("m g moment")
    vx, vy, vs, yaw = velocities(q)
    point = ContactPoint("floor", q[2], (vx, vy), spinning=(yaw,) if spinning else ())
    kinetic = m * (vx**2 + vy**2 + vs**2) / 2 + moment * yaw**2 / 2
    return Model("test_patch_puck", q, kinetic, m * g * q[2], p, contacts=(point,))


def slid(patch: float, memory, u, time: float, step: float = 1e-4):
    material = Material(FLOOR, Friction(MU, MU, 1e-3), memory, patch=patch)
    system = System(puck(), {"m": MASS, "g": GRAVITY, "moment": MASS * RADIUS**2}, {"floor": material})
    return run_rk4(system, system.state([0.0, 0.0, REST, 0.0], u), step, time)


@pytest.mark.parametrize("memory", [None, LPVFilter(1e-3, 1e-3), Anchor(1e-6)], ids=["static", "filter", "anchor"])
def test_sliding_and_spinning_end_at_once(memory):
    """With I = m R^2 slip and spin shrink in proportion: the length of their vector falls by mu g each second."""
    speed, spin = 0.6, 0.8 / RADIUS
    whole = np.hypot(speed, RADIUS * spin)
    end = whole / (MU * GRAVITY)
    run = slid(RADIUS, memory, [speed, 0.0, 0.0, spin], 0.8 * end)
    left = 1.0 - run["t"] * MU * GRAVITY / whole
    assert run["x_dot"] == pytest.approx(speed * left, abs=6e-3)
    assert RADIUS * run["yaw_dot"] == pytest.approx(RADIUS * spin * left, abs=6e-3)
    assert np.hypot(run["Ft_floor_x"], run["Ft_floor_z"])[-1] == pytest.approx(MU * run["F_floor"][-1], rel=1e-3)
    assert run.max_energy_gain < 1e-9


def test_a_spinning_puck_slides_more_easily():
    """Contensou: spinning ten times as fast as it slides, it is braked by a tenth of its friction."""
    run = slid(RADIUS, None, [0.05, 0.0, 0.0, 0.5 / RADIUS], 0.01)
    braking = (run["x_dot"][0] - run["x_dot"][-1]) / run["t"][-1]
    assert braking == pytest.approx(MU * GRAVITY * 0.05 / np.hypot(0.05, 0.5), rel=0.01)


def test_an_anchored_patch_holds_a_puck_that_neither_slides_nor_spins():
    run = slid(RADIUS, Anchor(1e-6), [1e-4, 0.0, 0.0, 1e-4 / RADIUS], 0.3)
    assert abs(run["x_dot"][-1]) < 1e-9
    assert abs(run["yaw_dot"][-1]) < 1e-7


def test_patch_without_spin_is_refused_in_one_sentence():
    material = Material(FLOOR, Friction(MU, MU, 1e-3), patch=RADIUS)
    with pytest.raises(ModelError, match="contact point 'floor' has a patch but no relative angular velocity about"):
        System(puck(False), {"m": 1.0, "g": 9.81, "moment": 1.0}, {"floor": material})


def test_model_without_patches_is_the_same_object():
    assert with_patches(puck(), ()) is puck()
