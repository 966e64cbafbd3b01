"""`broker-sim topology`."""

import json
import re
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner

from broker_sim.cli import main
from broker_sim.network import load_topology
from broker_sim.report.palette import LIGHT


def invoke(*arguments: str):
    return CliRunner().invoke(main, ["topology", *arguments])


def test_list() -> None:
    result = invoke("list")
    assert result.exit_code == 0
    assert "paper-8" in result.output
    assert "barabasi-albert:n=..,m=..[,seed=0]" in result.output
    listed = json.loads(invoke("list", "--json").output)
    assert {"name": "paper-8", "brokers": 8, "links": 7} in listed["topologies"]
    assert {"name": "line", "usage": "line:n=.."} in listed["generators"]


def test_show_draws_a_tree_from_its_centre() -> None:
    result = invoke("show", "paper-8")
    assert result.exit_code == 0
    assert "diameter  5 links" in result.output
    tree = [line.rstrip() for line in result.output.splitlines()[-8:]]
    assert tree == ["1", "├── 2", "│   ├── 4", "│   └── 5", "└── 3", "    ├── 6", "    └── 7", "        └── 8"]


def test_show_draws_other_graphs_as_a_table_and_a_sketch() -> None:
    lines = [line.rstrip() for line in invoke("show", "ring-8").output.splitlines()]
    assert "8       2       1, 7" in lines
    assert len(lines) > 25


def test_show_cuts_large_topologies() -> None:
    assert "more, and those below them" in invoke("show", "binary-1023").output
    assert "... 50 more" in invoke("show", "ring:n=250").output


def test_show_json() -> None:
    shown = json.loads(invoke("show", "paper-8", "--json").output)
    assert (shown["brokers"], shown["links"], shown["diameter"], shown["is_tree"]) == (8, 7, 5, True)
    assert shown["link_list"][0] == {"first": "1", "second": "2"}


def test_markup_in_names_is_only_text(tmp_path: Path) -> None:
    path = tmp_path / "odd.graphml"
    path.write_text("<graphml><graph><node id='[red]x[/nope]'/></graph></graphml>")
    result = invoke("show", str(path))
    assert result.exit_code == 0
    assert "[red]x[/nope]" in result.output


def test_generate(tmp_path: Path) -> None:
    path = tmp_path / "new" / "overlay.graphml"
    result = invoke("generate", "random-tree:n=20,seed=4", "--out", str(path))
    assert result.exit_code == 0
    assert load_topology(path).links == load_topology("random-tree:n=20,seed=4").links
    assert list(path.parent.iterdir()) == [path]


@pytest.mark.parametrize(
    "arguments", [("show", "nothing"), ("generate", "line:n=0", "--out", "x.graphml"), ("show", "missing/x.graphml")]
)
def test_wrong_input_is_one_line_and_exit_code_2(arguments: tuple[str, ...]) -> None:
    result = invoke(*arguments)
    assert result.exit_code == 2
    assert result.stderr.startswith("error: ")
    assert result.stderr.count("\n") == 1


def test_a_folder_in_the_way_is_an_error(tmp_path: Path) -> None:
    result = invoke("generate", "line:n=3", "--out", str(tmp_path))
    assert result.exit_code == 2
    assert "cannot write here" in result.stderr


@pytest.mark.parametrize("suffix", ["png", "svg"])
def test_plot_is_stable(tmp_path: Path, suffix: str) -> None:
    pytest.importorskip("matplotlib")
    first, second = tmp_path / f"a.{suffix}", tmp_path / f"b.{suffix}"
    for path in (first, second):
        assert invoke("show", "grid-5x5", "--plot", str(path)).exit_code == 0
    assert first.read_bytes() == second.read_bytes()


def test_plot_has_the_colours_of_the_page(tmp_path: Path) -> None:
    pytest.importorskip("matplotlib")
    picture = tmp_path / "a.svg"
    assert invoke("show", "paper-8", "--plot", str(picture)).exit_code == 0
    drawn = set(re.findall(r"#[0-9a-f]{6}", picture.read_text()))
    assert drawn == {LIGHT[name] for name in ("panel", "ink", "line", "level-0", "level-3")}


def test_plot_without_matplotlib_names_the_extra(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    result = invoke("show", "line-8", "--plot", str(tmp_path / "a.png"))
    assert result.exit_code == 2
    assert "broker-sim[notebooks]" in result.stderr


def test_plot_of_another_kind(tmp_path: Path) -> None:
    assert "ends in .png or .svg" in invoke("show", "line-8", "--plot", str(tmp_path / "a.pdf")).stderr
