"""Generated documents are valid for lxml, within their bounds, and reach their size."""

import tracemalloc
from collections import Counter
from collections.abc import Iterator
from io import BytesIO
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st
from lxml import etree

from broker_sim.errors import ConfigurationError
from broker_sim.workload import DocumentGenerator, DocumentParameters, generate_documents
from dtd_ads import catalog_names, load_schema
from dtd_ads.content import Attribute, Content, Name
from dtd_ads.loading import CATALOG
from dtd_ads.schema import Element, Schema
from tests.workload.dtds import CHAIN, FLAT, NEWS
from tests.workload.schemas import read_dtd, schema_of


def roots(schema: Schema, seed: int = 1, **parameters: object) -> Iterator[etree._Element]:
    for document in generate_documents(schema, DocumentParameters(**parameters), seed):
        yield etree.fromstring(document)


def depth(root: etree._Element) -> int:
    return max(sum(1 for _ in element.iterancestors()) + 1 for element in root.iter())


def size(root: etree._Element) -> int:
    return sum(1 for _ in root.iter())


@pytest.mark.parametrize("name", catalog_names())
@pytest.mark.parametrize("target", [{}, {"elements": 700}, {"size": 15_000}])
def test_the_catalogue(name: str, target: dict[str, int]) -> None:
    schema, dtd = load_schema(name), etree.DTD(str(CATALOG / f"{name}.dtd"))
    for document in generate_documents(schema, DocumentParameters(15, **target), 3):
        root = etree.fromstring(document)
        assert dtd.validate(root), dtd.error_log
        assert depth(root) <= 10
        if "elements" in target:
            assert 700 <= size(root) <= 750
        if "size" in target:
            assert 15_000 <= len(document) <= 17_000


names = ("a", "b", "c", "d")
particles = st.recursive(
    st.builds("{}{}".format, st.sampled_from(names), st.sampled_from(("", "?", "*", "+"))),
    lambda inner: st.builds(
        lambda parts, connector, occurs: f"({connector.join(parts)}){occurs}",
        st.lists(inner, min_size=1, max_size=3),
        st.sampled_from((",", "|")),
        st.sampled_from(("", "?", "*", "+")),
    ),
    max_leaves=6,
)
contents = st.one_of(
    st.sampled_from(("EMPTY", "ANY", "(#PCDATA)", "(#PCDATA | a | b)*", "(#PCDATA | d)*")),
    particles.map("({})".format),
)
attribute_lists = st.sampled_from(
    (
        "",
        "x CDATA #REQUIRED",
        "x NMTOKENS #IMPLIED y ID #IMPLIED",
        "y ID #REQUIRED z IDREF #IMPLIED",
        "x (one | two) 'one' y CDATA #FIXED 'say \"x\"'",
        "z IDREFS #IMPLIED",
    )
)


@given(
    st.tuples(contents, contents, contents, contents),
    st.tuples(attribute_lists, attribute_lists, attribute_lists, attribute_lists),
    st.integers(1, 6),
    st.sampled_from((None, 40)),
    st.integers(0, 999),
)
def test_any_dtd(models, attributes, max_levels: int, elements: int | None, seed: int) -> None:
    text = "".join(
        f"<!ELEMENT {name} {model}>" + (f"<!ATTLIST {name} {declared}>" if declared else "")
        for name, model, declared in zip(names, models, attributes, strict=True)
    )
    schema, dtd = schema_of(text, "a"), read_dtd(text)
    parameters = DocumentParameters(5, max_levels=max_levels, elements=elements)
    if not shallow_documents(schema, max_levels):
        with pytest.raises(ConfigurationError, match=r"no finite document|at least \d+ levels"):
            list(generate_documents(schema, parameters, seed))
        return
    for document in generate_documents(schema, parameters, seed):
        root = etree.fromstring(document)
        assert valid_but_for_determinism(dtd, root), (document, dtd.error_log)
        assert all(
            fits(schema.elements[element.tag].content, [child.tag for child in element]) for element in root.iter()
        )
        assert depth(root) <= max_levels


def valid_but_for_determinism(dtd: etree.DTD, root: etree._Element) -> bool:
    """libxml2 refuses models such as (a|a), and says so only once; `fits` can decide them."""
    return dtd.validate(root) or {error.type_name for error in dtd.error_log} <= {"DTD_CONTENT_NOT_DETERMINIST"}


def fits(content: Content, children: list[str]) -> bool:
    """Whether a content model allows these children: by the sets of places that each particle can reach."""
    if content.kind != "CHILDREN":
        return content.kind == "ANY" or set(children) <= set(content.names)
    return len(children) in reached(content.particle, children, {0})


def reached(particle, children: list[str], starts: set[int]) -> set[int]:
    if particle.occurs in ("", "?"):
        return once(particle, children, starts) | (starts if particle.occurs else set())
    places = starts if particle.occurs == "*" else once(particle, children, starts)
    while not (further := once(particle, children, places)) <= places:
        places = places | further
    return places


