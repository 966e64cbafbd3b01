"""Every database: the table of cases, the property, and what a store promises."""

from __future__ import annotations

import pytest
from hypothesis import Phase, given, settings
from hypothesis import strategies as st
from pyroaring import BitMap

from broker_sim.engines import create_engine
from broker_sim.engines.relational import Relational
from broker_sim.errors import DocumentError
from broker_sim.xpath import Expression, parse_xpath
from tests.engines.cases import LINEAR, PATTERNS
from tests.engines.relational.conftest import Place
from tests.engines.test_agreement import any_documents, many, patterns
from tests.strategies.expressions import linear_paths

linear_lists = many(linear_paths())
pattern_lists = many(patterns)
document_lists = st.lists(any_documents, min_size=5, max_size=8)


def check_agreement(expressions: list[Expression], texts: list[bytes], **options: object) -> list[BitMap]:
    """Compare an engine with lxml; returns its answers."""
    referee = create_engine("lxml")
    for id, expression in enumerate(expressions):
        referee.add(id, expression)
    with opened(options) as engine:
        engine.add_all(enumerate(expressions))
        answers = list(engine.match_all(texts))
    for text, found in zip(texts, answers, strict=True):
        expected = referee.match(text)
        wrong = [(str(expressions[id]), id in expected) for id in found ^ expected]
        assert not wrong, f"{options}: {text!r}, {wrong}"
    return answers


def opened(options: dict[str, object]) -> Relational:
    return Relational(**options)  # type: ignore[arg-type]


@pytest.mark.parametrize("place", ["duckdb", "postgresql"], indirect=True)
def test_all_cases(place: Place) -> None:
    cases = LINEAR + PATTERNS
    texts = sorted({case.document for case in cases})
    with opened(place()) as engine:
        engine.add_all((id, case.expression) for id, case in enumerate(cases))
        found = dict(zip(texts, engine.match_all(text.encode() for text in texts), strict=True))
    wrong = [str(case) for id, case in enumerate(cases) if (id in found[case.document]) != case.expected]
    assert wrong == []


def test_a_store_survives(place: Place) -> None:
    options = place()
    with opened(options) as engine:
        engine.add_all((id, parse_xpath(text)) for id, text in enumerate(("/a/b", "b[@x=1] or c", "/a[.='x']", "/z")))
        engine.add(2**32 - 1, parse_xpath("//c"))
        engine.remove(3)
        with pytest.raises(ValueError, match="taken"):
            engine.add(1, parse_xpath("/a"))
        with pytest.raises(ValueError, match="taken"):
            engine.add_all([(9, parse_xpath("/a")), (0, parse_xpath("/a"))])
        with pytest.raises(KeyError):
            engine.remove(3)
        with pytest.raises(DocumentError):
            engine.match(b"<a>")
    with opened(options) as engine:
        assert (len(engine), 1 in engine, 3 in engine, 9 in engine) == (4, True, False, False)
        answers = engine.match_all([b"<a><b x='1'/></a>", b"<z/>", b"<c>x</c>", b"<a>x</a>"])
        assert [list(answer) for answer in answers] == [[0, 1], [], [1, 2**32 - 1], [2]]


@pytest.mark.parametrize("place", ["duckdb", "postgresql"], indirect=True)
def test_removing_one_of_two_subscriptions_with_the_same_expression(place: Place) -> None:
    with opened(place()) as engine:
        engine.add_all((id, parse_xpath("/a[b='1' or c]")) for id in (4, 7))
        engine.remove(4)
        assert list(engine.match(b"<a><b>1</b></a>")) == [7]
        engine.remove(7)
        assert (list(engine.match(b"<a><c/></a>")), len(engine)) == ([], 0)


@settings(max_examples=8)
@given(linear_lists, document_lists)
def test_linear_expressions_on_duckdb(expressions: list[Expression], texts: list[bytes]) -> None:
    check_agreement(expressions, texts)


@settings(max_examples=12)
@given(pattern_lists, document_lists)
def test_tree_patterns_on_duckdb(expressions: list[Expression], texts: list[bytes]) -> None:
    check_agreement(expressions, texts)


def test_tree_patterns_on_postgresql(postgresql_place: Place) -> None:
    @settings(max_examples=8)
    @given(pattern_lists, document_lists)
    def agree(expressions: list[Expression], texts: list[bytes]) -> None:
        check_agreement(expressions, texts, **postgresql_place())

    agree()


@pytest.mark.usefixtures("spark")
def test_all_cases_and_tree_patterns_on_spark() -> None:
    """A pass of Spark costs seconds whatever it is given: the table of cases and all that is drawn share one."""
    cases = LINEAR + PATTERNS
    expressions = [case.expression for case in cases]
    texts = sorted({case.document.encode() for case in cases})

    @settings(max_examples=8, phases=[Phase.generate])
    @given(pattern_lists, document_lists)
    def draw(some_expressions: list[Expression], some_texts: list[bytes]) -> None:
        expressions.extend(some_expressions)
        texts.extend(some_texts)

    draw()
    found = dict(zip(texts, check_agreement(expressions, texts, database="spark"), strict=True))
    wrong = [str(case) for id, case in enumerate(cases) if (id in found[case.document.encode()]) != case.expected]
    assert wrong == []


@settings(max_examples=5)
@given(pattern_lists, document_lists, st.integers(20, 200))
def test_neither_cutting_nor_bounds_change_an_answer(
    expressions: list[Expression], texts: list[bytes], pairs: int
) -> None:
    check_agreement(expressions, texts[:3], cutting=False)
    check_agreement(expressions, texts[:3], pairs=pairs)


@settings(max_examples=6)
@given(st.lists(patterns, min_size=6, max_size=6), st.lists(st.integers(0, 5), max_size=12), document_lists)
def test_coming_and_going_leaves_no_trace(
    expressions: list[Expression], changes: list[int], texts: list[bytes]
) -> None:
    with Relational() as engine, Relational() as fresh:
        present: set[int] = set()
        for id in changes:
            if id in present:
                engine.remove(id)
            else:
                engine.add(id, expressions[id])
            present ^= {id}
        fresh.add_all((id, expressions[id]) for id in present)
        assert (len(engine), [id for id in range(6) if id in engine]) == (len(present), sorted(present))
        assert list(engine.match_all(texts)) == list(fresh.match_all(texts))
