"""The table of hostile inputs: what is in the folder, what is called, and the documented answer.

The answer is the same for all that is refused: exit code 2, one short line for each error with the place of the
trouble, nothing on standard output, nothing written. `says` is a regular expression for the error. What is odd but
allowed ends well (`code` 0) and writes exactly `writes`.

Large inputs are built when they are asked for, not when this package is read.
"""

from __future__ import annotations

from typing import Final

from experiments.reliability.hostile_inputs.case import DTD, GRAPH, QUERY, XML, Case, written
from experiments.reliability.hostile_inputs.documents import documents
from experiments.reliability.hostile_inputs.dtds import dtds
from experiments.reliability.hostile_inputs.experiments import experiments
from experiments.reliability.hostile_inputs.expressions import expressions
from experiments.reliability.hostile_inputs.odd_names import odd_names
from experiments.reliability.hostile_inputs.queries import queries
from experiments.reliability.hostile_inputs.topologies import topologies

__all__ = ["CASES", "DTD", "GRAPH", "QUERY", "XML", "Case", "written"]

CASES: Final = (
    *documents(),
    *dtds(),
    *expressions(),
    *queries(),
    *topologies(),
    *experiments(),
    *odd_names(),
)
