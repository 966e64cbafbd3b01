"""Moments that random sequences seldom meet."""

from __future__ import annotations

import pytest

from broker_sim.errors import DocumentError
from broker_sim.xpath import parse_xpath
from tests.network.test_faults import Publisher, World


def test_a_subscription_that_went_with_its_connection_is_not_taken_for_served() -> None:
    """The tree is broken, the connection back, and a covering subscription withdrawn before the next tree is there."""
    world = World("line:n=2", "with-adv-with-cov", 0.0, 0.0, 1)
    overlay, publisher = world.overlay, Publisher("publisher", "1", "a", 1)
    first, second, third = (parse_xpath(text).disjuncts[0] for text in ("/a", "/a/b/c", "//c"))
    world.advertise(publisher)
    world.ask("subscribe", "covering", "2", first)
    world.ask("subscribe", "covered", "2", second)
    overlay.run_to_rest()
    channel = overlay.nodes["2"].channels["1"]
    overlay.nodes["2"].give_up("1")
    world.ask("subscribe", "late", "2", third)
    world.wait(0.0005)
    while not channel.open:
        world.wait(0.0005)
    world.ask("unsubscribe", "covering", "2", first)
    world.wait(0.012)
    world.publish(publisher, b"<a><b><c/></b></a>", 7)
    overlay.run_to_rest()
    assert {delivery.client for delivery in overlay.deliveries} >= {"covered", "late"}
    assert overlay.kept == 0


def test_who_advertises_nothing_publishes_nothing() -> None:
    world = World("line:n=2", "with-adv-with-cov", 0.0, 0.0, 1)
    publisher = Publisher("publisher", "1", "a", 1)
    world.advertise(publisher)
    world.advertise(publisher, "unadvertise")
    world.overlay.run_to_rest()
    world.publish(publisher, b"<a/>", 7)
    with pytest.raises(DocumentError, match="advertises nothing"):
        world.overlay.run_to_rest()
