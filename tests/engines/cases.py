"""One table of cases for every engine: a document, an expression, whether it matches.

`xpath` is the same question as plain XPath 1.0, where the expression itself is none: names compared as written, or
relative paths. By default a relative expression is asked of any place. Each case is checked against bare lxml.
"""

from __future__ import annotations

from dataclasses import dataclass

from broker_sim.xpath import Expression, parse_xpath


@dataclass(frozen=True, slots=True)
class Case:
    """One document and one expression."""

    document: str
    text: str
    expected: bool
    question: str | None = None

    @property
    def expression(self) -> Expression:
        """The parsed expression."""
        return parse_xpath(self.text)

    @property
    def xpath(self) -> str:
        """The question for bare lxml."""
        return self.question or (self.text if self.text.startswith("/") else f"//{self.text}")

    def __str__(self) -> str:
        return f"{self.text} in {self.document[:60]}"


def _table(document: str, *, yes: tuple[str, ...] = (), no: tuple[str, ...] = ()) -> list[Case]:
    return [Case(document, text, True) for text in yes] + [Case(document, text, False) for text in no]


_TREE = "<a><b><c/><d/></b><b><e/></b><f>text</f></a>"
_RECURSIVE = "<a><b><a><a><c/></a><b><b><d/></b></b></a></b></a>"
_DEEP = "<a>" * 200 + "<b/>" + "</a>" * 200
_VALUES = '<a n="5" s="five" e="" f="5.0"><b n="1">1</b><b n="2">2<c/>3</b><d>x</d><d>y</d><w> 7 </w><g/></a>'
_MIXED = "<a>one<!--c-->two<?p q?>three<b>four</b>five<![CDATA[six]]>seven</a>"
_ENTITY = '<!DOCTYPE a [<!ENTITY t "two"><!ENTITY e "<b>in</b>">]><a x="&t;">1 &t;&#33;&e;</a>'
_SIBLINGS = "<a><b/>text<c x='1'/><!--c--><d><e/></d><b/></a>"
_PREFIXED = '<p:a xmlns:p="urn:p" xmlns:q="urn:q" p:x="1"><q:b x="2"/><b xml:lang="en"/></p:a>'
_DEFAULT = '<a xmlns="urn:d" x="1"><b>1</b><p:c xmlns:p="urn:d"/></a>'
_SAME = '<a xmlns:p="urn:s" xmlns:q="urn:s"><p:b/></a>'


def _named(path: str) -> str:
    """XPath that compares names as written; only `/`, `//` and names in `path`."""
    for name in {part for part in path.split("/") if part and part != "*"}:
        path = path.replace(f"/{name}", f"/*[name()='{name}']")
    return path


def _written(document: str, *, yes: tuple[str, ...] = (), no: tuple[str, ...] = ()) -> list[Case]:
    cases = _table(document, yes=yes, no=no)
    return [Case(case.document, case.text, case.expected, _named(case.xpath)) for case in cases]


LINEAR = [
    *_table(
        _TREE,
        yes=("/a", "/*", "a", "*", "//a", "//*", "/a/b", "/a/b/c", "/a/*/c", "/a/*", "/*/*/*", "b/c", "c", "f"),
        no=("/b", "/a/a", "/a/c", "/a/f/*", "/*/*/*/*", "c/d", "c/*", "g", "/a/b/f", "b/f", "/A", "/a/b/c/d"),
    ),
    *_table(
        _TREE,
        yes=("/a//c", "/a//b//e", "//b//d", "a//e", "/*//c", "/a//*/d", "/a//b/*", "*//c", "//*//*//*", "a//*//e"),
        no=("/a//a", "//c//*", "/a//b//b", "/b//c", "b//f", "//*//*//*//*", "a//*//*//e", "/a//c//d", "f//*"),
    ),
    *_table(
        _RECURSIVE,
        yes=("/a/b/a", "//a//a//a", "a/a", "//a/b/b/d", "/a//b//b//b", "b/a//d", "/*/*/*/*/c", "//a//c", "a//b/a/b"),
        no=("//a//a//a//a", "a/a/a", "b/b/b", "//c//d", "a/a//d", "/a/a", "//b//b//b//b", "b/a/a/b", "/a//a/a/a"),
    ),
    *_table(
        _DEEP, yes=("/a/a//b", "//a//a//a//b", "a/b", "/*//*//b", "//b"), no=("/b", "b/*", "a/b/a", "/a/b", "b//a")
    ),
    *_table("<a/>", yes=("/a", "a", "/*", "*"), no=("/a/a", "a//a", "*/*", "b", "//a//*")),
    *_table(_MIXED, yes=("/a/b", "b"), no=("text", "/a/p", "b/*")),
    *_table(_ENTITY, yes=("/a/b", "b"), no=("/a/*/*",)),
    *_written(
        _PREFIXED,
        yes=("/p:a", "p:a", "/p:a/q:b", "q:b", "/p:a/b", "b", "/*/*", "p:a//b", "/*/q:b"),
        no=("/a", "a", "p:b", "/q:a", "/p:a/a", "q:b/*", "x:a"),
    ),
    *_written(_DEFAULT, yes=("/a", "a", "/a/b", "b", "/*/b", "/a/p:c", "p:c"), no=("c", "/p:a", "/a/c", "p:b", "a/a")),
    *_written(_SAME, yes=("/a/p:b", "p:b"), no=("/a/q:b", "b", "q:b")),
    Case(_TREE, "/a/x or /a/b", True),
    Case(_TREE, "/a/x or /b", False),
    Case(_TREE, "c or d", True, "//c or //d"),
    Case(_TREE, "x or y//z or f", True, "//x or //y//z or //f"),
    Case(_TREE, "/a/b/..", True),
    Case(_TREE, "/a/f/c/..", False),
    Case(_TREE, "/a/..", True),
    Case("<ü><straße/></ü>", "/ü/straße", True),
    Case("<ü><straße/></ü>", "strasse", False),
    Case("<and><or><div/></or><text/></and>", "/and/or/div", True),
    Case("<and><or><div/></or><text/></and>", "/and/text", True),
    Case("<a.b-c_1><_x/></a.b-c_1>", "/a.b-c_1/_x", True),
]
"""What every engine accepts."""

