"""Text -> tokens, by the lexical rules of XPath 1.0.

A name, or `*`, that follows an operand is an operator; anywhere else it is a name test. So `/and/or` and
`a[or or and]` are what they look like. Whitespace may stand between any two tokens. Characters that no XML document
can hold are refused before anything else, which also keeps them out of literals.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from broker_sim.errors import XPathError
from broker_sim.xpath.names import NAME

COMPARISONS: Final = frozenset({"=", "!=", "<", "<=", ">", ">="})
NAME_TOKEN: Final = "name"
NUMBER: Final = "number"
LITERAL: Final = "literal"
END: Final = "end"

_OPERAND_ENDS: Final = frozenset({NAME_TOKEN, NUMBER, LITERAL, "*", ".", "..", ")", "]"})
_OPERATOR_NAMES: Final = frozenset({"and", "or", "div", "mod"})
_SHOWN: Final = 30

_foreign = re.compile("[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
_token = re.compile(
    rf"""(?P<space>[ \t\r\n]+) | (?P<{NAME_TOKEN}>{NAME}) | (?P<{NUMBER}>[0-9]+(?:\.[0-9]*)?|\.[0-9]+)
    | (?P<{LITERAL}>"[^"]*"|'[^']*') | (?P<symbol>//|\.\.|::|!=|<=|>=|[/.*@()\[\]=<>|+\-$,])""",
    re.VERBOSE,
)


@dataclass(frozen=True, slots=True)
class Token:
    """`kind` is the symbol itself, an operator's name, or one of name, number, literal, end."""

    kind: str
    text: str
    position: int


def tokens(text: str) -> Iterator[Token]:
    """The tokens of `text`, an end token last; raises `XPathError` at a character that starts none."""
    foreign = _foreign.search(text)
    if foreign is not None:
        raise syntax_error(text, foreign.start(), "expected only characters that XML allows")
    position, after_operand = 0, False
    while position < len(text):
        found = _token.match(text, position)
        if found is None:
            raise syntax_error(text, position, _strange(text[position]))
        if found.lastgroup != "space":
            token = _classified(found, after_operand)
            after_operand = token.kind in _OPERAND_ENDS
            yield token
        position = found.end()
    yield Token(END, "", len(text))


def syntax_error(text: str, position: int, message: str) -> XPathError:
    """The error at `position` (from 0), with as much of the text around it as one line can show."""
    start, end = max(0, position - _SHOWN), position + _SHOWN
    shown = f"{'...' if start else ''}{text[start:end]}{'...' if end < len(text) else ''}"
    return XPathError(f"{message} in expression {shown!r}", text=text, column=position + 1)


def _classified(found: re.Match[str], after_operand: bool) -> Token:
    written = found.group()
    kind = written if found.lastgroup == "symbol" else str(found.lastgroup)
    if after_operand and (kind == "*" or (kind == NAME_TOKEN and written in _OPERATOR_NAMES)):
        kind = f"operator {written}"
    return Token(kind, written, found.start())


def _strange(character: str) -> str:
    if character == ":":
        return "expected a name around ':' (a wildcard for namespaces or names within one is outside the language)"
    if character in "\"'":
        return f"expected a closing {character}"
    return f"found {character!r}, which starts nothing in the language,"
