"""`compare hyperstatic_block`: every method on its engine, judged by the same interval and the same motion."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import matplotlib as mpl
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure

from ....chrono.api import bridge as api
from ....errors import DivergedError
from ....report.style import RC
from ...parameters import CHRONO, REFERENCE, read_parameters
from .band_pictures import draw_comparison

if TYPE_CHECKING:
    from ...scenario import Outcome
    from ..hyperstatic_block import HyperstaticBlock

NOTE = (
    "split and range_a in N at the end of the run, split_at_9N in stick; outside: by how much T_A leaves its feasible "
    "interval at rest, in N; a solver of NSC that has not converged shows up there and in the friction sum"
)


def engine_of(model: str) -> str:
    """Chrono for its own contact, the reference engine for all others."""
    return CHRONO if model == "smc" or model.startswith("nsc") else REFERENCE


def compare_blocks(
    scenario: HyperstaticBlock, models: Sequence[str], given: Mapping[str, object], folder: Path
) -> dict[str, Any]:
    """Rows of the table and the picture of the comparison."""
    rows: dict[str, dict[str, Any]] = {}
    missing: dict[str, str] = {}
    outcomes: dict[str, Outcome[Any]] = {}
    for model in models:
        engine = engine_of(model)
        absent = api.missing()
        if engine == CHRONO and absent is not None:
            rows[model] = {"engine": "missing"}
            missing[model] = absent
            continue
        settings = {**given, **scenario.models[model]}
        if model == "min1":
            settings.setdefault("outer", 2000)
        p = read_parameters(scenario.parameters_on(engine), settings)
        try:
            outcome = scenario.run(p, engine=engine)
        except DivergedError as error:
            rows[model] = {"engine": engine, "failed": str(error)}
            continue
        outcomes[model] = outcome
        rows[model] = {"engine": engine, **{key: outcome.metrics.get(key) for key in scenario.ranked}}
        rows[model]["friction_sum"] = sum(outcome.metrics["split_at_9N"] or [float("nan")])
        rows[model]["passed"] = outcome.passed
    if outcomes:
        _draw(outcomes, folder / "compare.png")
    return {"models": rows, "missing": missing, "note": NOTE}


def _draw(outcomes: Mapping[str, Outcome[Any]], path: Path) -> None:
    """The picture of the comparison."""
    with mpl.rc_context(RC):
        figure = Figure(figsize=(9.0, 7.5))
        FigureCanvasAgg(figure)
        draw_comparison(outcomes, figure)
        figure.savefig(path, dpi=100)
