"""A sweep of tiny cells, to be written to a file and changed."""

from __future__ import annotations

from pathlib import Path

import pytest

TINY = """
seeds = 2

[experiment]
topology = "line:n={size}"
strategies = ["{strategy}"]
[experiment.schema]
dtd = "bib"
[experiment.subscriptions.generate]
number = 5
[experiment.documents.generate]
number = 2

[axes]
size = [2, 3]
strategy = ["no-adv-no-cov", "with-adv-with-cov"]
"""


@pytest.fixture
def tiny(tmp_path: Path) -> Path:
    """Eight cells of a few milliseconds."""
    file = tmp_path / "tiny.toml"
    file.write_text(TINY)
    return file
