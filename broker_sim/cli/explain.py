"""`broker-sim explain`: why a subscription was or was not forwarded, and which way a document took."""

from __future__ import annotations

import json
from dataclasses import asdict

import click

from broker_sim.errors import ConfigurationError
from broker_sim.experiment import Experiment, load_experiment
from broker_sim.experiment.explaining import SubscriptionStory, explain_at, explain_document, subscribed

SHOWN = 3


@click.command()
@click.argument("experiment")
@click.argument("expression", required=False)
@click.option("--at", "broker", help="The broker to ask about EXPRESSION.")
@click.option("--document", "doc_id", type=int, help="Show the way of this document, counted from 0.")
@click.option("--strategy", default="with-adv-with-cov", show_default=True, help="The strategy to explain.")
@click.option("--set", "overrides", multiple=True, metavar="KEY=VALUE", help="Override one value of the experiment.")
@click.option("--json", "as_json", is_flag=True, help="Print JSON, with all entries.")
def explain(
    experiment: str,
    expression: str | None,
    broker: str | None,
    doc_id: int | None,
    strategy: str,
    overrides: tuple[str, ...],
    as_json: bool,
) -> None:
    """Explain what brokers of EXPERIMENT do with the subscription EXPRESSION, or with a document.

    Everybody advertises and subscribes as in `broker-sim run`; the reasons are read from the tables then.
    """
    if (expression is None) == (doc_id is None) or (expression is None) != (broker is None):
        raise ConfigurationError("give either --at BROKER and an EXPRESSION, or --document ID")
    spec = load_experiment(experiment, overrides)
    if not isinstance(spec, Experiment):
        raise ConfigurationError(f"experiment {spec.name} has no overlay", source="kind")
    simulation = subscribed(spec, strategy)
    if doc_id is not None:
        steps = list(explain_document(simulation, doc_id))
        if as_json:
            click.echo(json.dumps([asdict(step) for step in steps], indent=2))
        for step in () if as_json else steps:
            click.echo(f"{step.broker} -> {step.cause.hop}: {_few(step.cause.entries)}")
        return
    assert broker is not None
    assert expression is not None
    stories = explain_at(simulation, broker, expression)
    if as_json:
        click.echo(json.dumps([asdict(story) for story in stories], indent=2))
    for story in () if as_json else stories:
        _tell(story, broker)


def _tell(story: SubscriptionStory, broker: str) -> None:
    owner = f" of {story.owner}" if story.owner else ""
    known = f"came from {', '.join(story.known_from)}" if story.known_from else "is not known"
    click.echo(f"{story.subscription}{owner} {known} at {broker}")
    words = {
        "forwarded": "forwarded; overlaps {}",
        "covered": "not forwarded; covered by {}",
        "merged": "not forwarded; merged into {}",
        "not advertised": "not forwarded; nothing advertised from there overlaps it",
        "nobody else asks": "not forwarded; nobody else asks for it here",
    }
    for link in story.links:
        tree = f" (tree {link.tree})" if link.tree else ""
        text = words[link.reason].format(_few(link.because) if link.because else "no advertisement, all are flooded")
        click.echo(f"  to {link.hop}{tree}: {text}")


def _few(texts: tuple[str, ...]) -> str:
    more = f" and {len(texts) - SHOWN:,} more" if len(texts) > SHOWN else ""
    return ", ".join(texts[:SHOWN]) + more
