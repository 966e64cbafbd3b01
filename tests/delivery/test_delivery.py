"""What `Delivery` promises beyond the right answers: choices, ids, documents that a DTD does not allow, costs."""

from __future__ import annotations

import pytest
from lxml import etree

from broker_sim.delivery import Delivery, Profile, parse_query
from broker_sim.engines.outline import Outline
from broker_sim.errors import ConfigurationError, DocumentError
from dtd_ads import load_schema

TITLES = parse_query('<t>{ for $b in document("d")//book return <b>{ $b/title }</b> }</t>')
BIB = (
    b"<bib><book year='1'><title>One</title><author><last>l</last><first>f</first></author>"
    b"<publisher>p</publisher><price>1</price></book></bib>"
)


def test_choices_that_make_no_sense() -> None:
    with pytest.raises(ConfigurationError, match="approach: expected one of F, FW, FWR, not 'W'"):
        Delivery("W")
    with pytest.raises(ConfigurationError, match="optimise: expected one of none, query, dtd, not 'more'"):
        Delivery("F", "more")
    with pytest.raises(ConfigurationError, match="optimisation by DTD needs a DTD"):
        Delivery("F", "dtd")
    with pytest.raises(ConfigurationError, match="shared post-processing needs approach FWR, not FW"):
        Delivery("FW", sharing=True)


@pytest.mark.parametrize("sharing", [False, True])
def test_ids(sharing: bool) -> None:
    made = Delivery(sharing=sharing)
    made.add(7, TITLES)
    with pytest.raises(ValueError, match="7 is taken"):
        made.add(7, TITLES)
    with pytest.raises(ValueError, match="not between"):
        made.add(-1, TITLES)
    with pytest.raises(KeyError, match="no subscription has id 8"):
        made.remove(8)
    assert (len(made), 7 in made, 8 in made) == (1, True, False)
    assert made.deliver(BIB) == {7: "<t><b><title>One</title></b></t>"}
    made.remove(7)
    assert made.deliver(BIB) == {}


def test_equal_queries_share_a_plan_and_keep_their_tags() -> None:
    for sharing in (False, True):
        made = Delivery(schema=load_schema("bib"), sharing=sharing)
        made.add(1, TITLES)
        made.add(2, parse_query('<u>{ for $x in document("e")/bib/book return $x//title }</u>'))
        assert (len(made), made.plans, made.paths) == (2, 1, 2)
        assert made.deliver(BIB) == {1: "<t><b><title>One</title></b></t>", 2: "<u><title>One</title></u>"}


def test_documents_outside_the_dtd_are_refused() -> None:
    made = Delivery(schema=load_schema("bib"))
    made.add(1, TITLES)
    with pytest.raises(DocumentError, match="1: the DTD bib does not allow book as the root"):
        made.deliver(b"<book/>")
    with pytest.raises(DocumentError, match="2: the DTD bib does not allow book inside book"):
        made.deliver(b"<bib><book>\n<book/></book></bib>")
    with pytest.raises(DocumentError, match="does not allow strange inside bib"):
        made.deliver(b"<bib><strange/></bib>")
    assert made.deliver(BIB)
    without = Delivery(optimise="query", schema=load_schema("bib"))
    without.add(1, TITLES)
    assert without.deliver(b"<book><title/></book>") == {1: "<t><b><title/></b></t>"}


def test_bad_documents_change_nothing() -> None:
    made = Delivery()
    made.add(1, TITLES)
    with pytest.raises(DocumentError, match="document:1:"):
        made.deliver(b"<bib><book>")
    assert made.deliver(BIB) == {1: "<t><b><title>One</title></b></t>"}


def test_copied_elements_keep_their_namespaces_and_nothing_around_them() -> None:
    made = Delivery()
    made.add(
        1, parse_query('<r>{ for $a in document("d")//p:a where $a/b = "1" return <s>{ $a/b }{ $a/p:c }</s> }</r>')
    )
    document = b"<d xmlns='urn:d' xmlns:p='urn:p'>x<p:a><b>1</b>tail<p:c p:k='2'/>tail</p:a>y</d>"
    (message,) = made.deliver(document).values()
    b, c = etree.fromstring(message)[0]
    assert (b.tag, b.tail, c.tag, c.attrib) == ("{urn:d}b", None, "{urn:p}c", {"{urn:p}k": "2"})


def test_optimisation_counts_on_bib() -> None:
    """Without recursion the DTD removes every DupElim and every hash operator."""
    query = parse_query('<r>{ for $b in document("d")//bib//book where $b//last = 1 return <s>{ $b//last }</s> }</r>')
    counts = {}
    for optimise in ("none", "query", "dtd"):
        made = Delivery("FWR", optimise, schema=load_schema("bib"), sharing=False)
        made.add(1, query)
        counts[optimise] = dict(made.operators())
    assert counts["none"] == {"DupElim scan": 1, "Semijoin hash": 1, "DupElim hash": 1, "OuterJoin-Select hash": 1}
    assert counts["query"] == counts["none"]
    assert counts["dtd"] == {"DupElim removed": 2, "Semijoin merge": 1, "OuterJoin-Select merge": 1}


@pytest.mark.parametrize("approach", ["F", "FW", "FWR"])
def test_the_profile_names_every_operator(approach: str) -> None:
    profile = Profile()
    made = Delivery(approach, "none", sharing=False, profile=profile)
    made.add(1, parse_query('<r>{ for $b in document("d")//book[@year] where $b/price = 1 return $b/title }</r>'))
    made.deliver(BIB)
    expected = {
        "F": {"Selection", "DupElim", "Where-Filter", "Return-Select"},
        "FW": {"Selection", "DupElim", "Semijoin", "Return-Select"},
        "FWR": {"Selection", "DupElim", "Semijoin", "OuterJoin-Select"},
    }
    assert set(profile.seconds) == {"Path matching", "Executor", *expected[approach]}
    assert all(seconds >= 0 for seconds in profile.seconds.values())
    profile.clear()
    assert not profile.seconds


def test_groups_are_sequences_of_lists() -> None:
    made = Delivery()
    made.add(1, parse_query('<r>{ for $b in document("d")//b return <s>{ $b/c }{ $b/d }</s> }</r>'))
    made.add(2, parse_query('<r>{ for $b in document("d")//b return <s/> }</r>'))
    found = made.groups(Outline(etree.fromstring("<a><b><c/><c/></b><b><d/></b></a>")))
    assert [(bound, [list(one) for one in lists]) for bound, lists in found[1].rows()] == [
        (1, [[2, 3], []]),
        (4, [[], [5]]),
    ]
    assert list(found[2].rows()) == [(1, ()), (4, ())]
