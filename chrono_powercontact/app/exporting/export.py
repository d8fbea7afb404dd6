"""Writes a scenario for other tools, by the ending of the file: .c an observer as C99, .fmu a unit by FMI 2.0."""

from __future__ import annotations

import json
import tempfile
from collections.abc import Mapping
from importlib import import_module
from pathlib import Path

from ...errors import ParameterError
from ...observer.export.c_check import agreement
from ...observer.export.c_filter import c_source
from ...scenarios.catalogue import every, find
from ...scenarios.parameters import P, read_parameters
from ...scenarios.scenario import Scenario

ENDINGS = (".c", ".fmu")


def export(name: str, given: Mapping[str, object], to: str | Path) -> Path:
    """Write a scenario's observer or plant with some parameters set; returns the path."""
    target = Path(to)
    if target.suffix not in ENDINGS:
        raise ParameterError(f"--to must end in {' or '.join(ENDINGS)}, got {str(target)!r}")
    if not target.parent.is_dir():
        raise ParameterError(f"the folder {str(target.parent)!r} does not exist")
    scenario = find(name)
    p = read_parameters(scenario.parameters, given)
    if target.suffix == ".c":
        target.write_text(_c_text(scenario, p), encoding="utf-8")
    else:
        _write_fmu(scenario, p, given, target)
    return target


def checked(name: str, given: Mapping[str, object], to: str | Path) -> str:
    """How an exported observer compares with the one in Python, over an exercise of its scenario; in one sentence."""
    if Path(to).suffix != ".c":
        raise ParameterError(f"--check compiles C, got {str(to)!r}")
    scenario = find(name)
    p = read_parameters(scenario.parameters, given)
    observer = scenario.exported_observer(p)
    if observer is None:
        raise ParameterError(f"scenario {name!r} has no observer to check")
    return agreement(observer, *scenario.export_samples(p)).sentence


def _c_text(scenario: Scenario[P], p: P) -> str:
    observer = scenario.exported_observer(p)
    if observer is None:
        allowed = ", ".join(_with("exported_observer"))
        raise ParameterError(f"scenario {scenario.name!r} has no observer to export as C; allowed: {allowed}")
    settings = ", ".join(f"{key}={value}" for key, value in scenario.parameters_on("reference").values(p).items())
    return c_source(observer, f"The observer of the scenario {scenario.name} ({settings}).")


def _with(method: str) -> list[str]:
    """Names of the scenarios that have a method of their own."""
    return [scenario.name for scenario in every() if getattr(type(scenario), method) is not getattr(Scenario, method)]


def _write_fmu(scenario: Scenario[P], p: P, given: Mapping[str, object], target: Path) -> None:
    if scenario.unit(p) is None:
        raise ParameterError(f"scenario {scenario.name!r} has no unit for an FMU; allowed: {', '.join(_with('unit'))}")
    try:
        builder = import_module("pythonfmu.builder").FmuBuilder
    except ImportError:
        raise ParameterError(
            "an FMU needs pythonfmu, which is not installed: pip install pythonfmu (this package with [fmi] brings it)"
        ) from None
    slave = Path(__file__).with_name("fmu_slave.py")
    with tempfile.TemporaryDirectory() as folder:
        script = Path(folder) / f"{target.stem.replace('-', '_')}.py"
        script.write_text(slave.read_text(encoding="utf-8"), encoding="utf-8")
        settings = Path(folder) / "unit.json"
        told = {"scenario": scenario.name, "params": {key: str(value) for key, value in given.items()}}
        settings.write_text(json.dumps(told), encoding="utf-8")
        builder.build_FMU(script, target, project_files=[settings], canHandleVariableCommunicationStepSize="true")
