"""`broker-sim sweep` for clusters: the master is the one that spark-submit was given.

    spark-submit --master spark://host:7077 --py-files broker_sim.zip experiments/sweep.py SPEC --profile full --out DIR

`broker_sim.zip` is the project's wheel under that name. See docs/sweeps.md.
"""

import sys

from broker_sim.cli import main

main(["sweep", "--master", "submitted", *sys.argv[1:]])
