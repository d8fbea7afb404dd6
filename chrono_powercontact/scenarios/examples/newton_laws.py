"""What Newton's laws and closed forms say of a recorded motion of each worked example.

Every function returns an error, relative to the size of what is compared; not a number where the run is too short. The
equations of motion come from energies; these balances come from forces, so that they share nothing with them.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from ..constants import GRAVITY
from .worked_examples import Example, slewing_inertia, wobble_frequency

if TYPE_CHECKING:
    from ...trajectory import Trajectory

Floats = NDArray[np.float64]


def integral(t: Floats, signal: Floats) -> Floats:
    """Integral of a recorded signal from the start, by a cubic spline."""
    from scipy.interpolate import CubicSpline

    return np.asarray(CubicSpline(t, signal).antiderivative()(t))


def slope_at_start(t: Floats, signal: Floats) -> float:
    """Derivative of a recorded signal at the start, from a polynomial through its first records."""
    first = np.polynomial.Polynomial.fit(t[:7] - t[0], signal[:7], 6)
    return float(first.deriv()(-t[0]))


def balance(found: Floats, expected: Floats) -> float:
    """Largest difference of two signals, both from zero at the start, over the range of the first."""
    difference = (found - found[0]) - (expected - expected[0])
    return float(np.abs(difference).max() / max(np.ptp(found), 1e-12))


def crossings(t: Floats, signal: Floats) -> Floats:
    """Times at which a signal changes its sign, by the cubic spline through its records."""
    from scipy.interpolate import CubicSpline

    return np.asarray(CubicSpline(t, signal).roots(extrapolate=False))


def largest(errors: Floats) -> float:
    """Largest size of some errors; not a number where there are none."""
    return float(np.abs(errors).max()) if errors.size else math.nan


def pendulum_error(example: Example, run: Trajectory) -> float:
    """Period against the complete elliptic integral, 4 sqrt(l/g) K(sin(phi_0/2))."""
    from scipy.special import ellipk

    times = crossings(run["t"], run["phi"])
    period = 4.0 * math.sqrt(example.numbers["l"] / GRAVITY) * ellipk(math.sin(example.q[0] / 2.0) ** 2)
    return largest(2.0 * np.diff(times) / period - 1.0)


def two_masses_error(example: Example, run: Trajectory) -> float:
    """Motion against the sum of both natural oscillations."""
    from scipy.linalg import eigh

    n = example.numbers
    mass = np.diag([n["m1"], n["m2"]])
    stiffness = np.array([[n["c1"] + n["c2"], -n["c2"]], [-n["c2"], n["c2"]]])
    squares, shapes = eigh(stiffness, mass)
    share = shapes.T @ mass @ np.array(example.q)
    expected = (np.cos(np.outer(run["t"], np.sqrt(squares))) * share) @ shapes.T
    found = np.column_stack([run["x1"], run["x2"]])
    return float(np.abs(found - expected).max() / np.abs(expected).max())


def cart_error(example: Example, run: Trajectory) -> float:
    """Horizontal momentum against the impulse of the wall spring."""
    n = example.numbers
    bob = run["x_dot"] + n["l"] * run["phi_dot"] * np.cos(run["phi"])
    momentum = n["m1"] * run["x_dot"] + n["m2"] * bob
    return balance(momentum, -integral(run["t"], n["c"] * run["x"]))


def arm_error(example: Example, run: Trajectory) -> float:
    """Angular momentum about the fixed joint against the moment of the weights (3.28)."""
    n = example.numbers
    a = run["q1"]
    b = a + run["q2"]
    w = run["q1_dot"] + run["q2_dot"]
    x = n["l1"] * np.cos(a) + n["s2"] * np.cos(b)
    y = n["l1"] * np.sin(a) + n["s2"] * np.sin(b)
    v_x = -n["l1"] * run["q1_dot"] * np.sin(a) - n["s2"] * w * np.sin(b)
    v_y = n["l1"] * run["q1_dot"] * np.cos(a) + n["s2"] * w * np.cos(b)
    first = (n["I1"] + n["m1"] * n["s1"] ** 2) * run["q1_dot"]
    second = n["m2"] * (x * v_y - y * v_x) + n["I2"] * w
    weight = -GRAVITY * (n["m1"] * n["s1"] * np.cos(a) + n["m2"] * x)
    return balance(first + second, integral(run["t"], weight))


def crane_error(example: Example, run: Trajectory) -> float:
    """Angular momentum about the tower's axis against the slewing torque, which is all that acts about it."""
    n = example.numbers
    across = run["ell"] * np.sin(run["beta"])
    along = run["s"] + run["ell"] * np.cos(run["beta"]) * np.sin(run["alpha"])
    across_rate = run["ell_dot"] * np.sin(run["beta"]) + run["ell"] * run["beta_dot"] * np.cos(run["beta"])
    radial = run["ell"] * np.cos(run["beta"])
    radial_rate = run["ell_dot"] * np.cos(run["beta"]) - run["ell"] * run["beta_dot"] * np.sin(run["beta"])
    along_rate = run["s_dot"] + radial_rate * np.sin(run["alpha"])
    along_rate = along_rate + radial * run["alpha_dot"] * np.cos(run["alpha"])
    load = (across**2 + along**2) * run["psi_dot"] + across * along_rate - along * across_rate
    tower = (slewing_inertia(n) + n["m_t"] * run["s"] ** 2) * run["psi_dot"]
    return balance(tower + n["m_l"] * load, n["tau"] * run["t"])


def sleigh_error(example: Example, run: Trajectory) -> float:
    """Speed and turning against v = V tanh(k t + c), w = W / cosh(k t + c)."""
    n = example.numbers
    speed, turning = example.u
    about_blade = n["J"] + n["m"] * n["a"] ** 2
    final = math.sqrt(speed**2 + about_blade / n["m"] * turning**2)
    fastest = final * math.sqrt(n["m"] / about_blade)
    phase = n["a"] * fastest**2 / final * run["t"] + math.atanh(speed / final)
    errors = (run["v"] / final - np.tanh(phase), run["w"] / fastest - 1.0 / np.cosh(phase))
    return float(np.abs(errors).max())


def disc_error(example: Example, run: Trajectory) -> float:
    """Frequency of the wobble against the closed form of the linearised disc."""
    times = crossings(run["t"], run["theta"])
    return largest(np.pi / np.diff(times) / wobble_frequency(example) - 1.0)


BALANCES: dict[str, tuple[str, Callable[[Example, Trajectory], float]]] = {
    "pendulum": ("period away from the elliptic integral", pendulum_error),
    "two_masses": ("motion away from both natural oscillations", two_masses_error),
    "cart_pendulum": ("momentum away from the spring's impulse", cart_error),
    "two_link_arm": ("angular momentum away from the weights' moment", arm_error),
    "crane": ("angular momentum away from the torque's", crane_error),
    "sleigh": ("motion away from the closed form", sleigh_error),
    "rolling_disc": ("wobble away from the closed form", disc_error),
}
"""What is compared in each example, in words, and the function that does."""
