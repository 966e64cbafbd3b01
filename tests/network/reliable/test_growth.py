"""The echo algorithm at one broker."""

from __future__ import annotations

from pyroaring import BitMap

from broker_sim.network.reliable.growth import Growth


def test_a_leaf_echoes_when_its_parent_asks() -> None:
    growth = Growth("parent", set())
    assert not growth.complete()
    assert growth.probe_from("parent") == []
    assert growth.complete()
    assert not growth.complete(), "once"


def test_children_echo_and_others_probe() -> None:
    growth = Growth("parent", {"child", "other"})
    assert growth.probe_from("parent") == ["child", "other"]
    assert growth.probe_from("other") == [], "it was asked, and this is its answer"
    assert not growth.complete()
    growth.echo_from("child", BitMap([3, 4]))
    assert growth.complete()
    assert growth.below() == BitMap([3, 4])
    assert growth.covers("child", BitMap([3, 4, 5]))
    assert not growth.covers("child", BitMap([3]))
    assert not growth.covers("other", BitMap([3, 4])), "who is below is not known"


def test_whoever_asks_is_answered_even_if_it_was_not_told() -> None:
    early = Growth("parent", {"child"})
    assert early.probe_from("stranger") == []
    assert early.probe_from("parent") == ["child", "stranger"]
    late = Growth("parent", {"child"})
    assert late.probe_from("parent") == ["child"]
    assert late.probe_from("stranger") == ["stranger"]
    assert late.probe_from("stranger") == []


def test_what_a_lost_connection_takes_with_it() -> None:
    growth = Growth("parent", {"child", "other", "silent"})
    growth.probe_from("parent")
    growth.probe_from("other")
    growth.echo_from("child", BitMap([3]))
    assert growth.lose("child")
    assert growth.lose("silent"), "it might have become a child"
    assert not growth.lose("other"), "it has another parent"
    assert not growth.lose("parent"), "the parent's side says so"