PATTERNS = [
    *_table(
        _TREE,
        yes=("/a[b]", "/a[b/c]", "/a[b][f]", "/a/b[c][d]", "/a[.//d]/f", "/a[b[c]/d]/b/e", "a[*/e]", "/a[b and f]"),
        no=("/a[c]", "/a/b[c][e]", "/a/b[c]/e", "/a[b/f]", "b[c and e]", "/a[.//d/e]", "*[a]", "/a[b[c]/e]", "f[*]"),
    ),
    *_table(
        _TREE,
        yes=("/a[x or b]", "/a/b[c or e]/e", "/a[b[c or x]]", "/a[(x or b) and f]", "/a[x or b[y or d]]/f"),
        no=("/a[x or y]", "/a/b[c or d]/e", "/a[x or b and y]", "/a[(x or b) and y]"),
    ),
    *_table(
        _RECURSIVE,
        yes=("//a[a][b]", "//a[a/c]/b/b", "a[.//d][.//c]", "/a/b[a[a]]", "//b[a//d]", "//a[b[b]]"),
        no=("//a[c][b]", "/a[a]", "b[a][b]", "//a[a/c]/b/c", "//b[b[b]]"),
    ),
    *_table(_DEEP, yes=("/a[.//b]/a/a[.//b]", "//a[b]", "a[.//a[b]]"), no=("//a[a][b]", "/a[b]", "//a[b/a]")),
    *_table(
        _VALUES,
        yes=(
            "/a[@n]",
            "/a/@n",
            "//@s",
            "/a[@e]",
            "/a/b/@n",
            "b[@n]/c",
            "/a[@n and @s]",
            "/a[@*]",
            "d/text()",
            "//b[@n][c]",
        ),
        no=("/a[@x]", "/a/@x", "g[@*]", "/a/b[@s]", "g/text()", "/a[@n and @x]", "c[text()]"),
    ),
    *_table(
        _VALUES,
        yes=(
            "/a[@n=5]",
            "/a[@n='5']",
            "/a[@n=5.0]",
            "/a[@f=5]",
            "/a[@f='5.0']",
            "/a[@s='five']",
            "/a[@e='']",
            "b[@n=2]/c",
        ),
        no=(
            "/a[@n='5.0']",
            "/a[@f='5']",
            "/a[@s=5]",
            "/a[@e=0]",
            "/a[@x='']",
            "b[@n=1]/c",
            "b[@n='2 ']",
            "a[@s='Five']",
        ),
    ),
    *_table(
        _VALUES,
        yes=(
            "/a[@n>4]",
            "/a[@n>=5]",
            "/a[@n<5.5]",
            "/a[@n<=5]",
            "b[@n<2]",
            "/a[@n!=4]",
            "/a[@s!='x']",
            "/a[@s!=5]",
            "/a[@e!=0]",
        ),
        no=(
            "/a[@n>5]",
            "/a[@n<5]",
            "/a[@s>0]",
            "/a[@s<=0]",
            "/a[@e<1]",
            "/a[@e>=0]",
            "/a[@n!=5]",
            "/a[@x!=1]",
            "b[@n>=3]",
        ),
    ),
    *_table(
        _VALUES,
        yes=(
            "/a[@n > '4']",
            "/a[@n<'5.5']",
            "/a[@n>-1]",
            "d[.='x']",
            "/a[d='y']",
            "/a[d!='x']",
            "b[.=23]",
            "w[.=7]",
            "/a[b/@n=2]",
        ),
        no=(
            "/a[@n > 'x']",
            "/a[@n<'']",
            "d[.='z']",
            "/a[d='xy']",
            "/a[w='7']",
            "b[.=2]",
            "/a[g!='']",
            "/a[b/@n=3]",
            "g[.=0]",
        ),
    ),
    *_table(
        _VALUES,
        yes=(
            "b[text()=2]",
            "b[text()=3]",
            "b[text()=1]",
            "b[text()!=2]/c",
            "w[text()=' 7 ']",
            "g[.='']",
            "/a[.!='']",
            "b[.>20]",
        ),
        no=(
            "b[text()=23]",
            "w[text()='7']",
            "g[text()='']",
            "b[text()>3]",
            "g[text()!='x']",
            "d[text()='xy']",
            "c[.=0]",
        ),
    ),
    *_table(
        _VALUES,
        yes=(
            "/a[b=1]",
            "/a[b>22]",
            "/a[.//c]/d",
            "/a[b[c]=23]",
            "/a[d='x' or d='z']",
            "/a[@n=5 and d='y']",
            "/a[b/text()=3]",
        ),
        no=("/a[b=2]", "/a[b[c]=1]", "/a[d='v' or d='z']", "/a[@n=4 and d='y']", "/a[b/text()=23]", "/a[*='5']"),
    ),
    *_table(
        _MIXED,
        yes=("/a[text()='one']", "/a[text()='two']", "/a[text()='three']", "/a[text()='fivesixseven']", "/a[b='four']"),
        no=("/a[text()='onetwo']", "/a[text()='six']", "/a[text()='four']", "/a[text()='five']", "/a[.='one']"),
    ),
    Case(_MIXED, "/a[.='onetwothreefourfivesixseven']", True),
    Case("<a><![CDATA[]]></a>", "/a[text()]", True),
    Case("<a></a>", "/a[text()]", False),
    Case("<a><!--c--></a>", "/a[text()]", False),
    Case("<a> </a>", "/a[text()]", True),
    Case("<a x='&lt;&amp;&quot;'/>", "/a[@x='<&\"']", True),
    *_table(
        _ENTITY,
        yes=("/a[@x='two']", "/a[text()='1 two!']", "/a[b='in']", "/a[.='1 two!in']"),
        no=("/a[text()='1 ']", "/a[text()='two']", "/a[@x='&t;']"),
    ),
    *_table(
        _SIBLINGS,
        yes=(
            "/a/b/following-sibling::c",
            "/a/c/following-sibling::d/e",
            "/a/d/following-sibling::b",
            "/a/b/following-sibling::b",
            "/a[b/following-sibling::c]/d",
            "/a/b[following-sibling::d[e]]",
            "/a/b/following-sibling::*/following-sibling::d",
            "//c[@x=1]/following-sibling::b",
            "/a/b[following-sibling::c and following-sibling::b]",
        ),
        no=(
            "/a/d/following-sibling::c",
            "/a/c/following-sibling::c",
            "/a/c/following-sibling::e",
            "/a/d[e]/following-sibling::b/following-sibling::*",
            "//e/following-sibling::*",
            "/a/b/following-sibling::c[@x=2]",
        ),
    ),
    *_table(
        _TREE,
        yes=(
            "/a/b[../f]",
            "//c/../d",
            "/a/b/c/../d",
            "/a/b/c/../../f",
            "//f/../../a",
            "//e[../../f]",
            "/a/*[c]/../f",
            "//c/../../b/e",
        ),
        no=("//e/../c", "/a/b[../x]", "//f/../../b", "//c/../e"),
    ),
    Case(_TREE, "/a/b/../..", True),
    Case(_TREE, "/a[x]/b or b[e]", True, "/a[x]/b or //b[e]"),
    Case(_TREE, "/a[x]/b or b[f]", False, "/a[x]/b or //b[f]"),
    Case(_PREFIXED, "/p:a[@p:x=1]", True, "/*[name()='p:a'][@*[name()='p:x']=1]"),
    Case(_PREFIXED, "/p:a[@x]", False, "/*[name()='p:a'][@*[name()='x']]"),
    Case(_PREFIXED, "q:b[@x=2]", True, "//*[name()='q:b'][@x=2]"),
    Case(_PREFIXED, "q:b[@q:x=2]", False, "//*[name()='q:b'][@*[name()='q:x']=2]"),
    Case(_PREFIXED, "b[@xml:lang='en']", True),
    Case(_PREFIXED, "/p:a[q:b]/b", True, "/*[name()='p:a'][*[name()='q:b']]/b"),
    Case(_DEFAULT, "/a[@x=1]/b[.=1]", True, "/*[name()='a'][@x=1]/*[name()='b'][.=1]"),
    Case(_DEFAULT, "/a[b=1 and p:c]", True, "/*[name()='a'][*[name()='b']=1 and *[name()='p:c']]"),
    Case(_DEFAULT, "/a[b=2]", False, "/*[name()='a'][*[name()='b']=2]"),
    Case(_DEFAULT, "b/following-sibling::p:c", True, "//*[name()='b']/following-sibling::*[name()='p:c']"),
    Case(_DEFAULT, "/a[@xmlns]", False),
]
"""What engines of tree patterns accept besides."""