def once(particle, children: list[str], starts: set[int]) -> set[int]:
    if isinstance(particle, Name):
        return {place + 1 for place in starts if children[place : place + 1] == [particle.name]}
    if particle.connector == "|":
        return set().union(*(reached(part, children, starts) for part in particle.parts))
    for part in particle.parts:
        starts = reached(part, children, starts)
    return starts


def shallow_documents(schema: Schema, levels: int) -> bool:
    """Whether a document of so many levels exists: by which elements can end within 1, 2, .. levels; the referee."""
    possible: set[str] = set()
    for _ in range(levels):
        possible = {
            name
            for name, element in schema.elements.items()
            if element.content.nullable or satisfiable(element.content.particle, possible)
        }
    return schema.root in possible


def satisfiable(particle, possible: set[str]) -> bool:
    if particle.occurs in ("?", "*"):
        return True
    if not hasattr(particle, "parts"):
        return particle.name in possible
    every = all if particle.connector == "," else any
    return every(satisfiable(part, possible) for part in particle.parts)


def test_news_uses_all_it_may() -> None:
    schema, dtd = schema_of(NEWS, "news"), read_dtd(NEWS)
    seen: Counter[str] = Counter()
    for root in roots(schema, number=300, max_levels=7):
        assert dtd.validate(root), dtd.error_log
        for element in root.iter():
            seen[element.tag] += 1
            seen.update(f"@{name}={value}" for name, value in element.attrib.items() if name in ("kind", "unit"))
            if element.tag == "title":
                assert 1 <= int(element.text) <= 10
    assert set(seen) >= {*schema.elements, "@kind=long", "@kind=short", "@unit=section"}


def test_attribute_probability_and_values() -> None:
    schema = schema_of("<!ELEMENT a EMPTY><!ATTLIST a x CDATA #IMPLIED y CDATA #REQUIRED>", "a")
    assert {tuple(root.attrib) for root in roots(schema, number=50, attribute_probability=0)} == {("y",)}
    assert {tuple(root.attrib) for root in roots(schema, number=50, attribute_probability=1)} == {("x", "y")}
    values = Counter(root.get("y") for root in roots(schema, number=3_000, max_value=3))
    assert {value: count / 3_000 for value, count in values.items()} == pytest.approx(
        {"1": 1 / 3, "2": 1 / 3, "3": 1 / 3}, abs=0.04
    )


def test_repeats_are_bounded_for_all_and_for_one() -> None:
    schema = schema_of("<!ELEMENT a (b*, c+)><!ELEMENT b EMPTY><!ELEMENT c EMPTY>", "a")
    found = {(len(root.findall("b")), len(root.findall("c"))) for root in roots(schema, number=500, max_repeats=2)}
    assert found == {(b, c) for b in (0, 1, 2) for c in (1, 2)}
    found = {len(root.findall("b")) for root in roots(schema, number=500, max_repeats=2, repeats={"b": 5})}
    assert found == set(range(6))


def test_a_group_repeats_as_often_as_its_most_frequent_name() -> None:
    found = {len(root) for root in roots(schema_of(FLAT, "a"), number=500, max_repeats=1, repeats={"c": 4})}
    assert found == set(range(5))


def test_references_name_an_id_of_the_document() -> None:
    text = """<!ELEMENT a (r, b?, r)><!ELEMENT r EMPTY><!ATTLIST r to IDREF #REQUIRED>
              <!ELEMENT b EMPTY><!ATTLIST b id ID #IMPLIED>"""
    schema, dtd = schema_of(text, "a"), read_dtd(text)
    for root in roots(schema, number=50, attribute_probability=0):
        assert dtd.validate(root), dtd.error_log
        assert root.find("b").get("id") == root.find("r").get("to")
    written = BytesIO(b"before ")
    written.seek(7)
    DocumentGenerator(schema, DocumentParameters(1), Random(2)).write(written)
    assert written.getvalue().startswith(b"before <a>")
    assert written.getvalue().count(b"<a>") == 1


def test_references_without_any_id() -> None:
    schema = schema_of("<!ELEMENT a EMPTY><!ATTLIST a to IDREF #REQUIRED>", "a")
    with pytest.raises(ConfigurationError, match="no element with an ID"):
        list(roots(schema, number=1))


def test_namespace_declarations_of_the_dtd_are_written() -> None:
    text = """<!ELEMENT a EMPTY><!ATTLIST a xmlns CDATA #FIXED 'urn:x' xmlns:y CDATA 'urn:y' y:z CDATA #REQUIRED>"""
    schema = schema_of(text, "a")
    assert next(generate_documents(schema, DocumentParameters(1, attribute_probability=0), 1)).count(b"urn:") == 2


