"""All speed measurements of the project, as ratios in this one run; writes benchmarks/results.json.

python benchmarks/speed.py            (the same as: powercontact bench --out benchmarks/results.json)
"""

from pathlib import Path

from chrono_powercontact.bench.bench import run_benchmarks

run_benchmarks(out=str(Path(__file__).with_name("results.json")))
