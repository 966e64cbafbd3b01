"""One broker, message by message."""

import pytest

from broker_sim.engines import create_engine
from broker_sim.errors import DocumentError
from broker_sim.routing import STRATEGIES, Broker, Knowledge, Message, Values
from broker_sim.xpath import parse_xpath
from dtd_ads import parse_advertisement


class Bench:
    """A broker between the neighbours `left` and `right`, and messages by their text."""

    def __init__(self, strategy: str) -> None:
        chosen = STRATEGIES[strategy]
        self.values = Values(owned=not chosen.cover)
        knowledge = Knowledge(self.values, create_engine("lazy-dfa"), cover=chosen.cover)
        self.broker = Broker("here", ["left", "right"], chosen, knowledge)

    def subscribe(self, hop: str, xpath: str, kind: str = "subscribe") -> list[tuple[str, str, str]]:
        path = parse_xpath(xpath).disjuncts[0]
        return self.told(Message(kind, hop, 0, self.values.subscription(path, "client")), hop)

    def advertise(self, hop: str, text: str, kind: str = "advertise") -> list[tuple[str, str, str]]:
        key = self.values.advertisement(parse_advertisement(text))
        return self.told(Message(kind, "publisher", 0, key), hop)

    def publish(self, hop: str, *names: str, doc_id: int = 0) -> list[str]:
        message = Message("publish", hop, 0, self.values.publication(names), doc_id=doc_id, path_id=0)
        return [to for to, sent in self.broker.handle(message, hop) if sent is message]

    def told(self, message: Message, hop: str) -> list[tuple[str, str, str]]:
        return [(to, sent.kind, self.text(sent)) for to, sent in self.broker.handle(message, hop)]

    def text(self, message: Message) -> str:
        if message.kind.endswith("advertise"):
            return str(self.values.advertised(message.key))
        return str(self.values.path(message.key))


def test_without_advertisements_subscriptions_flood() -> None:
    bench = Bench("no-adv-no-cov")
    assert bench.subscribe("client", "/a/b") == [("left", "subscribe", "/a/b"), ("right", "subscribe", "/a/b")]
    assert bench.subscribe("left", "/a/c") == [("right", "subscribe", "/a/c")]
    assert (bench.broker.srt_size, bench.broker.prt_size) == (0, 2)


def test_subscriptions_follow_the_advertisements_they_overlap() -> None:
    bench = Bench("with-adv-no-cov")
    assert bench.subscribe("client", "/a/b") == []
    assert bench.advertise("left", "/a/b/c") == [("right", "advertise", "/a/b/c"), ("left", "subscribe", "/a/b")]
    assert bench.advertise("right", "/x/y") == [("left", "advertise", "/x/y")]
    assert bench.subscribe("client", "//y") == [("right", "subscribe", "//y")]
    assert bench.subscribe("client", "/nowhere") == []
    assert bench.advertise("left", "/a/b/c", "unadvertise") == [
        ("right", "unadvertise", "/a/b/c"),
        ("left", "unsubscribe", "/a/b"),
    ]
    assert (bench.broker.srt_size, bench.broker.prt_size) == (1, 3)


def test_the_same_message_twice_changes_nothing() -> None:
    bench = Bench("with-adv-with-cov")
    assert bench.advertise("left", "/a/b")
    assert bench.subscribe("client", "/a")
    assert bench.advertise("left", "/a/b") == []
    assert bench.subscribe("client", "/a") == []
    assert bench.subscribe("client", "/b", "unsubscribe") == []
    assert bench.advertise("left", "/b", "unadvertise") == []
    assert (bench.broker.srt_size, bench.broker.prt_size) == (1, 1)


def test_a_covering_subscription_replaces_the_covered_and_its_removal_exposes_them() -> None:
    bench = Bench("no-adv-with-cov")
    bench.broker.trees[0].links.pop("right")
    assert bench.subscribe("client", "/a/b") == [("left", "subscribe", "/a/b")]
    assert bench.subscribe("client", "/a/b/c") == []
    assert bench.subscribe("client", "/a") == [("left", "subscribe", "/a"), ("left", "unsubscribe", "/a/b")]
    assert bench.subscribe("client", "/a", "unsubscribe") == [
        ("left", "subscribe", "/a/b"),
        ("left", "unsubscribe", "/a"),
    ]
    assert bench.subscribe("client", "/a/b", "unsubscribe") == [
        ("left", "subscribe", "/a/b/c"),
        ("left", "unsubscribe", "/a/b"),
    ]


def test_publications_go_where_they_match_and_clients_hear_once() -> None:
    bench = Bench("no-adv-no-cov")
    bench.subscribe("client", "/a/b")
    bench.subscribe("client", "//c")
    bench.subscribe("left", "/a/c")
    assert bench.publish("right", "a", "b") == ["client"]
    assert bench.publish("right", "a", "c") == ["left"]
    assert bench.publish("right", "a", "c", doc_id=1) == ["left", "client"]
    assert bench.publish("left", "a", "c", doc_id=2) == ["client"]
    assert bench.publish("right", "x", doc_id=3) == []


def test_a_client_may_hear_of_its_own_document() -> None:
    bench = Bench("no-adv-no-cov")
    bench.subscribe("client", "/a")
    assert bench.publish("client", "a") == ["client"]


def test_what_was_not_advertised_is_refused() -> None:
    bench = Bench("with-adv-no-cov")
    bench.advertise("client", "/a/b")
    assert bench.publish("client", "a", "b") == []
    with pytest.raises(DocumentError, match="did not advertise the path /a/c"):
        bench.publish("client", "a", "c")
    with pytest.raises(DocumentError, match="document 7"):
        bench.publish("other", "a", "b", doc_id=7)
