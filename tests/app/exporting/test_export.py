"""`powercontact export`: C by its ending, FMUs that an independent reader runs, and what is refused."""

import numpy as np
import pytest

from chrono_powercontact.app.cli import main
from chrono_powercontact.app.exporting.export import export
from chrono_powercontact.errors import ParameterError
from chrono_powercontact.scenarios.catalogue import find
from chrono_powercontact.scenarios.gait.leg.drives import EXERCISES, SAMPLE
from chrono_powercontact.scenarios.gait.leg.simulate import run_stage
from chrono_powercontact.scenarios.gait.leg.stages import stage
from chrono_powercontact.scenarios.parameters import read_parameters


def stepped(fmu, inputs, outputs, step):
    """Outputs of an FMU at every communication point, by fmpy."""
    fmpy = pytest.importorskip("fmpy", reason="reading an FMU needs fmpy")
    from fmpy.fmi2 import FMU2Slave

    told = fmpy.read_model_description(fmu)
    number = {variable.name: variable.valueReference for variable in told.modelVariables}
    folder = fmpy.extract(fmu)
    unit = FMU2Slave(
        guid=told.guid, unzipDirectory=folder, modelIdentifier=told.coSimulation.modelIdentifier, instanceName="unit"
    )
    unit.instantiate()
    unit.setupExperiment(startTime=0.0)
    unit.enterInitializationMode()
    unit.exitInitializationMode()
    rows = [unit.getReal([number[name] for name in outputs])]
    for k, values in enumerate(inputs):
        unit.setReal([number[name] for name in values], list(values.values()))
        unit.doStep(k * step, step)
        rows.append(unit.getReal([number[name] for name in outputs]))
    unit.terminate()
    unit.freeInstance()
    return np.array(rows)


def test_the_plant_as_an_fmu_moves_as_the_scenario_does(tmp_path):
    pytest.importorskip("pythonfmu", reason="writing an FMU needs pythonfmu")
    fmu = export("gait_trainer", {"stage": "s3", "coriolis": "true"}, tmp_path / "leg.fmu")
    drive = EXERCISES[2][0].held()
    run = run_stage(stage("s3", coriolis=True), drive, 2e-4, 1.5, every=round(SAMPLE / 2e-4))
    given = [{"M": float(m), "F": float(f)} for m, f in zip(run["M"][:-1], run["F"][:-1], strict=True)]
    names = ("phi", "s", "phi_dot", "s_dot")
    found = stepped(str(fmu), given, names, SAMPLE)
    assert run["F_knee"].max() > 1.0
    np.testing.assert_allclose(found, np.column_stack([run[name] for name in names]), atol=1e-9)


def test_the_observer_as_an_fmu_estimates_as_in_python(tmp_path):
    pytest.importorskip("pythonfmu", reason="writing an FMU needs pythonfmu")
    fmu = export("gait_observer", {}, tmp_path / "observer.fmu")
    scenario = find("gait_observer")
    p = read_parameters(scenario.parameters, {})
    us, ys = (rows[:120] for rows in scenario.export_samples(p))
    given = [
        {"M": float(u[0]), "F": float(u[1]), "measured_phi": float(y[0]), "measured_s": float(y[1])}
        for u, y in zip(us, ys, strict=True)
    ]
    found = stepped(str(fmu), given, ("est_phi", "est_omega", "est_Q_slide", "nis"), SAMPLE)
    seen = scenario.exported_observer(p).run(ys, us)
    expected = np.column_stack([seen[name] for name in ("phi", "omega", "Q_slide", "nis")])
    np.testing.assert_allclose(found[1:], expected, atol=1e-9)


def test_the_command_writes_c(tmp_path, capsys):
    target = tmp_path / "observer.c"
    assert main(["export", "gait_observer", "--to", str(target), "--set", "stage=s2"]) == 0
    assert f"written to {target}" in capsys.readouterr().out
    assert "stage=s2" in target.read_text()


@pytest.mark.parametrize(
    ("name", "file", "words"),
    [
        ("gait_observer", "observer.txt", "--to must end in .c or .fmu"),
        ("ball", "ball.c", "scenario 'ball' has no observer to export as C; allowed: gait_observer, gait_control"),
        ("ball", "ball.fmu", "scenario 'ball' has no unit for an FMU; allowed: gait_trainer, gait_observer"),
        ("gait_observer", "nowhere/observer.c", "does not exist"),
    ],
)
def test_what_cannot_be_written_is_one_sentence(tmp_path, name, file, words):
    with pytest.raises(ParameterError) as caught:
        export(name, {}, tmp_path / file)
    assert words in str(caught.value)


def test_a_missing_library_is_one_sentence_with_the_pip_line(tmp_path, monkeypatch):
    def missing(name):
        raise ImportError(name)

    monkeypatch.setattr("chrono_powercontact.app.exporting.export.import_module", missing)
    with pytest.raises(ParameterError, match="an FMU needs pythonfmu, which is not installed: pip install pythonfmu"):
        export("gait_trainer", {}, tmp_path / "leg.fmu")


def test_a_step_that_does_not_fit_is_refused():
    unit = find("gait_trainer").unit(read_parameters(find("gait_trainer").parameters, {}))
    with pytest.raises(ParameterError, match="a communication step must be a whole multiple"):
        unit.advance(3e-4)
    observer = find("gait_observer").unit(read_parameters(find("gait_observer").parameters, {}))
    with pytest.raises(ParameterError, match="an observer steps by its sample time"):
        observer.advance(0.02)
