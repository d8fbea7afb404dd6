"""Models that the tests of the observers share; few, for each is compiled."""

from __future__ import annotations

import numpy as np

from chrono_powercontact.observer.filter_model import FilterModel, compiled
from chrono_powercontact.observer.filters.cdkf import CDKF
from chrono_powercontact.observer.filters.kalman import KalmanFilter, rk4_transition
from chrono_powercontact.observer.filters.ukf import UKF


@compiled
def linear(t, x, u, p, dx):
    """x' = A x + B u, with A and B row by row in p."""
    n, r = x.size, u.size
    for i in range(n):
        dx[i] = 0.0
        for j in range(n):
            dx[i] += p[i * n + j] * x[j]
        for j in range(r):
            dx[i] += p[n * n + i * r + j] * u[j]


@compiled
def cubic(t, x, u, p, dx):
    """x' = p x^3."""
    for i in range(x.size):
        dx[i] = p[0] * x[i] ** 3


@compiled
def pendulum(t, x, u, p, dx):
    """Angle and its rate under gravity over length and a drive."""
    dx[0] = x[1]
    dx[1] = -p[0] * np.sin(x[0]) + u[0]


@compiled
def squared(t, x, u, p, y):
    """The square of the first state."""
    y[0] = x[0] * x[0]


@compiled
def direction(t, x, u, p, y):
    """The first state as an angle between -pi and pi."""
    y[0] = np.arctan2(np.sin(x[0]), np.cos(x[0]))


def linear_model(a, b=None, outputs=1, measure=None):
    """Filter model of x' = A x + B u with the first states measured."""
    a = np.atleast_2d(np.asarray(a, float))
    b = np.zeros((len(a), 0)) if b is None else np.asarray(b, float)
    states = tuple(f"x{i}" for i in range(len(a)))
    inputs = tuple(f"u{i}" for i in range(b.shape[1]))
    names = states[:outputs] if measure is None else ("y",)
    return FilterModel(linear, states, inputs, names, np.concatenate([a.ravel(), b.ravel()]), measure)


def still_scalar(measure=None):
    """One state that does not change."""
    return linear_model([[0.0]], measure=measure)


def pendulum_model(**options):
    """The pendulum of 1 m with its angle measured."""
    options = {"outputs": ("phi",), **options}
    return FilterModel(pendulum, ("phi", "omega"), ("drive",), p=np.array([9.81]), **options)


class LinearCase:
    """A random stable system with its Kalman filter and the numbers for a sigma point filter."""

    sample_time = 0.02

    def __init__(self, n=6, r=2, m=2, seed=0, steps=1):
        chance = np.random.default_rng(seed)
        a, b = chance.normal(size=(n, n)) - 2.0 * np.eye(n), chance.normal(size=(n, r))
        root, noise = chance.normal(size=(n, n)), chance.normal(size=(m, m))
        self.model = linear_model(a, b, m)
        self.x_0, self.p_0 = chance.normal(size=n), 0.1 * root @ root.T + np.eye(n)
        self.q_p, self.r_m = np.diag(chance.uniform(0.01, 0.1, n)), 0.01 * noise @ noise.T + 0.1 * np.eye(m)
        self.steps, self.chance = steps, chance
        whole = np.block([[a, b], [np.zeros((r, n + r))]])
        transition = rk4_transition(whole, self.sample_time, steps)
        self.a, self.b, self.c = transition[:n, :n], transition[:n, n:], np.eye(n)[:m]

    def kalman(self):
        """The Kalman filter."""
        return KalmanFilter(self.a, self.b, self.c, self.q_p, self.r_m, self.x_0, self.p_0)

    def numbers(self):
        """What a sigma point filter is made of."""
        step = self.sample_time / self.steps
        return self.model, self.x_0, self.p_0, self.q_p, self.r_m, self.sample_time, step

    def simulate(self, count):
        """True states, measurements and inputs of a run with the noise that the filters expect."""
        x = self.x_0 + np.linalg.cholesky(self.p_0) @ self.chance.normal(size=len(self.a))
        us = self.chance.normal(size=(count, self.b.shape[1]))
        xs, ys = np.zeros((count, len(self.a))), np.zeros((count, len(self.c)))
        for k in range(count):
            x = self.a @ x + self.b @ us[k] + np.linalg.cholesky(self.q_p) @ self.chance.normal(size=len(x))
            xs[k] = x
            ys[k] = self.c @ x + np.linalg.cholesky(self.r_m) @ self.chance.normal(size=len(self.c))
        return xs, ys, us


FILTERS = {"cdkf": CDKF, "ukf": UKF}
