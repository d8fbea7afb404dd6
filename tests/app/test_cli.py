import json
import os
import socket
import subprocess
import sys

import pytest

from chrono_powercontact import __version__
from chrono_powercontact.app.cli import main
from chrono_powercontact.chrono.api import bridge as api
from chrono_powercontact.scenarios.catalogue import NAMES, every


def test_list_names_every_scenario(capsys):
    assert main(["list"]) == 0
    out = capsys.readouterr().out
    assert all(name in out for name in NAMES)


def test_run_checks_the_claim_and_says_where_it_wrote(tmp_path, capsys):
    assert (
        main(["run", "wall", "--engine", "reference", "--set", "speed=2*100", "--out", str(tmp_path), "--quiet"]) == 0
    )
    assert f"wall on the reference engine {__version__}: claim holds; written to {tmp_path}" in capsys.readouterr().out
    assert json.loads((tmp_path / "summary.json").read_text())["params"]["speed"] == 200.0


def test_failed_claim_is_exit_code_one(tmp_path, capsys):
    assert main(["run", "ball", "--engine", "reference", "--set", "step=2e-3", "--out", str(tmp_path)]) == 1
    captured = capsys.readouterr()
    assert "claim does not hold" in captured.out
    assert "warning: step 0.002 s is beyond" in captured.err


def test_a_run_that_is_not_judged_is_exit_code_three(tmp_path, capsys, monkeypatch):
    monkeypatch.setattr("chrono_powercontact.scenarios.impact.wall.Wall.check", lambda *_: [])
    assert main(["run", "wall", "--engine", "reference", "--out", str(tmp_path), "--quiet"]) == 3
    assert "claim not judged" in capsys.readouterr().out
    assert json.loads((tmp_path / "summary.json").read_text())["passed"] is None


@pytest.mark.parametrize(("verdicts", "code"), [((True, True), 0), ((True, None), 3), ((None, False, True), 1)])
def test_a_tour_fails_before_it_is_not_judged(tmp_path, monkeypatch, verdicts, code):
    summaries = [{"scenario": "ball", "passed": passed, "claim": "It holds."} for passed in verdicts]
    monkeypatch.setattr("chrono_powercontact.app.tour.tour", lambda *_: summaries)
    assert main(["tour", "--out", str(tmp_path), "--quiet"]) == code


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["run", "cub"], "unknown scenario 'cub': did you mean 'cube'"),
        (["run", "ball", "--set", "sped=1"], "unknown parameter 'sped': did you mean 'speed'"),
        (["run", "ball", "--set", "speed=nan"], "speed must be a finite number, got nan"),
        (["run", "ball", "--set", "speed=-1"], "speed must be greater than 0 m/s, got -1 m/s"),
        (["run", "ball", "--set", "speed"], "--set takes key=value, got 'speed'"),
        (["run", "ball", "--set", "s_c=0.02"], "s_c must be less than s_0"),
        (["run", "ball", "--engine", "bullet"], "unknown engine 'bullet'"),
        (["run", "hysteresis", "--engine", "chrono"], "scenario 'hysteresis' has no Chrono scene"),
        (["run", "ball", "--engine", "reference", "--set", "integrator=hht"], "this run is on the reference engine"),
        (["record", "hysteresis"], "scenario 'hysteresis' has no Chrono scene to record"),
        (["compare", "ball", "--models", "powr"], "unknown model for ball 'powr': did you mean 'power'"),
        (["compare", "wall"], "scenario 'wall' has no rivals to compare with; those that have are ball, drop, "),
        (["run", "ball", "--set", "step=1e-12"], "step must be at least 1e-07 s in ball, got 1e-12 s"),
        (["run", "nope", "--help"], "unknown scenario 'nope': allowed: adoption, "),
        (["bench", "--only", "cube"], "unknown benchmark 'cube'"),
    ],
)
def test_bad_input_is_one_sentence_and_exit_code_two(words, message, tmp_path, capsys, monkeypatch):
    monkeypatch.chdir(tmp_path)
    assert main(words) == 2
    captured = capsys.readouterr()
    assert message in captured.err
    assert len(captured.err.strip().splitlines()) == 1


