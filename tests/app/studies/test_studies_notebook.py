from pathlib import Path

import pytest

NOTEBOOK = Path(__file__).resolve().parents[3] / "demos" / "measurement_to_parameters.ipynb"

nbformat = pytest.importorskip("nbformat")
nbclient = pytest.importorskip("nbclient")
pytest.importorskip("ipykernel")


def test_notebook_runs_from_measurement_to_parameters(tmp_path):
    book = nbformat.read(NOTEBOOK, as_version=4)
    assert all(not cell.get("outputs") for cell in book.cells)
    client = nbclient.NotebookClient(
        book, timeout=600, kernel_name="python3", resources={"metadata": {"path": tmp_path}}
    )
    client.execute()
    outputs = [output for cell in book.cells if cell.cell_type == "code" for output in cell.outputs]
    assert "misfit over the noise" in "".join(output.get("text", "") for output in outputs)
