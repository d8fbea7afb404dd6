"""Runs with set-valued contacts: Moreau's midpoint rule, and a linearly implicit variant for stiff springs."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import numpy as np
import sympy as sp
from numpy.typing import ArrayLike, NDArray

from ...errors import DivergedError, ParameterError, UnknownNameError, not_negative, positive
from ...progress import Progress, unwatched
from ...setvalued.delassus import delassus
from ...trajectory import Trajectory
from ..model import TIME
from ..runs import other_engine, record_count
from . import moreau_kernel
from .moreau_layout import (
    COMPLIANCE,
    GAUSS,
    HANDED,
    LEMKE,
    MIN1,
    MIN2,
    MIN3,
    PINV,
    PROX,
    SETTINGS,
)
from .set_valued import SetValued

Vector = NDArray[np.float64]

STRATEGIES = {
    "prox": PROX, "pinv": PINV, "handed": HANDED, "min1": MIN1, "min2": MIN2, "min3": MIN3, "gauss": GAUSS,
    "compliance": COMPLIANCE, "lemke": LEMKE,
}  # fmt: skip
"""Who chooses the tangential forces: prox iteration, pseudoinverse, pseudoinverse with hand-over, least acceleration by
three functionals and by Gauss, least strain energy, Lemke's method."""

SWEEPS = ("jacobi", "gauss_seidel")


@dataclass(frozen=True)
class Moreau:
    """How Moreau's time stepping finds contact impulses.

    Attributes:
        step: in s.
        strategy: one of STRATEGIES.
        outer, inner, restarts: largest numbers of iterations, and of restarts with smaller r-factors.
        gap: distance in m up to which a contact is closed. speed: sliding speed in m/s up to which it sticks.
        force: change of a force in N below which an iteration has converged.
        sweep: "jacobi" or "gauss_seidel". warm: whether a step starts from the impulses of the last one.
        project: whether closed contacts are put back on their surfaces after each step (D.4), (D.5).
        start: impulses in N s from which every step starts, in the order of `SetValued.labels`; zero unless given.
        scale: factors of the r-factors, in the same order; for the pseudoinverse the weights of the forces.
        selected: names of the coordinates whose acceleration the functional min3 counts.
        compliance, bias: x' C x/2 + c' x in J is the strain energy of tangential forces x in N.
    """

    step: float = 1e-4
    strategy: str = "prox"
    outer: int = 20
    inner: int = 100
    restarts: int = 60
    gap: float = 1e-6
    speed: float = 1e-6
    force: float = 1e-4
    sweep: str = "jacobi"
    warm: bool = False
    project: bool = False
    start: Vector | None = None
    scale: Vector | None = None
    selected: tuple[str, ...] = field(default=())
    compliance: NDArray[np.float64] | None = None
    bias: Vector | None = None

    def __post_init__(self) -> None:
        positive("step", self.step)
        if self.strategy not in STRATEGIES:
            raise UnknownNameError("strategy", self.strategy, STRATEGIES)
        if self.sweep not in SWEEPS:
            raise UnknownNameError("sweep", self.sweep, SWEEPS)
        for name in ("outer", "inner", "restarts"):
            if getattr(self, name) < 1:
                raise ParameterError(f"{name} must be at least 1, got {getattr(self, name)}")
        for name in ("gap", "speed", "force"):
            not_negative(name, getattr(self, name))

    def record(self) -> NDArray[np.void]:
        """The settings as the kernel reads them, see SETTINGS."""
        return np.array(
            [(
                self.step, self.gap, self.speed, self.force * self.step, 0.5, self.outer, self.inner, self.restarts,
                STRATEGIES[self.strategy], self.sweep == "gauss_seidel", self.project, self.warm,
            )],
            SETTINGS,
        )  # fmt: skip