def test_a_run_that_does_not_fit_into_memory_is_one_sentence(tmp_path, capsys, monkeypatch):
    def too_large(*_, **__):
        raise MemoryError

    monkeypatch.setattr("chrono_powercontact.app.runner.run_into", too_large)
    assert main(["run", "wall", "--out", str(tmp_path)]) == 2
    assert capsys.readouterr().err == (
        "powercontact: the run does not fit into memory; take a larger step or a shorter run\n"
    )


@pytest.mark.parametrize("words", [["list"], ["run", "wall", "--help"]])
def test_a_reader_that_goes_away_ends_the_command_quietly(words):
    reading, writing = os.pipe()
    os.close(reading)
    command, buffered = [sys.executable, "-m", "chrono_powercontact", *words], os.environ | {"PYTHONUNBUFFERED": ""}
    done = subprocess.run(command, stdout=writing, stderr=subprocess.PIPE, text=True, check=False, env=buffered)
    os.close(writing)
    assert (done.returncode, done.stderr) == (141, "")


def test_unwritable_folder_is_exit_code_two(tmp_path, capsys):
    (tmp_path / "file").write_text("")
    assert main(["run", "wall", "--out", str(tmp_path / "file" / "x")]) == 2
    assert "cannot be written" in capsys.readouterr().err


def test_diverged_run_is_exit_code_one_and_keeps_records(tmp_path, capsys):
    assert main(["run", "stick_slip", "--engine", "reference", "--set", "step=2e-3", "--out", str(tmp_path)]) == 1
    assert "use a smaller step" in capsys.readouterr().err
    assert (tmp_path / "trajectory.csv").exists()


def test_help_of_a_scenario_lists_its_parameters(capsys):
    with pytest.raises(SystemExit):
        main(["run", "pendulum", "--help"])
    out = capsys.readouterr().out
    assert "phi2_0" in out
    assert "default -1.57" in out


@pytest.mark.parametrize(
    "words",
    [
        ["run", "--engine", "chrono", "slope"],
        ["run", "--eng", "chrono", "--set", "law=power", "slope"],
        ["compare", "--models", "power", "slope"],
        ["compare", "--models=power", "--quiet", "slope"],
    ],
)
def test_help_finds_the_scenario_behind_options(words, capsys):
    with pytest.raises(SystemExit):
        main([*words, "--help"])
    assert "angle of the slope in degrees" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("command", "asks"), [("run", True), ("compare", True), ("tour", False), ("bench", False), ("record", False)]
)
def test_help_asks_for_a_scenario_only_where_it_has_parameters(command, asks, capsys):
    with pytest.raises(SystemExit):
        main([command, "--help"])
    assert ("name a scenario to see its parameters" in capsys.readouterr().out) is asks


def test_claims_stand_in_one_column(tmp_path, capsys, monkeypatch):
    claims = {scenario.name: scenario.claim for scenario in every()}
    summaries = [{"scenario": name, "passed": True, "claim": claim} for name, claim in claims.items()]
    monkeypatch.setattr("chrono_powercontact.app.tour.tour", lambda *_: summaries)
    for words in (["list"], ["tour", "--out", str(tmp_path), "--quiet"]):
        assert main(words) == 0
        lines = capsys.readouterr().out.splitlines()
        assert len({line.index(claim) for line in lines for claim in claims.values() if claim in line}) == 1


@pytest.mark.parametrize("words", [["run", "wall", "--engine", "chrono"], ["record", "wall"]])
def test_missing_chrono_is_its_own_sentence_and_exit_code_two(words, tmp_path, capsys, monkeypatch):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(api, "missing", lambda: "PyChrono is not installed for python3")
    assert main(words) == 2
    assert capsys.readouterr().err == "powercontact: PyChrono is not installed for python3\n"


@pytest.mark.chrono
def test_auto_says_that_it_took_chrono(tmp_path, capsys):
    assert main(["run", "wall", "--out", str(tmp_path), "--quiet"]) == 0
    assert f"wall on the chrono engine {api.version()}: claim holds" in capsys.readouterr().out


def test_help_tells_the_integrator_and_the_defaults_of_chrono(capsys):
    with pytest.raises(SystemExit):
        main(["run", "pendulum", "--help"])
    out = capsys.readouterr().out
    assert "integrator " in out
    assert "on the chrono engine the default of memory is point" in out


