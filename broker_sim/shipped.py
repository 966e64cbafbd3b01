"""Where the data files that come with broker-sim are.

A wheel carries `topologies/` and `experiments/` inside the package; a checkout has them at its top level.
"""

from __future__ import annotations

from pathlib import Path
from typing import Literal

from broker_sim.errors import ConfigurationError

_package = Path(__file__).resolve().parent


def shipped(kind: Literal["topologies", "experiments"]) -> Path:
    """The folder of the shipped files of this kind."""
    for parent in (_package, _package.parent):
        folder = parent / kind
        if folder.is_dir():
            return folder
    raise ConfigurationError(f"this installation lacks its {kind}: expected {_package / kind}")