def columns_of(rigid: SetValued) -> list[str]:
    """Names of the recorded columns."""
    model = rigid.model
    contacts = [contact.name for contact in model.contacts]
    return [
        "t", *(s.name for s in model.q), *(s.name for s in model.speeds), *(f"s_{name}" for name in contacts),
        *rigid.labels, *(f"closed_{name}" for name in contacts), *(f"sticking_{name}" for name in contacts),
        "outer", "inner", "kinetic", "potential",
    ]  # fmt: skip


def _vector(name: str, given: Vector | None, size: int, default: float) -> Vector:
    """A vector of a size, or the default repeated."""
    if given is None:
        return np.full(size, default)
    values = np.ascontiguousarray(given, float).ravel()
    if values.size != size or not np.all(np.isfinite(values)):
        raise ParameterError(f"{name} must have {size} entries, all finite, got {values.tolist()}")
    return values


def _choice(rigid: SetValued, moreau: Moreau) -> tuple[Vector, Vector, Vector, NDArray[np.float64], Vector]:
    """What the kernel takes for the strategy: start, scale, selected, compliance, bias."""
    count = len(rigid.labels)
    slips = int(rigid.contacts["size"].sum())
    planar = rigid.contacts["size"].max() < 2
    if moreau.strategy != "prox" and not planar:
        raise ParameterError(f"strategy {moreau.strategy!r} is for friction in a plane; in space only prox is known")
    names = rigid.system.speed_names
    for name in moreau.selected:
        if name not in names:
            raise UnknownNameError("coordinate", name, names)
    if moreau.strategy == "min3" and not moreau.selected:
        raise ParameterError(f"strategy 'min3' needs the coordinates that it counts, among {names}")
    selected = np.array([float(name in moreau.selected) for name in names])
    compliance = np.eye(slips) if moreau.compliance is None else np.ascontiguousarray(moreau.compliance, float)
    if compliance.shape != (slips, slips):
        raise ParameterError(f"compliance must have the shape {(slips, slips)}, got {compliance.shape}")
    return (
        _vector("start", moreau.start, count, 0.0), _vector("scale", moreau.scale, count, 1.0), selected, compliance,
        _vector("bias", moreau.bias, slips, 0.0),
    )  # fmt: skip


def run_moreau(
    rigid: SetValued,
    q: ArrayLike,
    u: ArrayLike,
    time: float,
    moreau: Moreau | None = None,
    every: int = 1,
    progress: Progress = unwatched,
) -> Trajectory:
    """Moreau's midpoint rule from a state, for a time in s; a record every so many steps.

    Contact forces are the means over the last step. A step whose iteration does not converge ends the run: it raises
    DivergedError, which carries the records until then.
    """
    other_engine("Moreau's rule")
    how = Moreau() if moreau is None else moreau
    count = record_count(how.step, time, every)
    out = rigid.terms_at(q, u)
    delassus(out.mass, np.zeros((0, out.bias.size)))
    names = tuple(columns_of(rigid))
    rows = np.zeros((count + 1, len(names)))
    done = moreau_kernel.moreau_run(
        rigid.system.terms, 0.0, np.array(q, float).ravel(), np.array(u, float).ravel(),
        rigid.system.arguments.parameters, rigid.system.arguments.sizes, rigid.contacts, how.record(),
        *_choice(rigid, how), every, rows,
    )  # fmt: skip
    progress(1.0)
    if done <= count:
        kept = Trajectory(names, rows[:done].copy(), done * every)
        raise DivergedError(_why(rigid, how, done * every * how.step), kept)
    return Trajectory(names, rows, count * every)


def _why(rigid: SetValued, how: Moreau, time: float) -> str:
    """Why a run ended early."""
    return (
        f"the contact forces of {rigid.model.name!r} did not converge by {how.strategy} at {time:.6g} s: "
        f"allow more than {how.outer} outer iterations, or take a smaller step than {how.step:g} s"
    )