def test_a_prefix_that_no_one_declares_is_not_used() -> None:
    text = """<!ELEMENT a (b)><!ATTLIST a xmlns:y CDATA #FIXED 'urn:y'> <!ELEMENT b EMPTY>
              <!ATTLIST b y:z CDATA #IMPLIED w:z CDATA #IMPLIED xml:lang CDATA #IMPLIED>"""
    (root,) = roots(schema_of(text, "a"), number=1, attribute_probability=1)
    assert set(root.find("b").attrib) == {"{urn:y}z", "{http://www.w3.org/XML/1998/namespace}lang"}


def test_markup_in_fixed_values_is_escaped() -> None:
    # By itself: libxml2 compares such values in their escaped form and takes none for valid.
    element = Element("a", Content("EMPTY"), (), (Attribute("x", "CDATA", "fixed", "<&\"'>"),))
    (root,) = roots(Schema("test.dtd", "a", {"a": element}), number=1, attribute_probability=1)
    assert root.get("x") == "<&\"'>"


def test_levels_that_the_dtd_does_not_allow() -> None:
    assert [size(root) for root in roots(schema_of(CHAIN, "a"), number=1, max_levels=4)] == [4]
    with pytest.raises(ConfigurationError, match="at least 4 levels, not 3"):
        list(roots(schema_of(CHAIN, "a"), number=1, max_levels=3))
    with pytest.raises(ConfigurationError, match="no finite document"):
        list(roots(schema_of("<!ELEMENT a (a)>", "a"), number=1))


def test_a_dtd_whose_smallest_document_explodes() -> None:
    doubling = "".join(f"<!ELEMENT e{level} (e{level + 1}, e{level + 1})>" for level in range(60))
    schema = schema_of(doubling + "<!ELEMENT e60 EMPTY>", "e0")
    with pytest.raises(ConfigurationError, match="more than 1,000,000 elements"):
        list(roots(schema, number=1, max_levels=100))


def test_rich_recursion_ends() -> None:
    tree = "<!ELEMENT a (a*, a*, a*)>"
    for root in roots(schema_of(tree, "a"), number=5, max_levels=50, max_repeats=4):
        assert size(root) <= 10_050


def test_what_cannot_grow_stays_small() -> None:
    assert [size(root) for root in roots(schema_of(CHAIN, "a"), number=1, elements=1_000)] == [4]
    assert [size(root) for root in roots(schema_of("<!ELEMENT a (a?)*>", "a"), number=1, max_levels=1, elements=9)] == [
        1
    ]


def test_every_part_of_a_large_document_gets_its_share() -> None:
    text = "<!ELEMENT a (b*, c, d*)><!ELEMENT b EMPTY><!ELEMENT c (e | f)>"
    text += "<!ELEMENT d EMPTY><!ELEMENT e EMPTY><!ELEMENT f (d+)>"
    (root,) = roots(schema_of(text, "a"), number=1, elements=3_000)
    assert len(root.findall("b")) == pytest.approx(1_000, abs=5)
    assert len(root.findall("c/f/d")) == pytest.approx(1_000, abs=5)
    assert len(root.findall("d")) == pytest.approx(1_000, abs=5)


def test_large_documents_stream_in_bounded_memory() -> None:
    generator = DocumentGenerator(load_schema("psd"), DocumentParameters(1, size=1_500_000), Random(1))
    tracemalloc.start()
    length = sum(map(len, generator.chunks()))
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert length == pytest.approx(1_500_000, rel=0.01)
    assert peak < 800_000


def test_chunks_make_up_the_document() -> None:
    schema, parameters = load_schema("book"), DocumentParameters(3, size=100_000)
    generator = DocumentGenerator(schema, parameters, Random(4))
    joined = [b"".join(generator.chunks()) for _ in range(3)]
    assert joined == list(generate_documents(schema, parameters, 4))
    assert len(set(joined)) == 3


def test_a_known_seed_keeps_its_document() -> None:
    (document,) = generate_documents(load_schema("bib"), DocumentParameters(1, max_repeats=1), 6)
    assert document == (
        b'<bib><book year="5"><title>7</title><editor><last>9</last><first>5</first>'
        b"<affiliation>7</affiliation></editor><publisher>6</publisher><price>3</price></book></bib>"
    )


@pytest.mark.parametrize(
    ("parameters", "message"),
    [
        ({"number": -1}, "number"),
        ({"max_levels": 0}, "max_levels"),
        ({"max_repeats": 0}, "max_repeats"),
        ({"repeats": {"book": 0}}, "book"),
        ({"max_value": 0}, "max_value"),
        ({"attribute_probability": 1.5}, "attribute_probability"),
        ({"elements": 0}, "elements"),
        ({"elements": 5, "size": 5}, "not both"),
        ({"repeats": {"nothing": 2}}, "declares no element 'nothing'"),
    ],
)
def test_parameters_outside_their_bounds(parameters: dict[str, object], message: str) -> None:
    with pytest.raises(ConfigurationError, match=message):
        list(generate_documents(load_schema("bib"), DocumentParameters(**{"number": 1, **parameters}), 1))
