"""YFilter's path-tuples, and that its automaton shrinks with its subscriptions."""

from __future__ import annotations

from random import Random

from hypothesis import given
from hypothesis import strategies as st
from lxml import etree

from broker_sim.engines.documents import parse, written_name
from broker_sim.engines.lxml_engine import LxmlEngine
from broker_sim.engines.nfa import SharedNfa, labels_of
from broker_sim.engines.yfilter import YFilter
from broker_sim.xpath import CHILD, DESCENDANT, WILDCARD, Expression, Path, parse_xpath
from tests.strategies.documents import documents
from tests.strategies.expressions import linear_paths, tree_patterns


def _tuples(document: bytes, text: str) -> list[tuple[str, ...]]:
    engine = YFilter()
    engine.add(7, parse_xpath(text))
    found = engine.path_tuples(document)
    assert found.keys() <= {7}
    return [tuple(str(element.get("i")) for element in places) for places in found.get(7, [])]


def test_the_papers_example_has_two_tuples_with_one_figure() -> None:
    document = b"<section i='1'><section i='2'><figure i='f'><title/></figure></section></section>"
    assert _tuples(document, "//section//figure") == [("1", "f"), ("2", "f")]


def test_tuples_are_ordered_by_their_last_element() -> None:
    document = b"<s i='1'><s i='2'><f i='3'><t i='4'/></f></s><f i='5'><t i='6'/></f></s>"
    assert _tuples(document, "//s//f/t") == [("1", "3", "4"), ("2", "3", "4"), ("1", "5", "6")]
    assert _tuples(document, "//s/f/t") == [("2", "3", "4"), ("1", "5", "6")]
    assert _tuples(document, "//s[s]/f or /s//t") == [("1", "4"), ("1", "5"), ("1", "6")]
    assert _tuples(document, "/s/s/following-sibling::f") == [("1", "2", "5")]
    assert _tuples(document, "/s/t") == []


@given(documents(max_depth=5), linear_paths(max_steps=4))
def test_tuples_are_all_embeddings(text: bytes, path: Path) -> None:
    root = parse(text)
    engine = YFilter()
    engine.add(0, path)
    found = engine.path_tuples(root).get(0, [])
    assert len(found) == len(set(found))
    assert set(found) == set(_embeddings(root, path))
    order = {element: place for place, element in enumerate(root.iter("*"))}
    assert [order[places[-1]] for places in found] == sorted(order[places[-1]] for places in found)


def _embeddings(root: etree._Element, path: Path) -> list[tuple[etree._Element, ...]]:
    """Step by step from the root, as the definition says."""
    found: list[tuple[etree._Element, ...]] = [()]
    for step in path.steps:
        longer = []
        for places in found:
            for element in root.iter("*"):
                above = list(element.iterancestors())
                near = (above[0] is places[-1] if above else False) if places else not above
                inside = places[-1] in above if places else True
                named = step.name in (WILDCARD, written_name(element))
                if named and ((step.axis == CHILD and near) or (step.axis == DESCENDANT and inside)):
                    longer.append((*places, element))
        found = longer
    return found


@given(documents(max_depth=5), st.lists(tree_patterns(), min_size=1, max_size=10))
def test_a_subscription_matches_where_it_has_tuples(text: bytes, patterns: list[Expression]) -> None:
    engine, referee = YFilter(), LxmlEngine()
    for id, pattern in enumerate(patterns):
        engine.add(id, pattern)
        referee.add(id, pattern)
    assert sorted(engine.path_tuples(text)) == list(engine.match(text)) == list(referee.match(text))


@given(st.lists(linear_paths(), min_size=1, max_size=12), st.randoms(use_true_random=False))
def test_the_automaton_shares_prefixes_and_prunes(paths: list[Path], rng: Random) -> None:
    nfa = SharedNfa()
    ends = {number: nfa.add(number, labels_of(path.steps))[0][-1] for number, path in enumerate(paths)}
    gone = rng.sample(sorted(ends), rng.randint(0, len(ends)))
    for number in gone:
        nfa.remove(number, ends.pop(number))
    labels = [tuple(labels_of(paths[number].steps)) for number in ends]
    assert len(nfa) == len({path[:length] for path in labels for length in range(len(path) + 1)} | {()})
