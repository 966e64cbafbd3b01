"""Every notebook runs from a fresh kernel, with the quick profile, and is kept with the outputs of such a run."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

nbformat = pytest.importorskip("nbformat")
nbclient = pytest.importorskip("nbclient")

PROJECT = Path(__file__).parents[2]
NOTEBOOKS = sorted((PROJECT / "notebooks").glob("*.ipynb"))
PATIENCE = 400


def test_there_are_four() -> None:
    assert [file.stem for file in NOTEBOOKS] == [
        "01-network-traffic",
        "02-routing-tables",
        "03-matching-engines",
        "04-sweep-on-spark",
    ]


@pytest.mark.parametrize("file", NOTEBOOKS, ids=lambda file: file.stem)
def test_it_is_kept_with_outputs(file: Path) -> None:
    code = [cell for cell in nbformat.read(file, 4).cells if cell.cell_type == "code"]
    assert [cell.execution_count for cell in code] == list(range(1, len(code) + 1))
    outputs = [output for cell in code for output in cell.outputs]
    assert all(output.output_type != "error" and output.get("name") != "stderr" for output in outputs)
    assert any("image/png" in output.get("data", {}) for output in outputs)
    assert not re.search(r"/(home|root|tmp|work)/", file.read_text(encoding="utf-8"))


@pytest.mark.parametrize("file", NOTEBOOKS, ids=lambda file: file.stem)
def test_it_runs_and_says_what_it_says(file: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PYTHONPATH", str(PROJECT))
    notebook = nbformat.read(file, 4)
    kept = printed(notebook)
    nbclient.NotebookClient(notebook, timeout=PATIENCE, resources={"metadata": {"path": str(tmp_path)}}).execute()
    assert printed(notebook) == kept


def printed(notebook: nbformat.NotebookNode) -> list[str]:
    """What its cells print: counts, never times."""
    return [output.text for cell in notebook.cells for output in cell.get("outputs", []) if "text" in output]
