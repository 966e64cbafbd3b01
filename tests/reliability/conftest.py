"""The command line in processes of its own, with bounds."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from experiments.reliability.limited import Launcher, launcher


@pytest.fixture(scope="session")
def broker_sim() -> Iterator[Launcher]:
    with launcher() as launch:
        yield launch
