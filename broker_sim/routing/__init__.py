"""One broker, free of any clock or wire: tables, strategies, and what to send where.

`Broker.handle(message, from_hop)` is a deterministic function of the messages a broker has seen: it returns what to
send to which hop and does nothing else. A hop is a neighbouring broker or a client. SimPy hosts brokers today
(`broker_sim.network`); anything that moves messages in order could.
"""

from broker_sim.routing.broker import Broker
from broker_sim.routing.knowledge import Knowledge
from broker_sim.routing.message import KINDS, Kind, Message
from broker_sim.routing.strategy import STRATEGIES, Strategy, strategy_named
from broker_sim.routing.values import Values

__all__ = ["KINDS", "STRATEGIES", "Broker", "Kind", "Knowledge", "Message", "Strategy", "Values", "strategy_named"]
