"""Sets up .venv inside this clone and does one job there, with nothing but Python's standard library.

python3 bootstrap.py tour    run every scenario and write tour/index.html
python3 bootstrap.py test    check style and types, and run the tests
python3 bootstrap.py check   check style and types only
python3 bootstrap.py bench   measure speed
"""

from __future__ import annotations

import hashlib
import importlib.util
import os
import subprocess
import sys
import venv
from pathlib import Path

ROOT = Path(__file__).resolve().parent
VENV = ROOT / ".venv"
PYTHON = VENV / ("Scripts/python.exe" if os.name == "nt" else "bin/python")
ENGINES = (
    (
        "lagrange.implicit",
        "lagrange.loops.loop_engine",
        "lagrange.impacts",
        "lagrange.ensemble",
        "lagrange.nonsmooth.moreau_kernel",
    ),
    (
        "observer.filters.filter_loop",
        "scenarios.gait.study.leg_observers",
        "scenarios.rake.sensing.rake_filter",
    ),
    (
        "chrono.implicit.standstill",
        "chrono.load.compiled_methods",
        "chrono.takeover.found_contacts",
        "chrono.takeover.asking.preparation",
    ),
    (
        "lagrange.sensitivity.implicit_tangent",
        "lagrange.sensitivity.tangent_engine",
        "scenarios.gait.study.replay_tangent",
        "chrono.readout.contact_sensitivity",
    ),
)
"""Modules whose kernels are compiled on import, in groups that have little in common."""
EXTRAS = {"tour": "", "bench": "[bench]", "test": "", "check": "[test]"}
"""What is installed before each job; the tests install the rest of theirs while the engines are compiled."""


def say(*words: object) -> None:
    """Tell what happens now."""
    print("bootstrap:", *words, flush=True)


def share_pychrono() -> None:
    """Let .venv see the PyChrono of the calling Python, as in a conda environment; its own packages come first."""
    spec = importlib.util.find_spec("pychrono")
    target = next(VENV.glob("lib/python*/site-packages"), VENV / "Lib/site-packages") / "calling_pychrono.pth"
    if spec is not None and spec.origin is not None:
        target.write_text(f"{Path(spec.origin).parent.parent}\n")
    elif target.exists():
        target.unlink()


def install(extra: str) -> None:
    """Install the package and an extra into .venv, unless exactly that was done before."""
    recipe = (ROOT / "setup.cfg").read_bytes() + sys.version.encode() + extra.encode()
    stamp = VENV / f"installed{extra}"
    mark = hashlib.sha256(recipe).hexdigest()
    if stamp.exists() and stamp.read_text() == mark:
        return
    say("installing into .venv (once; up to a minute or two)")
    pip = [str(PYTHON), "-m", "pip", "install", "--quiet", "--disable-pip-version-check"]
    if not install_by_uv(pip, extra):
        subprocess.run([*pip, "-e", f".{extra}"], cwd=ROOT, check=True)
    stamp.write_text(mark)


def install_by_uv(pip: list[str], extra: str) -> bool:
    """Install by uv, which takes seconds where pip takes minutes; False where uv cannot, as with settings of pip's."""
    if subprocess.run([*pip, "uv"], cwd=ROOT, stderr=subprocess.DEVNULL).returncode:
        return False
    uv = [str(PYTHON), "-m", "uv", "pip", "install", "--quiet", "--python", str(PYTHON), "-e", f".{extra}"]
    return subprocess.run(uv, cwd=ROOT, stderr=subprocess.DEVNULL).returncode == 0


def run(*words: str) -> int:
    """Run a module in .venv and return its exit code; Ctrl-C reaches it too, and it may put its affairs in order."""
    process = subprocess.Popen([str(PYTHON), "-m", *words], cwd=ROOT)
    try:
        return process.wait()
    except KeyboardInterrupt:
        process.wait()
        raise


def check() -> int:
    """Style and types; all are checked, the first failure is the exit code."""
    codes = [run("ruff", "check", "."), run("ruff", "format", "--check", "--quiet", "."), run("mypy")]
    return next((code for code in codes if code), 0)


def compile_engines() -> list[subprocess.Popen[bytes]]:
    """Begin to compile the engines side by side: else each of pytest's workers would compile all of them."""
    say("compiling the engines (once; a few minutes)")
    wanted = [", ".join(f"chrono_powercontact.{module}" for module in group) for group in ENGINES]
    return [subprocess.Popen([str(PYTHON), "-c", f"import {modules}"], cwd=ROOT) for modules in wanted]


def test(arguments: list[str]) -> int:
    """Style, types, tests; all are run, the first failure is the exit code."""
    compiling = compile_engines()
    try:
        install("[test]")
        style = check()
        for process in compiling:
            process.wait()
    finally:
        for process in compiling:
            process.terminate()
    tests = run("pytest", "-n", "auto", "--dist", "worksteal", *arguments)
    return style or tests


def do(job: str, arguments: list[str]) -> int:
    """Do the job in .venv; returns the exit code."""
    if job == "check":
        return check()
    if job == "test":
        return test(arguments)
    return run("chrono_powercontact", job, *arguments)


def main() -> int:
    """Set up and do the job."""
    if sys.version_info < (3, 10):  # noqa: UP036 - the file must speak to older Pythons too
        say(f"Python 3.10 or later is needed, this is {sys.version.split()[0]}")
        return 2
    if len(sys.argv) < 2:
        print(__doc__)
        return 2
    if sys.argv[1] not in EXTRAS:
        say(f"unknown job {sys.argv[1]!r}: allowed: {', '.join(EXTRAS)}")
        return 2
    job = sys.argv[1]
    if not PYTHON.exists():
        say("creating .venv")
        try:
            venv.create(VENV, with_pip=True)
        except (subprocess.CalledProcessError, OSError) as error:
            say(f"no virtual environment could be made ({error}); on Debian and Ubuntu install python3-venv")
            return 2
    try:
        install(EXTRAS[job])
        share_pychrono()
        return do(job, sys.argv[2:])
    except subprocess.CalledProcessError:
        say("the installation failed; pip's message is above")
        return 2


if __name__ == "__main__":
    try:
        sys.exit(main())
    except KeyboardInterrupt:
        say("stopped")
        sys.exit(130)