def linearised_forces(rigid: SetValued) -> Any:
    """h and its derivatives by q, u and t (3.24), (3.25), as a function of (t, q, u, parameters)."""
    model = rigid.model
    force = -model.bias
    outputs = [force, force.jacobian(list(model.q)), force.jacobian(list(model.speeds)), force.diff(TIME)]
    return sp.lambdify((TIME, model.q, model.speeds, model.parameters), outputs, modules="numpy", cse=True)


def run_implicit_moreau(
    rigid: SetValued, q: ArrayLike, u: ArrayLike, time: float, moreau: Moreau | None = None
) -> Trajectory:
    """The linearly implicit variant (3.22)-(3.30): stable for stiff springs, at the price of energy.

    For models whose velocities are those of the coordinates; contact forces by prox iterations with the Delassus matrix
    of the effective mass (erratum E14).
    """
    other_engine("Moreau's rule")
    how = Moreau() if moreau is None else moreau
    if rigid.model.u is not None:
        raise ParameterError(f"model {rigid.model.name!r} has quasi-velocities: the linearly implicit rule has none")
    count = record_count(how.step, time, 1)
    names = tuple(columns_of(rigid))
    rows = np.zeros((count + 1, len(names)))
    linear = linearised_forces(rigid)
    state = np.array(q, float).ravel(), np.array(u, float).ravel()
    nothing = np.zeros(len(rigid.labels))
    rows[0] = _row(rigid, how, 0.0, state, nothing, (0, 0))
    for k in range(count):
        good, state, impulses, iterations = _implicit_step(rigid, how, linear, k * how.step, state)
        if not good or not np.all(np.isfinite(state[1])):
            kept = Trajectory(names, rows[: k + 1].copy(), k)
            raise DivergedError(_why(rigid, how, (k + 1) * how.step), kept)
        rows[k + 1] = _row(rigid, how, (k + 1) * how.step, state, impulses / how.step, iterations)
    return Trajectory(names, rows, count)


State = tuple[Vector, Vector]


def _implicit_step(
    rigid: SetValued, how: Moreau, linear: Any, t: float, state: State
) -> tuple[bool, State, Vector, tuple[int, int]]:
    """One step (3.29): whether it converged, the new state, the impulses, and the iterations."""
    q, u = state
    h = how.step
    numbers = rigid.system.arguments.parameters
    force, by_q, by_u, by_t = (np.asarray(part, float) for part in linear(t, q, u, numbers))
    middle = rigid.terms_at(q + 0.5 * h * u, u, t + 0.5 * h)
    effective = middle.mass - by_q * h * h / 2.0 - by_u * h / 2.0
    inverse = np.ascontiguousarray(np.linalg.inv(effective))
    drive = (middle.mass - by_u * h / 2.0) @ u + (force * h + by_t * h * h / 2.0).ravel()
    free = inverse @ drive
    rows = rigid.rows_of(middle)
    gone = np.array(middle.s - rigid.contacts["closed_at"] > how.gap)
    impulses = _vector("start", how.start, len(rows), 0.0).copy()
    scale = _vector("scale", how.scale, len(rows), 1.0)
    good, outer, inner = moreau_kernel.given_step(
        rigid.system.terms, t + h, q, h, free, inverse, rows, force.ravel(), gone, numbers,
        rigid.system.arguments.sizes, rigid.contacts, how.record(), scale, impulses,
    )  # fmt: skip
    fast = free + inverse @ (rows.T @ impulses)
    return bool(good), (q + h * fast, fast), impulses, (outer, inner)


def _row(rigid: SetValued, how: Moreau, t: float, state: State, forces: Vector, iterations: tuple[int, int]) -> Vector:
    """A record, see `columns_of`."""
    out = rigid.terms_at(*state, t)
    closed = (out.s - rigid.contacts["closed_at"] <= how.gap).astype(float)
    slips = [np.linalg.norm(out.slip[c["slip"] : c["slip"] + c["size"]]) for c in rigid.contacts]
    sticking = closed * (np.array(slips) <= how.speed)
    energies = out.energy[:2]
    return np.concatenate([[t], *state, out.s, forces, closed, sticking, iterations, energies])
