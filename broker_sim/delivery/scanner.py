"""Reading a query from left to right: what stands at the current place, and errors with line and column."""

from __future__ import annotations

import re
from typing import Final, NoReturn

from broker_sim.errors import QueryError
from broker_sim.xpath.names import NAME

_SHOWN: Final = 30

_space = re.compile(r"(?:[ \t\r\n]+|\(:(?:[^:]|:(?!\)))*:\))*")
_name = re.compile(NAME)
_number = re.compile(r"-?(?:[0-9]+(?:\.[0-9]*)?|\.[0-9]+)")
_string = re.compile(r'"([^"]*)"|\'([^\']*)\'')
_foreign = re.compile("[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
_word_part = re.compile(r"[\w.\-]")


class Scanner:
    """A place in a text. `take...` methods move on if they find what they look for."""

    def __init__(self, text: str, source: str | None) -> None:
        self.text = text
        self.source = source
        self.place = 0
        foreign = _foreign.search(text)
        if foreign is not None:
            self.refuse("expected only characters that XML allows", foreign.start())

    @property
    def at_end(self) -> bool:
        """Whether nothing is left."""
        return self.place >= len(self.text)

    def skip_space(self) -> None:
        """Go past blanks and `(: comments :)`."""
        found = _space.match(self.text, self.place)
        self.place = found.end() if found else self.place

    def sees(self, text: str) -> bool:
        """Whether `text` stands here, after blanks."""
        self.skip_space()
        return self.text.startswith(text, self.place)

    def take(self, text: str) -> bool:
        """Go past `text`, if it stands here after blanks."""
        if not self.sees(text):
            return False
        self.place += len(text)
        return True

    def take_word(self, word: str) -> bool:
        """Go past a keyword that does not go on as a longer name."""
        self.skip_space()
        end = self.place + len(word)
        if not self.text.startswith(word, self.place) or _word_part.match(self.text, end):
            return False
        self.place = end
        return True

    def expect(self, text: str, why: str = "") -> None:
        """Go past `text`, which must stand here."""
        if not self.take(text):
            self.refuse(f"expected {text!r}{why}")

    def expect_word(self, word: str) -> None:
        """Go past a keyword, which must stand here."""
        if not self.take_word(word):
            self.refuse(f"expected {word!r}")

    def name(self, what: str) -> str:
        """The name that must stand right here, without blanks before it."""
        found = _name.match(self.text, self.place)
        if found is None:
            self.refuse(f"expected {what}")
        self.place = found.end()
        return found.group()

    def literal(self) -> str | float:
        """The string or number that must stand here."""
        self.skip_space()
        if self.text[self.place : self.place + 1] in ('"', "'"):
            return self.string("a string")
        found = _number.match(self.text, self.place)
        if found is None:
            self.refuse("expected a string or a number")
        value = float(found.group())
        if value in (float("inf"), float("-inf")):
            self.refuse("expected a number that a double can hold")
        self.place = found.end()
        return value

    def string(self, what: str) -> str:
        """The quoted text that must stand here."""
        self.skip_space()
        found = _string.match(self.text, self.place)
        if found is None:
            self.refuse(f"expected {what} in quotes")
        self.place = found.end()
        return found.group(1) if found.group(1) is not None else found.group(2)

    def line_of(self, place: int) -> int:
        """The line of a place, from 1."""
        return self.text.count("\n", 0, place) + 1

    def refuse(self, message: str, place: int | None = None) -> NoReturn:
        """Raise a `QueryError` at a place (by default here)."""
        at = self.place if place is None else place
        column = at - (self.text.rfind("\n", 0, at) + 1) + 1
        shown = self.text[at : at + _SHOWN].split("\n")[0].rstrip()
        found = f"found {shown!r}" if shown else "found the end of the line" if at < len(self.text) else "found the end"
        raise QueryError(f"{message}, {found}", source=self.source, line=self.line_of(at), column=column)
