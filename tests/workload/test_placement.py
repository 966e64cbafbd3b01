"""Clients stand where they were asked to."""

from collections import Counter

import pytest

from broker_sim.errors import ConfigurationError
from broker_sim.network import load_topology
from broker_sim.workload import place

paper = load_topology("paper-8")


def test_leaves_are_where_the_paper_has_its_subscribers() -> None:
    assert place(paper) == ("4", "5", "6", "8")
    assert place(paper, "leaves", number=6) == ("4", "5", "6", "8", "4", "5")
    assert place(paper, "leaves", number=0) == ()


def test_a_topology_without_leaves_offers_all() -> None:
    assert place(load_topology("ring:n=3")) == ("1", "2", "3")
    assert place(load_topology("line:n=1")) == ("1",)


def test_all_and_explicit() -> None:
    assert place(paper, "all") == tuple("12345678")
    assert place(paper, "explicit", brokers=("8", "1"), number=3) == ("8", "1", "8")


def test_zipf() -> None:
    placed = place(paper, "zipf", number=40_000, theta=1.0, seed=3)
    shares = [count / 40_000 for _, count in Counter(placed).most_common()]
    total = sum(1 / rank for rank in range(1, 9))
    assert shares == pytest.approx([1 / rank / total for rank in range(1, 9)], abs=0.01)
    assert placed == place(paper, "zipf", number=40_000, theta=1.0, seed=3)
    assert placed != place(paper, "zipf", number=40_000, theta=1.0, seed=4)
    assert len(place(paper, "zipf")) == 8


def test_zipf_with_theta_0_is_uniform() -> None:
    counts = Counter(place(paper, "zipf", number=40_000, theta=0, seed=1))
    assert counts == pytest.approx(dict.fromkeys("12345678", 5_000), rel=0.05)


@pytest.mark.parametrize(
    ("placement", "options", "message"),
    [
        ("nowhere", {}, "expected one of leaves, all, zipf, explicit, not 'nowhere'"),
        ("explicit", {"brokers": ("9",)}, "topology paper-8 has no broker '9'"),
        ("explicit", {}, "at least one broker"),
        ("leaves", {"brokers": ("1",)}, "only explicit placement names brokers"),
        ("leaves", {"number": -1}, "number: expected a whole number"),
        ("zipf", {"theta": -1}, "theta: expected a number"),
    ],
)
def test_wrong_requests(placement: str, options: dict[str, object], message: str) -> None:
    with pytest.raises(ConfigurationError, match=message):
        place(paper, placement, **options)
