"""Hyperscan as a peer answers what our engines answer; `hyperscan` comes with the extra `dev`, so this always runs."""

from __future__ import annotations

import runpy
from pathlib import Path

from hypothesis import given
from hypothesis import strategies as st

from broker_sim.engines.scan import Scan
from broker_sim.xpath import Path as XPath
from tests.strategies.expressions import linear_paths

NAMES = ("a", "a.b", "p:a")
peer = runpy.run_path(str(Path(__file__).parents[2] / "experiments" / "benchmarks" / "hyperscan_peer.py"))


@given(
    st.lists(linear_paths(NAMES), min_size=1, max_size=6),
    st.lists(st.lists(st.sampled_from((*NAMES, "axb", "aa")), min_size=1, max_size=6), min_size=1, max_size=6),
)
def test_regular_expressions_ask_the_same(paths: list[XPath], publications: list[list[str]]) -> None:
    rival, ours = peer["HyperscanPeer"](paths), Scan()
    for id, path in enumerate(paths):
        ours.add(id, path)
    for names in publications:
        text = "".join(f"/{name}" for name in names).encode()
        assert sorted(rival.match_path(text)) == list(ours.match_path(names))