@pytest.mark.chrono
def test_record_writes_a_file_per_scenario(tmp_path, capsys):
    assert main(["record", "wall", "ball", "--out", str(tmp_path), "--quiet"]) == 0
    assert {path.name for path in tmp_path.iterdir()} == {"chrono_wall.json", "chrono_ball.json"}
    assert capsys.readouterr().out.count("written to") == 2


def test_compare_prints_a_table(tmp_path, capsys):
    assert main(["compare", "ball", "--models", "power,flores", "--out", str(tmp_path), "--quiet"]) == 0
    out = capsys.readouterr().out
    assert "restitution" in out
    assert "flores" in out
    assert set(json.loads((tmp_path / "compare.json").read_text())["models"]) == {"power", "flores"}


def test_module_is_the_command():
    done = subprocess.run(
        [sys.executable, "-m", "chrono_powercontact", "--version"], capture_output=True, text=True, check=True
    )
    assert done.stdout.startswith("chrono_powercontact ")


def test_listing_does_not_load_the_symbolic_engine():
    code = "import sys; from chrono_powercontact.app.cli import main; main(['list']); print('sympy' in sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip().endswith("False")


def test_a_model_that_was_asked_for_and_is_missing_is_not_a_success(tmp_path, monkeypatch, capsys):
    monkeypatch.setattr("chrono_powercontact.app.compare.api.missing", lambda: "PyChrono is not installed")
    arguments = ["compare", "slope", "--set", "time=0.2", "--out", str(tmp_path), "--quiet"]
    assert main([*arguments, "--models", "power,smc-hooke"]) == 2
    assert "smc-hooke is missing: PyChrono is not installed" in capsys.readouterr().out
    assert main([*arguments, "--models", "power"]) == 0


@pytest.fixture(scope="module")
def finished(tmp_path_factory):
    folder = tmp_path_factory.mktemp("view") / "wall"
    assert main(["run", "wall", "--engine", "reference", "--out", str(folder), "--quiet"]) == 0
    return folder


def test_view_writes_one_page(finished, tmp_path, capsys):
    pytest.importorskip("viser")
    page = tmp_path / "wall.html"
    assert main(["view", str(finished), "--html", str(page)]) == 0
    assert page.stat().st_size < 1_500_000
    assert f"written to {page}" in capsys.readouterr().out


def test_run_view_without_a_browser_names_the_page(tmp_path, capsys, monkeypatch):
    pytest.importorskip("viser")
    monkeypatch.setattr("webbrowser.open", lambda address: False)
    words = ["run", "wall", "--engine", "reference", "--out", str(tmp_path), "--quiet", "--view"]
    assert main(words) == 0
    assert f"no browser could be opened: open {tmp_path / 'view.html'} yourself" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (["nowhere"], "there is no run folder and no recording 'nowhere'"),
        (["slope"], "'slope' is a scenario, and there is no such folder: 'powercontact run slope --view' runs it"),
        (["nowhere", "--live"], "nowhere"),
        (["hysteresis", "--live", "--engine", "reference"], "scenario 'hysteresis' has no scene to view"),
        (["ball", "--live", "--html", "x.html"], "--html and --live exclude each other"),
        (["nowhere", "--set", "speed=1"], "--set and --engine are for --live"),
    ],
)
def test_what_cannot_be_viewed_is_one_sentence(words, sentence, capsys):
    pytest.importorskip("viser")
    assert main(["view", *words]) == 2
    told = capsys.readouterr().err
    assert sentence in told
    assert len(told.splitlines()) == 1


def test_a_port_in_use_is_one_sentence(finished, capsys):
    pytest.importorskip("viser")
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        assert main(["view", str(finished), "--port", str(port)]) == 2
    assert f"port {port} cannot be used" in capsys.readouterr().err


def test_an_older_run_folder_is_told(finished, tmp_path, capsys):
    (tmp_path / "summary.json").write_text((finished / "summary.json").read_text())
    assert main(["view", str(tmp_path)]) == 2
    assert "older than this version; 'powercontact run wall' writes scene.npz" in capsys.readouterr().err


def test_a_missing_extra_names_the_pip_line(finished, tmp_path, capsys, monkeypatch):
    monkeypatch.setattr("chrono_powercontact.view.recording.find_spec", lambda name: None)
    assert main(["view", str(finished), "--html", str(tmp_path / "x.html")]) == 2
    assert "pip install 'viser<2'" in capsys.readouterr().err
