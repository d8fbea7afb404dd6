"""Flexible arms in motion, on the compiled engine: what the whole chain from section to trajectory must deliver."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import sympy as sp
from scipy.integrate import solve_ivp

from chrono_powercontact.lagrange.beams.beams import Beam, RigidMass, Section
from chrono_powercontact.lagrange.beams.floating_frame import FloatingBeam, elastic_coordinates
from chrono_powercontact.lagrange.beams.reduction import reduce_beam
from chrono_powercontact.lagrange.model import TIME, Model, coordinates, velocities
from chrono_powercontact.lagrange.runs import run_rk4
from chrono_powercontact.lagrange.system import System
from chrono_powercontact.trajectory import Trajectory

# --- a pendulum ------------------------------------------------------------------------------------------------

PENDULUM = Beam.uniform(1.2, Section(40.0, 1.5), 12, [RigidMass(1.2, 0.8, 0.01)])


def pendulum(alpha: float = 0.0, beta: float = 0.0) -> System:
    """A beam on a pin under gravity, angle from the horizontal, with a bob."""
    reduced = reduce_beam(PENDULUM, {"tip": 1.2}).orthonormal
    q = (*coordinates("phi"), *elastic_coordinates("rod", reduced))
    rod = FloatingBeam("rod", reduced, q, q[0])
    kinetic, potential, dampers = rod.kinetic, rod.potential(9.81), rod.frictions
    model = Model("test_flexible_pendulum", q, kinetic, potential, tuple(rod.parameters), frictions=dampers)
    numbers = {s.name: v for s, v in rod.parameters.items()}
    return System(model, numbers, frictions=rod.damping_laws(alpha, beta))


def test_a_falling_flexible_pendulum_keeps_its_energy() -> None:
    system = pendulum()
    run = run_rk4(system, system.state([0.0, 0.0, 0.0], [0.0, 0.0, 0.0]), 2e-4, 3.0, 50)
    swing = np.ptp(run["potential"])
    assert swing > 15.0
    assert np.ptp(run["phi"]) > 3.0
    assert np.abs(run["rod_1"]).max() > 1e-2
    assert np.abs(run.ledger_error).max() < 1e-7 * swing


def test_the_heat_of_a_damped_pendulum_is_what_it_loses() -> None:
    system = pendulum(alpha=0.5, beta=2e-3)
    run = run_rk4(system, system.state([0.0, 0.0, 0.0], [0.0, 0.0, 0.0]), 1e-4, 2.0, 50)
    assert run["friction_heat"][-1] > 1e-3
    assert run.energy[0] - run.energy[-1] == pytest.approx(run["friction_heat"][-1], rel=1e-5)
    assert np.abs(run.ledger_error).max() < 1e-7 * np.ptp(run["potential"])


def test_a_stiff_pendulum_swings_like_a_rigid_body() -> None:
    """Small swings about the lowest point: w^2 = g (m_i x_i)/J, the bob and the rod together."""
    system = pendulum(beta=0.05)
    start = system.state([-np.pi / 2 + 0.01, 0.0, 0.0], [0.0, 0.0, 0.0])
    run = run_rk4(system, start, 1e-4, 4.0, 20)
    angle, t = run["phi"] + np.pi / 2, run["t"]
    falls = np.flatnonzero((angle[:-1] > 0.0) & (angle[1:] <= 0.0))
    zeros = t[falls] + angle[falls] / (angle[falls] - angle[falls + 1]) * (t[1] - t[0])
    inertia = 1.5 * 1.2**3 / 3 + 0.8 * 1.2**2 + 0.01
    rigid = np.sqrt(9.81 * (1.5 * 1.2**2 / 2 + 0.8 * 1.2) / inertia)
    assert 2 * np.pi / np.diff(zeros).mean() == pytest.approx(rigid, rel=0.004)


# --- a rotating beam -------------------------------------------------------------------------------------------

LENGTH, EI, RHO, HUB, TORQUE, PULSE, TIME_END = 4.0, 800.0, 2.0, 40.0, 210.0, 3.0, 4.0


def spinning(shortening: bool) -> tuple[Trajectory, np.ndarray]:
    """A beam on a hub that a pulse of torque spins up; the run and the deflection of the tip."""
    reduced = reduce_beam(Beam.uniform(LENGTH, Section(EI, RHO)), {"tip": LENGTH}).orthonormal
    q = (*coordinates("phi"), *elastic_coordinates("arm", reduced))
    arm = FloatingBeam("arm", reduced, q, q[0], shortening=shortening)
    torque = sp.Piecewise((TORQUE * sp.sin(sp.pi * TIME / PULSE) ** 2, TIME < PULSE), (0, True))
    kinetic, potential = arm.kinetic + HUB * velocities(q)[0] ** 2 / 2, arm.potential(0)
    model = Model("test_spinning_beam", q, kinetic, potential, tuple(arm.parameters), {q[0]: torque})
    system = System(model, {s.name: v for s, v in arm.parameters.items()})
    run = run_rk4(system, system.state([0.0] * 3, [0.0] * 3), 1e-3, TIME_END, 50)
    return run, np.column_stack([run["arm_1"], run["arm_2"]]) @ reduced.displacement("tip")[1]


def segmented(n: int) -> tuple[np.ndarray, np.ndarray]:
    """The same beam as rigid segments with n springs: angle of the hub, and deflection of the tip."""
    lengths = np.full(n + 1, LENGTH / n)
    lengths[[0, -1]] /= 2
    r = np.tril(np.tile(lengths, (n + 1, 1)), -1) + np.diag(lengths / 2)
    a = np.einsum("k,ki,kj->ij", RHO * lengths, r, r)
    own = RHO * lengths**3 / 12
    own[0] += HUB
    k = EI * n / LENGTH * (1 - 1 / (4 * n**2)) * (2 * np.eye(n + 1) - np.eye(n + 1, k=1) - np.eye(n + 1, k=-1))
    k[[0, -1], [0, -1]] /= 2

    def flow(t: float, x: np.ndarray) -> np.ndarray:
        angle, spin = np.split(x, 2)
        apart = angle[:, None] - angle
        force = -(a * np.sin(apart)) @ spin**2 - k @ angle
        force[0] += TORQUE * np.sin(np.pi * t / PULSE) ** 2 if t < PULSE else 0.0
        return np.append(spin, np.linalg.solve(a * np.cos(apart) + np.diag(own), force))

    times = np.linspace(0.0, TIME_END, 81)
    angle = solve_ivp(flow, (0.0, TIME_END), np.zeros(2 * n + 2), "LSODA", times, rtol=1e-5, atol=1e-7).y[: n + 1]
    return angle[0], lengths @ np.sin(angle - angle[0])


def test_a_rotating_beam_moves_like_a_finely_segmented_one() -> None:
    """Spun to 3.8 rad/s and bent by 14 % of its length; its first frequency at rest is 4.4 rad/s."""
    hub, tip = segmented(6)
    run, bent = spinning(shortening=True)
    assert run["phi_dot"].max() > 3.8
    assert np.abs(tip).max() > 0.4
    assert np.abs(bent - tip).max() < 0.025 * np.abs(tip).max()
    assert np.abs(run["phi"] - hub).max() < 2e-3
    assert np.abs(run.ledger_error).max() < 1e-6 * run["kinetic"].max()
    assert np.abs(spinning(shortening=False)[1] - tip).max() > 0.5 * np.abs(tip).max()


# --- the guide -------------------------------------------------------------------------------------------------


def test_the_example_of_the_guide_runs() -> None:
    guide = (Path(__file__).resolve().parents[3] / "docs" / "flexible_arms.md").read_text(encoding="utf-8")
    (example,) = re.findall(r"```python\n(.*?)```", guide, re.DOTALL)
    names: dict[str, Any] = {}
    exec(example, names)
    system = names["system"]
    assert [c.name for c in system.model.q] == ["phi", "arm_1", "arm_2", "arm_3"]
    assert system.parameters["arm_mass"] == pytest.approx(262.5 * 6 + 500.0)
