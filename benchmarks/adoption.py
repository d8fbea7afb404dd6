"""Chrono's own demos with take_over() alone, at their own step: which pass, and what a step costs beside NSC or SMC.

python benchmarks/adoption.py                    all demos; some minutes, better with nothing else running
python benchmarks/adoption.py friction motors    some of them

Each demo runs in a process of its own. A demo passes if the claim of the scenario `adoption` holds for it and a step
costs at most twice as much as in the demo as it is. Results are written to adoption.json, a table is printed.
"""

from __future__ import annotations

import json
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

RESULTS = Path(__file__).with_suffix(".json")
ALLOWED = 2.0
"""Cost of a step relative to the demo as it is."""
LONGEST = 1800.0
"""Time in s after which a demo counts as hung."""


def measured(demo: str) -> dict[str, Any]:
    """What a run of a demo gave: the claim's parts, the metrics, or why there are none."""
    with tempfile.TemporaryDirectory() as folder:
        command = [sys.executable, "-m", "chrono_powercontact", "run", "adoption", "--quiet", "--out", folder]
        try:
            done = subprocess.run([*command, "--set", f"demo={demo}"], capture_output=True, text=True, timeout=LONGEST)
        except subprocess.TimeoutExpired:
            return {"demo": demo, "passed": False, "error": f"hung for {LONGEST:g} s"}
        summary = Path(folder) / "summary.json"
        if not summary.exists():
            last = (done.stderr.strip() or f"ended with code {done.returncode}").splitlines()[-1]
            return {"demo": demo, "passed": False, "error": last}
        found = json.loads(summary.read_text())
    ratio = found["metrics"]["cost_ratio"]
    failed = [check["text"] for check in found["checks"] if not check["passed"]]
    quick = ratio is not None and ratio <= ALLOWED
    return {"demo": demo, "passed": bool(found["passed"]) and quick, "failed": failed, "metrics": found["metrics"]}


def line(row: dict[str, Any]) -> str:
    """A row of the table."""
    verdict = "passes" if row["passed"] else "fails"
    if "error" in row:
        return f"{row['demo']:18} {verdict:7} {row['error']}"
    metrics = row["metrics"]
    costs = f"{metrics['step_cost']:9.1f} us, {metrics['cost_ratio']:5.2f} times"
    return f"{row['demo']:18} {verdict:7} {costs}  {'; '.join(row['failed'])}"


def main(wanted: list[str]) -> None:
    """Run the wanted demos, or all."""
    from chrono_powercontact.scenarios.adoption.demo_table import DEMOS

    rows = {row["demo"]: row for row in json.loads(RESULTS.read_text())} if RESULTS.exists() else {}
    for demo in wanted or DEMOS:
        rows[demo] = measured(demo)
        print(line(rows[demo]), flush=True)
        ordered = [rows[name] for name in DEMOS if name in rows]
        RESULTS.write_text(json.dumps(ordered, indent=1) + "\n")
    print(f"{sum(row['passed'] for row in rows.values())} of {len(rows)} pass")


if __name__ == "__main__":
    main(sys.argv[1:])
