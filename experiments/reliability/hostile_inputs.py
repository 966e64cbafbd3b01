"""The table of hostile inputs: what is in the folder, what is called, and the documented answer.

The answer is the same for all that is refused: exit code 2, one short line for each error with the place of the
trouble, nothing on standard output, nothing written. `says` is a regular expression for the error. What is odd but
allowed ends well (`code` 0) and writes exactly `writes`.

Large inputs are built when they are asked for, not when this module is read.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

Content = bytes | Callable[[], bytes]

DEEP: Final = 100_000
LONG: Final = 10_000_000
XML: Final = b"<a><b>1</b></a>"
DTD: Final = b"<!ELEMENT a (b*)>\n<!ELEMENT b (#PCDATA)>\n"
QUERY: Final = b'<r> { for $b in document("d")/a/b return <g> { $b } </g> } </r>\n'
GRAPH: Final = (
    b'<graphml xmlns="http://graphml.graphdrawing.org/xmlns"><graph edgedefault="undirected">'
    b'<node id="1"/><node id="2"/><edge source="1" target="2"/></graph></graphml>'
)


@dataclass(frozen=True, slots=True)
class Case:
    """One hostile input, and what `broker-sim` answers to it."""

    name: str
    arguments: tuple[str, ...]
    says: str
    files: Mapping[str, Content] = field(default_factory=dict)
    folders: tuple[str, ...] = ()
    code: int = 2
    writes: tuple[str, ...] = ()

    def prepare(self, folder: Path) -> None:
        """Put the input into a folder."""
        for name in self.folders:
            (folder / name).mkdir(parents=True)
        for name, content in self.files.items():
            path = folder / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(content if isinstance(content, bytes) else content())


def written(folder: Path) -> set[str]:
    """Every file and folder below a folder, links not followed."""
    return {
        os.path.relpath(os.path.join(at, name), folder)
        for at, folders, files in os.walk(folder)
        for name in (*folders, *files)
    }


def documents() -> Iterator[Case]:
    """XML documents, through every command that reads them."""
    subscriptions = {"s.txt": b"/a/b\n//c\n"}
    for name, content, says in _DOCUMENTS:
        files = {**subscriptions, "d.xml": content}
        yield Case(f"match: {name}", ("match", "--subscriptions", "s.txt", "d.xml"), says, files)
    for name, content, says in _DOCUMENTS:
        files = {"q.txt": QUERY, "d.xml": content}
        yield Case(f"deliver: {name}", ("deliver", "--queries", "q.txt", "--out", "out", "d.xml"), says, files)
    for name, content, says in _DOCUMENTS:
        files = {**subscriptions, "d.xml": content}
        split = ("chunk", "split", "--subscriptions", "s.txt", "--out", "out", "d.xml")
        fine = name in _FINE_FOR_CHUNKS
        says = "" if fine else r"d\.xml:1(:\d+)?: "
        yield Case(f"chunk: {name}", split, says, files, code=0 if fine else 2, writes=("out",) if fine else ())
    stream = ("match", "--engine", "xtrie", "--stream", "--subscriptions", "s.txt", "d.xml")
    for name, content, says in _DOCUMENTS:
        yield Case(f"match --stream: {name}", stream, says, {**subscriptions, "d.xml": content})
    for name, command in {
        "match": ("match", "--subscriptions", "s.txt", "d.xml"),
        "match --stream": stream,
        "deliver": ("deliver", "--queries", "q.txt", "--out", "out", "d.xml"),
        "chunk": ("chunk", "split", "--subscriptions", "s.txt", "--out", "out", "d.xml"),
    }.items():
        files = {**subscriptions, "q.txt": QUERY}
        yield Case(f"{name}: no such file", command, r"d\.xml: cannot be read: No such file", files)
        yield Case(f"{name}: a directory without documents", command, r"d\.xml: .*director", files, ("d.xml",))
    few = ("--set", "subscriptions.generate.number=2")
    run = ("run", "--topology", "line:n=2", "--dtd", "a.dtd", *few, "--documents", "docs", "--out", "out")
    own = {"a.dtd": DTD, "docs/d.xml": b"<a><c/></a>"}
    advertised = (*run, "--strategy", "with-adv-with-cov")
    yield Case("run: a document outside its DTD", advertised, r"docs/d\.xml: .*did not advertise the path /a/c", own)
    yield Case("run: malformed document", run, r"docs/d\.xml:1:", {**own, "docs/d.xml": b"<a><b></a>"})
    yield Case("run: no documents", run, r"documents\.directory: docs is no folder", {"a.dtd": DTD})


_FINE_FOR_CHUNKS: Final = ("UTF-16 without its mark", "a name of 10 MB", "an attribute of 10 MB")
"""The chunker reads with expat, piece by piece: it knows UTF-16, and names and values may be long."""
_LAUGHS: Final = b"".join(b'<!ENTITY l%d "%s">' % (n, (b"&l%d;" % (n - 1)) * 10 if n else b"lol") for n in range(10))
_FILE_ENTITY: Final = b'<!DOCTYPE a [<!ENTITY x SYSTEM "file:///etc/passwd">]><a><b>&x;</b></a>'
_DOCUMENTS: Final[tuple[tuple[str, Content, str], ...]] = (
    ("empty file", b"", r"d\.xml.*: .*(empty|no element)"),
    ("not well-formed", b"<a><b></a>", r"d\.xml:1:\d+: "),
    ("text, no XML", b"hello\n", r"d\.xml:1:\d+: "),
    ("cut off", b"<a><b>", r"d\.xml:1:\d+: "),
    ("two roots", b"<a/><a/>", r"d\.xml:1:\d+: "),
    ("NUL byte", b"<a>\0</a>", r"d\.xml:1:\d+: "),
    ("not UTF-8", b"<a>\xff\xfe</a>", r"d\.xml:1:\d+: "),
    ("UTF-16 without its mark", "<a/>".encode("utf-16-le"), r"d\.xml:1:\d+: "),
    ("unknown encoding", b"<?xml version='1.0' encoding='klingon'?><a/>", r"d\.xml:1:\d+: .*(klingon|encoding)"),
    ("false encoding", b"<?xml version='1.0' encoding='utf-16'?><a>\xe4</a>", r"d\.xml:1:\d+: "),
    ("100,000 levels", lambda: b"<a>" * DEEP + b"</a>" * DEEP, r"d\.xml:1:\d+: elements nest deeper than 256"),
    ("a name of 10 MB", lambda: b"<a" + b"b" * LONG + b"/>", r"d\.xml:1:\d+: "),
    ("an attribute of 10 MB", lambda: b"<a b='" + b"c" * (LONG + 1) + b"'/>", r"d\.xml:1:\d+: "),
    ("billion laughs", b"<!DOCTYPE a [" + _LAUGHS + b"]><a>&l9;</a>", r"d\.xml.*: .*entit"),
    (
        "quadratic entities",
        lambda: b"<!DOCTYPE a [<!ENTITY x '" + b"y" * 100_000 + b"'>]><a>" + b"&x;" * 20_000 + b"</a>",
        r"d\.xml.*: .*entit",
    ),
    ("an entity in itself", b"<!DOCTYPE a [<!ENTITY x '&x;'>]><a>&x;</a>", r"d\.xml.*: .*entit"),
    ("entity from a file", _FILE_ENTITY, r"d\.xml.*: .*x.*(expanded|load nothing|entit)"),
    (
        "entity from the network",
        b'<!DOCTYPE a [<!ENTITY x SYSTEM "http://127.0.0.1:9/x">]><a><b>&x;</b></a>',
        r"d\.xml.*: .*x.*(expanded|load nothing|entit)",
    ),
    (
        "parameter entity from a file",
        b'<!DOCTYPE a [<!ENTITY % p SYSTEM "file:///etc/passwd"> %p;]><a>&q;</a>',
        r"d\.xml.*: .*(load nothing|entit)",
    ),
    ("undeclared entity", b'<!DOCTYPE a SYSTEM "x.dtd"><a>&q;</a>', r"d\.xml.*: .*q"),
)


def dtds() -> Iterator[Case]:
    """DTDs."""
    for name, content, says in _DTDS:
        yield Case(f"ads: {name}", ("ads", "a.dtd", "--out", "out.txt"), says, {"a.dtd": content})
    outside = {"in/a.dtd": b'<!ENTITY % m SYSTEM "../secret.mod">\n%m;\n' + DTD, "secret.mod": b"<!ELEMENT s EMPTY>\n"}
    yield Case("ads: includes a file outside its folder", ("ads", "in/a.dtd"), r"a\.dtd:2:1: .*outside", outside)
    yield Case(
        "workload: malformed DTD",
        ("workload", "documents", "a.dtd", "--number", "2", "--out", "out"),
        r"a\.dtd:1:\d+: ",
        {"a.dtd": b"<!ELEMENT a (b>"},
    )
    yield Case(
        "relate: malformed DTD",
        ("relate", "covers", "/a", "/b", "--dtd", "a.dtd"),
        r"a\.dtd:1:\d+: ",
        {"a.dtd": b"<!ELEMENT a (b>"},
    )
    yield Case("ads: a directory", ("ads", "a.dtd"), r"a\.dtd: is a folder", folders=("a.dtd",))
    yield Case("ads: no such file", ("ads", "../../nowhere.dtd"), r"nowhere\.dtd: no such file")
    yield Case("ads: NUL in the name", ("ads", "a\0b"), r"no file name")
    yield Case("ads: a name of 10,000 characters", ("ads", "x" * 10_000), r"cannot be read")


_PARAMETER_LAUGHS: Final = b"".join(
    b'<!ENTITY %% p%d "%s">\n' % (n, (b"%%p%d;" % (n - 1)) * 10 if n else b"<!ELEMENT a EMPTY>") for n in range(12)
)
_DTDS: Final[tuple[tuple[str, Content, str], ...]] = (
    ("empty file", b"", r"a\.dtd: the file is empty"),
    ("not well-formed", b"<!ELEMENT a (b,>\n", r"a\.dtd:1:\d+: "),
    ("XML in place of a DTD", b"<a/>", r"a\.dtd:1:\d+: "),
    ("text", b"hello", r"a\.dtd:1:\d+: "),
    ("cut off", b"<!ELEMENT a", r"a\.dtd:1:\d+: "),
    ("no element", b"<!ENTITY x 'y'>", r"a\.dtd: declares no element"),
    ("NUL byte", b"<!ELEMENT a\0 EMPTY>", r"a\.dtd(:1:\d+)?: "),
    ("not UTF-8", b"<!ELEMENT a EMPTY>\n<!ELEMENT \xff\xfe EMPTY>", r"a\.dtd(:2:\d+)?: "),
    ("100,000 groups in one another", lambda: b"<!ELEMENT a " + b"(" * DEEP + b"b" + b")" * DEEP + b">", r"a\.dtd.*: "),
    ("a name of 10 MB", lambda: b"<!ELEMENT a" + b"b" * LONG + b" EMPTY>", r"a\.dtd.*: "),
    ("an entity of 20 MB", lambda: b"<!ENTITY x '" + b"b" * (2 * LONG) + b"'>" + DTD, r"a\.dtd.*: .*larger"),
    ("billion laughs", _PARAMETER_LAUGHS + b"%p11;", r"a\.dtd.*: "),
    (
        "a parameter entity in itself",
        b'<!ENTITY % p "&#37;q;">\n<!ENTITY % q "&#37;p;">\n%p;\n' + DTD,
        r"a\.dtd.*: .*(loop|recurs)",
    ),
    ("a module that includes itself", b'<!ENTITY % m SYSTEM "a.dtd">\n%m;\n' + DTD, r"a\.dtd.*: "),
    ("module /etc/passwd", b'<!ENTITY % m SYSTEM "file:///etc/passwd">\n%m;\n' + DTD, r"a\.dtd:2:1: .*outside"),
    (
        "module ../../../etc/passwd",
        b'<!ENTITY % m SYSTEM "' + b"../" * 30 + b'etc/passwd">\n%m;\n' + DTD,
        r"a\.dtd(:2:1)?: .*outside",
    ),
    ("module on the network", b'<!ENTITY % m SYSTEM "http://127.0.0.1:9/m">\n%m;\n' + DTD, r"a\.dtd:2:1: .*network"),
    ("module by FTP", b'<!ENTITY % m SYSTEM "ftp://127.0.0.1:9/m">\n%m;\n' + DTD, r"a\.dtd:2:1: .*network"),
    ("undeclared parameter entity", b"%nothing;\n" + DTD, r"a\.dtd:1:\d+: .*nothing"),
    ("2,000 elements of content ANY", b"".join(b"<!ELEMENT e%d ANY>" % n for n in range(2_000)), r"a\.dtd: .*limit"),
    ("no root", b"<!ELEMENT a (b)><!ELEMENT b (a)>", r"a\.dtd: .*choose a root"),
)


def expressions() -> Iterator[Case]:
    """XPath, in files and on the command line."""
    match = ("match", "--subscriptions", "s.txt", "d.xml")
    for name, content, says in _EXPRESSIONS:
        yield Case(f"match: {name}", match, says, {"s.txt": content, "d.xml": XML})
    yield Case(
        "match: subscriptions are a directory",
        match,
        r"s\.txt: cannot be read: Is a directory",
        {"d.xml": XML},
        ("s.txt",),
    )
    yield Case("match: an empty file, no subscription", match, "", {"s.txt": b"", "d.xml": XML}, code=0)
    for first in ("", "/", "//", "/a[", "/a[1]", "count(/a)", "/a'; DROP TABLE xpath; --", "$(reboot)", "<script>"):
        yield Case(f"relate: {first!r}", ("relate", "covers", first, "/b"), r"error: 1:?\d*: |error: \d+: ")
    run = ("run", "--topology", "line:n=2", "--subscriptions", "s.txt", "--out", "out")
    yield Case("run: XPath outside the language", run, r"s\.txt:2:\d+: ", {"s.txt": b"/a\n/a[position()=1]\n"})
    yield Case("run: a tree pattern in the unit paths", run, r"s\.txt:1: .*predicates", {"s.txt": b"/a[b]\n"})
    cases = ("relate", "--cases", "c.jsonl")
    for name, content in {"no JSON": b"{", "deep JSON": b"[" * DEEP, "NUL": b"\0", "a list": b"[]"}.items():
        yield Case(f"relate --cases: {name}", cases, r"c\.jsonl:1(:\d+)?: ", {"c.jsonl": content})
    for text in ("", "a", "/a(", "/a(/b)", "/a)+", "(" * DEEP):
        yield Case(f"relate: advertisement {text[:20]!r}", ("relate", "overlap", text, "/b"), r"error: ")


_EXPRESSIONS: Final[tuple[tuple[str, Content, str], ...]] = (
    ("not XPath", b"/a\n/a[[b]]\n", r"s\.txt:2:4: "),
    ("not UTF-8", b"/a\n/\xff\n", r"s\.txt:2: expected UTF-8"),
    ("UTF-16", "/a\n".encode("utf-16"), r"s\.txt:1: expected UTF-8"),
    ("NUL byte", b"/a\0b\n", r"s\.txt:1:3: "),
    ("100,000 steps", lambda: b"/a" * DEEP, r"s\.txt:1:\d+: .*at most"),
    ("1,001 steps", lambda: b"/a" * 1_001, r"s\.txt:1:\d+: .*at most 1000 steps"),
    ("100,000 predicates", lambda: b"/a" + b"[b]" * DEEP, r"s\.txt:1:\d+: .*at most"),
    ("20,000 predicates", lambda: b"/a" + b"[b]" * 20_000, r"s\.txt:1:\d+: .*at most 1000 steps"),
    ("100,000 brackets in one another", lambda: b"/a" + b"[a" * DEEP + b"]" * DEEP, r"s\.txt:1:\d+: .*at most"),
    ("20,000 brackets in one another", lambda: b"/a" + b"[a" * 20_000 + b"]" * 20_000, r"s\.txt:1:\d+: .*at most 50"),
    ("20,000 parentheses", lambda: b"/a[" + b"(" * 20_000 + b"b" + b")" * 20_000 + b"]", r"s\.txt:1:\d+: .*at most 50"),
    ("2^20 paths by or", b"/a" + b"[b or c]" * 20, r"s\.txt:1:\d+: .*at most 64"),
    ("a name of 10 MB", lambda: b"/" + b"a" * LONG, r"s\.txt:1:\d+: .*at most"),
    ("a number of 5,000 digits", lambda: b"/a[b=" + b"9" * 5_000 + b"]", r"s\.txt:1:\d+: .*double"),
    ("a literal without end", b"/a[b='", r"s\.txt:1:\d+: .*closing"),
    ("a surrogate", b"/a[b='\xed\xa0\x80']", r"s\.txt:1: expected UTF-8"),
)


def queries() -> Iterator[Case]:
    """FLWR queries."""
    deliver = ("deliver", "--queries", "q.txt", "--out", "out", "d.xml")
    for name, content, says in _QUERIES:
        yield Case(f"deliver: {name}", deliver, says, {"q.txt": content, "d.xml": XML})
    yield Case(
        "deliver: queries are a directory",
        deliver,
        r"q\.txt: cannot be read: Is a directory",
        {"d.xml": XML},
        ("q.txt",),
    )


def _query(path: bytes = b"/a/b", returned: bytes = b"<g> { $b } </g>") -> bytes:
    return b'<r> { for $b in document("d")' + path + b" return " + returned + b" } </r>\n"


_QUERIES: Final[tuple[tuple[str, Content, str], ...]] = (
    ("not FLWR", b"select * from a", r"q\.txt:1:\d+: "),
    ("no binding", b'<r> { for $b in document("d") return <g/> } </r>', r"q\.txt:1:\d+: "),
    ("cut off", b'<r> { for $b in document("d")/a', r"q\.txt:1:\d+: "),
    ("tags that do not close", _query(returned=b"<g> { $b } </h>"), r"q\.txt:1:\d+: "),
    ("not UTF-8", b"\xff" + QUERY, r"q\.txt:1: expected UTF-8"),
    ("NUL byte", QUERY.replace(b"/a/b", b"/a\0/b"), r"q\.txt:1:\d+: "),
    ("second query wrong", QUERY + b"<r> { for }\n", r"q\.txt:2:\d+: "),
    ("100,000 steps", lambda: _query(b"/a" * DEEP), r"q\.txt:1:\d+: .*at most"),
    ("100,000 predicates", lambda: _query(b"/a" + b"[@b]" * DEEP), r"q\.txt:1:\d+: .*at most"),
    ("100,000 tags in one another", lambda: _query(returned=b"<g>" * DEEP), r"q\.txt:1:\d+: .*at most"),
    ("a name of 10 MB", lambda: _query(b"/" + b"a" * LONG), r"q\.txt:1:\d+: .*at most"),
    ("a tag of 10 MB", lambda: _query(returned=b"<" + b"g" * LONG + b"/>"), r"q\.txt:1:\d+: "),
    ("an entity in a tag", _query(returned=b"<g a='&lol;'> { $b } </g>"), r"q\.txt:1:\d+: "),
    ("a comment without end", b"(: " * 1_000, r"q\.txt:1:\d+: "),
)


def topologies() -> Iterator[Case]:
    """GraphML files and generators."""
    show = ("topology", "show", "t.graphml")
    for name, content, says in _TOPOLOGIES:
        yield Case(f"topology: {name}", show, says, {"t.graphml": content})
    yield Case(
        "topology: a directory", show, r"t\.graphml: expected a GraphML file, found a folder", folders=("t.graphml",)
    )
    yield Case("topology: no such file", show, r"t\.graphml: expected a GraphML file, found nothing")
    for spec in (
        "ring:n=-1",
        "ring:n=nan",
        "ring:n=inf",
        "ring:n=1e9",
        "ring:n=999999999",
        f"ring:n={'9' * 5_000}",
        "waxman:n=10,alpha=nan,beta=0.5",
        "tree:branching=2,depth=100000",
        "nothing:n=3",
        "ring:;reboot",
        "a\0b:n=3",
    ):
        yield Case(f"topology: {spec[:40]}", ("topology", "generate", spec, "--out", "o.graphml"), r"error: .{3,}")
    run = ("run", "--topology", "t.graphml", "--out", "out")
    yield Case("run: malformed topology", run, r"t\.graphml:1:\d+: ", {"t.graphml": b"<graphml>"})


def _many(tag: bytes) -> bytes:
    many = (
        b"".join(b'<node id="%d"/>' % n for n in range(1_000_000))
        if tag == b"node"
        else b'<node id="1"/><node id="2"/>' + b'<edge source="1" target="2"/>' * 1_000_001
    )
    return b"<graphml><graph>" + many + b"</graph></graphml>"


def _link(**data: str) -> bytes:
    values = "".join(f'<data key="{key}">{value}</data>' for key, value in data.items())
    keys = "".join(f'<key id="{key}" for="edge" attr.name="{key}" attr.type="double"/>' for key in data)
    text = GRAPH.decode().replace('target="2"/>', f'target="2">{values}</edge>')
    return text.replace("<graph ", f"{keys}<graph ").encode()


_TOPOLOGIES: Final[tuple[tuple[str, Content, str], ...]] = (
    ("empty file", b"", r"t\.graphml(:\d+)*: "),
    ("not well-formed", b"<graphml><graph>", r"t\.graphml:1:\d+: "),
    ("another root", b"<html/>", r"t\.graphml:1: expected <graphml>"),
    ("no graph", b"<graphml/>", r"t\.graphml.*: expected one graph"),
    ("no node", b"<graphml><graph/></graphml>", r"t\.graphml.*: .*no nodes"),
    ("NUL byte", GRAPH.replace(b'"1"', b'"\0"'), r"t\.graphml:1:\d+: "),
    ("not UTF-8", GRAPH.replace(b'"1"', b'"\xff"'), r"t\.graphml:1:\d+: "),
    ("an edge to nowhere", GRAPH.replace(b'target="2"', b'target="3"'), r"t\.graphml:1: .*'3'"),
    (
        "an edge to a name of 1 MB",
        GRAPH.replace(b'target="2"', b'target="' + b"3" * 1_000_000 + b'"'),
        r"t\.graphml:1: ",
    ),
    ("the same node twice", GRAPH.replace(b'"2"', b'"1"'), r"t\.graphml:1: a second node"),
    ("two parts", GRAPH.replace(b'<edge source="1" target="2"/>', b""), r"t\.graphml: .*not connected"),
    ("a million nodes", lambda: _many(b"node"), r"t\.graphml: 1,000,000 nodes: at most 100,000"),
    ("a million links", lambda: _many(b"edge"), r"t\.graphml: 1,000,001 edges: at most 1,000,000"),
    ("100,000 levels", lambda: b"<graphml>" + b"<graph><node>" * DEEP, r"t\.graphml:1:\d+: "),
    ("a name of 10 MB", lambda: GRAPH.replace(b'"1"', b'"' + b"1" * (LONG + 1) + b'"'), r"t\.graphml:1:\d+: "),
    ("latency NaN", _link(latency="NaN"), r"link 1 - 2: latency must be a number of at least 0"),
    ("latency infinite", _link(latency="1e999"), r"link 1 - 2: latency must be a number of at least 0"),
    ("latency negative", _link(latency="-1"), r"link 1 - 2: latency must be a number of at least 0"),
    ("bandwidth zero", _link(bandwidth="0"), r"link 1 - 2: bandwidth must be more than 0"),
    ("latency is text", _link(latency="slow"), r"t\.graphml.*: "),
    (
        "billion laughs",
        b"<!DOCTYPE graphml [" + _LAUGHS + b"]><graphml><graph><node id='&l9;'/></graph></graphml>",
        r"t\.graphml.*: .*(entit|amplification)",
    ),
    (
        "entity from a file",
        b'<!DOCTYPE graphml [<!ENTITY x SYSTEM "file:///etc/passwd">]><graphml><graph>&x;</graph></graphml>',
        r"t\.graphml.*: entities are not allowed",
    ),
)


def experiments() -> Iterator[Case]:
    """TOML files and overrides."""
    for name, content, says in _TOML:
        yield Case(f"run: {name}", ("run", "e.toml", "--out", "out"), says, {"e.toml": content})
        if b"[network]" not in (content if isinstance(content, bytes) else b""):
            yield Case(
                f"sweep: {name}",
                ("sweep", "e.toml", "--master", "loop", "--out", "out"),
                r"e\.toml.*: ",
                {"e.toml": content},
            )
    yield Case("run: a directory", ("run", "e.toml"), r"e\.toml: cannot be read: Is a directory", folders=("e.toml",))
    yield Case("run: no such experiment", ("run", "../../etc/passwd"), r"no experiment '../../etc/passwd'")
    for key in (
        "network.publish_interval",
        "network.links.latency",
        "network.links.bandwidth",
        "network.service.publish",
        "subscriptions.theta",
        "max_degree",
    ):
        for value in ("nan", "inf", "-inf", "-1"):
            case = ("run", "--set", f"{key}={value}", "--out", "out")
            yield Case(f"run: {key} = {value}", case, rf"{key.rpartition('.')[2]}|strategies")
    for key in ("max_queue", "max_seconds", "max_messages"):
        for value in ("0", "-1", "nan", "inf"):
            case = ("run", "--set", f"network.stop.{key}={value}", "--out", "out")
            yield Case(f"run: network.stop.{key} = {value}", case, rf"network\.stop\.{key}")
    for key in (
        "documents.generate.number",
        "subscriptions.generate.number",
        "subscriptions.subscribers",
        "documents.generate.max_levels",
        "schema.max_depth",
        "publishers.number",
    ):
        for value in ("-1", "1e99", "nan", '"many"', "true"):
            case = ("run", "--set", f"{key}={value}", "--out", "out")
            yield Case(f"run: {key} = {value}", case, key.replace(".", r"\."))
    for option, value in _PARAMETERS:
        case = ("workload", "xpaths", "psd", "--number", "5", "--out", "out.txt", option, value)
        yield Case(f"workload: {option} {value[:20]}", case, r"(?i)error: .*")
    for value in ("-1", "0", "nan", "9" * 5_000):
        case = ("workload", "documents", "psd", "--out", "out", "--number", value)
        zero = value == "0"
        says = "" if zero else "(?i)error: .*"
        yield Case(f"workload documents: --number {value[:20]}", case, says, code=0 if zero else 2)
    repeats = (
        "workload",
        "documents",
        "psd",
        "--number",
        "1",
        "--out",
        "out",
        "--repeats",
        "ProteinEntry=" + "9" * 5_000,
    )
    yield Case("workload documents: --repeats with 5,000 digits", repeats, r"error: --repeats: ")
    chunk = ("chunk", "split", "--subscriptions", "s.txt", "--out", "out", "d.xml", "--chunks", "9" * 5_000)
    yield Case("chunk: --chunks with 5,000 digits", chunk, r"error: --chunks: ", {"s.txt": b"/a/b\n", "d.xml": XML})
    for option in ("pairs=" + "9" * 5_000, "nothing=1", "=", "location=../../nowhere/x.duckdb"):
        case = ("match", "--engine", "relational", "--option", option, "--subscriptions", "s.txt", "d.xml")
        yield Case(f"match: --option {option[:30]}", case, r"(?i)error: .*", {"s.txt": b"/a/b\n", "d.xml": XML})


_PARAMETERS: Final = (
    *(
        (option, value)
        for option in ("--wildcard", "--descendant", "--theta", "--stop", "--dead", "--relative")
        for value in ("nan", "inf", "-0.5")
    ),
    *((option, value) for option in ("--wildcard", "--stop") for value in ("1.5", "often")),
    ("--max-length", "-1"),
    ("--max-length", "0"),
    ("--predicates", "-1"),
    ("--max-value", "0"),
    ("--number", "-1"),
    ("--number", "9" * 5_000),
    ("--seed", "x"),
    ("--root", "nobody"),
)


_TOML: Final[tuple[tuple[str, Content, str], ...]] = (
    ("not TOML", b"= 1", r"e\.toml: is no TOML: .*line 1"),
    ("text", b"hello", r"e\.toml: is no TOML: Expected '='"),
    ("NUL byte", b"name = '\0'", r"e\.toml: is no TOML: .*line 1"),
    ("not UTF-8", b"name = '\xff'", r"e\.toml(:1)?: .*(UTF-8|utf-8)"),
    ("an unknown key", b"nothing = 1", r"e\.toml: nothing: is unknown"),
    ("a list in place of a table", b"documents = []", r"e\.toml: documents"),
    ("100,000 lists in one another", lambda: b"a = " + b"[" * DEEP + b"]" * DEEP, r"e\.toml: "),
    ("100,000 tables in one another", lambda: b"[" + b"a." * DEEP + b"a]\n", r"e\.toml: "),
    ("a name of 10 MB", lambda: b"a" * LONG + b" = 1", r"e\.toml: larger than"),
    ("a value of 1 MB", lambda: b"topology = '" + b"a" * 1_000_000 + b"'", r"error: "),
    ("a number of 5,000 digits", b"seed = " + b"9" * 5_000, r"e\.toml: "),
    ("an unknown kind", b"kind = 'x'", r"e\.toml: kind"),
    ("kind is a table", b"[kind]", r"e\.toml: kind"),
    ("infinite latency", b"[network]\nlinks = {latency = inf}", r"e\.toml: network\.links\.latency"),
    ("not a number", b"[network]\npublish_interval = nan", r"e\.toml: network\.publish_interval"),
)


def odd_names() -> Iterator[Case]:
    """Names with characters that mean something to a shell, to SQL, to HTML or to a file system."""
    digits = {"t.graphml": GRAPH.replace(b'"1"', b'"' + b"1" * 5_000 + b'"')}
    yield Case("topology: a broker named by 5,000 digits", ("topology", "show", "t.graphml"), "", digits, code=0)
    for name in _ODD:
        files = {"s.txt": b"/a/b\n", f"d/{name}.xml": XML}
        yield Case(
            f"match: a document named {name!r}",
            ("match", "--subscriptions", "s.txt", f"d/{name}.xml"),
            "",
            files,
            code=0,
        )
        yield Case(
            f"deliver: a document named {name!r}",
            ("deliver", "--queries", "q.txt", "--out", "out", f"d/{name}.xml"),
            "",
            {"q.txt": QUERY, f"d/{name}.xml": XML},
            code=0,
            writes=("out", f"out/{name}.1.xml"),
        )
        topology = GRAPH.replace(b'"1"', f'"{_escaped(name)}"'.encode())
        yield Case(
            f"topology: a broker named {name!r}",
            ("topology", "generate", "t.graphml", "--out", "o.graphml"),
            "",
            {"t.graphml": topology},
            code=0,
            writes=("o.graphml",),
        )
        if "\n" in name:
            continue
        sql = f"/a[b={_quoted(name)}]\n".encode()
        yield Case(
            f"match: a value {name!r} in SQL",
            ("match", "--engine", "relational", "--subscriptions", "s.txt", "d.xml"),
            "",
            {"s.txt": sql, "d.xml": f"<a><b>{_escaped(name)}</b></a>".encode()},
            code=0,
        )
    sweep = b"[experiment]\nbase='paper-traffic'\ntopology='../../../tmp/{size}'\n[axes]\nsize=[2]\n"
    yield Case(
        "sweep: a name that climbs",
        ("sweep", "e.toml", "--master", "loop", "--out", "out", "--dry-run"),
        "",
        {"e.toml": sweep},
        code=0,
    )
    run = ("run", "--topology", "line:n=2", "--strategy", "../../x", "--out", "out")
    yield Case("run: a strategy that climbs", run, r"strategies.*\.\./\.\./x")


_ODD: Final = (
    "$(touch owned)",
    "; touch owned #",
    "' OR 1=1; DROP TABLE xpath; --",
    '"><script>alert(1)</script>'.replace("/", "\u2215"),
    "..",
    "-rf",
    "%s%n{0}[red]",
    "\u202egpj.a b\u00e9",
    "new\nline",
)


def _escaped(text: str) -> str:
    return text.replace("&", "&amp;").replace("<", "&lt;").replace('"', "&quot;").replace("\n", "&#10;")


def _quoted(text: str) -> str:
    return f'"{text}"' if '"' not in text else f"'{text}'"


CASES: Final = (
    *documents(),
    *dtds(),
    *expressions(),
    *queries(),
    *topologies(),
    *experiments(),
    *odd_names(),
)
