"""What every matching engine offers.

An engine holds subscriptions, each an expression under an id of the caller's choice, and says which of them a
document matches. Ids are integers of 32 bits, since the answer is a roaring bitmap. Engines may refuse an expression
(`XPathError`) when it is added, but what they accept they match exactly as lxml's XPath does, by names as written.
A document that cannot be read is a `DocumentError` and leaves the engine as it was.
"""

from __future__ import annotations

from collections.abc import Container, Iterable, Iterator, Sequence
from contextlib import AbstractContextManager, nullcontext
from typing import Final, Protocol, runtime_checkable

from pyroaring import BitMap

from broker_sim.engines.documents import Document
from broker_sim.xpath import Expression

MAX_ID: Final = 2**32 - 1


class Engine(Protocol):
    """Subscriptions in, matching ids out."""

    def add(self, id: int, expression: Expression) -> None:
        """Subscribe; raises `ValueError` if the id is taken or no 32-bit number, `XPathError` if not supported."""

    def remove(self, id: int) -> None:
        """Unsubscribe; raises `KeyError` if the id is unknown."""

    def match(self, document: Document) -> BitMap:
        """The ids whose expression the document matches; raises `DocumentError`."""

    def match_path(self, names: Sequence[str]) -> BitMap:
        """The ids whose expression this publication matches: a document that is just this chain of elements."""

    def __len__(self) -> int:
        """How many subscriptions there are."""

    def __contains__(self, id: object) -> bool:
        """Whether the id is taken."""


@runtime_checkable
class BatchEngine(Engine, Protocol):
    """An engine for which many at once are cheaper than one after the other."""

    def loading(self) -> AbstractContextManager[None]:
        """Take up what is added inside when the block ends, and nothing if it fails."""

    def match_all(self, documents: Iterable[Document]) -> Iterator[BitMap]:
        """The ids that each document matches, in order."""


def loading(engine: Engine) -> AbstractContextManager[None]:
    """A block in which many subscriptions are added."""
    return engine.loading() if isinstance(engine, BatchEngine) else nullcontext()


def match_all(engine: Engine, documents: Iterable[Document]) -> Iterator[BitMap]:
    """The ids that each document matches, in order and as the engine likes it best."""
    return engine.match_all(documents) if isinstance(engine, BatchEngine) else map(engine.match, documents)


def require_new(ids: Container[int], id: int) -> None:
    """Raise `ValueError` unless `id` can be added to `ids`."""
    if not 0 <= id <= MAX_ID:
        raise ValueError(f"subscription id {id} is not between 0 and {MAX_ID}")
    if id in ids:
        raise ValueError(f"subscription id {id} is taken")


def require_known(ids: Container[int], id: int) -> None:
    """Raise `KeyError` unless `id` is among `ids`."""
    if id not in ids:
        raise KeyError(f"no subscription has id {id}")
