"""Do all engines give lxml's answers on real documents? Counts, and the first differences.

    python experiments/benchmarks/agreement.py [--queries FILE ...] [--generated N] DOCUMENT ...

A DOCUMENT is an XML file or a folder of them. Queries come from files, one a line, where lines outside the language are
counted and left out, and from a generator: random walks over the names that occur in the documents, with `//`, `*`,
nested paths, following siblings and comparisons with values that occur, so that many match. An engine that takes linear
queries only sees those. `--load-dtd` reads the DTD that a document names, from a file and never from the network, for
its entities; only for documents that you trust. Exit code 1 if any answer differs, 2 if a document cannot be read.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path as File
from random import Random

from lxml import etree

from broker_sim.engines import ENGINES, create_engine
from broker_sim.engines.documents import parse, written_attributes, written_name
from broker_sim.engines.engine import loading
from broker_sim.errors import XPathError
from broker_sim.xpath import Expression, parse_xpath
from dtd_ads.errors import InputError

OPERATORS = ("=", "=", "=", "!=", "<", "<=", ">", ">=")


class Guide:
    """What occurs in documents: the roots, the children of each name, its siblings, and some of its values."""

    def __init__(self, roots: Iterable[etree._Element], random: Random) -> None:
        self._random = random
        self._roots: list[str] = []
        self._children: dict[str, dict[str, None]] = {}
        self._values: dict[str, dict[tuple[str, str], None]] = {}
        for root in roots:
            self._roots.append(written_name(root))
            for element in root.iter("*"):
                self._see(element)

    def path(self) -> str:
        """A random expression."""
        root = self._random.choice(self._roots)
        start = self._random.choice(("/", "/", "//"))
        return self._steps(start, root, self._random.randint(1, 6), nested=self._random.random() < 0.7)

    def _see(self, element: etree._Element) -> None:
        name = written_name(element)
        self._children.setdefault(name, {}).update({written_name(child): None for child in element.iterchildren("*")})
        values = self._values.setdefault(name, {})
        if len(values) < 200:
            values.update({(f"@{key}", value): None for key, value in written_attributes(element).items()})
            if element.text:
                values["text()", element.text] = None
                if not len(element):
                    values[".", element.text] = None

    def _steps(self, axis: str, name: str, length: int, nested: bool) -> str:
        text = ""
        for _ in range(length):
            shown = "*" if self._random.random() < 0.1 else name
            text += axis + shown + (self._predicate(name) if nested and self._random.random() < 0.4 else "")
            children = list(self._children[name])
            if not children:
                break
            axis, name = "/", self._random.choice(children)
            chance = self._random.random()
            if chance < 0.15 and self._children[name]:
                axis, name = "//", self._random.choice(list(self._children[name]))
            elif chance < 0.2 and nested:
                text += f"/{name}"
                axis, name = "/following-sibling::", self._random.choice(children)
        return text

    def _predicate(self, name: str) -> str:
        values, children = list(self._values[name]), list(self._children[name])
        if values and self._random.random() < 0.6:
            subject, value = self._random.choice(values)
            quote = "'" if '"' in value else '"'
            if self._random.random() < 0.1 or quote in value or len(value) > 60 or "\n" in value:
                return f"[{subject}]"
            literal = value.strip() if value.strip().isdecimal() else f"{quote}{value}{quote}"
            return f"[{subject} {self._random.choice(OPERATORS)} {literal}]"
        if not children:
            return ""
        inner = self._steps("/", self._random.choice(children), self._random.randint(1, 3), nested=True)
        return f"[.{inner}]" if self._random.random() < 0.5 else f"[{inner[1:]}]"


def main(words: Sequence[str] | None = None) -> int:
    """Compare and print; returns the exit code."""
    chosen = _options().parse_args(words)
    trusting = etree.XMLParser(load_dtd=True, no_network=True)
    documents = {
        file: parse(etree.parse(file, trusting) if chosen.load_dtd else file) for file in _files(chosen.documents)
    }
    texts = [line for file in chosen.queries for line in file.read_text().splitlines() if line.strip()]
    guide = Guide(documents.values(), Random(chosen.seed))
    texts += [guide.path() for _ in range(chosen.generated)]
    expressions = list(_readable(texts))
    referee = _filled("lxml", dict(enumerate(expressions)))
    expected = {file: referee.match(root) for file, root in documents.items()}
    matches = sum(map(len, expected.values()))
    print(
        f"{len(documents)} documents, {len(texts)} queries, {len(texts) - len(expressions)} outside the language, "
        f"{sum(each.is_linear for each in expressions)} linear; {matches} matches by lxml"
    )
    wrong = sum(_compare(name, expressions, documents, expected) for name in chosen.engine if name != "lxml")
    return 1 if wrong else 0


def _compare(name: str, expressions: list[Expression], documents: dict, expected: dict) -> int:
    started = time.process_time()
    taken = _accepted(name, expressions)
    engine = _filled(name, taken)
    differences = []
    for file, root in documents.items():
        found = engine.match(root)
        differences += [(file.name, str(taken[id])) for id in taken if (id in found) != (id in expected[file])]
    pairs = len(documents) * len(taken)
    seconds = time.process_time() - started
    print(f"{name}: {pairs:,} pairs, {len(differences)} differ ({seconds:.1f} s)")
    for file, text in differences[:5]:
        print(f"  {file}: {text}")
    return len(differences)


def _accepted(name: str, expressions: list[Expression]) -> dict[int, Expression]:
    engine, taken = create_engine(name), {}
    with loading(engine):
        for id, expression in enumerate(expressions):
            try:
                engine.add(id, expression)
            except XPathError:
                continue
            taken[id] = expression
    return taken


def _filled(name: str, expressions: dict[int, Expression]):
    engine = create_engine(name)
    with loading(engine):
        for id, expression in expressions.items():
            engine.add(id, expression)
    return engine


def _readable(texts: Iterable[str]) -> Iterator[Expression]:
    for text in texts:
        try:
            yield parse_xpath(text.strip())
        except XPathError:
            continue


def _files(given: Iterable[File]) -> Iterator[File]:
    for path in given:
        yield from sorted(path.rglob("*.xml")) if path.is_dir() else [path]


def _options() -> argparse.ArgumentParser:
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("documents", nargs="+", type=File, metavar="DOCUMENT")
    options.add_argument("--queries", nargs="*", type=File, default=[])
    options.add_argument("--generated", type=int, default=0)
    options.add_argument("--load-dtd", action="store_true")
    options.add_argument("--engine", nargs="*", default=list(ENGINES), choices=list(ENGINES))
    options.add_argument("--seed", type=int, default=1)
    return options


if __name__ == "__main__":
    try:
        sys.exit(main())
    except InputError as error:
        print(f"error: {error}", file=sys.stderr)
        sys.exit(2)
