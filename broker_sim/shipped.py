"""Where the data files that come with broker-sim are.

A wheel carries `topologies/` and `experiments/` inside the package, also when it is imported as a zip file; a checkout
has them at its top level.
"""

from __future__ import annotations

from pathlib import Path
from typing import Literal

from broker_sim.errors import ConfigurationError
from dtd_ads.packaged import packaged_folder

_package = Path(__file__).resolve().parent


def shipped(kind: Literal["topologies", "experiments"]) -> Path:
    """The folder of the shipped files of this kind."""
    for folder in (packaged_folder("broker_sim", kind), _package.parent / kind):
        if folder is not None and folder.is_dir():
            return folder
    raise ConfigurationError(f"this installation lacks its {kind}: expected {_package / kind}")
