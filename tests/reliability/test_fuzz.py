"""The fuzz targets on their seeds and a few hundred random mutations of them."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from experiments.reliability.fuzz import MAX_LENGTH, mutated
from experiments.reliability.fuzz_targets import TARGETS


@pytest.mark.parametrize("name", TARGETS)
def test_a_reader_returns_or_raises_an_input_error(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    target, chance = TARGETS[name], random.Random(1)
    read, seeds = target.reader(), target.seeds()
    for content in seeds:
        read(content[:MAX_LENGTH])
    for _ in range(300):
        read(mutated(chance, seeds, target.words))
