"""A content-based router: two tables, and what each message does to them.

The *subscription routing table* (SRT) holds advertisements with the hop they came from: subscriptions that overlap one
go there. The *publication routing table* (PRT) holds subscriptions with the hops they came from: publications that
match one go there (router paper, sections 2 and 4). Both carry the id of the advertisement tree they belong to
(`broker_sim.routing.tree`); what the broker's own clients ask for holds for all trees.

`handle` is deterministic and free of clock and wire. Hops that are not neighbours are clients. A subscription that
overlaps no advertisement yet waits in the PRT and is forwarded when one comes.

Where each publisher has a tree, an advertisement that arrives from another hop than the tree's parent is a copy that
came round a cycle, and is dropped; a broker thus knows each advertisement once, and each document reaches it once. A
tree whose last advertisement is withdrawn is gone for good: a late copy of an advertisement cannot raise it again.
Whoever advertises anew after that does so with a new tree id.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from pyroaring import BitMap

from broker_sim.errors import DocumentError
from broker_sim.routing.announcing import Announced, Announcement
from broker_sim.routing.clients import Clients
from broker_sim.routing.forwarding import Change
from broker_sim.routing.knowledge import Knowledge
from broker_sim.routing.message import Message
from broker_sim.routing.strategy import Strategy
from broker_sim.routing.tree import HopChange, Tree

Outgoing = list[tuple[str, Message]]

SHARED_TREE = 0
"""The id of the tree that serves all publishers of a tree topology."""


class Broker:
    """One broker and its tables.

    With `cyclic`, each publisher has a tree of its own, and so do its messages; without it, `neighbours` are links of
    one tree that all share.
    """

    def __init__(
        self, name: str, neighbours: Iterable[str], strategy: Strategy, knowledge: Knowledge, *, cyclic: bool = False
    ) -> None:
        self.name = name
        self.neighbours = tuple(neighbours)
        self.strategy = strategy
        self.knowledge = knowledge
        self.clients = Clients()
        self.trees: dict[int, Tree] = {}
        self.srt_size = 0
        """Advertisements known, each from one hop."""
        self.prt_size = 0
        """Subscriptions known, counted once for each client, and for each tree and neighbour, they came from."""
        self._gone = BitMap()
        self._made = 0
        if not cyclic:
            self.trees[SHARED_TREE] = Tree(self.clients, self.neighbours, strategy, knowledge)

    def handle(self, message: Message, from_hop: str) -> Outgoing:
        """Take in one message; returns what to send, in order."""
        match message.kind:
            case "publish":
                return self._publish(message, from_hop)
            case "subscribe":
                return self._subscribe(message, from_hop)
            case "unsubscribe":
                return self._unsubscribe(message, from_hop)
            case "advertise":
                return self._advertise(message, from_hop)
            case "unadvertise":
                return self._unadvertise(message, from_hop)

    def settle(self) -> Outgoing:
        """The overlay is at rest: form mergers."""
        return [sent for number, tree in self.trees.items() for sent in self._tell(number, tree.settle())]

    # Publications

    def _publish(self, message: Message, from_hop: str) -> Outgoing:
        tree = self.trees.get(message.tree)
        if self.strategy.advertise and from_hop not in self.neighbours:
            self._check_advertised(message, from_hop, tree)
        if tree is None:
            return []
        matches = self.knowledge.matches(message.key)
        sent = [(hop, message) for hop in tree.onward(matches, from_hop)]
        if self.clients.tables:
            sent += [(client, message) for client in self.clients.to_notify(matches, message.doc_id)]
        return sent

    def _check_advertised(self, message: Message, publisher: str, tree: Tree | None) -> None:
        nothing = self.knowledge.advertised(frozenset())
        advertised = nothing if tree is None else tree.advertised_by(publisher)
        refused = self.knowledge.refused(advertised, message.key)
        if refused is not None:
            raise DocumentError(
                f"publisher {publisher} did not advertise the path /{'/'.join(refused)}; "
                "publish documents of the advertised DTD, or advertise everything",
                source=f"document {message.doc_id}",
            )

    # Subscriptions

    def _subscribe(self, message: Message, from_hop: str) -> Outgoing:
        key = message.key
        self.knowledge.learn(key)
        if from_hop not in self.neighbours:
            if not self.clients.subscribe(from_hop, key):
                return []
            self._entered(key)
            return self._reconcile_all(message)
        tree = self.trees.get(message.tree)
        if tree is None or not tree.subscribe(key, from_hop):
            return []
        self._entered(key)
        return self._tell(message.tree, tree.reconcile(key), message)

    def _unsubscribe(self, message: Message, from_hop: str) -> Outgoing:
        key = message.key
        if from_hop not in self.neighbours:
            if not self.clients.unsubscribe(from_hop, key):
                return []
            self._left(key)
            return self._reconcile_all(message)
        tree = self.trees.get(message.tree)
        if tree is None or not tree.unsubscribe(key, from_hop):
            return []
        self._left(key)
        return self._tell(message.tree, tree.reconcile(key), message)

    def _reconcile_all(self, message: Message) -> Outgoing:
        return [
            sent
            for number, tree in self.trees.items()
            for sent in self._tell(number, tree.reconcile(message.key), message)
        ]

    def _entered(self, key: int) -> None:
        self.prt_size += 1
        self.knowledge.values.retain(key)

    def _left(self, key: int) -> None:
        self.prt_size -= 1
        self.knowledge.values.release(key)

    # Advertisements

    def _advertise(self, message: Message, from_hop: str) -> Outgoing:
        tree = self._tree_for(message, from_hop)
        if tree is None or not tree.advertise((message.origin, message.key), from_hop):
            return []
        self.srt_size += 1
        return self._advertised_anew(message, from_hop, tree)

    def _unadvertise(self, message: Message, from_hop: str) -> Outgoing:
        tree = self.trees.get(message.tree)
        if tree is None or not tree.unadvertise((message.origin, message.key), from_hop):
            return []
        self.srt_size -= 1
        if tree.parent is not None and not tree.srt:
            self.drop_tree(message.tree)
            return self._announce(message, from_hop, tree)
        return self._advertised_anew(message, from_hop, tree)

    def _tree_for(self, message: Message, from_hop: str) -> Tree | None:
        """The tree of an advertisement: planted if this is its first, None if this is a copy that came round."""
        tree = self.trees.get(message.tree)
        if tree is None and message.tree not in self._gone:
            links = (from_hop,) if from_hop in self.neighbours else ()
            tree = Tree(self.clients, links, self.strategy, self.knowledge, parent=from_hop)
            self.trees[message.tree] = tree
        return tree if tree is not None and tree.parent in (None, from_hop) else None

    def drop_tree(self, number: int) -> None:
        """Forget a tree for good; nobody advertises in it any more, or another one has taken its place."""
        self._gone.add(number)
        tree = self.trees.pop(number, None)
        if tree is None:
            return
        self.srt_size -= sum(map(len, tree.srt.values()))
        for table in tree.prt.values():
            for key in table:
                self._left(key)

    def _announce(self, message: Message, from_hop: str, tree: Tree) -> Outgoing:
        """Tell the other neighbours of an advertisement that came or went, and of those that it had covered."""
        others = [hop for hop in self.neighbours if hop != from_hop]
        if not self.strategy.cover_advertisements:
            return [(hop, message) for hop in others]
        sent: Outgoing = []
        entry = (message.origin, message.key)
        for hop in others:
            announced = tree.announced.setdefault(hop, Announced(self.knowledge))
            changes = announced.add(entry) if message.kind == "advertise" else announced.discard(entry)
            sent += [(hop, self._announcement(change, message)) for change in changes]
        return sent

    def _announcement(self, change: Announcement, cause: Message) -> Message:
        kind, (origin, key) = change
        if (cause.kind, cause.origin, cause.key) == (kind, origin, key):
            return cause
        self._made += 1
        size = self.knowledge.values.advertisement_size(key)
        return Message(kind, origin, self._made, key, cause.tree, size)

    def _advertised_anew(self, message: Message, from_hop: str, tree: Tree) -> Outgoing:
        """An advertisement came or went: tell the others, and let subscriptions follow."""
        changes = tree.reconcile_overlapping(message.key, from_hop)
        return self._announce(message, from_hop, tree) + self._tell(message.tree, changes)

    # Messages

    def _tell(self, tree: int, changes: Iterator[HopChange], cause: Message | None = None) -> Outgoing:
        """The messages that tell hops of changes; the message that caused one is passed on as it is."""
        return [(hop, self._message(tree, change, cause)) for hop, change in changes]

    def _message(self, tree: int, change: Change, cause: Message | None) -> Message:
        if cause is not None and (cause.kind, cause.key, cause.tree) == (*change, tree):
            return cause
        self._made += 1
        kind, key = change
        return Message(kind, self.name, self._made, key, tree, size=self.knowledge.values.subscription_size(key))
