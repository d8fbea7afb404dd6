from pathlib import Path

import pytest

NOTEBOOK = Path(__file__).resolve().parents[3] / "demos" / "gait_observer.ipynb"

nbformat = pytest.importorskip("nbformat")
nbclient = pytest.importorskip("nbclient")
pytest.importorskip("ipykernel")


def test_notebook_runs_from_model_to_estimate(tmp_path):
    book = nbformat.read(NOTEBOOK, as_version=4)
    client = nbclient.NotebookClient(
        book, timeout=600, kernel_name="python3", resources={"metadata": {"path": tmp_path}}
    )
    client.execute()
    outputs = [output for cell in book.cells if cell.cell_type == "code" for output in cell.outputs]
    text = "".join(output.get("text", "") for output in outputs)
    assert "at rest: phi = 0.9984 rad" in text
    assert "S3: phi" in text
    assert sum("image/png" in output.get("data", {}) for output in outputs) == 3


def test_notebook_is_kept_without_outputs():
    book = nbformat.read(NOTEBOOK, as_version=4)
    assert all(not cell.get("outputs") for cell in book.cells)
