"""The envelope of everything brokers tell each other.

Content is carried as the integer key that `Values` gave it: a subscription, an advertisement, a publication. `size` is
what the message would weigh on a wire (see `broker_sim.routing.values`).
The link that carries a message numbers it; that number belongs to the link and not to the message.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, Literal

Kind = Literal["advertise", "unadvertise", "subscribe", "unsubscribe", "publish"]
KINDS: Final[tuple[Kind, ...]] = ("advertise", "unadvertise", "subscribe", "unsubscribe", "publish")


@dataclass(frozen=True, slots=True)
class Message:
    """One message; forwarded unchanged, it keeps its id.

    `origin` is the client or broker that made it and `id` counts the messages of that origin. `tree` is the
    advertisement tree that the message follows. `doc_id` and `path_id` say which part of which document a
    publication is (`path_id` is -1 where the whole document is one message).
    """

    kind: Kind
    origin: str
    id: int
    key: int
    tree: int = 0
    size: int = 0
    doc_id: int = -1
    path_id: int = -1
