"""The notebook of the documentation runs from the first cell to the last."""

from __future__ import annotations

import pathlib

import pytest
from conftest import PATIENCE, ROOT

pytestmark = pytest.mark.filterwarnings("ignore")


def test_the_notebook_runs(tmp_path: pathlib.Path) -> None:
    import nbformat
    from nbclient import NotebookClient

    notebook = nbformat.read(ROOT / "docs" / "from-rows-to-what-if.ipynb", as_version=4)
    for cell in notebook.cells:
        assert cell.cell_type == "markdown" or not cell.outputs, "outputs are not kept in the repository"
    client = NotebookClient(notebook, timeout=PATIENCE, kernel_name="python3", resources={"metadata": {"path": tmp_path}})
    client.execute()
    shown = [output for cell in notebook.cells for output in cell.get("outputs", []) if "data" in output]
    pictures = [output for output in shown if "<svg" in str(output["data"].get("text/html", ""))]
    assert len(pictures) >= 3
    assert (tmp_path / "asia.html").read_text(encoding="utf-8").startswith("<!doctype html>")
