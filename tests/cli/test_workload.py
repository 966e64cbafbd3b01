"""`broker-sim workload`."""

from pathlib import Path

import pytest
from click.testing import CliRunner
from lxml import etree

from broker_sim.cli import main
from broker_sim.workload import DocumentParameters, XPathParameters, generate_documents, generate_xpaths
from broker_sim.xpath import parse_xpath
from dtd_ads import load_schema


def invoke(*arguments: str):
    return CliRunner().invoke(main, ["workload", *arguments])


def test_xpaths_to_a_file_and_to_standard_output(tmp_path: Path) -> None:
    out = tmp_path / "new" / "paths.txt"
    options = ("--number", "50", "--seed", "3", "--wildcard", "0.2", "--predicates", "1", "--branching", "0.2")
    result = invoke("xpaths", "book", *options, "--out", str(out))
    assert result.exit_code == 0
    parameters = XPathParameters(50, wildcard=0.2, predicates=1, branching=0.2)
    assert out.read_text() == "".join(f"{path}\n" for path in generate_xpaths(load_schema("book"), parameters, 3))
    assert invoke("xpaths", "book", *options).output == out.read_text()
    assert list(out.parent.iterdir()) == [out]
    assert all(parse_xpath(line) for line in out.read_text().splitlines())


def test_documents(tmp_path: Path) -> None:
    out = tmp_path / "documents"
    result = invoke(
        "documents",
        "book",
        "--number",
        "3",
        "--seed",
        "5",
        "--out",
        str(out),
        "--size",
        "3000",
        "--repeats",
        "section=4",
    )
    assert result.exit_code == 0
    assert sorted(path.name for path in out.iterdir()) == ["000001.xml", "000002.xml", "000003.xml"]
    expected = generate_documents(load_schema("book"), DocumentParameters(3, size=3_000, repeats={"section": 4}), 5)
    assert [path.read_bytes() for path in sorted(out.iterdir())] == list(expected)


def test_a_dtd_of_ones_own(tmp_path: Path) -> None:
    dtd = tmp_path / "own.dtd"
    dtd.write_text("<!ELEMENT a (b*)><!ELEMENT b (#PCDATA)>")
    assert invoke("xpaths", str(dtd), "--number", "1").output == "/a/b\n"
    assert invoke("documents", str(dtd), "--number", "1", "--out", str(tmp_path / "out")).exit_code == 0
    assert etree.parse(str(tmp_path / "out" / "000001.xml")).getroot().tag == "a"


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("xpaths", "nothing", "--number", "1"), "nothing"),
        (("xpaths", "bib", "--number", "-1"), "number: expected a whole number"),
        (("xpaths", "bib", "--number", "1", "--wildcard", "2"), "wildcard: expected a number"),
        (("xpaths", "bib", "--number", "1000"), "too few distinct paths"),
        (("documents", "bib", "--number", "1", "--out", "x", "--repeats", "book"), "expected ELEMENT=N"),
        (("documents", "bib", "--number", "1", "--out", "x", "--max-levels", "0"), "max_levels"),
    ],
)
def test_wrong_input_is_one_line_and_exit_code_2(arguments: tuple[str, ...], message: str) -> None:
    result = invoke(*arguments)
    assert result.exit_code == 2
    assert message in result.stderr
    assert result.stderr.count("\n") == 1


def test_a_failure_leaves_no_file_behind(tmp_path: Path) -> None:
    assert invoke("xpaths", "bib", "--number", "1000", "--out", str(tmp_path / "paths.txt")).exit_code == 2
    assert list(tmp_path.iterdir()) == []
