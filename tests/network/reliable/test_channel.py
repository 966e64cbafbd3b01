"""Two ends of a link over a wire that loses and doubles: what is handled is what was sent, in order, once."""

from __future__ import annotations

from collections import deque

from hypothesis import given
from hypothesis import strategies as st

from broker_sim.network.reliable.channel import Channel, Frame
from broker_sim.network.reliable.contents import Content, Probe

ACTIONS = ("send", "send", "arrive", "arrive", "arrive", "lose", "double", "handle", "resend", "sign", "give up")


class End:
    """A channel, what waits to be handled at its broker, and what was sent and handled in each connection."""

    def __init__(self) -> None:
        self.channel = Channel(epoch=10, peer=10, patience=1.0, round_trip=0.5)
        self.queue: deque[tuple[Content, tuple[int, int]]] = deque()
        self.sent: dict[tuple[int, int], list[int]] = {}
        self.handled: dict[tuple[int, int], list[int]] = {}

    def handle(self) -> None:
        content, connection = self.queue.popleft()
        if self.channel.open and self.channel.connection == connection:
            self.channel.handle()
            assert isinstance(content, Probe)
            self.handled.setdefault(connection, []).append(content.tree)


class Link:
    """Two ends and what is under way to each."""

    def __init__(self) -> None:
        self.ends = (End(), End())
        self.wires: tuple[deque[Frame], deque[Frame]] = (deque(), deque())
        self.now = 0.0
        self.number = 0

    def act(self, action: str, here: int) -> None:
        end, incoming, outgoing = self.ends[here], self.wires[here], self.wires[1 - here]
        self.now += 0.3
        match action:
            case "send" if end.channel.open:
                self.number += 1
                end.sent.setdefault(end.channel.connection, []).append(self.number)
                frame, note = end.channel.enclose(Probe(self.number), 0)
                note.left_at = self.now
                outgoing.append(frame)
            case "arrive" if incoming:
                self.receive(incoming.popleft(), here)
            case "lose" if incoming:
                incoming.popleft()
            case "double" if incoming:
                incoming.appendleft(incoming[0])
            case "handle" if end.queue:
                end.handle()
            case "resend":
                for frame, note in list(end.channel.overdue(self.now)):
                    note.left_at = self.now
                    outgoing.append(frame)
            case "sign":
                outgoing.append(end.channel.sign())
            case "give up":
                end.channel.close()
                outgoing.append(end.channel.sign())
            case "restart":
                end.queue.clear()
                end.channel.restart()
                outgoing.append(end.channel.sign())

    def receive(self, frame: Frame, here: int) -> None:
        end = self.ends[here]
        receipt = end.channel.receive(frame, self.now)
        for content, _ in receipt.contents:
            end.queue.append((content, end.channel.connection))
        if receipt.answer:
            self.wires[1 - here].append(end.channel.sign())

    def check(self) -> None:
        """In every connection, what was handled at one end is the beginning of what was sent at the other."""
        for here, end in enumerate(self.ends):
            for (ours, theirs), handled in end.handled.items():
                sent = self.ends[1 - here].sent.get((theirs, ours), [])
                assert handled == sent[: len(handled)]

    def heal(self) -> None:
        """From now on nothing is lost, and what is on a wire arrives before more is sent."""
        for _ in range(50):
            for here in (0, 1):
                while self.wires[here]:
                    self.act("arrive", here)
                while self.ends[here].queue:
                    self.act("handle", here)
                self.act("resend", here)
                self.act("sign", here)


actions = st.lists(st.tuples(st.sampled_from(ACTIONS), st.integers(0, 1)), min_size=20, max_size=120)


@given(actions)
def test_nothing_is_overtaken_doubled_or_made_up(steps: list[tuple[str, int]]) -> None:
    link = Link()
    for action, here in steps:
        link.act(action, here)
        link.check()
    link.heal()
    link.check()
    first, second = (end.channel for end in link.ends)
    assert first.open
    assert second.open
    assert first.connection == second.connection[::-1]


@given(st.lists(st.tuples(st.sampled_from([*ACTIONS[:-1], "restart"]), st.integers(0, 1)), min_size=20, max_size=120))
def test_while_a_connection_lasts_everything_arrives(steps: list[tuple[str, int]]) -> None:
    link = Link()
    for action, here in steps:
        link.act(action, here)
    link.heal()
    link.check()
    for here, end in enumerate(link.ends):
        other = link.ends[1 - here]
        assert end.handled.get((10, 10), []) == other.sent.get((10, 10), [])
        assert not end.channel.waiting


def test_what_lies_behind_a_gap_is_asked_for_at_once() -> None:
    link = Link()
    for action in ("send", "send"):
        link.act(action, 0)
    link.act("lose", 1)
    link.act("arrive", 1)
    assert link.wires[0], "the gap is told at once"
    link.act("arrive", 0)
    (frame, note), *others = link.ends[0].channel.overdue(link.now)
    assert (frame.number, note.tries, others) == (0, 1, [])


def test_a_silent_neighbour_is_sent_only_the_first_of_what_it_lacks() -> None:
    link = Link()
    for _ in range(5):
        link.act("send", 0)
    link.now += 10
    assert [frame.number for frame, _ in link.ends[0].channel.overdue(link.now)] == [0]
