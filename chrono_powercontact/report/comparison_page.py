"""The page of a comparison: one column a law, the curves of all, and the command."""

from __future__ import annotations

import html
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from .charts import Chart
from .page_elements import alone, charts, command, table


def write_comparison(folder: Path, result: Mapping[str, Any], found: Sequence[Chart]) -> Path:
    """Write index.html of a comparison from the contents of compare.json and the curves of its picture."""
    models = result["models"]
    metrics = dict.fromkeys(key for row in models.values() for key in row)
    rows = [(metric, *(row.get(metric) for row in models.values())) for metric in metrics]
    name = str(result["scenario"])
    notes = "".join(f"<p>{html.escape(str(result[key]))}</p>" for key in ("note", "rule") if key in result)
    absent = [f"{law} is missing: {why}" for law, why in result.get("missing", {}).items()]
    missing = "".join(f"<p>{html.escape(sentence)}</p>" for sentence in absent)
    words = [f"powercontact compare {name} --models {','.join(models)}"]
    words += [f"--set {key}={value}" for key, value in result.get("given", {}).items()]
    body = f"""<header><h1>{html.escape(name)}: the same scene under {len(models)} laws</h1>
<p class="soft">chrono_powercontact {html.escape(str(result["package_version"]))}</p></header><main id="main">
<h2>Curves</h2>{charts(found) or _picture(folder)}
<h2>Numbers</h2>{table("metrics by law, SI units", ("metric", *models), rows)}{missing}{notes}
<h2>Run it again</h2>{command(" ".join(words))}</main>"""
    path = folder / "index.html"
    path.write_text(alone(f"{name}: laws compared", body), encoding="utf-8")
    return path


def _picture(folder: Path) -> str:
    """The pictures of a comparison that draws its own."""
    names = sorted(path.name for path in folder.glob("*.png"))
    return "".join(f'<img class="picture" src="{html.escape(name)}" alt="{html.escape(name)}">' for name in names)
