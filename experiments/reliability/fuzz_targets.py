"""What is fuzzed: for each reader its seeds, the words of its language, and a function that reads bytes.

Readers are imported when they are asked for, so that a fuzzer can instrument them.
"""

from __future__ import annotations

import tempfile
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Final

PROJECT: Final = Path(__file__).parents[2]

Read = Callable[[bytes], None]


@dataclass(frozen=True, slots=True)
class Target:
    """One reader."""

    reader: Callable[[], Read]
    seeds: Callable[[], list[bytes]]
    words: tuple[str, ...]


def _xpath() -> Read:
    from broker_sim.errors import InputError
    from broker_sim.xpath import parse_xpath

    def read(data: bytes) -> None:
        with suppress(InputError):
            found = parse_xpath(data.decode("utf-8", "replace"))
            assert parse_xpath(str(found)) == found, str(found)

    return read


def _flwr() -> Read:
    from broker_sim.delivery import parse_queries
    from broker_sim.errors import InputError

    def read(data: bytes) -> None:
        with suppress(InputError):
            for _, query in parse_queries(data.decode("utf-8", "replace"), "queries"):
                assert [again for _, again in parse_queries(str(query), "again")] == [query], str(query)

    return read


def _dtd() -> Read:
    from dtd_ads import compile_advertisements, count_paths, load_schema
    from dtd_ads.errors import InputError

    file = _scratch("fuzzed.dtd")

    def read(data: bytes) -> None:
        file.write_bytes(data)
        with suppress(InputError):
            schema = load_schema(file)
            count_paths(schema, 5)
            compile_advertisements(schema, "auto", 5, limit=100)

    return read


def _graphml() -> Read:
    from broker_sim.errors import InputError
    from broker_sim.network import load_topology
    from broker_sim.network.graphml import write_graphml

    file, again = _scratch("fuzzed.graphml"), _scratch("again.graphml")

    def read(data: bytes) -> None:
        file.write_bytes(data)
        with suppress(InputError):
            found = load_topology(file, largest_component=True)
            write_graphml(found, again)
            back = load_topology(again)
            assert (back.brokers, back.links) == (found.brokers, found.links)

    return read


def _toml() -> Read:
    from broker_sim.errors import InputError
    from broker_sim.experiment import load_experiment
    from broker_sim.experiment.sweep import load_sweep

    file = _scratch("fuzzed.toml")

    def read(data: bytes) -> None:
        file.write_bytes(data)
        with suppress(InputError):
            load_experiment(file)
        if data.count(b",") < 50:
            with suppress(InputError):
                load_sweep(file)

    return read


def _scratch(name: str) -> Path:
    return Path(tempfile.mkdtemp(prefix="fuzzed-", dir=".")).absolute() / name


def _files(pattern: str) -> list[bytes]:
    return [path.read_bytes() for path in sorted(PROJECT.glob(pattern))]


_PATHS: Final = [
    b"/a/b/c", b"//a//*", b"a/b", b"/a[b and c='1' or d>2]/e", b"/a[@x='1'][text()=2]//b[.='x']", b"/a/../b[..]",
    b"/a[b/following-sibling::c]", b"/a or //b[c]", b"/p:a/@p:b", b"/a[(b or c) and (d or .//e[@f!=-1.5])]",
]  # fmt: skip
_QUERIES: Final = [
    b'<r> { for $b in document("d")/a/b[@x>1] where $b/c = "1" and $b/d[text()=2] return <g> { $b/e } </g> } </r>',
    b'(: c :)<r x="1"> { for $b in doc(\'d\')//a return $b } </r>\n<s> { for $x in document("d")/*[.=1]/b '
    b"where $x//y[@z!='q'] return <i>t{ $x/text() }<j/>&amp; { $x//k } </i> } </s>",
]

TARGETS: Final = {
    "xpath": Target(_xpath, lambda: list(_PATHS), (
        "//", "/", "[", "]", "(", ")", " and ", " or ", "@", "text()", "..", ".", "*", "following-sibling::", "!=",
        "<=", ">=", "'", '"', "::", ":", "a", "1", "-1.5", "\u00e9",
    )),
    "flwr": Target(_flwr, lambda: list(_QUERIES), (
        "for ", "where ", "return ", " and ", "$b", "document(", "doc(", "<r>", "</r>", "{", "}", "(:", ":)", "/a",
        "//b", "[@x=1]", "text()", "'", '"', "&amp;", "&#x9;", "<!--", "<![CDATA[", "]]>", "<?x?>",
    )),
    "dtd": Target(_dtd, lambda: [b"<!ELEMENT a (b*,c?)><!ELEMENT b ANY><!ELEMENT c EMPTY><!ATTLIST a x CDATA 'y'>",
                                 b'<!ENTITY % p "b|c">\n<!ELEMENT a (%p;)*><![INCLUDE[<!ELEMENT b (#PCDATA|c)*>]]>'
                                 b"<!ELEMENT c (a+)><!ENTITY e SYSTEM 'x'>",
                                 *_files("dtd_ads/catalog/*.dtd")], (
        "<!ELEMENT ", "<!ATTLIST ", "<!ENTITY ", "% p", "%p;", "&#37;", "SYSTEM ", "PUBLIC ", "'a'", '"b"', "EMPTY",
        "ANY", "(#PCDATA)", "(a|b)*", "(a,b)+", "CDATA", "#REQUIRED", "#IMPLIED", "#FIXED", "ID", "<![INCLUDE[",
        "<![IGNORE[", "]]>", "<!--", "-->", "<?xml version='1.0' encoding='utf-8'?>", "<!NOTATION ", ">",
    )),
    "graphml": Target(_graphml, lambda: [_small_graph(), *_files("topologies/*.graphml")], (
        "<graphml>", "</graphml>", "<graph>", "</graph>", "<node ", "<edge ", "id=", "source=", "target=", '"1"',
        "<key ", "<data ", "key=", 'for="edge"', "attr.name=", "attr.type=", '"double"', '"latency"', '"bandwidth"',
        "<default>", "</default>", "<hyperedge>", "<port name='a'/>", "nan", "1e999", "<!DOCTYPE ", "xmlns=", "/>",
    )),
    "toml": Target(_toml, lambda: [b"seed = 1\n", b"[axes]\nseed=[1,2]\n", *_files("experiments/*.toml"),
                                   *_files("experiments/sweeps/*.toml")], (
        "kind = ", '"overlay"', "[network]\n", "[[zip]]\n", "[[exclude]]\n", "[axes]\n", "seeds = ", "nan", "inf",
        "true", "{a = 1}", "[1, 2]", "1979-05-27T07:32:00Z", '"""', "'''", "0x1", "1e400", "name", "base", "{seed}",
    )),
}  # fmt: skip


def _small_graph() -> bytes:
    return (
        b'<graphml><key id="l" for="edge" attr.name="latency" attr.type="double"><default>1</default></key>'
        b'<key id="n" for="node" attr.name="label" attr.type="string"/><graph edgedefault="directed"><node id="1">'
        b'<data key="n">x</data></node><node id="2"/><edge source="1" target="2"><data key="l">2</data></edge>'
        b"</graph></graphml>"
    )
