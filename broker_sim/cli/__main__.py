"""`python -m broker_sim.cli` is the `broker-sim` command."""

from broker_sim.cli import main

main()
