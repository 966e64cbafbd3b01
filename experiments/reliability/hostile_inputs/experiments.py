"""TOML files, overrides and options."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from experiments.reliability.hostile_inputs.case import DEEP, LONG, XML, Case, Content


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
