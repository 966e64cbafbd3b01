"""Find an experiment by name or file, apply overrides, check it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any, Final

from broker_sim.errors import ConfigurationError
from broker_sim.experiment.filtering_time import FilteringTimeExperiment
from broker_sim.experiment.routing_time import RoutingTimeExperiment
from broker_sim.experiment.spec import Experiment
from broker_sim.experiment.table_size import TableSizeExperiment
from broker_sim.experiment.tables import build, override, read_toml
from broker_sim.shipped import shipped

AnyExperiment = Experiment | TableSizeExperiment | RoutingTimeExperiment | FilteringTimeExperiment

KINDS: Final[dict[str, type[AnyExperiment]]] = {
    "overlay": Experiment,
    "table-size": TableSizeExperiment,
    "routing-time": RoutingTimeExperiment,
    "filtering-time": FilteringTimeExperiment,
}

STUDIES: Final = {
    "paper-chunking": "python experiments/benchmarks/chunking.py",
    "paper-delivery": "broker-sim bench delivery",
    "paper-relational": "broker-sim bench relational",
}
"""What else lies beside the experiments, and the command for it."""


def load_experiment(path_or_name: str | Path, overrides: Iterable[str] = ()) -> AnyExperiment:
    """The experiment in a TOML file, or the shipped one of that name; `overrides` are `key=value` texts."""
    tables = experiment_tables(path_or_name)
    for assignment in overrides:
        override(tables, assignment)
    return build_experiment(tables, str(path_or_name))


def experiment_tables(path_or_name: str | Path) -> dict[str, Any]:
    """What an experiment's file says, unchecked, with its name."""
    file = _file(path_or_name)
    return {"name": file.stem, **read_toml(file)}


def build_experiment(tables: Mapping[str, Any], source: str) -> AnyExperiment:
    """The experiment that `tables` describe; `source` names them in errors."""
    kind = tables.get("kind", "overlay")
    if not isinstance(kind, str) or kind not in KINDS:
        raise ConfigurationError(f"kind: expected one of {', '.join(KINDS)}, not {kind!r}", source=source)
    return build(KINDS[kind], tables, source=source)


def shipped_experiments() -> list[str]:
    """The names of the experiments that come with the package."""
    return sorted({file.stem for file in shipped("experiments").glob("*.toml")} - STUDIES.keys())


def _file(path_or_name: str | Path) -> Path:
    if str(path_or_name) in shipped_experiments():
        return shipped("experiments") / f"{path_or_name}.toml"
    if str(path_or_name) in STUDIES:
        raise ConfigurationError(
            f"is measured by another command: {STUDIES[str(path_or_name)]}", source=str(path_or_name)
        )
    file = Path(path_or_name)
    if file.suffix != ".toml" and not file.is_file():
        known = ", ".join(shipped_experiments())
        raise ConfigurationError(f"no experiment {str(path_or_name)!r}; give a TOML file or one of: {known}")
    return file
