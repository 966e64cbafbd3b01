"""The churn of an engine, small: answers stay lxml's, and the check can fail."""

from __future__ import annotations

from pyroaring import BitMap

from broker_sim.engines import create_engine
from broker_sim.engines.benchmark import nitf_documents
from experiments.reliability.churn_engine import CHANGES, Churn


def test_answers_stay_right_while_subscriptions_come_and_go() -> None:
    churn = Churn(create_engine("lazy-dfa"), 500, seed=1)
    for document in nitf_documents(20, seed=1):
        churn.replace(CHANGES)
        found = churn.engine.match(document)
        checked, wrong = churn.wrong(document, found)
        assert checked >= 20
        assert wrong == 0
        assert churn.wrong(document, found ^ BitMap(range(500)))[1] > 0
    assert len(churn.engine) == 500
