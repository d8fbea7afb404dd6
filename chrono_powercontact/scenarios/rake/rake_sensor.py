"""A virtual sensor on the trash-rack cleaning machine: pressing force and friction from two cylinder forces."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from ...chrono.api import bridge as api
from ...errors import ParameterError
from ...report.style import legend, level, panel
from ..parameters import CHRONO, REFERENCE, choice, count, fixed, number, switch
from ..scenario import Check, Metrics, Outcome, Scenario, below, within
from .cases.load_cases import USUAL_TIME, RakeParameters, setup_of
from .machine.drive import lagged, with_return
from .machine.machine import Rack, machine, with_oil
from .motion.gauges import between
from .motion.setup import Setup, run
from .sensing.cylinder_sensor import Sensor
from .sensing.pressures import locking_valves, open_valves
from .sensing.rake_readings import ALONG, FOUND, read_cycle

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from ...progress import Progress
    from ...trajectory import Trajectory

Array = NDArray[np.float64]
REPORTED = (80, 90, 100, 110, 119)
"""Times in s at which the friction coefficient is reported."""
HELD = (64.5, 69.5)
"""Begin and end in s of the stretch in which the rake is held pressed."""
DUMPED = 180.0
"""Time in s until which a cycle with debris is followed."""
SAMPLE = 0.1
"""Time in s between two readings of the pressures."""


@dataclass(frozen=True)
class RakeSensorParameters(RakeParameters):
    """The cleaning cycle, and the noise of its cylinder forces."""

    case: str = fixed("lc3")
    concrete_tilt: float = fixed(0.0)
    time: float = fixed(USUAL_TIME)
    plant: str = choice(REFERENCE, "engine that moves the machine; the sensor runs beside it", (REFERENCE, CHRONO))
    valves: bool = switch(False, "whether closed valves lock the pressures in at standstill")
    oil_known: bool = switch(True, "whether the sensor knows the compliance of the oil")
    noise: float = number(0.0, "standard deviation of each measured cylinder force", "N", minimum=0.0)
    seed: int = count(1, "of the noise", minimum=0)


class RakeSensor(Scenario[RakeSensorParameters]):
    """The cycle of the cleaner, read through its cylinders only."""

    name = "rake_sensor"
    claim = (
        "Two cylinder pressures tell pressing force and friction of the rake, and where the rack is; seal friction and "
        "flow, which they show too, are found from a free stroke."
    )
    source = "Maier 2019: section 4.6.2, stand-in numbers; static balance of the rigid machine"
    parameters = RakeSensorParameters

    def simulate(self, p: RakeSensorParameters, progress: Progress) -> Trajectory:
        plain = setup_of(replace(p, lag=0.0))
        asked = with_return(plain.command, plain.machine) if p.debris > 0.0 else plain.command
        setup = replace(plain, command=lagged(asked, p.lag))
        cycle = self.cycle(p, setup, progress)
        noise = np.random.default_rng(p.seed).normal(0.0, p.noise or 0.0, (2, len(cycle)))
        known = machine("v1" if p.version == "v1" else "v2", p.bearing_damping)
        sensor = Sensor(with_oil(known, p.oil if p.oil_known else 0.0), Rack(angle=setup.rack.angle))
        joystick = asked.at(cycle["t"])
        shown = np.array([cycle["F1"], cycle["F2"]]) + noise
        read = locking_valves(cycle["t"], joystick, shown) if p.valves else open_valves(joystick, shown)
        columns = read_cycle(sensor, cycle, read, max(p.noise, 200.0))
        data = np.column_stack([cycle.data, *columns.values()])
        return replace(cycle, names=(*cycle.names, *columns), data=data)

    def cycle(self, p: RakeSensorParameters, setup: Setup, progress: Progress) -> Trajectory:
        """The cycle as the plant moves, every SAMPLE; to the dump where there is debris to weigh."""
        time = DUMPED if p.debris > 0.0 else p.time
        if p.plant == REFERENCE:
            return run(setup, p.step, time, progress, SAMPLE)
        if api.missing() is not None:
            raise ParameterError(f"plant=chrono needs PyChrono: {api.missing()}")
        from .scene.scene_run import run_on_chrono

        full = run_on_chrono(setup, p.law, p.step, time, progress, p.integrator)
        every = max(round(SAMPLE / float(np.median(np.diff(full["t"])))), 1)
        return replace(full, data=full.data[::every])

    def measure(self, p: RakeSensorParameters, trajectory: Trajectory) -> Metrics:
        along = between(trajectory, *ALONG)
        t = trajectory["t"][along]
        n = trajectory["N"][along]
        mu = trajectory["mu_seen"][along]
        mu_f = trajectory["mu_filtered"][along]
        found = {name: float(trajectory[name][-1]) for name in FOUND}
        true = [cylinder.seal for cylinder in setup_of(p).machine.cylinders]
        off = [found[name] - seal for name, seal in zip(FOUND[:2], true, strict=True)]
        return {
            "n_error": float(np.abs(trajectory["N_seen"][along] / n - 1.0).max()),
            "mu_dyn": {str(x): float(np.interp(x, t, mu)) for x in REPORTED},
            "mu_mean": float(mu.mean()),
            "mu_interval": [float(mu.min()), float(mu.max())],
            "mu_true": float(np.mean(-trajectory["F_t"][along] / n)),
            "cdkf_n_error": float(np.sqrt(np.mean((trajectory["N_filtered"][along] / n - 1.0) ** 2))),
            "cdkf_mu_mean": float(mu_f.mean()),
            "cdkf_mu_interval": [float(mu_f.min()), float(mu_f.max())],
            **found,
            "seal_error": float(np.abs(off).max()),
            "rack_error": found["rack_found"] - p.rack_offset,
            "locked_time": float(SAMPLE * np.count_nonzero(np.isnan(trajectory["N_seen"][between(trajectory, *HELD)]))),
        }

    def check(self, p: RakeSensorParameters, metrics: Metrics) -> list[Check]:
        checks = [within("mean of mu_dyn", metrics["mu_mean"], metrics["mu_true"], 0.03)]
        if p.noise == 0.0:
            checks.append(below("error of N over N", metrics["n_error"], 0.03))
            checks += [within(f"mu_dyn at {t} s", mu, p.mu_d, 0.03) for t, mu in metrics["mu_dyn"].items()]
        return [
            *checks,
            within("mean of mu_dyn, filtered", metrics["cdkf_mu_mean"], metrics["mu_true"], 0.03),
            below("seal friction off by", metrics["seal_error"], 300.0, "N"),
            within("flow squared", metrics["flow_found"] ** 2, p.flow**2, 0.05, "m^2/s^2"),
            within("lag of the cylinders", metrics["lag_found"], p.lag, 0.1, "s"),
            *([within("debris", metrics["debris_found"], p.debris, 0.05 * p.debris, "kg")] if p.debris else []),
            within("position of the rack", metrics["rack_found"], p.rack_offset, 5e-3, "m"),
        ]

    def plot(self, outcome: Outcome[RakeSensorParameters], figure: Figure) -> None:
        run = outcome.trajectory
        (a, b) = figure.subplots(2, 1, sharex=True)
        along = between(run, 58.0, 124.0)
        t = run["t"][along]
        pull = between(run, *ALONG)
        a.plot(t, run["N_seen"][along] / 1e3, label="N from the cylinders")
        a.plot(run["t"][pull], run["N_filtered"][pull] / 1e3, "--", label="N, filtered")
        a.plot(t, -run["F_t_seen"][along] / 1e3, label="friction from the cylinders")
        panel(a, t, {}, "contact forces", "", "force in kN")
        a.plot(t, run["N"][along] / 1e3, "k:", linewidth=1.0, label="true")
        a.plot(t, -run["F_t"][along] / 1e3, "k:", linewidth=1.0)
        legend(a)
        curves = {"from two forces": run["mu_seen"][pull], "filtered": run["mu_filtered"][pull]}
        panel(b, run["t"][pull], curves, "friction coefficient along the pull", "time in s", "mu")
        b.set_ylim(0.3, 0.7)
        level(b, outcome.parameters.mu_d, "true")
